"""The command throng view."""
from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path

from throng.errors import Error
from throng.guarded import without_link
from throng.needs import TO_DRAW, need

EXAMPLES = """
examples:
  {name} runs/hall                             writes runs/hall/view.html
  {name} runs/hall -o hall.html --open         and opens it in the browser
  {name} runs/city -o city.html --limit 20     in at most 20 MB; the page says what is left out
  {name} runs/city -o jam.html --from 600 --to 900

The positions are those of trajectory.h5 (output.trajectory.every), otherwise of the snapshots. The
page works from disk, without a network, in Chromium, Firefox and Safari: docs/player.md.
"""
MEGA = 1_000_000


def positive(text: str) -> float:
    """A number above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError(text)
    return value


positive.__name__ = "number above 0"  # as argparse names it in its message


def parser_of(name: str, kind: type[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The options of view."""
    parser = kind(prog=name, formatter_class=argparse.RawDescriptionHelpFormatter,
                  epilog=EXAMPLES.format(name=name),
                  description="Writes one HTML file that plays a run in a browser.")
    parser.add_argument("run", metavar="RUN", help="output directory of a run")
    parser.add_argument("-o", "--output", metavar="FILE.html",
                        help="where to write; by default RUN/view.html")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    parser.add_argument("--limit", type=positive, default=200, metavar="MB",
                        help="size of the file (default 200): a larger run is thinned, first in "
                        "time, then in people")
    parser.add_argument("--every", type=positive, metavar="S",
                        help="s between positions; a multiple of the recorded interval")
    parser.add_argument("--from", dest="begin", type=float, metavar="T",
                        help="s of simulated time, inclusive")
    parser.add_argument("--to", dest="end", type=float, metavar="T", help="s, inclusive")
    return parser


def view(name: str, words: list[str], kind: type[argparse.ArgumentParser]) -> None:
    """Does what the words of the command line ask for."""
    given = parser_of(name, kind).parse_args(words)
    need("a player", TO_DRAW)
    from throng.player.page import Options, write_page  # loads what --help does not need
    from throng.results import Run
    Run(given.run)  # says what is wrong if it is no run
    output = given.output or without_link(os.path.join(given.run, "view.html"))
    options = Options(round(given.limit * MEGA), given.begin, given.end, given.every)
    lines = write_page(given.run, output, options)
    print(f"{output}: {os.path.getsize(output) / MEGA:.1f} MB; " + "; ".join(lines))
    if given.open and not webbrowser.open(Path(output).resolve().as_uri()):
        raise Error(f"{output} is written, but no browser could be started")
