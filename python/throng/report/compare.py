"""Several runs side by side: their differences, or, of repetitions with other seeds, mean and
range."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Optional

from throng.means import describe
from throng.report import places
from throng.report.facts import SHARES, Facts
from throng.report.sheets import Sheet
from throng.report.words import known, number, printable
from throng.scene import Scene

COLUMNS = 6  # runs that get a column of their own


@dataclasses.dataclass
class Measure:
    """A number of a run: what, in which unit, with how many digits after the point."""
    group: str
    what: str
    unit: str
    digits: int
    value: Optional[float]

    @property
    def key(self) -> tuple[str, str, str]:
        """The same of two runs."""
        return self.group, self.what, self.unit


def whole_run(facts: Facts) -> list[Measure]:
    """Numbers of the whole run."""
    travel, densest, group = facts.travel_row() or {}, facts.densest, "The whole run"
    fullest = facts.fullest
    found = [Measure(group, "people", "people", 0, facts.count),
             Measure(group, "arrived", "people", 0, facts.arrived),
             Measure(group, "still inside at the end", "people", 0, facts.inside)]
    for part in SHARES:
        who = "everybody" if part == 1 else f"{100 * part:g} % of all"
        found.append(Measure(group, f"{who} had left by", "s", 1, facts.time_of_share(part)))
    for name, what, digits in (("mean_s", "mean travel time", 1), ("median_s", "half of those who "
                               "arrived took at most", 0), ("p95_s", "95 % took at most", 0),
                               ("max_s", "longest travel time", 1),
                               ("mean_waiting_s", "mean waiting", 1)):
        found.append(Measure(group, what, "s", digits, travel.get(name)))
    found.append(Measure(group, "most people inside at once", "people", 0,
                         fullest[0] if fullest else None))
    if densest:
        found += [Measure(group, "highest density", "people/m²", 2, densest.value),
                  Measure(group, "longest time at level E or worse at one place", "s", 1,
                          densest.e.longest),
                  Measure(group, "longest time at level F at one place", "s", 1,
                          densest.f.longest),
                  Measure(group, "ground ever at level E or worse", "m²", 0, densest.e.ground)]
    found += [Measure(group, f"alarms: {kind}", "alarms", 0, count)
              for kind, count in facts.alarm_counts.items()]
    return found


def measures_of(facts: Facts, scene: Scene) -> list[Measure]:
    """All numbers of a run that can be compared with another run's."""
    found = whole_run(facts)
    for one in places.found_exits(facts, scene):
        name = printable(one.name)
        found += [Measure("Exits", f"{name}: people", "people", 0, one.people),
                  Measure("Exits", f"{name}: mean travel time", "s", 1, one.travel)]
    for line in places.lines_of(facts, scene):
        name = printable(line.name)
        found += [Measure("Lines", f"{name}: forward", "people", 0, line.forward),
                  Measure("Lines", f"{name}: backward", "people", 0, line.backward),
                  Measure("Lines", f"{name}: busiest {line.window:g} s", "people/s", 2,
                          line.busiest)]
    for area in places.areas_of(facts):
        name = printable(area.name)
        found += [Measure("Areas", f"{name}: most people", "people", 0, area.people),
                  Measure("Areas", f"{name}: highest density", "people/m²", 2, area.density),
                  Measure("Areas", f"{name}: mean speed", "m/s", 2, area.speed),
                  Measure("Areas", f"{name}: at level E or worse", "s", 1, area.seconds)]
    for queue in places.queues_of(facts):
        name = printable(queue.name)
        found += [Measure("Queues", f"{name}: longest", "people", 0, queue.longest),
                  Measure("Queues", f"{name}: served", "people", 0, queue.served)]
    return found


def united(runs: Sequence[list[Measure]]) -> list[tuple[Measure, list[Optional[float]]]]:
    """Each measure of any run, and its value in every run."""
    order: dict[tuple[str, str, str], Measure] = {}
    for measures in runs:
        for one in measures:
            order.setdefault(one.key, one)
    groups = list(dict.fromkeys(one.group for one in order.values()))
    rows = sorted(order.values(), key=lambda one: groups.index(one.group))
    values = [{one.key: one.value for one in measures} for measures in runs]
    return [(one, [of_run.get(one.key) for of_run in values]) for one in rows]


def signed(value: float, digits: int) -> str:
    """A difference with its sign; 0 without."""
    text = number(abs(value), digits)
    zero = float(text.replace(",", "")) == 0
    return text if zero else ("+" if value > 0 else "−") + text


def difference(first: Optional[float], other: Optional[float], digits: int) -> str:
    """'−12.5 (−15 %)', or a dash where one is missing."""
    if first is None or other is None or not known(first) or not known(other):
        return "–"
    text = signed(other - first, digits)
    if first == 0 or other == first:
        return text
    percent = 100 * (other - first) / abs(first)
    if abs(percent) < 1:
        return f"{text} (<1 %)"
    return f"{text} ({signed(percent, 0)} %)"


def differences_sheet(labels: Sequence[str], runs: Sequence[list[Measure]]) -> Sheet:
    """Every run in a column; beside each but the first its difference from the first."""
    heads = ["", "Unit", labels[0]]
    for label in labels[1:]:
        heads += [label, f"{label} against {labels[0]}"]
    rows = []
    for one, values in united(runs):
        row = [in_group(one), one.unit, number(values[0], one.digits)]
        for value in values[1:]:
            row += [number(value, one.digits), difference(values[0], value, one.digits)]
        rows.append(row)
    return Sheet("Numbers of the runs", heads, rows, words=2, notes=[
        f"Differences are from {labels[0]}, in the unit of the row and in percent of its value. A "
        "dash: not measured, or not reached. One run of each says nothing about chance: compare "
        "means over several seeds before small differences count."])


def range_sheet(labels: Sequence[str], runs: Sequence[list[Measure]]) -> Sheet:
    """Mean, lowest and highest value over repetitions."""
    few = len(labels) <= COLUMNS
    heads = ["", "Unit", "Mean", "Lowest", "Highest", "95 % interval of the mean"]
    heads += [f"{label}" for label in labels] if few else []
    rows = []
    for one, values in united(runs):
        there = [float(value) for value in values if known(value)]
        _, mean, _, low, high = describe(there)
        digits = one.digits + (1 if one.digits == 0 else 0)
        row = [in_group(one), one.unit, number(mean, digits),
               number(min(there, default=None), one.digits),
               number(max(there, default=None), one.digits),
               "–" if low is None else f"{number(low, digits)} to {number(high, digits)}"]
        if len(there) < len(values):
            row[0] += f" ({len(there)} of {len(values)} runs)"
        rows.append(row + ([number(value, one.digits) for value in values] if few else []))
    return Sheet("Numbers over all runs", heads, rows, words=2, notes=[
        f"Over {len(labels)} runs of the same scenario with different seeds. The interval is that "
        "of Student's t."])


def in_group(one: Measure) -> str:
    """'Exits: north: people'; without a group for the whole run."""
    return one.what if one.group == "The whole run" else f"{one.group}: {one.what}"
