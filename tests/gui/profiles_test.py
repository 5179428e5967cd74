#!/usr/bin/env python3
"""Profiles without a clock in the real window: the flame graph first, other weights, a session that keeps one.

    profiles_test.py BINARY"""
import os
import re
import shutil
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv.pop(1))

DIFFERENCE = "main;draw;blit 5 80\nmain;draw 4 3\nmain;read 40 0\nmain 0 2\n"


class ProfilesTest(window_driver.WindowCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cinderscope-gui-profiles-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.profile = os.path.join(self.folder, "difference.folded")
        with open(self.profile, "w", encoding="utf-8") as file:
            file.write(DIFFERENCE)

    def states(self, *script, file=None, status=0):
        lines, count = ["wait loaded", "wait 200ms"], 0
        for step in script:
            if step == "state":
                step, count = f"state OUT/{count}.json", count + 1
            lines += [step, "wait 100ms"]
        code, self.said, out = window_driver.play(BINARY, lines + ["quit"], file or self.profile,
                                                  display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, status, self.said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def test_the_flame_graph_is_there_at_once(self):
        state, = self.states("state")
        graph = state["flame_graph"]
        self.assertEqual((graph["weight"], graph["total"], graph["calls"]), ("after", 85, 3))

    def test_another_weight_lays_the_calls_out_anew_and_keeps_the_zoom(self):
        before, after = self.states("find blit", "command flame-graph weight before", "wait loaded", "wait 300ms",
                                    "state", "command flame-graph weight 1", "wait loaded", "wait 300ms", "state")
        self.assertEqual((before["flame_graph"]["weight"], before["flame_graph"]["total"]), ("before", 49))
        self.assertEqual((before["selected"]["name"], before["selected"]["duration"]), ("blit", 5))
        self.assertEqual((after["flame_graph"]["weight"], after["flame_graph"]["total"]), ("after", 85))

    def test_says_which_weights_there_are(self):
        for command in ("flame-graph weight speed", "flame-graph time"):
            self.states(f"command {command}", status=2)
            self.assertIn("There are these weights: before, after.", self.said)

    def test_a_session_keeps_the_weight_and_the_zoom_stays_by_names(self):
        session = os.path.join(self.folder, "night.cinder")
        self.states("command flame-graph weight before", "wait loaded", "wait 300ms",
                    f"command save-session {session}", "wait saved")
        with open(session, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('"before"', text)
        zoomed = re.sub(r'"zoomed":\s*\[\]', '"zoomed":["main","draw"]', text)
        self.assertNotEqual(zoomed, text)
        with open(session, "w", encoding="utf-8") as file:
            file.write(zoomed)
        before, after = self.states("command panel flame-graph", "wait 300ms", "state",
                                    "command flame-graph weight after", "wait loaded", "wait 300ms", "state",
                                    file=session)
        self.assertEqual((before["flame_graph"]["weight"], before["flame_graph"]["zoomed"]), ("before", "draw"))
        self.assertEqual((after["flame_graph"]["weight"], after["flame_graph"]["zoomed"]), ("after", "draw"))


if __name__ == "__main__":
    unittest.main()
