"""test_headway_page.py THRONG: "The model to the bit" of docs/walking.md, written in numpy from
that page, without the source, against the program: every agent in every step of four scenes."""
import math
import os
import sys

import numpy as np
from checkout import run_tests

import throng

os.environ.update({"THRONG": sys.argv[1], "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
np.seterr(divide="ignore", invalid="ignore")
F = np.float32
COS, SIN = np.array([[1, .9659258, .8660254, .7071068], [0, .2588190, .5, .7071068]], F)
DIRECTIONS = [(0, 0), (1, 1), (1, -1), (2, 1), (2, -1), (3, 1), (3, -1)]  # k, 1: left, -1: right
FAR, SIDES = F(1e9), {"right": 1, "left": -1, "none": 0}


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def det(a, b):
    return a[0] * b[1] - a[1] * b[0]


def size(a):
    return np.sqrt(dot(a, a))


def turned(c, a, n):
    """c a + n left(a)"""
    return c * a[0] + n * -a[1], c * a[1] + n * a[0]


class Page:
    """The model, with what the agents remember. Walls: A and B in quanta."""

    def __init__(self, dt, quantum, walls, spreads, side="right", length=.36, anticipation=1,
                 sight=5, time_gap=1, contact=.8):
        self.quantum, self.spreads, self.preferred_side = F(quantum), spreads, F(SIDES[side])
        self.walls = np.array(walls, np.int64).T[:, :, None]
        self.length, self.anticipation, self.sight = F(length), F(anticipation), F(sight)
        self.contact, self.gain = F(contact), F(1 / (time_gap + anticipation))
        self.look_every, self.choose_every = math.ceil(.5 / dt), math.ceil(.3 / dt)
        self.memory = {}  # by id: N, meets, has chosen, k, side, share

    def step(self, number, a, sidestep):
        """The result for the agents a, columns at the start of step `number`."""
        memory = [self.memory.get(i, (0, False, False, 0, 0, 0)) for i in a["id"].tolist()]
        N, meets, chosen, k, side, share = (np.array(column) for column in zip(*memory))
        v, V, f = a["v"], a["V"], a["f"]
        v0 = size(V)
        e0 = V[0] / v0, V[1] / v0
        walks = a["walks"] & ((f[0] != 0) | (f[1] != 0)) & (v0 > 0)
        spreads = self.spreads & ~(dot(v, v) < F(.1) * a["speed"] * (F(.1) * a["speed"]))
        g = tuple(np.where(spreads, f, e0))
        p = [self.quantum * (X - X[:, None]).astype(F) for X in a["X"]]
        if number % self.look_every == 0:
            G, fj = [c[:, None] for c in g], [c[None] for c in f]
            ahead, beside, c = dot(G, p), det(G, p), dot(fj, G)
            meet = (ahead > 0) & (dot(p, p) <= 25) & (np.abs(beside) <= F(2.5)) & (c < F(-.3))
            n = np.where(meet & (c < F(-.7)), np.trunc((5 - ahead) * F(51.2)), 0).astype(int)
            n = -n * np.sign(beside + self.preferred_side).astype(int)
            N = np.where(walks, np.clip(n.sum(1), -256, 256), N)
            meets = np.where(walks, meet.any(1), meets)
        t = turned(F(1), g, F(.57735027) * (N.astype(F) / F(256)))
        shrink = F(1) / size(t)
        e = tuple(np.where(spreads & ~meets, e0, (shrink * t[0], shrink * t[1])))
        now = walks & (sidestep | ~chosen | (number % self.choose_every == 0))
        if now.any():
            i = np.flatnonzero(now)
            k[i], side[i], share[i] = self.choice(i, a, [c[i] for c in p], [c[i] for c in e], v0[i])
        self.memory = dict(zip(a["id"].tolist(), zip(N, meets, chosen | now, k, side, share)))
        result = turned(COS[k], e, SIN[k] * side.astype(F))
        speed = share.astype(F) / F(2**24) * v0
        return np.where(walks, (speed * result[0], speed * result[1]), V)

    def wall(self, X, direction):
        """W of each agent in this direction."""
        ax, ay, bx, by = self.walls
        L, z = (bx - ax, by - ay), (X[0] - ax, X[1] - ay)
        foot = np.clip(dot(z, L) / dot(L, L), 0, 1)
        near = np.hypot(z[0] - foot * L[0], z[1] - foot * L[1]) * self.quantum < 5
        L, z = [c.astype(F) for c in L], [c.astype(F) for c in z]
        Q, m, hit = det(direction, L), -det(z, L), -det(z, direction)
        Q, m, hit = [np.sign(Q) * c for c in (Q, m, hit)]
        met = near & (Q > 0) & (m > 0) & (hit >= 0) & (hit <= Q)
        return np.where(met, self.quantum * m / Q, FAR).min(0)

    def neighbours(self, i, a, p, e):
        """R, s, a, s', a', x, y, whether it counts and may lead: of the nearest, the second, ..."""
        squared = dot(p, p)
        squared[np.arange(len(i)), i] = np.inf
        near = squared < (a["neighbour_distance"][i] * a["neighbour_distance"][i])[:, None]
        rank = np.lexsort((np.broadcast_to(a["id"], near.shape), np.where(near, squared, np.inf)))
        count, rows = np.minimum(near.sum(1), a["neighbours"][i]), np.arange(len(i))
        for n in range(count.max()):
            j = rank[:, n]
            q, vj, fj = ([c[rows, j] for c in p], [c[j] for c in a["v"]], [c[j] for c in a["f"]])
            x = dot(e, fj)
            yield (self.contact * (a["radius"][i] + a["radius"][j]), dot(e, q), det(e, q),
                   dot(e, vj), det(e, vj), x, det(e, fj),
                   (n < count) & (squared[rows, j] <= F(6.25)), (x > F(-.7)) & (dot(fj, q) > 0),
                   x < F(-.7))

    def choice(self, i, a, p, e, v0):
        """k, side (1: left) and share."""
        l, r, zero, X = self.length, a["radius"][i], F(0), [c[i] for c in a["X"]]
        W = {(k, side): self.wall(X, turned(COS[k], e, F(side) * SIN[k]) if k else e)
             for k, side in DIRECTIONS}
        around = list(self.neighbours(i, a, p, e))
        held = {side: np.full(len(i), FAR) for side in (-1, 0, 1)}
        for _, s, b, s1, _, _, _, counts, may, _ in around:
            for side in (-1, 1):
                tight = COS[3] * W[3, side] - r < F(.5) * (l + F(side) * b)
                holds = counts & may & (s > 0) & (np.abs(b) < l) & tight
                reach = s + self.anticipation * np.maximum(s1, zero)
                held[side] = np.where(holds, np.minimum(held[side], reach), held[side])
        value, speed = {}, {}
        for k, side in DIRECTIONS:
            c, n = COS[k], F(side) * SIN[k]
            h, over, under = held[side], np.full(len(i), self.sight), np.ones(len(i), F)
            for R, s, b, s1, b1, x, y, counts, may, oncoming in around:
                if k:
                    s, b, s1, b1, x, y = (c * s + n * b, c * b - n * s, c * s1 + n * b1,
                                          c * b1 - n * s1, c * x + n * y, c * y - n * x)
                beside, counts = np.abs(b), counts & (s > 0)
                first = ((np.abs(y) > F(.7)) & (b * y < 0) & (beside < np.abs(y)) &
                         (beside * (F(1) - x) < s * np.abs(y)))
                leads = counts & np.where(beside < l, may, first)
                reach = s + self.anticipation * np.maximum(s1, zero)
                h = np.where(leads, np.minimum(h, reach), h)
                h = np.where(counts & oncoming & (beside < l), np.minimum(h, s + F(1)), h)
                C, G = v0 - s1, np.maximum(s - R, zero)
                w = v0 * G
                less = (counts & (s <= W[k, side]) & (np.abs(b * C + G * b1) < l * C) &
                        (w * under < over * C))
                over, under = np.where(less, w, over), np.where(less, C, under)
            free = np.maximum(W[k, side] - r, zero) if k else self.sight
            speed[k, side] = np.clip((h - l) * self.gain, zero, v0)
            gain = F(1) + np.minimum(over / under, free) / self.sight
            value[k, side] = speed[k, side] * c * gain
        z = -det(e, [c[i] for c in a["v"]])
        z = np.where(z == 0, self.preferred_side, z)
        best, best_speed = value[0, 0], speed[0, 0]
        best_k, best_side = np.zeros((2, len(i)), int)
        for k in (1, 2, 3):
            more = np.sign(value[k, 1] - value[k, -1])
            side = np.where(more == 0, -np.sign(z), more).astype(int)
            rival = np.where(side > 0, value[k, 1], value[k, -1])
            wins = (side != 0) & (rival > best)
            best = np.where(wins, rival, best)
            best_speed = np.where(wins, np.where(side > 0, speed[k, 1], speed[k, -1]), best_speed)
            best_k, best_side = np.where(wins, k, best_k), np.where(wins, side, best_side)
        return best_k, best_side, (best_speed / v0 * F(2**24)).astype(int)


WALLS = [[(12, 3), (15, 3), (15, 6), (12, 6)], [(14, 8), (16.5, 9.3), (15.2, 12.1)],
         [(17, 5), (19, 8)], [(4, 13.3), (26, 13.3)], [(4, 1.2), (26, 1.2)]]
SCENE = """
world:
  extent: [0, 0, 30, 20]
  simplify: 0
  obstacles: ["POLYGON ((12 3, 15 3, 15 6, 12 6, 12 3))", "LINESTRING (17 5, 19 8)",
              "POLYGON ((14 8, 16.5 9.3, 15.2 12.1, 14 8))", "LINESTRING (4 1.2, 26 1.2)",
              "LINESTRING (4 13.3, 26 13.3)"]
destinations:
  - {name: east, areas: [{rectangle: [28, 0, 30, 20]}], stay: 2}
  - {name: west, areas: [{rectangle: [0, 0, 2, 20]}]}
  - {name: middle, areas: [{rectangle: [8, 2, 11, 13]}], stay: {uniform: [0.1, 4]}}
journeys: [{name: a, via: [middle, east]}]
sources:
  - {area: {rectangle: [3, 2, 10, 13]}, count: 40, journey: a, profile: {own: 8, late: 1, cart: 1}}
  - {area: {rectangle: [20, 2, 27, 13]}, count: 40, destination: west}
  - {area: {rectangle: [12, 14, 18, 16]}, rate: 3, destination: west}
  - {area: {rectangle: [16, 9, 20, 12]}, count: 10, offset: [0.5, -9]}
"""


def compare(steps, model, options, sidesteps=False, **own):
    """Runs the scene and compares every agent in every step."""
    walking = {key: value for key, value in own.items() if key != "contact"}
    text = SCENE + f"""
navigation: {{model: {model}}}
profiles:
  - {{name: own, walking: {walking}}}
  - {{name: late, walking: {walking}, reaction: 2}}
  - {{name: cart, yield: 0, radius: 0.3}}
"""
    start, page, compared, aside = {}, None, 0, 0

    def columns(sim):
        now = sim.agents
        start.update({name: np.array(now[name]) for name in (
            "id", "radius", "speed", "neighbours", "neighbour_distance")})
        start["walks"] = np.array(now["yield"]) > 0
        for name, x, y in (("v", "vx", "vy"), ("V", "prefer_x", "prefer_y"), ("X", "x", "y"),
                           ("f", "facing_x", "facing_y"), ("goal", "goal_x", "goal_y")):
            start[name] = np.array([now.column(x), now.column(y)])
        start["X"], start["goal"] = start["X"].astype(np.int64), start["goal"].astype(np.int64)
        start["origin"] = [now[c][0] - now.column(c)[0] * sim.quantum for c in "xy"]

    with throng.Simulation(text=text, set=options, threads=1) as sim:
        sim.each_step(columns)
        for number in range(steps):
            sim.step(1)
            if page is None:
                rings = [np.rint((np.array(w) - start["origin"]) / sim.quantum) for w in WALLS]
                walls = [(*a, *b) for c in rings for a, b in zip(c, np.roll(c, -1, axis=0))]
                page = Page(sim.dt, sim.quantum, walls, model != "direct", **own)
            sidestep = np.zeros(len(start["id"]), bool)
            if model == "direct":  # the page says V: who turned from it sidesteps
                w = page.quantum * (start["goal"] - start["X"]).astype(F)
                straight = np.minimum(start["speed"], size(w) / F(sim.dt)) / size(w) * w
                moves = (start["f"] != 0).any(0)
                sidestep = moves & (straight != start["V"]).any(0)
                assert (start["f"] == straight / size(straight))[:, moves].all()
            expected = page.step(number, start, sidestep)
            after = {agent: n for n, agent in enumerate(sim.agents["id"].tolist())}
            here = np.isin(start["id"], sim.agents["id"])
            at = [after[agent] for agent in start["id"][here].tolist()]
            got = np.array([sim.agents["prefer_x"][at], sim.agents["prefer_y"][at]])
            wrong = (got != expected[:, here]).any(0)
            assert not wrong.any(), (number, start["id"][here][wrong], got[:, wrong])
            compared, aside = compared + here.sum(), aside + sidestep.sum()
    assert compared > 90 * steps and (aside > 0) == sidesteps, (compared, aside)
    print(f"{compared} agent-steps are equal to the bit")


def test_straight_and_sidesteps():
    compare(150, "direct", {"avoidance.patience": .5}, sidesteps=True)


def test_other_parameters():
    compare(150, "direct", {"avoidance.patience": 0, "avoidance.contact": .6, "time.step": .13,
                            "avoidance.neighbours": 20, "avoidance.method": "none"},
            side="none", length=.6, anticipation=.3, sight=3, time_gap=.7, contact=.6)


def test_fields_and_spreading():
    compare(150, "field", {"avoidance.patience": 0}, side="left")


def test_roadmap():
    compare(150, "roadmap", {"avoidance.patience": 0})


run_tests(globals())
