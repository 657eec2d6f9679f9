"""Has a run that was interrupted left what an undisturbed one leaves? same_files.py WHOLE RESTARTED

Byte for byte, but for what is measured: the last column of series.csv (imbalance) and
some keys of summary.json."""
import json
import os
import sys

MEASURED = {"ranks", "threads", "backend", "agent_steps_per_s", "wall_s", "memory_bytes", "seconds",
            "balance", "ghosts", "ghost_bytes", "ghost_waiting_s", "waiting_for_cores_share",
            "step_seconds", "machine", "finished"}
CONFIG = {"config_hash", "overrides"}  # the options of checkpoints are in them
WHOLE, RESTARTED = sys.argv[1:]


def files(run):
    kept = ("checkpoint-", "roadmap-", "previous")
    return sorted(name for name in os.listdir(run) if not name.startswith(kept))


def content(run, name):
    if name == "trajectory.h5":
        with open(f"{run}/{name}", "rb") as file:
            return file.read()
    with open(f"{run}/{name}", encoding="utf-8") as file:
        text = file.read()
    if name == "series.csv":
        return [line.rpartition(",")[0] for line in text.splitlines()]
    if name == "log.jsonl":
        return [(row["step"], row["agents"], row.get("densest"))
                for row in map(json.loads, text.splitlines())]
    if name == "summary.json":
        summary = json.loads(text)
        return {key: summary[key] for key in summary.keys() - MEASURED - CONFIG}
    return text


if files(WHOLE) != files(RESTARTED):
    sys.exit(f"not the same files: {files(WHOLE)} and {files(RESTARTED)}")
texts = [name for name in files(WHOLE) if not name.endswith(".vtkhdf")]
assert {"series.csv", "log.jsonl", "summary.json", "snapshots.xdmf"} <= set(texts), texts
different = [name for name in texts if content(WHOLE, name) != content(RESTARTED, name)]
if different:
    sys.exit(f"not the same: {different}")
