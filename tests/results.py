#!/usr/bin/env python3
"""Counts what ctest wrote: results.py RESULTS.xml

The first line of the output: how many tests passed, failed and were skipped. Each line after it is
a test that failed, or was skipped as a whole or in part, with the reason that it gave. A skipped
test without a reason has failed, as has one that could not be started."""
from __future__ import annotations

import re
import sys
import xml.etree.ElementTree

# Other words of ctest's: there is no such program, or a test that this one needs has failed.
SKIPS = ("SKIP_RETURN_CODE=77", "SKIP_REGULAR_EXPRESSION_MATCHED")
# What Criterion says, and what scripts say.
REASON = re.compile(r"^\[SKIP\] [^:]+::[^:]+: (?:SKIPPED: )?(.*)|\bSKIPPED(?: in part)?: (.*)",
                    re.MULTILINE)
SHOWN = 3
# Criterion's words for a test that belongs to another form of the build (tests/extent.h).
DISABLED = "Test is disabled"
OTHER_FORM = "parts that another build or tools/test.sh --all runs"


def reasons_of(said):
    """Why a test says that it, or a part of it, was skipped; each reason once."""
    found = ("".join(parts).strip() for parts in REASON.findall(said))
    said_so = (OTHER_FORM if reason == DISABLED else reason for reason in found if reason)
    return list(dict.fromkeys(said_so))


def listed(reasons):
    more = len(reasons) - SHOWN
    return "; ".join(reasons[:SHOWN]) + (f"; and {more} more" if more > 0 else "")


def judge(test):
    """passed, failed or skipped, and a remark or None."""
    name, status = test.get("name"), test.get("status")
    reasons = reasons_of(test.findtext("system-out") or "")
    if status == "run":
        return "passed", f"{name}: skipped in part: {listed(reasons)}" if reasons else None
    if status != "notrun":
        return "failed", f"{name}: FAILED"
    why = test.find("skipped").get("message")
    if why not in SKIPS:
        return "failed", f"{name}: FAILED: {why}"
    if not reasons:
        return "failed", f"{name}: FAILED: skipped without a reason"
    return "skipped", f"{name}: skipped: {listed(reasons)}"


def main():
    tests = xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase")
    results = [judge(test) for test in tests]
    counts = [sum(word == result for result, _ in results)
              for word in ("passed", "failed", "skipped")]
    print(*counts)
    for _, remark in results:
        if remark:
            print(remark)


if __name__ == "__main__":
    main()
