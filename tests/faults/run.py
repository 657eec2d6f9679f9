#!/usr/bin/env python3
"""Injects faults into runs of throng: killed ranks, damaged files, full disks, removed folders.

    tests/faults/run.py THRONG                  the short form, as ctest runs it: a minute
    tests/faults/run.py --long THRONG           five minutes
    tests/faults/run.py --seed 7 --only disk THRONG
    tests/faults/run.py --kills 1000 --damage 3000 --forge 1000 --random-scenarios 500 \
        --state FILE THRONG

Prints one line per case. Exit code 1: a case failed; its files are kept.

The last form makes random trials instead of the cases, until so many kills, damages and scenarios
are reached. FILE keeps the finished ones: the same command goes on after an interruption.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile
import time

import trials
from cases import CASES, LONG_ONLY
from job import Failure, Skipped, Work
from variants import Worker


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("throng", type=pathlib.Path)
    parser.add_argument("--long", action="store_true", help="everything")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--seed", type=int, default=random.randrange(1000000),
                        help="of the random choices; default: a new one each time")
    parser.add_argument("--forge-program", type=pathlib.Path, metavar="FORGE",
                        help="what writes forged checkpoints: default: tests/forge beside THRONG")
    parser.add_argument("--launcher", default="mpirun --oversubscribe")
    for kind in trials.KINDS:
        parser.add_argument(f"--{kind}", dest=kind, type=int, default=0, metavar="N")
    parser.add_argument("--variants", type=pathlib.Path, metavar="PROGRAM",
                        help="rank_variants, for random scenarios; default: that of the build")
    parser.add_argument("--gpu", metavar="BACKEND", help="their GPU; default: emulated")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="no trial begins later")
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("--state", type=pathlib.Path, help="file of the trials that are finished")
    return parser.parse_args()


def case_run(name, work, seed):
    """Runs a case, prints its result, and returns passed, skipped or FAILED."""
    begin, word, more = time.monotonic(), "passed", ""
    try:
        seen = CASES[name](work, random.Random(f"{seed} {name}"))
    except Skipped as reason:
        seen, word = str(reason), "skipped"
        print(f"SKIPPED in part: {name}: {reason}")
    except Failure as reason:
        (seen, _, more), word = str(reason).partition("\n"), "FAILED"
    except Exception as error:  # the other cases still run
        seen, word = f"{type(error).__name__}: {error}", "FAILED"
    print(f"{name}: {seen}: {word}, {time.monotonic() - begin:.0f} s", flush=True)
    if more:
        print(more, flush=True)
    return word


def cases_run(options, work):
    """How many cases failed; 1 if there is none."""
    every = options.long or options.only
    chosen = [name for name in CASES if options.only in name and (every or name not in LONG_ONLY)]
    begin = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    words = [case_run(name, work, options.seed) for name in chosen]
    failed = words.count("FAILED")
    print(f"{len(words)} cases, {words.count('passed')} passed, {failed} failed; "
          f"{time.monotonic() - begin:.0f} s")
    return failed if chosen else 1


def trials_run(options, work, wanted):
    """How many trials failed."""
    state = trials.State(options.state, options.seed)
    print(f"seed {state.seed}, {len(state.notes)} trials finished before", flush=True)
    program = options.variants or work.throng.parent / "tests/rank_variants"
    work.worker = Worker(program.resolve(), work.launcher, work.folder)
    failed = trials.run(wanted, options.first, work, state, options.seconds)
    work.worker.end()
    return failed


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="throng-faults-"))
    folder.chmod(0o755)  # folder_read_only runs as another user
    throng = options.throng.resolve()
    work = Work(throng, options.launcher.split(), folder, options.long, options.gpu)
    work.forge = (options.forge_program or throng.parent / "tests/forge").resolve()
    wanted = {kind: vars(options)[kind] for kind in trials.KINDS}
    if any(wanted.values()):
        failed = trials_run(options, work, wanted)
    else:
        failed = cases_run(options, work)
    if failed:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
