"""Does tests/results.py count what ctest writes, and explain it? test_results.py CTEST FOLDER"""
import pathlib
import shutil
import subprocess
import sys

CTEST, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results.py"
SKIPS = 'set_tests_properties(%s PROPERTIES SKIP_RETURN_CODE 77)\n'
SHELL = 'add_test(%s sh "-c" "%s")\n'
CRITERION = "echo '[SKIP] suite::one: no GPU'; echo '[SKIP] suite::two: no GPU'"


def written(*tests):
    """What results.py prints of these lines of a CTestTestfile.cmake."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "CTestTestfile.cmake").write_text("".join(tests), encoding="utf-8")
    subprocess.run([CTEST, "--test-dir", FOLDER, "--output-junit", "results.xml",
                    "--test-output-size-passed", "1000000"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    done = subprocess.run([sys.executable, RESULTS, FOLDER / "results.xml"], text=True, check=True,
                          stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def expect(wanted, *tests):
    got = written(*tests)
    assert got == wanted, (got, wanted)


expect(["2 0 0"], SHELL % ("one", "true"), SHELL % ("two", "echo all is well"))
expect(["1 1 0", "bad: FAILED"], SHELL % ("good", "true"), SHELL % ("bad", "false"))
expect(["0 0 1", "lone: skipped: no <h5py> & co."],
       SHELL % ("lone", "echo 'SKIPPED: no <h5py> & co.'; exit 77"), SKIPS % "lone")
expect(["0 1 0", "mute: FAILED: skipped without a reason"],
       SHELL % ("mute", "echo 77; exit 77"), SKIPS % "mute")
expect(["1 0 0", "whole: skipped in part: no ffmpeg; no h5dump"],
       SHELL % ("whole", "echo 'SKIPPED in part: no ffmpeg'; echo 'x.md:3: SKIPPED: no h5dump'"))
expect(["0 0 1", "laws: skipped: no GPU"], SHELL % ("laws", CRITERION),
       'set_tests_properties(laws PROPERTIES SKIP_REGULAR_EXPRESSION "SKIP")\n')
expect(["1 0 0", "form: skipped in part: parts that another build or tools/test.sh --all runs"],
       SHELL % ("form", "echo '[SKIP] suite::one: Test is disabled'"))
expect(["1 0 0", "long: skipped in part: 1; 2; 3; and 6 more"],
       SHELL % ("long", "seq 3000; for i in 1 2 3 4 5 6 7 8 9; do echo SKIPPED: $i; done"))
# Neither a program that was not built nor what waits for a failed test has been skipped.
expect(["0 1 0", "gone: FAILED: Unable to find executable"], 'add_test(gone "no_such_program")\n')
expect(["0 2 0", "user: FAILED: Fixture dependency failed", "maker: FAILED"],
       SHELL % ("user", "true"), SHELL % ("maker", "false"),
       "set_tests_properties(maker PROPERTIES FIXTURES_SETUP made)\n"
       "set_tests_properties(user PROPERTIES FIXTURES_REQUIRED made)\n")
