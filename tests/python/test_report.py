"""Does a report say what the files of its run say? test_report.py RUNS"""
import functools
import json
import os
import pathlib
import re
import shutil

import h5py
import made_run
import numpy as np
from checkout import ROOT, run_tests
from reported import MADE, RUNS, WORK, changed, report, same, value

import throng
from throng import levels
from throng.report import facts, limits, sheets
from throng.report.words import clock

PAGE = report("made.html", MADE)
HALL = report("hall.html", RUNS / "fine")


def test_times():
    people = throng.files.read_table(os.path.join(MADE, "people.csv"))
    left = np.sort(people["left_s"][np.isfinite(people["left_s"])])
    assert len(left) == 380
    row = PAGE.table("How long it takes")["had left by, s since the start"]
    for head, share in (("50 %", 0.5), ("90 %", 0.9), ("95 %", 0.95)):
        same(row[head], left[round(share * 400) - 1], 1)
    assert row["everybody"] == "–"  # 20 of 400 are still inside
    summary = json.loads(pathlib.Path(MADE, "summary.json").read_text(encoding="utf-8"))
    travel = PAGE.table("How long it takes")["were on their way for at most, s"]
    same(travel["50 %"], summary["travel"]["median_s"], 0)
    same(travel["everybody"], summary["travel"]["max_s"], 1)
    assert "380 of 400 people (95 %) had arrived when the run ended, after 5 min" in PAGE.text


def test_times_without_people():
    run = throng.open(RUNS / "fine")
    row = HALL.table("How long it takes")["had left by, s since the start"]
    wanted = int(np.ceil(0.5 * run.summary["agents"]))
    first = np.flatnonzero(run.series["arrived"] >= wanted)
    same(row["50 %"], run.series["time_s"][first[0]], 1)


def test_exits():
    people = throng.files.read_table(os.path.join(MADE, "people.csv"))
    rows = PAGE.table("Exits and destinations")
    assert set(rows) == {"hall", "outside.0", "outside.1"}
    for name, row in rows.items():
        name, _, number = name.partition(".")
        here = np.isfinite(people["left_s"]) & (people["destination"] == name)
        if number:
            here &= people["exit"] == int(number)
        left, spent = people["left_s"][here], (people["left_s"] - people["entered_s"])[here]
        same(row["People"], here.sum(), 0)
        same(row["Share"], 100 * here.sum() / 380, 1)
        same(row["Mean travel time, s"], spent.mean(), 1)
        same(row["First one, s"], left.min(), 1)
        same(row["Last one, s"], left.max(), 1)
    travel = throng.open(RUNS / "fine").travel
    out = [i for i, name in enumerate(travel["destination"]) if name == "out"][0]
    same(HALL.table("Exits and destinations")["out"]["People"], travel["count"][out], 0)


def test_lines_areas_queues():
    for page, folder in ((PAGE, MADE), (HALL, RUNS / "fine")):
        run = throng.open(folder)
        for name, row in page.table("Measured lines").items():
            here = run.lines["line"] == name
            same(row["Forward, people"], run.lines["forward"][here][-1], 0)
            same(row["Backward, people"], run.lines["backward"][here][-1], 0)
            crossed = (run.lines["forward"] + run.lines["backward"])[here]
            times, rows = run.lines["time_s"][here], int(round(10 / np.diff(
                run.lines["time_s"][here])[0]))
            flow = (crossed[rows:] - crossed[:-rows]) / (times[rows:] - times[:-rows])
            same(row["Busiest 10 s, people/s"], flow.max(), 2)
        for name, row in page.table("Measured areas").items():
            here = run.areas["area"] == name
            count, speed = run.areas["count"][here], run.areas["mean_speed_m_s"][here]
            same(row["Most people"], count.max(), 0)
            same(row["Mean people"], count.mean(), 1)
            same(row["Highest density, people/m²"], run.areas["density_per_m2"][here].max(), 2)
            same(row["Mean speed, m/s"], np.nansum(count * speed) / count.sum(), 2)
    same(PAGE.table("Measured lines")["passage"]["Length, m"], 16, 2)  # as made_run draws it
    dense = throng.open(MADE).areas["density_per_m2"] >= 1.08
    same(PAGE.table("Measured areas")["street"]["At level E or worse, s"], 5 * dense.sum(), 1)
    queues = throng.files.read_table(os.path.join(MADE, "queues.csv"))
    for name, row in PAGE.table("Queues").items():
        here = queues["queue"] == name
        same(row["Longest, people"], queues["waiting"][here].max(), 0)
        same(row["Served, people"], queues["served"][here][-1], 0)


def test_travel_and_alarms():
    for page, folder in ((PAGE, MADE), (HALL, RUNS / "fine")):
        travel = throng.open(folder).travel
        _, rows = page.tables["Travel times"][0]
        assert len(rows) == len(travel["count"])
        for i, row in enumerate(rows):
            assert row[:3] == [travel[name][i] for name in ("source", "profile", "destination")]
            for cell, name, digits in zip(row[3:], ("count", "mean_s", "median_s", "p90_s", "p95_s",
                                                    "min_s", "max_s", "mean_waiting_s"),
                                          (0, 1, 0, 0, 0, 1, 1, 1)):
                same(cell, travel[name][i], digits)
    _, rows = PAGE.tables["First alarms"][0]
    alarms = throng.open(MADE).alarms
    assert len(rows) == 20
    for i, row in enumerate(rows):
        same(row[0], alarms["time_s"][i], 1)
        x, y = map(float, re.fullmatch(r"\((.*), (.*)\) m", row[3]).groups())
        assert abs(x - alarms["x"][i]) < 0.051 and abs(y - alarms["y"][i]) < 0.051
        assert row[4] == "in “street”"  # made_run: x from 962 to 978, y from 1920 to 1960
    assert "10 alarms of kind density; 20 alarms of kind jam" in PAGE.text


def test_densest():
    cells = made_run.cell_values()
    at = np.unravel_index(np.argmax(cells["max_mean_density"]), (made_run.ROWS, made_run.COLUMNS))
    x = made_run.CORNER[0] + (at[1] + 0.5) * made_run.CELL
    y = made_run.CORNER[1] + (at[0] + 0.5) * made_run.CELL
    assert f"It was densest at ({x:.1f}, {y:.1f}) m" in PAGE.text
    assert f"{cells['max_mean_density'].max():.2f} people/m² (mean of an interval" in PAGE.text
    level = cells["samples_above"][..., made_run.LEVELS.index(1.08)] * made_run.SAMPLE
    assert f"and more) for {clock(level[at])} in all" in PAGE.text
    found = facts.Facts(throng.open(MADE)).densest
    assert found.e.longest == level.max() and found.exact
    # Without totals: of the density files, which the reader of another test has checked.
    run = throng.open(RUNS / "fine")
    fields = [throng.files.Field(path) for path in throng.files.field_paths(run.folder).values()]
    densest = facts.densest_of_fields([field.path for field in fields])
    assert abs(densest.value - max(field.density.max() for field in fields)) < 1e-6
    times = sum((field.density >= 1.08) * (field.time - before) for field, before in
                zip(fields, [0, *(field.time for field in fields)]))
    assert densest.e.longest == times.max() and not densest.exact


def test_provenance():
    summary = throng.open(MADE).summary
    row = PAGE.table("The run")
    for name, key in (("Checksum of the result", "checksum"), ("Compiler", "compiler"),
                      ("Hash of the scenario", "config_hash"), ("Backend", "backend"),
                      ("Identity of all that people depend on", "identity"),
                      ("Scenario", "config_path")):
        assert row[name]["Value"] == summary[key], name
    assert row["Ranks and threads on each"]["Value"] == "4 and 2"
    assert row["Options given on the command line"]["Value"] == "seed=1; time.end=300"
    assert "12.3 s" in row["Computed in"]["Value"] and row["Seed"]["Value"] == "1"
    assert "--set seed=1 --set time.end=300" in PAGE.text
    scenario = throng.open(RUNS / "fine").snapshot(0).scenario
    assert " ".join(scenario.split()) in HALL.text


def test_warnings():
    for said in ("audit of the run found violations: too fast 2", "1 person is inside a wall",
                 "20 people were still inside when the run ended", "overlapped by 0.214 m",
                 "20 jam alarms", "A program that called throng changed", "changed source",
                 "One run with one seed"):
        assert said in PAGE.text, said
    assert "audit of the run" not in HALL.text and "overlapped by" not in HALL.text
    found = limits.other_models(limits.scenario_options(
        "profiles: [{name: a}, {name: b, walking: {model: none}}, {name: c, density: {model: "
        "weidmann}}, {name: d}]", ["profiles.3.walking.model=weidmann", "nothing.at.9=2"]))
    assert found == ["b", "c", "d"]
    assert limits.scenario_options("a: [", []) == {} == limits.scenario_options("- 1", ["0=2"])


def test_limits_are_those_of_the_pages():
    pages = " ".join((ROOT / "docs/walking.md").read_text(encoding="utf-8").split())
    for sentence, quoted in limits.VALID:
        assert quoted in pages, quoted
        assert sentence in PAGE.text, sentence


def test_what_was_not_measured():
    folder = WORK / "bare"
    folder.mkdir()
    for name in ("summary.json", "series.csv", "walls.vtkhdf", "travel.csv"):
        shutil.copy(RUNS / "fine" / name, folder)
    page = report("bare.html", folder)
    for option in ("measure.lines", "measure.areas", "measure.grid", "measure.people",
                   "output.snapshot_every", "alarms.density"):
        assert option in page.text, option
    assert "Measured lines" not in page.tables and "Travel times" in page.tables


def test_unfinished():
    folder = WORK / "unfinished"
    shutil.copytree(RUNS / "fine", folder)
    for name in ("summary.json", "travel.csv", "totals.vtkhdf"):
        (folder / name).unlink(missing_ok=True)
    lines = (folder / "series.csv").read_text().splitlines()
    (folder / "series.csv").write_text("\n".join(lines[:30] + ["300,1"]))  # while it is written
    page = report("unfinished.html", folder)
    arrived, inside = lines[29].split(",")[3], lines[29].split(",")[2]
    assert "the run has not ended" in page.text and "This run has not ended" in page.text
    assert f"{arrived} of {int(arrived) + int(inside)} people" in page.text
    assert page.table("The run")["Checksum of the result"]["Value"] == "–"
    titles = [image["alt"].split(". ")[1] for image in page.images
              if image.get("alt", "").startswith("Map of")]
    assert titles == ["Density at the densest time", "People"], titles


def test_lonlat():
    folder = WORK / "alarms"
    folder.mkdir()
    for name in ("summary.json", "alarms.csv", "map.geojson"):
        shutil.copy(os.path.join(MADE, name), folder)
    page = report("lonlat.html", folder, lonlat=True)
    heads, rows = page.tables["First alarms"][0]
    longitude, latitude = map(float, rows[0][heads.index("Longitude, latitude")].split(", "))
    # 970 m east and 1942.5 m north of (7.42, 43.73), on a sphere of the earth's size to 1 %.
    assert abs((longitude - 7.42) * 111320 * np.cos(np.radians(43.73)) - 970) < 10
    assert abs((latitude - 43.73) * 111320 - 1942.5) < 20


def test_places_in_words():
    from throng.report.places import Gazetteer
    scene = throng.scene.Scene(MADE)
    square = scene.named("source", "square")
    places = Gazetteer(scene)
    assert places.words(910, 1990) == "in “square”"  # x 902 to 930, y 1984 to 1998
    assert places.words(980, 1953.2) == "at “gate”"  # x 980, y 1950 to 1956
    assert places.words(971, 1990) == "in “hall”" and places.words(970, 1905) == "at “Main Street”"
    assert places.words(5000, 5000) == ""
    # One that covers the world is named only where nothing is near.
    x0, y0, x1, y1 = scene.bbox
    square.polygons = [[np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])]]
    assert Gazetteer(scene).words(982, 1953) == "2 m from “gate”"
    scene.features = [square]
    assert Gazetteer(scene).words(982, 1953) == "in “square”"


def test_curves_keep_their_peaks():
    from throng.report import charts
    x = np.arange(100000.0)
    curve = charts.Curve("", x, np.zeros(len(x)))
    curve.y[54321] = 7
    few = charts.thinned(curve)
    assert len(few.x) <= 1.5 * charts.POINTS and few.y.max() == 7
    assert few.x[np.argmax(few.y)] == 54321


def rows_of(folder, name):
    """{first cell: {head: cell}} of a table alone: exits or lines."""
    run = throng.open(folder)
    sheet = getattr(sheets, f"{name}_sheet")(facts.Facts(run), run.scene)
    return {row[0]: dict(zip(sheet.heads[1:], row[1:])) for row in sheet.rows}


def add_exit(folder):
    """A third destination, of two areas, that nobody goes to."""
    path = folder / "map.geojson"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["features"].append(made_run.feature(
        "destination", "MultiPolygon", [[made_run.box(130, 60, 136, 70)],
                                        [made_run.box(140, 60, 146, 70)]],
        name="bridge", index=2, areas=[0, 1]))
    path.write_text(json.dumps(data), encoding="utf-8")


def test_exits_that_nobody_used():
    """They have a row with 0, with people.csv and without it; NAME.1 stays NAME.1."""
    def to_one(row):
        row["exit"] = "1" if row["exit"] and row["destination"] == "outside" else row["exit"]

    folder = changed("unused", people=to_one)
    add_exit(folder)
    rows = rows_of(folder, "exits")
    assert list(rows) == ["outside.0", "outside.1", "hall", "bridge.0", "bridge.1"]
    for name in ("outside.0", "bridge.0", "bridge.1"):
        assert rows[name]["People"] == "0" and rows[name]["Share"] == "0 %", rows[name]
        assert rows[name]["Last one, s"] == rows[name]["Mean travel time, s"] == "–"
    (folder / "people.csv").unlink()
    rows = rows_of(folder, "exits")
    assert list(rows) == ["outside", "hall", "bridge"] and rows["bridge"]["People"] == "0"
    run = throng.open(folder)
    notes = sheets.exits_sheet(facts.Facts(run), run.scene).notes
    assert any("0: nobody ended the way there" in note for note in notes)


def test_lines_that_nobody_crossed():
    """They have no busiest time."""
    def none(row):
        row.update(forward=0, backward=0)

    row = rows_of(changed("uncrossed", lines=none), "lines")
    assert row["passage"]["Busiest 10 s, people/s"] == "0.00" and row["passage"]["at, s"] == "–"


def test_curves_begin_at_0():
    """The lower end of a diagram is 0, unless a value is less."""
    from throng.report import charts
    x, seen = np.arange(10.0), []
    charts_svg, charts.svg_of = charts.svg_of, lambda figure: seen.append(
        figure.axes[0].get_ylim()[0]) or "<svg>"
    try:
        for y in (x / 100, x - 3):
            charts.drawn([charts.Curve("", x, y)], "s", charts.Axis("m", "m", 0, "nothing"))
    finally:
        charts.svg_of = charts_svg
    assert seen == [0, -3], seen


def may_be_removed(agent):
    return agent % 4 == 0


@functools.cache
def thinned():
    """The folder and the page of a run of which a caller removed people, where nobody waited in a
    queue, crossed a line, walked from a cell to the next or stood at level E."""
    def remove(row):
        row["removed"] = 0
        if row["left_s"] and may_be_removed(int(row["id"])):
            row["removed"], row["exit"] = 1, ""

    def none(row):
        row.update({name: 0 for name in ("waiting", "forward", "backward") if name in row})

    folder = changed("thinned", people=remove, queues=none, lines=none)
    path = folder / "summary.json"
    summary = json.loads(path.read_text())
    path.write_text(json.dumps({**summary, "arrived": int(those_who_stay(folder).sum())}))
    with h5py.File(folder / "totals.vtkhdf", "r+") as file:
        cells = file["VTKHDF/CellData"]
        cells["samples_above"][..., made_run.LEVELS.index(1.08):] = 0
        for side in ("east", "west", "north", "south"):
            cells[f"crossed_{side}"][:] = 0
    return folder, report("thinned.html", folder)


def those_who_stay(folder):
    table = throng.files.read_table(folder / "people.csv")
    return np.isfinite(table["left_s"]) & ~may_be_removed(table["id"])


def test_removed_people():
    """People whom a caller removed are in no row of the exits and have no travel time."""
    folder, page = thinned()
    table = throng.files.read_table(folder / "people.csv")
    stays = those_who_stay(folder)
    rows = page.table("Exits and destinations")
    assert set(rows) == {"hall", "outside.0", "outside.1"}
    assert sum(value(row["People"]) for row in rows.values()) == stays.sum()
    same(rows["hall"]["Last one, s"],
         table["left_s"][stays & (table["destination"] == "hall")].max(), 1)
    gone = 380 - stays.sum()
    assert (f"Not in this table: {gone} people whom the program that drove the run removed"
            in page.text)
    row = page.table("How long it takes")["had left by, s since the start"]
    same(row["50 %"], np.sort(table["left_s"][stays])[199], 1)
    spent = (table["left_s"] - table["entered_s"])[stays]
    chart = next(image["alt"] for image in page.images if f"Travel times of {stays.sum()} people"
                 in image.get("alt", ""))
    assert f"{spent.max():.1f} s" in chart


def test_nothing_is_said_not_drawn():
    """Charts and maps on which everything would be 0 are a sentence."""
    _, page = thinned()
    shown = " ".join(image.get("alt", "") for image in page.images)
    for title, sentence in (
            ("People waiting in queues", "People waiting in queues: nobody waited (till, gate)."),
            ("People who have crossed a line", "both directions: nobody crossed one (passage)."),
            ("Time at level E or worse. How", "Time at level E or worse: no place was at it at any "
             "time (1.08 people/m² and more)."),
            ("Flow. How", "Flow: nobody walked from one cell to the next.")):
        assert sentence in page.text and title not in shown, title
        assert title in " ".join(image.get("alt", "") for image in PAGE.images), title


def test_measured_places_are_on_the_maps():
    """Lines and areas with their names on the maps of people and density."""
    from throng.pictures import draw
    from throng.report import pictures
    run = throng.open(MADE)
    kinds, _ = pictures.kinds_of(run, 100.0)
    drawn = [kind for kind in (*kinds, pictures.MOMENT) if kind.name in ("people", "density")]
    assert len(drawn) == 5
    for kind in drawn[:-1]:
        figure = draw(kind.name, run, size=900, **kind.options)
        texts = [text.get_text() for axes in figure.axes for text in axes.texts]
        assert {"passage", "street"} <= set(texts), (kind, texts)
    assert drawn[-1].options["shown"] == drawn[0].options["shown"]


def test_levels_of_service_stand_in_one_place():
    """In the package only levels.py has Fruin's limits; they are those of the program."""
    own = re.compile(r"0?\.31, *0?\.43|\b1\.08\b|\b2\.17\b")
    for path in (ROOT / "python").rglob("*.py"):
        assert path.name == "levels.py" or not own.search(path.read_text(encoding="utf-8")), path
    source = (ROOT / "src/core/measure/measure.c").read_text(encoding="utf-8")
    found = re.search(r"fruin_limits\[[^]]*\] = \{([^}]*)\}", source)[1]
    assert tuple(map(float, found.split(","))) == levels.FRUIN
    totals = throng.open(MADE).totals
    assert tuple(totals.fruin_limits) == levels.FRUIN and tuple(totals.hbs_limits) == levels.HBS


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
