"""Corners and junctions."""

import numpy as np

import pictures
import reference
from cases_streams import bins_draw, bins_text, furthest
from registry import case
from scene import flow, mean_and_range
from tracks import bins, cloud, common, crossings, inside, merged, tracks_of_run

STEM, LEFT, RIGHT = (-2.4, 1, 0, 3), (-4.9, -2.4, -2.9, 0), (0.5, -2.4, 2.5, 0)


@case("Junction", "two branches and a stem of 2.4 m, gates of 0.5 m, measured inflow; three seeds",
      "flow in the stem: the real one ± 15 %; mean speed there at 0.5 to 1 /m² within 0.2 m/s",
      "HERMES 2009 (ko-240-050-240); the 15 % and 0.2 m/s: ours")
def junction(work):
    name = "ko-240-050-240"
    sets = [f"sources.{side}.timetable={reference.timetable(name, side)}"
            for side in ("left", "right")]
    people = [tracks_of_run(run) for run in work.runs("junction", *sets)]
    flows = [flow(crossings(p, 1, 2.0), 0.25, 0.75) for p in people]
    real = reference.bins(name, place="stem")
    mine = merged(bins(cloud(p, STEM, (0, 1))) for p in people)
    rows = [row for row in common(real, mine) if row[0] == 0.75]
    wanted = reference.figure(name, "flow")
    good = abs(np.mean(flows) / wanted - 1) <= 0.15 and rows and abs(furthest(rows)) <= 0.2
    return f"flow {mean_and_range(flows)} /s, real {wanted:.2f}; {bins_text(rows)}", bool(good)


def gate(x, width, outer):
    """Points of a gate in the middle of a branch's end, 0.2 m thick; outer: its far side."""
    a, b = -1.2 - width / 2, -1.2 + width / 2
    return f"{x} {a}, {outer} {a}", f"{outer} {b}, {x} {b}"


def junction_floor(width):
    (right, right_back), (left, left_back) = gate(8, width, 8.2), gate(-11.4, width, -11.6)
    left_in, left_out = (", ".join(reversed(half.split(", "))) for half in (left, left_back))
    return (f"POLYGON ((-20 -6.2, -11.6 -6.2, {left_in}, -11.4 -2.4, 8 -2.4, {right}, 8.2 -6.2, "
            f"16.6 -6.2, 16.6 3.8, 8.2 3.8, {right_back}, 8 0, 0 0, 0 7, -2.4 7, -2.4 0, -11.4 0, "
            f"{left_out}, -11.6 3.8, -20 3.8, -20 -6.2))")


@case("Junction, dense", "the same with gates of 0.8, 1.2, 2.4 m and a crowd of 300; three seeds",
      "mean speeds in the stem and before the junction within 0.25 m/s at equal density; branches "
      "slower than the stem",
      "HERMES 2009 (ko-240-*, tables of jpscore); the 0.25 m/s: ours")
def junction_dense(work):
    stem, branch = [], []
    for width in (0.8, 1.2, 2.4):
        floor = f'world.walkable=["{junction_floor(width)}"]'
        for run in work.runs("junction-dense", floor, name=f"junction-{width}"):
            people = tracks_of_run(run)
            stem.append(bins(cloud(people, STEM, (0, 1))))
            branch += [bins(cloud(people, LEFT, (1, 0))), bins(cloud(people, RIGHT, (-1, 0)))]
    mine = {"stem": merged(stem), "branch": merged(branch)}
    rows = {place: common(reference.bins("ko-240", place=place), mine[place]) for place in mine}
    for place in mine:
        bins_draw(work, f"junction-{place}", f"Junction: {place}",
                  reference.bins("ko-240", place=place), mine[place], 0.25)
    both = common(mine["stem"], mine["branch"])
    slower = sum(b < s for _, s, b in both)
    good = all(rows[place] and abs(furthest(rows[place])) <= 0.25 for place in rows)
    return (f"stem: {bins_text(rows['stem'])}; branches: {bins_text(rows['branch'])}; branches "
            f"slower in {slower} of {len(both)} bins", bool(good) and slower == len(both) > 0)


def turn_floor(width):
    here, back = gate(8, width, 8.2)
    return (f"POLYGON ((-2.4 -2.4, 8 -2.4, {here}, 8.2 -6.2, 18.2 -6.2, 18.2 3.8, 8.2 3.8, {back}, "
            "8 0, 0 0, 0 10, -2.4 10, -2.4 -2.4))")


@case("Corner, speed by density", "corner of 2.4 m, gates of 0.5 to 2.4 m, a crowd of 200; three "
      "seeds", "mean speed within 0.2 m/s at equal density, from 0.25 to 1.75 /m² at least",
      "HERMES 2009 (eo-240-*, tables of jpscore); the 0.2 m/s: ours")
def corner_dense(work):
    tables = []
    for width in (0.5, 0.8, 1.0, 1.5, 2.4):
        floor = f'world.walkable=["{turn_floor(width)}"]'
        for run in work.runs("turn-dense", floor, name=f"turn-{width}"):
            people = tracks_of_run(run)
            tables += [bins(cloud(people, (0, -2.4, 2, 0), (-1, 0))),
                       bins(cloud(people, (-2.4, 0, 0, 2), (0, 1)))]
    real, mine = reference.bins("eo-240", place="corner"), merged(tables)
    bins_draw(work, "corner", "Corner of 2.4 m", real, mine, 0.2)
    rows = common(real, mine)
    good = {0.25, 0.75, 1.25, 1.75} <= {d for d, _, _ in rows} and abs(furthest(rows)) <= 0.2
    return bins_text(rows), good


@case("Corner, use of the width", "corner of 3 m, 137 persons with their measured inflow; three "
      "seeds", "0.5 to 2.5 m behind the corner: within 1 m of the inner wall at most 0.55 of all; "
      "median 1.0 to 1.8 m from it; flow: the real one ± 15 %",
      "HERMES 2009 (corner of 3 m): 0.36, 1.35 m; the margins: ours")
def corner_width(work):
    table = f"sources.0.timetable={reference.timetable('corner-300', 'gate')}"
    people = [tracks_of_run(run) for run in work.runs("turn", table)]
    away = np.concatenate([-p.place[inside(p.place, (-3, 0.5, 0, 2.5))][:, 0] for p in people])
    flows = [flow(crossings(p, 1, 1.0), 0.25, 0.75) for p in people]
    wanted = {f: reference.figure("corner-300", f) for f in ("near", "median", "flow")}
    near, median = np.mean(away < 1), np.median(away)
    turn_draw(work, people[0])
    good = near <= 0.55 and 1 <= median <= 1.8 and abs(np.mean(flows) / wanted["flow"] - 1) <= 0.15
    return (f"{near:.2f} within 1 m (real {wanted['near']:.2f}), median {median:.2f} m (real "
            f"{wanted['median']:.2f}); flow {mean_and_range(flows)} /s, real {wanted['flow']:.2f}",
            bool(good))


def turn_draw(work, people):
    axes = pictures.axes_of("Corner of 3 m: paths of all", "x, m", "y, m", (5, 5))
    axes.plot(people.place[..., 0], people.place[..., 1], color="tab:red", linewidth=0.5, alpha=0.5)
    axes.plot([0, 0, 7], [10, 0, 0], color="black")
    axes.plot([-3, -3, 7], [10, -3, -3], color="black")
    axes.set(xlim=(-4, 7), ylim=(-4, 8))
    axes.set_aspect("equal")
    pictures.save(axes, work.picture("turn"), legend=False)
