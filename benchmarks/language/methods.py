# ruff: noqa: E741
def account(x):
    s = {"x": x, "n": 0}

    def add(d):
        s["x"] = s["x"] + d
        s["n"] = s["n"] + 1
        return s["x"]

    def big(l):
        return s["x"] > l

    s["add"] = add
    s["big"] = big
    return s


def main():
    a = account(1.0)
    i = 0
    hits = 0
    while i < 200000:
        a["add"](0.5)
        if a["big"](100.0):
            hits = hits + 1
        i = i + 1
    print(a["x"], hits)


main()
