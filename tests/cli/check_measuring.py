"""Is what was measured what the snapshots of every step say? check_measuring.py RUN

Of configs/measuring.yaml, run with a snapshot each step and exact positions. Written from the
definitions in docs/measuring.md, not from the code."""
import glob
import json

import h5py
import numpy as np
from check_contacts import check_series, first_overlap
from moments import FRUIN, HBS, RUN, Moment, Totals, corner_of, rows

DOOR = ((0.15, -0.6), (0.15, 0.6))
BENT = ((0.3, -5), (4, -3), (4, 3), (0.3, 5))
AREAS = {"before the door": (-2.4, -1.2, 0, 1.2), "room": (-12, -5, 0, 5)}


def side(a, b, p):
    """Twice the area of a, b, p; no agent in this run lands exactly on a line."""
    return (b[0] - a[0]) * (p[..., 1] - a[1]) - (b[1] - a[1]) * (p[..., 0] - a[0])


def crossings(old, new, a, b):
    """Forward and backward over one segment."""
    _, i, j = np.intersect1d(old.id, new.id, return_indices=True)
    p, q, a, b = old.at[i], new.at[j], old.quanta(a), old.quanta(b)
    begins, ends = side(a, b, p), side(a, b, q)
    assert np.all(begins != 0) and np.all(ends != 0)
    move = q - p
    end_a = move[:, 0] * (a[1] - p[:, 1]) - move[:, 1] * (a[0] - p[:, 0])
    end_b = move[:, 0] * (b[1] - p[:, 1]) - move[:, 1] * (b[0] - p[:, 0])
    cut = (end_a > 0) != (end_b > 0)
    return np.array([np.sum(cut & (begins > 0) & (ends < 0)),
                     np.sum(cut & (begins < 0) & (ends > 0))])


def check_lines(moments):
    table = {(int(r["step"]), r["line"]): r for r in rows("lines.csv")}
    total = {"door": np.zeros(2, int), "outside": np.zeros(2, int)}
    last = {}
    for old, new in zip([None] + moments, moments):
        if old:
            total["door"] += crossings(old, new, *DOOR)
            for a, b in zip(BENT, BENT[1:]):
                total["outside"] += crossings(old, new, a, b)
        for name, counts in total.items():
            row = table.get((new.step, name))
            if row is None:
                continue
            assert (int(row["forward"]), int(row["backward"])) == tuple(counts), (row, counts)
            net = counts[0] - counts[1]
            then, before = last.get(name, (0, 0))
            if new.step > then:
                wanted = (net - before) / (0.1 * (new.step - then))
                assert abs(float(row["flow_per_s"]) - wanted) < 1e-5, (row, wanted)
            last[name] = new.step, net
    assert total["door"][0] > 20 and total["outside"][0] > 10, total


def check_areas(moments):
    table = {(int(r["step"]), r["area"]): r for r in rows("areas.csv")}
    seen = 0
    for moment in moments:
        for name, box in AREAS.items():
            row = table.get((moment.step, name))
            if row is None:
                continue
            low, high = moment.quanta(box[:2]), moment.quanta(box[2:])
            inside = np.all((moment.at >= low) & (moment.at < high), axis=1)
            assert int(row["count"]) == inside.sum(), (row, inside.sum())
            size = (box[2] - box[0]) * (box[3] - box[1])
            assert abs(float(row["density_per_m2"]) - inside.sum() / size) < 1e-3, row
            if inside.any():
                assert abs(float(row["mean_speed_m_s"]) - moment.speed[inside].mean()) < 2e-6, row
            seen += 1
    assert seen > 40


def check_fields(moments, summary):
    paths = sorted(glob.glob(f"{RUN}/density-*.vtkhdf"))
    assert len(paths) == -(-summary["steps"] // 50), paths
    for path in paths:
        with h5py.File(path) as file:
            about, image = file["throng"].attrs, file["VTKHDF"]
            samples = int(about["samples"])
            first, last, cell = int(about["since"]), int(about["step"]), float(about["cell"])
            data = {key: image["CellData/" + key][0] for key in image["CellData"]}
            corner = corner_of(file)
        taken = [m for m in moments if first < m.step <= last and m.step % 5 == 0]
        people = np.zeros(data["people"].shape, np.int64)
        speed = np.zeros(people.shape)
        for moment in taken:
            column, row = np.floor((moment.at * moment.quantum - corner) / cell).astype(int).T
            np.add.at(people, (row, column), 1)
            np.add.at(speed, (row, column), moment.speed)
        assert len(taken) == samples
        assert np.array_equal(people, data["people"]), path
        assert people.sum() == sum(len(m.id) for m in taken), "the cells hold all agents"
        density = people / len(taken) / cell**2
        assert np.allclose(density, data["density"], rtol=1e-6)
        assert np.allclose(speed / np.maximum(people, 1), data["speed"], atol=2e-6)
        assert np.array_equal(np.digitize(density, FRUIN), data["level"])


def check_totals(moments, left):
    totals = Totals()
    data, cell, about = totals.data, totals.cell, totals.about
    assert np.array_equal(about["fruin_limits"], FRUIN) and np.array_equal(about["hbs_limits"], HBS)
    assert np.array_equal(totals.levels, np.sort(FRUIN + HBS))
    taken = [m for m in moments if m.step and m.step % 5 == 0]
    assert (about["samples"], about["sample"], about["since"]) == (len(taken), 0.5, 0)
    assert about["step"] == moments[-1].step
    sums = totals.samples(taken)
    people = sums["people"]
    assert np.array_equal(people, data["people"]) and people.any()
    assert np.allclose(people / len(taken) / cell**2, data["density"], rtol=1e-6)
    assert np.array_equal(sums["max_density"].astype(np.float32), data["max_density"])
    assert np.array_equal(sums["samples_above"], data["samples_above"])
    assert sums["samples_above"][..., -1].any()
    assert np.allclose(sums["speed"] / np.maximum(people, 1), data["speed"], atol=2e-6)
    assert np.allclose(sums["delay"], data["delay"], rtol=1e-5, atol=1e-6 * len(taken))
    assert sums["delay"].max() > 0
    means = np.zeros(people.shape, np.float32)
    for path in glob.glob(f"{RUN}/density-*.vtkhdf"):
        with h5py.File(path) as file:
            means = np.maximum(means, file["VTKHDF/CellData/density"][0])
    assert np.array_equal(means, data["max_mean_density"])
    for key, wanted in totals.crossings(moments, left).items():
        assert np.array_equal(wanted, data[key]) and wanted.any(), key


def check_people(moments):
    """Returns where those who left were at last, by id."""
    told, inside, first = rows("people.csv"), moments[-1].id, moments[0]
    gone = [r for r in told if r["left_s"]]
    order = [(float(r["left_s"]), int(r["id"])) for r in gone]
    assert order == sorted(order) and len(gone) > 5
    assert [int(r["id"]) for r in told[len(gone):]] == sorted(inside)
    assert {int(r["id"]) for r in told} == set(first.id) and len(told) == len(first.id)
    last = {}
    for moment in moments:
        last.update(dict.fromkeys(moment.id, moment.step))
    starts = dict(zip(first.id, first.at * first.quantum + first.origin))
    ends = dict(zip(inside, moments[-1].at * first.quantum + first.origin))
    for row in told:
        one, end = int(row["id"]), [float(row["x"]), float(row["y"])]
        assert (row["source"], row["destination"], row["entered_s"]) == ("room", "outside", "0")
        assert row["profile"] in ("adult", "elder") and row["removed"] == "0", row
        assert np.allclose([float(row["start_x"]), float(row["start_y"])], starts[one], atol=6e-5)
        if row["left_s"]:
            assert abs(float(row["left_s"]) - 0.1 * (last[one] + 1)) < 1e-6, row
            assert row["exit"] == "0" and 8 - 0.3 < end[0] < 10, row
        else:
            assert row["exit"] == "" and np.allclose(end, ends[one], atol=6e-5), row
    waited = np.mean([float(r["delay_s"]) for r in gone])
    assert abs(float(rows("travel.csv")[0]["mean_waiting_s"]) - waited) < 1e-5
    return {int(r["id"]): first.quanta([float(r["x"]), float(r["y"])]) for r in gone}


def check_densest(moments):
    with open(f"{RUN}/log.jsonl", encoding="utf-8") as file:
        told = {row["step"]: row["densest"] for row in map(json.loads, file)}
    totals = Totals()
    for moment in moments:
        if moment.step % 5:
            continue
        if moment.step == 0:
            assert told[0] is None
            continue
        people = totals.count(moment)
        row, column = np.unravel_index(np.argmax(people), people.shape)
        at = (np.array([column, row]) + 0.5) * totals.cell + totals.corner + moment.origin
        for step in range(moment.step, min(moment.step + 5, moments[-1].step + 1)):
            found = told[step]
            assert abs(found["density"] / people.max() * totals.cell**2 - 1) < 1e-5, (step, found)
            assert np.allclose((found["x"], found["y"]), at, atol=6e-5), (step, found, at)


def check_travel(moments, summary):
    last = {}
    for moment in moments:
        for one in moment.id:
            last[int(one)] = moment.step
    steps = np.sort([step + 1 for step in last.values() if step < moments[-1].step])
    everybody = rows("travel.csv")[0]
    assert (everybody["source"], everybody["profile"], everybody["destination"]) == ("all",) * 3
    assert int(everybody["count"]) == len(steps) == summary["arrived"] > 5
    assert abs(float(everybody["mean_s"]) - 0.1 * steps.mean()) < 1e-5
    assert abs(float(everybody["min_s"]) - 0.1 * steps[0]) < 1e-9
    assert abs(float(everybody["max_s"]) - 0.1 * steps[-1]) < 1e-9
    for key, share in (("median_s", 0.5), ("p90_s", 0.9), ("p95_s", 0.95)):
        exact = steps[int(np.ceil(share * len(steps))) - 1]
        assert int(everybody[key]) == -(-exact // 10), (key, everybody[key], exact)
    for by in ("profile", "source"):
        parts = [r for r in rows("travel.csv") if sum(r[k] == "all" for k in
                 ("source", "profile", "destination")) == 2 and r[by] != "all"]
        assert sum(int(r["count"]) for r in parts) == len(steps)
    assert summary["travel"]["arrived"] == len(steps)
    assert abs(summary["travel"]["last_arrival_s"] - 0.1 * steps[-1]) < 1e-9


def check_density_alarms(moments, told):
    """A cell is told when it becomes too dense, and again only after it was not."""
    with h5py.File(sorted(glob.glob(f"{RUN}/density-*.vtkhdf"))[0]) as file:
        corner = corner_of(file)
        cell, columns = float(file["throng"].attrs["cell"]), file["VTKHDF/CellData/people"].shape[2]
    expected, dense = [], set()
    for moment in moments:
        if moment.step == 0 or moment.step % 10:
            continue
        column, row = np.floor((moment.at * moment.quantum - corner) / cell).astype(int).T
        cells, counts = np.unique(row * columns + column, return_counts=True)
        now = {int(k): n / cell**2 for k, n in zip(cells, counts) if n / cell**2 > 5}
        expected += [(0.1 * moment.step, k, now[k]) for k in sorted(set(now) - dense)]
        dense = set(now)
    found = [(float(r["time_s"]), int(r["id"]), float(r["value"])) for r in told]
    assert len(found) == len(expected) > 0, (len(found), len(expected))
    assert np.allclose(found, expected, rtol=1e-5), (found[:3], expected[:3])
    assert len({k for _, k, _ in found}) < len(found), "some cell is told twice"


def check_alarms(moments, summary):
    told = rows("alarms.csv")
    check_density_alarms(moments, [row for row in told if row["kind"] == "density"])
    times = [float(row["time_s"]) for row in told]
    assert times == sorted(times)
    for kind in ("density", "jam"):
        assert sum(row["kind"] == kind for row in told) == summary["alarms"][kind] > 0, kind
    for row in told:
        assert row["kind"] == "jam" or float(row["value"]) > 5, row


def main():
    moments = [Moment(path) for path in sorted(glob.glob(f"{RUN}/snapshot-*.vtkhdf"))]
    with open(f"{RUN}/summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    assert len(moments) == summary["steps"] + 1
    check_lines(moments)
    check_areas(moments)
    check_fields(moments, summary)
    check_totals(moments, check_people(moments))
    check_densest(moments)
    check_travel(moments, summary)
    check_alarms(moments, summary)
    check_series(moments, summary)
    assert summary["audit"]["first"] is None, summary["audit"]
    assert summary["audit"]["first_overlap"] == first_overlap(moments), summary["audit"]


main()
