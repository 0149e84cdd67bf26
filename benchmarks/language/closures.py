# ruff: noqa: B007
import math


def lj(d):
    return (250.0 / d) * ((60.0 / d) ** 4 - (60.0 / d) ** 2)


n = {i: {"distance": 50.0 + i, "azimuth": i * 0.1} for i in range(25)}
for i in range(8000):
    m = {
        k: {"x": lj(d["distance"]) * math.cos(d["azimuth"]), "y": lj(d["distance"]) * math.sin(d["azimuth"])}
        for k, d in n.items()
    }
    a = {"x": 0.0, "y": 0.0}

    def add(k, v, acc):
        acc["x"] = acc["x"] + v["x"]
        acc["y"] = acc["y"] + v["y"]
        return acc

    for k, v in m.items():
        a = add(k, v, a)
print(a["x"])
