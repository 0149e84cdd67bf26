"""Pieces of Buzz that random programs are put together from: groups of lines about one part of the library each."""

from __future__ import annotations

PRELUDE = """
function number(v) { if(isint(v) or isfloat(v)) { return v } return 1 }
function pick(v, w) { if(number(v) < number(w)) { return v } return w }
function down(n, v) { if(n <= 0) { return v } return down(n - 1, number(v) + n) }
function level(n) { if(n > 0) return 40 return "none" }
function half(n) { if(n > 0) { return 0.5 } }
function either(n) { if(number(n) > 1) { return 2.5 } return 3 }
t = {.x = 1, .y = 0.5, .zeta = "z"}
a = {}
n = {.p = {.x = 1, .count = 2.5}, .q = {.1 = 1}}
o = {.v = 1, .add = function(d) { self.v = number(self.v) + number(d) return self.v }}
""".strip().splitlines()

STANDARD_FILES = ("vec2.bzz", "string.bzz", "table.bzz")

WORDS = (
    """
    log(string.sub("abcdef", ia & 3), string.sub("abcdef", 1, 2 + (ib & 3)))
    """,
    """
    log(string.toint("12"), string.toint("x"), string.tofloat("3.5"), string.tofloat(sa))
    """,
    """
    log(type(a), type(step), type(nil), type(fa), isuserdata(io), isclosure(math.sin), istable(math))
    """,
    """
    math.rng.setseed(3)
    log(math.rng.uniform(10), math.rng.uniform(2, 5), math.rng.uniform(1.5), math.rng.uniform(0.5, 2))
    ga = math.rng.uniform() & 255
    """,
    """
    math.rng.setseed(ia)
    fa = math.rng.gaussian(2.0, 1.0) + math.rng.exponential(1.5) + math.rng.gaussian()
    """,
    """
    log(math.log2(8), math.log10(100), math.log(fa), math.exp(1), math.asin(0.5), math.acos(0.5), math.tan(1))
    """,
    """
    n.q = map(t, function(k, v) { return number(v) * 2 })
    ga = reduce(n.q, function(k, v, s) { return s + number(v) }, 0)
    log(size(filter(n.q, function(k, v) { return v > 1 })))
    """,
    """
    gb = clone(n)
    gb.p.x = number(gb.p.x) + 1
    log(n.p.x, gb.p.x, gb.p == n.p, gb.p != n.p)
    """,
    """
    o.w = {.deep = {.f = function(s) { return {.1 = function(r) { return {.b = r} }} }}}
    log(o.w.deep.f(3)[1](2).b)
    """,
    """
    gb = function(u, v) { if(u) { return 1 } return v }
    log(gb(1))
    log(gb(0, 2, 3, 4, 5))
    """,
    """
    log((ia == ib) + (sa != sb) - (ga == nil), (nil == ga), (nil < ia), (1 < "2"), ("a" <= sb), (t == a), (t >= 1))
    """,
    """
    while(not 1) log(1)
    if(0) { } else log(2)
    if(1) { }
    """,
    """
    log(size(ring), ring[0].value * ring[1].angle, place.at.x + place.at.y / place.yaw)
    """,
    """
    None = 1 - 2 - -3 + - -ia
    True = (2 + 3 * 4 % 5 ^ 2 - 1 << 2 & 3 | 1)
    class = -2 ^ 2 + -ia ^ 2 - !1 + +3
    """,
    """
    math.extra = function(q) { return number(q) * 2 + math.pi }
    log(math.extra(ia), math.extra(0.5))
    """,
)
"""Lines that may stand anywhere."""

FILES = (
    """
    file = io.fopen("a.txt", "w")
    io.fwrite(file, "line ", ia, " ", fa, nil)
    io.fwrite(file, sa, sb)
    io.fclose(file)
    """,
    """
    file = io.fopen("b.txt", "w+")
    io.fwrite(file, "x")
    log(io.fsize(file), file.name, isuserdata(file.handle))
    io.fclose(file)
    file = io.fopen("b.txt", "r")
    io.fforeach(file, function(line) { log("read ", line, string.length(line)) })
    io.fclose(file)
    """,
    """
    file = io.fopen("missing.txt", "r")
    log(file, io.errno, io.error_message)
    """,
)

MESSAGES = (
    """
    neighbors.broadcast("topic", ia)
    neighbors.broadcast("place", {.x = fa, .w = sa})
    """,
    """
    neighbors.listen("topic", function(topic, value, from) { log(topic, value, from) ga = value })
    neighbors.listen("place", function(topic, value, from) { t.zeta = value.x a[from] = value })
    """,
    """
    neighbors.ignore("topic")
    """,
    """
    neighbors.foreach(function(robot, data) { log(robot, data.distance, data.azimuth) fa = fa + data.distance })
    """,
    """
    ga = neighbors.map(function(robot, data) { return data.distance * 2 }).reduce(function(r, d, s) { return s + d }, 0)
    """,
    """
    gb = neighbors.filter(function(robot, data) { return data.distance < 75.0 })
    log(gb.count(), neighbors.count(), gb.get(2), neighbors.kin().count(), neighbors.nonkin().count())
    """,
    """
    fa = neighbors.reduce(function(robot, data, sum) { return sum + data.elevation + math.sin(data.azimuth) }, 0.0)
    """,
    """
    if(neighbors.get(1) != nil) log(neighbors.get(1).distance)
    if(neighbors.poses != nil) log(size(neighbors.poses))
    """,
    """
    if(group == nil) { group = swarm.create(1) }
    if(other == nil) { other = swarm.create(2) }
    group.join()
    other.select(id == 2)
    if(other.in()) { log("in ", other.id) }
    group.exec(function() { log(swarm.id(), neighbors.kin().count(), neighbors.nonkin().count()) })
    log(swarm.intersection(3, group, other).in(), swarm.union(4, group, other).in())
    log(swarm.difference(5, group, other).in())
    group.others(6)
    """,
    """
    if(group == nil) { group = swarm.create(1) }
    group.leave()
    log(group.in(), group.id)
    """,
    """
    if(store == nil) { store = stigmergy.create(1) }
    store.put("k", ia)
    store.put(id, fa)
    log(store.get("k"), store.get(1), store.get("none"), store.size())
    """,
    """
    if(store == nil) { store = stigmergy.create(1) }
    store.onconflict(function(key, local, remote) { if(local.robot > remote.robot) { return local } return remote })
    store.onconflictlost(function(key, local) { log("lost ", key, local.data) })
    store.foreach(function(key, value, robot) { log(key, " ", value, " ", robot) })
    log(size(store.map(function(key, value, robot) { return robot })))
    ga = store.reduce(function(key, value, robot, sum) { return sum + robot }, 0)
    store.put("k", nil)
    """,
)
"""Groups of lines for `step`, among robots that hear each other."""
