"""A picture of a run at its fullest moment, which stands where the player will be."""
from __future__ import annotations

import io

import numpy as np

from throng.pictures import ground, style
from throng.scene import Scene
from throng.trajectory import Selection, Trajectory

PIXELS = (960, 540)  # at most
NARROW = 0.5  # of the height: the least width
COLOURS = 48  # of the file: a quarter of the bytes, and nobody sees it
BODY = 0.22   # m, as in crowd.js


def poster(scene: Scene, trajectory: Trajectory, time: float) -> bytes:
    """A PNG of the people and the map at a moment (s)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image
    dots_per_inch = 100
    x0, y0, x1, y1 = scene.bbox
    # As wide as the map needs: on a telephone, a wide picture of a high map would be tiny.
    wide = round(PIXELS[1] * max((x1 - x0) / (y1 - y0), NARROW))
    pixels = (min(PIXELS[0], wide), PIXELS[1])
    figure = Figure(figsize=(pixels[0] / dots_per_inch, pixels[1] / dots_per_inch),
                    dpi=dots_per_inch, facecolor="#ebe8e1")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    scale = 0.96 * min(pixels[0] / (x1 - x0), pixels[1] / (y1 - y0))  # pixels per m
    half = np.array(pixels) / scale / 2
    axes.set_xlim((x0 + x1) / 2 - half[0], (x0 + x1) / 2 + half[0])
    axes.set_ylim((y0 + y1) / 2 - half[1], (y0 + y1) / 2 + half[1])
    ground.draw_ground(axes, scene)
    for frame in trajectory.frames(Selection(begin=time, end=time)):
        points = 2 * max(1.1, BODY * scale) * 72 / dots_per_inch  # diameter
        axes.scatter(frame.columns["x"], frame.columns["y"], s=points**2, color=style.FLOW,
                     linewidths=0, zorder=ground.PEOPLE)
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
    out = io.BytesIO()
    image.quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()
