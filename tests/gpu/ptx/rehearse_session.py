#!/usr/bin/env python3
"""Rehearses tools/gpu_session.sh, with small crowds on a device that executes the PTX.

    rehearse_session.py SCRIPT THRONG-BENCH PTX

Its page says that all bits are the same, compares times with the predicted ones, and says what was
not asked for. With a wrong quotient in ORCA's kernel the page says which scenes differ, and the
session fails. A device with too little memory for a crowd is no failure.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import crowds
from seed_faults import in_kernel

SCENES = 7 * 3 + 2 + 3  # methods x scenes, fields, large crowds
OF_ORCA = 3 + 3
SMALL = "memory=0.14"  # MB: enough for 100 agents of ORCA, not for 300


def session(script, bench, ptx, folder, parts, settings=""):
    """The exit code and the page of a session."""
    words = {"REHEARSAL": "1", "BENCH": bench, "DEVICE": "H100, simulated"}
    done = subprocess.run([script, folder, *parts], stdout=subprocess.PIPE, text=True,
                          env={**crowds.environment(ptx, settings), **words})
    page = Path(folder, "gpu_session.txt").read_text()
    print(page)
    return done.returncode, page


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def main():
    script, bench, ptx = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        code, page = session(script, bench, ptx, folder + "/whole", ["identity", "repeats", "times"])
        expect(code == 0, "the session passes")
        expect("device     H100, simulated\n" in page, "the device is named")
        for check in (f"identity{SCENES} of {SCENES}", "20 runs1 of 1", "two at the same time1 of 1"):
            expect(check.replace(" ", "") in page.replace(" ", ""), check)
        for method in ("orca", "clearpath", "rvo", "hrvo", "directional"):
            expect(f"\n{method} " in page and f"\n{method}, " in page, f"times of {method}")
        expect("What to try next\n" in page, "advice, since all takes longer here than on an H100")
        expect(re.search(r"\n +16 +4096 ", page), "times of 16 fields")
        expect(re.search(r"\nsanitize +not asked for\n", page), "what was not asked for")
        wrong = Path(folder, "wrong.ptx")
        wrong.write_text(in_kernel(Path(ptx).read_text(), "next_velocity_orca", r"div\.rn\.f32",
                                   "mul.rn.f32"))
        code, page = session(script, bench, ptx, folder + "/full", ["times"], SMALL)
        expect(code == 0, "the session passes on a small device")
        expect("time of cuda with 300 agents: SKIPPED, out of memory" in page, "300 agents are too many")
        expect("time of cuda with 100 agents: " not in page, "100 agents are not")
        code, page = session(script, bench, wrong, folder + "/wrong", ["identity"])
        expect(code != 0, "the session with a wrong kernel fails")
        expect(f"{SCENES - OF_ORCA} of {SCENES}   FAILED" in page, "the scenes of ORCA are different")


if __name__ == "__main__":
    main()
