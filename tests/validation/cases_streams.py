"""People in corridors: one way, two ways, and crossing."""

import numpy as np

import pictures
import reference
from cases_rimea import weidmann
from registry import case
from scene import flow, mean_and_range
from tracks import (LEAST, bins, cloud, common, gaps, inside, lane_order, lanes_of, merged, size,
                    tracks_of_run)

TWO_WAY = [f"bo-360-{b}-{b}" for b in ("050", "075", "090", "120", "160")]
CROSSWISE = [f"bot-360-{b}-{b}" for b in ("050", "075", "090", "120", "160", "200", "250")]
CROSSED = ("sources.up.destination={up west: 1, up east: 1}",
           "sources.down.destination={down west: 1, down east: 1}")


def order_of_run(run, random):
    """Lane order in the middle of lanes.yaml, and the same with shuffled directions."""
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
    return np.mean(orders), np.mean(shuffled), last


@case("Lanes", "corridor of 60 m x 10 m with counterflow, 2 persons/s each way; three seeds",
      "lane order > 0.8, and above that with shuffled directions",
      "Nowak, Schadschneider 2012 (the order); 0.8: ours, for so wide and empty a corridor",
      fast=True)
def lanes(work):
    random = np.random.default_rng(1)
    rows = [order_of_run(run, random) for run in work.runs("lanes")]
    lanes_draw(work, rows[0][2])
    orders, chance = [row[0] for row in rows], np.mean([row[1] for row in rows])
    good = np.mean(orders) > 0.8 and np.mean(orders) > chance
    return f"{mean_and_range(orders)}, shuffled {chance:.2f}", good


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
    """The runs in which people enter at the times of the real run."""
    moments, counts = np.unique(np.round(entries, 2), return_counts=True)
    table = ", ".join(f"[{t:.2f}, {n}]" for t, n in zip(moments, counts))
    return work.runs("corridor", f"sources.0.timetable=[{table}]",
                     f'world.walkable=["{corridor_floor(exit_width)}"]', name=f"corridor-{name}")


def real_crossings(people):
    """Times at which people passed the end of the corridor, ascending."""
    return np.sort([t[np.argmax(y < -4.1)] for t, y in people.values() if (y < -4.1).any()])


@case("Real corridor",
      "corridor of 1.8 m, eight experiments with their measured inflow; three seeds",
      "mean speed at equal density: mean difference within 0.2 m/s",
      "HERMES 2009 (uo-*-180-*); the 0.2 m/s: ours")
def corridor(work):
    folder = work.shared / "data/trajectories"
    if not all((folder / f"{name}.txt").exists() for name in REAL):
        return "no data", None
    clouds, flows = ([], []), []
    for name, exit_width in REAL.items():
        people = real_run(folder / f"{name}.txt")
        runs = simulated(work, name, real_entries(people), exit_width)
        clouds[0].append(real_cloud(people))
        clouds[1].extend(run.area("middle")[:, 1:] for run in runs)
        if exit_width:
            mine = np.mean([flow(run.crossings("end"), 0.25, 0.75) for run in runs])
            real = flow(real_crossings(people), 0.25, 0.75)
            flows.append(f"{exit_width}: {real:.2f} {mine:.2f}")
    real, mine = map(np.concatenate, clouds)
    mine = mine[mine[:, 0] > 0]
    corridor_draw(work, real, mine)
    rows = common(bins(real), bins(mine))
    mean = np.mean([s - r for _, r, s in rows])
    return (f"{bins_text(rows)}; mean difference {mean:+.2f}; flow of the middle half of the "
            f"people by exit width, m: real, simulated, /s = {', '.join(flows)}", abs(mean) <= 0.2)


def bins_text(rows):
    shown = ", ".join(f"{d:.2f}: {r:.2f} {s:.2f}" for d, r, s in rows)
    return f"density, /m²: real, simulated speed, m/s = {shown}"


def corridor_draw(work, real, simulated):
    axes = pictures.axes_of("Corridor of 1.8 m, middle 4 m", "persons/m²", "mean speed, m/s")
    # Densities are multiples of one person: the clouds are drawn side by side.
    axes.plot(real[:, 0] - 0.02, real[:, 1], ".", color="0.6", markersize=4, label="real")
    axes.plot(simulated[:, 0] + 0.02, simulated[:, 1], ".", color="tab:red", markersize=3,
              alpha=0.4, label="throng")
    x = np.linspace(0.2, 5.4, 200)
    axes.plot(x, [weidmann(d) for d in x], color="black", label="Weidmann 1993")
    axes.set(xlim=(0, 4), ylim=(0, 2.2))
    pictures.save(axes, work.picture("corridor"))


ONE_WAY = {**{f"uo-{b}-180-180": 1.8 for b in ("050", "070", "100", "145", "180")},
           **{f"uo-{b}-300-300": 3.0 for b in ("080", "100", "120", "180", "240", "300")}}


def wall_gaps(work, name, width):
    """(5th percentile of the gap, spread) of one experiment's inflow; means over the seeds."""
    floor = f"POLYGON ((0 -8, {width} -8, {width} 7, 0 7, 0 -8))"
    runs = work.runs("corridor", f'world.walkable=["{floor}"]', "output.snapshot_every=0.5",
                     f"sources.0.area={{rectangle: [0, 4, {width}, 6]}}",
                     f"destinations.end.areas=[{{rectangle: [0, -8, {width}, -6]}}]",
                     f"sources.0.timetable={reference.timetable(name, 'gate')}",
                     name=f"walls-{name}")
    return np.mean([gaps(tracks_of_run(run), (0, -2, width, 2)) for run in runs], axis=0)


@case("Use of the width", "corridors of 1.8 m and 3 m, eleven inflows; three seeds",
      "5th percentile of the distance to the wall 0.2 to 0.5 m; deviation of the place / width "
      "0.18 to 0.29", "HERMES 2009 (uo-*): 0.25 to 0.43 m, 0.21 to 0.26; the margins: ours")
def use_of_width(work):
    mine = np.array([wall_gaps(work, name, width) for name, width in ONE_WAY.items()])
    real = np.array([[reference.figure(name, f) for f in ("gap", "spread")] for name in ONE_WAY])
    width_draw(work, real, mine)
    good = (0.2 <= mine[:, 0].min() and mine[:, 0].max() <= 0.5 and 0.18 <= mine[:, 1].min()
            and mine[:, 1].max() <= 0.29)
    shown = [f"{a.min():.3f} to {a.max():.3f}" for a in (*real.T, *mine.T)]
    return (f"gap {shown[2]} m (real {shown[0]}), deviation {shown[3]} of the width (real "
            f"{shown[1]})", good)


def width_draw(work, real, mine):
    axes = pictures.axes_of("Use of the width, eleven inflows", "5th percentile of the gap, m",
                            "deviation of the place / width")
    axes.axvspan(0.2, 0.5, color="tab:blue", alpha=0.08)
    axes.axhspan(0.18, 0.29, color="tab:blue", alpha=0.08)
    axes.plot(*real.T, "o", color="0.5", label="experiments")
    axes.plot(*mine.T, "o", color="tab:red", label="throng")
    axes.set(xlim=(0, 0.9), ylim=(0, 0.35))
    pictures.save(axes, work.picture("width"))


class Streams:
    """One run of two-way.yaml, measured as the experiments were (reference/derive.py)."""

    def __init__(self, run, width):
        people = tracks_of_run(run)
        middle = (0, -2, width, 2)
        up = np.isin(people.kind, (0, 2, 3))  # the destinations at the upper end
        heading = np.column_stack((0 * up, np.where(up, 1, -1)))
        rows = cloud(people, middle, heading)
        self.bins = bins(rows)
        self.order, self.right = lanes_of(people, middle, up)
        many = rows[:, 0] * size(middle) > LEAST - 0.5
        self.slowest = rows[many, 1].min() if many.any() else np.nan
        self.last = run.summary["time"] if run.summary["inside"] else last_arrival(run)
        self.inside = run.summary["inside"]


def last_arrival(run):
    return run.summary["travel"]["last_arrival_s"]


def streams(work, name, *sets, width=3.6, half=4):
    """The three runs with the inflow of an experiment."""
    a, b = half + 3, half + 4
    areas = [f"destinations.{word}.areas=[{{rectangle: [{x0}, {y0}, {x1}, {y1}]}}]"
             for side, y0, y1 in (("up", a, b), ("down", -b, -a))
             for word, x0, x1 in ((side, 0, width), (f"{side} west", 0, width / 2),
                                  (f"{side} east", width / 2, width))]
    floor = f"POLYGON ((0 {-b}, {width} {-b}, {width} {b}, 0 {b}, 0 {-b}))"
    runs = work.runs("two-way", f'world.walkable=["{floor}"]', *areas,
                     f"sources.up.area={{rectangle: [0, {-half - 2}, {width}, {-half}]}}",
                     f"sources.down.area={{rectangle: [0, {half}, {width}, {half + 2}]}}",
                     f"sources.up.timetable={reference.timetable(name, 'up')}",
                     f"sources.down.timetable={reference.timetable(name, 'down')}", *sets,
                     name=f"two-way-{name}")
    return [Streams(run, width) for run in runs]


def bins_draw(work, file, title, real, mine, allowed):
    """Speed by density: the experiments' bins, what is allowed, and ours."""
    axes = pictures.axes_of(title, "persons/m²", "mean speed, m/s")
    x, y = np.array([(low + 0.25, v) for low, (n, v) in real.items() if n >= LEAST]).T
    axes.fill_between(x, y - allowed, y + allowed, color="tab:blue", alpha=0.12, linewidth=0,
                      label=f"± {allowed} m/s")
    axes.plot(x, y, "o-", color="0.5", label="experiments")
    axes.plot(*np.array([(low + 0.25, v) for low, (n, v) in mine.items() if n >= LEAST]).T, "o-",
              color="tab:red", label="throng")
    axes.set(xlim=(0, 4), ylim=(0, 1.8))
    pictures.save(axes, work.picture(file))


def stream_speeds(work, file, title, names, *sets):
    """{experiment: its three runs} and [(density, real speed, simulated speed)]."""
    all_ = {name: streams(work, name, *sets) for name in names}
    real = reference.bins(*names)
    mine = merged(s.bins for three in all_.values() for s in three)
    bins_draw(work, file, title, real, mine, 0.2)
    return all_, common(real, mine)


def furthest(rows):
    """The largest difference of speeds at equal density, m/s."""
    return max((s - r for _, r, s in rows), key=abs)


@case("Two-way", "corridor of 3.6 m, five experiments with their measured inflow; three seeds",
      "mean speed at equal density: mean difference within 0.2 m/s; all leave within the real "
      "duration + 30 s", "HERMES 2009 (bo-360-*); the 0.2 m/s and 30 s: ours")
def two_way(work):
    all_, rows = stream_speeds(work, "two-way", "Two ways, 3.6 m", TWO_WAY)
    mean = np.mean([s - r for _, r, s in rows])
    late = max(max(s.last for s in three) - reference.figure(name, "duration")
               for name, three in all_.items())
    stay = sum(s.inside for three in all_.values() for s in three)
    return (f"{bins_text(rows)}; mean difference {mean:+.2f}; the last ones {late:+.0f} s, {stay} "
            "remain", abs(mean) <= 0.2 and late <= 30 and not stay)


@case("Two-way: its lanes", "the same", "lane order at least the real one - 0.15; share on the own "
      "right half > 0.75", "HERMES 2009 (bo-360-*): right 0.83 to 1; the 0.15 and 0.75: ours")
def two_way_lanes(work):
    shown, good, rows = [], True, []
    for name in TWO_WAY:
        three = streams(work, name)
        order, right = (np.mean([getattr(s, f) for s in three]) for f in ("order", "right"))
        real = reference.figure(name, "order")
        good &= order >= real - 0.15 and right > 0.75
        rows.append((reference.figure(name, "density"), real, order))
        shown.append(f"{real:.2f} {order:.2f} ({right:.2f})")
    order_draw(work, np.array(rows))
    return f"order real, simulated (share on the right) = {', '.join(shown)}", bool(good)


def order_draw(work, rows):
    axes = pictures.axes_of("Lanes in 3.6 m, two ways",
                            "mean density of the experiment, persons/m²", "lane order")
    axes.plot(rows[:, 0], rows[:, 1], "o-", color="0.5", label="experiments")
    axes.fill_between(rows[:, 0], rows[:, 1] - 0.15, 1, color="tab:blue", alpha=0.12, linewidth=0,
                      label="at least the real one - 0.15")
    axes.plot(rows[:, 0], rows[:, 2], "o-", color="tab:red", label="throng")
    axes.set_ylim(0, 1)
    pictures.save(axes, work.picture("two-way-lanes"))


@case("Two-way, crosswise",
      "the same corridor, seven inflows; everybody goes to the left or right half; three seeds",
      "mean speed at equal density: mean difference within 0.2 m/s; ten or more in the middle "
      "never slower than 0.25 m/s", "HERMES 2009 (bot-360-*): 0.35 m/s; the 0.2 and 0.25 m/s: ours")
def crosswise(work):
    all_, rows = stream_speeds(work, "crosswise", "Two ways crosswise, 3.6 m", CROSSWISE, *CROSSED)
    mean = np.mean([s - r for _, r, s in rows])
    slowest = np.nanmin([s.slowest for three in all_.values() for s in three])
    return (f"{bins_text(rows)}; mean difference {mean:+.2f}; slowest {slowest:.2f} m/s",
            abs(mean) <= 0.2 and slowest >= 0.25)


def specific_flow(work, rate, ways):
    """People who pass the middle, both ways, per second and metre; a mean over the seeds."""
    if ways == 2:
        sets = (f"sources.up.rate={rate}", f"sources.down.rate={rate}")
    else:
        sets = (f"sources.up.rate={2 * rate}", "sources.down.begin=119")
    flows = []
    for run in work.runs("capacity", *sets, name=f"capacity-{ways}-{rate}"):
        passed = {float(row["time_s"]): int(row["forward"]) + int(row["backward"])
                  for row in run.rows("lines.csv")}
        flows.append((passed[max(passed)] - passed[40.0]) / (max(passed) - 40) / 3.6)
    return np.mean(flows)


@case("Two-way costs capacity", "corridor of 3.6 m, 2 to 12 persons/s one way and two ways; three "
      "seeds", "largest flow two ways 1.0 to 1.9 /(m s), and below that one way",
      "Zhang and others 2012 (1.66 against 2.19); the range: literature")
def capacity(work):
    rates = (1, 2, 3, 4, 6)
    one, two = ([specific_flow(work, rate, ways) for rate in rates] for ways in (1, 2))
    axes = pictures.axes_of("What a corridor of 3.6 m carries", "persons/s that want to enter",
                            "flow, persons/(m s)")
    inflow = [2 * rate for rate in rates]
    axes.axhspan(1.0, 1.9, color="tab:blue", alpha=0.12, label="two ways: 1.0 to 1.9")
    axes.plot(inflow, one, "o-", color="0.3", label="one way, throng")
    axes.plot(inflow, two, "o-", color="tab:red", label="two ways, throng")
    axes.set_ylim(bottom=0)
    pictures.save(axes, work.picture("capacity"))
    return (f"two ways {', '.join(f'{j:.2f}' for j in two)}; one way "
            f"{', '.join(f'{j:.2f}' for j in one)} /(m s)",
            1.0 <= max(two) <= 1.9 and max(two) < max(one))


@case("Two-way, 4 m", "corridor of 4 m x 10 m, 480 persons with their measured inflow; three seeds",
      "mean speed at 0.5 to 1.5 /m² within 0.2 m/s; lane order at least 0.5",
      "BaSiGo 2013 (bi_corr_400_b_03): order 0.67; the 0.2 m/s and 0.5: ours",
      fails="the speed hardly falls with density (1.37 and 1.30 m/s), as lanes form at once. The "
            "real people of this experiment were also slower at 0.75 /m² (1.05 m/s) than those "
            "of HERMES (1.27 m/s), whose speed they have here.")
def two_way_wide(work):
    name = "bi_corr_400_b_03"
    three = streams(work, name, width=4, half=5)
    real, mine = reference.bins(name), merged(s.bins for s in three)
    bins_draw(work, "two-way-wide", "Two ways, 4 m", real, mine, 0.2)
    rows = [row for row in common(real, mine) if 0.5 < row[0] < 1.5]
    order = np.mean([s.order for s in three])
    good = len(rows) == 2 and abs(furthest(rows)) <= 0.2 and order >= 0.5
    return (f"{bins_text(rows)}; order {order:.2f}, real {reference.figure(name, 'order'):.2f}",
            good)


def stripes(people, square):
    """Means (cos, sin) over pairs 0.4 m to 2 m apart: +1 for one stream, -1 for two, at twice the
    angle of the line between them."""
    total, count = np.zeros(2), 0
    for place, here in zip(people.place, inside(people.place, square)):
        apart = place[here][:, None] - place[here]
        sign = np.where(people.kind[here][:, None] == people.kind[here], 1, -1)
        near = np.hypot(*np.moveaxis(apart, -1, 0))
        angle = 2 * np.arctan2(apart[..., 1], apart[..., 0])
        pairs = (near > 0.4) & (near < 2)
        total += [np.sum((sign * np.cos(angle))[pairs]), np.sum((sign * np.sin(angle))[pairs])]
        count += pairs.sum()
    return total / count


@case("Crossing",
      "two streams cross at 90 degrees, 4 m wide, 0.5, 1, 2 persons/s and m; nine seeds",
      "mean speed at equal density within 0.25 m/s of the real two-way streams; stripes at 45 ± 15 "
      "degrees to the streams, perpendicular to their bisector, and of a strength of at least 0.02",
      "Zhang, Seyfried 2014: the angle does not matter; Mullick and others 2022; tolerances: ours")
def crossing(work):
    square, tables, found = (0, 0, 4, 4), [], []
    for rate in (2, 4, 8):
        for run in work.runs("crossing", f"sources.east.rate={rate}", f"sources.north.rate={rate}",
                             name=f"crossing-{rate}", seeds=range(1, 10)):
            people = tracks_of_run(run)
            heading = np.array([(1, 0), (0, 1)])[people.kind]
            tables.append(bins(cloud(people, square, heading)))
            found.append(stripes(people, square))
    crossing_draw(work, people)
    real, mine = reference.bins(*TWO_WAY), merged(tables)
    bins_draw(work, "crossing-speed", "Crossing, 4 m x 4 m", real, mine, 0.25)
    rows = common(real, mine)
    x, y = np.mean(found, axis=0)
    angle = np.degrees(np.arctan2(y, x)) / 2 % 180  # from east; streams: 0 and 90
    strength = np.hypot(x, y)
    good = abs(furthest(rows)) <= 0.25 and abs(angle - 135) <= 15 and strength >= 0.02
    return (f"{bins_text(rows)}; stripes at {angle:.0f} degrees from the stream to the right, "
            f"wanted: 135, strength {strength:.3f}", good)


def crossing_draw(work, people):
    row = len(people.place) - 1
    axes = pictures.axes_of(f"Crossing after {row / 2:.0f} s", "x, m", "y, m", (5, 5))
    for kind, colour, label in ((0, "tab:red", "to the right"), (1, "tab:blue", "up")):
        axes.plot(*people.place[row, people.kind == kind].T, "o", color=colour, markersize=4,
                  label=label)
    axes.set(xlim=(-4, 8), ylim=(-4, 8))
    axes.set_aspect("equal")
    pictures.save(axes, work.picture("crossing"))
