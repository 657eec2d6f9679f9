#!/usr/bin/env python3
"""Scenes with `throng status`: check_status.py SCENE THRONG"""

import glob
import json
import os
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Screen, need_terminal, run  # noqa: E402

THRONG = sys.argv[2]
RUN = [THRONG, "run", "endless.yaml", "-o", "d", "-q", "-t", "1"]


def status(*words, code=0):
    done = subprocess.run([THRONG, "status", *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done)
    return done.stdout


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def last_line():
    with open("d/log.jsonl", encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    return json.loads(lines[-1]) if lines else {"step": -1}


def has_logged(steps):
    return os.path.exists("d/log.jsonl") and last_line()["step"] > steps


def listing():
    return {name: (os.stat(name).st_mtime_ns, os.stat(name).st_size) for name in glob.glob("d/*")}


def check_numbers(said, line):
    same = ("step", "steps", "time_s", "end_s", "arrived", "memory_bytes", "ranks", "threads",
            "alarms", "name")
    assert {key: said[key] for key in same} == {key: line[key] for key in same}, (said, line)
    assert 0 < said["real_time_factor"] and 0 < said["agent_steps_per_s"], said
    assert said["inside"] == line["agents"] == 10 and said["end_s"] == 100000
    assert said["densest"] == line.get("densest")


def life():
    child = subprocess.Popen(RUN)
    wait_for(lambda: has_logged(2000) and glob.glob("d/checkpoint*.h5"))
    said = json.loads(status("d", "--json"))
    assert said["state"] == "running" and int(said["process"]) == child.pid, said
    assert said["exit_code"] is None and said["eta_s"] > 0 and said["checkpoint_step"] > 0, said
    assert "endless: running on" in status("d")
    child.send_signal(signal.SIGSTOP)  # the log and the status are of the same moment
    time.sleep(0.1)
    check_numbers(json.loads(status("d", "--json")), last_line())
    child.kill()
    child.wait()

    before = listing()
    said = json.loads(status("d", "--json"))
    text = status("d")
    assert before == listing()  # nothing was written
    assert said["state"] == "dead" and said["exit_code"] == 70, said
    assert "has ended without a word" in text and "--restart auto" in text, text
    status("d", "--watch", code=70)

    newest = said["checkpoint_step"]
    child = subprocess.Popen([*RUN, "--restart", "auto", "--set", "time.end=100050"])
    wait_for(lambda: json.loads(status("d", "--json"))["state"] == "running")
    watched = subprocess.Popen([THRONG, "status", "d", "--watch", "0.3"], stdout=subprocess.PIPE)
    time.sleep(1)
    child.send_signal(signal.SIGUSR1)
    assert child.wait() == 75
    lines = watched.communicate(timeout=60)[0].decode().splitlines()
    assert watched.returncode == 75 and len(lines) >= 2, (watched.returncode, lines)
    assert " running " in lines[0] and f" step {newest:.0f}" not in lines[-1] and " stopped " in lines[-1], lines
    said = json.loads(status("d", "--json"))
    assert said["state"] == "stopped" and said["stopped_by"] == "a signal", said
    assert said["checkpoint_step"] == said["step"] == last_line()["step"], said
    assert "stopped early by a signal" in status("d")

    steps = said["step"] + 20
    subprocess.run([*RUN, "--restart", "auto", "--steps", str(steps)], check=True)
    said = json.loads(status("d", "--json", "--watch"))
    with open("d/summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    assert said["state"] == "finished" and said["step"] == summary["steps"] == steps, said
    assert said["wall_s"] == summary["wall_s"] and said["stopped_by"] is None, said
    assert f"step        {steps} of {steps} (100 %)" in status("d")
    with open("d/summary.json", "r+", encoding="utf-8") as file:
        file.truncate(1000)
    assert json.loads(status("d", "--json"))["state"] != "finished"


def watch():
    need_terminal()
    child = subprocess.Popen(RUN)
    wait_for(lambda: has_logged(0))
    screen, ends = Screen(40), []

    def stop(_terminal, _child, seconds):
        if seconds > 1.2 and not ends:
            ends.append(seconds)
            child.send_signal(signal.SIGTERM)

    code = run([THRONG, "status", "d", "--watch", "0.2"], 40, screen.feed, every=stop)
    lines = screen.lines()
    assert code == child.wait() == 75, (code, lines)
    assert len([line for line in lines if line.startswith("endless: ")]) == 1, lines
    assert lines[0] == "endless: stopped early by a signal" and len(lines) < 20, lines
    assert all(len(line) < 40 for line in lines), lines
    assert lines[-1] == "" and lines[-2].startswith("  continue"), lines


def early():
    """A run that nobody is left in has finished: it is not said to have steps ahead."""
    with open("hall.yaml", "w", encoding="utf-8") as file:
        file.write("name: hall\nworld: {extent: [0, 0, 20, 10]}\ntime: {step: 0.1, end: 300}\n"
                   "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 10]}]}]\n"
                   "sources: [{area: {rectangle: [1, 1, 8, 9]}, count: 20, destination: out}]\n")
    subprocess.run([THRONG, "run", "hall.yaml", "-o", "d", "-q", "-t", "1"], check=True)
    text, said = status("d"), json.loads(status("d", "--json"))
    step = int(said["step"])
    assert 0 < step < said["steps"] == 3000 and said["arrived"] == 20, said
    assert text.startswith(f"hall: finished at step {step}: everybody has arrived\n"), text
    assert (f"\n  step        {step}; 3000 at most\n"
            f"  simulated   {step / 10} s; 300 s at most\n") in text, text
    assert said["ended_early"] == "everybody has arrived" and said["exit_code"] == 0, said
    assert f"step {step}  t" in status("d", "d"), status("d", "d")
    subprocess.run([THRONG, "run", "hall.yaml", "-o", "e", "-q", "-t", "1", "--steps", "9"],
                   check=True)
    assert "hall: finished\n  step        9 of 9 (100 %)" in status("e"), status("e")
    assert json.loads(status("e", "--json"))["ended_early"] is None


def huge():
    os.mkdir("d")
    with open("d/log.jsonl", "wb") as file:
        file.truncate(100 << 20)
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"step": 8, "time_s": 1, "wall_s": 1}\n{"step": 9, "time_s": 2, "wall_s": 3}\n')
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert "step        9" in status("d")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 64 << 10  # KiB
    assert min(spent) < 0.05, spent


def names():
    folder = "na\x1b[1m\nmes"
    os.mkdir(folder)
    with open(f"{folder}/log.jsonl", "w", encoding="utf-8") as file:
        file.write('{"step": 9, "time_s": 2, "wall_s": 3, "name": "a\\u001b[31m\\nb\\u009b\\"", '
                   '"stopped": "\\u0007"}\n')
    for words in ([folder], [folder, folder], [folder, "--watch"]):
        text = status(*words, code=75 if "--watch" in words else 0)
        assert all(letter >= " " or letter == "\n" for letter in text), text
        assert "\x9b" not in text and "\\x1b[1m\\x0ames" in text, text
    said = json.loads(status(folder, "--json"))
    assert said["name"] == 'a\x1b[31m\nb\x9b"' and said["folder"] == folder, said


{"life": life, "watch": watch, "early": early, "huge": huge, "names": names}[sys.argv[1]]()
