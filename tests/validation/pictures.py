"""The pictures of docs/validation.md."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def figure_of(size):
    """An empty figure, in inches. No pyplot: cases may run side by side."""
    figure = Figure(figsize=size, dpi=110)
    FigureCanvasAgg(figure)
    return figure


def axes_of(title, xlabel, ylabel, size=(6, 4)):
    """The axes of a figure of one diagram."""
    figure = figure_of(size)
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.grid(color="0.93")
    axes.set_axisbelow(True)
    return axes


def save(axes, path, legend=True):
    if legend:
        axes.legend(frameon=False, fontsize=8)
    axes.figure.tight_layout()
    axes.figure.savefig(path)


def experiments(axes, blocks, label=None):
    """Published measurements, one mark each experiment; or all alike under one label."""
    marks = "o^vsDP*Xd<>p"
    for number, (title, rows) in enumerate(blocks.items()):
        if label:
            axes.plot(*rows.T, ".", color="0.75", markersize=3, label=None if number else label)
        else:
            mark = marks[number % len(marks)]
            axes.plot(*rows.T, mark, color="0.6", fillstyle="none", markersize=5, label=title)
