# ruff: noqa: E741
import math

n = {}


def new(x, y):
    return {"x": x, "y": y}


def newp(l, a):
    return new(l * math.cos(a), l * math.sin(a))


def angle(v):
    return math.atan2(v["y"], v["x"])


def clamp(x, lo, hi):
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x


def norm(a):
    while a > math.pi:
        a = a - 2.0 * math.pi
    while a < -math.pi:
        a = a + 2.0 * math.pi
    return a


def step(k):
    acc = new(0.0, 0.0)

    def f(id, d):
        if d["dist"] < 80.0 and d["dist"] > 5:
            v = newp(1.0 / d["dist"], d["az"])
            acc["x"] = acc["x"] - v["x"]
            acc["y"] = acc["y"] - v["y"]

    for id, d in n.items():
        f(id, d)
    h = norm(angle(acc) + k)
    state["left"] = clamp(10.0 - h * 3.0, -20.0, 20.0)
    state["right"] = clamp(10.0 + h * 3.0, -20.0, 20.0)
    state["count"] = state["count"] + 1
    if state["mode"] == "avoid" and state["count"] % 10 == 0:
        state["mode"] = "walk"
    elif state["mode"] == "walk":
        state["mode"] = "avoid"


state = {"left": 0.0, "right": 0.0, "count": 0, "mode": "avoid"}
for i in range(10):
    n[i] = {"dist": 20.0 + i * 10, "az": i * 0.5}
for k in range(8000):
    step(k * 0.01)
print(state["left"], state["count"], state["mode"])
