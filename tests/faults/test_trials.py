"""Trials go on where they were interrupted; failures are counted and kept. With made-up trials."""

import contextlib
import io
import pathlib
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()
