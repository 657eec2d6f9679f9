"""Trials go on where they were interrupted; failures are counted and kept. With made-up trials."""

import contextlib
import io
import json
import pathlib
import random
import tempfile
import unittest

import random_scenario
import trials
from job import Failure, Work


class Loop(unittest.TestCase):

    def setUp(self):
        self.made = []  # numbers drawn by the trials that were made
        trials.KINDS["kills"] = self.trial
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def trial(self, work, random):
        drawn = random.randrange(1000000)
        self.made.append(drawn)
        work.fresh().write_text("kept")
        if drawn % 5 == 0:
            raise Failure("it is a multiple of 5")
        return 2, str(drawn)

    def run_all(self, wanted, state, seed=3):
        """(what was printed, failed trials, folder)"""
        run = self.folder / f"run-{len(list(self.folder.iterdir()))}"
        run.mkdir()
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            failed = trials.run({"kills": wanted}, 0, Work(run, [], run, False),
                                trials.State(state, seed))
        return said.getvalue(), failed, run

    def test_an_interruption_changes_nothing(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_all(60, whole)
        drawn, self.made = self.made, []
        self.run_all(20, parts)
        with open(parts, "ab") as file:
            file.write(b'{"kind": "ki')  # cut off
        self.run_all(60, parts, seed=4)  # the seed is that of the file
        self.assertEqual(self.made, drawn)
        self.assertEqual(len(parts.read_text().splitlines()), len(drawn) + 1)

    def test_a_failure_is_told_kept_and_counted_again(self):
        said, failed, run = self.run_all(60, self.folder / "state")
        bad = sum(drawn % 5 == 0 for drawn in self.made)
        self.assertTrue(0 < bad == failed)
        self.assertEqual(said.count("--seed 3 --first "), bad)
        self.assertEqual(len(list(run.glob("kills-*"))), bad)
        self.assertEqual(self.run_all(60, self.folder / "state")[1], bad)

    def test_no_trial_begins_after_the_time(self):
        with contextlib.redirect_stdout(io.StringIO()):
            trials.run({"kills": 60}, 0, Work(self.folder, [], self.folder, False),
                       trials.State(None, 3), seconds=0)
        self.assertEqual(self.made, [])


class Draws(unittest.TestCase):
    """Random scenarios hold what results depend on, also together."""

    def test_all_features_are_drawn(self):
        worlds = [json.loads(random_scenario.scenario(random.Random(k))) for k in range(400)]
        fields = [w for w in worlds if w["navigation"]["model"] == "field"]
        slow = [w for w in fields if sum("speed" in z for z in w.get("zones", [])) > 1]
        live = [w for w in fields if "live" in w["navigation"]]

        def some(chosen):
            self.assertGreater(sum(map(bool, chosen)), 4)

        def moves_exits(world):
            return any(name.startswith("d") and not name.startswith("door")
                       for one in world.get("events", [])
                       for name in one.get("open", []) + one.get("close", []))

        def holds_back(world):
            return any(place.get("live") is False for place in world["destinations"])

        some(any("one_way" in z for z in w["zones"]) for w in slow)
        some(moves_exits(w) and holds_back(w) for w in live)
        some(moves_exits(w) and "live" not in w["navigation"] for w in fields)
        some(w.get("doors") and w.get("events") for w in fields)
        some(any("group" in s for s in w["sources"]) for w in worlds)
        some(w["navigation"].get("routes") for w in live)
        some(any("rate" in one for one in w.get("events", [])) for w in worlds)
        some(any("call" in one for one in w.get("events", [])) for w in worlds)


if __name__ == "__main__":
    unittest.main()
