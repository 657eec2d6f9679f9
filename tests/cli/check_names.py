#!/usr/bin/env python3
"""The files of a run, DIRECTORY, hold these names as they are: check_names.py DIRECTORY."""

import csv
import json
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])
summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
assert summary["name"] == "a\x1b[31m\nb", summary["name"]
assert [event["name"] for event in summary["events"]] == ["v\x1b\u009b\n"], summary["events"]
for file, name in (("lines.csv", 'l"\x1b\n'), ("areas.csv", " \ta")):
    with open(directory / file, newline="", encoding="utf-8") as text:
        rows = list(csv.reader(text))
    assert {len(row) for row in rows} == {6}, rows
    assert {row[2] for row in rows[1:]} == {name}, rows
