"""Loops of random trials, which may last for hours and go on where they were interrupted.

A trial depends on the seed, its kind and its number only. Each finished one is a line of the state
file; a trial that is cut off leaves no line and is made again.
"""

import json
import random
import time

import damage_trials
import forge_trials
import kills
import scenario_trials
from job import Failure

KINDS = {"kills": kills.trial, "damage": damage_trials.trial,
         "forge": forge_trials.trial,
         "random-scenarios": scenario_trials.trial}
EVERY = 10  # trials from one line of progress to the next


class State:
    """The finished trials of a seed, which is that of the file if there is one. path None: kept in
    memory only."""

    def __init__(self, path, seed):
        self.path = path
        self.seed = seed
        self.notes = {}  # {(kind, number): note}
        lines = self.whole_lines()
        if lines:
            self.seed = json.loads(lines[0])["seed"]
        else:
            self.append({"seed": seed})
        for note in map(json.loads, lines[1:]):
            self.notes[note["kind"], note["number"]] = note

    def whole_lines(self):
        """Removes a last line that an interruption has cut off."""
        if not self.path or not self.path.exists():
            return []
        content = self.path.read_bytes()
        whole = content[:content.rfind(b"\n") + 1]
        if whole != content:
            self.path.write_bytes(whole)
        return whole.splitlines()

    def append(self, note):
        if self.path:
            with open(self.path, "ab") as file:
                file.write(json.dumps(note).encode() + b"\n")

    def add(self, note):
        self.notes[note["kind"], note["number"]] = note
        self.append(note)


def note_of(kind, number, work, seed):
    """Makes one trial."""
    begin, word, amount = time.monotonic(), "passed", 1
    try:
        with work.trial(f"{kind}-{number}"):
            amount, said = KINDS[kind](work, random.Random(f"{seed} {kind} {number}"))
    except Failure as reason:
        word, said = "FAILED", str(reason)
    except Exception as error:  # the other trials still run
        word, said = "FAILED", f"{type(error).__name__}: {error}"
    return {"kind": kind, "number": number, "word": word, "amount": amount,
            "seconds": round(time.monotonic() - begin, 1), "said": said}


def how_to_repeat(note, work, seed):
    return (f"again: tests/faults/run.py --seed {seed} --first {note['number']} --{note['kind']} 1 "
            f"THRONG\nkept: {work.folder}/{note['kind']}-{note['number']}")


def progress(kind, wanted, notes):
    failed = sum(note["word"] == "FAILED" for note in notes)
    return (f"{kind}: {sum(note['amount'] for note in notes)} of {wanted} in {len(notes)} trials, "
            f"{failed} failed, {sum(note['seconds'] for note in notes):.0f} s")


def loop(kind, wanted, first, work, state, last):
    """Trials until `wanted` kills, damages or scenarios are reached, or the time `last`. Returns
    their notes."""
    notes = []
    while sum(note["amount"] for note in notes) < wanted and time.monotonic() < last:
        number = first + len(notes)
        note = state.notes.get((kind, number))
        fresh = note is None
        if fresh:
            note = note_of(kind, number, work, state.seed)
            state.add(note)
        notes.append(note)
        if fresh and note["word"] == "FAILED":
            print(f"{kind} {number}: {note['said']}: FAILED\n"
                  f"{how_to_repeat(note, work, state.seed)}", flush=True)
        if fresh and len(notes) % EVERY == 0:
            print(f"{progress(kind, wanted, notes)}; the last: {note['said']}", flush=True)
    print(progress(kind, wanted, notes), flush=True)
    return notes


def run(wanted, first, work, state, seconds=float("inf")):
    """wanted: {kind: number}. No trial begins after so many seconds. Returns how many trials failed,
    those noted before included."""
    failed, last = 0, time.monotonic() + seconds
    for kind, number in wanted.items():
        if number:
            notes = loop(kind, number, first, work, state, last)
            failed += sum(note["word"] == "FAILED" for note in notes)
    return failed
