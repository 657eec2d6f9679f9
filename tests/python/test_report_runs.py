"""Does a report of several runs say what the files of all of them say? test_report_runs.py RUNS"""
import json
import pathlib
import shutil

import made_report
import numpy as np
from checkout import refused, run_tests
from reported import MADE, RUNS, WORK, report, same

import throng


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
    assert "beside each other have one scale and one colour for each exit" in page.text


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


def test_none():
    refused(lambda: throng.report.write([], WORK / "none.html"), "at least one run", 64)


def test_maps_beside_each_other():
    """The maps of a run are drawn for the runs that they stand beside, people at one moment."""
    from matplotlib.figure import Figure
    from throng.report import page, pictures
    asked = []

    def noted(kind, run, **options):
        asked.append((kind, run.folder, [one.folder for one in options["beside"]],
                      options.get("time")))
        return Figure((1, 1))

    other = made_report.write(WORK / "beside", seed=5)
    views = [page.view_of(throng.open(folder), "", False) for folder in (MADE, other)]
    drawing, pictures.drawing = pictures.drawing, lambda: noted
    try:
        page.maps_of(views, 600, lambda words: None)
    finally:
        pictures.drawing = drawing
    assert len(asked) == 18
    assert all(beside == [other if folder == MADE else MADE] for _, folder, beside, _ in asked)
    assert len({time for kind, _, _, time in asked if kind == "people"}) == 1


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
