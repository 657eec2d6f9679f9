"""Runs a scenario for every combination of some options' values, with several seeds each."""
from __future__ import annotations

import csv
import hashlib
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from throng import named_files
from throng.errors import INPUT_OUTPUT, Error, reading
from throng.means import describe
from throng.program import execute, option_text, release
from throng.whole_file import whole_file

if TYPE_CHECKING:
    from throng.results import Run

Row = dict[str, Any]
Measure = Union[Sequence[str], Callable[["Run"], Any]]


@dataclass
class Sweep:
    """The results of a sweep.

    options: the keys of the swept options; results: names of the results; rows: one for each run,
    {option: value, "seed": seed, result: value}; pandas.DataFrame(sweep.rows) makes a data frame.
    """

    options: list[str]
    results: list[str]
    rows: list[Row]

    def summary(self) -> list[Row]:
        """One row for each combination and each result that is a number: the options, `result`
        (its name), n, mean, sd (sample standard deviation), low, high (95 % confidence interval of
        the mean, Student's t over the seeds). A result of None, such as the evacuation time of a
        run that did not end, is not counted."""
        groups: dict[tuple, list[Row]] = {}
        for row in self.rows:
            groups.setdefault(tuple(option_text(row[key]) for key in self.options), []).append(row)
        return [{**{key: rows[0][key] for key in self.options}, "result": name,
                 **dict(zip(("n", "mean", "sd", "low", "high"),
                            describe([row[name] for row in rows if is_number(row[name])])))}
                for rows in groups.values() for name in self.results
                if any(is_number(row[name]) for row in rows)]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows as a table; a result of None is empty."""
        with whole_file(path) as begun, open(begun, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            names = [*self.options, "seed", *self.results]
            writer.writerow(names)
            writer.writerows([[cell(row[name]) for name in names] for row in self.rows])


def is_number(value: object) -> bool:
    """Whether a result is a number; those of numpy are."""
    return value is not None and not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def cell(value: object) -> object:
    """A value as it stands in the table."""
    return option_text(value) if isinstance(value, (list, tuple, dict, bool)) else value


def number(summary: Mapping[str, Any], key: str) -> Any:
    """The value of this name in a summary, a.b.c for a nested one."""
    found: Any = summary
    for word in key.split("."):
        if not isinstance(found, dict) or word not in found:
            raise Error(f"measure: summary.json has no {key}")
        found = found[word]
    return found


def plan_of(over: Mapping[str, Iterable[Any]], seeds: Iterable[int]) -> list[Row]:
    """One row for each run: run (name of its folder), seed and the options."""
    seeds = list(seeds)
    values = itertools.product(*over.values())
    runs = [(seed, combination) for combination in values for seed in seeds]
    return [{"run": f"{i:04d}", "seed": seed, **dict(zip(over, combination))}
            for i, (seed, combination) in enumerate(runs, 1)]


def plan_text(plan: list[Row]) -> str:
    """plan.tsv, as jobs/sweep.sh writes it and tools/collect.py reads it."""
    rows = [list(plan[0]), *([option_text(value) for value in row.values()] for row in plan)]
    return "".join("\t".join(row) + "\n" for row in rows)


def same_or_new(path: str, text: str) -> None:
    """Writes a file of the sweep, or checks that the one of an earlier call says the same."""
    try:
        if not os.path.exists(path):
            with whole_file(path) as begun, open(begun, "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError as error:
        raise Error(f"{path}: {error.strerror}", INPUT_OUTPUT) from None
    raise Error(f"{os.path.dirname(path)} holds another sweep ({os.path.basename(path)}); give "
                "another folder")


def identity(plan: list[Row], config: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a sweep from others besides its plan: scenario, the files that it or an option
    names, and the options of all runs."""
    with open(config, "rb") as file:
        text = file.read()
    values = {option_text(value) for row in (options, *plan) for value in row.values()}
    return {"scenario_sha256": hashlib.sha256(text).hexdigest(),
            "set": {key: option_text(value) for key, value in options.items()},
            "files_sha256": named_files.hashes(config, [text.decode("utf-8", "replace"), *values])}


def require_files(folder: str, told: Mapping[str, Any]) -> None:
    """An error that names the files that have changed since this sweep began. Of a new sweep, or
    another one, it says nothing."""
    try:
        with open(os.path.join(folder, "sweep.json"), encoding="utf-8") as file:
            before = json.load(file)
            changed = sorted({name for name, _ in
                              before["files_sha256"].items() ^ told["files_sha256"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    if changed and all(before.get(key) == told[key] for key in ("scenario_sha256", "set")):
        raise Error(f"{folder}: {', '.join(changed[:3])} {'has' if len(changed) == 1 else 'have'} "
                    "changed since this sweep began; give another folder, or remove this one")


def prepare(folder: str, plan: list[Row], config: str, options: Mapping[str, Any]) -> None:
    """Makes the folder of a sweep, or checks that it is that of the same one."""
    try:
        told = identity(plan, config, options)
        os.makedirs(folder, exist_ok=True)
    except FileNotFoundError as error:
        raise Error(f"{error.filename}: no such file") from None
    except OSError as error:
        raise Error(f"{error.filename}: {error.strerror}", INPUT_OUTPUT) from None
    same_or_new(os.path.join(folder, "plan.tsv"), plan_text(plan))
    require_files(folder, told)
    same_or_new(os.path.join(folder, "sweep.json"),
                json.dumps(told, indent=1, sort_keys=True) + "\n")


def is_finished(folder: str, row: Row) -> bool:
    """Whether a run of the plan has ended; its summary is the last file that it writes."""
    return os.path.exists(os.path.join(folder, row["run"], "summary.json"))


def require_release(folder: str, rows: Iterable[Row], wanted: str = "") -> None:
    """An error if these finished runs are of different versions of throng, or not of the wanted
    one: their results may differ for no other reason."""
    for row in rows:
        path = os.path.join(folder, row["run"], "summary.json")
        with reading(path, "a summary"), open(path, encoding="utf-8") as file:
            summary = json.load(file)
            found = f"{summary.get('version')} ({summary.get('revision')})"
        wanted = wanted or found
        if found != wanted:
            raise Error(f"{folder}/{row['run']} was made by throng {found}, not {wanted}; remove "
                        "it, and it is run again, or give another folder")


def run_one(row: Row, plan: list[Row], folder: str, start: Callable[[Row], object]) -> bool:
    """Does one run of the plan, by the version of throng that did the others. False: it is finished.
    Only one of the others is looked at: a thousand jobs may begin at the same time."""
    if is_finished(folder, row):
        return False
    other = next((other for other in plan if is_finished(folder, other)), None)
    if other:
        require_release(folder, [other], release())
    start(row)
    return True


def run_all(plan: list[Row], folder: str, start: Callable[[Row], object], workers: int,
            quiet: bool) -> None:
    """Does the runs that are not finished, some at a time; ends at the first that fails."""
    finished: list[Row] = []
    missing: list[Row] = []
    for row in plan:
        (finished if is_finished(folder, row) else missing).append(row)
    require_release(folder, finished, release() if finished and missing else "")
    run_some(missing, len(finished), folder, start, workers, quiet)
    require_release(folder, plan)  # someone may have rebuilt throng during the sweep


def run_some(missing: list[Row], done: int, folder: str, start: Callable[[Row], object],
             workers: int, quiet: bool) -> None:
    """Does these runs; `done` others are finished."""
    total = done + len(missing)

    def count(future: Future) -> None:
        nonlocal done
        if future.cancelled() or future.exception():
            return
        done += 1
        if not quiet:
            print(f"sweep: {done} of {total} runs", file=sys.stderr, flush=True)

    pool = ThreadPoolExecutor(workers)
    try:
        futures = {pool.submit(start, row): row for row in missing}
        for future in futures:
            future.add_done_callback(count)
        ended, _ = wait(futures, return_when=FIRST_EXCEPTION)
    finally:
        pool.shutdown(cancel_futures=True)
    for future in ended:
        error = future.exception()
        if isinstance(error, Error):
            row = futures[future]
            raise Error(f"{folder}/{row['run']} (seed {row['seed']}): {error}", error.code)
        future.result()


def measured(row: Row, folder: str, measure: Measure) -> Row:
    """The results of a finished run by name."""
    from throng.results import Run  # loads h5py
    done = Run(os.path.join(folder, row["run"]))
    if done.summary.get("seed") != row["seed"]:
        raise Error(f"{done.folder}: its seed is {done.summary.get('seed')} instead of the planned "
                    f"{row['seed']}: another run was written there")
    if not callable(measure):
        return {key: number(done.summary, key) for key in measure}
    found = measure(done)
    return dict(found) if isinstance(found, Mapping) else {"result": found}


def planned(config: str, over: Mapping[str, Iterable[Any]], seeds: Iterable[int], folder: str,
            options: Mapping[str, Any]) -> list[Row]:
    """The plan of a sweep, in whose folder it is written or was written before."""
    plan = plan_of({key: list(values) for key, values in over.items()}, seeds)
    if not plan or "seed" in over:
        raise Error("sweep: give at least one value per option and one seed; use `seeds` for the "
                    "seed")
    prepare(folder, plan, config, options)
    return plan


def run_row(config: str, row: Row, folder: str, options: Mapping[str, Any],
            threads: int | None = None, quiet: bool = False) -> None:
    """One run of the plan, from its last checkpoint if it has one."""
    swept = {key: value for key, value in row.items() if key != "run"}
    execute(config, {**options, **swept}, 1, {"threads": threads, "restart": "auto", "output":
                                              os.path.join(folder, row["run"])}, quiet)


# pylint: disable=redefined-builtin,too-many-arguments,too-many-locals
def sweep(config: str | os.PathLike[str], over: Mapping[str, Iterable[Any]],
          seeds: Iterable[int] = range(10), workers: int = 2,
          measure: Measure = ("evacuation_time_s",), output: str | os.PathLike[str] = "sweeps",
          set: Mapping[str, Any] | None = None, threads: int | None = None,
          quiet: bool = False) -> Sweep:
    """Runs every combination of the options' values with every seed, and returns a table.

    over: {"sources.0.count": [100, 200]}. measure: keys of summary.json ("travel.mean_s" for a
    nested one), or a function of a Run that returns a number or {name: number}. workers: runs at
    the same time, each with `threads` (by default the cores divided by the workers). set: options
    of all runs. Runs go to output/0001, 0002, ...; output/plan.tsv lists them and table.csv has the
    rows. The same call again does only what is missing, from its last checkpoint if it has one.
    Raises Error at the first run that fails, once those that are under way have ended.
    """
    folder, options, scenario = os.fspath(output), set or {}, os.fspath(config)
    if workers < 1:
        raise Error("sweep: at least one worker is expected")
    plan = planned(scenario, over, seeds, folder, options)
    threads = threads or max(1, (os.cpu_count() or 1) // workers)

    def start(row: Row) -> None:
        run_row(scenario, row, folder, options, threads, quiet=True)

    run_all(plan, folder, start, workers, quiet)
    prepare(folder, plan, scenario, options)  # nothing has changed meanwhile
    results = [measured(row, folder, measure) for row in plan]
    names = list(dict.fromkeys(name for found in results for name in found))
    rows = [{**row, **dict.fromkeys(names), **found} for row, found in zip(plan, results)]
    for row in rows:
        del row["run"]
    table = Sweep(list(over), names, rows)
    table.write(os.path.join(folder, "table.csv"))
    return table
