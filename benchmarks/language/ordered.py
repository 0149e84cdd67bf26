t = {}


def main():
    i = 0
    while i < 300000:
        t[i % 1000] = i
        i = i + 1
    for k in t:
        t[k] = t[k] + 1
    print(len(t))


main()
