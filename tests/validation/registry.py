"""The list of the cases: a case registers itself with the decorator `case`."""

from dataclasses import dataclass
from typing import Callable, Optional

CASES = []
SEEDS = (1, 2, 3)  # of the cases in which chance matters


@dataclass
class Case:
    key: str  # for --only
    title: str
    asked: str
    bound: str
    source: str  # of the bound
    function: Callable
    fast: bool  # takes seconds: part of the ctest test
    fails: Optional[str]


def case(title, asked, bound, source, fast=False, fails=None):
    """Decorator: registers the function as a case."""

    def add(function):
        key = function.__name__.replace("_", "-")
        CASES.append(Case(key, title, asked, bound, source, function, fast, fails))
        return function

    return add
