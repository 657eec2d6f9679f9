"""Who left by which exit. An exit is a destination, or an area of one that has several, which is
named NAME.0, NAME.1 and so on, as events of the scenario name it."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Optional

import numpy as np

from throng.files import Table
from throng.scene import Feature, Ring, Scene


@dataclasses.dataclass
class Exit:
    """number: of the area of its destination; None if that has only one, or if it is not known.
    polygons: where it is, as far as the map says it."""
    destination: str
    number: Optional[int] = None
    polygons: list[list[Ring]] = dataclasses.field(default_factory=list)

    @property
    def name(self) -> str:
        """As pictures, tables and events name it."""
        return self.destination if self.number is None else f"{self.destination}.{self.number}"


@dataclasses.dataclass
class Exits:
    """Every exit, also those that nobody took: in the order of the scenario, then those that the
    map does not have. of [people]: number of the exit by which a person left; -1: by none."""
    every: list[Exit]
    of: np.ndarray

    @property
    def names(self) -> list[str]:
        """Of every exit."""
        return [one.name for one in self.every]

    @property
    def counts(self) -> np.ndarray:
        """People who left by each."""
        return np.bincount(self.of[self.of >= 0], minlength=len(self.every))


def arrived(people: Table) -> np.ndarray:
    """Which people of people.csv have left by themselves: those that a caller removed have not."""
    left = np.isfinite(people["left_s"])
    return left & ~removed(people)


def removed(people: Table) -> np.ndarray:
    """Which people of people.csv a caller removed. Older runs do not tell."""
    if "removed" not in people:
        return np.zeros(len(people["left_s"]), bool)
    return people["removed"] == 1


def parts_of(feature: Feature) -> Iterator[Exit]:
    """The exits that a destination of the map has."""
    areas = sorted(set(feature.areas))
    for area in areas if len(areas) > 1 else ():
        yield Exit(feature.name, area, [polygon for polygon, one in
                                        zip(feature.polygons, feature.areas) if one == area])
    if len(areas) <= 1:
        yield Exit(feature.name, None, feature.polygons)


def named_parts(feature: Feature) -> list[Feature]:
    """A feature of the map, or the exits of a destination that has several, each with its name."""
    if feature.role != "destination" or len(set(feature.areas)) <= 1:
        return [feature]
    return [Feature("destination", one.name, feature.kind, feature.index, one.polygons)
            for one in parts_of(feature)]


def exits_of(people: Table, scene: Scene) -> Exits:
    """The exits of a run, from its map and from people.csv."""
    every = [part for one in scene.of("destination") for part in parts_of(one)]
    split = {one.destination for one in every if one.number is not None}
    place = {(one.destination, one.number): i for i, one in enumerate(every)}
    of = np.full(len(people["left_s"]), -1)
    gone = arrived(people)
    for name in dict.fromkeys(people["destination"][gone]):
        here = gone & (people["destination"] == name)
        numbers = people["exit"][here]
        taken = np.unique(numbers[np.isfinite(numbers)])
        several = name in split or len(taken) > 1 or bool(np.any(taken > 0))
        for area in np.unique(numbers):  # nan comes last: people who walked to a point
            key = (str(name), int(area) if several and np.isfinite(area) else None)
            if key not in place:
                place[key] = len(every)
                every.append(Exit(*key))
            same = numbers == area if np.isfinite(area) else np.isnan(numbers)
            of[np.flatnonzero(here)[same]] = place[key]
    return Exits(every, of)
