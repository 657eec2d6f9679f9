"""The tables of a report, as texts: what the page shows, and what a test reads back."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Optional

import numpy as np

from throng.errors import Error
from throng.levels import E_BEGINS
from throng.report import places
from throng.report.facts import SHARES, Facts
from throng.report.words import (UNKNOWN, known, number, place, plural, printable, share)
from throng.scene import Scene

ROWS = 200  # of a table; what is longer stays in its file
ALARMS = 20


@dataclasses.dataclass
class Sheet:
    """A table: heads, rows of texts, and the sentences below it. The first `words` columns hold
    words, the others numbers. empty: why there are no rows."""
    title: str
    heads: Sequence[str]
    rows: list[list[str]]
    words: int = 1
    notes: Sequence[str] = ()
    empty: str = ""


def missing(title: str, reason: str) -> Sheet:
    """A table that the run has no data for."""
    return Sheet(title, (), [], empty=reason)


def shortened(sheet: Sheet, source: str, rows: int = ROWS) -> Sheet:
    """Its first rows, with a note where the others are."""
    if len(sheet.rows) > rows:
        note = f"The first {rows} of {number(len(sheet.rows))} rows; all are in {source}."
        return dataclasses.replace(sheet, rows=sheet.rows[:rows], notes=[*sheet.notes, note])
    return sheet


def exits_sheet(facts: Facts, scene: Scene) -> Sheet:
    """People by destination, also those that nobody went to."""
    found, title = places.found_exits(facts, scene), "Exits and destinations"
    if not found:
        return missing(title, "Nobody has arrived at a destination." if facts.arrived == 0 else
                       "This run has no travel.csv: it is written at the end of a run in which "
                       "people leave on arrival.")
    total = sum(one.people for one in found)
    timed = facts.people is not None
    heads = ["Destination", "People", "Share", "Mean travel time, s"]
    heads += ["First one, s", "Half of them, s", "Last one, s"] if timed else []
    rows = []
    for one in found:
        row = [printable(one.name), number(one.people), share(one.people, total, 1),
               number(one.travel, 1)]
        if timed:
            row += [number(one.first, 1), number(one.half, 1), number(one.last, 1)]
        rows.append(row)
    notes = ["NAME.0 is the first area of a destination that has several, as events of the "
             "scenario name it. Times are since the start of the run; a travel time is from entering to "
             "arriving." if timed else "measure.people: true in the scenario gives each area "
             "(exit) of a destination, and when people reached it."]
    if any(one.people == 0 for one in found):
        notes.append("0: nobody ended the way there. Stops on the way do not count.")
    if facts.removed:
        notes.append(f"Not in this table: {plural(facts.removed, 'person', 'people')} whom the "
                     "program that drove the run removed.")
    if any(one.name.startswith("(") for one in found):
        notes.append("(point): people who walk to a point of their own.")
    return shortened(Sheet(title, heads, rows, notes=notes),
                     "people.csv" if timed else "travel.csv")


def lines_sheet(facts: Facts, scene: Scene) -> Sheet:
    """Crossings of lines."""
    found, title = places.lines_of(facts, scene), "Measured lines"
    if not found:
        return missing(title, "No lines were measured: measure.lines in the scenario counts the "
                       "people who cross a line.")
    window = f"{found[0].window:g} s"
    heads = ["Line", "Forward, people", "Backward, people", f"Busiest {window}, people/s",
             "at, s", "Length, m", f"Busiest {window}, people/(m s)"]
    rows = [[printable(one.name), number(one.forward), number(one.backward), number(one.busiest, 2),
             number(one.at, 1), number(one.length, 2),
             number(one.busiest / one.length, 2) if known(one.busiest) and one.length else UNKNOWN]
            for one in found]
    notes = ["Forward is from left to right, looking from the line's first to its last point. The "
             f"busiest {window} count crossings in both directions; its time is the middle of it."]
    return Sheet(title, heads, rows, notes=notes)


def areas_sheet(facts: Facts) -> Sheet:
    """People, density and speed in areas."""
    found, title = places.areas_of(facts), "Measured areas"
    if not found:
        return missing(title, "No areas were measured: measure.areas in the scenario gives people, "
                       "density and speed in an area.")
    heads = ["Area", "Most people", "at, s", "Mean people", "Highest density, people/m²",
             "Mean density, people/m²", "Mean speed, m/s", "At level E or worse, s"]
    rows = [[printable(one.name), number(one.people), number(one.at, 1), number(one.mean_people, 1),
             number(one.density, 2), number(one.mean_density, 2), number(one.speed, 2),
             number(one.seconds, 1)] for one in found]
    every = f"every {facts.series_every:g} s" if facts.series_every else "now and then"
    notes = [f"Means of what was measured {every}. The speed is the mean over the people inside. "
             f"Fruin's level E begins at {E_BEGINS:g} people/m²."]
    return Sheet(title, heads, rows, notes=notes)


def queues_sheet(facts: Facts) -> Sheet:
    """Queues."""
    found, title = places.queues_of(facts), "Queues"
    if not found:
        return missing(title, "No queues were measured: a destination with queue in the scenario "
                       "has one.")
    heads = ["Queue", "Longest, people", "at, s", "Mean, people", "Served, people"]
    return Sheet(title, heads, [[printable(one.name), number(one.longest), number(one.at, 1),
                                 number(one.mean, 1), number(one.served)] for one in found])


def travel_sheet(facts: Facts) -> Sheet:
    """travel.csv as it is."""
    title = "Travel times"
    if facts.travel is None or facts.travel_row() is None:
        return missing(title, "Nobody has arrived, so no travel time is known." if not facts.arrived
                       else "This run has no travel.csv: it is written at the end of a run in "
                       "which people leave on arrival.")
    columns = {"mean_s": 1, "median_s": 0, "p90_s": 0, "p95_s": 0, "min_s": 1, "max_s": 1,
               "mean_waiting_s": 1}
    heads = ["From", "Profile", "To", "People", "Mean, s", "Half within, s", "90 % within, s",
             "95 % within, s", "Shortest, s", "Longest, s", "Mean waiting, s"]
    table = facts.travel
    rows = [[printable(table[name][i]) for name in ("source", "profile", "destination")]
            + [number(table["count"][i])]
            + [number(table[name][i], digits) for name, digits in columns.items()]
            for i in range(len(table["count"]))]
    notes = ["From entering to arriving, of those who arrived. Quantiles are whole seconds. "
             "Waiting is walking slower than 10 % of the preferred speed, being in a queue, and "
             "standing at an exit that lets only so many out."]
    return shortened(Sheet(title, heads, rows, words=3, notes=notes), "travel.csv", 60)


def alarms_sheet(facts: Facts, gazetteer: places.Gazetteer, lonlat: bool = False) -> Sheet:
    """The first alarms, with their places."""
    title = "First alarms"
    if facts.alarms is None:
        return missing(title, "There were none." if facts.run_has("alarms.csv") else
                       "No alarms were asked for: alarms.density and alarms.jam in the scenario "
                       "raise them.")
    rows = []
    table = facts.alarms
    for i in range(min(len(table["time_s"]), ALARMS)):
        x, y = float(table["x"][i]), float(table["y"][i])
        density = table["kind"][i] == "density"
        row = [number(table["time_s"][i], 1), "too dense" if density else "blocked",
               f"{number(table['value'][i], 2)} people/m²" if density
               else f"person {table['id'][i]}, for {number(table['value'][i], 1)} s",
               place(x, y), printable(gazetteer.words(x, y))]
        rows.append(row + ([degrees(gazetteer.scene, x, y)] if lonlat else []))
    counts = [plural(n, f"alarm of kind {kind}", f"alarms of kind {kind}")
              for kind, n in facts.alarm_counts.items()]
    notes = [f"{'; '.join(counts)} in all; all are in alarms.csv. An alarm is raised once, and "
             "again only after it has cleared."]
    heads = ["Time, s", "Alarm", "What", "Place (x, y)", "Near"]
    return Sheet(title, heads + (["Longitude, latitude"] if lonlat else []), rows, words=0,
                 notes=notes)


def degrees(scene: Scene, x: float, y: float) -> str:
    """'7.421500, 43.732900' of a point."""
    try:
        longitude, latitude = scene.lonlat(np.array([x, y]))
    except Error:
        return UNKNOWN
    return f"{longitude:.6f}, {latitude:.6f}"


def times_sheet(facts: Facts) -> Sheet:
    """When which share of everybody had left, and how long those who arrived were on their way."""
    title, travel = "How long it takes", facts.travel_row() or {}
    heads = ["", *("everybody" if part == 1 else f"{100 * part:g} %" for part in SHARES)]
    rows = [["had left by, s since the start", *(number(facts.time_of_share(part), 1)
                                                 for part in SHARES)],
            ["were on their way for at most, s",
             *(number(travel.get(name), digits) for name, digits in
               (("median_s", 0), ("p90_s", 0), ("p95_s", 0), ("max_s", 1)))]]
    source = ("people.csv" if facts.left_times is not None else
              f"series.csv, a row every {facts.series_every:g} s" if facts.series_every
              else "series.csv")
    notes = [f"First row: shares of all {plural(facts.count, 'person', 'people')} who were in the "
             f"world at any time ({source}); a dash: not reached. Second row: shares of the "
             f"{number(facts.arrived)} who arrived (travel.csv)."]
    return Sheet(title, heads, rows, notes=notes)


def provenance_sheet(facts: Facts, made: str) -> Sheet:
    """What the result is made of: enough to make it again."""
    s = facts.summary
    ranks = f"{s.get('ranks', UNKNOWN)} and {s.get('threads', UNKNOWN)}"
    wall: Optional[float] = facts.last("wall_s")
    rows = [["Scenario", s.get("config_path") or s.get("config") or UNKNOWN],
            ["Options given on the command line", "; ".join(s.get("overrides", [])) or "none"],
            ["throng", f"{s.get('version', UNKNOWN)}, revision {s.get('revision', UNKNOWN)}"],
            ["Compiler", s.get("compiler", UNKNOWN)],
            ["Hash of the scenario", s.get("config_hash", UNKNOWN)],
            ["Identity of all that people depend on", s.get("identity", UNKNOWN)],
            ["Checksum of the result", s.get("checksum", UNKNOWN)],
            ["Seed", str(s.get("seed", UNKNOWN))],
            ["Ranks and threads on each", ranks],
            ["Backend", s.get("backend", UNKNOWN)],
            ["Machine", s.get("machine", "not in the run's files")],
            ["Finished", s.get("finished") or made],
            ["Simulated time and step", f"{number(facts.time, 1)} s and "
             f"{s.get('step_s', UNKNOWN)} s"],
            ["Computed in", f"{number(wall, 1)} s" if known(wall) else UNKNOWN],
            ["Folder of the run", facts.folder]]
    notes = ["The checksum is the same on any number of ranks, threads and machines: who runs this "
             "version with this scenario gets the same number."]
    return Sheet("The run", ["What", "Value"],
                 [[name, printable(value)] for name, value in rows], words=2, notes=notes)
