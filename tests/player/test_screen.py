"""The player in headless Chromium without a GPU: where people are drawn, what controls do, and
pictures that are compared with those in expected/.

    test_screen.py FOLDER [--write]     --write: makes the pictures of expected/ anew
"""
import json
import pathlib
import sys

import numpy as np

import browser
import plaza
import made_run
import throng.player
from throng.player import page

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
EXPECTED = pathlib.Path(__file__).parent / "expected"
SIZE = (900, 600)
PLAYER = "throng.players[0]"
ON, OFF = 12, 60  # of 255: a colour that is there, one that is not


def page_of(name, options=page.Options(), **more):
    """The address of a page that plays a plaza."""
    folder = FOLDER / name
    plaza.write(folder, **more)
    path = FOLDER / f"{name}.html"
    page.write_page(folder, str(path), options)
    return path.resolve().as_uri()


def opened(window, url):
    """Opens a page and waits until it shows the run."""
    window.open("about:blank")
    window.open(url)
    assert window.evaluate(f"{PLAYER}.ready.then(() => true)")
    settle(window)


def settle(window):
    """Waits until the map is sharp and two more frames of the screen have passed."""
    window.wait(f"{PLAYER}.sharp && !{PLAYER}.asked")
    window.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
                    "() => done(true))))")


def spot(window, number, time):
    """The pixel at which a person should be at a time, from the formula; None: not inside."""
    found = plaza.person(number, time)
    if found is None:
        return None
    x, y = plaza.BOX[0] + found[0], plaza.BOX[1] + found[1]
    px, py, top = window.evaluate(
        f"[...{PLAYER}.view.pixel({x}, {y}), {PLAYER}.stage.getBoundingClientRect().top]")
    return px, py + top


def colour(picture, at):
    """The colour of a pixel."""
    return picture[int(at[1]), int(at[0])]


def hex_colour(text):
    """#rrggbb as numbers."""
    return np.array([int(text[i:i + 2], 16) for i in (1, 3, 5)])


def test_positions(window):
    """Everybody is where the formula says, at frames and between them, before and after seeking;
    who left is not drawn on the way to who came."""
    opened(window, page_of("positions") + "#t=0&play=0")
    for time in (0, 6.25, 10, 11.3, 13.75, 27.9, 3.1):
        window.evaluate(f"{PLAYER}.seek({time})")
        settle(window)
        drawn = dict(window.evaluate(f"""(() => {{
          const {{source, time}} = {PLAYER}, all = [];
          const {{frame, next}} = source.at(time);
          for (let s = 0; s < source.head.slots; s++) {{
            const found = source.where(s, time);
            if (found && found.shown === 1) {{
              all.push([source.stays.id[source.stays.at(s, frame)], [found.x, found.y]]);
            }}
          }}
          return all; }})()"""))
        low, high = np.floor(time * 2) / 2, np.ceil(time * 2) / 2
        wanted = {plaza.ids()[number]: number for number in range(plaza.WALKERS)
                  if plaza.person(number, low) and plaza.person(number, high)}
        assert set(drawn) == set(wanted), (time, set(drawn) ^ set(wanted))
        for one, number in wanted.items():
            far = np.array(drawn[one]) - plaza.BOX[:2] - plaza.person(number, time)[:2]
            assert np.abs(far).max() < 0.011 + 0.01, (time, number, far)  # half a quantum each


def test_pixels(window):
    """On the screen there is a disc of the right colour at the place of a person, and none where
    nobody is."""
    url = page_of("positions")
    opened(window, url + "#t=9&play=0&colour=destination")
    looks = window.evaluate(f"{PLAYER}.head.looks.destination.colours")
    for time in (9, 9.75, 12.5):
        window.evaluate(f"{PLAYER}.seek({time})")
        settle(window)
        picture = browser.pixels(window.picture())
        for number in (0, 1, 2):
            at = spot(window, number, time)
            if at is None:
                continue
            wanted = hex_colour(looks[min(2, plaza.person(number, time)[2])])
            assert np.abs(colour(picture, at) - wanted).max() <= ON, (time, number)
    # Between 10 and 12 s person 1 has left, and 2, who gets its slot, has not come.
    window.evaluate(f"{PLAYER}.seek(11)")
    settle(window)
    picture = browser.pixels(window.picture())
    for at in (spot(window, 1, 10), spot(window, 2, 12)):
        assert min(np.abs(colour(picture, at) - hex_colour(one)).max() for one in looks) > OFF
    # Where it fades, half of it is left, at the place where it was.
    window.evaluate(f"{PLAYER}.seek(10.25)")
    settle(window)
    faded = colour(browser.pixels(window.picture()), spot(window, 1, 10))
    full, none = hex_colour(looks[0]), colour(picture, spot(window, 1, 10))
    assert np.abs(faded - (full + none) / 2).max() <= ON, (faded, full, none)


def test_colours(window):
    """Speed, density and waiting: the colour of the value that the formula gives."""
    opened(window, page_of("positions") + "#t=9&play=0")
    sees = ("(mode => { const p = throng.players[0], out = new Uint8Array(p.head.slots);"
            "p.colours.fill(mode, 18, 19, out); const {stays} = p.source;"
            "return [...out].map((value, s) => [stays.id[stays.at(s, 18)] ?? null, value]); })")
    look = window.evaluate(f"{PLAYER}.head.looks")
    values = {mode: {one: value for one, value in window.evaluate(f"{sees}('{mode}')")
                     if one is not None} for mode in ("speed", "density", "waiting")}
    ids, here = plaza.ids(), {}
    for number in range(plaza.WALKERS):
        if plaza.person(number, 9) and plaza.person(number, 9.5):
            here[number] = np.array(plaza.person(number, 9)[:2])
    assert len(here) > 30
    for number, place in here.items():
        pace = np.hypot(*(np.array(plaza.person(number, 9.5)[:2]) - place)) / 0.5
        near = sum(np.hypot(*(other - place)) <= 2 for other in here.values())
        begin = max((t for t in np.arange(0, 9.5, 0.5) if not plaza.person(number, t)),
                    default=-0.5)
        wanted = {"speed": pace, "density": near / (4 * np.pi),
                  "waiting": 9 - (begin + 0.5) if pace < 0.2 else 0}
        for mode, value in wanted.items():
            found = values[mode][ids[number]] / 255 * look[mode]["maximum"]
            assert abs(found - min(value, look[mode]["maximum"])) <= 0.05 * look[mode]["maximum"], \
                (mode, number, found, value)
    for key, mode in (("2", "density"), ("3", "waiting"), ("4", "destination"), ("1", "speed")):
        window.evaluate(f"{PLAYER}.stage.focus()")
        window.key(key)
        assert window.evaluate(f"{PLAYER}.mode") == mode
        settle(window)


def drawn_by(window, way):
    """The picture of the player when people are drawn in another way."""
    window.evaluate(f"""(() => {{ const p = {PLAYER}, old = p.layers[1];
      p.layers[1] = old.cloneNode(); p.host.dataset.draw = '{way}'; p.crowd = p.makeCrowd();
      old.replaceWith(p.layers[1]); p.crowd.setPalette(p.colours.palette(p.mode)); p.resize();
      return 1; }})()""")
    settle(window)
    return browser.pixels(window.picture())


def test_ways(window):
    """WebGL, which headless Chromium emulates, and single pixels show the same people in the same
    colours as the canvas, which is the simple reference."""
    url = page_of("positions")
    opened(window, url)
    assert window.evaluate(f"{PLAYER}.crowd.constructor.name") == "CrowdOfPixels"  # without a GPU
    for where, same in (("t=9.75&colour=density&x=1040&y=525&scale=14", 0.0001),
                        ("t=10.25&colour=destination", 0.0001),
                        ("t=9.75&colour=waiting&x=1018&y=512&scale=30", 0.002),  # by the canvas
                        ("t=10.25&x=1066&y=520&scale=9", 0.0001)):
        opened(window, f"{url}#play=0&{where}")
        pictures = {}
        for way, kind in (("canvas", "CrowdOnCanvas"), ("webgl", "Crowd"),
                          ("pixels", "CrowdOfPixels")):
            pictures[way] = drawn_by(window, way)
            assert window.evaluate(f"{PLAYER}.crowd.constructor.name") == kind
        # The canvas has other edges; their middles are compared below.
        for one, other, most in (("canvas", "webgl", 0.004), ("canvas", "pixels", 0.004),
                                 ("webgl", "pixels", same)):
            differ = (np.abs(pictures[one] - pictures[other]).max(axis=2) > OFF).mean()
            assert differ < most, (where, one, other, differ)
        if "x=1040" in where:
            check_middles(window, pictures)


def check_middles(window, pictures):
    """The middles of discs have equal colours in all pictures."""
    checked = 0
    for number in range(plaza.WALKERS):
        at = spot(window, number, 9.75)
        if at is None or not plaza.person(number, 10):
            continue
        if 5 < at[0] < 660 and 45 < at[1] < 500 and spot(window, number, 9.5):
            seen = [colour(picture, at) for picture in pictures.values()]
            assert np.ptp(seen, axis=0).max() <= ON, (number, seen)
            checked += 1
    assert checked > 5, checked


def test_last_destinations(window):
    """Without recorded destinations those of people.csv, in the colours that the map gives them."""
    opened(window, page_of("last", destinations=False) + "#t=9&play=0&colour=destination")
    about = window.evaluate(f"{PLAYER}.head")
    assert about["names"]["destination"] == about["names"]["places"] == ["east </script>", "west"]
    assert about["looks"]["destination"]["colours"][:2] == about["colours"]["destinations"][:2]
    picture = browser.pixels(window.picture())
    for number in (0, 1, 20, 31):
        wanted = hex_colour(about["colours"]["destinations"][number % 2])
        assert np.abs(colour(picture, spot(window, number, 9)) - wanted).max() <= ON, number


def test_snapshots(window):
    """A run of snapshots 50 s apart: people jump, and have the speed that was recorded."""
    made_run.write(FOLDER / "town")
    path = FOLDER / "town.html"
    page.write_page(FOLDER / "town", str(path), page.Options())
    opened(window, path.resolve().as_uri() + "#t=130&play=0")
    found = window.evaluate(f"""(() => {{ const p = {PLAYER}, {{stays}} = p.source;
      const out = new Uint8Array(p.head.slots); p.colours.fill('speed', 2, 3, out);
      return [...out].map((value, s) => [stays.id[stays.at(s, 2)], value,
        p.source.where(s, p.time).x, p.source.where(s, p.time).y]); }})()""")
    found = np.array(sorted(found))
    ids = found[:, 0].astype(int)
    assert ids.tolist() == list(range(made_run.PEOPLE))
    speeds = found[:, 1] / 255 * window.evaluate(f"{PLAYER}.head.looks.speed.maximum")
    assert np.abs(speeds - (0.1 + 0.1 * (ids % 5))).max() < 0.02
    assert np.abs(found[:, 2:] - made_run.position(ids, 100)).max() < 0.011  # that of 100 s


def test_choosing(window):
    """A click on a person shows its card and its way; Escape closes it."""
    opened(window, page_of("positions") + "#t=9&play=0")
    number = 20
    at = spot(window, number, 9)
    before = browser.pixels(window.picture())
    window.click(*at)
    window.wait(f"{PLAYER}.chosen && {PLAYER}.chosen.path")
    settle(window)
    card = window.evaluate(f"{PLAYER}.card.root.innerText")
    for part in (f"Person {plaza.ids()[number]}", "gate 2", "east </script>", "adult", "m/s"):
        assert part in card, (part, card)
    path = window.evaluate(f"{PLAYER}.chosen.path")
    assert len(path["time"]) == len([t for t in np.arange(0, 30.5, 0.5)
                                     if plaza.person(number, t)])
    for time, x, y in zip(path["time"], path["x"], path["y"]):
        far = np.array([x, y]) - plaza.BOX[:2] - plaza.person(number, time)[:2]
        assert np.abs(far).max() <= 0.011, (time, far)
    after = browser.pixels(window.picture())
    middle = spot(window, number, 7.5)  # behind it on its way
    rows, columns = (slice(int(value) - 2, int(value) + 3) for value in middle[::-1])
    red = np.abs(after[rows, columns] - hex_colour("#c1121f")).max(axis=2) <= 40
    assert red.any() and not (np.abs(before[rows, columns] - hex_colour("#c1121f")).max(axis=2)
                              <= 40).any()
    window.evaluate(f"{PLAYER}.stage.focus()")
    window.key("Escape")
    settle(window)
    assert window.evaluate(f"{PLAYER}.card.root.hidden && {PLAYER}.chosen === null")
    window.click(450, 60)  # nobody is there
    settle(window)
    assert window.evaluate(f"{PLAYER}.chosen === null")


def test_moving(window):
    """Wheel, drag and keys move the map as they should; the slider and keys move time."""
    opened(window, page_of("positions") + "#t=9&play=0")
    at = np.array(spot(window, 20, 9))
    window.mouse("mouseWheel", *at, deltaX=0, deltaY=-200)
    window.wait(f"{PLAYER}.view.scale > {PLAYER}.view.whole * 1.2")
    settle(window)
    assert np.abs(spot(window, 20, 9) - at).max() < 0.6  # what is under the mouse stays there
    window.mouse("mousePressed", *at, button="left", clickCount=1)
    window.mouse("mouseMoved", *(at + (20, 10)), button="left", buttons=1)
    window.mouse("mouseMoved", *(at + (50, 30)), button="left", buttons=1)
    window.mouse("mouseReleased", *(at + (50, 30)), button="left", clickCount=1)
    settle(window)
    assert np.abs(spot(window, 20, 9) - at - (50, 30)).max() < 6.1  # the first pixels are a click's
    assert window.evaluate(f"{PLAYER}.chosen === null")
    window.evaluate(f"{PLAYER}.stage.focus()")
    for key, time in (("ArrowRight", 9.5), ("ArrowLeft", 9), ("End", 30), ("Home", 0)):
        window.key(key)
        settle(window)
        assert window.evaluate(f"{PLAYER}.time") == time, key
    window.evaluate(f"(() => {{ const s = {PLAYER}.panel.slider; s.value = 12;"
                    "s.dispatchEvent(new Event('input')); return 1; })()")
    settle(window)
    assert abs(window.evaluate(f"{PLAYER}.time") - 12) < 0.1
    assert "0:00:12.0" in window.evaluate(f"{PLAYER}.panel.about.innerText")
    inside = sum(plaza.person(number, 12) is not None for number in range(plaza.WALKERS))
    assert f"{inside} people" in window.evaluate(f"{PLAYER}.panel.about.innerText")
    window.key("0")
    settle(window)
    assert window.evaluate(f"{PLAYER}.view.scale === {PLAYER}.view.whole")


def test_playing(window):
    """Time runs at the speed that was chosen, and stops at the end."""
    opened(window, page_of("positions") + "#t=0&play=0&rate=2")
    window.evaluate(f"{PLAYER}.setPlaying(true)")
    window.wait(f"{PLAYER}.drawn > 10 && {PLAYER}.time > 1")
    begin = window.evaluate(f"[{PLAYER}.time, {PLAYER}.last]")
    window.wait(f"{PLAYER}.time > {begin[0]} + 2")
    end = window.evaluate(f"[{PLAYER}.time, {PLAYER}.last]")
    passed = (end[1] - begin[1]) / 1000 * 2  # after a pause of more than 0.25 s time does not jump
    assert 0.3 * passed < end[0] - begin[0] <= passed + 1e-6, (begin, end)
    window.evaluate(f"{PLAYER}.setRate(300)")
    window.wait(f"!{PLAYER}.playing")
    assert window.evaluate(f"{PLAYER}.time") == 30


def test_fragment(window):
    """In a report: a picture until it is clicked, styles of either do not touch the other's."""
    plaza.write(FOLDER / "fragment")
    text = throng.player.fragment(FOLDER / "fragment", 600_000)
    again = throng.player.fragment(FOLDER / "fragment", 600_000, code=False)
    assert len(again) < len(text) - 150_000
    path = FOLDER / "report.html"
    path.write_text("<!DOCTYPE html><meta charset='utf-8'><style>button { background: lime; } "
                    f"canvas {{ border: 9px solid }}</style><p>A</p>{text}{again}<p id='z'>Z</p>",
                    encoding="utf-8")
    window.open(path.resolve().as_uri())
    assert window.evaluate("throng.players.length") == 2
    assert not window.evaluate("throng.players.some(one => one.source)")  # nothing is read
    expect(window.picture(), "poster")
    window.click(450, 300)
    window.evaluate(f"{PLAYER}.ready.then(() => true)")
    window.wait(f"{PLAYER}.drawn > 3")
    assert not window.evaluate("throng.players[1].source")
    sees = window.evaluate(f"(() => {{ const p = {PLAYER};"
                           "return [getComputedStyle(p.layers[0]).borderTopWidth,"
                           "getComputedStyle(p.panel.end).fontFamily,"
                           "getComputedStyle(document.querySelector('#z')).fontFamily]; })()")
    assert sees[0] == "0px" and sees[1] != sees[2], sees


def shrunk(picture):
    """A picture of squares of 6 pixels: letters of another font make little difference."""
    rows, columns = (length // 6 * 6 for length in picture.shape[:2])
    return picture[:rows, :columns].reshape(rows // 6, 6, columns // 6, 6, 3).mean(axis=(1, 3))


def expect(png, name):
    """A picture is like the one in expected/: few squares differ much."""
    path = EXPECTED / f"{name}.png"
    FOLDER.joinpath(f"{name}.png").write_bytes(png)
    if "--write" in sys.argv:
        from PIL import Image
        EXPECTED.mkdir(exist_ok=True)
        Image.open(FOLDER / f"{name}.png").convert("RGB").quantize(128).save(path, optimize=True)
        return
    found, wanted = shrunk(browser.pixels(png)), shrunk(browser.pixels(path.read_bytes()))
    assert found.shape == wanted.shape, (name, found.shape, wanted.shape)
    differ = np.abs(found - wanted).max(axis=2) > 40
    assert differ.mean() < 0.03, (name, differ.mean(), f"compare {FOLDER}/{name}.png with {path}")


def test_pictures(window):
    """Whole pictures: the map with its courtyard, water, door and street; each colour; a card."""
    url = page_of("positions")
    for name, where in (("speed", "#t=9&play=0"),
                        ("density", "#t=20&play=0&colour=density"),
                        ("destination", "#t=20&play=0&colour=destination&person=60"),
                        ("close", "#t=20&play=0&colour=waiting&x=1018&y=512&scale=30")):
        opened(window, url + where)
        window.wait(f"!{PLAYER}.chosen || {PLAYER}.chosen.path")
        settle(window)
        expect(window.picture(), name)


def test_map(window):
    """Water is water, a locked courtyard is no building and no ground: by their colours."""
    opened(window, page_of("positions") + "#t=0&play=0")
    colours = window.evaluate(f"{PLAYER}.head.colours")
    picture = browser.pixels(window.picture())
    for place, wanted in (((32, 20), colours["solid"]), ((37, 26), colours["kinds"]["locked"]),
                          ((65, 5), colours["kinds"]["water"]), ((52, 46), colours["ground"])):
        x, y, top = window.evaluate(
            f"[...{PLAYER}.view.pixel({plaza.BOX[0] + place[0]}, {plaza.BOX[1] + place[1]}),"
            f"{PLAYER}.stage.getBoundingClientRect().top]")
        assert np.abs(colour(picture, (x, y + top)) - hex_colour(wanted)).max() <= 3, place
    x, y, top = window.evaluate(f"[...{PLAYER}.view.pixel({plaza.BOX[0] + 56}, "
                                f"{plaza.BOX[1] + 44}), "
                                f"{PLAYER}.stage.getBoundingClientRect().top]")
    part = picture[int(y + top):int(y + top) + 18, int(x) - 8:int(x) + 9]
    dark = np.abs(part - hex_colour(colours["rail"])).max(axis=2) < 45
    assert 2 <= dark[:, 7:10].any(axis=1).sum() and not dark[:, :4].any(), dark  # sleepers
    assert dark[:, 6:11].sum() < 18 * 5 / 2, dark


def test_narrow(window):
    """On a narrow screen nothing is cut off, and nothing lies over the attribution."""
    url = page_of("positions")
    for width in (320, 390, SIZE[0]):
        window.call("Emulation.setDeviceMetricsOverride", width=width, height=700,
                    deviceScaleFactor=1, mobile=False)
        opened(window, url + "#t=9&play=0")
        window.evaluate("""(() => { const p = throng.players[0];
          p.root.querySelector('.credit').textContent = 'Map data (c) OpenStreetMap ' +
            'contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright)';
          return p.choose(0); })()""")
        settle(window)
        boxes = window.evaluate("""(() => { const {root} = throng.players[0], found = {};
          for (const name of ['credit', 'zoom', 'scale', 'legend', 'person', 'bar', 'about']) {
            const box = root.querySelector('.' + name).getBoundingClientRect();
            found[name] = [box.left, box.top, box.right, box.bottom];
          }
          [...root.querySelectorAll('.bar > *')].forEach((one, i) => {
            const box = one.getBoundingClientRect();
            found['control ' + i] = [box.left, box.top, box.right, box.bottom]; });
          return found; })()""")
        for name, (left, top, right, bottom) in boxes.items():
            assert left >= 0 and top >= 0 and right <= width and bottom <= 700, (width, name, boxes)
        on_map = ["credit", "zoom", "scale", "legend", "person"]
        for i, one in enumerate(on_map):
            for other in on_map[i + 1:]:
                (a, b, c, d), (e, f, g, h) = boxes[one], boxes[other]
                assert c <= e or g <= a or d <= f or h <= b, (width, one, other, boxes)
    window.call("Emulation.setDeviceMetricsOverride", width=SIZE[0], height=SIZE[1],
                deviceScaleFactor=1, mobile=False)


WRITTEN = """(() => {
  const p = throng.players[0], names = [];
  const taken = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (name) {
    const at = this.getTransform(), half = this.measureText(name).width / 2;
    names.push([name, at.e, at.f, half]);
    return taken.apply(this, arguments);
  };
  p.map.paint(p.view, p.pixels);
  CanvasRenderingContext2D.prototype.fillText = taken;
  return names;
})()"""


def test_names(window):
    """From afar a few names with room between them, whole ones; from near all of them. People are
    drawn above them, and a mark of direction in a name turns nothing."""
    folder = FOLDER / "names"
    plaza.write(folder)
    data = json.loads((folder / "map.geojson").read_text(encoding="utf-8"))
    labels = [(x, y) for x in range(4, 78, 12) for y in range(3, 48)]
    data["features"] += [
        {"type": "Feature", "properties": {"role": "label", "kind": "museum",
                                           "name": f"\u202eMuseum\u202c {i} \u6771\u4eac"},
         "geometry": {"type": "Point", "coordinates": [plaza.BOX[0] + x, plaza.BOX[1] + y]}}
        for i, (x, y) in enumerate(labels)]
    (folder / "map.geojson").write_text(json.dumps(data), encoding="utf-8")
    page.write_page(folder, str(FOLDER / "names.html"), page.Options())
    url = (FOLDER / "names.html").resolve().as_uri()
    opened(window, url + "#t=9&play=0&colour=destination")
    names = window.evaluate(WRITTEN)
    museums = [one for one in names if one[0].startswith("Museum ")]
    assert 5 < len(museums) < len(labels) // 2, len(museums)
    assert [one[0] for one in names[:2]] == ["east </script>", "west"], names[:2]
    width, height = window.evaluate(f"[{PLAYER}.view.width, {PLAYER}.view.height]")
    for i, (_, x, y, half) in enumerate(museums):
        assert half <= x <= width - half and 0 <= y <= height, museums[i]
        for _, x2, y2, half2 in museums[i + 1:]:
            assert abs(x - x2) > half + half2 + 20 or abs(y - y2) > 20, (museums[i], x2, y2)
    number = next(n for n in range(20, plaza.WALKERS) if plaza.person(n, 9) and any(
        abs(spot(window, n, 9)[0] - x) < half - 4 and abs(spot(window, n, 9)[1] - 40 - y) < 40
        for _, x, y, half in museums))
    looks = window.evaluate(f"{PLAYER}.head.looks.destination.colours")
    assert np.abs(colour(browser.pixels(window.picture()), spot(window, number, 9))
                  - hex_colour(looks[number % 2])).max() <= ON
    seen = set()
    for x in range(1000, 1081, 6):
        window.evaluate(f"({PLAYER}.view.scale = 90, {PLAYER}.view.centre({x}, 525))")
        seen |= {one[0] for one in window.evaluate(WRITTEN)}
    assert {f"Museum {i} \u6771\u4eac" for i, (_, y) in enumerate(labels) if 22 < y < 28} <= seen


def main():
    """Runs the tests in one Chromium."""
    if not browser.CHROMIUM:
        print("SKIPPED: there is no chromium (apt-get install chromium)")
        sys.exit(77)
    with browser.Chromium(SIZE) as window:
        for title, test in list(globals().items()):
            if title.startswith("test_"):
                window.messages.clear()
                test(window)
                assert not window.faults(), window.faults()
                print(title, "passed", flush=True)


if __name__ == "__main__":
    main()
