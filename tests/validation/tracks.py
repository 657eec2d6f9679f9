"""Where people were, every half second, in an experiment or in a run: both are measured by the same
functions, which the reference numbers come from as well."""

import numpy as np

EVERY = 0.5  # s, between two rows
EDGES = np.arange(0, 5.01, 0.5)  # persons/m^2: the bins of density
LEAST = 10  # samples that a bin must have


class Tracks:
    """Places of all people on one clock.

    place[row][person] is [x, y] in m, nan while the person is away; row k is at k EVERY."""

    def __init__(self, place, kind=None):
        self.place = place
        self.kind = kind  # [person]: index of the destination; None: unknown

    @property
    def velocity(self):
        """[row][person][2], m/s: the mean over one second around each row, because heads sway."""
        velocity = np.full_like(self.place, np.nan)
        velocity[1:-1] = (self.place[2:] - self.place[:-2]) / (2 * EVERY)
        return velocity

    def ends(self):
        """First and last place of each person."""
        here = ~np.isnan(self.place[:, :, 0])
        people = np.arange(here.shape[1])
        return self.place[here.argmax(0), people], self.place[-1 - here[::-1].argmax(0), people]


def tracks_of_run(run):
    """Of the snapshots of a run with output.snapshot_every: 0.5."""
    seen = {}
    for snapshot in run.snapshots(("id", "destination")):
        seen[round(snapshot.time / EVERY)] = snapshot
    ids = np.unique(np.concatenate([s.id for s in seen.values()]))
    place, kind = np.full((max(seen) + 1, len(ids), 2), np.nan), np.zeros(len(ids), int)
    for row, snapshot in seen.items():
        people = np.searchsorted(ids, snapshot.id)
        place[row, people], kind[people] = snapshot.place, snapshot.destination
    return Tracks(place, kind)


def tracks_of_rows(rows, rate, metre=1.0):
    """Of an experiment's rows [person, frame, x, y]; metre: how many of its units a metre has."""
    numbers = np.unique(rows[:, 0])
    last = rows[:, 1].max() / rate
    clock = np.arange(0, last + EVERY, EVERY)
    place = np.full((len(clock), len(numbers), 2), np.nan)
    for person, number in enumerate(numbers):
        mine = rows[rows[:, 0] == number]
        time = mine[:, 1] / rate
        inside = (clock >= time[0]) & (clock <= time[-1])
        for axis in (0, 1):
            place[inside, person, axis] = np.interp(clock[inside], time, mine[:, 2 + axis]) / metre
    return Tracks(place)


def inside(place, area):
    """Whether places [...][2] are in the rectangle [x0, y0, x1, y1]."""
    x, y = place[..., 0], place[..., 1]
    with np.errstate(invalid="ignore"):
        return (x > area[0]) & (x < area[2]) & (y > area[1]) & (y < area[3])


def size(area):
    return (area[2] - area[0]) * (area[3] - area[1])


def cloud(tracks, area, heading=None):
    """Rows [density, mean speed] of a rectangle, one each half second with somebody inside.

    heading: direction [2], or one for each person, along which the speed counts; None: any."""
    velocity = tracks.velocity
    if heading is None:
        speed = np.hypot(velocity[..., 0], velocity[..., 1])
    else:
        speed = (velocity * np.asarray(heading)).sum(-1)
    here = inside(tracks.place, area) & ~np.isnan(speed)
    count = here.sum(1)
    total = np.where(here, speed, 0).sum(1)
    return np.column_stack((count / size(area), total / np.maximum(count, 1)))[count > 0]


def bins(rows):
    """{lower edge of the density: (samples, mean speed)} of a cloud."""
    found = {}
    for low, high in zip(EDGES, EDGES[1:]):
        mine = rows[(rows[:, 0] >= low) & (rows[:, 0] < high), 1]
        if len(mine):
            found[float(low)] = (len(mine), float(np.mean(mine)))
    return found


def merged(tables):
    """The bins of several clouds together."""
    sums = {}
    for low, (count, speed) in (item for table in tables for item in table.items()):
        n, total = sums.get(low, (0, 0.0))
        sums[low] = (n + count, total + count * speed)
    return {low: (n, total / n) for low, (n, total) in sorted(sums.items())}


def common(real, simulated, least=LEAST):
    """[(middle of the bin, real speed, simulated speed)] of bins with enough samples of both."""
    return [(low + 0.25, real[low][1], simulated[low][1]) for low in sorted(real)
            if low in simulated and min(real[low][0], simulated[low][0]) >= least]


def lane_order(y, side):
    """Mean over persons of ((same - opposite)/(same + opposite))^2, where same and opposite count
    the others within 0.75 m of the person's own line (Nowak, Schadschneider 2012, per person)."""
    near = np.abs(y[:, None] - y) <= 0.75
    np.fill_diagonal(near, False)
    same = (near & (side[:, None] == side)).sum(axis=1)
    all_ = near.sum(axis=1)
    seen = all_ > 0
    return np.mean(((2 * same[seen] - all_[seen]) / all_[seen]) ** 2) if seen.any() else np.nan


def lanes_of(tracks, area, up):
    """(lane order, share on the own right half) in a rectangle along y; means over the half seconds
    with two people of each direction. up: [person] whether they walk towards +y."""
    orders, rights, middle = [], [], (area[0] + area[2]) / 2
    for place, here in zip(tracks.place, inside(tracks.place, area)):
        x, side = place[here, 0], up[here]
        if min(side.sum(), (~side).sum()) >= 2:
            orders.append(lane_order(x, side))
            rights.append(np.mean((x > middle) == side))
    return float(np.nanmean(orders)), float(np.mean(rights))


def gaps(tracks, area):
    """(5th percentile of the distance to the nearer wall, standard deviation of the place/width) of
    all people in a rectangle along y between two walls."""
    x = tracks.place[inside(tracks.place, area)][:, 0]
    gap = np.minimum(x - area[0], area[2] - x)
    return float(np.quantile(gap, 0.05)), float(np.std(x) / (area[2] - area[0]))


def crossings(tracks, axis, value):
    """When people first passed a line of constant x (axis 0) or y (axis 1), ascending, s."""
    place = tracks.place[:, :, axis]
    before, after = place[:-1], place[1:]
    with np.errstate(invalid="ignore"):
        passed = ((before - value) * (after - value) <= 0) & (before != after)
    people = passed.any(0)
    row = passed.argmax(0)[people]
    a, b = before[row, people], after[row, people]
    return np.sort((row + (value - a) / (b - a)) * EVERY)
