#!/usr/bin/env python3
"""Runs the cases of docs/validation.md: prints one line per case and draws the pictures.

    tests/validation/run.py                   all cases: minutes
    tests/validation/run.py --fast            only those that take seconds, as ctest does
    tests/validation/run.py --only rimea-12   those whose name contains this text
    tests/validation/run.py --write           also write table and pictures of docs/validation.md
    tests/validation/run.py --set seed=2      in every run: how much depends on chance?

Exit code 1: a case failed that is not known to fail.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor

try:
    import matplotlib  # noqa: F401
    from cases import CASES
    from scene import HERE, ROOT, Work
    from scenes import scenes_draw
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PAGE = ROOT / "docs/validation.md"
BEGIN = "<!-- the table: made by tests/validation/run.py --write -->"
END = "<!-- end of the table -->"
HEAD = "| | case | what | bound | from | measured | passed |\n|---|---|---|---|---|---|---|\n"
PROFILE = "0.2, walking: {model: headway}"  # after the radius: that of every scenario
WORDS = {True: "passed", False: "FAILED", None: "skipped"}


def strangers():
    """Profiles that differ from the common one in more than speed and reaction."""
    wrong = []
    for path in sorted(HERE.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        for name, rest in re.findall(r"\{name: ([^,]*), radius: ([^}]*\})", text):
            if rest != PROFILE:
                wrong.append(f"{path.name}: {name}")
    return wrong


def shared_folder():
    """Folder of data too large for the repository: THRONG_SHARED, or next to the checkout."""
    return pathlib.Path(os.environ.get("THRONG_SHARED", ROOT.parent / "shared"))


def case_run(case, work):
    """The entries of one case in the table."""
    begin, broken = time.monotonic(), False
    try:
        measured, passed = case.function(work)
    except Exception as error:  # the other cases still run
        measured, passed, broken = f"{type(error).__name__}: {error}", False, True
    passed = None if passed is None else bool(passed)
    seconds = time.monotonic() - begin
    return {"measured": measured, "passed": passed, "broken": broken, "seconds": seconds}


def unexpected(case, result):
    """Failed without being known to fail, or ended by an exception."""
    return result["passed"] is False and (result["broken"] or not case.fails)


def line_print(case, result):
    word = WORDS[result["passed"]]
    if result["passed"] is False and not unexpected(case, result):
        word += ", as expected"
    if case.fails and result["passed"]:
        word += ", although listed as failing"
    print(f"{case.title}: {result['measured']} (required: {case.bound}): {word}, "
          f"{result['seconds']:.0f} s", flush=True)


def results_kept(path, results):
    """The results of this run, plus earlier results of the cases that were not run now."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known.update(results)
    path.write_text(json.dumps(known, indent=1), encoding="utf-8")
    return known


def row(number, case, result):
    passed = {True: "yes", False: "**no**", None: "skipped"}[result["passed"]]
    return (f"| {number} | {case.title} | {case.asked} | {case.bound} | {case.source} "
            f"| {result['measured']} | {passed} |\n")


def item(text):
    return textwrap.fill(text, 100, initial_indent="- ", subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False) + "\n"


def page_write(results):
    """Writes the table between its two marks."""
    rows = [row(number, case, results[case.key]) for number, case in enumerate(CASES, 1)
            if case.key in results]
    reasons = [item(f"**{case.title}**: {case.fails}") for case in CASES
               if case.fails and case.key in results and not results[case.key]["passed"]]
    why = "\nWhat fails, and why:\n\n" + "".join(reasons) if reasons else ""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    table = f"{BEGIN}\n\n{HEAD}{''.join(rows)}{why}\n{END}"
    PAGE.write_text(before + table + after, encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throng", type=pathlib.Path, default=ROOT / "build/release/throng")
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    parser.add_argument("--fast", action="store_true", help="only cases that take seconds")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "runs/validation")
    parser.add_argument("--jobs", type=int, default=1, help="cases to run at the same time")
    parser.add_argument("--write", action="store_true", help="write table and pictures into docs")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE, for every run")
    options = parser.parse_args()
    if strangers():
        parser.error("profiles differ: " + ", ".join(strangers()))
    if options.write and options.set:
        parser.error("the page shows the unmodified cases: use either --write or --set")
    return options


def cases_chosen(options):
    exactly = [case for case in CASES if case.key == options.only.lower()]
    named = exactly or [case for case in CASES if options.only.lower() in case.key]
    return [case for case in named if case.fast or not options.fast]


def cases_run(chosen, work, jobs):
    """{name: result}; prints the line of a case when it and all previous ones are done."""
    results = {}
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [(case, pool.submit(named_run, case.key, work)) for case in chosen]
        for case, future in waiting:
            results[case.key] = future.result()
            line_print(case, results[case.key])
    return results


def main():
    options = arguments()
    chosen = cases_chosen(options)
    output = options.output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    pictures = ROOT / "docs/images" if options.write else output
    work = Work(options.throng.resolve(), output, pictures, shared_folder(), tuple(options.set))
    results = cases_run(chosen, work, options.jobs)
    wrong = [case.title for case in chosen if unexpected(case, results[case.key])]
    known = results_kept(output / "results.json", results)
    if options.write:
        page_write(known)
        scenes_draw(work)
    print(f"{len(results)} cases, {sum(r['passed'] is True for r in results.values())} passed; "
          f"{sum(r['seconds'] for r in results.values()):.0f} s")
    if wrong:
        print("failed unexpectedly: " + ", ".join(wrong))
    return 1 if wrong or not chosen else 0


def named_run(key, work):
    """Runs in another process: decorated functions cannot be pickled, names can."""
    return case_run(next(case for case in CASES if case.key == key), work)


if __name__ == "__main__":
    sys.exit(main())
