#!/usr/bin/env python3
"""How much some figures of the validation depend on each parameter of the walking model: runs their
scenes with each parameter 20 % smaller and 20 % larger, and prints a table.

    tests/validation/sensitivity.py           minutes
    tests/validation/sensitivity.py --write   also write the table into docs/walking.md
"""

import argparse
import pathlib
import sys

try:
    import numpy as np
    from cases_flow import bottleneck_flow
    from cases_others import corridor_state, counter_time
    from cases_streams import order_of_run
    from run import shared_folder
    from scene import ROOT, Work
    from tracks import gaps, tracks_of_run
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PAGE = ROOT / "docs/walking.md"
BEGIN = "<!-- the table: made by tests/validation/sensitivity.py --write -->"
END = "<!-- end of the table -->"

# name: (key, value of the validation, smallest and largest value that the option takes)
PARAMETERS = {
    "`walking.time_gap`": ("profiles.0.walking.time_gap", 1, 0, np.inf),
    "`walking.length`": ("profiles.0.walking.length", 0.36, 0, np.inf),
    "`walking.anticipation`": ("profiles.0.walking.anticipation", 1, 0, np.inf),
    "`walking.sight`": ("profiles.0.walking.sight", 5, 0, 5),
    "`walking.spread`": ("profiles.0.walking.spread", 1, 0, 1),
    "`walking.queue`": ("profiles.0.walking.queue", 0.3, 0, 1),
    "`walking.shoulders`": ("profiles.0.walking.shoulders", 0.46, 0, np.inf),
    "`walking.steps_aside`": ("profiles.0.walking.steps_aside", 1, 0, np.inf),
    "`avoidance.contact`": ("avoidance.contact", 0.8, 0, 1),
    "`avoidance.horizon`": ("avoidance.horizon", 1.5, 0, np.inf),
    "`radius`": ("profiles.0.radius", 0.2, 0, np.inf),
}


def bottleneck(work):
    return np.mean(bottleneck_flow(work, 1.2)) / 1.2


def dense_speed(work):
    return corridor_state(work, 2)[1]


def lane_order(work):
    random = np.random.default_rng(1)
    return np.mean([order_of_run(run, random)[0] for run in work.runs("lanes")])


def counterflow(work):
    return np.mean([counter_time(work, 50, seed) for seed in range(1, 10)])


def narrow_door(work):
    times = [run.crossings("door") for run in work.runs("narrow-door")]
    return np.mean([t[-1] - t[0] if len(t) == 75 else np.nan for t in times])


def corner(work):
    return np.mean([float(run.travel()["mean_s"]) for run in work.runs("rimea-15")])


def street(work):
    return np.mean([gaps(tracks_of_run(run), (0, 50, 10, 150))[1] for run in work.runs("street")])


FIGURES = {
    "flow through 1.2 m, /(m s)": bottleneck,
    "75 by a door of 0.5 m, s": narrow_door,
    "speed at 1.9 /m², m/s": dense_speed,
    "order of lanes": lane_order,
    "time against 50 persons (IMO 8), s": counterflow,
    "time around the corner (RiMEA 15), s": corner,
    "deviation / width in a street": street,
}


def figures(options, key=None, value=None):
    """The figures, with one parameter changed or none."""
    sets = (f"{key}={value:g}",) if key else ()
    work = Work(options.throng.resolve(), options.output, options.output, shared_folder(), sets)
    return np.array([float(figure(work)) for figure in FIGURES.values()])


def change_text(usual, changed):
    """Both changes in percent; a dash where the option does not take the value."""
    return ", ".join("–" if value is None or np.isnan(value) else f"{round(100 * (value / usual - 1)):+d}"
                     for value in changed)


def parameter_row(options, name, usual):
    key, value, least, most = PARAMETERS[name]
    changed = [figures(options, key, v) if least <= v <= most else None
               for v in (0.8 * value, 1.2 * value)]
    cells = [change_text(usual[k], [c[k] if c is not None else None for c in changed])
             for k in range(len(FIGURES))]
    return f"| {name} = {value:g} | {' | '.join(cells)} |"


def table(options):
    usual = figures(options)
    yield f"| 20 % less, 20 % more: change in % | {' | '.join(FIGURES)} |"
    yield "|---" * (1 + len(FIGURES)) + "|"
    yield f"| with the values of the validation | {' | '.join(f'{v:.3g}' for v in usual)} |"
    for name in PARAMETERS:
        yield parameter_row(options, name, usual)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throng", type=pathlib.Path, default=ROOT / "build/release/throng")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "runs/sensitivity")
    parser.add_argument("--write", action="store_true", help="write the table into the docs")
    return parser.parse_args()


def main():
    options = arguments()
    options.output = options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    rows = []
    for row in table(options):
        print(row, flush=True)
        rows.append(row)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        lines = "\n".join(rows)
        PAGE.write_text(f"{before}{BEGIN}\n\n{lines}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
