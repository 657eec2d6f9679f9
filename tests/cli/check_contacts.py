"""Do series.csv and summary.json say of contacts, speeds and counts what all pairs of the snapshots
say? A part of check_measuring.py."""
import numpy as np
from moments import rows

CONTACT = 0.8  # of the sum of two radii: avoidance.contact where people walk by headway


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
