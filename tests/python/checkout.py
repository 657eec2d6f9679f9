"""Makes `import throng` find the package of this checkout, and has what the tests here share."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import throng  # noqa: E402


def refused(act, part, code):
    """The action raises throng.Error with this text in its message and this exit code."""
    try:
        act()
    except throng.Error as error:
        assert part in str(error) and error.code == code, (str(error), error.code)
        assert "\n" not in str(error), str(error)
        return
    raise AssertionError(f"not refused: {part}")


def run_tests(names):
    """Calls every function of these names that begins with test_."""
    for title, test in list(names.items()):
        if title.startswith("test_"):
            test()
            print(title, "passed", flush=True)
