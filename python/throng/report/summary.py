"""The first screen: the result of a run in a few sentences and numbers."""
from __future__ import annotations

import dataclasses

from throng.report.facts import Densest, Facts
from throng.report.places import Gazetteer
from throng.report.words import both, clock, joined, number, place, plural, seconds, share


@dataclasses.dataclass
class Tile:
    """A number that one sees first. grave: it wants attention."""
    what: str
    value: str
    detail: str
    grave: bool = False


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
        said = [f"All {count} had left after {both(facts.time_of_share(1))}."]
        said.append(f"Half of them had left after {seconds(half)}, 90 % after {seconds(most)} and "
                    f"95 % after {seconds(nearly)}.")
        return said
    when = f"when the run ended, after {both(facts.time)}" if facts.finished else \
        f"after {both(facts.time)}; the run has not ended"
    said = [f"{number(facts.arrived)} of {count} ({share(facts.arrived, facts.count)}) had arrived "
            f"{when}. {plural(facts.inside, 'person was', 'people were')} still on the way."]
    reached = [f"{name} after {seconds(at)}" for name, at in
               (("half", half), ("90 %", most), ("95 %", nearly)) if at is not None]
    if reached:
        said.append(f"Of all {count}, {joined(reached)} had left.")
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
    sample = (f"counted every {densest.sampled:g} s in cells of {densest.cell:g} m" if densest.exact
              else f"mean of {densest.sampled:g} s in cells of {densest.cell:g} m")
    said = [f"It was densest at {near(gazetteer, densest.x, densest.y)}: "
            f"{number(densest.value, 2)} people/m² ({sample})."]
    level = f"{densest.limit:.2f} people/m², where Fruin's level E ends"
    if densest.longest <= 0:
        return said + [f"No place was above {level}."]
    longest = f"{near(gazetteer, densest.longest_x, densest.longest_y)}: for " \
              f"{both(densest.longest)} in all"
    here = (densest.longest_x, densest.longest_y) == (densest.x, densest.y)
    return said + [f"{'It' if here else 'This place'} was above {level}, for "
                   f"{both(densest.seconds)} in all"
                   f"{', longer than any other place' if here else f'; longest at {longest}'}."]


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
            f"{seconds(float(facts.alarms['time_s'][0]))} at {near(gazetteer, x, y)}."]


def sentences(facts: Facts, gazetteer: Gazetteer) -> list[str]:
    """The result in plain words: a paragraph for each topic."""
    dense = dense_sentences(facts.densest, gazetteer) if facts.densest else []
    topics = (arrival_sentences(facts), travel_sentence(facts), dense,
              alarm_sentence(facts, gazetteer))
    return [" ".join(topic) for topic in topics if topic]


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
    found.append(Tile("50, 90 and 95 % had left after", " · ".join(
        number(facts.time_of_share(part), 0) for part in (0.5, 0.9, 0.95)) + " s",
        "of all people; a dash: not reached"))
    densest = facts.densest
    if densest:
        found.append(Tile("Highest density", f"{number(densest.value, 1)} people/m²",
                          f"at {near(gazetteer, densest.x, densest.y)}",
                          densest.value >= densest.limit))
        found.append(Tile("Above level E", clock(densest.longest) if densest.longest else "never",
                          f"longest at one place; level E ends at {densest.limit:.2f} people/m²"
                          if densest.longest else
                          f"level E ends at {densest.limit:.2f} people/m²", densest.longest > 0))
    if facts.alarm_counts:
        total = sum(facts.alarm_counts.values())
        found.append(Tile("Alarms", number(total), joined(
            [f"{number(n)} {kind}" for kind, n in facts.alarm_counts.items()]), total > 0))
    return found
