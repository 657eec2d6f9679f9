"""A random scenario gives the same result on any ranks, threads and lanes, or none at all."""

from job import Job, expect, expect_same_files
from random_scenario import scenario

BACKENDS = ["scalar", "simd4", "simd", "auto", "emulated"]
DONE, REFUSED = 0, 64


def machine(random):
    """(ranks, threads, backend)"""
    return random.randint(0, 5), random.randint(1, 3), random.choice(BACKENDS)


def end_on(work, config, place):
    """(exit code, folder, the first line of the errors)"""
    ranks, threads, backend = place
    folder = work.fresh()
    job = Job(work, ranks, ("run", config, "-o", folder, "--threads", threads, "--backend",
                            backend))
    code = job.end()
    if code not in (DONE, REFUSED):
        job.fail(f"exit code {code}")
    said = (job.err().splitlines() or [""])[0]
    expect(code == DONE or config.name in said, f"refused without a place: {job.err()}")
    return code, folder, said


def expect_same(work, first, other):
    """first, other: machine and end."""
    (_, (code, folder, _)), (_, (other_code, other_folder, _)) = first, other
    expect(code == other_code, f"exit codes differ: {first}, {other}")
    if code == DONE:
        expect(work.checksum(folder) == work.checksum(other_folder),
               f"checksums differ: {first}, {other}")
        expect_same_files(folder, other_folder)


def trial(work, random):
    """(1, report)"""
    config = work.fresh().with_suffix(".yaml")
    config.write_text(scenario(random), encoding="utf-8")
    places = [(0, 1, "scalar"), machine(random), machine(random)]
    ends = [(place, end_on(work, config, place)) for place in places]
    for other in ends[1:]:
        expect_same(work, ends[0], other)
    code, folder, said = ends[0][1]
    if code == REFUSED:
        return 1, f"refused: {said.partition('.yaml')[2]}"
    return 1, f"checksum {work.checksum(folder)}"
