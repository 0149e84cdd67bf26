def main():
    global i, s
    i = 0
    s = 0
    while i < 1500000:
        s = s + i % 7
        i = i + 1
    print(s)


main()
