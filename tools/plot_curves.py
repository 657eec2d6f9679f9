"""Curves of what a run measured: crossings of lines, density and speed in areas."""
import os

import matplotlib.pyplot as plt
import numpy as np
import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.errors import Error
from throng.files import read_table

INK = "#2b2f36"
COLORS = ["#3b4cc0", "#d1495b", "#2a9d8f", "#e09f3e", "#7b2d8e", "#5c677d"]


def read_series(run, name, key):
    """{place: {column: values}} of a table with one row per time and place."""
    table = read_table(os.path.join(run, name))
    if key not in table:
        raise Error(f"{os.path.join(run, name)}: it has no column {key}")
    return {place: {column: values[table[key] == place] for column, values in table.items()
                    if column != key} for place in dict.fromkeys(table[key])}


def decorate(axes, across, up):
    """Labels, and a light frame."""
    axes.set_xlabel(across, fontsize=9, color=INK)
    axes.set_ylabel(up, fontsize=9, color=INK)
    axes.grid(color="#e4e4e4", linewidth=0.6)
    axes.tick_params(labelsize=8, colors=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def line_curves(run, counts, flows):
    """N(t), and the mean flow over ten seconds; over one second it is a comb."""
    for color, (name, line) in zip(COLORS * 9, read_series(run, "lines.csv", "line").items()):
        net = line["forward"] - line["backward"]
        counts.plot(line["time_s"], line["forward"], color=color, linewidth=1.6,
                    label=f"{name}, forward")
        if line["backward"].any():
            counts.plot(line["time_s"], line["backward"], color=color, linewidth=1.6,
                        linestyle=":", label=f"{name}, backward")
        window = max(int(np.searchsorted(line["time_s"], 10)), 1)
        if len(net) > window:
            spent = line["time_s"][window:] - line["time_s"][:-window]
            flows.plot((line["time_s"][window:] + line["time_s"][:-window]) / 2,
                       (net[window:] - net[:-window]) / spent, color=color, linewidth=1.6,
                       label=name)
    decorate(counts, "time (s)", "people who have passed")
    flows.set_ylim(bottom=min(0, flows.get_ylim()[0]))
    decorate(flows, "time (s)", "forward minus backward, 10 s mean (1/s)")


def area_curves(run, series, diagram):
    """Density over time, and speed over density."""
    for color, (name, area) in zip(COLORS * 9, read_series(run, "areas.csv", "area").items()):
        series.plot(area["time_s"], area["density_per_m2"], color=color, linewidth=1.6, label=name)
        diagram.scatter(area["density_per_m2"], area["mean_speed_m_s"], s=10, color=color,
                        alpha=0.6, linewidths=0, label=name)
    decorate(series, "time (s)", "density (persons / m$^2$)")
    decorate(diagram, "density (persons / m$^2$)", "mean speed (m/s)")
    diagram.set_ylim(bottom=0)


def draw_curves(run, lines, areas, output=None):
    """Draws one PNG, with a row of two diagrams each for lines and areas; returns its path."""
    count = int(lines) + int(areas)
    figure, axes = plt.subplots(count, 2, figsize=(10, 3.6 * count), dpi=150, squeeze=False,
                                constrained_layout=True)
    if lines:
        line_curves(run, *axes[0])
    if areas:
        area_curves(run, *axes[-1])
    for one in axes.flat:
        if one.get_legend_handles_labels()[0]:
            one.legend(fontsize=8, frameon=False)
    output = output or os.path.join(run, "curves.png")
    figure.savefig(output)
    plt.close(figure)
    return output
