"""The pages as files: their size, what they say, what they would load.  test_page.py FOLDER"""
import base64
import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import warnings
import zlib

import numpy as np

import plaza
import made_run
import throng
import throng.player
from throng import names
from throng.player import page, plan
from throng.player.people import Thinning
from throng.player.recording import Recording
from throng.scene import Scene
from throng.trajectory import open_trajectory

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)


class Reader(html.parser.HTMLParser):
    """The elements of a page, and the text of each part of the data."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.parts, self.inside = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = dict(attrs).get("data-part")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.parts[self.inside] = self.parts.get(self.inside, "") + data


def head_of(text):
    """What a page tells its script, and the times (s) and numbers of people of its frames."""
    parts = Reader(text).parts
    data = zlib.decompress(base64.b64decode(parts["frames"]))
    rows = int.from_bytes(data[:4], "little")
    lowest_first = np.frombuffer(data[4:], np.uint8).reshape(2, 4, rows).astype(np.int64)
    folded = (lowest_first << np.array([0, 8, 16, 24])[:, None]).sum(axis=1)
    times, inside = np.cumsum(np.where(folded % 2, -(folded + 1) // 2, folded // 2), axis=1)
    return {**json.loads(parts["head"]), "times": (times / 1000).tolist(),
            "inside": inside.tolist()}


def written(name, **options):
    """The folder of a plaza."""
    plaza.write(FOLDER / name, **options)
    return FOLDER / name


def test_texts():
    """Names with marks of HTML stay text; the page loads nothing from anywhere."""
    text, lines = page.page(written("texts"), page.Options())
    reader = Reader(text)
    head = json.loads(reader.parts["head"])
    assert head["title"] == plaza.TITLE and head["attribution"] == "(c) nobody <i>"
    assert head["names"]["places"] == ["east </script>", "west"]
    assert head["names"]["source"] == ["gate 0", "gate 1", "gate 2"]
    tags = {tag for tag, _ in reader.elements}
    assert tags == {"html", "head", "meta", "title", "style", "body", "div", "script"}, tags
    for _, attributes in reader.elements:
        assert not {"src", "href", "onload", "onclick"} & set(attributes), attributes
    own = "".join(page.HERE.joinpath(name).read_text(encoding="utf-8") for name in page.MODULES)
    assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|innerHTML|\beval\b", own)
    assert lines == ["Positions every 0.5 s, straight in between"], lines


def test_names():
    """A name keeps its letters and joiners, and loses what would turn its neighbours."""
    for name, wanted in (("\u202eneppO\u202c", "neppO"), ("\u2067Kai\u2069 \u200f1", "Kai 1"),
                         ("two\nlines\t\x07", "two lines"), ("\u6771\u4eac\u99c5",) * 2,
                         ("\u0645\u06cc\u200c\u062e",) * 2, ("", "")):
        assert names.shown(name) == wanted, (name, names.shown(name))
    folder = written("turned")
    data = json.loads((folder / "map.geojson").read_text(encoding="utf-8"))
    data["title"] = data["attribution"] = data["features"][4]["properties"]["name"] = "a\u202eb"
    (folder / "map.geojson").write_text(json.dumps(data), encoding="utf-8")
    text, _ = page.page(folder, page.Options())
    head = head_of(text)
    assert head["title"] == head["attribution"] == head["names"]["places"][0] == "ab", head
    assert "\u202e" not in text
    assert b"\\u202e" not in zlib.decompress(base64.b64decode(Reader(text).parts["map"]))


def test_areas_of_a_destination():
    """Each has its own name, as in maps and events, and the colour of its destination."""
    folder = written("areas")
    data = json.loads((folder / "map.geojson").read_text(encoding="utf-8"))
    data["features"][5]["geometry"]["coordinates"].append([plaza.square(12, 2, 18, 10)])
    (folder / "map.geojson").write_text(json.dumps(data), encoding="utf-8")
    text, _ = page.page(folder, page.Options())
    found = json.loads(zlib.decompress(base64.b64decode(Reader(text).parts["map"])))["features"]
    places = [(one["name"], one["index"], len(one["polygons"])) for one in found
              if one["role"] == "destination"]
    assert places == [("east </script>", 0, 1), ("west.0", 1, 1), ("west.1", 1, 1)], places
    assert head_of(text)["names"]["places"] == ["east </script>", "west"]


def test_warnings():
    """One warning for all letters that no font has; other warnings are passed on."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    with warnings.catch_warnings(record=True) as caught, \
            rc_context({"font.family": names.installed_families()}):
        warnings.simplefilter("always")
        with names.one_warning():
            figure = Figure()
            figure.text(0.5, 0.5, "\U00012000 \U00012001 \U00012000 and A")  # cuneiform
            FigureCanvasAgg(figure).draw()
            warnings.warn("another one")
    said = [str(one.message) for one in caught]
    assert len(said) == 2 and said[0] == "another one", said
    assert "letters \U00012000 \U00012001 of some names" in said[1], said


def test_library():
    """The bundled library is the one that its README names, with its licence."""
    vendor = page.HERE / "vendor"
    found = hashlib.sha256(vendor.joinpath("regl.min.js").read_bytes()).hexdigest()
    assert found in vendor.joinpath("README.md").read_text(encoding="utf-8"), found
    assert "Mikola Lysenko" in vendor.joinpath("regl.LICENSE").read_text(encoding="utf-8")


def test_fragment():
    """A fragment of a report has a picture, is no page, and keeps to its limit."""
    folder = written("fragment")
    text = throng.player.fragment(folder, 500_000)
    assert len(text.encode()) <= 500_000 and "<html" not in text and "<style" not in text
    images = [attributes for tag, attributes in Reader(text).elements if tag == "img"]
    assert len(images) == 1 and images[0]["src"].startswith("data:image/png;base64,iVBOR")
    assert head_of(text)["start"] == "click"
    assert head_of(throng.player.fragment(throng.open(folder), 500_000))["slots"] > 0
    try:
        throng.player.fragment(folder, 100_000)
        raise AssertionError("100 kB are too little for the script")
    except throng.Error as error:
        assert "limit" in str(error)


def test_limits():
    """Smaller and smaller: fewer frames, then fewer people; the page says so, and how far people
    are from where it draws them."""
    folder = FOLDER / "crowd"
    plaza.write_crowd(folder, 3000)
    sizes, seen = [], []
    for limit in (2_000_000, 330_000, 290_000, 255_000):
        text, lines = page.page(folder, page.Options(limit=limit))
        assert len(text.encode()) <= limit, (len(text), limit)
        sizes.append(len(text))
        head = head_of(text)
        seen.append((head["interval"], head["share"]))
        assert head["inside"][0] == 3000  # all are counted, shown or not
        assert head["mostShown"] < 1.2 * 3000 / head["share"]
        assert ("people shown" in lines[-1]) == (head["share"] > 1)
    assert sizes == sorted(sizes, reverse=True) and seen == sorted(seen), (sizes, seen)
    assert seen[0] == (0.5, 1) and seen[1][0] > 0.5 and seen[-1][0] <= plan.SPARSE
    assert seen[-1][1] > 1, seen


def test_error():
    """The stated error is that of the left-out frames, found the plain way."""
    folder = FOLDER / "error"
    plaza.write_crowd(folder, 400, seconds=20)
    trajectory, every = open_trajectory(folder), 8
    stated = plan.straightness(trajectory, Thinning(every), page.Options())
    frames = [one.columns for one in trajectory.frames()]
    place = np.array([np.column_stack([one["x"], one["y"]]) for one in frames])
    far = []
    for low in range(0, 4 * every, every):  # what is measured: four lines
        for i in range(1, every):
            between = place[low] + (place[low + every] - place[low]) * i / every
            far.append(np.hypot(*(place[low + i] - between).T))
    assert abs(stated - np.quantile(far, 0.95)) < 1e-9 and 0.3 < stated < 1, stated
    assert plan.straightness(trajectory, Thinning(1), page.Options()) is None


def test_snapshots_far_apart():
    """Nobody walks straight for a minute: people jump, and their speeds are the recorded ones."""
    folder = written("far", every=15.0, end=60.0)
    made_run.write(FOLDER / "snapshots")
    head = head_of(page.page(FOLDER / "snapshots", page.Options())[0])
    assert not head["straight"] and head["interval"] > 10, head["interval"]
    trajectory = open_trajectory(folder)
    recording = Recording(trajectory, Scene(folder).bbox, Thinning(), (None, None))
    assert not recording.straight
    lines = page.page(folder, page.Options())[1]
    assert lines == ["Positions every 15 s; nobody knows the ways in between"], lines


def test_command():
    """throng view writes RUN/view.html, says its size, and refuses what it cannot do."""
    folder = written("command")
    tool = plaza.ROOT / "tools/view.py"

    def said(*words, code=0):
        done = subprocess.run([sys.executable, tool, *words], capture_output=True, text=True,
                              timeout=200, check=False)
        assert done.returncode == code, (words, done)
        return done.stdout if code == 0 else done.stderr

    line = said(str(folder))
    assert re.fullmatch(r".+/view\.html: 0\.\d MB; Positions every 0\.5 s.*\n", line), line
    assert head_of((folder / "view.html").read_text(encoding="utf-8"))["start"] == "play"
    part = FOLDER / "part.html"
    said(str(folder), "-o", str(part), "--from", "5", "--to", "10", "--every", "1")
    assert head_of(part.read_text(encoding="utf-8"))["times"] == [5, 6, 7, 8, 9, 10]
    assert "usage: throng view" in said("--help")
    assert said(str(FOLDER / "none"), code=64).count("\n") == 1
    assert "multiple" in said(str(folder), "--every", "0.7", code=64)
    assert "limit" in said(str(folder), "--limit", "0.1", code=64)
    assert said(str(folder), "-o", str(FOLDER / "none/a.html"), code=74).count("\n") == 1
    assert "no frames" in said(str(folder), "--from", "500", code=64)


if __name__ == "__main__":
    for title, test in list(globals().items()):
        if title.startswith("test_"):
            test()
            print(title, "passed", flush=True)
