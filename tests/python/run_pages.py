#!/usr/bin/env python3
"""Runs the commands of the pages of docs/ as printed: run_pages.py THRONG FOLDER [--only PAGE]

Each page has a copy of this checkout in FOLDER, and its blocks run there in one shell: first those
that run a scenario, then those that look at a run. Every command has to end with 0, or with the code
that the page gives after `echo $?`; a checksum that the page shows has to appear. What test_printed.py
executes, what Slurm's test does and what needs a network is left out, and said. Maps of planning.md
and maps.md are made if THRONG_EXTRACTS is a folder with the extracts that these pages name."""
from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from page_blocks import ENVIRONMENT, ROOT, blocks_of

PAGES = ("running", "maps", "demand", "measuring", "cluster", "models", "papers", "report",
         "planning", "pictures", "gallery", "player", "building")
NOT_RUN = {  # by what a command begins with
    "spack": "no Spack", "apptainer": "no Apptainer",
    "sbatch": "slurm does that", "THRONG=": "slurm does that", "scancel": "slurm does that",
    "cmake --preset": "the build was made so", "ctest": "it runs this build's tests",
    "cmake --install": "install does that", "throng view runs/hall": "it opens a window",
    "job=": "slurm does that", "squeue": "slurm does that", "cat throng-": "slurm does that",
    "cat plot-": "slurm does that", "jobs/": "slurm does that", "rm -r runs/crowd": "slurm does that",
    "tools/collect.py runs/crowd": "slurm does that",
    "build/release/throng-bench crowd --agents 20000 --method M": "no name of a method",
    "tools/dxf2geojson.py plan.dxf": "dxf2geojson does that",
    "throng check plan.geojson": "dxf2geojson does that",
    "throng report runs/before": "report.md has no such runs",
    "throng report sweeps": "report.md has no such runs",
    "tools/plot.py RUN_DIR": "no name of a run",
}
EXTRACTS = ("monaco-251108.osm.pbf", "Helsinki.osm.pbf")
MODULES = {"--format usd": ("pxr", "mapbox_earcut"), "--format geopackage": ("osgeo",)}
LONGEST = "1800"  # s for a page
HALL = {"report"}  # pages that look at README's run
SHELL = """set -uE
failures=0
failed() { echo "FAILED: $*"; failures=$((failures + 1)); }
checked() { trap 'failed "$BASH_COMMAND"' ERR; }
unchecked() { trap - ERR; }
expect() { [ "$1" -eq "$2" ] || failed "exit code $1 instead of $2"; }
checked
"""


def reason_against(command, lacking):
    """Why a command is not run, or None."""
    needed = [name for name in lacking if name in command]
    needed += [module for what, modules in MODULES.items() if what in command
               for module in modules if not importlib.util.find_spec(module)]
    return f"no {needed[0]}" if needed else next(
        (why for what, why in NOT_RUN.items() if command.startswith(what)), None)


def commands_of(block):
    """The lines that a user types, those with a backslash at the end joined."""
    text = block.text.replace("\\\n", " ")
    text = re.sub(r"curl -LO \S*/(\S+)", r'cp "$THRONG_EXTRACTS/\1" .', text)  # no network
    if block.kind == "sh":
        return text.splitlines()
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


def with_checks(line, following):
    """Lets a command fail whose exit code is printed, and compares that with the page's."""
    shown = re.search(r"echo \$\?\s+# (\d+).*", line)
    if shown:
        line = line.replace(shown[0], f"expect $? {shown[1]}")
    if line.startswith("expect"):
        return line  # of the command right before it
    may_fail = shown or re.match(r"echo \$\?", following)
    return f"unchecked\n{line}" if may_fail else f"checked\n{line}"


def script_of(blocks, lacking):
    """The commands of a page as one shell script."""
    lines = []
    for block in blocks:
        lines.append(f"echo '== {block}'; SECONDS=0")
        commands = commands_of(block)
        for number, line in enumerate(commands):
            why = reason_against(line.strip(), lacking)
            if why:
                print(f"{block}: not run: {line[:50].strip()}: {why}")
                lines.append("checked\n:")
                continue
            following = commands[number + 1] if number + 1 < len(commands) else ""
            lines.append(with_checks(line, following))
        lines.append(f"checked; echo '-- {block}:' $SECONDS s")
    return SHELL + "\n".join(lines) + "\nexit $((failures > 0))\n"


def prepare(folder, throng):
    """A copy of the checkout with the build, the extracts and README's hall.yaml."""
    shutil.rmtree(folder, ignore_errors=True)
    # Below the root, `build` is a folder of sources.
    shutil.copytree(ROOT, folder, symlinks=True, ignore=lambda at, names: (
        {"build", "runs", ".git"} & set(names) if pathlib.Path(at) == ROOT else ()))
    os.makedirs(folder / "build")
    os.symlink(throng.parent, folder / "build/release")
    os.makedirs(folder / "bin")
    os.symlink(throng, folder / "bin/throng")
    os.symlink(folder / "tools/osm2geojson.sh", folder / "bin/throng-osm2geojson")
    python = folder / "bin/python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    hall = next(block for block in blocks_of("README.md") if block.text.startswith("# hall.yaml"))
    (folder / "hall.yaml").write_text(hall.text, encoding="utf-8")
    extracts = os.environ.get("THRONG_EXTRACTS", "")
    there = [name for name in EXTRACTS if extracts and pathlib.Path(extracts, name).is_file()]
    for name in there:
        shutil.copy(pathlib.Path(extracts, name), folder / name)
    return [name for name in EXTRACTS if name not in there]


def environment(folder):
    return os.environ | ENVIRONMENT | {
        "PATH": f"{folder}/bin:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}


def checksums(text):
    return set(re.findall(r"checksum ([0-9a-f]{16})", text))


def run_page(page, throng, folder):
    """Whether all commands of a page did what it says: passed, FAILED or SKIPPED."""
    name = f"docs/{page}.md"
    lacking = prepare(folder, throng)
    if page == "planning" and "Helsinki.osm.pbf" in lacking:
        print(f"{name}: SKIPPED: THRONG_EXTRACTS has no Helsinki.osm.pbf")
        return "SKIPPED"
    blocks = [block for block in blocks_of(name) if commands_of(block)]
    blocks.sort(key=lambda block: page != "planning" and "throng run" not in block.text)
    script = script_of(blocks, lacking)
    if page in HALL:
        script = f"throng run hall.yaml --quiet\n{script}"
    start = time.monotonic()
    done = subprocess.run(["timeout", "-k", "5", LONGEST, "bash", "-c", script], cwd=folder,
                          env=environment(folder), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    (folder / "said.log").write_text(done.stdout, encoding="utf-8")
    shown = checksums((ROOT / name).read_text(encoding="utf-8"))
    other = sorted(shown - checksums(done.stdout))
    good = done.returncode == 0 and not other
    if not good:
        print(done.stdout, *(f"no run has the checksum {one}" for one in other), sep="\n")
    result = "passed" if good else "FAILED"
    print(f"{name}: {len(blocks)} blocks, {result}, {time.monotonic() - start:.0f} s", flush=True)
    return result


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("throng", type=pathlib.Path)
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("--only", choices=PAGES)
    asked = asked.parse_args()
    pages = [asked.only] if asked.only else PAGES
    results = [run_page(page, asked.throng.resolve(), asked.folder.resolve() / page)
               for page in pages]
    print("pages:", ", ".join(f"{results.count(one)} {one}" for one in sorted(set(results))))
    sys.exit("FAILED" in results)


if __name__ == "__main__":
    main()
