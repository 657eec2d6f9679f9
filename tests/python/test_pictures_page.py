"""Is what is under and around every map right: ground, names, scale, sizes, errors?
test_pictures_page.py"""
import io
import math
import os
import re
import shutil
import warnings

import checkout
import made_run
import numpy as np
from checkout import refused, run_tests
from drawn import (AT, OTHER, RUN, SMALL, WORK, copied, has_ground, legend_texts, map_of, pixels,
                   write_field)
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.image import imread
from matplotlib.text import Text
from throng.names import one_warning
from throng.pictures import KINDS, command, draw, ground, style
from throng.pictures.starts import MEASURES


def test_ground_of_every_kind():
    """Water, courtyards, buildings and doors look the same in every picture."""
    clear = {"density": {"what": "mean"}, "difference": {"other": OTHER},
             "people": {"snapshot": "first"}}
    for kind in KINDS:
        if kind == "curves":
            continue
        # No cells, dots or arrows: only what is under them.
        figure = draw(kind, RUN, **clear.get(kind, {}), size=1800)
        axes = map_of(figure)
        for artist in [*axes.images, *axes.texts]:
            artist.set_visible(False)
        for one in axes.collections:
            if isinstance(one, (PathCollection, PolyCollection)):
                one.set_visible(False)
            elif isinstance(one, LineCollection) and kind == "difference" and one.zorder < 2:
                one.set_visible(False)  # hatches
        has_ground(figure, AT)


def test_tracks():
    """Tracks have a line with sleepers across it in a colour of their own; a path has dashes."""
    kinds = ("rail", "light_rail", "tram", "narrow_gauge", "footway")
    for kind, at in zip(kinds, range(125, 150, 5)):
        way = made_run.feature("street", "LineString", made_run.path((at, 35), (at, 75)), kind=kind)
        axes = map_of(draw("speed", copied(f"way-{kind}", features=[way]), shown=["streets"],
                           size=2400))
        assert kind == "footway" or kind in ground.TRACKS
        for image in axes.images:
            image.set_visible(False)
        image = pixels(axes.figure)
        low, high = (axes.transData.transform(np.add(made_run.CORNER, (at, y))).astype(int)
                     for y in (40, 70))
        strip = image[len(image) - high[1]:len(image) - low[1], low[0] - 12:low[0] + 13]
        inked = abs(strip - 255 * np.array(to_rgb(style.TRACK))).max(axis=2) < 25
        widths = inked.sum(axis=1)
        if kind == "footway":
            assert not inked.any()
            continue
        assert (widths > 0).all(), "the line has no gaps"
        assert np.mean(widths >= 2 * np.median(widths)) > 0.1, (kind, widths)  # sleepers
        assert widths.max() <= 12, (kind, widths)
    # The player and the converter know the same kinds.
    for name in ("python/throng/player/map.js", "tools/osm2geojson.py"):
        line = next(one for one in (checkout.ROOT / name).read_text(encoding="utf-8").splitlines()
                    if "TRACKS = " in one)
        assert set(re.findall(r"""["'](\w+)["']""", line)) == set(ground.TRACKS), name


def test_solids_cover_cells():
    """A cell that is half in a wall shows only on the ground."""
    figure = draw("density", RUN, what="peak", size=1800)
    has_ground(figure, ("building", "locked", "sea", "pond", "other pond", "door"))


def test_around_the_map():
    """Scale bar, north, attribution, units, axes in m and in degrees; what a region shows."""
    plain, metres, degrees = (draw("speed", RUN, **options, **SMALL) for options in
                              ({}, {"grid": True}, {"lonlat": True}))
    for text in ("N", "20 m", "© OpenStreetMap contributors", "m/s", "Mean speed"):
        assert text in legend_texts(plain), text
    assert not map_of(plain).get_xticks().size
    assert list(map_of(metres).get_xticks()) == [950, 1000, 1050]
    assert map_of(metres).get_xlabel() == "x (m)"
    ticks, labels = map_of(degrees).get_xticks(), map_of(degrees).get_xticklabels()
    a, e2, phi = 6378137.0, 0.0066943799901413165, math.radians(43.73)
    metre = math.radians(1) * a / math.sqrt(1 - e2 * math.sin(phi)**2) * math.cos(phi)
    for tick, label in zip(ticks, labels):
        assert abs(7.42 + tick / metre - float(label.get_text())) < 1e-9
    assert len(ticks) >= 2 and map_of(degrees).get_xlabel() == "longitude (°)"
    part = draw("speed", RUN, region=(950, 1950, 1000, 1980), **SMALL)
    assert map_of(part).get_xlim() == (950, 1000) and map_of(part).get_ylim() == (1950, 1980)
    shape = map_of(part).get_window_extent()
    assert abs(shape.width / shape.height - 50 / 30) < 0.02, "not distorted"
    assert "Harbour town   (run)" in legend_texts(plain)
    assert "Before" in legend_texts(draw("speed", RUN, title="Before", **SMALL))
    turned = draw("speed", RUN, title="Gate \u202eB\n", **SMALL)
    assert "Gate B" in legend_texts(turned), "marks of direction would turn what follows"


def test_letters_without_a_font():
    """One warning for all letters that no font has, and the picture is drawn."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with one_warning():
            draw("speed", RUN, title="\U000f0000 and \U000f0001", **SMALL).savefig(io.BytesIO())
    said = [str(one.message) for one in caught]
    assert len(said) == 1 and "\U000f0000 \U000f0001" in said[0], said


def test_names():
    """Streets and places are named once; names cover neither each other nor the edge."""
    axes = map_of(draw("speed", RUN, **SMALL))
    renderer = axes.figure.canvas.get_renderer()
    boxes = {text.get_text(): text.get_window_extent(renderer) for text in axes.texts}
    assert {"outside.0", "outside.1", "hall", "gate", "Main Street", "Quay", "OLD HARBOUR"
            } == set(boxes)
    frame = axes.get_window_extent()
    names = list(boxes)
    for i, name in enumerate(names):
        box = boxes[name]
        assert box.x0 >= frame.x0 and box.x1 <= frame.x1 and box.y1 <= frame.y1, name
        for other in names[:i]:
            assert not box.overlaps(boxes[other]), (name, other)
    assert axes.texts[-1].get_rotation() in (0, 90) and len(axes.texts) == 7
    assert not list(map_of(draw("speed", RUN, shown=[], **SMALL)).texts)


def test_reports_keep_the_colours():
    """The palette of a report's PNG: every pixel of an exit's colour is as in the figure."""
    from throng.report.pictures import png_of
    figure = draw("exits", RUN, size=1600)
    exact = pixels(figure)
    kept = imread(io.BytesIO(png_of(figure)))[..., :3] * 255
    found = 0
    for color in (np.round(255 * np.array(to_rgb(one))) for one in style.CATEGORIES):
        at = (exact == color).all(axis=-1)
        found += at.any()
        assert not at.any() or np.abs(kept[at] - color).max() < 5, color
    assert found >= 2, found


def test_sizes():
    """The longer side has the pixels asked for; both are even, for films."""
    for size in (400, 1000, 1801):
        for region in (None, (900, 1900, 1060, 1930), (900, 1900, 910, 2000)):
            figure = draw("density", RUN, size=size, region=region)
            shape = figure.canvas.get_width_height()
            assert abs(max(shape) - size) <= 2 and shape[0] % 2 == 0 == shape[1] % 2, shape


def test_names_are_no_formulas():
    """A name may hold dollars; matplotlib would read a formula between them."""
    priced = WORK / "priced"
    shutil.copytree(RUN, priced)
    made_run.write_map(priced, title=r"Gate $\bad$ 5")
    figure = draw("speed", priced, **SMALL)
    figure.savefig(WORK / "priced.png")
    assert any(r"$\bad$" in text.get_text() for text in figure.findobj(Text))


def test_clock():
    said = [style.clock(t) for t in (59.96, 3599.99, 61.5)]
    assert said == ["1:00 min", "1:00:00 h", "1:01.5 min"], said


def test_default_names():
    """Pictures of one run that show different things do not overwrite each other."""
    densities = [f"{one}{levels}" for one in ("--what mean", "--what maximum", "--what peak",
                 "--time 60", "--time 90", "--snapshot 600", "--what time-above --level E",
                 "--what time-above --level F") for levels in ("", " --levels hbs")]
    words = ["people", "people --time 60", "people --trails", "flow", "exits", "speed", "delay",
             "curves", *(f"density {one}" for one in densities),
             *(f"evacuation --what {one}" for one in MEASURES),
             *(f"difference other {one}" for one in densities if one.startswith("--what")),
             *(f"difference other --of {one}" for one in ("speed", "delay")),
             *(f"difference other --of evacuation --what {one}" for one in MEASURES)]
    names = []
    for line in words:
        kind, *rest = line.split()
        given = command.parser_of("throng plot").parse_args([kind, "RUN", *rest])
        names.append(command.default_output(given, command.options_of(given)))
    assert len(set(names)) == len(names) > 30, [one for one in names if names.count(one) > 1]
    said = dict(zip(words, names))
    for line, name in (("flow", "flow"), ("evacuation --what mean", "evacuation"),
                       ("evacuation --what p95", "evacuation-p95"),
                       ("density --what time-above --level F", "density-time-above-F"),
                       ("difference other --of delay", "difference-delay"),
                       ("density --time 60 --levels hbs", "density-moment-hbs-60s"),
                       ("people", "people-middle"), ("people --trails", "trails")):
        assert said[line] == os.path.join("RUN", name + ".png"), said[line]


def test_refused():
    """Each says in one line what to set."""
    bare = WORK / "bare"
    bare.mkdir()
    made_run.write_map(bare)
    for kind in ("density", "flow", "speed", "delay"):
        refused(lambda k=kind: draw(k, bare), "set measure.grid.every in the scenario", 64)
    for kind in ("evacuation", "exits"):
        refused(lambda k=kind: draw(k, bare), "set measure.people: true in the scenario", 64)
    refused(lambda: draw("difference", RUN, other=bare), "measure.grid.every", 64)
    refused(lambda: draw("curves", bare), "measure.lines", 64)
    refused(lambda: draw("curves", bare, tables=["areas"]), "no measure.areas", 64)
    refused(lambda: draw("people", bare), "no snapshots", 64)
    refused(lambda: draw("density", bare, what="moment"), "measure.grid.every", 64)
    refused(lambda: draw("painting", RUN), "choose one of people", 64)
    refused(lambda: draw("speed", RUN, region=(0, 0, 0, 1)), "--region", 64)
    refused(lambda: draw("speed", RUN, size=3), "--size", 64)
    refused(lambda: draw("speed", RUN, shown=["ghosts"]), "--show ghosts", 64)
    refused(lambda: draw("flow", RUN, cell=0), "--cell", 64)
    refused(lambda: draw("people", RUN, snapshot="7"), "there is none", 64)
    write_field(600, 0, 600)
    refused(lambda: draw("density", RUN, what="moment", snapshot="7"), "there is none", 64)
    flat = WORK / "flat"
    shutil.copytree(RUN, flat)
    made_run.write_map(flat, bbox=[5, 5, 5, 5])
    refused(lambda: draw("people", flat), "its bbox", 65)
    nowhere = WORK / "nowhere"
    shutil.copytree(RUN, nowhere)
    made_run.write_map(nowhere, **{"throng:centre": None})
    refused(lambda: draw("speed", nowhere, lonlat=True), "not in degrees", 64)
    assert "N" not in legend_texts(draw("speed", nowhere, **SMALL)), "nowhere has no north"


if __name__ == "__main__":
    run_tests(globals())
    shutil.rmtree(WORK)
