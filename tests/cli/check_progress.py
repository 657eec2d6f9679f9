#!/usr/bin/env python3
"""Checks on terminals that no line of the screen ever holds two things.

    check_progress.py THRONG SCENARIO MPIRUN...

The scenario raises an alarm and does not end by itself soon. Its run writes a progress line,
messages and a summary.
"""

import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Screen, need_terminal, run, set_size  # noqa: E402

THRONG, SCENARIO = sys.argv[1:3]
MPIRUN = sys.argv[3:]
COMMAND = [THRONG, "run", SCENARIO, "-t", "1"]
SHORT = ["--steps", "100"]  # the alarm is before
PROGRESS = re.compile(r"step \d+/\d+(  t [\d.]+ s)?(  [\d.]+( [kMGT])? agents left)?"
                      r"(  [\d.]+( [kMGT])? agent-steps/s)?(  ETA [\d:]+)?")
OTHER = re.compile(r"throng: alarm at .*; more in alarms.csv|throng: .*: holds an earlier run.*|"
                   r"\w+: \d+ of \d+ agents arrived in .*\)|\w+: stopped by .* inside|  .*|")

WARNING = ("jam.yaml:1:1: navigation.model: direct leads straight on, but 100 % of the agents have a wall "
           "between them and their goal, and may never arrive; field and roadmap lead to destinations "
           "around walls")


def is_other(line):
    return OTHER.fullmatch(line) or line.strip() in WARNING  # which a narrow screen wraps


def is_progress(line, columns):
    cut_off = len(line) == columns - 1 and re.fullmatch(r"s?t?e?p? ?\d*/?\d*", line)
    return PROGRESS.fullmatch(line) or cut_off


def stopping(lines, then=None):
    """For run(): ends it after the alarm and so many progress lines, each seen by then()."""
    seen = {"text": "", "progress": 0, "ends": False}

    def heard(text):
        seen["text"] += text
        seen["progress"] = seen["text"].count("\r\x1b[K") + seen["text"].count("ETA")

    def every(terminal, child, _):
        if then:
            then(terminal, seen["progress"])
        if not seen["ends"] and seen["progress"] >= lines and "alarm at" in seen["text"]:
            seen["ends"] = True
            os.kill(child, signal.SIGTERM)

    return heard, every


def screen_of(columns, environment=None, limit=None):
    """The progress lines of a run, each of which was looked at when it was complete."""
    screen, shown = Screen(columns), set()
    count, every = stopping(5)

    def look(screen):
        for line in screen.lines():
            if not is_other(line):
                assert is_progress(line, limit or columns), f"{columns} columns: {screen.lines()}"
                shown.add(line)

    def heard(text):
        screen.feed(text, look)
        count(text)

    code = run(COMMAND, columns, heard, environment, every)
    lines = screen.lines()
    assert code == 75, (code, lines)
    assert all(is_other(line) for line in lines), lines  # the last one is erased
    assert len([line for line in lines if "alarm at" in line]) == 1, lines
    return shown


def check_widths():
    narrow = screen_of(30)
    assert narrow and all(len(line) < 30 for line in narrow), narrow
    assert any("ETA" in line and "agent-steps" not in line for line in narrow), narrow
    tiny = screen_of(100, {"COLUMNS": "8"}, 8)
    assert tiny and all(len(line) < 8 for line in tiny), tiny


def check_resizing():
    """The bytes of one run on a window that changes, shown by a terminal that breaks lines which
    have become too long, and by one that cuts them."""
    events, sizes = [], [(3, 60), (6, 90), (9, 35)]

    def resize(terminal, progress):
        if sizes and progress >= sizes[0][0]:
            columns = sizes.pop(0)[1]
            events.append(columns)
            set_size(terminal, columns)

    count, every = stopping(12, resize)
    assert run(COMMAND, 100, lambda text: (events.append(text), count(text)), every=every) == 75
    assert not sizes, sizes
    assert any("agent-steps/s  ETA" in text for text in events[:20] if isinstance(text, str))
    for reflows in (True, False):
        screen, left = Screen(100), 0
        for event in events:
            if isinstance(event, int):
                left += event < screen.columns  # a narrower window may leave a line behind
                screen.resize(event, reflows)
            else:
                screen.feed(event)
        lines = screen.lines()
        assert len([line for line in lines if line.startswith("step")]) <= left, lines
        torn = 0
        for line in lines:
            whole = is_other(line) or PROGRESS.fullmatch(line)
            begun = len(re.findall(r"step \d+/|throng: |\w+: (?:stopped|\d+ of)", line))
            if not whole and (reflows or begun != 1):  # not cut by the terminal
                torn += 1
        assert torn <= left, lines  # the window became narrower while the line was on its way


def check_ranks():
    """mpirun's standard error is no terminal for the ranks: whole lines, each of one thing."""
    heard = []
    code = run([*MPIRUN, "-n", "2", *COMMAND, *SHORT], 60, heard.append)
    text = "".join(heard).replace("\r\n", "\n")
    assert code == 0 and "alarm at" in text, text
    assert "\r" not in text and "\x1b" not in text, text
    for line in text.split("\n"):
        assert is_other(line) or PROGRESS.fullmatch(line), text


def check_redirected():
    done = subprocess.run([*COMMAND, *SHORT], capture_output=True, check=True,
                          env=os.environ | {"TERM": "xterm"})
    text = (done.stdout + done.stderr).decode()
    assert "\r" not in text and "\x1b" not in text and "alarm at" in text, text
    heard = []
    assert run([*COMMAND, *SHORT], 60, heard.append, {"TERM": "dumb"}) == 0
    assert "\x1b" not in "".join(heard) and "alarm at" in "".join(heard), heard


def check_end():
    screen = Screen(40)
    assert run([*COMMAND, *SHORT], 40, screen.feed) == 0
    assert all(is_other(line) for line in screen.lines()), screen.lines()


need_terminal()
check_widths()
check_end()
check_resizing()
check_ranks()
check_redirected()
