"""The command line of `throng plot`."""
from __future__ import annotations

import argparse
import difflib
import os
from typing import Any, NoReturn

from throng.errors import Error
from throng.names import one_warning
from throng.pictures import KINDS, text_settings
from throng.whole_file import whole_file

DESCRIPTION = "Pictures of a run: maps, curves and films."
EXAMPLES = """
examples:
  {name} runs/hall                                people in the middle of the run
  {name} people runs/hall --trails                their paths
  {name} people runs/hall --movie hall.mp4        a film
  {name} density runs/hall                        the worst level of service of each place
  {name} density runs/hall --what time-above --level E --levels hbs
  {name} density runs/hall --what moment --time 600
  {name} flow runs/hall --cell 10
  {name} evacuation runs/hall --what p95
  {name} exits runs/hall
  {name} curves runs/hall --tables areas queues
  {name} delay runs/after --beside runs/before   on one scale for both
  {name} difference runs/before runs/after --of delay

{name} KIND --help lists the options of a kind. docs/pictures.md shows all kinds.
Exit codes: 0 done, 64 bad arguments or a missing file, 65 a damaged file, 74 input/output.
"""
MOMENT = ("first, middle, last or a step (middle)", "STEP")


class Parser(argparse.ArgumentParser):
    """One line for an error, and exit code 64."""

    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; see --help")


def with_map(parser: argparse.ArgumentParser) -> None:
    """The options of every picture."""
    parser.add_argument("run", metavar="RUN", help="output directory of a run")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="*.png, *.pdf or *.svg; by default a PNG in RUN with the name of "
                        "what is shown")
    parser.add_argument("--size", type=int, default=1800, metavar="PIXELS",
                        help="longer side (1800); text and lines grow with it")
    parser.add_argument("--title", help="instead of the scenario's name")


def with_region(parser: argparse.ArgumentParser) -> None:
    """The options of every map."""
    from throng.pictures.ground import CAN_SHOW, SHOWN
    parser.add_argument("--region", nargs=4, type=float, metavar=("X0", "Y0", "X1", "Y1"),
                        help="only this part; m, the scenario's coordinates")
    parser.add_argument("--axes", action="store_true", help="coordinates around the map (m)")
    parser.add_argument("--grid", action="store_true", help="also lines across it")
    parser.add_argument("--lonlat", action="store_true", help="degrees instead of m")
    parser.add_argument("--beside", nargs="+", metavar="RUN", help="runs whose maps of this kind "
                        "have the same scale and the same colour for each exit")
    parser.add_argument("--show", dest="shown", nargs="*", default=SHOWN, metavar="WHAT",
                        choices=CAN_SHOW, help=f"what is named on the map: some of "
                        f"{', '.join(CAN_SHOW)} ({' '.join(SHOWN)})")


def with_moment(parser: argparse.ArgumentParser) -> None:
    """The options of a picture of one moment, and of a film."""
    parser.add_argument("--snapshot", default="middle", metavar=MOMENT[1], help=MOMENT[0])
    parser.add_argument("--time", type=float, metavar="S", help="instead: time since the start")
    parser.add_argument("--movie", nargs="?", const=True, metavar="FILE.mp4",
                        help="a film of all moments, MP4 or GIF; by default movie.mp4 in RUN")
    parser.add_argument("--fps", type=float, default=20, help="frames per second (20)")


def with_levels(parser: argparse.ArgumentParser, whats: tuple[str, ...]) -> None:
    """The options of a density."""
    parser.add_argument("--what", choices=whats, default="maximum",
                        help="maximum: highest mean of an interval (default); peak: of a single "
                        "moment; mean: of the run; time-above: time at --level or worse")
    parser.add_argument("--levels", choices=("fruin", "hbs"), default="fruin",
                        help="levels of service: Fruin 1971 (default) or HBS 2015")
    parser.add_argument("--level", choices=tuple("BCDEF"), default="E",
                        help="of time-above (E)")


def with_people(parser: argparse.ArgumentParser) -> None:
    """The options of people."""
    parser.add_argument("--trails", nargs="?", const="auto", choices=("auto", "lines", "paths"),
                        help="also paths: lines of some people, or how many passed each spot; "
                        "auto: lines of up to 600 people")
    parser.add_argument("--share", type=float, metavar="S",
                        help="of the people whose paths are drawn as lines (0 to 1)")
    parser.add_argument("--density", choices=("auto", "on", "off"), default="auto",
                        help="persons/m^2 instead of dots; auto: if they hide each other")


def with_cell(parser: argparse.ArgumentParser, what: str) -> None:
    """The size of a cell."""
    parser.add_argument("--cell", type=float, metavar="M", help=what)


def parser_of(name: str) -> Parser:
    """All kinds and their options."""
    def plain(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=100)

    parser = Parser(prog=name, description=DESCRIPTION, formatter_class=plain,
                    epilog=EXAMPLES.format(name=name))
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND", title="kinds")
    made = {kind: kinds.add_parser(kind, help=text, formatter_class=plain,
                                   description=text[0].upper() + text[1:] + ".")
            for kind, text in KINDS.items()}
    for kind, one in made.items():
        with_map(one)
        if kind != "curves":
            with_region(one)
    with_moment(made["people"])
    with_people(made["people"])
    with_moment(made["density"])
    with_levels(made["density"], ("moment", "mean", "maximum", "peak", "time-above"))
    with_cell(made["flow"], "m between arrows")
    for kind in ("evacuation", "exits"):
        with_cell(made[kind], "side of the places where people started")
    made["evacuation"].add_argument("--what", default="mean", choices=(
        "mean", "median", "p90", "p95", "maximum"), help="of each place (mean)")
    made["curves"].add_argument("--tables", nargs="+", choices=("lines", "areas", "queues"),
                                help="all that the run has")
    change = made["difference"]
    change.add_argument("other", metavar="RUN2", help="this run minus the first")
    change.add_argument("--of", default="density",
                        choices=("density", "speed", "delay", "evacuation"))
    with_levels(change, ("mean", "maximum", "peak", "time-above", "median", "p90", "p95"))
    with_cell(change, "of evacuation: side of the places where people started")
    change.set_defaults(what=None)
    return parser


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    """What draw() takes."""
    options = {name: value for name, value in vars(given).items()
               if name not in ("kind", "run", "output", "movie", "fps")}
    if given.kind == "density" and (given.movie or given.time is not None
                                    or given.snapshot != "middle"):
        options["what"] = "moment"
    if given.kind == "difference":
        wanted = {"density": ("what", "levels", "level"), "evacuation": ("what", "cell")}
        for name in {"what", "levels", "level", "cell"} - set(wanted.get(given.of, ())):
            del options[name]
        if options.get("what", "") is None:
            del options["what"]
    return options


def default_output(given: argparse.Namespace, options: dict[str, Any]) -> str:
    """RUN/KIND.png, with whatever tells pictures of one kind apart."""
    words = [given.kind]
    if given.kind == "people":
        words = ["trails" if given.trails else "people"]
    if options.get("of", "density") != "density":
        words.append(options["of"])
    what = options.get("what")
    if what not in (None, "mean" if "evacuation" in words else ""):
        words.append(what)
    if what == "time-above":
        words.append(options["level"])
    if options.get("levels", "fruin") != "fruin":
        words.append(options["levels"])
    if words[0] == "people" or what == "moment":
        words.append(f"{given.time:g}s" if given.time is not None else given.snapshot)
    return os.path.join(given.run, "-".join(words) + ".png")


def make_film(given: argparse.Namespace, options: dict[str, Any]) -> str:
    """A film; its path."""
    from throng.pictures import opened
    from throng.pictures.film import film_density, film_people
    from throng.pictures.sheet import View
    if given.beside:
        raise Error("--beside cannot be combined with --movie")
    names = set(View.__dataclass_fields__) - {"beside"}
    view = View(**{name: value for name, value in options.items() if name in names})
    run = opened(given.run)
    output = os.path.join(given.run, "movie.mp4") if given.movie is True else given.movie
    if given.kind == "density":
        film_density(run, view, output, given.fps, given.levels)
    elif given.trails:
        raise Error("--trails cannot be combined with --movie")
    else:
        film_people(run, view, output, given.fps, given.density)
    return output


def plot(name: str, words: list[str]) -> None:
    """Does what the words of the command line ask for; without a kind it is people."""
    if words and not words[0].startswith("-") and words[0] not in KINDS:
        kinds = difflib.get_close_matches(words[0], KINDS, 1, 0.7)
        if kinds and not os.path.exists(words[0]):
            raise Error(f"{words[0]}: no such picture; did you mean {kinds[0]}?")
        words = ["people", *words]
    given = parser_of(name).parse_args(words)
    options = options_of(given)
    if getattr(given, "movie", None):
        import matplotlib
        with matplotlib.rc_context(text_settings()), one_warning():
            print(make_film(given, options))
        return
    from throng.pictures import draw
    output = given.output or default_output(given, options)
    with one_warning():
        figure = draw(given.kind, given.run, **options)
        try:
            with whole_file(output) as path:
                figure.savefig(path, format=os.path.splitext(output)[1][1:] or "png")
        except ValueError as error:  # an unknown suffix
            raise Error(f"{output}: {str(error).splitlines()[0]}") from None
    print(output)
