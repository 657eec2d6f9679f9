"""Does every picture show the numbers of the files, at the right places? test_pictures.py"""
import collections
import csv
import io
import math
import pathlib
import shutil
import sys
import tempfile

import h5py
import made_run
import numpy as np
from checkout import refused, run_tests

try:
    from matplotlib.collections import LineCollection, PathCollection, PolyCollection
    from matplotlib.colors import to_hex, to_rgb
    from matplotlib.image import imread
    from matplotlib.text import Text
    from throng.pictures import KINDS, draw, flow, style, trails
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

WORK = pathlib.Path(tempfile.mkdtemp())
RUN, OTHER = made_run.write(WORK / "run"), made_run.write(WORK / "other", seed=2)
SMALL = {"size": 700}
# Where nothing else is drawn, from the lower left corner of the world.
AT = {"ground": ((140, 50), style.GROUND), "building": ((25, 25), style.SOLID),
      "other building": ((100, 60), style.SOLID), "locked": ((40, 40), style.KINDS["locked"]),
      "sea": ((140, 15), style.KINDS["sea"]), "pond": ((94, 15), style.KINDS["water"]),
      "other pond": ((85, 15), style.KINDS["water"]), "door": ((80, 51), style.DOOR),
      "wall": ((40, 80), style.INK)}


def map_of(figure):
    """The axes of the map."""
    return next(axes for axes in figure.axes if axes.get_label() == "map")


def pixels(figure):
    """The picture [rows][columns][3], 0 to 255; row 0 is on top."""
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)


def color_at(figure, image, place):
    """The colour of the pixel at a place (from the lower left corner of the world)."""
    x, y = map_of(figure).transData.transform(np.add(made_run.CORNER, place))
    return image[len(image) - 1 - int(y), int(x)]


def has_ground(figure, names):
    """The ground looks as AT says; lines are a few pixels wide."""
    image = pixels(figure)
    for name in names:
        place, color = AT[name]
        x, y = map_of(figure).transData.transform(np.add(made_run.CORNER, place)).astype(int)
        reach = 2 if name in ("wall", "door") else 0
        row, column = len(image) - 1 - y, x
        seen = image[row - reach:row + reach + 1, column - reach:column + reach + 1]
        apart = abs(seen - 255 * np.array(to_rgb(color))).max(axis=2)
        assert apart.min() < 2, (name, seen)


def cells_of(figure):
    """Colours '#rrggbb' of the cells [rows][columns], '' where nothing is drawn; corner, cell."""
    image = map_of(figure).images[0]
    colors, (x0, x1, y0, _) = image.get_array(), image.get_extent()
    named = np.array([[to_hex(one[:3]) if one[3] > 0 else "" for one in row] for row in colors])
    return named, (x0, y0), (x1 - x0) / colors.shape[1]


def array(name, run=RUN):
    """An array of totals.vtkhdf, by h5py alone."""
    with h5py.File(run / "totals.vtkhdf") as file:
        return file["VTKHDF/CellData/" + name][0].astype(float)


def classified(values, limits, colors, empty):
    """The colour of each value, one by one."""
    def color(value):
        return colors[sum(value >= limit for limit in limits)]
    return np.array([["" if nothing else color(v) for v, nothing in zip(row, nothings)]
                     for row, nothings in zip(values, empty)])


def same_cells(figure, expected):
    """The cells have these colours, and lie where the grid does."""
    found, corner, cell = cells_of(figure)
    assert np.allclose(corner, made_run.CORNER) and np.isclose(cell, made_run.CELL), corner
    assert found.shape == expected.shape and np.array_equal(found, expected)
    assert len(set(expected.flat)) > 4, "the test needs several classes"


def legend_texts(figure):
    """All texts around the map."""
    page = next(axes for axes in figure.axes if axes.get_label() == "page")
    return [text.get_text() for text in page.texts]


def rows_of(name):
    """A table, by csv alone."""
    with open(RUN / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_density():
    """Mean, maximum and peak of the run, by both norms, against the arrays."""
    for what, name in (("mean", "density"), ("maximum", "max_mean_density"),
                       ("peak", "max_density")):
        for levels, limits in (("fruin", made_run.FRUIN), ("hbs", made_run.HBS)):
            figure, values = draw("density", RUN, what=what, levels=levels, **SMALL), array(name)
            same_cells(figure, classified(values, limits, style.ramp("service", 6), values == 0))
            texts = legend_texts(figure)
            for text in ("A", "F", f"{limits[0]} – {limits[1]}", f"below {limits[0]}",
                         f"{limits[-1]} or more", "persons / m²"):
                assert text in texts, (text, texts)
            assert any({"fruin": "Fruin 1971", "hbs": "HBS 2015"}[levels] in t for t in texts)


def test_time_above():
    """The samples of the level, times what they last."""
    for levels, level, index in (("fruin", "E", 6), ("hbs", "F", 8), ("fruin", "B", 2)):
        figure = draw("density", RUN, what="time-above", levels=levels, level=level, **SMALL)
        seconds = made_run.SAMPLE * array("samples_above")[..., index]
        limits = [10, 20, 30, 60, 120]
        same_cells(figure, classified(seconds, limits, style.ramp("time", 6), seconds == 0))
        texts = legend_texts(figure)
        assert "2 min or more" in texts and "30 s – 1 min" in texts, texts


def test_speed_and_delay():
    values, people = array("speed"), array("people")
    same_cells(draw("speed", RUN, **SMALL), classified(
        values, [0.25, 0.5, 0.75, 1, 1.25], style.ramp("speed", 6)[::-1], people == 0))
    lost = array("delay") / made_run.CELL**2
    assert 10 < lost.max() <= 20
    same_cells(draw("delay", RUN, **SMALL), classified(
        lost, [0.5, 1, 2, 5, 10], style.ramp("delay", 6), lost == 0))


def write_field(step, since, seed):
    """A density file."""
    values = made_run.cell_values(seed)
    with h5py.File(RUN / f"density-{step:08d}.vtkhdf", "w") as file:
        about, image = file.create_group("throng").attrs, file.create_group("VTKHDF")
        image.attrs["Origin"] = (*np.subtract(made_run.CORNER, made_run.ORIGIN), 0.0)
        for name, value in (("step", step), ("time", step / 10), ("since", since), ("cell", 4.0),
                            ("origin", made_run.ORIGIN), ("fruin_limits", made_run.FRUIN)):
            about[name] = value
        for name in ("density", "speed"):
            image["CellData/" + name] = values[name][None]
    return values["density"]


def test_moment():
    """The interval of a time, or that ends with a step."""
    written = {step: write_field(step, step - 600, step) for step in (600, 1200, 1800)}
    for options, step, said in (({"time": 61}, 1200, "from 1:00 min to 2:00 min"),
                                ({"time": 60}, 600, "from 0:00 min to 1:00 min"),
                                ({"time": 999}, 1800, "3:00 min"), ({}, 1200, "2:00 min"),
                                ({"snapshot": "last"}, 1800, ""), ({"snapshot": "600"}, 600, "")):
        figure = draw("density", RUN, what="moment", **options, **SMALL)
        values = written[step]
        same_cells(figure, classified(values, made_run.FRUIN, style.ramp("service", 6),
                                      values == 0))
        assert any(said in text for text in legend_texts(figure))
    assert any("mean of 1 min" in text for text in legend_texts(draw("density", RUN, **SMALL)))


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


def coarse_by_hand(side):
    """{(row, column): (east, west, north, south)}: mean crossings of a block's columns, rows."""
    sums = collections.defaultdict(lambda: np.zeros(4))
    for k, name in enumerate(("east", "west", "north", "south")):
        values = array("crossed_" + name)
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


def people_by_cell(cell):
    """{(row, column) from the lower left of all: rows of people.csv that have left}."""
    found = collections.defaultdict(list)
    for row in rows_of("people.csv"):
        if row["left_s"]:
            found[math.floor(float(row["start_y"]) / cell),
                  math.floor(float(row["start_x"]) / cell)].append(row)
    return found


def duration(row):
    """From entering to leaving, s."""
    return float(row["left_s"]) - float(row["entered_s"])


def test_evacuation():
    measures = {"mean": np.mean, "maximum": max, "p90": lambda v: np.quantile(v, 0.9)}
    for what, measure in measures.items():
        figure = draw("evacuation", RUN, what=what, cell=10, **SMALL)
        found, (x0, y0), cell = cells_of(figure)
        assert cell == 10
        groups = people_by_cell(10)
        values = {key: measure([duration(row) for row in rows]) for key, rows in groups.items()}
        limits = style.stairs(min(values.values()), max(values.values()), style.STRIDES)
        colors = style.ramp("duration", len(limits) + 1)
        first = round(y0 / 10), round(x0 / 10)
        for row in range(found.shape[0]):
            for column in range(found.shape[1]):
                value = values.get((row + first[0], column + first[1]))
                color = "" if value is None else colors[sum(value >= one for one in limits)]
                assert found[row, column] == color, (what, row, column)
        assert np.sum(found != "") == len(values) > 30
        assert any("380 people, 20 still inside" in text for text in legend_texts(figure))


def test_quantiles():
    """The first second by which that share of all had left; of 400, 20 are still inside."""
    texts = legend_texts(draw("evacuation", RUN, **SMALL))
    times = sorted(duration(row) for row in rows_of("people.csv") if row["left_s"])
    for share, name in ((0.5, "50 %"), (0.9, "90 %"), (0.95, "95 %")):
        least = next(t for i, t in enumerate(times) if i + 1 >= share * 400)
        assert texts[texts.index(name) + 1] == style.duration(math.ceil(least)), name
    assert texts[texts.index("all") + 1] == "not by the end"


def test_exits():
    figure = draw("exits", RUN, cell=10, **SMALL)
    rows = [row for row in rows_of("people.csv") if row["left_s"]]

    def name(row):
        return row["destination"] + ("." + row["exit"] if row["destination"] == "outside" else "")

    counts = collections.Counter(map(name, rows))
    texts = legend_texts(figure)
    for key, count in counts.items():
        assert texts[texts.index(key) + 1] == f"{count} · {100 * count / len(rows):.0f} %", key
    order = [text for text in texts if text in counts]
    assert [counts[one] for one in order] == sorted(counts.values(), reverse=True)
    found, (x0, y0), _ = cells_of(figure)
    for (row, column), group in people_by_cell(10).items():
        shares = collections.Counter(map(name, group)).most_common()
        color = found[row - round(y0 / 10), column - round(x0 / 10)]
        strong = shares[0][1] / len(group) > 2 / 3
        allowed = [one for one, count in shares if count == shares[0][1]]
        shades = [to_hex(1 - (0.85 if strong else 0.42) * (1 - np.array(to_rgb(
            style.CATEGORIES[order.index(one)])))) for one in allowed]
        assert color in shades, (row, column, color, shades)
    # The exits themselves, in their colours: outside.1 is in the lower left corner.
    image = pixels(figure)
    color = style.CATEGORIES[order.index("outside.1")]
    assert np.array_equal(color_at(figure, image, (3, 2)), np.round(255 * np.array(to_rgb(color))))


def test_curves():
    """The lines of the diagrams are the columns of the tables."""
    figure = draw("curves", RUN, **SMALL)
    titles = {axes.get_title(loc="left"): axes for axes in figure.axes}
    queues = rows_of("queues.csv")
    for title, column in (("Waiting in the queues", "waiting"), ("Served", "served")):
        for line in titles[title].lines:
            rows = [row for row in queues if row["queue"] == line.get_label()]
            assert np.array_equal(line.get_xdata(), [float(row["time_s"]) for row in rows])
            assert np.array_equal(line.get_ydata(), [int(row[column]) for row in rows])
        assert len(titles[title].lines) == 2
    forward, backward = titles["Crossed the lines"].lines
    assert list(forward.get_ydata()) == [int(row["forward"]) for row in rows_of("lines.csv")]
    assert list(backward.get_ydata()) == [int(row["backward"]) for row in rows_of("lines.csv")]
    flows = titles["Flow through the lines"].lines[0]
    at = list(flows.get_xdata()).index(105)  # from 100 s to 110 s
    assert flows.get_ydata()[at] == ((110 - 27) - (100 - 25)) / 10
    density = titles["Density of the areas"].lines[0]
    assert np.allclose(density.get_ydata(), [t / 200 for t in range(0, 301, 5)])
    assert len(draw("curves", RUN, tables=["queues"], **SMALL).axes) == 3


def test_difference():
    """The second run minus the first; less is hatched."""
    for options, name, scale in (({}, "max_mean_density", 1), ({"what": "mean"}, "density", 1),
                                 ({"of": "delay"}, "delay", 16)):
        figure = draw("difference", RUN, other=OTHER, **options, **SMALL)
        one, two = array(name) / scale, array(name, OTHER) / scale
        change, nothing = two - one, (one == 0) & (two == 0)
        sizes = abs(change[~nothing & (change != 0)])
        limits = style.ladder(float(np.quantile(sizes, 0.98)), count=3)
        bounds = [-limit for limit in limits[::-1]] + limits
        colors = [*style.LESS[::-1], "#e9e7e2", *style.MORE]
        expected = classified(change, bounds, colors, nothing)
        same_cells(figure, expected)
        hatches = max((one for one in map_of(figure).collections
                       if isinstance(one, LineCollection)), key=lambda one: len(one.get_paths()))
        assert len(hatches.get_paths()) == np.isin(expected, style.LESS).sum()
    figure = draw("difference", RUN, other=RUN, **SMALL)  # nothing changed
    assert set(cells_of(figure)[0].flat) == {"", "#e9e7e2"}
    assert draw("difference", RUN, other=OTHER, of="evacuation", **SMALL)
    assert draw("difference", RUN, other=OTHER, of="speed", **SMALL)


def test_difference_of_grids():
    """Grids that begin elsewhere are laid on each other by their coordinates."""
    from throng.pictures.cells import Cells
    from throng.pictures.difference import subtracted
    def grid(values, corner, cell=2.0):
        return Cells(np.array(values, float), np.array(corner, float), cell, [], [], None)
    values, corner = subtracted(grid([[1, 2], [3, 4]], (10, 20)),
                                grid([[5, np.nan, 7]], (12, 18)), 0.0)
    assert np.array_equal(corner, [10, 18])
    expected = [[np.nan, 5, np.nan, 7], [-1, -2, np.nan, np.nan], [-3, -4, np.nan, np.nan]]
    assert np.array_equal(values, expected, equal_nan=True), values
    refused(lambda: subtracted(grid([[1]], (0, 0)), grid([[1]], (0, 0), 4), 0), "2 and 4 m", 64)
    refused(lambda: subtracted(grid([[1]], (0, 0)), grid([[1]], (1, 0)), 0), "origin", 64)


def test_ground_of_every_kind():
    """Water, courtyards, buildings and doors look the same in every picture."""
    clear = {"density": {"what": "mean"}, "difference": {"other": OTHER},
             "people": {"snapshot": "first"}}
    for kind in KINDS:
        if kind == "curves":
            continue
        # No cells, dots or arrows: only what is under them.
        figure = draw(kind, RUN, **clear.get(kind, {}), size=1800)
        axes = map_of(figure)
        for artist in [*axes.images, *axes.texts]:
            artist.set_visible(False)
        for one in axes.collections:
            if isinstance(one, (PathCollection, PolyCollection)):
                one.set_visible(False)
            elif isinstance(one, LineCollection) and kind == "difference" and one.zorder < 2:
                one.set_visible(False)  # hatches
        has_ground(figure, AT)


def test_solids_cover_cells():
    """A cell that is half in a wall shows only on the ground."""
    figure = draw("density", RUN, what="peak", size=1800)
    has_ground(figure, ("building", "locked", "sea", "pond", "other pond", "door"))


def test_around_the_map():
    """Scale bar, north, attribution, units, axes in m and in degrees; what a region shows."""
    plain, metres, degrees = (draw("speed", RUN, **options, **SMALL) for options in
                              ({}, {"grid": True}, {"lonlat": True}))
    for text in ("N", "20 m", "© OpenStreetMap contributors", "m/s", "Mean speed"):
        assert text in legend_texts(plain), text
    assert not map_of(plain).get_xticks().size
    assert list(map_of(metres).get_xticks()) == [950, 1000, 1050]
    assert map_of(metres).get_xlabel() == "x (m)"
    ticks, labels = map_of(degrees).get_xticks(), map_of(degrees).get_xticklabels()
    a, e2, phi = 6378137.0, 0.0066943799901413165, math.radians(43.73)
    metre = math.radians(1) * a / math.sqrt(1 - e2 * math.sin(phi)**2) * math.cos(phi)
    for tick, label in zip(ticks, labels):
        assert abs(7.42 + tick / metre - float(label.get_text())) < 1e-9
    assert len(ticks) >= 2 and map_of(degrees).get_xlabel() == "longitude (°)"
    part = draw("speed", RUN, region=(950, 1950, 1000, 1980), **SMALL)
    assert map_of(part).get_xlim() == (950, 1000) and map_of(part).get_ylim() == (1950, 1980)
    shape = map_of(part).get_window_extent()
    assert abs(shape.width / shape.height - 50 / 30) < 0.02, "not distorted"
    assert "Harbour town   (run)" in legend_texts(plain)
    assert "Before" in legend_texts(draw("speed", RUN, title="Before", **SMALL))


def test_names():
    """Streets and places are named once; names cover neither each other nor the edge."""
    axes = map_of(draw("speed", RUN, **SMALL))
    renderer = axes.figure.canvas.get_renderer()
    boxes = {text.get_text(): text.get_window_extent(renderer) for text in axes.texts}
    assert {"outside", "hall", "gate", "Main Street", "Quay", "OLD HARBOUR"} == set(boxes)
    frame = axes.get_window_extent()
    names = list(boxes)
    for i, name in enumerate(names):
        box = boxes[name]
        assert box.x0 >= frame.x0 and box.x1 <= frame.x1 and box.y1 <= frame.y1, name
        for other in names[:i]:
            assert not box.overlaps(boxes[other]), (name, other)
    assert axes.texts[-1].get_rotation() in (0, 90) and len(axes.texts) == 6
    assert not list(map_of(draw("speed", RUN, shown=[], **SMALL)).texts)


def test_reports_keep_the_colours():
    """The palette of a report's PNG: every pixel of an exit's colour is as in the figure."""
    from throng.report.pictures import png_of
    figure = draw("exits", RUN, size=1600)
    exact = pixels(figure)
    kept = imread(io.BytesIO(png_of(figure)))[..., :3] * 255
    found = 0
    for color in (np.round(255 * np.array(to_rgb(one))) for one in style.CATEGORIES):
        at = (exact == color).all(axis=-1)
        found += at.any()
        assert not at.any() or np.abs(kept[at] - color).max() < 5, color
    assert found >= 2, found


def test_sizes():
    """The longer side has the pixels asked for; both are even, for films."""
    for size in (400, 1000, 1801):
        for region in (None, (900, 1900, 1060, 1930), (900, 1900, 910, 2000)):
            figure = draw("density", RUN, size=size, region=region)
            shape = figure.canvas.get_width_height()
            assert abs(max(shape) - size) <= 2 and shape[0] % 2 == 0 == shape[1] % 2, shape


def test_names_are_no_formulas():
    """A name may hold dollars; matplotlib would read a formula between them."""
    priced = WORK / "priced"
    shutil.copytree(RUN, priced)
    made_run.write_map(priced, title=r"Gate $\bad$ 5")
    figure = draw("speed", priced, **SMALL)
    figure.savefig(WORK / "priced.png")
    assert any(r"$\bad$" in text.get_text() for text in figure.findobj(Text))


def test_clock():
    said = [style.clock(t) for t in (59.96, 3599.99, 61.5)]
    assert said == ["1:00 min", "1:00:00 h", "1:01.5 min"], said


def test_refused():
    """Each says in one line what to set."""
    bare = WORK / "bare"
    bare.mkdir()
    made_run.write_map(bare)
    for kind in ("density", "flow", "speed", "delay"):
        refused(lambda k=kind: draw(k, bare), "set measure.grid.every in the scenario", 64)
    for kind in ("evacuation", "exits"):
        refused(lambda k=kind: draw(k, bare), "set measure.people: true in the scenario", 64)
    refused(lambda: draw("difference", RUN, other=bare), "measure.grid.every", 64)
    refused(lambda: draw("curves", bare), "measure.lines", 64)
    refused(lambda: draw("curves", bare, tables=["areas"]), "no measure.areas", 64)
    refused(lambda: draw("people", bare), "no snapshots", 64)
    refused(lambda: draw("density", bare, what="moment"), "measure.grid.every", 64)
    refused(lambda: draw("painting", RUN), "choose one of people", 64)
    refused(lambda: draw("speed", RUN, region=(0, 0, 0, 1)), "--region", 64)
    refused(lambda: draw("speed", RUN, size=3), "--size", 64)
    refused(lambda: draw("speed", RUN, shown=["ghosts"]), "--show ghosts", 64)
    refused(lambda: draw("flow", RUN, cell=0), "--cell", 64)
    refused(lambda: draw("people", RUN, snapshot="7"), "there is none", 64)
    refused(lambda: draw("density", RUN, what="moment", snapshot="7"), "there is none", 64)
    flat = WORK / "flat"
    shutil.copytree(RUN, flat)
    made_run.write_map(flat, bbox=[5, 5, 5, 5])
    refused(lambda: draw("people", flat), "its bbox", 65)
    nowhere = WORK / "nowhere"
    shutil.copytree(RUN, nowhere)
    made_run.write_map(nowhere, **{"throng:centre": None})
    refused(lambda: draw("speed", nowhere, lonlat=True), "not in degrees", 64)
    assert "N" not in legend_texts(draw("speed", nowhere, **SMALL)), "nowhere has no north"


run_tests(globals())
shutil.rmtree(WORK)
