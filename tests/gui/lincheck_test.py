#!/usr/bin/env python3
"""Lincheck traces in the real window: read piece by piece, searched on disk, their index written.

    lincheck_test.py BINARY MAKE_LINCHECK"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY, MAKE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]

CALLS = 400_000
LAZILY = ["--lazy-above", "0"]


class LincheckTest(window_driver.WindowCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.mkdtemp(prefix="cinderscope-lincheck-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.trace = os.path.join(cls.folder, "made.trace")
        subprocess.run([MAKE, str(CALLS), cls.trace], check=True)

    def play(self, script, *files):
        lines, count = ["wait loaded", "wait 200ms"], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        code, said, out = window_driver.play(BINARY, lines + ["quit"], *files, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def test_children_come_as_the_view_needs_them(self):
        whole, near = self.play(["state", "command zoom-to 200000 200400", "wait 1000ms", "state"], self.trace, *LAZILY)
        self.assertGreater(near["visible"]["rows"], 3)
        self.assertGreater(near["visible"]["boxes"], 50)

    def test_the_window_is_still_while_calls_stay_on_disk(self):
        # A script goes on once nothing is to be drawn.
        state, = self.play(["command lazy-memory 1MB", "command fit", "wait 1500ms", "state"], self.trace, *LAZILY)
        self.assertGreater(state["visible"]["rows"], 3)

    def test_a_search_leads_to_calls_that_were_on_disk(self):
        first, second, back = self.play(
            ["command search method7", "wait search", "command next-match", "wait search", "wait 500ms", "state",
             "command next-match", "wait search", "wait 500ms", "state",
             "command previous-match", "wait search", "wait 500ms", "state"], self.trace, *LAZILY)
        for state in (first, second, back):
            self.assertIn("method7", state["selected"]["name"])
        self.assertGreater(second["selected"]["begin"], first["selected"]["begin"])
        self.assertEqual(back["selected"], first["selected"])

    def test_all_conditions_hold_for_calls_on_disk(self):
        texts = ["dur:300..400", "thread:1 dur:>200", "name:method7 event:<9000", "-tid:1 method3 dur:50..60"]
        script = []
        for text in texts:
            script += [f"command search {text}", "wait search", "state"]
        lazy = [state["search"] for state in self.play(script, self.trace, *LAZILY)]
        whole = [state["search"] for state in self.play(script, self.trace)]
        self.assertEqual([found["matches"] for found in lazy], [found["matches"] for found in whole])
        self.assertTrue(all(found["matches"] > 0 and found["complete"] for found in lazy), lazy)

    def test_a_line_of_the_table_reads_its_call_from_disk(self):
        before, clicked, next_one = self.play(
            ["command panel search", "command search dur:300..400", "wait search", "wait 300ms", "state",
             "click 300 811", "wait 1500ms", "state", "command next-match", "wait search", "wait 1500ms", "state"],
            self.trace, *LAZILY)
        self.assertEqual(before["search"]["current"], 0)
        rank = clicked["search"]["current"]
        self.assertGreater(rank, 0)
        self.assertTrue(300 <= clicked["selected"]["duration"] <= 400, clicked["selected"])
        self.assertEqual(next_one["search"]["current"], rank + 1)

    def test_calls_on_disk_of_several_files_are_searched_together(self):
        other = os.path.join(self.folder, "second.trace")
        shutil.copyfile(self.trace, other)
        shutil.copyfile(self.trace + ".idx", other + ".idx")
        script = ["command search dur:300..400", "wait search", "state"]
        one, = self.play(script, self.trace, *LAZILY)
        both, = self.play(script, "--merge", self.trace, other, *LAZILY)
        self.assertEqual(both["search"]["matches"], 2 * one["search"]["matches"])

    def test_two_traces_are_read_piece_by_piece_at_once(self):
        other = os.path.join(self.folder, "other.trace")
        shutil.copyfile(self.trace, other)
        shutil.copyfile(self.trace + ".idx", other + ".idx")
        one, two = self.play(["command zoom-to 100000 100300", "wait 1000ms", "state", "command tab 1",
                              "command zoom-to 100000 100300", "wait 1000ms", "state"], self.trace, other, *LAZILY)
        self.assertEqual(one["visible"], two["visible"])
        self.assertNotEqual(one["files"], [])

    def test_a_missing_index_is_written_from_the_report(self):
        bare = os.path.join(self.folder, "bare.trace")
        shutil.copyfile(self.trace, bare)
        before, after = self.play(["state", "command panel report", "command write-index", "wait 3000ms",
                                   "command reload", "wait loaded", "state"], bare)
        self.assertIn("index_rebuilt", str(before["diagnostics"]))
        self.assertNotIn("index_rebuilt", str(after["diagnostics"]))
        with open(bare + ".idx", "rb") as written, open(self.trace + ".idx", "rb") as wanted:
            self.assertEqual(written.read(), wanted.read())

    def test_little_memory_is_enough_to_look_everywhere(self):
        steps = ["command lazy-memory 1MB"]
        for begin in range(0, CALLS, CALLS // 8):
            steps += [f"command zoom-to {begin} {begin + 300}", "wait 300ms"]
        states = self.play(steps + ["state", "command zoom-to 0 300", "wait 1000ms", "state"], self.trace, *LAZILY)
        for state in states:
            self.assertGreater(state["visible"]["boxes"], 20)


if __name__ == "__main__":
    unittest.main()
