"""Does a report say what the files of its runs say, and nothing else? test_report.py RUNS"""
import base64
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import made_report
import made_run
import numpy as np
from checkout import ROOT, refused, run_tests

sys.path.append(str(ROOT / "tests/player"))
from browser import CHROMIUM, Chromium, pixels  # noqa: E402

try:
    import jinja2  # noqa: F401  # pylint: disable=unused-import
    import matplotlib  # noqa: F401  # pylint: disable=unused-import
except ImportError as missing:
    print(f"SKIPPED: {missing} (Debian: python3-jinja2 python3-matplotlib)")
    sys.exit(77)

import throng
from throng.report import limits

RUNS = pathlib.Path(sys.argv[1])
WORK = pathlib.Path(tempfile.mkdtemp())
VOID = {"meta", "img", "br", "link", "input", "hr", "source", "path"}


class Page(html.parser.HTMLParser):
    """What a browser would see: tables by caption, texts, images, elements, open elements."""

    def __init__(self, path):
        super().__init__()
        self.source = pathlib.Path(path).read_text(encoding="utf-8")
        self.tables, self.images, self.elements, self.open = {}, [], [], []
        self.texts, self.cell, self.caption, self.rows = [], None, None, []
        self.feed(self.source)
        self.close()
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        if tag in ("td", "th", "caption"):
            self.cell = []
        elif tag == "tr":
            self.rows.append([])
        elif tag == "table":
            self.rows = []

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> does not end what is open"
        words = " ".join("".join(self.cell or []).split())
        if tag == "caption":
            self.caption = words
        elif tag in ("td", "th"):
            self.rows[-1].append(words)
        elif tag == "table":
            self.tables.setdefault(self.caption, []).append((self.rows[0], self.rows[1:]))
        if tag in ("td", "th", "caption"):
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    def table(self, caption, at=0):
        """{first cell of a row: {head: cell}}, of rows that differ in it."""
        heads, rows = self.tables[caption][at]
        assert all(len(row) == len(heads) for row in rows), caption
        return {row[0]: dict(zip(heads[1:], row[1:])) for row in rows}


def value(cell):
    """The number of a cell."""
    return float(cell.replace(",", "").replace("−", "-").split(" ")[0].rstrip("%"))


def same(cell, expected, digits):
    """The cell is this number, rounded to these digits."""
    assert abs(value(cell) - expected) <= 0.5 * 10.0**-digits + 1e-9, (cell, expected)


def report(name, *runs, **options):
    """Writes a report without the player; returns its page."""
    path = WORK / name
    first, *others = (throng.open(run) for run in runs)
    assert first.report(path, others, player=False, **options) == str(path)
    assert not os.path.exists(f"{path}.tmp") and path.stat().st_size < 20e6
    return Page(path)


MADE = made_report.write(WORK / "made")
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
    assert f"({level[at]:.0f} s) in all" in PAGE.text
    facts = throng.report.facts.Facts(throng.open(MADE))
    assert facts.densest.e.longest == level.max() and facts.densest.exact
    # Without totals: of the density files, which the reader of another test has checked.
    run = throng.open(RUNS / "fine")
    fields = [throng.files.Field(path) for path in throng.files.field_paths(run.folder).values()]
    densest = throng.report.facts.densest_of_fields([field.path for field in fields])
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


def test_hostile_names():
    folder = made_report.write(WORK / "hostile", hostile=True)
    page = report("hostile.html", folder)
    name = made_report.HOSTILE
    assert page.text.count(name) > 12 and f"Map data: (c) {name}" in page.text
    assert "<script>document" not in page.source and "</table>" not in page.text.replace(name, "")
    scripts = [about for tag, about in page.elements if tag == "script"]
    assert len(scripts) == 1
    assert page.table("Measured lines")[name]["Forward, people"] == "300"
    assert not page.open


def test_page_is_alone_and_accessible():
    for page in (PAGE, HALL):
        assert not page.open
        tags = [tag for tag, _ in page.elements]
        assert tags.count("h1") == tags.count("main") == 1 and "link" not in tags
        levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
        assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
        for image in page.images:
            if "src" in image:
                assert image["src"].startswith("data:image/") and len(image["alt"]) > 20
        for tag, about in page.elements:
            for name in ("href", "src", "action", "data", "srcset"):
                assert not re.match("(https?:)?//", about.get(name) or ""), (tag, about[name])
            if tag == "th":
                assert about.get("scope") in ("col", "row")
            if tag == "a":
                assert any(other.get("id") == about["href"][1:] for _, other in page.elements)
        assert "url(" not in page.source and "@import" not in page.source
        assert "default-src 'none'" in page.source
    maps = [image["alt"] for image in PAGE.images if image.get("alt", "").startswith("Map of")]
    assert len(maps) == 9 and "Map of Harbour town. Flow." in " ".join(maps)


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


def test_two_runs():
    other = made_report.write(WORK / "other", seed=2)
    path = pathlib.Path(other, "lines.csv")
    path.write_text(path.read_text().replace(",300,75,", ",360,15,"))
    path = pathlib.Path(other, "summary.json")
    path.write_text(path.read_text().replace('"seed": 2', '"seed": 1'))  # else it repeats the first
    page = report("two.html", MADE, other)
    rows = page.table("Numbers of the runs")
    first, second = (throng.open(folder) for folder in (MADE, other))
    row = rows["Lines: passage: forward"]
    assert row["made"] == "300" and row["other"] == "360"
    assert row["other against made"] == "+60 (+20 %)"
    assert rows["Lines: passage: backward"]["other against made"] == "−60 (−80 %)"
    densest = [throng.files.Totals(run.folder).max_mean_density.max() for run in (first, second)]
    row = rows["highest density"]
    same(row["made"], densest[0], 2)
    same(row["other"], densest[1], 2)
    same(row["other against made"], densest[1] - densest[0], 2)
    assert rows["people"]["other against made"] == "0" and rows["people"]["Unit"] == "people"
    assert len(page.tables["Measured lines"]) == 2
    changes = [image for image in page.images if "other against made" in image.get("alt", "")]
    assert len(changes) == 1


def test_seeds():
    folders, values = [], []
    for seed in (1, 2, 3):
        folder = WORK / "seeds" / str(seed)
        shutil.copytree(RUNS / "fine", folder)
        summary = json.loads((folder / "summary.json").read_text())
        summary["seed"] = seed
        (folder / "summary.json").write_text(json.dumps(summary))
        text = (folder / "travel.csv").read_text()
        was = text.splitlines()[1].split(",")[4]
        values.append(float(was) + seed**2)
        (folder / "travel.csv").write_text(text.replace(was, f"{values[-1]:.6f}"))
        folders.append(folder)
    page = report("seeds.html", *folders)
    row = page.table("Numbers over all runs")["mean travel time"]
    same(row["Mean"], np.mean(values), 1)
    same(row["Lowest"], min(values), 1)
    same(row["Highest"], max(values), 1)
    half = 4.302653 * np.std(values, ddof=1) / 3**0.5  # Student's t of 2 degrees of freedom
    low, high = row["95 % interval of the mean"].split(" to ")
    same(low, np.mean(values) - half, 1)
    same(high, np.mean(values) + half, 1)
    same(row["seed 3"], values[2], 1)
    assert "In all 3 runs everybody had left" in page.text \
        or "In none of 3 runs everybody had arrived" in page.text
    assert "differ only in the seed" in page.text and "One run with one seed" not in page.text
    assert len(page.tables["Measured lines"]) == 1


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


def command(*words):
    """Exit code, standard output and standard error of throng-report."""
    done = subprocess.run([sys.executable, ROOT / "tools/report.py", *map(str, words)],
                          capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def test_command():
    target = WORK / "by-command.html"
    code, said, errors = command(RUNS / "plain", "-o", target, "--title", "Hall & <b>",
                                 "--no-player")
    assert code == 0 and not errors and said.startswith(f"{target}: ") and said.endswith(" MB\n")
    assert Page(target).text.startswith("Hall & <b>: report")
    for words, part, expected in (
            ((WORK / "nowhere",), "no such directory", 64),
            ((ROOT / "docs",), "no files of a run", 64),
            ((MADE, "-o", WORK / "no/such.html"), "No such file", 74),
            ((), "--help", 64)):
        code, said, errors = command(*words)
        assert code == expected and part in errors and not said, (words, code, said, errors)
        assert errors.count("\n") == 1 and "Traceback" not in errors
    damaged = WORK / "damaged"
    shutil.copytree(RUNS / "plain", damaged)
    (damaged / "areas.csv").write_text("step,time_s,area\n1,x\n2\n")
    code, _, errors = command(damaged, "-o", WORK / "never.html")
    assert code == 65 and "areas.csv" in errors and not (WORK / "never.html").exists()


def test_without_jinja():
    blocked = ("import sys; sys.modules['jinja2'] = None; sys.path.insert(0, 'python'); "
               "from throng.__main__ import report_main; sys.exit(report_main())")
    done = subprocess.run([sys.executable, "-c", blocked, RUNS / "plain", "-o", WORK / "never.html"],
                          cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 64 and "python3-jinja2" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1 and not (WORK / "never.html").exists()


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


def test_numbers_in_words():
    from throng.report import words
    assert words.clock(84.6) == "1 min 25 s" and words.both(84.6) == "1 min 25 s (84.6 s)"
    assert words.clock(3600) == "1 h 0 min" and words.clock(59.96) == "60.0 s"
    assert words.number(1234567.891, 2) == "1,234,567.89" and words.number(-0.001, 2) == "0.00"
    assert words.number(float("nan")) == words.number(None) == "–"
    assert words.share(9999, 10000) == "over 99 %" and words.share(1, 10000) == "under 1 %"
    assert words.share(380, 400) == "95 %" and words.share(1, 0) == "–"
    assert words.printable("a\x07b") == "a\\x07b"


def test_curves_keep_their_peaks():
    from throng.report import charts
    x = np.arange(100000.0)
    curve = charts.Curve("", x, np.zeros(len(x)))
    curve.y[54321] = 7
    few = charts.thinned(curve)
    assert len(few.x) <= 1.5 * charts.POINTS and few.y.max() == 7
    assert few.x[np.argmax(few.y)] == 54321


def test_browser():
    if not CHROMIUM:
        print("SKIPPED: no chromium (Debian: chromium): widths, player and paper", flush=True)
        return
    throng.open(RUNS / "plain").report(WORK / "played.html")
    window = Chromium((1280, 900))
    for page in ("made.html", "hall.html", "two.html", "hostile.html", "played.html"):
        for width in (1280, 390):
            window.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                        deviceScaleFactor=1, mobile=width < 500)
            window.open((WORK / page).as_uri())
            wide = window.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (page, width, wide)
        broken = "[...document.images].filter(i => i.src && !(i.complete && i.naturalWidth)).length"
        assert window.evaluate(broken) == 0
        assert window.evaluate("document.title").endswith(": report")  # no name has run
        window.evaluate("document.querySelector('button.see').click()")
        assert window.evaluate("document.getElementById('large').open")
        assert not window.faults(), (page, window.faults())
    play(window)
    window.open((WORK / "made.html").as_uri())
    paper = base64.b64decode(window.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert window.evaluate("document.querySelector('details').open") is False
    assert 6 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 20
    window.close()


def play(window):
    """The player of the page that is open plays when it is clicked, by WebGL."""
    at = window.evaluate("document.getElementById('large').close(), (e => (e.scrollIntoView(), "
                         "(r => [r.x + r.width / 2, r.y + r.height / 2])(e.getBoundingClientRect()))"
                         ")(document.querySelector('.throng-player'))")
    before = window.picture()
    window.click(*at)
    window.wait("window.throng !== undefined")
    time.sleep(3)
    assert np.mean(pixels(window.picture()) != pixels(before)) > 0.01
    assert not window.faults(), window.faults()


refused(lambda: throng.report.write([], WORK / "none.html"), "at least one run", 64)
if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
