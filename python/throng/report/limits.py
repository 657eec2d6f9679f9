"""What a reader must know before believing the numbers: warnings of this run, and what the model
is validated for (docs/walking.md and docs/validation.md, whose sentences a test compares)."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

from throng.report.facts import Facts
from throng.report.words import number, place, plural, printable, share

DENSE = 6.0  # people/m^2: the model is valid up to about this density (docs/walking.md)
NARROW = 0.7  # m: doors for which the model is wrong (docs/walking.md)
DEEP = 0.1  # m of overlap, which shoulders that turn do not explain: half a radius


@dataclasses.dataclass
class Warn:
    """A sentence; kind: problem (do not use the numbers without looking), caution, or note."""
    kind: str
    text: str


# Each line is a sentence for the page; the words in brackets stand in docs/walking.md so.
VALID = (
    ("The model is valid for adults on level ground, at densities up to about 6 people/m². It has "
     "no contact forces, so it cannot predict crushing. It does not model falls, panic or people "
     "who carry others.", "so it cannot predict crushing"),
    ("Flow through openings of 0.8 to 3 m was 13 % below to 16 % above that of experiments.",
     "flow through openings of 0.8 to 3 m | -13 to +16 %"),
    ("A door of 0.5 m was passed within 12 % of the measured times. Narrower ones were not measured.",
     "within 12 %. No data for narrower ones"),
    ("Speed by density, everybody in one direction: within 0.1 m/s of a measured corridor and "
     "within 0.15 m/s of Weidmann's curve.", "within 0.1 m/s of a corridor of 1.8 m, within 0.15 "
     "m/s of Weidmann"),
    ("Dense two-way flow is too fast: by 0.1 to 0.2 m/s from 1.25 people/m² on. Where more people "
     "want to pass than two ways carry, their flow falls to half of that.",
     "too fast by 0.1 to 0.2 m/s from 1.25 /m² on. Above the most that two ways carry, flow falls to "
     "half of it"),
    ("Dense crossing flow is too fast, by 0.2 m/s from 1.25 people/m² on.",
     "too fast by 0.2 m/s from 1.25 /m² on"),
    ("Stairs are zones with a lower speed. Children and wheelchair users can be given their own "
     "speed and radius, but none of the parameters was measured for them.",
     "none of the parameters was measured for them"),
    ("Results vary with the seed: decide by the mean and the range over at least three seeds.",
     "Results vary from seed to seed: report the mean and the range over at least three"),
)


def scenario_options(text: str, overrides: list[str]) -> dict[str, Any]:
    """The scenario as it was run, as far as YAML tells: {} if it cannot be read."""
    import yaml
    try:
        found = yaml.safe_load(text)
        for line in overrides:
            if isinstance(found, dict):
                key, _, value = line.partition("=")
                put(found, key.split("."), yaml.safe_load(value))
    except (ValueError, RecursionError):
        return {}
    except Exception as error:  # pylint: disable=broad-except
        if type(error).__module__.startswith("yaml"):
            return {}  # YAML 1.2 that PyYAML, which reads 1.1, does not know
        raise
    return found if isinstance(found, dict) else {}


def put(place_: Any, keys: list[str], value: Any) -> None:
    """Sets a value at keys such as sources.0.count; what does not fit is left out."""
    *path, last = keys
    for key in path:
        place_ = step_into(place_, key)
    if isinstance(place_, dict):
        place_[last] = value
    elif isinstance(place_, list) and last.isdigit() and int(last) < len(place_):
        place_[int(last)] = value


def step_into(place_: Any, key: str) -> Any:
    """The member of a list or map; a map is made where there is none."""
    if isinstance(place_, list):
        return place_[int(key)] if key.isdigit() and int(key) < len(place_) else None
    return place_.setdefault(key, {}) if isinstance(place_, dict) else None


def other_models(options: dict[str, Any]) -> list[str]:
    """Profiles that do not walk by the validated model."""
    found = []
    profiles = options.get("profiles")
    for profile in profiles if isinstance(profiles, list) else []:
        if not isinstance(profile, dict):
            continue
        walking, density = profile.get("walking"), profile.get("density")
        model = walking.get("model") if isinstance(walking, dict) else None
        by_density = isinstance(density, dict) and density.get("model", "none") != "none"
        if (model or ("none" if by_density else "headway")) != "headway":
            found.append(printable(profile.get("name", "without a name")))
    return found


def end_warnings(facts: Facts) -> list[Warn]:
    """Whether the run is complete, and everybody has arrived."""
    if not facts.finished:
        return [Warn("problem", "This run has not ended, or was stopped: there is no summary.json. "
                     f"All numbers are of its first {number(facts.time, 1)} s.")]
    if facts.inside and facts.arrived:
        return [Warn("caution", f"{plural(facts.inside, 'person was', 'people were')} still inside "
                     f"when the run ended, after {number(facts.time, 1)} s "
                     f"({share(facts.inside, facts.count)} of all). Travel times are only of those "
                     "who arrived, so they are too short.")]
    if facts.inside:
        return [Warn("caution", f"Nobody had arrived when the run ended, after "
                     f"{number(facts.time, 1)} s.")]
    return []


def check_warnings(facts: Facts) -> list[Warn]:
    """What the checks of the run itself found."""
    s, found = facts.summary, []
    if facts.audit_findings:
        kinds = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in s["audit"].items()
                          if isinstance(n, int) and n)
        first = s["audit"].get("first")
        found.append(Warn("problem", f"The audit of the run found violations: {kinds}. "
                          f"{'The first: ' + printable(first) + '.' if first else ''}"))
    if s.get("agents_in_walls"):
        found.append(Warn("problem", f"{plural(s['agents_in_walls'], 'person is', 'people are')} "
                          "inside a wall or obstacle at the end."))
    deepest = s.get("deepest_overlap_m") or 0
    if deepest >= DEEP and s.get("deepest_overlap"):
        at = s["deepest_overlap"]
        found.append(Warn("caution", f"Two people overlapped by {number(deepest, 3)} m at "
                          f"{place(at['x'], at['y'], 2)}, after {number(at['time_s'], 1)} s."))
    steps = s.get("agent_steps") or 0
    if steps and s.get("infeasible", 0) > 0.05 * steps:
        found.append(Warn("caution", f"In {share(s['infeasible'], steps)} of their steps people "
                          "found no velocity that avoids everybody: the crowd is too dense for the "
                          "method at some places."))
    if s.get("changed_by_caller"):
        found.append(Warn("note", "A program that called throng changed the run while it went on, "
                          "so the scenario alone does not give this result."))
    if str(s.get("revision", "")).endswith("-dirty"):
        found.append(Warn("note", "The program was built from changed source: its revision does "
                          "not say all."))
    return found


def crowd_warnings(facts: Facts) -> list[Warn]:
    """Jams, and densities that the model is not valid for."""
    found, densest = [], facts.densest
    jams = facts.alarm_counts.get("jam", 0)
    if jams:
        found.append(Warn("caution", f"{plural(jams, 'jam alarm')}: people stood blocked for "
                          "longer than alarms.jam."))
    dense = facts.alarm_counts.get("density", 0)
    if dense:
        found.append(Warn("caution", f"{plural(dense, 'density alarm')}: cells were denser than "
                          "alarms.density."))
    if densest and densest.cell >= 1 and densest.value > DENSE:
        found.append(Warn("caution", f"The highest density, {number(densest.value, 1)} people/m² "
                          f"at {place(densest.x, densest.y)}, is above 6 people/m², up to which the "
                          "model is valid."))
    return found


def model_warnings(facts: Facts, scenario: Optional[str]) -> list[Warn]:
    """Whether the validation is about the model that the run used."""
    if scenario is None:
        return []
    options = scenario_options(scenario, facts.summary.get("overrides", []))
    others = other_models(options)
    found = []
    if others:
        found.append(Warn("caution", f"{plural(len(others), 'profile')} ({', '.join(others[:5])}"
                          f"{', …' if len(others) > 5 else ''}) did not walk by the model headway. "
                          "What is said here about validation is about that model."))
    if options.get("plugin") or (isinstance(options.get("avoidance"), dict)
                                 and options["avoidance"].get("plugin")):
        found.append(Warn("caution", "The run used a plug-in, about which the validation says "
                          "nothing."))
    return found


def warnings_of(facts: Facts, scenario: Optional[str], repeated: bool) -> list[Warn]:
    """All warnings of a run, the gravest first."""
    found = [*end_warnings(facts), *check_warnings(facts), *crowd_warnings(facts),
             *model_warnings(facts, scenario)]
    if not repeated:
        found.append(Warn("note", "One run with one seed. Results vary from seed to seed: "
                          "throng sweep repeats a run with others, and throng report shows their "
                          "mean and range."))
    order = ("problem", "caution", "note")
    return sorted(found, key=lambda one: order.index(one.kind))
