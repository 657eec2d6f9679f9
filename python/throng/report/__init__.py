"""One self-contained HTML file about one or several runs: throng report RUN..."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Optional

from throng.errors import Error
from throng.names import one_warning
from throng.whole_file import whole_file

if TYPE_CHECKING:
    from throng.files import Path
    from throng.results import Run

EXAMPLES = """
examples:
  {name} runs/hall                                writes runs/hall/report.html
  {name} runs/hall -o hall.html --title "Hall, Saturday"
  {name} runs/before runs/after -o measure.html   side by side, with their differences
  {name} sweeps/hall/*/ -o seeds.html             runs with other seeds: mean and range

The file needs no network and no throng, and prints on A4. What the scenario did not measure is left
out, with a line that says how to measure it. Exit codes: 0 done, 64 bad arguments, 65 a damaged
file, 74 input/output.
"""


class Progress:
    """One line on standard error that says what is being done, on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self.shows = not quiet and sys.stderr.isatty()

    def __call__(self, words: str) -> None:
        if self.shows:
            print(f"\r\033[K{words}"[:200], end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Removes the line."""
        self("")


def write(runs: Sequence[Run], output: Path, title: str = "", player: bool = True,
          lonlat: bool = False, progress: Optional[Callable[[str], None]] = None) -> int:
    """Writes the report of these runs to a file; returns its size in bytes. The first run is the
    one that the others are compared with."""
    try:  # before anything is drawn
        import jinja2  # noqa: F401  # pylint: disable=unused-import
        from throng.report import page
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "throng":
            raise
        raise Error(f"a report needs matplotlib and Jinja ({missing}): apt-get install "
                    "python3-matplotlib python3-jinja2, or pip install matplotlib jinja2"
                    ) from None
    if not runs:
        raise Error("a report needs at least one run")
    say = progress or (lambda words: None)
    made = page.fitted(page.context_of(runs, title, player, lonlat, say), say)
    with whole_file(output) as path, open(path, "wb") as file:
        file.write(made)
    return len(made)


def parser_of(name: str, kind: type[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The options of report."""
    parser = kind(prog=name, formatter_class=argparse.RawDescriptionHelpFormatter,
                  epilog=EXAMPLES.format(name=name),
                  description="Writes one HTML file about a run, or several runs side by side.")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="output directory of a run; the "
                        "others are compared with the first")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: RUN/report.html; of "
                        "several runs report.html")
    parser.add_argument("--title", default="", help="default: the name of the scenario")
    parser.add_argument("--no-player", action="store_true",
                        help="without the player: a smaller file")
    parser.add_argument("--lonlat", action="store_true",
                        help="places also as longitude and latitude")
    parser.add_argument("--quiet", action="store_true", help="no progress line")
    return parser


def command(name: str, given_words: list[str], kind: type[argparse.ArgumentParser]) -> None:
    """Does what the words of the command line ask for."""
    given = parser_of(name, kind).parse_args(given_words)
    from throng.results import Run  # loads h5py, which --help does not need
    runs = [Run(folder) for folder in given.runs]
    output = given.output or (runs[0].path("report.html") if len(runs) == 1 else "report.html")
    progress = Progress(given.quiet)
    try:
        with one_warning():
            size = write(runs, output, given.title, not given.no_player, given.lonlat, progress)
    finally:
        progress.end()
    print(f"{output}: {size / 1e6:.1f} MB")
