t = {}


def main():
    i = 0
    while i < 300000:
        t[i % 1000] = i
        i = i + 1
    p = {"x": 0.0, "y": 0.0}
    i = 0
    while i < 300000:
        p["x"] = p["x"] + 1.5
        p["y"] = p["y"] - p["x"] * 0.5
        i = i + 1
    print(len(t), p["x"])


main()
