"""What the tests of pictures share: two runs, and what a picture of them shows. Ends the test where
matplotlib is missing."""
import csv
import json
import pathlib
import shutil
import sys
import tempfile

import checkout  # noqa: F401 (finds the package)  # pylint: disable=unused-import
import h5py
import made_run
import numpy as np

try:
    from matplotlib.colors import to_hex, to_rgb
    from throng.pictures import style
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

WORK = pathlib.Path(tempfile.mkdtemp())
RUN, OTHER = made_run.write(WORK / "run"), made_run.write(WORK / "other", seed=2)
SMALL = {"size": 700}
# Where nothing else is drawn, from the lower left corner of the world.
AT = {"ground": ((140, 50), style.GROUND), "building": ((25, 25), style.SOLID),
      "other building": ((100, 60), style.SOLID), "locked": ((40, 40), style.KINDS["locked"]),
      "sea": ((140, 15), style.KINDS["sea"]), "pond": ((94, 15), style.KINDS["water"]),
      "other pond": ((85, 15), style.KINDS["water"]), "door": ((80, 51), style.DOOR),
      "wall": ((40, 80), style.INK)}


def map_of(figure):
    """The axes of the map."""
    return next(axes for axes in figure.axes if axes.get_label() == "map")


def pixels(figure):
    """The picture [rows][columns][3], 0 to 255; row 0 is on top."""
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)


def color_at(figure, image, place):
    """The colour of the pixel at a place (from the lower left corner of the world)."""
    x, y = map_of(figure).transData.transform(np.add(made_run.CORNER, place))
    return image[len(image) - 1 - int(y), int(x)]


def has_ground(figure, names):
    """The ground looks as AT says; lines are a few pixels wide."""
    image = pixels(figure)
    for name in names:
        place, color = AT[name]
        x, y = map_of(figure).transData.transform(np.add(made_run.CORNER, place)).astype(int)
        reach = 2 if name in ("wall", "door") else 0
        row, column = len(image) - 1 - y, x
        seen = image[row - reach:row + reach + 1, column - reach:column + reach + 1]
        apart = abs(seen - 255 * np.array(to_rgb(color))).max(axis=2)
        assert apart.min() < 2, (name, seen)


def cells_of(figure):
    """Colours '#rrggbb' of the cells [rows][columns], '' where nothing is drawn; corner, cell."""
    image = map_of(figure).images[0]
    colors, (x0, x1, y0, _) = image.get_array(), image.get_extent()
    named = np.array([[to_hex(one[:3]) if one[3] > 0 else "" for one in row] for row in colors])
    return named, (x0, y0), (x1 - x0) / colors.shape[1]


def array(name, run=RUN):
    """An array of totals.vtkhdf, by h5py alone."""
    with h5py.File(run / "totals.vtkhdf") as file:
        return file["VTKHDF/CellData/" + name][0].astype(float)


def classified(values, limits, colors, empty):
    """The colour of each value, one by one."""
    def color(value):
        return colors[sum(value >= limit for limit in limits)]
    return np.array([["" if nothing else color(v) for v, nothing in zip(row, nothings)]
                     for row, nothings in zip(values, empty)])


def same_cells(figure, expected):
    """The cells have these colours, and lie where the grid does."""
    found, corner, cell = cells_of(figure)
    assert np.allclose(corner, made_run.CORNER) and np.isclose(cell, made_run.CELL), corner
    assert found.shape == expected.shape and np.array_equal(found, expected)
    assert len(set(expected.flat)) > 4, "the test needs several classes"


def legend_texts(figure):
    """All texts around the map."""
    page = next(axes for axes in figure.axes if axes.get_label() == "page")
    return [text.get_text() for text in page.texts]


def rows_of(name, run=RUN):
    """A table, by csv alone."""
    with open(run / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_field(step, since, seed):
    """A density file."""
    values = made_run.cell_values(seed)
    with h5py.File(RUN / f"density-{step:08d}.vtkhdf", "w") as file:
        about, image = file.create_group("throng").attrs, file.create_group("VTKHDF")
        image.attrs["Origin"] = (*np.subtract(made_run.CORNER, made_run.ORIGIN), 0.0)
        for name, value in (("step", step), ("time", step / 10), ("since", since), ("cell", 4.0),
                            ("origin", made_run.ORIGIN), ("fruin_limits", made_run.FRUIN)):
            about[name] = value
        for name in ("density", "speed"):
            image["CellData/" + name] = values[name][None]
    return values["density"]


def copied(name, people=None, features=(), totals=None):
    """A copy of RUN. people: changes a row of people.csv; features: more of the map; totals:
    {array: changes it}."""
    folder = WORK / name
    shutil.copytree(RUN, folder)
    if people:
        rows = rows_of("people.csv")
        for row in rows:
            people(row)
        made_run.write_table(folder, "people.csv", rows)
    if features:
        data = json.loads((folder / "map.geojson").read_text(encoding="utf-8"))
        data["features"] += features
        (folder / "map.geojson").write_text(json.dumps(data), encoding="utf-8")
    if totals:
        with h5py.File(folder / "totals.vtkhdf", "r+") as file:
            for key, change in totals.items():
                file["VTKHDF/CellData/" + key][:] = change(file["VTKHDF/CellData/" + key][:])
    return folder
