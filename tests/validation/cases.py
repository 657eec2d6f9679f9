"""The cases of docs/validation.md. Each is a function of a Work that returns (measured, passed);
passed is None if the case could not be judged. `fails` says why a case is known to fail: it stays
in the table, and only the other cases have to pass. Bounds are those of the standards."""

import math
import re
from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np

import pictures
from scene import flow

CASES = []


@dataclass
class Case:
    key: str  # for --only
    title: str
    asked: str
    bound: str
    function: Callable
    fast: bool  # takes seconds: part of the ctest test
    fails: Optional[str]


def case(title, asked, bound, fast=False, fails=None):
    """Decorator: registers the function as a case."""

    def add(function):
        key = function.__name__.replace("_", "-")
        CASES.append(Case(key, title, asked, bound, function, fast, fails))
        return function

    return add


def weidmann(density):
    """Speed, m/s (Weidmann 1993)."""
    return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))


@case("RiMEA 1", "one person, corridor of 40 m, 1.33 m/s", "26 to 34 s", fast=True)
def rimea_1(work):
    time = float(work.run("rimea-1").travel()["mean_s"])
    return f"{time:.1f} s", 26 <= time <= 34


def stair_speed(run):
    """Mean speed of one person between the lines at the ends of the stair, 10 m apart, m/s."""
    return 10 / (run.crossings("end")[0] - run.crossings("begin")[0])


def stair(work, key, factor):
    wanted = 1.34 * factor
    speed = stair_speed(work.run("rimea-2", f"zones.stair.speed={factor}", name=key))
    return f"{speed:.3f} m/s, set {wanted:.3f}", abs(speed / wanted - 1) <= 0.05


@case("RiMEA 2", "one person walks up a stair of 10 m", "set speed ± 5 %", fast=True)
def rimea_2(work):
    return stair(work, "rimea-2", 0.455)


@case("RiMEA 3", "one person walks down a stair of 10 m", "set speed ± 5 %", fast=True)
def rimea_3(work):
    return stair(work, "rimea-3", 0.518)


def rises_then_falls(values):
    top = int(np.argmax(values))
    rises, falls = np.diff(values[: top + 1]) > 0, np.diff(values[top:]) < 0
    return 0 < top < len(values) - 1 and rises.all() and falls.all()


@case("RiMEA 4", "flow by density, corridor of 1000 m x 10 m, 0.5 to 6 /m²",
      "flow rises, then falls; maximum at 1 to 3 /m²")
def rimea_4(work):
    rows = []
    for density in (0.5, 1, 1.5, 2, 3, 4, 5, 6):
        run = work.run("rimea-4", f"sources.0.density={density}", name=f"rimea-4-{density}")
        middle = run.area("middle", 10, 70)
        passed = np.sum(run.crossings("middle") > 10)
        rows.append((np.mean(middle[:, 1]), passed / 60 / 10))
    densities, flows = np.array(rows).T
    axes = pictures.axes_of("RiMEA 4: corridor of 1000 m x 10 m", "persons/m²",
                            "flow, persons/(m s)")
    x = np.linspace(0.1, 5.4, 200)
    axes.plot(x, [d * weidmann(d) for d in x], color="black", label="Weidmann 1993")
    axes.plot(densities, flows, "o-", label="throng")
    pictures.save(axes, work.picture("rimea-4"))
    top = densities[np.argmax(flows)]
    shown = ", ".join(f"{d:.1f}: {f:.2f}" for d, f in rows)
    return f"density, /m²: flow, /(m s) = {shown}", rises_then_falls(flows) and 1 <= top <= 3


@case("RiMEA 5", "ten persons, reaction times 10 to 100 s",
      "each starts within 2 frames of the set time", fast=True)
def rimea_5(work):
    run = work.run("rimea-5")
    # One person per source, in file order: ids count up from 0.
    wanted = [10 * float(t) for t in re.findall(r"reaction: ([\d.]+)", run.scenario)]
    starts, aside = {}, 0.0
    for snapshot in run.snapshots(("id", "speed")):
        for number, speed in zip(map(int, snapshot.id), snapshot.speed):
            # A slower agent only makes room for another that passes.
            if speed > 0.3:
                starts.setdefault(number, snapshot.step)
            elif snapshot.step < wanted[number]:
                aside = max(aside, speed)
    late = [round(starts[number] - at) for number, at in enumerate(wanted)]
    good = len(late) == len(starts) == 10 and max(map(abs, late)) <= 2
    return (f"{len(late)} persons, {min(late):+d} to {max(late):+d} frames when they exceed "
            f"0.3 m/s; before that they step aside at up to {aside:.2f} m/s", good)


@case("RiMEA 6", "20 persons walk around a corner, 2 m wide",
      "nobody passes through a wall, all arrive", fast=True)
def rimea_6(work):
    summary = work.run("rimea-6").summary
    walls = walls_offended(summary)
    left = summary["inside"]
    return f"{walls} wall violations, {left} of 20 remain", walls == 0 and left == 0


def walls_offended(summary):
    """Number of agents found in a wall or crossing one."""
    return summary["agents_in_walls"] + summary["audit"]["wall_crossings"]


@case("RiMEA 7", "50 persons per age group, measured walking speeds",
      "< 30: 0.58-1.61; 30-50: 1.41-1.54; > 50: 0.68-1.41; limited: 0.46-0.76 m/s; 80 % of each "
      "range used", fast=True)
def rimea_7(work):
    groups = {"under 30": (0.58, 1.61), "30 to 50": (1.41, 1.54), "over 50": (0.68, 1.41),
              "limited": (0.46, 0.76)}
    first, *_, last = work.run("rimea-7").snapshots(("id",))
    place = dict(zip(last.id, last.place))
    way = np.array([np.hypot(*(place[i] - p)) for i, p in zip(first.id, first.place)])
    speed, y = way / (last.time - first.time), first.place[:, 1]
    shown, good = [], True
    for number, (name, (least, most)) in enumerate(groups.items()):
        mine = speed[(y >= 250 * number) & (y < 250 * (number + 1))]
        shown.append(f"{name}: {mine.min():.2f}-{mine.max():.2f}")
        inside = mine.min() > least - 0.005 and mine.max() < most + 0.005
        good &= len(mine) == 50 and inside and np.ptp(mine) > 0.8 * (most - least)
    return "; ".join(shown) + " m/s", bool(good)


def last_arrival(run):
    """s, or infinity if agents remain inside."""
    return math.inf if run.summary["inside"] else run.summary["travel"]["last_arrival_s"]


@case("RiMEA 9", "1000 persons, 30 x 20 m, four exits of 1 m, then two",
      "time with two exits 1.6 to 2.4 times as long", fast=True)
def rimea_9(work):
    four = last_arrival(work.run("rimea-9", name="rimea-9-four"))
    closed = ("doors.lower.closed=true", "doors.lower right.closed=true")
    two = last_arrival(work.run("rimea-9", *closed, name="rimea-9-two"))
    return f"{four:.0f} s, {two:.0f} s: {two / four:.2f} times", 1.6 <= two / four <= 2.4


@case("RiMEA 10", "23 persons in 12 cabins, two exits",
      "all use their assigned exit", fast=True)
def rimea_10(work):
    trips = work.run("rimea-10").trips()
    main = {f"cabin {k}" for k in (1, 2, 3, 4, 7, 8, 9, 10)}
    right = sum(n for (source, exit_), n in trips.items() if (source in main) == (exit_ == "main"))
    return f"{right} of 23", right == 23 and sum(trips.values()) == 23


@case("RiMEA 11", "1000 persons, two exits, all closer to the same one",
      "some take the further exit; none do without live travel times", fast=True)
def rimea_11(work):
    far, inside = {}, 0
    for period in (5, 0):
        run = work.run("rimea-11", f"navigation.live.period={period}", name=f"rimea-11-{period}")
        far[period] = len(run.crossings("far"))
        inside += run.summary["inside"]
    good = far[5] > 0 and far[0] == 0 and inside == 0
    return f"{far[5]} by the further exit; {far[0]} without live travel times", good


@case("RiMEA 12", "150 persons, room, corridor of 1 m, room, exit of 1 m",
      "jam in the first room only; J exit - J corridor <= 0.05 /s", fast=True)
def rimea_12(work):
    run = work.run("rimea-12")
    corridor, exit_ = (run.crossings(name) for name in ("corridor", "exit"))
    between = (np.quantile(corridor, 0.25), np.quantile(corridor, 0.75))
    first, second = (np.mean(run.area(name, *between)[:, 1]) for name in ("first", "second"))
    more = flow(exit_) - flow(corridor)
    good = len(exit_) == 150 and more <= 0.05 and first > 2 > second
    return (f"J {flow(corridor):.2f} and {flow(exit_):.2f} /s ({more:+.2f}); "
            f"{first:.1f} /m² before the corridor, {second:.1f} before the exit", good)


@case("RiMEA 13", "150 persons, corridor of 2 m, stair at 0.675 m/s",
      "J stair < J corridor - 0.05 /s; jam before the stair", fast=True)
def rimea_13(work):
    run = work.run("rimea-13")
    corridor, stair_ = (run.crossings(name) for name in ("corridor", "stair"))
    between = (np.quantile(stair_, 0.25), np.quantile(stair_, 0.75))
    begin, before = (np.mean(run.area(name, *between)[:, 1])
                     for name in ("begin", "before the stair"))
    less = flow(corridor) - flow(stair_)
    good = len(stair_) == 150 and less > 0.05 and before > 2
    return (f"J {flow(corridor):.2f} and {flow(stair_):.2f} /s; {begin:.1f} /m² at the start of "
            f"the corridor, {before:.1f} before the stair", good)


@case("RiMEA 15", "100 persons: corridor of 30 m, around a corner, corridor of 40 m",
      "mean times: short <= corner <= long", fast=True,
      fails="agents take the quickest line of the field, along the inner wall. Behind the corner "
            "nine of ten walk within 1 m of it, so 4 m of the 5 m width stay free, and the "
            "density along that line slows them down. 2.1 persons/s come around the corner; 5.8 "
            "persons/s pass the same place in the straight corridor. Without the density model "
            "the corner (23.7 s) is faster than the long corridor (28.7 s).")
def rimea_15(work):
    means = {}
    for name, length in (("short", 30), ("corner", None), ("long", 40)):
        sets = []
        if length:
            floor = f"POLYGON ((0 0, {length + 2} 0, {length + 2} 5, 0 5, 0 0))"
            end = f"[{{rectangle: [{length}, 0, {length + 2}, 5]}}]"
            sets = [f'world.walkable=["{floor}"]', f"destinations.end.areas={end}"]
        run = work.run("rimea-15", *sets, name=f"rimea-15-{name}")
        means[name] = float(run.travel()["mean_s"])
        if name == "corner":
            corner_draw(work, next(s for s in run.snapshots() if s.time >= 25))
    shown = ", ".join(f"{name} {t:.1f} s" for name, t in means.items())
    return shown, means["short"] <= means["corner"] <= means["long"]


def corner_draw(work, snapshot):
    title = f"RiMEA 15: the corner after {snapshot.time:.0f} s"
    axes = pictures.axes_of(title, "x, m", "y, m", (5, 5))
    floor = np.array([(0, 0), (20, 0), (20, 22), (15, 22), (15, 5), (0, 5), (0, 0)])
    axes.plot(*floor.T, color="black")
    axes.plot(*snapshot.place.T, "o", color="tab:red", markersize=4)
    axes.set_aspect("equal")
    pictures.save(axes, work.picture("rimea-15"), legend=False)


@case("IMO 4", "100 persons, 8 x 5 m, exit of 1 m",
      "mean over the whole run <= 1.33 persons/s", fast=True)
def imo_4(work):
    run = work.run("imo-4")
    times = run.crossings("door")
    mean = len(times) / times[-1]
    return (f"{mean:.2f} /s ({len(times)} in {times[-1]:.1f} s; from the first to the last "
            f"{flow(times):.2f} /s)", len(times) == 100 and mean <= 1.33)


@case("IMO 8", "100 persons against 0, 10, 50, 100, corridor of 2 m; seeds 1, 2, 3",
      "time increases with the opposing number, for each seed", fast=True,
      fails="opposing streams stand in the corridor for many minutes, and how long is random. "
            "Every agent in the window ahead counts towards the density, including oncoming "
            "agents. Without the density model all of 100 against 100 have arrived after a minute "
            "and a half.")
def imo_8(work):
    runs = [[counter_time(work, count, seed) for count in (0, 10, 50, 100)] for seed in (1, 2, 3)]
    good = all(a < b < math.inf for times in runs for a, b in zip(times, times[1:]))
    return "; ".join(", ".join(f"{t:.0f}" for t in times) for times in runs) + " s", good


def counter_time(work, count, seed):
    """Time of the last arrival of the agents that walk to the right, s."""
    # A source has at least one person: for 0, that person enters after all others have arrived.
    sets = [f"seed={seed}", f"sources.right.count={count or 1}"]
    if not count:
        sets.append("sources.right.begin=3500")
    row = work.run("imo-8", *sets, name=f"imo-8-{count}-{seed}").travel(source="left")
    return float(row["max_s"]) if row and int(row["count"]) == 100 else math.inf


def corridor_state(work, density):
    """Density and speed in the middle of fundamental.yaml."""
    run = work.run("fundamental", f"sources.0.density={density}", name=f"fundamental-{density}")
    middle = run.area("middle", 2, 6)
    return np.mean(middle[:, 1]), np.average(middle[:, 2], weights=middle[:, 1])


@case("IMO 12", "flow in a corridor at 1.5 and at 4.5 /m²",
      "the dense crowd has the lower flow", fast=True)
def imo_12(work):
    moderate, dense = (np.prod(corridor_state(work, density)) for density in (1.5, 4.5))
    return f"{moderate:.2f} and {dense:.2f} /(m s)", dense < moderate


@case("Fundamental diagram", "mean speed at 0.5, 1, 2, 3, 4 /m²",
      "Weidmann 1993 ± 0.2 m/s", fast=True)
def fundamental(work):
    rows = [corridor_state(work, density) for density in (0.5, 1, 2, 3, 4)]
    away = [speed - weidmann(density) for density, speed in rows]
    axes = pictures.axes_of("Speed by density", "persons/m²", "speed, m/s")
    data = work.reference("fd_closed_corridor_2d.txt")
    pictures.experiments(axes, data, "closed corridor of 1.8 m, measured")
    x = np.linspace(0.2, 5.4, 200)
    axes.plot(x, [weidmann(d) for d in x], color="black", label="Weidmann 1993")
    axes.fill_between(x, [weidmann(d) - 0.2 for d in x], [weidmann(d) + 0.2 for d in x],
                      color="tab:blue", alpha=0.12, linewidth=0, label="± 0.2 m/s")
    axes.plot(*np.array(rows).T, "o", color="tab:red", label="throng")
    axes.set(xlim=(0, 5.4), ylim=(0, 1.8))
    pictures.save(axes, work.picture("fundamental"))
    shown = ", ".join(f"{d:.2f}: {v:.2f}" for d, v in rows)
    return (f"density, /m²: speed, m/s = {shown}; largest difference {max(away, key=abs):+.2f}",
            max(map(abs, away)) <= 0.2)


def bottleneck_floor(width):
    h = width / 2
    return (f"POLYGON ((0 -8, 16 -8, 16 {-h}, 18 {-h}, 18 -8, 24 -8, 24 8, 18 8, 18 {h}, "
            f"16 {h}, 16 8, 0 8, 0 -8))")


def bottleneck_flow(work, width):
    floor = f'world.walkable=["{bottleneck_floor(width)}"]'
    times = work.run("bottleneck", floor, name=f"bottleneck-{width}").crossings("bottleneck")
    return 200 / (times[249] - times[49]) if len(times) >= 250 else float("nan")


@case("Bottleneck", "300 persons, widths 0.8 to 5 m",
      "J rises with the width; J/b 1.6 to 2.5 /(m s)", fast=True,
      fails="Weidmann's diagram permits at most 1.22 persons/(m s); flows of 1.6 and more are "
            "measured where crowds slow down less before an opening. Below 1.2 m people also "
            "block each other in front of it. From 3 m on the crowd, 16 m wide, thins out before "
            "it: at 5 m the flow falls from 1.4 to 0.7 /(m s) while they pass. Without the "
            "density model it is 1.4 /(m s) at 0.8 m, within the bounds at 1 and 1.2 m, and far "
            "above them from 1.6 m on (3.3 to 4.6). The flow does rise with the width.")
def bottleneck(work):
    widths = (0.8, 1, 1.2, 1.6, 2, 2.4, 3, 4, 5)
    flows = [bottleneck_flow(work, width) for width in widths]
    axes = pictures.axes_of("Flow through a bottleneck", "width, m", "J, persons/s")
    x = np.array([0, 5.2])
    axes.fill_between(x, 1.6 * x, 2.5 * x, color="tab:blue", alpha=0.12, linewidth=0,
                      label="1.6 to 2.5 /(m s)")
    pictures.experiments(axes, work.reference("bottleneck_flow_vs_width.txt"))
    axes.plot(widths, flows, "o-", color="tab:red", label="throng")
    axes.set(xlim=(0, 5.2), ylim=(0, 13))
    pictures.save(axes, work.picture("bottleneck"))
    shown = ", ".join(f"{b}: {j / b:.2f}" for b, j in zip(widths, flows))
    good = all(a < b for a, b in zip(flows, flows[1:]))
    good &= all(1.6 <= j / b <= 2.5 for b, j in zip(widths, flows))
    return f"width, m: J/b, /(m s) = {shown}", bool(good)


def lane_order(y, side):
    """Mean over persons of ((same - opposite)/(same + opposite))^2, where same and opposite count
    the others within 0.75 m of the person's own line (Nowak, Schadschneider 2012, per person)."""
    near = np.abs(y[:, None] - y) <= 0.75
    np.fill_diagonal(near, False)
    same = (near & (side[:, None] == side)).sum(axis=1)
    all_ = near.sum(axis=1)
    seen = all_ > 0
    return np.mean(((2 * same[seen] - all_[seen]) / all_[seen]) ** 2)


@case("Lanes", "corridor with counterflow",
      "lane order > 0.8, and above that with shuffled directions", fast=True,
      fails="agents step around each other one by one and continue along their own straight "
            "lines; nothing makes an agent follow others that walk in the same direction. Lanes "
            "do not form with more people (5 persons/s: 0.12), in a corridor of 200 m x 4 m "
            "(0.11), with 2 m of width (0.19, shuffled 0.12), or without the density model "
            "(0.08).")
def lanes(work):
    run, random = work.run("lanes"), np.random.default_rng(1)
    orders, shuffled = [], []
    for snapshot in run.snapshots():
        x, y = snapshot.place.T
        middle = (x > 10) & (x < 50)
        if snapshot.time < 100 or middle.sum() < 10:
            continue
        side = snapshot.destination[middle]
        orders.append(lane_order(y[middle], side))
        shuffled.append(lane_order(y[middle], random.permutation(side)))
        last = snapshot
    lanes_draw(work, last)
    order, chance = np.mean(orders), np.mean(shuffled)
    return f"{order:.2f}, shuffled {chance:.2f}", order > 0.8 and order > chance


def lanes_draw(work, snapshot):
    axes = pictures.axes_of(f"Lanes after {snapshot.time:.0f} s", "x, m", "y, m", (9, 2.6))
    for side, colour, label in ((0, "tab:red", "to the right"), (1, "tab:blue", "to the left")):
        mine = snapshot.destination == side
        axes.plot(*snapshot.place[mine].T, "o", color=colour, markersize=4, label=label)
    axes.set_aspect("equal")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.35), ncol=2, frameon=False)
    pictures.save(axes, work.picture("lanes"), legend=False)


# file: width in m of an exit at the end of the corridor (y = -4 m); None: its full width
REAL = {
    "uo-050-180-180": None,
    "uo-070-180-180": None,
    "uo-100-180-180": None,
    "uo-145-180-180": None,
    "uo-180-180-180": None,
    "uo-180-180-120": 1.2,
    "uo-180-180-095": 0.95,
    "uo-180-180-070": 0.7,
}
RATE = 16  # frames/s in these files
BINS = np.arange(0.25, 4, 0.5)  # persons/m^2


def real_run(path):
    """{person: (times, y)}, s and m, of a file `id frame x y z` in cm."""
    rows = np.loadtxt(path, usecols=(0, 1, 2, 3))
    people = {}
    for number in np.unique(rows[:, 0]):
        mine = rows[rows[:, 0] == number]
        people[int(number)] = (mine[:, 1] / RATE, mine[:, 3] / 100)
    return people


def real_entries(people):
    """Times at which people crossed y = 4 m, the start of the corridor; ascending, first at 0."""
    times = np.sort([t[np.argmax(y < 4)] for t, y in people.values() if (y < 4).any()])
    return times - times[0]


def real_cloud(people):
    """Rows [density, mean speed along the corridor] of the middle 4 m, every 0.5 s. The speed is
    a mean over 1 s, because heads sway."""
    first = min(t[0] for t, _ in people.values())
    last = max(t[-1] for t, _ in people.values())
    rows = []
    for now in np.arange(first, last, 0.5):
        speeds = []
        for t, y in people.values():
            if t[0] <= now - 0.5 and now + 0.5 <= t[-1]:
                before, here, after = np.interp([now - 0.5, now, now + 0.5], t, y)
                if -2 <= here <= 2:
                    speeds.append(before - after)
        if speeds:
            rows.append((len(speeds) / 7.2, np.mean(speeds)))
    return np.array(rows)


def corridor_floor(exit_width):
    """Floor of corridor.yaml, with a central exit of this width, m, at y = -4 m, or none."""
    if exit_width is None:
        return "POLYGON ((0 -8, 1.8 -8, 1.8 7, 0 7, 0 -8))"
    a, b = 0.9 - exit_width / 2, 0.9 + exit_width / 2
    return (f"POLYGON ((0 -8, 1.8 -8, 1.8 -4.2, {b} -4.2, {b} -4, 1.8 -4, 1.8 7, 0 7, "
            f"0 -4, {a} -4, {a} -4.2, 0 -4.2, 0 -8))")


def simulated(work, name, entries, exit_width):
    """The run in which people enter at the times of the real run."""
    moments, counts = np.unique(np.round(entries, 2), return_counts=True)
    table = ", ".join(f"[{t:.2f}, {n}]" for t, n in zip(moments, counts))
    return work.run("corridor", f"sources.0.timetable=[{table}]",
                    f'world.walkable=["{corridor_floor(exit_width)}"]', name=f"corridor-{name}")


def simulated_cloud(run):
    rows = run.area("middle")[:, 1:]
    return rows[rows[:, 0] > 0]


def real_crossings(people):
    """Times at which people passed the end of the corridor, ascending."""
    return np.sort([t[np.argmax(y < -4.1)] for t, y in people.values() if (y < -4.1).any()])


@case("Real corridor",
      "corridor of 1.8 m, eight experiments with their measured inflow (HERMES 2009)",
      "mean speed at equal density: mean difference within 0.2 m/s", fast=True)
def corridor(work):
    folder = work.shared / "data/trajectories"
    if not all((folder / f"{name}.txt").exists() for name in REAL):
        return "no data", None
    clouds, flows = ([], []), []
    for name, exit_width in REAL.items():
        people = real_run(folder / f"{name}.txt")
        run = simulated(work, name, real_entries(people), exit_width)
        clouds[0].append(real_cloud(people))
        clouds[1].append(simulated_cloud(run))
        if exit_width:
            both = (flow(t, 0.25, 0.75) for t in (real_crossings(people), run.crossings("end")))
            flows.append(f"{exit_width}: " + " ".join(f"{j:.2f}" for j in both))
    clouds = tuple(map(np.concatenate, clouds))
    corridor_draw(work, *clouds)
    rows = list(matching(*clouds))
    mean = np.mean([s - r for _, r, s in rows])
    shown = ", ".join(f"{d:.2g}: {r:.2f} {s:.2f}" for d, r, s in rows)
    return (f"density, /m²: real, simulated speed, m/s = {shown}; mean difference {mean:+.2f}; "
            f"flow of the middle half of the people by exit width, m: real, simulated, /s = "
            f"{', '.join(flows)}", abs(mean) <= 0.2)


def matching(real, simulated):
    """(density, mean real speed, mean simulated speed) of bins with ten samples of both."""
    for low, high in zip(BINS, BINS[1:]):
        speeds = [c[(c[:, 0] >= low) & (c[:, 0] < high), 1] for c in (real, simulated)]
        if min(map(len, speeds)) >= 10:
            yield (low + high) / 2, *map(np.mean, speeds)


def corridor_draw(work, real, simulated):
    axes = pictures.axes_of("Corridor of 1.8 m, middle 4 m", "persons/m²", "mean speed, m/s")
    # Densities are multiples of one person: the clouds are drawn side by side.
    axes.plot(real[:, 0] - 0.02, real[:, 1], ".", color="0.6", markersize=4, label="real")
    axes.plot(simulated[:, 0] + 0.02, simulated[:, 1], ".", color="tab:red", markersize=4,
              alpha=0.6, label="throng")
    x = np.linspace(0.2, 5.4, 200)
    axes.plot(x, [weidmann(d) for d in x], color="black", label="Weidmann 1993")
    axes.set(xlim=(0, 4), ylim=(0, 2.2))
    pictures.save(axes, work.picture("corridor"))
