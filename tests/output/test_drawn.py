"""Do people walk on maps as they are drawn by people: in other systems of coordinates, with holes
along an outline, with rooms that almost touch? test_drawn.py THRONG FOLDER"""
import csv
import json
import pathlib

from launching import FOLDER, outputs

MAPS = pathlib.Path(__file__).resolve().parent / "drawn"


def run(name):
    """Its summary, and what was said."""
    _, said = outputs("run", MAPS / f"{name}.yaml", "-o", name)
    return json.loads((FOLDER / name / "summary.json").read_text()), said


def rooms_that_differ_in_the_last_digit():
    summary, said = run("rooms-last-digit-apart")
    assert summary["travel"]["arrived"] == 5
    assert abs(summary["travel"]["last_arrival_s"] - 13.7) < 0.3, summary["travel"]  # 56.7 round
    assert "joined across a gap of up to 1.78e-15 m, 10 m long, at (10.300, 5.000) m" in said, said


def holes_along_the_outline():
    summary, said = run("holes-along-the-outline")
    assert summary["travel"]["arrived"] == 40
    assert "its area was 180.94 m^2 and is 180.94 m^2" in said, said
    with open(FOLDER / "holes-along-the-outline/lines.csv", encoding="utf-8", newline="") as file:
        last = {row["line"]: row for row in csv.DictReader(file)}
    counts = {name: int(row["forward"]) + int(row["backward"]) for name, row in last.items()}
    assert counts == {"inside the barrier": 0, "gap": 40}, counts


def degrees_of_another_system():
    told, _ = outputs("check", MAPS / "etrs89.yaml")
    # 0.006 degrees at 43.733 north and the width of the border: a town, not 6 mm.
    assert "extent        (-246.70, -338.32) to (246.70, 338.32) m" in told, told
    assert "crs           EPSG:4258, taken for longitude and latitude" in told, told


def what_is_not_true_metres():
    _, said = outputs("check", MAPS / "web-mercator.geojson", code=64)
    assert "its crs, EPSG:3857, stretches lengths" in said, said


def a_ring_that_is_nearly_closed():
    told, said = outputs("check", MAPS / "ring-nearly-closed.geojson")
    assert "extent        (0.00, 0.00) to (10.00, 10.00) m" in told, told
    assert "rings closed whose first and last points are not the same, but within 1 mm: 1" in said


FOLDER.mkdir(parents=True, exist_ok=True)
for test in (rooms_that_differ_in_the_last_digit, holes_along_the_outline,
             degrees_of_another_system, what_is_not_true_metres, a_ring_that_is_nearly_closed):
    test()
    print("ok", test.__name__)
