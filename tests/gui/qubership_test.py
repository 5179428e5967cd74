#!/usr/bin/env python3
"""Qubership dumps in the window: details with their values, several incarnations on one timeline.

    qubership_test.py BINARY"""
import os
import shutil
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]
DUMP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "qubership", "dump", "input")


class QubershipTest(window_driver.WindowCase):
    def play(self, script, *files):
        status, errors, folder = window_driver.play(BINARY, ["wait loaded", "wait 100ms", *script, "quit"], *files,
                                                    display=self.display.name)
        self.addCleanup(shutil.rmtree, folder, True)
        self.assertEqual(status, 0, errors)
        return lambda *names: window_driver.states_of(folder, *names)

    def test_a_method_has_its_values(self):
        state, = self.play(["find Dao.find", "wait 200ms", "state OUT/s.json", "screenshot OUT/s.png"], DUMP)("s.json")
        self.assertEqual(state["selected"]["depth"], 2)
        self.assertEqual(state["selected"]["args"]["sql"], "select a, '?' from t where id = ? and b = ?")
        self.assertEqual(state["selected"]["duration"], 40_000_000)

    def test_calls_are_found_by_their_title(self):
        state, = self.play(["find GET /orders/7?x=1", "wait 200ms", "state OUT/s.json"], DUMP)("s.json")
        self.assertEqual(state["selected"]["args"]["user"], ["a", "b"])

    def test_the_incarnations_of_a_server_share_a_tab(self):
        with tempfile.TemporaryDirectory() as scratch:
            for start in ("1700000000000", "1700000000001"):
                shutil.copytree(DUMP, os.path.join(scratch, "node-1", "2023", "11", "14", start))
            state, = self.play(["find Main.run", "wait 200ms", "state OUT/s.json"], scratch)("s.json")
        self.assertEqual(len(state["files"]), 1, state["files"])
        self.assertIn("1700000000000 + ", state["files"][0])
        self.assertIn("missing_tree", {d["code"] for d in state["diagnostics"]})
        self.assertIn("missing_tree (2)", {d["code"] for d in state["diagnostics"]})


if __name__ == "__main__":
    unittest.main(verbosity=2)
