"""The cases of RiMEA. "3.0": as in the edition of 2016, where 4.1.1 (2025) asks something else."""

import math
import re

import numpy as np

import pictures
from registry import SEEDS, case
from scene import flow, mean_and_range
from tracks import bins, common


def weidmann(density):
    """Speed, m/s (Weidmann 1993)."""
    return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))


@case("RiMEA 1", "one person, corridor of 40 m, 1.33 m/s", "26 to 34 s", "RiMEA 4.1.1", fast=True)
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


@case("RiMEA 2", "one person walks up a stair of 10 m", "set speed ± 5 %",
      "RiMEA 4.1.1; the 5 % are JuPedSim's", fast=True)
def rimea_2(work):
    return stair(work, "rimea-2", 0.455)


@case("RiMEA 3", "one person walks down a stair of 10 m", "set speed ± 5 %",
      "RiMEA 4.1.1; the 5 % are JuPedSim's", fast=True)
def rimea_3(work):
    return stair(work, "rimea-3", 0.518)


def rises_then_falls(values):
    top = int(np.argmax(values))
    rises, falls = np.diff(values[: top + 1]) > 0, np.diff(values[top:]) < 0
    return 0 < top < len(values) - 1 and rises.all() and falls.all()


@case("RiMEA 4", "flow by density, corridor of 1000 m x 10 m, 0.5 to 6 /m²",
      "flow rises, then falls; maximum at 1 to 3 /m²",
      "RiMEA 4.1.1 (a curve as in the literature); the place of the maximum: ours")
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
    axes.plot(densities, flows, "o-", color="tab:red", label="throng")
    pictures.save(axes, work.picture("rimea-4"))
    top = densities[np.argmax(flows)]
    shown = ", ".join(f"{d:.1f}: {f:.2f}" for d, f in rows)
    return f"density, /m²: flow, /(m s) = {shown}", rises_then_falls(flows) and 1 <= top <= 3


@case("RiMEA 5", "ten persons, reaction times 10 to 100 s",
      "each starts within 2 frames of the set time", "RiMEA 4.1.1; the 2 frames: ours")
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
      "nobody passes through a wall, all arrive", "RiMEA 4.1.1", fast=True)
def rimea_6(work):
    summary = work.run("rimea-6").summary
    walls = walls_offended(summary)
    left = summary["inside"]
    return f"{walls} wall violations, {left} of 20 remain", walls == 0 and left == 0


def walls_offended(summary):
    """Number of agents found in a wall or crossing one."""
    return summary["agents_in_walls"] + summary["audit"]["wall_crossings"]


@case("RiMEA 7 (3.0)", "50 persons per age group, measured walking speeds",
      "< 30: 0.58-1.61; 30-50: 1.41-1.54; > 50: 0.68-1.41; limited: 0.46-0.76 m/s; 80 % of each "
      "range used", "RiMEA 3.0; the 80 %: ours", fast=True)
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


@case("RiMEA 9 (3.0)", "1000 persons, 30 x 20 m, four exits of 1 m, then two",
      "time with two exits 1.6 to 2.4 times as long",
      "RiMEA 3.0: about double; 4.1.1: 20 x 20 m, excludes nothing. The range: ours", fast=True)
def rimea_9(work):
    four = last_arrival(work.run("rimea-9", name="rimea-9-four"))
    closed = ("doors.lower.closed=true", "doors.lower right.closed=true")
    two = last_arrival(work.run("rimea-9", *closed, name="rimea-9-two"))
    return f"{four:.0f} s, {two:.0f} s: {two / four:.2f} times", 1.6 <= two / four <= 2.4


@case("RiMEA 10", "23 persons in 12 cabins, two exits",
      "all use their assigned exit", "RiMEA 4.1.1", fast=True)
def rimea_10(work):
    trips = work.run("rimea-10").trips()
    main = {f"cabin {k}" for k in (1, 2, 3, 4, 7, 8, 9, 10)}
    right = sum(n for (source, exit_), n in trips.items() if (source in main) == (exit_ == "main"))
    return f"{right} of 23", right == 23 and sum(trips.values()) == 23


@case("RiMEA 11", "1000 persons, two exits, all closer to the same one",
      "most take the nearer exit, some the further one; none do without live travel times",
      "RiMEA 4.1.1; without live travel times: ours", fast=True)
def rimea_11(work):
    near, far, inside = {}, {}, 0
    for period in (5, 0):
        run = work.run("rimea-11", f"navigation.live.period={period}", name=f"rimea-11-{period}")
        near[period], far[period] = len(run.crossings("near")), len(run.crossings("far"))
        inside += run.summary["inside"]
    good = near[5] > far[5] > 0 and far[0] == 0 and inside == 0
    return (f"{near[5]} by the nearer exit, {far[5]} by the further one; {far[0]} without live "
            "travel times", good)


def goal_time(work, name, *sets, seeds=SEEDS):
    """Mean time of the last arrival over the seeds, s."""
    runs = work.runs("rimea-12a", *sets, name=name, seeds=seeds)
    return np.mean([last_arrival(run) for run in runs])


def two_rooms(length, width):
    """The floor of rimea-12a.yaml with another bottleneck; and the goal 1 m behind it."""
    a, b, end = 5 - width / 2, 5 + width / 2, 10 + length
    return (f'world.walkable=["POLYGON ((0 0, 10 0, 10 {a}, {end} {a}, {end} 0, {end + 12} 0, '
            f'{end + 12} 10, {end} 10, {end} {b}, 10 {b}, 10 10, 0 10, 0 0))"]',
            goal(end + 1))


def goal(x):
    return f"destinations.goal.areas=[{{rectangle: [{x}, 0, {x + 1}, 10]}}]"


@case("RiMEA 12 a", "150 persons, bottleneck of 1 m, goal 0, 2, 5, 10 m behind it; nine seeds",
      "time does not fall with the distance; the last two within 10 %",
      "RiMEA 4.1.1; the 10 %, over nine seeds: ours")
def rimea_12a(work):
    ways = (0, 2, 5, 10)
    times = [goal_time(work, f"rimea-12a-{way}", goal(11 + way), seeds=range(1, 10))
             for way in ways]
    shown = ", ".join(f"{way} m: {time:.1f}" for way, time in zip(ways, times))
    good = all(a <= b for a, b in zip(times, times[1:])) and times[3] <= 1.1 * times[2]
    return f"{shown} s", good


@case("RiMEA 12 b, d",
      "the same room; bottleneck 0.2 and 5 m long; 0.8, 1, 1.2 m wide; three seeds",
      "the longer one takes longer; flow rises with the width", "RiMEA 4.1.1")
def rimea_12b(work):
    short, long_ = (goal_time(work, f"rimea-12b-{length}", *two_rooms(length, 1))
                    for length in (0.2, 5))
    flows = [np.mean([flow(run.crossings("bottleneck")) for run in
                      work.runs("rimea-12a", *two_rooms(1, width), name=f"rimea-12d-{width}")])
             for width in (0.8, 1, 1.2)]
    good = short < long_ < math.inf and flows[0] < flows[1] < flows[2]
    return (f"0.2 m: {short:.1f} s, 5 m: {long_:.1f} s; J by width "
            f"{', '.join(f'{j:.2f}' for j in flows)} /s", good)


def jam_of_two_rooms(run):
    """(J corridor, J exit, density before the corridor, density before the exit)."""
    corridor, exit_ = (run.crossings(name) for name in ("corridor", "exit"))
    between = (np.quantile(corridor, 0.25), np.quantile(corridor, 0.75))
    first, second = (np.mean(run.area(name, *between)[:, 1]) for name in ("first", "second"))
    return flow(corridor), flow(exit_), first, second


@case("RiMEA 12 c", "150 persons, room, corridor of 1 m, room, exit of 1 m; three seeds",
      "jam in the first room only; J exit - J corridor <= 0.05 /s",
      "RiMEA 3.0; 4.1.1 has the scene as 12 c, without a bound. What a jam is: ours", fast=True)
def rimea_12(work):
    runs = work.runs("rimea-12")
    rows = np.array([jam_of_two_rooms(run) for run in runs])
    corridor, exit_, first, second = rows.mean(0)
    good = (all(run.summary["inside"] == 0 for run in runs) and exit_ - corridor <= 0.05
            and rows[:, 2].min() > 2 > rows[:, 3].max())
    return (f"J {corridor:.2f} and {exit_:.2f} /s ({exit_ - corridor:+.2f}); "
            f"{first:.1f} /m² before the corridor, {second:.1f} before the exit", good)


@case("RiMEA 13 (3.0)", "150 persons, corridor of 2 m, stair at 0.675 m/s; three seeds",
      "J stair < J corridor - 0.05 /s; jam before the stair",
      "RiMEA 3.0. What a jam is: ours", fast=True)
def rimea_13(work):
    rows = np.array([jam_of_stair(run) for run in work.runs("rimea-13")])
    corridor, stair_, begin, before = rows.mean(0)
    good = corridor - stair_ > 0.05 and rows[:, 3].min() > 2
    return (f"J {corridor:.2f} and {stair_:.2f} /s; {begin:.1f} /m² at the start of "
            f"the corridor, {before:.1f} before the stair", good)


def jam_of_stair(run):
    """(J corridor, J stair, density at the start of the corridor, density before the stair)."""
    corridor, stair_ = (run.crossings(name) for name in ("corridor", "stair"))
    between = (np.quantile(stair_, 0.25), np.quantile(stair_, 0.75))
    begin, before = (np.mean(run.area(name, *between)[:, 1])
                     for name in ("begin", "before the stair"))
    return flow(corridor), flow(stair_), begin, before


# Speeds on a stair, m/s, by density: least and most (RiMEA 4.1.1, figure 16, read off by others).
BANDS = {"up": [(0.6, 0.48, 1.02), (1.0, 0.46, 0.86), (1.4, 0.46, 0.76)],
         "down": [(0.6, 0.66, 1.12), (1.0, 0.55, 0.89), (1.4, 0.48, 0.76)]}
STAIRS = {"up": 0.455, "down": 0.518}  # factors of the speed


def stair_samples(work, way):
    """Rows [density, mean speed] on the stair, every second with somebody on it, of nine seeds:
    at the lowest densities one or two people are there, and their own speeds decide."""
    runs = work.runs("rimea-13-stair", f"zones.stair.speed={STAIRS[way]}",
                     name=f"rimea-13-stair-{way}", seeds=range(1, 10))
    rows = np.concatenate([run.area("stair")[:, 1:] for run in runs])
    return rows[rows[:, 0] > 0]


def share_in_band(rows, band):
    """Of the samples at densities of the band."""
    density, least, most = np.array(band).T
    mine = rows[(rows[:, 0] >= density[0]) & (rows[:, 0] <= density[-1])]
    above = mine[:, 1] >= np.interp(mine[:, 0], density, least)
    below = mine[:, 1] <= np.interp(mine[:, 0], density, most)
    return np.mean(above & below) if len(mine) else 0.0


@case("RiMEA 13", "100 persons, stair 2 m wide, 5 m in plan, up and down; nine seeds",
      "down is faster than up in every bin of density with three samples from 0.5 /m² on, where the "
      "figure begins; half of the samples in the band of the figure", "RiMEA 4.1.1, figure 16; the band as read off by others", fast=True)
def rimea_13_stair(work):
    rows = {way: stair_samples(work, way) for way in STAIRS}
    both = [row for row in common(bins(rows["up"]), bins(rows["down"]), 3) if row[0] > 0.5]
    faster = sum(down > up for _, up, down in both)
    shares = [share_in_band(rows[way], BANDS[way]) for way in STAIRS]
    stair_draw(work, rows)
    shown = ", ".join(f"{density:.2f}: {up:.2f} {down:.2f}" for density, up, down in both)
    return (f"density, /m²: speed up, down, m/s = {shown}; in the band: up {shares[0]:.0%}, down "
            f"{shares[1]:.0%}", faster == len(both) > 0 and min(shares) >= 0.5)


def stair_draw(work, rows):
    axes = pictures.axes_of("RiMEA 13: on the stair", "persons/m²", "mean speed, m/s")
    for way, colour in (("up", "tab:blue"), ("down", "tab:red")):
        density, least, most = np.array(BANDS[way]).T
        axes.fill_between(density, least, most, color=colour, alpha=0.12, linewidth=0,
                          label=f"{way}, figure 16")
        axes.plot(*rows[way].T, ".", color=colour, markersize=4, label=f"{way}, throng")
    axes.set(xlim=(0, 3), ylim=(0, 1.4))
    pictures.save(axes, work.picture("rimea-13-stair"))


@case("RiMEA 15", "100 persons: corridor of 30 m, around a corner, corridor of 40 m; three seeds",
      "mean times: short <= corner <= long", "RiMEA 4.1.1: in the ideal case", fast=True)
def rimea_15(work):
    means = {}
    for name, length in (("short", 30), ("corner", None), ("long", 40)):
        sets = []
        if length:
            floor = f"POLYGON ((0 0, {length + 2} 0, {length + 2} 5, 0 5, 0 0))"
            end = f"[{{rectangle: [{length}, 0, {length + 2}, 5]}}]"
            sets = [f'world.walkable=["{floor}"]', f"destinations.end.areas={end}"]
        runs = work.runs("rimea-15", *sets, name=f"rimea-15-{name}")
        means[name] = [float(run.travel()["mean_s"]) for run in runs]
        if name == "corner":
            corner_draw(work, next(s for s in runs[0].snapshots() if s.time >= 15))
    shown = ", ".join(f"{name} {mean_and_range(times, 1)} s" for name, times in means.items())
    short, corner, long_ = map(np.mean, means.values())
    return shown, short <= corner <= long_


def corner_draw(work, snapshot):
    title = f"RiMEA 15: the corner after {snapshot.time:.0f} s"
    axes = pictures.axes_of(title, "x, m", "y, m", (5, 5))
    floor = np.array([(0, 0), (20, 0), (20, 22), (15, 22), (15, 5), (0, 5), (0, 0)])
    axes.plot(*floor.T, color="black")
    axes.plot(*snapshot.place.T, "o", color="tab:red", markersize=4)
    axes.set_aspect("equal")
    pictures.save(axes, work.picture("rimea-15"), legend=False)


FILE = {0.5: 1.34, 0.75: 0.92, 1: 0.60, 1.25: 0.42, 1.5: 0.29, 2: 0.13}  # persons/m: m/s


def file_speeds(work):
    """{density: (measured density, speed)} of the files, means over the seeds."""
    found = {}
    for density in FILE:
        runs = work.runs("file", f"sources.0.spacing={1 / density:.4f}", name=f"file-{density}")
        middle = np.concatenate([run.area("middle", 10) for run in runs])
        here = middle[middle[:, 1] > 0]
        found[density] = (0.6 * np.mean(middle[:, 1]), np.average(here[:, 2], weights=here[:, 1]))
    return found


@case("RiMEA 16", "people in single file, 200 m, 0.5 to 2 persons/m; three seeds",
      "speed within 0.15 m/s of min(1.34, (1/density - 0.36)/1.06)",
      "Seyfried and others 2005; the 0.15 m/s: ours. RiMEA 4.1.1 has an envelope of data",
      fails="only at 0.5 /m: 1.0 m/s, where 1.34 m/s are wanted. Nobody can overtake, so slow "
            "people hold up the others: preferred speeds are normal, 1.34 ± 0.26 m/s. From 0.75 /m "
            "on the speeds agree within 0.13 m/s.")
def rimea_16(work):
    speeds = {density: speed for density, (_, speed) in file_speeds(work).items()}
    away = [speeds[density] - wanted for density, wanted in FILE.items()]
    file_draw(work, speeds)
    shown = ", ".join(f"{d}: {v:.2f}" for d, v in speeds.items())
    return (f"density, /m: speed, m/s = {shown}; furthest {max(away, key=abs):+.2f}",
            max(map(abs, away)) <= 0.15)


def file_draw(work, speeds):
    axes = pictures.axes_of("Single file", "persons/m", "speed, m/s")
    x = np.linspace(0.3, 2.7, 200)
    law = np.minimum(1.34, (1 / x - 0.36) / 1.06)
    axes.plot(x, law, color="black", label="0.36 m + 1.06 s v (Seyfried and others 2005)")
    axes.fill_between(x, law - 0.15, law + 0.15, color="tab:blue", alpha=0.12, linewidth=0,
                      label="± 0.15 m/s")
    axes.plot(list(speeds), list(speeds.values()), "o", color="tab:red", label="throng")
    axes.set(xlim=(0.3, 2.7), ylim=(0, 1.6))
    pictures.save(axes, work.picture("file"))
