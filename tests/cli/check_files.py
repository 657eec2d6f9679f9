"""Are the files of a run whole, and do they say what was wanted? check_files.py RUN [key=value]..."""
import csv
import glob
import json
import sys
import xml.etree.ElementTree as xml

NUMBERS = (
    "agents arrived inside steps time_s step_s seed overlaps deepest_overlap_m agents_in_walls "
    "agent_steps agent_steps_per_s wall_s ranks threads memory_bytes"
).split()
TEXTS = "name config version revision compiler config_hash checksum backend machine finished".split()
COLUMNS = "step time_s agents arrived mean_speed_m_s overlaps deepest_overlap_m infeasible relaxed".split()
LOGGED = "step time_s agents agent_steps_per_s real_time_factor eta_s imbalance memory_bytes".split()


def check_summary(run, wanted):
    with open(f"{run}/summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    for key in NUMBERS:
        assert isinstance(summary[key], (int, float)), (key, summary[key])
    for key in TEXTS:
        assert isinstance(summary[key], str) and summary[key], key
    assert summary["evacuation_time_s"] is None or summary["inside"] == 0
    assert len(summary["checksum"]) == 16 and int(summary["checksum"], 16) >= 0
    assert summary["agents"] == summary["arrived"] + summary["inside"]
    assert summary["agents_in_walls"] == 0
    assert all(seconds >= 0 for seconds in summary["seconds"].values())
    balance = summary["balance"]
    assert summary["ranks"] > 1 or balance["rebalances"] == 0
    assert min(balance[key] for key in balance if key.endswith("imbalance")) >= 1
    for key, value in wanted.items():
        assert str(summary[key]) == value, (key, summary[key], value)
    return summary


def check_series(run, summary):
    with open(f"{run}/series.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(column in rows[0] for column in COLUMNS), rows[0]
    assert all(None not in row and None not in row.values() for row in rows)
    steps = [int(row["step"]) for row in rows]
    assert steps[0] == 0 and steps[-1] == summary["steps"], steps
    assert all(a < b for a, b in zip(steps, steps[1:])), steps
    for row in rows:
        assert int(row["agents"]) + int(row["arrived"]) == summary["agents"], row
        assert 0 <= float(row["mean_speed_m_s"]) < 64, row


def check_log(run, summary):
    with open(f"{run}/log.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert lines[-1]["step"] == summary["steps"]
    for line in lines:
        assert all(isinstance(line[key], (int, float)) for key in LOGGED), line
        assert isinstance(line["seconds"], dict), line


def check_snapshots(run, summary):
    names = sorted(glob.glob("snapshot-*.vtkhdf", root_dir=run))
    assert names[0] == "snapshot-00000000.vtkhdf", names
    assert names[-1] == f"snapshot-{summary['steps']:08d}.vtkhdf", names
    assert glob.glob("*", root_dir=run) and not glob.glob("*.tmp", root_dir=run)
    series = xml.parse(f"{run}/snapshots.xdmf").getroot()
    times = [float(time.get("Value")) for time in series.iter("Time")]
    assert len(times) >= len(names) and times == sorted(times), (names, times)


def main(run, *words):
    summary = check_summary(run, dict(word.split("=") for word in words))
    check_series(run, summary)
    check_log(run, summary)
    check_snapshots(run, summary)


main(*sys.argv[1:])
