"""Do the maps of people, their paths and their flows show where they were?
test_pictures_people.py"""
import collections
import math
import shutil

import h5py
import made_run
import numpy as np
from checkout import run_tests
from drawn import RUN, SMALL, WORK, array, copied, legend_texts, map_of
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex
from throng.pictures import draw, flow, style, trails


def test_people():
    """Every dot at its place, in the colour of its speed; to scale."""
    figure = draw("people", RUN, time=150, **SMALL)
    dots, = (one for one in map_of(figure).collections if isinstance(one, PathCollection))
    expected = made_run.position(np.arange(400), 150)
    assert np.allclose(dots.get_offsets(), expected, atol=1e-3)
    assert np.allclose(dots.get_array(), [0.1 + 0.1 * (i % 5) for i in range(400)])
    assert any("2:30 min" in text and "400 people" in text for text in legend_texts(figure))
    close = draw("people", RUN, region=(960, 1920, 980, 1940), **SMALL)
    dots, = (one for one in map_of(close).collections if isinstance(one, PathCollection))
    # The area of a square around the dot, pt^2; inside: who is in the region.
    scale = map_of(close).get_window_extent().width / 20
    assert np.allclose(np.sqrt(dots.get_sizes()) / 72 * close.dpi, 0.4 * scale)
    there = made_run.position(np.arange(400), 150)
    count = np.sum(np.all((there > (960, 1920)) & (there < (980, 1940)), axis=1))
    assert len(dots.get_offsets()) == count > 5


def test_trails():
    """Lines from snapshot to snapshot; a share of the people."""
    for share, count in ((None, 400), (0.1, 40)):
        figure = draw("people", RUN, trails="lines", share=share, **SMALL)
        lines = next(one for one in map_of(figure).collections if isinstance(one, LineCollection)
                     and one.get_array() is not None)
        assert len(lines.get_segments()) == 6 * count
        begins = {tuple(np.round(one[0], 2)) for one in lines.get_segments()}
        for i in range(0, 400, 400 // count):
            for time in range(0, 300, 50):
                at = made_run.position(np.array([i]), time)[0]
                assert any(tuple(np.round(at + [dx, 0], 2)) in begins for dx in (0, .01, -.01)), i
    assert draw("people", RUN, trails="auto", **SMALL)


def test_paths():
    """How often people come to a cell, against a walk in small steps of each person alone."""
    low, high, cell = np.array([900.0, 1900.0]), np.array([1060.0, 2000.0]), 2.5
    counts, people = trails.path_counts(RUN, low, high, cell)
    assert people == 400 and counts.shape == (40, 64)
    expected = np.zeros((40, 64), int)
    for i in range(400):
        places = [made_run.position(np.array([i]), t)[0] for t in range(0, 301, 50)]
        # As float32 from the origin, which decides on which side of a border somebody is.
        places = [(p - made_run.ORIGIN).astype(np.float32) + made_run.ORIGIN for p in places]
        for a, b in zip(places, places[1:]):
            steps = math.ceil(2 * abs(b - a).max() / cell)
            walk = [tuple(np.floor((a + k / steps * (b - a) - low) / cell).astype(int))
                    for k in range(steps + 1)]
            for old, new in zip(walk, walk[1:]):
                if new != old and 0 <= new[0] < 64 and 0 <= new[1] < 40:
                    expected[new[1], new[0]] += 1
    assert np.array_equal(counts, expected) and expected.max() > 10
    assert draw("people", RUN, trails="paths", **SMALL)


def coarse_by_hand(side, run=RUN):
    """{(row, column): (east, west, north, south)}: mean crossings of a block's columns, rows."""
    sums = collections.defaultdict(lambda: np.zeros(4))
    for k, name in enumerate(("east", "west", "north", "south")):
        values = array("crossed_" + name, run)
        for row in range(values.shape[0]):
            for column in range(values.shape[1]):
                sums[row // side, column // side][k] += values[row, column] / side
    return sums


def test_flow():
    """Each arrow is as wide as people walked in its block, and points where they walked."""
    for cell, side in ((8, 2), (12, 3)):
        figure = draw("flow", RUN, cell=cell, **SMALL)
        arrows, = (one for one in map_of(figure).collections if isinstance(one, PolyCollection))
        found = collections.defaultdict(list)
        for path in arrows.get_paths():
            tail, nose, width = path.vertices[[0, 6]].mean(axis=0), path.vertices[3], np.hypot(
                *(path.vertices[0] - path.vertices[6]))
            block = np.floor(((tail + nose) / 2 - made_run.CORNER) / cell).astype(int)
            found[block[1], block[0]].append((width, nose - tail))
        blocks = coarse_by_hand(side)
        used = {key: sums for key, sums in blocks.items() if sums.any()}
        most = max(max(*sums) for sums in used.values())
        assert len(used) > 30 and set(found) <= set(used)
        for key, (east, west, north, south) in used.items():
            # In these runs east has most, and south more than north.
            ahead = np.array([east, -south])
            wide = max(east, south) / most * flow.WIDEST * cell
            width, along = max(found[key], key=lambda one: one[0])
            along_one_axis = (west >= north) == (east >= south)
            if east > 1.6 * west and south > 1.6 * north and along_one_axis:
                assert np.isclose(width, max(wide, flow.THIN * cell)), (key, width, wide)
                cosine = along @ ahead / np.hypot(*along) / np.hypot(*ahead)
                assert cosine > 0.999, (key, along, ahead)


def test_flow_legend():
    """Each width of the legend differs from the next, is that of its number, and the thinnest says
    for which numbers it stands."""
    for factor in (0.2, 1, 3, 40, 1234):
        run = copied(f"times-{factor}", totals={
            f"crossed_{side}": lambda values: np.round(factor * values)
            for side in ("east", "west", "north", "south")})
        figure = draw("flow", run, cell=16, **SMALL)
        most = max(max(*sums) for sums in coarse_by_hand(4, run).values())
        texts = legend_texts(figure)
        labels = texts[texts.index("People") + 1:texts.index("Direction")]
        page = next(axes for axes in figure.axes if axes.get_label() == "page")
        arrows = [one.get_xy() for one in page.patches if len(one.get_path().vertices) == 8
                  and to_hex(one.get_facecolor()) == style.FLOW]
        widths = [float(np.hypot(*(one[0] - one[6]))) for one in arrows[:len(labels)]]
        assert len(labels) >= 3 and labels[-1].endswith(" or fewer"), labels
        assert all(a > 1.2 * b for a, b in zip(widths, widths[1:])), (labels, widths)
        counts = [int(label.split()[0].replace(",", "")) for label in labels]
        for count, width in zip(counts[:-1], widths):
            assert np.isclose(width / widths[-1], flow.WIDEST * count / most / flow.THIN)
        assert flow.WIDEST * counts[-1] / most <= flow.THIN < flow.WIDEST * counts[-2] / most
    few = flow.width_rungs(0.4)
    assert few == [(0.4, "0.4")], few


def crossings(walks, rows, columns):
    """Crossings of the edges of cells of 1 m by walks [n][steps][2], one after another."""
    found = {name: np.zeros((rows, columns)) for name in ("east", "west", "north", "south")}
    for walk in walks:
        for (x0, y0), (x1, y1) in zip(np.floor(walk[:-1]).astype(int),
                                      np.floor(walk[1:]).astype(int)):
            assert max(abs(x1 - x0), abs(y1 - y0)) <= 1, "steps must be small"
            if x1 != x0:
                found["east" if x1 > x0 else "west"][y0, min(x0, x1)] += 1
            if y1 != y0:
                found["north" if y1 > y0 else "south"][min(y0, y1), x1] += 1
    return found


def test_flow_of_known_walks():
    """People on a slanted street, two ways: the arrows say how many there were, and where to."""
    for slope in (0.4, 0.9, -0.6):
        draw_of = np.random.default_rng(5)
        along = np.linspace(0, 24, 3001)
        ways = []
        for i in range(90):
            shift = draw_of.uniform(-0.4, 0.4)
            line = np.stack([along, 12 + slope * (along - 12) + shift], axis=1)
            ways.append(line if i < 60 else line[::-1])
        totals = type("Totals", (), {"cell": 1.0, "corner": np.zeros(2)})()
        for name, values in crossings(ways, 26, 26).items():
            setattr(totals, "crossed_" + name, values)
        flows = flow.coarse_flows(totals, 8)
        middle = int(np.argmin(np.hypot(*(flows.at - 12).T)))
        assert np.hypot(*(flows.at[middle] - 12)) < 1
        assert abs(flow.people_of(flows.ahead[middle]) - 60) < 2
        assert abs(flow.people_of(flows.back[middle]) - 30) < 2
        for vector, sign in ((flows.ahead[middle], 1), (flows.back[middle], -1)):
            expected = sign * np.array([1, slope])
            cosine = vector @ expected / np.hypot(*vector) / np.hypot(*expected)
            assert cosine > 0.97, (slope, vector)
    # People who sway as they walk north are no flow to the west and none to the east.
    for west, drift, rest in ((40, 0, 10), (300, 270, 0)):
        ahead, back = flow.both_ways(*(np.array([float(n)]) for n in (30, west, 1000, 0)),
                                     np.zeros(1))
        assert np.array_equal(ahead, [[-drift, 1000]]) and np.array_equal(back, [[-rest, 0]])
    # As many both ways: what belongs together shows in the cells that are used.
    ahead, back = flow.both_ways(*(np.array([9.0]) for _ in "ewns"), np.array([-1.0]))
    assert np.array_equal(ahead[0] * [1, -1], -back[0] * [1, -1]) and ahead[0] @ [1, 1] == 0


def test_one_scale_beside_each_other():
    """The widest arrow of both runs is that of the largest flow; people have one scale of speed."""
    more = copied("more", totals={f"crossed_{side}": lambda values: 3 * values
                                  for side in ("east", "west", "north", "south")})
    widths = {}
    for run, other in ((RUN, more), (more, RUN)):
        figure = draw("flow", run, cell=8, beside=[other], **SMALL)
        arrows, = (one for one in map_of(figure).collections if isinstance(one, PolyCollection))
        widths[run] = max(np.hypot(*(path.vertices[0] - path.vertices[6]))
                          for path in arrows.get_paths())
        assert "one scale for all runs" in legend_texts(figure)
    assert np.isclose(widths[more], flow.WIDEST * 8) and np.isclose(widths[RUN], widths[more] / 3)
    for path in more.glob("snapshot-*"):
        with h5py.File(path, "r+") as file:
            file["VTKHDF/PointData/speed"][:] *= 4
    scales = []
    for run, other in ((RUN, more), (more, RUN)):
        dots, = (one for one in map_of(draw("people", run, beside=[other], **SMALL)).collections
                 if isinstance(one, PathCollection))
        scales.append((dots.norm.vmin, dots.norm.vmax))
    assert scales == [(0, 2), (0, 2)], scales
    dots, = (one for one in map_of(draw("people", RUN, **SMALL)).collections
             if isinstance(one, PathCollection))
    assert dots.norm.vmax == 0.5


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
