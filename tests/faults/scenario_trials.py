"""A random scenario gives the same result on any ranks, threads and lanes, on a GPU, by steps of any
size, after a restart and in a replay, or it is refused everywhere. Every field is checked."""

import json

from job import expect, expect_same_files
from random_scenario import scenario
from variants import RANKS, Variant

LANES = ["simd4", "simd8", "simd16"]
EMULATED = ["emulated", "emulated-reversed", "emulated-permuted"]
DONE, REFUSED = 0, 64
FILES_SHARE = 0.25  # of the scenarios whose runs write files


def lanes(random):
    """Of those that this machine has."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read().split()
    wide = {"simd8": "avx2", "simd16": "avx512vl"}
    return random.choice([name for name in LANES if wide.get(name, "fpu") in flags or
                          name not in wide])


def machines(work, random):
    """One rank, scalar; threads; ranks; other lanes; a GPU."""
    return [Variant(1, 1, "scalar"),
            Variant(1, random.randint(2, 3), "simd", random.randrange(1, 1 << 40)),
            Variant(random.randint(2, RANKS), random.choice([1, 1, 2]),
                    random.choice(["scalar", "simd"]), random.choice([0, 7])),
            Variant(1, 1, lanes(random), random.randrange(1, 1 << 40)),
            Variant(random.choice([1, 1, 2, 3]), 1, work.gpu or random.choice(EMULATED))]


def expect_same(first, other):
    """first, other: variant and outcome."""
    (_, one), (_, two) = first, other
    expect(one.code == two.code, f"exit codes differ: {first}, {other}")
    for what in ("halfway", "checksum", "arrived", "created"):
        expect(getattr(one, what) == getattr(two, what), f"{what} differs: {first}, {other}")


def expect_refusal(work, one, name):
    expect(one.code in (DONE, REFUSED), f"exit code {one.code}: {one.said}")
    expect(one.code == DONE or name in one.said, f"refused without a place: {one.said}")


def replay(work, random, config, half, run, right):
    """A part of the run that is in the folder of the variant `run`, on another machine."""
    with open(f"{run.folder}/summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    made = max(1, min(half, summary["steps"]))  # the run may have been over before
    variant = Variant(random.randint(1, RANKS), 1, random.choice(["scalar", "simd", *EMULATED[:1]]),
                      mode="replay", folder=run.folder, first=random.randrange(made),
                      identity=summary["identity"])
    again, = work.worker.run(config, half, [variant])
    expect(again.code == DONE, f"exit code {again.code}: {variant}, {again.said}")
    expect(again.halfway == right.halfway, f"a replay differs: {variant}, {again}, {right}")


def trial(work, random):
    """(1, report)"""
    text = scenario(random)
    config = work.fresh().with_suffix(".yaml")
    config.write_text(text, encoding="utf-8")
    time = json.loads(text)["time"]
    half = max(1, round(time["end"] / time["step"]) // 2)
    variants = machines(work, random)
    if random.random() < FILES_SHARE:
        variants[3].mode = "restart"
        for variant in variants:
            variant.folder = str(work.fresh())
    outcomes = work.worker.run(config, half, variants)
    first, *others = zip(variants, outcomes)
    expect_refusal(work, outcomes[0], config.name)
    for other in others:
        expect_same(first, other)
    if outcomes[0].code == REFUSED:
        return 1, f"refused: {outcomes[0].said.partition('.yaml')[2]}"
    if variants[0].folder != "-":
        for other in variants[1:]:
            expect_same_files(variants[0].folder, other.folder)
        replay(work, random, config, half, variants[0], outcomes[0])
    return 1, f"checksum {outcomes[0].checksum}"
