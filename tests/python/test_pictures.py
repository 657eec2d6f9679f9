"""Do the maps of measured cells show the numbers of the files, at the right places?
test_pictures.py"""
import collections
import math
import shutil

import made_run
import numpy as np
from checkout import refused, run_tests
from drawn import (OTHER, RUN, SMALL, WORK, array, cells_of, classified, copied, legend_texts,
                   map_of, rows_of, same_cells, write_field)
from matplotlib.collections import LineCollection
from throng.pictures import draw, style

import throng


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
        assert 120 < np.quantile(seconds[seconds > 0], 0.995) <= 300
        same_cells(figure, classified(seconds, limits, style.ramp("time", 6), seconds == 0))
        texts = legend_texts(figure)
        assert "2 min or more" in texts and "30 s – 1 min" in texts, texts


def test_speed_and_delay():
    values, people = array("speed"), array("people")
    same_cells(draw("speed", RUN, **SMALL), classified(
        values, [0.25, 0.5, 0.75, 1, 1.25], style.ramp("speed", 6)[::-1], people == 0))
    lost = array("delay") / made_run.CELL**2
    assert 10 <= np.quantile(lost[lost > 0], 0.995) < lost.max() < 20
    same_cells(draw("delay", RUN, **SMALL), classified(
        lost, [0.5, 1, 2, 5, 10], style.ramp("delay", 6), lost == 0))


def test_extreme_cells():
    """One cell does not stretch the scale: it has the last colour, and the legend says its value."""
    def with_peak(values):
        values = values.copy()
        values[0, 12, 20] = 100 * values.max()  # in every level
        return values

    peak = copied("peak", totals={"delay": with_peak, "samples_above": with_peak})
    for kind, options, name, index, scale, write in (
            ("delay", {}, "delay", ..., 1 / made_run.CELL**2, style.number),
            ("density", {"what": "time-above"}, "samples_above", (..., 6), made_run.SAMPLE,
             style.duration)):
        plain, changed = (draw(kind, run, **options, **SMALL) for run in (RUN, peak))
        before, after = cells_of(plain)[0], cells_of(changed)[0]
        different = np.argwhere(before != after).tolist()
        assert different in ([], [[12, 20]]), different
        last = style.ramp({"delay": "delay"}.get(kind, "time"), 6)[-1]
        assert after[12, 20] == last and np.sum(after == last) > 1
        for run, figure in ((RUN, plain), (peak, changed)):
            highest = scale * array(name, run)[index].max()
            texts = legend_texts(figure)
            assert f"largest: {write(highest)}" in texts, texts
            assert any(text.endswith(" or more") for text in texts)


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
    assert "Harbour town: other minus run" in legend_texts(figure)
    figure = draw("difference", RUN, other=RUN, **SMALL)  # nothing changed
    assert set(cells_of(figure)[0].flat) == {"", "#e9e7e2"}


def changed_colors(change, rungs):
    """The colours of differences, and how many classes there are; nan is not drawn."""
    sizes = abs(change[np.isfinite(change) & (change != 0)])
    limits = style.ladder(float(np.quantile(sizes, 0.98)), rungs, 3)
    assert len(limits) == 3, limits
    bounds = [-limit for limit in limits[::-1]] + limits
    return classified(change, bounds, [*style.LESS[::-1], "#e9e7e2", *style.MORE],
                      np.isnan(change))


def test_difference_of_speed():
    """Only where somebody was in both runs; elsewhere there is no speed to compare."""
    one, two = array("speed"), array("speed", OTHER)
    nobody = (array("people") == 0) | (array("people", OTHER) == 0)
    assert 0.5 < np.mean(nobody) < 1
    same_cells(draw("difference", RUN, other=OTHER, of="speed", **SMALL),
               changed_colors(np.where(nobody, np.nan, two - one), style.NICE))


def mean_times(folder, cell):
    """{(row, column) from the origin: mean time from entering to leaving}, by csv alone."""
    times = collections.defaultdict(list)
    for row in rows_of("people.csv", folder):
        if row["left_s"]:
            place = [math.floor(float(row[name]) / cell) for name in ("start_y", "start_x")]
            times[tuple(place)].append(float(row["left_s"]) - float(row["entered_s"]))
    return {place: np.mean(values) for place, values in times.items()}


def test_difference_of_evacuation():
    """Only where people started in both runs, by their mean times."""
    def elsewhere(row):
        if int(row["id"]) % 7 == 0:
            row["start_x"] = f"{float(row['start_x']) + 40:.3f}"
        if row["left_s"]:
            late = (float(row["start_y"]) - 1950) / 3 * (int(row["id"]) % 3)
            row["left_s"] = f"{float(row['left_s']) + late:.1f}"

    slow, cell = copied("elsewhere", elsewhere), 10
    one, two = mean_times(RUN, cell), mean_times(slow, cell)
    found, (x, y), side = cells_of(draw("difference", RUN, other=slow, of="evacuation", cell=cell,
                                        **SMALL))
    change = np.full(found.shape, np.nan)
    for row, column in set(one) & set(two):
        change[row - round(y / cell), column - round(x / cell)] = \
            two[row, column] - one[row, column]
    assert side == cell and set(one) != set(two)
    expected = changed_colors(change, style.TIMES)
    assert np.array_equal(found, expected) and len(set(expected.flat)) > 4


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


def test_one_scale_beside_each_other():
    """The colours of both runs have the limits that suit both."""
    more = copied("more", totals={"delay": lambda values: 20 * values, "samples_above":
                                  lambda values: values // 20})
    for run in (RUN, more):
        lost = array("delay", run) / made_run.CELL**2
        both = np.concatenate([array("delay", one).ravel() for one in (RUN, more)])
        limits, alone = (style.ladder(np.quantile(values[values > 0], 0.995) / made_run.CELL**2,
                                      count=5) for values in (both, array("delay")))
        assert limits != alone
        figure = draw("delay", run, beside=[RUN, more], **SMALL)
        found, _, _ = cells_of(figure)
        assert np.array_equal(found, classified(lost, limits, style.ramp("delay", 6), lost == 0))
        assert "one scale for all runs" in legend_texts(figure)
        seconds = made_run.SAMPLE * array("samples_above", run)[..., 6]
        figure = draw("density", run, beside=[more, RUN], what="time-above", **SMALL)
        assert np.array_equal(cells_of(figure)[0], classified(
            seconds, [10, 20, 30, 60, 120], style.ramp("time", 6), seconds == 0))
    assert "one scale for all runs" not in legend_texts(draw("delay", RUN, **SMALL))


def test_totals_are_read_once():
    """A picture reads the arrays that it shows, and no other of the run reads them again."""
    run = throng.open(RUN)
    def seen():
        return set(run.totals.CELLS) & set(vars(run.totals))
    draw("density", run, **SMALL)
    assert seen() == {"max_mean_density"}, seen()
    first = run.totals.max_mean_density
    draw("density", run, what="time-above", **SMALL)
    assert seen() == {"max_mean_density"}, seen()  # of the levels only the one that is shown
    level = run.totals.samples_above[..., 6]
    assert np.array_equal(run.totals.time_above(1.08), level * made_run.SAMPLE)
    draw("density", run, **SMALL)
    assert run.totals.max_mean_density is first


def test_curves_of_nothing():
    """A sentence stands where a diagram would have nothing but 0."""
    empty = copied("nothing")
    for name, columns in (("lines.csv", ("forward", "backward")), ("queues.csv", ("waiting",))):
        rows = rows_of(name)
        for row in rows:
            row.update(dict.fromkeys(columns, 0))
        made_run.write_table(empty, name, rows)
    figure = draw("curves", empty, **SMALL)
    shown = {axes.get_title(loc="left"): axes for axes in figure.axes}
    for title, part in (("Crossed the lines", "Nobody crossed a line."),
                        ("Flow through the lines", "Nobody crossed a line"),
                        ("Waiting in the queues", "Nobody waited in a queue.")):
        assert not shown[title].axison and not shown[title].lines
        assert any(part in text.get_text() for text in shown[title].texts), title
    assert shown["Served"].axison and shown["Density of the areas"].axison


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
