"""Is a report one page that is safe, accessible and fits screens and paper? And its command.
test_report_page.py RUNS"""
import base64
import contextlib
import io
import pathlib
import re
import shutil
import subprocess
import sys
import time
import warnings

import made_report
import numpy as np
from checkout import ROOT, run_tests
from reported import MADE, RUNS, WORK, Page, changed, report

import throng
from throng import __main__ as main
from throng.report import compare, facts, summary
from throng.report import words as wording
from throng.report import page as page_module

sys.path.append(str(ROOT / "tests/player"))
import plaza  # noqa: E402
from browser import CHROMIUM, Chromium, pixels  # noqa: E402

PAGE = report("made.html", MADE)
HALL = report("hall.html", RUNS / "fine")


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


def test_numbers_in_words():
    assert wording.clock(84.6) == "1 min 25 s" and wording.seconds(84.6) == "84.6 s"
    assert wording.clock(3600) == "1 h 0 min" and wording.clock(59.96) == "60.0 s"
    assert wording.number(1234567.891, 2) == "1,234,567.89" and wording.number(-0.001, 2) == "0.00"
    assert wording.number(float("nan")) == wording.number(None) == "–"
    assert wording.share(9999, 10000) == ">99 %" and wording.share(1, 10000) == "<1 %"
    assert wording.share(1, 10000, 1) == "<0.1 %" and wording.share(3, 1000, 1) == "0.3 %"
    assert wording.share(0, 9) == "0 %" and wording.share(9, 9) == "100 %"
    assert wording.share(380, 400) == "95 %" and wording.share(1, 0) == "–"
    # Halves are rounded up, also where a float is just above or below: as it is written.
    assert [wording.number(n) for n in (0.5, 1.5, 2.5, -2.5)] == ["1", "2", "3", "-3"]
    assert wording.number(2.675, 2) == "2.68" and wording.number(0.25, 1) == "0.3"
    assert wording.share(1, 8) == "13 %" and wording.clock(84.5) == "1 min 25 s"
    assert compare.difference(1000, 1001, 0) == "+1 (<1 %)"
    assert compare.difference(8, 9, 0) == "+1 (+13 %)" and compare.difference(5, 5, 0) == "0"
    for text in ("1 min 25 s", "2 h 5 min", "(1.0, 2.0) m", "95 %", "6.28 people/m²"):
        assert " " not in wording.tied(text).replace(", ", ""), text
    assert wording.tied("5 people in 3 rooms") == "5 people in 3 rooms"
    assert wording.printable("a\x07b") == "a\\x07b"


def first_tiles(page):
    """{what: (value, detail)} of the numbers that one sees first."""
    found = re.findall(r'<span class="what">(.*?)</span> <span class="value">(.*?)</span> '
                       r'<span class="detail">(.*?)</span>', page.source)
    return {what: (value.replace("\xa0", " "), detail.replace("\xa0", " "))
            for what, value, detail in found}


def test_one_clock():
    """Times of a minute or more have minutes wherever they are read as words; tiles say 'never'
    only of what was not reached."""
    people = throng.files.read_table(pathlib.Path(MADE) / "people.csv")
    left = np.sort(people["left_s"][np.isfinite(people["left_s"])])
    half, most, nearly = (wording.clock(left[round(share * 400) - 1]) for share in (0.5, 0.9, 0.95))
    assert all("min" in time for time in (half, most, nearly))
    for page in (PAGE, HALL):
        said = page.text[:page.text.index("Select a map")]
        seconds = [float(one.replace(",", "")) for one in re.findall(r"([\d.,]*\d) s\b", said)]
        assert seconds and max(seconds) <= 60, max(seconds)
    assert first_tiles(PAGE)["95 % had left after"] == (
        nearly, f"50 % after {half}, 90 % after {most}")
    assert (f"Half of all 400 people had left after {half}, 90 % after {most} and 95 % after "
            f"{nearly}." in PAGE.text)
    for arrived, what, rest in ((370, "90 %", "50 % after HALF, 95 % never"),
                                (210, "50 %", "90 % and 95 % never"), (10, "50 %", "people")):
        told = facts.Facts(throng.open(MADE))  # of rows of 2 s: people.csv has other people
        told.summary = {**told.summary, "arrived": arrived, "inside": 400 - arrived}
        made = summary.share_tile(told)
        half, at = (told.time_of_share(float(one.rstrip(" %")) / 100) for one in ("50 %", what))
        assert made.what == f"{what} had left after", made
        assert made.value == (wording.clock(at) if arrived >= 200 else "never"), made
        assert made.detail.endswith(rest.replace("HALF", wording.clock(half))), made


def test_size():
    """The finished file keeps its limit: players get smaller, then they are left out, with a
    warning that the command shows; the page says so."""
    plaza.write_crowd(WORK / "crowd", 10_000)
    run = throng.open(WORK / "crowd")

    def written(limit, share):
        page_module.LIMIT, page_module.PLAYER_BYTES = limit, share
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            size = throng.report.write([run], WORK / "limited.html")
        page = Page(WORK / "limited.html")
        assert size == (WORK / "limited.html").stat().st_size
        return size, page, [str(one.message) for one in caught]

    before = page_module.LIMIT, page_module.PLAYER_BYTES
    assert before == (20_000_000, 9_000_000)
    try:
        whole, page, said = written(*before)
        player = len(page.source.split('<section id="player"')[1].split("</section>")[0])
        assert not said and player > page_module.LEAST_PLAYER + 100_000, player
        limit = whole - 50_000  # as if there were more beside the player than was reckoned with
        size, page, said = written(limit, player)
        assert size <= limit and "throng-player" in page.source and not said, (size, limit, said)
        for limit in (whole - player + page_module.LEAST_PLAYER - 50_000, whole - player - 50_000):
            size, page, said = written(limit, player)
            assert "throng-player" not in page.source and "The player is left out" in page.text
            assert any("The player is left out" in one for one in said), said
            assert (size <= limit) != any("the report has" in one for one in said), (size, said)
    finally:
        page_module.LIMIT, page_module.PLAYER_BYTES = before


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


def test_browser():
    if not CHROMIUM:
        print("SKIPPED: no chromium (Debian: chromium): widths, player and paper", flush=True)
        return
    throng.open(RUNS / "plain").report(WORK / "played.html")
    other = pathlib.Path(made_report.write(WORK / "other", seed=3))
    text = (other / "summary.json").read_text().replace('"seed": 3', '"seed": 1')
    (other / "summary.json").write_text(text)  # else it would repeat the first
    report("two.html", MADE, other)
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
                         "(r => [r.x + r.width / 2, r.y + r.height / 2])"
                         "(e.getBoundingClientRect())))(document.querySelector('.throng-player'))")
    before = window.picture()
    window.click(*at)
    window.wait("window.throng !== undefined")
    time.sleep(3)
    assert np.mean(pixels(window.picture()) != pixels(before)) > 0.01
    assert not window.faults(), window.faults()


def said_by(main, *words):
    """Exit code and standard error of a command, in this process."""
    before, errors = sys.argv, io.StringIO()
    sys.argv = ["/some/where/tool.py", *map(str, words)]
    try:
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            code = main()
    finally:
        sys.argv = before
    return code, errors.getvalue()


def test_wrong_words():
    """One line: the command as it is called, what is wrong, what would be right."""
    for name in ("empty", "sweep"):
        (WORK / name).mkdir()
    for name in ("a", "b"):
        shutil.copytree(RUNS / "plain", WORK / "sweep" / name)
    broken = {name: changed(name) for name in ("summary", "people", "areas", "map")}
    (broken["summary"] / "summary.json").write_text("[1]")
    (broken["people"] / "people.csv").write_text("id,left_s\n1,2\n")
    (broken["areas"] / "areas.csv").write_text("")
    (broken["map"] / "map.geojson").write_text("hello")
    report_, plot, export = main.report_main, main.plot_main, main.export_main
    to = ("-o", WORK / "never.html", "--no-player")
    for act, words, part, expected in (
            (report_, (WORK / "nowhere",), "no such directory; give the output directory", 64),
            (report_, (WORK / "sweep/c",), "no such directory", 64),
            (report_, (WORK / "mad",), f"did you mean {WORK / 'made'}?", 64),
            (report_, (WORK / "empty",), "no files of a run (as summary.json", 64),
            (report_, (WORK / "sweep",), f"2 runs are in it: {WORK / 'sweep/a'}, ", 64),
            (report_, (f"{MADE}/series.csv",), "this is a file; give the output directory of a "
             f"run, {MADE}", 64),
            (report_, (broken["summary"], *to), "summary.json: not a summary, or damaged", 65),
            (report_, (broken["people"], *to), "people.csv: not a table of people: it has no "
             "column source", 65),
            (report_, (broken["areas"], *to), "areas.csv: not a table, or damaged (it is empty",
             65),
            (report_, (broken["map"], *to), "map.geojson: not a map", 65),
            (report_, ("--titel", "x", MADE), "--titel; see --help", 64),
            (plot, ("dnesity", MADE), "dnesity: no such picture; did you mean density?", 64),
            (plot, (WORK / "nowhere",), "no such directory", 64),
            (plot, ("flow", MADE, "--beside", WORK / "empty"), "empty: no files of a run", 64),
            (plot, ("density", WORK / "sweep"), "2 runs are in it", 64),
            (export, (WORK / "nowhere", "--format", "csv", "-o", "x"), "no such directory", 64),
            (export, (MADE, "--format", "cvs", "-o", "x"), "one of archive, ", 64)):
        code, errors = said_by(act, *words)
        command_name = {report_: "report", plot: "plot", export: "export"}[act]
        assert errors.startswith(f"throng {command_name}: "), errors
        assert code == expected and part in errors, (words, code, errors)
        assert errors.count("\n") == 1, errors
    assert not (WORK / "never.html").exists()


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
