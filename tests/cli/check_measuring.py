"""Is what was measured what the snapshots of every step say? check_measuring.py RUN

Of configs/measuring.yaml, run with a snapshot each step and exact positions. Written from the
definitions in docs/measuring.md, not from the code."""
import csv
import glob
import json
import sys

import h5py
import numpy as np

RUN = sys.argv[1]
DOOR = ((0.15, -0.6), (0.15, 0.6))
BENT = ((0.3, -5), (4, -3), (4, 3), (0.3, 5))
AREAS = {"before the door": (-2.4, -1.2, 0, 1.2), "room": (-12, -5, 0, 5)}
CONTACT = 0.8  # of the sum of two radii: avoidance.contact where people walk by headway
FRUIN = (0.31, 0.43, 0.72, 1.08, 2.17)
HBS = (0.1, 0.25, 0.6, 1.3, 1.9)


def rows(name):
    with open(f"{RUN}/{name}", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Moment:
    """The agents of a snapshot: positions in quanta, velocities in m/s."""

    def __init__(self, path):
        with h5py.File(path) as file:
            about = file["throng"].attrs
            self.step, self.quantum = int(about["step"]), float(about["quantum"])
            self.origin = np.array(about["origin"])
            points = file["VTKHDF/Points"][:, :2] / self.quantum
            self.at = points.astype(np.int64)
            assert np.array_equal(self.at, points), "positions are whole quanta"
            self.id = file["VTKHDF/PointData/id"][:]
            self.radius = file["VTKHDF/PointData/radius"][:].astype(float)
            self.speed = np.hypot(*file["VTKHDF/PointData/velocity"][:, :2].astype(float).T)

    def quanta(self, point):
        return np.rint((np.array(point) - self.origin) / self.quantum).astype(np.int64)


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
            corner = image.attrs["Origin"][:2]
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


class Totals:
    """The totals of the run, and what they should be."""

    def __init__(self):
        with h5py.File(f"{RUN}/totals.vtkhdf") as file:
            self.about = dict(file["throng"].attrs)
            self.corner, image = file["VTKHDF"].attrs["Origin"][:2], file["VTKHDF/CellData"]
            self.data = {key: image[key][0] for key in image}
        self.cell = float(self.about["cell"])
        self.shape = self.data["people"].shape
        self.levels = self.about["levels"]
        with h5py.File(sorted(glob.glob(f"{RUN}/checkpoint-*.h5"))[0]) as file:
            agents = file["agents"]
            self.preferred = np.full(agents["id"][:].max() + 1, np.nan)
            self.preferred[agents["id"][:]] = agents["speed"][:]

    def cells(self, moment, at=None):
        column, row = np.floor(((moment.at if at is None else at) * moment.quantum - self.corner)
                               / self.cell).astype(int).T
        return row, column

    def count(self, moment):
        people = np.zeros(self.shape, np.int64)
        np.add.at(people, self.cells(moment), 1)
        return people

    def samples(self, moments):
        """What the samples add up to."""
        sums = {key: np.zeros(self.shape) for key in ("people", "speed", "delay", "max_density")}
        sums["samples_above"] = np.zeros(self.shape + self.levels.shape, int)
        for moment in moments:
            people = self.count(moment)
            sums["people"] += people
            np.add.at(sums["speed"], self.cells(moment), moment.speed)
            # Everybody walks in this scenario, unless he has arrived.
            missing = np.maximum(1 - moment.speed / self.preferred[moment.id], 0)
            np.add.at(sums["delay"], self.cells(moment), 0.5 * missing)
            sums["max_density"] = np.maximum(sums["max_density"], people / self.cell**2)
            sums["samples_above"] += (people / self.cell**2)[..., None] >= self.levels
        return sums

    def crossings(self, moments, left):
        """{key: of each cell}: those of every step, along x first, then along y."""
        wanted = {"crossed_" + key: np.zeros(self.shape, np.int64)
                  for key in ("east", "west", "north", "south")}
        for old, new in zip(moments, moments[1:]):
            now = dict(zip(new.id, new.at))
            ends = np.array([now[i] if i in now else left[i] for i in old.id]).reshape(-1, 2)
            places = zip(*self.cells(old), *self.cells(old, ends))
            for row, column, to_row, to_column in places:
                step = 1 if to_column > column else -1
                for k in range(column, to_column, step):
                    key = "crossed_east" if step > 0 else "crossed_west"
                    wanted[key][row, min(k, k + step)] += 1
                step = 1 if to_row > row else -1
                for k in range(row, to_row, step):
                    key = "crossed_north" if step > 0 else "crossed_south"
                    wanted[key][min(k, k + step), to_column] += 1
        return wanted


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
        corner = file["VTKHDF"].attrs["Origin"][:2]
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


class Contacts:
    """All pairs of a moment by id. Of those who only just touch, the simulator's float32 decides."""

    def __init__(self, moment):
        order = np.argsort(moment.id)
        self.at, radius, self.ids = moment.at[order], moment.radius[order], moment.id[order]
        apart = np.hypot(*np.moveaxis(self.at[:, None] - self.at, 2, 0)) * moment.quantum
        self.depth = CONTACT * (radius[:, None] + radius) - apart
        np.fill_diagonal(self.depth, -1)
        # Least and most, as those are told who only just touch.
        least, most = self.depth > 1e-6, self.depth > -1e-6
        self.pairs = (np.count_nonzero(least) // 2, np.count_nonzero(most) // 2)
        self.agents = (np.count_nonzero(least.any(axis=1)), np.count_nonzero(most.any(axis=1)))
        self.deepest = max(self.depth.max(initial=0), 0)


def first_overlap(moments):
    """In words."""
    for m in moments:
        c = Contacts(m)
        assert c.pairs[0] == c.pairs[1], "too near to call"
        if c.pairs[0]:
            one, other = (index[0] for index in np.nonzero(c.depth > 0))
            x, y = c.at[one] * m.quantum + m.origin
            return (f"agent {c.ids[one]} overlaps agent {c.ids[other]} at ({x:.3f}, {y:.3f}) m "
                    f"in step {m.step}")
    return None


def net_speed(old, new):
    """Of the agents in both moments, 2 s apart."""
    _, i, j = np.intersect1d(old.id, new.id, return_indices=True)
    if len(i) == 0:
        return None
    return np.mean(np.hypot(*(new.at[j] - old.at[i]).T)) * new.quantum / 2


def check_series(moments, summary):
    """A row speaks of its own step in every column."""
    told = rows("series.csv")
    contacts = [Contacts(m) for m in moments]
    assert [int(row["step"]) for row in told] == list(range(len(moments)))
    for row, m, c in zip(told, moments, contacts):
        assert int(row["agents"]) == len(m.id), row
        assert c.pairs[0] <= int(row["overlaps"]) <= c.pairs[1], (row, c.pairs)
        assert c.agents[0] <= int(row["in_contact"]) <= c.agents[1], (row, c.agents)
        assert abs(float(row["deepest_overlap_m"]) - c.deepest) < 2e-6, row
        if len(m.id):
            assert abs(float(row["mean_speed_m_s"]) - np.mean(m.speed)) < 2e-6, row
        window = m.step // 20 * 20
        net = net_speed(moments[window - 20], moments[window]) if window else None
        assert (row["net_speed_m_s"] == "") == (net is None), row
        assert net is None or abs(float(row["net_speed_m_s"]) - net) < 3e-6, (row, net)
    people = sum(len(m.id) for m in moments)
    assert summary["overlaps"] == sum(int(row["overlaps"]) for row in told) > 0
    in_contact = sum(int(row["in_contact"]) for row in told)
    assert abs(summary["contact_share"] - in_contact / people) < 1e-6
    first = max(range(len(contacts)), key=lambda k: contacts[k].deepest)
    m, c, deepest = moments[first], contacts[first], summary["deepest_overlap"]
    assert abs(deepest["time_s"] - 0.1 * first) < 1e-9, (deepest, first)
    x, y = c.at[np.unravel_index(np.argmax(c.depth), c.depth.shape)[0]] * m.quantum + m.origin
    assert abs(deepest["x"] - x) < 1e-3 and abs(deepest["y"] - y) < 1e-3, (deepest, x, y)


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
