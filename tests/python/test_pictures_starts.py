"""Do the maps by starting place show what people.csv says? test_pictures_starts.py"""
import collections
import math
import shutil

import made_run
import numpy as np
from checkout import run_tests
from drawn import (RUN, SMALL, WORK, cells_of, color_at, copied, legend_texts, map_of, pixels,
                   rows_of)
from matplotlib.colors import to_hex, to_rgb
from throng.pictures import draw, style


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
        assert texts[texts.index(key) + 1] == f"{count} · {percent(count, len(rows))}", key
    listed = [text for text in texts if text in counts]
    assert [counts[one] for one in listed] == sorted(counts.values(), reverse=True)
    order = ["outside.0", "outside.1", "hall"]  # as the scenario has them: so have the colours
    found, (x0, y0), _ = cells_of(figure)
    for (row, column), group in people_by_cell(10).items():
        shares = collections.Counter(map(name, group)).most_common()
        color = found[row - round(y0 / 10), column - round(x0 / 10)]
        strong = shares[0][1] / len(group) > 2 / 3
        allowed = [one for one, count in shares if count == shares[0][1]]
        shades = [to_hex(1 - (0.85 if strong else 0.42) * (1 - np.array(to_rgb(
            style.CATEGORIES[order.index(one)])))) for one in allowed]
        assert color in shades, (row, column, color, shades)
    # The samples of strong and pale are those of several exits: one colour would mean its exit.
    page = next(axes for axes in figure.axes if axes.get_label() == "page")
    for share in (0.85, 0.42):
        shades = [1 - share * (1 - np.array(to_rgb(one))) for one in style.CATEGORIES[:3]]
        drawn = [np.array(one.get_facecolor()[:3]) for one in page.patches]
        assert all(any(np.allclose(shade, one) for one in drawn) for shade in shades), share
    # The exits themselves, in their colours: outside.1 is in the lower left corner.
    image = pixels(figure)
    color = style.CATEGORIES[order.index("outside.1")]
    assert np.array_equal(color_at(figure, image, (3, 2)), np.round(255 * np.array(to_rgb(color))))


def percent(part, total):
    """In percent with one decimal; halves up."""
    return f"{math.floor(1000 * part / total + 0.5) / 10:.1f} %"


BRIDGE = made_run.feature("destination", "MultiPolygon", [[made_run.box(130, 60, 136, 70)],
                                                          [made_run.box(140, 60, 146, 70)]],
                          name="bridge", index=2, areas=[0, 1])


def test_exits_that_nobody_used():
    """They are listed, and an area keeps its number if all people took the same."""
    def to_one(row):
        row["exit"] = "1" if row["exit"] and row["destination"] == "outside" else row["exit"]

    figure = draw("exits", copied("unused", to_one, [BRIDGE]), **SMALL)
    texts = legend_texts(figure)
    for name in ("bridge.0", "bridge.1", "outside.0"):
        assert texts[texts.index(name) + 1] == "0 · 0 %", name
    assert "outside" not in texts and "bridge" not in texts
    used = sum(row["destination"] == "outside" for row in rows_of("people.csv") if row["left_s"])
    assert texts[texts.index("outside.1") + 1] == f"{used} · {percent(used, 380)}"
    names = {text.get_text() for text in map_of(figure).texts}
    assert {"bridge.0", "bridge.1", "outside.0", "outside.1", "hall"} <= names
    # Every other map names them so, too.
    names = {text.get_text() for text in map_of(draw("speed", RUN, **SMALL)).texts}
    assert {"outside.0", "outside.1", "hall"} <= names and "outside" not in names


def test_few_are_not_none():
    """One of 380 people is no 0 %."""
    def to_hall(row):
        if row["left_s"]:
            row["destination"], row["exit"] = "hall", "0"
            if row["id"] == "7":
                row["destination"], row["exit"] = "outside", "1"

    texts = legend_texts(draw("exits", copied("few", to_hall), **SMALL))
    assert texts[texts.index("outside.1") + 1] == "1 · 0.3 %", texts
    assert texts[texts.index("hall") + 1] == "379 · 99.7 %", texts


def test_one_scale_beside_each_other():
    """Runs beside each other have one scale of times and one colour for each exit."""
    def slower(row):
        row["left_s"] = row["left_s"] and f"{float(row['entered_s']) + 3 * duration(row):.1f}"
        if row["destination"] == "outside" and row["exit"]:
            row["exit"] = "1"

    slow = copied("slow", slower)
    pair = [draw("evacuation", run, cell=10, beside=[other], **SMALL)
            for run, other in ((RUN, slow), (slow, RUN))]
    scales = [[text for text in legend_texts(one) if " – " in text and " min" in text
               and "·" not in text] for one in pair]
    assert scales[0] == scales[1] and len(scales[0]) > 1, scales
    assert all("one scale for all runs" in legend_texts(one) for one in pair)
    alone = legend_texts(draw("evacuation", RUN, cell=10, **SMALL))
    assert not set(scales[0]) <= set(alone), "the test needs runs with different scales"
    # In the second run outside.1 has most people, in the first outside.0 has as many: colours stay.
    for run, other in ((RUN, slow), (slow, RUN)):
        figure = draw("exits", run, cell=10, beside=[other], **SMALL)
        assert "one colour for each, in all runs" in legend_texts(figure)
        image = pixels(figure)
        for i, place in enumerate(((151, 82), (3, 2), (71, 92))):  # in outside.0, .1 and hall
            color = np.round(255 * np.array(to_rgb(style.CATEGORIES[i])))
            assert np.array_equal(color_at(figure, image, place), color), (run, i)


def test_removed_people():
    """Whom a caller removed took no exit and no time."""
    def remove(row):
        row["removed"] = 0
        if row["left_s"] and int(row["id"]) % 4 == 0:
            row["removed"], row["exit"] = 1, ""

    folder = copied("removed", remove)
    gone = sum(bool(row["left_s"]) and int(row["id"]) % 4 == 0 for row in rows_of("people.csv"))
    for kind in ("exits", "evacuation"):
        texts = legend_texts(draw(kind, folder, **SMALL))
        assert any(f"{380 - gone} people, 20 still inside and {gone} removed are left out" in text
                   for text in texts), texts
    texts = legend_texts(draw("exits", folder, **SMALL))
    counts = collections.Counter(
        row["destination"] + ("." + row["exit"] if row["destination"] == "outside" else "")
        for row in rows_of("people.csv") if row["left_s"] and int(row["id"]) % 4)
    assert sum(counts.values()) == 380 - gone and "outside" not in texts
    for name, count in counts.items():
        assert texts[texts.index(name) + 1] == f"{count} · {percent(count, 380 - gone)}", name
    texts = legend_texts(draw("evacuation", folder, **SMALL))
    times = sorted(duration(row) for row in rows_of("people.csv")
                   if row["left_s"] and int(row["id"]) % 4)
    half = next(t for i, t in enumerate(times) if i + 1 >= 0.5 * 400)
    assert texts[texts.index("50 %") + 1] == style.duration(math.ceil(half))


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
