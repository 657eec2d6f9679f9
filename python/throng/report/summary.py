"""The first screen: the result of a run in a few sentences and numbers."""
from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence

from throng.report.facts import Densest, Facts
from throng.report.places import Gazetteer
from throng.report.words import (Number, clock, joined, number, place, plural, seconds,
                                 share, tied)


@dataclasses.dataclass
class Tile:
    """A number that one sees first. grave: it wants attention."""
    what: str
    value: str
    detail: str
    grave: bool = False
    unit: str = ""


def near(gazetteer: Gazetteer, x: float, y: float) -> str:
    """'(1.5, 2.5) m, in hall'."""
    name = gazetteer.words(x, y)
    return f"{place(x, y)}{', ' + name if name else ''}"


def arrival_sentences(facts: Facts) -> list[str]:
    """Who arrived, and by when."""
    count = plural(facts.count, "person", "people")
    if facts.finished and facts.count == 0:
        return ["Nobody was in the world."]
    half, most, nearly = (facts.time_of_share(part) for part in (0.5, 0.9, 0.95))
    if facts.finished and facts.inside == 0:
        if facts.arrived < facts.count:
            return [f"{number(facts.arrived)} of {count} ({share(facts.arrived, facts.count)}) had "
                    f"arrived when the run ended, after {clock(facts.time)}. The others were "
                    "removed by the program that drove the run."]
        said = [f"All {count} had left after {clock(facts.time_of_share(1))}."]
        said.append(f"Half of them had left after {clock(half)}, 90 % after {clock(most)} and "
                    f"95 % after {clock(nearly)}.")
        return said
    when = f"when the run ended, after {clock(facts.time)}" if facts.finished else \
        f"after {clock(facts.time)}; the run has not ended"
    said = [f"{number(facts.arrived)} of {count} ({share(facts.arrived, facts.count)}) had arrived "
            f"{when}. {plural(facts.inside, 'person was', 'people were')} still on the way."]
    reached = [f"{name} after {clock(at)}" for name, at in
               ((f"Half of all {count} had left", half), ("90 %", most), ("95 %", nearly))
               if at is not None]
    if reached:
        said.append(f"{joined(reached)}.")
    return said


def travel_sentence(facts: Facts) -> list[str]:
    """How long they were on the way."""
    travel = facts.travel_row()
    if not travel:
        return []
    return [f"Those who arrived were on the way for {clock(travel['mean_s'])} on average, of which "
            f"they waited {clock(travel['mean_waiting_s'])}; the longest way took "
            f"{clock(travel['max_s'])}."]


def dense_sentences(densest: Densest, gazetteer: Gazetteer) -> list[str]:
    """Where it was densest, and for how long."""
    mean = f"mean of {densest.interval:g} s" if densest.interval else "mean of an interval"
    said = [f"It was densest at {near(gazetteer, densest.x, densest.y)}: "
            f"{number(densest.value, 2)} people/m² ({mean}, cells of {densest.cell:g} m)."]
    if densest.peak:
        said.append(f"In a single moment a cell held up to {number(densest.peak, 2)} people/m².")
    e, f = densest.e, densest.f
    level = f"Fruin's level E or worse ({e.limit:.2f} people/m² and more)"
    if e.longest <= 0:
        return said + [f"No place was at {level}."]
    at_f = f", of which {clock(f.here)} at level F ({f.limit:.2f} and more)" if f.here else ""
    said.append(f"This place was at {level} for {clock(e.here)} in all{at_f}.")
    if e.longest > e.here:
        said.append(f"Longest at that level was {near(gazetteer, e.x, e.y)}: {clock(e.longest)}.")
    return said


def alarm_sentence(facts: Facts, gazetteer: Gazetteer) -> list[str]:
    """How many alarms, and where the first was."""
    counts = facts.alarm_counts
    if not counts:
        return []
    if not sum(counts.values()):
        return ["There were no alarms."]
    said = joined([plural(n, f"{kind} alarm") for kind, n in counts.items() if n])
    if facts.alarms is None:
        return [f"There were {said}."]
    x, y = float(facts.alarms["x"][0]), float(facts.alarms["y"][0])
    return [f"There {'was' if sum(counts.values()) == 1 else 'were'} {said}, the first after "
            f"{clock(float(facts.alarms['time_s'][0]))} at {near(gazetteer, x, y)}."]


def sentences(facts: Facts, gazetteer: Gazetteer) -> list[str]:
    """The result in plain words: a paragraph for each topic."""
    dense = dense_sentences(facts.densest, gazetteer) if facts.densest else []
    topics = (arrival_sentences(facts), travel_sentence(facts), dense,
              alarm_sentence(facts, gazetteer))
    return [tied(" ".join(topic)) for topic in topics if topic]


def share_tile(facts: Facts) -> Tile:
    """When nearly all had left, or the largest share that had, and the lesser ones."""
    times = {name: facts.time_of_share(part) for name, part in
             (("95 %", 0.95), ("90 %", 0.9), ("50 %", 0.5))}
    reached = [(name, at) for name, at in times.items() if at is not None]
    missed = [name for name, at in times.items() if at is None]
    if not reached:
        return Tile("50 % had left after", "never", "of all people")
    (largest, time), *others = reached
    said = [f"{name} after {clock(at)}" for name, at in others[::-1]]
    said += [f"{joined(missed[::-1])} never" if missed else ""]
    return Tile(f"{largest} had left after", clock(time),
                ", ".join(filter(None, said)))


def tiles(facts: Facts, gazetteer: Gazetteer) -> list[Tile]:
    """The numbers that one sees first."""
    found = [Tile("People", number(facts.count),
                  f"at most {number(facts.fullest[0])} inside at once" if facts.fullest else "")]
    whole = facts.time_of_share(1)
    if whole is not None and facts.finished:
        found.append(Tile("Everybody had left after", clock(whole), seconds(whole)))
    else:
        found.append(Tile("Had arrived", share(facts.arrived, facts.count),
                          f"{number(facts.arrived)}; {number(facts.inside)} still inside after "
                          f"{clock(facts.time)}", True))
    found.append(share_tile(facts))
    densest = facts.densest
    if densest:
        e = densest.e
        mean = f"mean of {densest.interval:g} s" if densest.interval else "mean of an interval"
        found.append(Tile("Highest density", number(densest.value, 1),
                          f"{mean}, at {near(gazetteer, densest.x, densest.y)}",
                          densest.value >= e.limit, "people/m²"))
        found.append(Tile("At level E or worse", clock(e.longest) if e.longest else "never",
                          f"longest at one place; {e.limit:.2f} people/m² and more"
                          if e.longest else f"{e.limit:.2f} people/m² and more", e.longest > 0))
    if facts.alarm_counts:
        total = sum(facts.alarm_counts.values())
        found.append(Tile("Alarms", number(total), joined(
            [f"{number(n)} {kind}" for kind, n in facts.alarm_counts.items()]), total > 0))
    return [Tile(one.what, tied(one.value), tied(one.detail), one.grave, one.unit)
            for one in found]


def ranged(values: Sequence[Number], digits: int, unit: str) -> str:
    """'mean 82.3 s, 81.0 to 84.6 s' of the values that are known; '' if there are none."""
    there = [float(value) for value in values if value is not None]
    if not there:
        return ""
    return (f"{number(statistics.fmean(there), digits)} {unit} on average, "
            f"{number(min(there), digits)} to {number(max(there), digits)} {unit}")


def sentences_of_all(runs: Sequence[Facts]) -> list[str]:
    """The results of repetitions in plain words."""
    empty = [facts.time_of_share(1) for facts in runs if facts.time_of_share(1) is not None]
    count = plural(len(runs), "run")
    if len(empty) == len(runs):
        said = [f"In all {count} everybody had left, after {ranged(empty, 1, 's')}."]
    elif empty:
        said = [f"In {len(empty)} of {count} everybody had left, after {ranged(empty, 1, 's')}."]
    else:
        part = sorted(facts.arrived / max(facts.count, 1) for facts in runs)
        said = [f"In none of {count} everybody had arrived: "
                f"{share(statistics.fmean(part), 1, 1)} on average, {share(part[0], 1, 1)} to "
                f"{share(part[-1], 1, 1)}."]
    nearly = [facts.time_of_share(0.95) for facts in runs]
    if all(value is not None for value in nearly):
        said[0] += f" 95 % of all people had left after {ranged(nearly, 1, 's')}."
    dense = [facts.densest for facts in runs if facts.densest]
    if dense:
        said.append(f"The highest density was {ranged([d.value for d in dense], 1, 'people/m²')}; "
                    f"some place was at level E or worse for "
                    f"{ranged([d.e.longest for d in dense], 0, 's')}.")
    if any(facts.alarm_counts for facts in runs):
        alarms = [sum(facts.alarm_counts.values()) for facts in runs]
        said.append(f"Alarms in a run: {ranged(alarms, 0, 'alarms')}.")
    return [tied(sentence) for sentence in said]
