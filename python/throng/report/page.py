"""Builds the page: reads the runs, draws, and fills the template."""
from __future__ import annotations

import dataclasses
import datetime
import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Optional

import jinja2
from markupsafe import Markup

import throng
from throng.errors import USAGE, Error, reading
from throng.files import text
from throng.guarded import opened_hdf5
from throng.report import charts, compare, limits, pictures, sheets, summary
from throng.report.facts import Facts
from throng.report.pictures import Picture
from throng.report.places import Gazetteer
from throng.report.sheets import Sheet
from throng.report.words import joined, number, plural, printable
from throng.results import Run
from throng.scene import Scene

LIMIT = 20_000_000  # bytes of the file
MAP_BYTES = 6_000_000  # of all maps
PLAYER_BYTES = 9_000_000  # of all players, at first
LEAST_PLAYER = 400_000  # a player has its script and a picture: less shows nobody
SHOWN = 4  # runs side by side with all of their pictures and tables
SCENARIO = 200_000  # characters of a scenario that the page shows

Progress = Callable[[str], None]


@dataclasses.dataclass
class Block:
    """What a section has of one run."""
    label: str
    pictures: list[Picture] = dataclasses.field(default_factory=list)
    sheets: list[Sheet] = dataclasses.field(default_factory=list)
    missing: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Section:
    """A part of the page."""
    id: str
    title: str
    blocks: list[Block]
    intro: str = ""


@dataclasses.dataclass
class View:
    """All that the page shows of one run."""
    facts: Facts
    scene: Scene
    gazetteer: Gazetteer
    scenario: Optional[str]
    made: str
    sentences: list[str]
    tiles: list[summary.Tile]
    warnings: list[limits.Warn] = dataclasses.field(default_factory=list)
    player: str = ""
    player_missing: str = ""

    label: str = ""

    @property
    def warned(self) -> str:
        """How many warnings of each kind."""
        kinds = [one.kind for one in self.warnings]
        counts = [plural(kinds.count(kind), kind) for kind in dict.fromkeys(kinds)]
        return joined(counts or ["none"])


def scenario_of(run: Run) -> Optional[str]:
    """The text of the scenario with which it was run, without the lines of --set."""
    paths = [*run.snapshots.values()][:1] + [run.path("trajectory.h5")]
    paths += sorted(os.path.join(run.folder, name) for name in os.listdir(run.folder)
                    if name.startswith("checkpoint-") and name.endswith(".h5"))[:1]
    for path in filter(os.path.exists, paths):
        with reading(path, "a file of a run"), opened_hdf5(path) as file:
            if "throng/scenario" in file:
                return text(file["throng/scenario"][0])
    return None


def labels_of(runs: Sequence[Run], same_but_seed: bool) -> list[str]:
    """Short names that tell the runs apart: of seeds, folders or both."""
    folders = [printable(os.path.basename(os.path.abspath(run.folder))) for run in runs]
    if same_but_seed:
        seeds = [f"seed {run.summary['seed']}" for run in runs]
        if len(set(seeds)) == len(seeds):
            return seeds
    if len(set(folders)) == len(folders):
        return folders
    return [f"{i + 1}: {name}" for i, name in enumerate(folders)]


def without_seed(run: Run) -> Optional[tuple[str, ...]]:
    """What two runs share that differ in nothing but the seed; None if that is not known."""
    if not os.path.exists(run.path("summary.json")):
        return None
    scenario = scenario_of(run)
    if scenario is None:
        return None
    lines = [line for line in scenario.splitlines()
             if not line.startswith("seed:") and not line.startswith("# --set seed=")]
    return (*lines, str(run.summary.get("version")))


def are_repetitions(runs: Sequence[Run]) -> bool:
    """Do they differ in nothing but the seed?"""
    if len(runs) < 2:
        return False
    first = without_seed(runs[0])
    return (first is not None and all(without_seed(run) == first for run in runs[1:])
            and len({run.summary["seed"] for run in runs}) == len(runs))


def finished_at(run: Run) -> str:
    """When the last file of the run's tables was written: the time of the file."""
    for name in ("summary.json", "log.jsonl", "series.csv"):
        if os.path.exists(run.path(name)):
            at = datetime.datetime.fromtimestamp(os.path.getmtime(run.path(name)),
                                                 datetime.timezone.utc)
            return f"{at:%Y-%m-%d %H:%M} UTC (time of {name})"
    return "not known"


def view_of(run: Run, label: str, repeated: bool) -> View:
    """Reads a run."""
    facts, scene = Facts(run, label), run.scene
    gazetteer = Gazetteer(scene)
    scenario = scenario_of(run)
    view = View(facts, scene, gazetteer, scenario, finished_at(run),
                summary.sentences(facts, gazetteer), summary.tiles(facts, gazetteer),
                label=label)
    view.warnings = limits.warnings_of(facts, scenario, repeated)
    return view


# ---------------------------------------------------------------------- sections

def map_section(views: Sequence[View], progress: Progress) -> Section:
    """The maps of each run, with one resolution for all."""
    pixels = pictures.PIXELS
    blocks = maps_of(views, pixels, progress)
    used = sum(one.bytes for block in blocks for one in block.pictures)
    if used > MAP_BYTES:
        progress("maps with fewer pixels: they are too large for the page")
        blocks = maps_of(views, int(pixels * (0.9 * MAP_BYTES / used) ** 0.5), progress)
    several = (" Maps that stand beside each other have one scale and one colour for each exit; "
               "people are shown at the same moment.") if len(views) > 1 else ""
    return Section("maps", "Maps", blocks, "Select a map to see it larger. Coordinates are the "
                   f"scenario's, in metres.{several}")


def maps_of(views: Sequence[View], pixels: int, progress: Progress) -> list[Block]:
    """One block for each run; beside each other on one scale, people at the same moment."""
    blocks, fullest = [], views[0].facts.fullest
    for view in views:
        kinds, missing = pictures.kinds_of(view.facts.run, fullest[1] if fullest else None)
        beside = [other.facts.run for other in views if other is not view]
        block = Block(view.label, missing=missing)
        for kind in kinds:
            progress(f"{view.facts.label}: map of {kind.title.lower()}")
            picture, why = pictures.map_of(view.facts.run, kind, view.facts.name, pixels,
                                            beside)
            if picture:
                block.pictures.append(picture)
            else:
                block.missing.append(why)
        blocks.append(block)
    return blocks


def curve_section(every_view: Sequence[View], views: Sequence[View]) -> Section:
    """The curves; people inside and arrivals of several runs share a diagram."""
    everybody = [view.facts for view in every_view]
    blocks = []
    if len(everybody) > 1:
        common = [charts.inside_chart(everybody), charts.arrivals_chart(everybody)]
        blocks.append(Block("All runs", [pictures.of_chart(one) for one in common
                                           if one and one.svg]))
    for view in views:
        facts = view.facts
        found = [] if len(everybody) > 1 else [charts.inside_chart([facts]),
                                               charts.arrivals_chart([facts])]
        found += [charts.arrival_rate_chart(facts), charts.travel_chart(facts),
                  charts.speed_chart(facts), *charts.line_charts(facts), *charts.area_charts(facts),
                  charts.queue_chart(facts)]
        block = Block(view.label, [pictures.of_chart(one) for one in found if one and one.svg])
        block.missing += [one.caption for one in found if one and not one.svg]
        if facts.series is None:
            block.missing.append("This run has no series.csv: output.series_every in the scenario "
                                 "gives people, arrivals and speed over time.")
        blocks.append(block)
    return Section("curves", "Over time", blocks)


def table_section(views: Sequence[View], lonlat: bool) -> Section:
    """Tables of exits, lines, areas, queues, travel times and alarms."""
    blocks = []
    for view in views:
        facts = view.facts
        found = [sheets.times_sheet(facts), sheets.exits_sheet(facts, view.scene),
                 sheets.lines_sheet(facts, view.scene), sheets.areas_sheet(facts),
                 sheets.queues_sheet(facts), sheets.travel_sheet(facts),
                 sheets.alarms_sheet(facts, view.gazetteer, lonlat)]
        blocks.append(Block(view.label, sheets=[one for one in found if not one.empty],
                            missing=[f"{one.title}: {one.empty}" for one in found if one.empty]))
    return Section("tables", "Tables", blocks)


def origin_section(views: Sequence[View]) -> Section:
    """Where the numbers come from."""
    return Section("provenance", "Where the numbers come from",
                   [Block(view.label, sheets=[sheets.provenance_sheet(view.facts, view.made)])
                    for view in views])


def too_large() -> str:
    """Why a player is left out."""
    return (f"The player is left out: with it the report would have more than {LIMIT / 1e6:g} MB. "
            "“throng view” writes the player as a file of its own.")


def add_player(view: View, limit: int, code: bool) -> None:
    """The player of a run, or the line why there is none; code: with the script."""
    from throng import player
    view.player = view.player_missing = ""
    if limit < LEAST_PLAYER:
        view.player_missing = too_large()
        return
    try:
        view.player = player.fragment(view.facts.run, limit, code)
    except Error as error:
        view.player_missing = f"There is nothing to play: {pictures.reason(error)}."
    if not view.player and not view.player_missing:
        view.player_missing = ("There is nothing to play: output.trajectory.every or "
                               "output.snapshot_every in the scenario records the people.")


def add_players(shown: Sequence[View], limit: int, progress: Progress) -> None:
    """Adds a player to each run; together they take at most `limit` bytes."""
    for view in shown:
        view.player = ""
    for view in shown:
        progress(f"{view.facts.label}: player")
        add_player(view, limit // len(shown), not any(other.player for other in shown))


def difference_block(views: Sequence[View]) -> list[Picture]:
    """Maps of what a run changed against the first."""
    found = []
    for view in views[1:]:
        try:
            figure = pictures.drawing()("difference", views[0].facts.run,
                                        other=view.facts.run, size=pictures.PIXELS)
        except Error as error:
            if error.code != USAGE:
                raise
            continue  # no grid, or others
        caption = (f"{view.label} against {views[0].label}: where it became denser, and where less "
                   "dense.")
        found.append(pictures.of_figure(figure, caption, f"Map. {caption}"))
    return found


# ---------------------------------------------------------------------- the page

def comparison(views: Sequence[View], repeated: bool) -> Optional[Section]:
    """The table of several runs, and the maps of their differences."""
    if len(views) < 2:
        return None
    labels = [view.label for view in views]
    measured = [compare.measures_of(view.facts, view.scene) for view in views]
    if repeated or len(views) > SHOWN:
        sheet = compare.range_sheet(labels, measured)
        if not repeated:
            sheet.notes = ["These runs are not repetitions of one scenario: mean and range only "
                           "say how far they are apart."]
        return Section("differences", "Mean and range", [Block("", sheets=[sheet])])
    sheet = compare.differences_sheet(labels, measured)
    return Section("differences", "Differences", [Block("", difference_block(views), [sheet])])


def context_of(runs: Sequence[Run], title: str, with_player: bool, lonlat: bool,
               progress: Progress) -> dict[str, Any]:
    """What the template shows."""
    repeated = are_repetitions(runs)
    labels = labels_of(runs, repeated) if len(runs) > 1 else [""]
    views = []
    for run, label in zip(runs, labels):
        progress(f"{run.folder}: numbers and tables")
        views.append(view_of(run, label, repeated))
    shown = views[:1] if repeated or len(views) > SHOWN else views
    sections = [comparison(views, repeated), map_section(shown, progress)]
    progress("curves and tables")
    sections += [curve_section(views, shown), table_section(shown, lonlat),
                 origin_section(views)]
    kept = [section for section in sections if section]
    used = sum(one.bytes for section in kept for block in section.blocks for one in block.pictures)
    if with_player:
        add_players(shown, min(PLAYER_BYTES, LIMIT - used - LIMIT // 20), progress)
    names = list(dict.fromkeys(view.facts.name for view in views))
    over_all = summary.sentences_of_all([view.facts for view in views]) if repeated else []
    return {"title": title or " and ".join(names), "views": views, "shown": shown,
            "sections": {section.id: section for section in kept}, "repeated": repeated,
            "over_all": over_all,
            "valid": [sentence for sentence, _ in limits.VALID],
            "attributions": list(dict.fromkeys(printable(view.scene.attribution) for view in views
                                               if view.scene.attribution)),
            "with_player": with_player, "scenario_limit": SCENARIO, "version": throng.__version__,
            "plural": plural, "number": number,
            "made": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")}


def fitted(context: dict[str, Any], progress: Progress) -> bytes:
    """The page, of at most LIMIT bytes: if it is too large, the players get smaller, then they are
    left out, with a warning. Without players a page is only warned of."""
    made = render(context).encode("utf-8", "replace")
    shown = context["shown"]
    while len(made) > LIMIT and any(view.player for view in shown):
        progress("smaller players: the page is too large")
        now = sum(len(view.player.encode()) for view in shown)
        add_players(shown, int(0.97 * (now - len(made) + LIMIT)), progress)
        made = render(context).encode("utf-8", "replace")
    if any(view.player_missing == too_large() for view in shown):
        warnings.warn(too_large(), stacklevel=2)
    if len(made) > LIMIT:
        warnings.warn(f"the report has {len(made) / 1e6:.1f} MB, more than {LIMIT / 1e6:g}",
                      stacklevel=2)
    return made


def render(context: dict[str, Any]) -> str:
    """The page as text; whatever comes from a run is escaped."""
    folder = os.path.dirname(os.path.abspath(__file__))
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    own = {name: Markup(file_text(os.path.join(folder, name))) for name in ("style.css", "page.js")}
    return environment.get_template("page.html").render(
        **context, style=own["style.css"], script=own["page.js"], markup=Markup)


def file_text(path: str) -> str:
    """The text of a file of this package."""
    with reading(path, "a file of throng"), open(path, encoding="utf-8") as file:
        return file.read()
