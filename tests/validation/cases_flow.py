"""Unidirectional flow: speed, spacing and capacity."""

import numpy as np

import doors
import pictures
import reference
from cases_others import corridor_state
from cases_rimea import file_speeds, weidmann
from registry import case
from scene import flow
from tracks import tracks_of_run


@case("Fundamental diagram", "mean speed at 0.5, 1, 2, 3, 4 /m²",
      "Weidmann 1993 ± 0.2 m/s", "Weidmann 1993; the 0.2 m/s: ours", fast=True)
def fundamental(work):
    rows = [corridor_state(work, density) for density in (0.5, 1, 2, 3, 4)]
    away = [speed - weidmann(density) for density, speed in rows]
    axes = pictures.axes_of("Speed by density", "persons/m²", "speed, m/s")
    data = reference.published("fd_closed_corridor_2d.txt")
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


@case("Required length", "the files of RiMEA 16 from 0.75 /m on",
      "least squares 1/density = a + b v: a 0.30 to 0.42 m, b 0.9 to 1.3 s",
      "Seyfried and others 2005: 0.36 m, 1.06 s; their data: 0.35 m, 1.13 s; the ranges: ours")
def required_length(work):
    rows = [row for density, row in file_speeds(work).items() if density >= 0.75]
    lengths, speeds = 1 / np.array([d for d, _ in rows]), np.array([v for _, v in rows])
    b, a = np.polyfit(speeds, lengths, 1)
    return f"a = {a:.2f} m, b = {b:.2f} s", 0.30 <= a <= 0.42 and 0.9 <= b <= 1.3


def last_ten(run):
    """[step][person]: speeds of the ten at the end of the file, m/s, from 20 s on."""
    rows = []
    for snapshot in run.snapshots(("id", "speed", "destination")):
        if snapshot.time >= 20:
            rows.append(snapshot.speed[np.argsort(snapshot.place[:, 0])[:10]])
    return np.array(rows)


@case("Following is calm", "twenty in single file behind one at 0.6 m/s; three seeds",
      "changes of the last ten's speed from step to step: rms < 0.05 m/s; their sign changes in "
      "less than half the steps", "ours")
def following(work):
    changes = [np.diff(last_ten(run), axis=0) for run in work.runs("following")]
    rms = max(np.sqrt(np.mean(change**2)) for change in changes)
    flips = max(np.mean((change[1:] * change[:-1] < 0) & (np.abs(change[1:]) > 0.005))
                for change in changes)
    good = rms < 0.05 and flips < 0.5
    return f"rms {rms:.4f} m/s; sign changes in {flips:.1%} of the steps", good


def bottleneck_floor(width):
    h = width / 2
    return (f"POLYGON ((0 -8, 16 -8, 16 {-h}, 18 {-h}, 18 -8, 24 -8, 24 8, 18 8, 18 {h}, "
            f"16 {h}, 16 8, 0 8, 0 -8))")


def bottleneck_flow(work, width):
    """J between the 50th and the 250th person, a seed each."""
    floor = f'world.walkable=["{bottleneck_floor(width)}"]'
    runs = work.runs("bottleneck", floor, name=f"bottleneck-{width}")
    return [200 / (times[249] - times[49]) if len(times) >= 250 else float("nan")
            for times in (run.crossings("bottleneck") for run in runs)]


@case("Bottleneck", "300 persons, widths 0.8 to 5 m; three seeds",
      "J rises with the width; J/b 1.6 to 2.5 /(m s)",
      "published experiments, 1.6 to 2.5 /(m s)")
def bottleneck(work):
    widths = (0.8, 1, 1.2, 1.6, 2, 2.4, 3, 4, 5)
    seeds = np.array([bottleneck_flow(work, width) for width in widths])
    flows = seeds.mean(1)
    axes = pictures.axes_of("Flow through a bottleneck", "width, m", "J, persons/s")
    x = np.array([0, 5.2])
    axes.fill_between(x, 1.6 * x, 2.5 * x, color="tab:blue", alpha=0.12, linewidth=0,
                      label="1.6 to 2.5 /(m s)")
    pictures.experiments(axes, reference.published("bottleneck_flow_vs_width.txt"))
    axes.plot(widths, flows, "o-", color="tab:red", label="throng")
    axes.plot(widths, seeds, ".", color="tab:red", alpha=0.5)
    axes.set(xlim=(0, 5.2), ylim=(0, 13))
    pictures.save(axes, work.picture("bottleneck"))
    shown = ", ".join(f"{b}: {j / b:.2f}" for b, j in zip(widths, flows))
    good = all(a < b for a, b in zip(flows, flows[1:]))
    good &= all(1.6 <= j / b <= 2.5 for b, j in zip(widths, flows))
    return f"width, m: J/b, /(m s) = {shown}", bool(good)


def seyfried_scene(width):
    """What opening.yaml needs for the room of 4 m and a crowd of 60."""
    a, b = 2 - width / 2, 2 + width / 2
    floor = (f"POLYGON ((0 -9, 4 -9, 4 0, {b} 0, {b} 2.8, 4 2.8, 4 6, 0 6, 0 2.8, {a} 2.8, {a} 0, "
             "0 0, 0 -9))")
    return (f'world.walkable=["{floor}"]', "sources.0.area={rectangle: [0, -7.5, 4, -3]}",
            "sources.0.count=60", "destinations.out.areas=[{rectangle: [0, 5, 4, 6]}]",
            "measure.lines.opening.from=[4, 1.4]", "measure.lines.opening.to=[0, 1.4]")


SEYFRIED = {0.8: 1.29, 1.0: 1.90, 1.2: 2.36}  # width, m: J, /s


@case("Wide opening, and 60 persons",
      "350 persons, opening of 3 m; 60 persons, 0.8 to 1.2 m; three seeds",
      "J of the experiments ± 20 %",
      "HERMES 2009 (ao-300), middle half; Seyfried and others 2009; the 20 %: ours")
def opening(work):
    wanted = reference.figure("ao-300", "flow")
    wide = np.mean([flow(run.crossings("opening"), 0.25, 0.75) for run in work.runs("opening")])
    rows = [(3.0, wanted, wide)]
    for width, real in SEYFRIED.items():
        runs = work.runs("opening", *seyfried_scene(width), name=f"opening-{width}")
        rows.append((width, real, np.mean([flow(run.crossings("opening")) for run in runs])))
    shown = ", ".join(f"{b}: {real:.2f} {mine:.2f}" for b, real, mine in rows)
    good = all(abs(mine / real - 1) <= 0.2 for _, real, mine in rows)
    return f"width, m: real, simulated J, /s = {shown}", good


@case("Narrow door", "75 persons, door of 0.5 m; three seeds",
      "times of the 10th, 30th, 50th and 75th person after the first: those measured ± 20 %",
      "experiment 040_c_56; the 20 %: ours", fast=True)
def narrow_door(work):
    people = (10, 20, 30, 40, 50, 60, 70, 75)
    real = [reference.figure("040_c_56", f"person_{n}") for n in people]
    times = [run.crossings("door") for run in work.runs("narrow-door")]
    passed = min(map(len, times))
    mine = [np.mean([t[n - 1] - t[0] for t in times]) if n <= passed else np.nan for n in people]
    door_draw(work, people, real, mine)
    judged = [(n, r, m) for n, r, m in zip(people, real, mine) if n in (10, 30, 50, 75)]
    shown = ", ".join(f"{n}th: {r:.1f} {m:.1f}" for n, r, m in judged)
    good = all(abs(m / r - 1) <= 0.2 for _, r, m in judged)
    return f"real, simulated, s = {shown}; {passed} of 75 passed", good


EVERY_HALF = "output.snapshot_every=0.5"


def order_at_narrow_door(run):
    """As in the experiment: 10 s after the first has passed."""
    place = tracks_of_run(run).place
    first = np.nanmin(doors.passages(place, 1, -0.1)[0])
    distance, _, wait = doors.order(place, -0.1, 0.25, first + 10)
    return doors.rank_correlation(distance, wait)


def order_at_wide_door(run):
    """Rank correlation of distance and order 20 s after the start, when the crowd has closed up; and
    how long those straight before the door and those at its sides wait, by what their distance
    implies."""
    distance, angle, wait = doors.order(tracks_of_run(run).place, 0.0, 2.0, 20)
    return (doors.rank_correlation(distance, wait), doors.fairness(distance, angle, wait, 0, 1),
            doors.fairness(distance, angle, wait, 60, 91))


def sides_of_opening(run):
    """The axis is at x = 0.9, the front at y = -0.53; people walk towards +y."""
    return doors.sides((tracks_of_run(run).place - (0.9, -0.53)) * (1, -1))


@case("Who goes first", "doors of 0.5, 3 and 4 m: Narrow door, Wide opening, Crowd at a door; "
      "three seeds",
      "rank correlation of distance and order 0.7 at 0.5 m, 0.8 at 4 m; those straight before 4 m, "
      "and at its sides, wait 0.75 to 1.35 times as long as their distance implies; 3 m: sides 0.9 "
      "to 1.7 times the middle",
      "experiments 040_c_56: 0.93, 0.96 and 1.34 (0.5 m); HERMES ao-300: 1.33; the margins: ours",
      fast=True)
def who_goes_first(work):
    narrow = np.mean([order_at_narrow_door(run)
                      for run in work.runs("narrow-door", EVERY_HALF, name="order-narrow")])
    wide, straight, aside = np.mean([order_at_wide_door(run)
                                     for run in work.runs("door", name="order-door")], axis=0)
    sides, closing = np.mean([sides_of_opening(run) for run in
                              work.runs("opening", EVERY_HALF, name="order-opening")], axis=0)
    good = narrow >= 0.7 and wide >= 0.8 and 0.9 <= sides <= 1.7
    good &= 0.75 <= min(straight, aside) <= max(straight, aside) <= 1.35
    real = {name: reference.figure("040_c_56", name) for name in ("order", "front", "aside")}
    return (f"0.5 m: {narrow:.2f} (real {real['order']:.2f}); 4 m: {wide:.2f}, straight "
            f"{straight:.2f}, sides {aside:.2f} (real, 0.5 m: {real['front']:.2f}, "
            f"{real['aside']:.2f}); 3 m: sides {sides:.2f} (real "
            f"{reference.figure('ao-300', 'sides'):.2f}), who is 1 m from the axis passes at "
            f"{closing:.2f} m (real {reference.figure('ao-300', 'closing'):.2f})", bool(good))


def door_draw(work, people, real, mine):
    axes = pictures.axes_of("Door of 0.5 m", "time after the first person, s", "n-th person")
    axes.plot(real, people, "o-", color="0.5", label="experiment")
    axes.fill_betweenx(people, 0.8 * np.array(real), 1.2 * np.array(real), color="tab:blue",
                       alpha=0.12, linewidth=0, label="± 20 %")
    axes.plot(mine, people, "o-", color="tab:red", label="throng")
    pictures.save(axes, work.picture("narrow-door"))
