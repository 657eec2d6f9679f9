"""The command line: python -m throng export, plot, report, sweep, view."""
from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

import throng
from throng.errors import INPUT_OUTPUT, Error
from throng.needs import TO_DRAW, TO_READ, need

EXAMPLES = """
examples:
  {name} runs/hall --format archive -o hall.h5        for PedPy, and for others to cite
  {name} runs/hall --format sqlite -o hall.sqlite     for JuPedSim and PedPy
  {name} runs/hall --format csv -o door.csv --every 1 --region 20,8,25,12 --from 60 --to 120
  {name} runs/hall --format txt -o three.txt --ids 4,8,15
  {name} runs/town --format geotiff -o town.tif       measured grid, for QGIS
  {name} runs/town --format geotiff -o hour.tif --at 3600 --crs EPSG:25832
  {name} runs/town --format geopackage -o town.gpkg   map, people, ways and counts, for QGIS
  {name} runs/town --format geopackage -o ten.gpkg --at 300 --every 10 --region 0,0,200,100
  {name} runs/town --format paraview -o town.py       then: pvpython town.py --picture town.png
  {name} runs/town --format usd -o town.usdc --fps 25 people and walls, for Blender and Houdini

Trajectories, ways and people are those of trajectory.h5 (output.trajectory.every), otherwise of the
snapshots. Coordinates are the scenario's own, in m, but those of geotiff and geopackage: --crs.
Exit codes: 0 done, 64 bad arguments, 65 a damaged file, 74 input/output.
"""


class Parser(argparse.ArgumentParser):
    """One line for an error, and exit code 64."""

    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; see --help")


def numbers(kind: type) -> Callable[[str], list]:
    """A reader of numbers with commas between them."""
    def read(words: str) -> list:
        return [kind(word) for word in words.split(",")]
    read.__name__ = "list of numbers"  # as argparse names it in its message
    return read


def parser_of(name: str) -> Parser:
    """The options of export."""
    parser = Parser(prog=name, formatter_class=argparse.RawDescriptionHelpFormatter,
                    epilog=EXAMPLES.format(name=name),
                    description="Writes a run for other programs.")
    parser.add_argument("run", metavar="RUN", help="output directory of a run")
    parser.add_argument("--format", required=True, metavar="FORMAT",
                        help="trajectories: archive (HDF5 of the Pedestrian Dynamics Data "
                        "Archive), sqlite (JuPedSim), txt (the archive's text), csv, geoparquet "
                        "(needs pyarrow); maps: geotiff, geopackage (need GDAL); paraview (a script "
                        "for it); usd (a scene for films; needs usd-core)")
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument("--every", type=float, metavar="S",
                        help="s between frames; a multiple of the recorded interval")
    parser.add_argument("--region", type=numbers(float), metavar="X0,Y0,X1,Y1",
                        help="only agents while they are in this rectangle (m)")
    parser.add_argument("--ids", type=numbers(int), metavar="A,B,C", help="only these agents")
    parser.add_argument("--from", dest="begin", type=float, metavar="T",
                        help="s of simulated time, inclusive")
    parser.add_argument("--to", dest="end", type=float, metavar="T", help="s, inclusive")
    parser.add_argument("--at", type=float, metavar="T",
                        help="geotiff: the interval that ends at T s, instead of the whole run; "
                        "geopackage: the moment of the layer people (default: the fullest)")
    parser.add_argument("--crs", metavar="SYSTEM",
                        help="geotiff, geopackage: wgs84 (default; degrees), local (the scenario's "
                        "metres), or what GDAL knows, as EPSG:25832")
    parser.add_argument("--height", type=float, metavar="M",
                        help="paraview, usd: height of walls, m (default: 3)")
    parser.add_argument("--fps", type=float, metavar="N",
                        help="usd: frames per second (default: 24)")
    return parser


SWEEP_EXAMPLES = """
examples:
  {name} hall.yaml -o sweeps/hall --seeds 5 --over sources.0.count 100 200
  {name} hall.yaml -o sweeps/hall --seeds 5 --over sources.0.count 100 200 --over time.step 0.05 0.1

The same command again does what is missing. throng-collect prints means and confidence intervals.
jobs/sweep.sh does a sweep as a job array: --plan, then --task K in each of its jobs.
"""


def sweep_parser_of(name: str) -> Parser:
    """The options of sweep."""
    parser = Parser(prog=name, formatter_class=argparse.RawDescriptionHelpFormatter,
                    epilog=SWEEP_EXAMPLES.format(name=name),
                    description="Runs every combination of some options' values with every seed.")
    parser.add_argument("config", metavar="CONFIG", help="scenario")
    parser.add_argument("-o", "--output", required=True, metavar="DIR")
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="seeds 1 to N")
    parser.add_argument("--over", nargs="+", action="append", required=True,
                        metavar=("KEY", "VALUE"), help="an option and its values")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="an option of all runs")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="runs at the same time")
    parser.add_argument("--plan", action="store_true",
                        help="only write DIR/plan.tsv, and print how many runs it has")
    parser.add_argument("--task", type=int, metavar="K", help="only run K of the plan, from 1")
    return parser


def sweep(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for, without numpy and h5py."""
    from throng import sweeps
    given = sweep_parser_of(name).parse_args(words)
    over = {key: values for key, *values in given.over}
    options = dict(word.split("=", 1) if "=" in word else (word, "") for word in given.set)
    plan = sweeps.planned(given.config, over, range(1, given.seeds + 1), given.output, options)

    def start(row: sweeps.Row, threads: int | None = None, quiet: bool = False) -> None:
        sweeps.run_row(given.config, row, given.output, options, threads, quiet)

    if given.plan:
        print(len(plan))
    elif given.task is None:
        threads = max(1, (os.cpu_count() or 1) // max(1, given.workers))
        sweeps.run_all(plan, given.output, lambda row: start(row, threads, True),
                       max(1, given.workers), False)
        sweeps.prepare(given.output, plan, given.config, options)  # nothing has changed meanwhile
    elif not 1 <= given.task <= len(plan):
        raise Error(f"--task {given.task}: 1 to {len(plan)} is expected")
    else:
        row = plan[given.task - 1]
        if not sweeps.run_one(row, plan, given.output, start):
            print(f"{given.output}/{row['run']} is already finished")


def joined(words: list[str]) -> list[str]:
    """--region -5,0,5,9 as one word: argparse takes a value with a minus for an option."""
    words = list(words)
    for name in ("--region", "--ids", "--from", "--to", "--at"):
        if name in words[:-1]:
            at = words.index(name)
            words[at:at + 2] = [f"{name}={words[at + 1]}"]
    return words


def export(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for."""
    given = parser_of(name).parse_args(joined(words))
    need("an export", TO_READ)
    from throng.trajectory import Selection  # loads h5py, which --help does not need
    run = throng.open(given.run)
    from throng.export import COUNTED
    selection = Selection(given.region, given.ids, given.begin, given.end, given.every)
    count = run.export(given.output, given.format, selection, at=given.at, crs=given.crs,
                       height=given.height, fps=given.fps)
    where = ", in metres without a reference system" if given.format == "geoparquet" else ""
    print(f"{given.output}: {count} {COUNTED.get(given.format, 'rows')}{where}")


def plot(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for; even --help needs matplotlib."""
    need("a picture", TO_DRAW)
    from throng.pictures.command import plot as draw
    draw(name, words)


def view(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for."""
    from throng.player.command import view as write
    write(name, words, Parser)


def report(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for."""
    from throng.report import command
    command(name, words, Parser)


def reported(act: Callable[[str, list[str]], None], name: str, words: list[str]) -> int:
    """The exit code; an error or a warning is one line on standard error."""
    warnings.formatwarning = lambda message, *_: f"{name}: {' '.join(str(message).split())}\n"
    try:
        act(name, words)
    except Error as error:
        print(f"{name}: {' '.join(str(error).split())}", file=sys.stderr)
        if error.code == INPUT_OUTPUT:  # HDF5 would repeat a failed write at exit, with tracebacks
            sys.stderr.flush()
            os._exit(error.code)
        return error.code
    except ImportError as broken:  # what is missing, `need` has said
        print(f"{name}: {' '.join(str(broken).split())}", file=sys.stderr)
        return 64
    return 0


def export_main() -> int:
    """The command throng-export."""
    return reported(export, "throng export", sys.argv[1:])


def sweep_main() -> int:
    """The command throng-sweep."""
    return reported(sweep, "throng-sweep", sys.argv[1:])


def plot_main() -> int:
    """The command throng-plot."""
    return reported(plot, "throng plot", sys.argv[1:])


def view_main() -> int:
    """The command throng-view."""
    return reported(view, "throng view", sys.argv[1:])


def report_main() -> int:
    """The command throng-report."""
    return reported(report, "throng report", sys.argv[1:])


COMMANDS = {"export": export, "plot": plot, "report": report, "sweep": sweep, "view": view}


def main() -> int:
    """The command python -m throng."""
    name, words = "python -m throng", sys.argv[1:]
    if words and words[0] in COMMANDS:
        return reported(COMMANDS[words[0]], f"{name} {words[0]}", words[1:])
    wanted = words in (["-h"], ["--help"])
    print(f"usage: {name} {'|'.join(COMMANDS)} ...; --help after each",
          file=sys.stdout if wanted else sys.stderr)
    return 0 if wanted else 64


if __name__ == "__main__":
    sys.exit(main())
