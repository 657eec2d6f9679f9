"""What the player unpacks is what was recorded: its script in node, against the trajectory.

    test_codec.py FOLDER
"""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

import plaza
from throng.player import coding
from throng.player.page import HERE, MODULES
from throng.player.people import Slots, Thinning
from throng.player.recording import Crowd, Recording
from throng.scene import Scene
from throng.trajectory import open_trajectory

NODE = shutil.which("node")
FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)

UNPACK = """
const fs = require('fs');
const given = JSON.parse(fs.readFileSync(0));
(async () => {
  const stays = new Stays(await inflated(given.people), given.head.slots);
  const frames = [];
  for (const text of given.blocks) {
    const block = new Block(await inflated(text), given.head, stays);
    for (let f = block.first; f < block.first + block.frames; f++) {
      const place = block.row(block.place, f, 2);
      const rows = [];
      for (let s = 0; s < given.head.slots; s++) {
        if (place[2 * s] !== ABSENT) {
          rows.push([stays.id[stays.at(s, f)], place[2 * s] + SHIFT, place[2 * s + 1] + SHIFT,
            block.row(block.stood, f)[s],
            block.destinations ? block.row(block.destinations, f)[s] : -1,
            stays.source[stays.at(s, f)]]);
        }
      }
      frames.push(rows);
    }
  }
  console.log(JSON.stringify(frames));
})();
"""


def unpacked(recording, crowd):
    """The frames as the script finds them: rows of id, x, y (quanta), stood, destination, source,
    by id."""
    given = {"head": recording.head(), "people": coding.text(crowd.packed(recording.stays)),
             "blocks": [coding.text(data) for data in recording.parts.values()]}
    script = HERE.joinpath("codec.js").read_text(encoding="utf-8") + UNPACK
    done = subprocess.run([NODE, "-e", script], input=json.dumps(given), text=True, timeout=100,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return [np.array(sorted(rows)) for rows in json.loads(done.stdout)]


def stood(frames, limit):
    """For how many intervals each person of each frame has stood: the plain way."""
    before, counts = {}, []
    for rows in frames:
        now = {}
        for one, x, y in rows[:, :3]:
            if one in before:
                old_x, old_y, count = before[one]
                now[one] = (x, y, count + ((x - old_x)**2 + (y - old_y)**2 <= limit**2))
            else:
                now[one] = (x, y, 0)
        before = now
        counts.append([now[one][2] for one in rows[:, 0]])
    return counts


def check(layout, every, thinning):
    """Every person of every frame is where the trajectory says, to half a quantum."""
    folder = FOLDER / f"{layout}-{every}"
    plaza.write(folder, every=every, layout=layout)
    trajectory, scene = open_trajectory(folder), Scene(folder)
    recording = Recording(trajectory, scene.bbox, thinning, (None, None))
    crowd = Crowd.of(folder, recording.stays, scene)
    frames = unpacked(recording, crowd)
    wanted = [one for one in trajectory.frames() if one.number % thinning.every == 0]
    assert len(frames) == len(wanted) > 2
    for rows, frame in zip(frames, wanted):
        columns = frame.columns
        kept = thinning.chosen(columns["id"])
        assert rows[:, 0].astype(np.int64).tolist() == columns["id"][kept].tolist()
        place = rows[:, 1:3] * recording.grid.quantum + recording.grid.corner
        far = np.abs(place - np.column_stack([columns["x"], columns["y"]])[kept])
        assert far.max(initial=0) <= recording.grid.quantum / 2 + 1e-9, far.max()
        if layout == "compact":
            known = columns["destination"][kept]
            assert rows[:, 4].tolist() == np.where(known < 0, 255, known).tolist()
        sources = [crowd.names["source"][int(one)] for one in rows[:, 5]]
        numbers = {value: key for key, value in plaza.ids().items()}
        assert sources == [f"gate {numbers[one] % 3}" for one in columns["id"][kept].tolist()]
    for rows, counts in zip(frames, stood(frames, recording.limit)):
        assert rows[:, 3].tolist() == counts
    return frames


def test_places():
    """Both layouts, several blocks."""
    check("compact", 0.5, Thinning(1, 1, 0.01))
    check("compact", 0.2, Thinning(3, 1, 0.05))
    check("archive", 0.5, Thinning(2, 1, 0.1))


def test_share():
    """A third of the people is about a third, and always the same."""
    check("compact", 0.5, Thinning(1, 3, 0.01))
    many = np.arange(30000)
    chosen = Thinning(share=3).chosen(many)
    assert 9700 < chosen.sum() < 10300
    assert np.abs(np.diff(np.flatnonzero(chosen))).max() < 40  # not in long rows of neighbours
    part = Thinning(share=3).chosen(many[1000:2000])
    assert part.tolist() == chosen[1000:2000].tolist()


def test_slots():
    """Nobody gets the slot of somebody who was there in the frame before; few slots are used."""
    draw, slots, before, most = np.random.default_rng(3), Slots(), {}, 0
    frames = []
    for _ in range(200):
        ids = np.flatnonzero(draw.random(50) < 0.7)
        row = slots.next(ids)
        assert len(set(row.tolist())) == len(row)
        now = dict(zip(row.tolist(), ids.tolist()))
        assert all(before[slot] == now[slot] for slot in now if slot in before)
        before, most = now, max(most, len(ids))
        frames.append(now)
    stays = slots.finish()
    assert slots.count <= 50 + 15  # those inside, and those whose slot rests
    for slot, first, last, one in zip(stays.slot, stays.first, stays.last, stays.id):
        assert all(frames[f][slot] == one for f in range(first, last + 1))
        assert last + 1 == len(frames) or frames[last + 1].get(slot) is None
    assert sum(stays.last - stays.first + 1) == sum(map(len, frames))


def test_columns():
    """Whole numbers survive, also the extreme ones."""
    values = np.array([0, 5, -7, 2**31 - 1, -2**31, 3], np.int64)
    script = HERE.joinpath("codec.js").read_text(encoding="utf-8") + """
      inflated(process.argv[1]).then(bytes =>
        console.log(JSON.stringify(unpackColumns(bytes, 2).map(one => [...one]))));"""
    done = subprocess.run([NODE, "-e", script, coding.text(coding.columns(values, values[::-1]))],
                          capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [values.tolist(), values[::-1].tolist()]


def test_syntax():
    """Each module is a script of its own as far as syntax goes, and begins strictly."""
    assert sorted(MODULES) == sorted(path.name for path in HERE.glob("*.js"))
    for name in MODULES:
        subprocess.run([NODE, "--check", HERE / name], check=True, timeout=60)
        assert HERE.joinpath(name).read_text(encoding="utf-8").startswith("'use strict';\n"), name


def test_over():
    """One translucent colour over another: the operator "over" of Porter and Duff."""
    draw = np.random.default_rng(3)
    old, new = draw.integers(0, 256, (500, 4)), draw.integers(0, 256, (500, 4))
    old[:, 3], new[:, 3] = draw.integers(1, 256, 500), draw.integers(0, 256, 500)
    words = [[int(one.astype(np.uint8).view("<u4")[0]) for one in rows] for rows in (old, new)]
    script = ("class CrowdOnCanvas {}\n" + HERE.joinpath("pixels.js").read_text(encoding="utf-8")
              + "const [old, now, cover] = JSON.parse(require('fs').readFileSync(0));"
              + "console.log(JSON.stringify(old.map((one, i) => over(one, now[i], cover[i]))))")
    done = subprocess.run([NODE, "-e", script], text=True, timeout=100, capture_output=True,
                          input=json.dumps([*words, new[:, 3].tolist()]), check=False)
    assert done.returncode == 0, done.stderr
    found = np.array(json.loads(done.stdout), "<u4").view(np.uint8).reshape(-1, 4)
    above, below = new[:, 3] / 255, old[:, 3] / 255 * (1 - new[:, 3] / 255)
    colour = new[:, :3] * above[:, None] + old[:, :3] * below[:, None]
    assert np.abs(found[:, 3] - 255 * (above + below)).max() <= 0.51
    assert np.abs(found[:, :3] * (above + below)[:, None] - colour).max() <= 0.51


if __name__ == "__main__":
    if not NODE:
        print("SKIPPED: there is no node (apt-get install nodejs)")
        sys.exit(77)
    for title, test in list(globals().items()):
        if title.startswith("test_"):
            test()
            print(title, "passed", flush=True)
