#!/usr/bin/env python3
"""Several files on one timeline: by command, by the command line, by a drop with Shift held.

    merge_test.py BINARY XDND_SOURCE"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY, XDND_SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:3]

EPOCH_US = 1_762_684_073_000_000


def write_trace(path, prefix, begin_us=0):
    """One thread of process 1: a call of 1000 ms with one of 300 ms in it."""
    events = [{"ph": "X", "pid": 1, "tid": 1, "ts": begin_us, "dur": 1_000_000, "name": prefix + " main"},
              {"ph": "X", "pid": 1, "tid": 1, "ts": begin_us + 200_000, "dur": 300_000,
               "name": prefix + " solve", "args": {"of": prefix}}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(events, file)
    return path


class MergeTest(window_driver.FilesCase):
    binary, xdnd_source = BINARY, XDND_SOURCE

    def setUp(self):
        super().setUp()
        self.a = write_trace(self.path("a one.json"), "a")
        self.b = write_trace(self.path("b.json"), "b", 500_000)
        self.late = write_trace(self.path("late.json"), "late", EPOCH_US)

    def selected_after(self, find, *files):
        states = self.play(["wait loaded", f"find {find}", "wait 200ms", "state OUT/s.json", "quit"], *files)
        return states("s.json")[0]

    def test_merge_adds_a_file_to_the_timeline(self):
        states = self.play(["wait loaded", f"command merge {self.b}", "wait loaded", "find b solve",
                            "wait 200ms", "state OUT/s.json", "find a solve", "wait 200ms",
                            "state OUT/t.json", "quit"], self.a)
        b, a = states("s.json", "t.json")
        self.assertEqual(b["files"], [self.a + " + " + self.b])
        self.assertEqual(b["threads"]["heads"], ["Process 1 (a one)", "Process 1 (b)"])
        self.assertEqual((b["selected"]["begin"], b["selected"]["args"]), (700_000_000, {"of": "b"}))
        self.assertEqual((a["selected"]["begin"], a["selected"]["args"]), (200_000_000, {"of": "a"}))

    def test_merge_moves_a_file_by_an_offset_or_to_the_start(self):
        states = self.play(["wait loaded", f"command merge {self.b} +12ms", "wait loaded", "find b solve",
                            "wait 200ms", "state OUT/moved.json", "command merge-offset start",
                            "wait loaded", "find b solve", "wait 200ms", "state OUT/start.json",
                            "command merge-offset same", "wait loaded", "find b solve", "wait 200ms",
                            "state OUT/same.json", "quit"], self.a)
        begins = [state["selected"]["begin"] for state in states("moved.json", "start.json", "same.json")]
        self.assertEqual(begins, [712_000_000, 200_000_000, 700_000_000])

    def test_the_command_line_merges_and_moves(self):
        self.assertEqual(self.selected_after("b solve", "--merge", self.a, self.b + "@-1s")
                         ["selected"]["begin"], -300_000_000)
        state = self.selected_after("late solve", "--merge", self.a, self.late + "@start")
        self.assertEqual(state["selected"]["begin"], 200_000_000)
        self.assertEqual(len(state["files"]), 1)

    def test_clocks_with_nothing_in_common_are_offered_to_be_aligned(self):
        states = self.play(["wait loaded", f"command merge {self.late}", "wait loaded", "wait 200ms",
                            "state OUT/apart.json", "screenshot OUT/apart.png",
                            "click 1450 58", "wait loaded", "find late solve", "wait 200ms",
                            "state OUT/aligned.json", "quit"], self.a)
        apart, aligned = states("apart.json", "aligned.json")
        self.assertGreater(apart["view"]["end"], EPOCH_US * 1000)
        self.assertEqual(aligned["selected"]["begin"], 200_000_000)
        self.assertLess(aligned["view"]["end"], 10**10)

    def test_a_file_that_cannot_be_read_leaves_the_others(self):
        missing = self.path("missing.json")
        states = self.play(["wait loaded", f"command merge {missing}", "wait loaded", "find a solve",
                            "wait 200ms", "state OUT/s.json", "quit"], self.a)
        state = states("s.json")[0]
        self.assertEqual(state["selected"]["name"], "a solve")
        self.assertIsNone(state["error"])
        texts = [diagnostic["text"] for diagnostic in state["diagnostics"]]
        self.assertTrue(any(text.startswith("missing.json was left out") for text in texts), texts)

    def test_reload_reads_all_files_again(self):
        live = window_driver.LiveWindow(BINARY, "--merge", self.a, self.b, display=self.display.name)
        self.addCleanup(live.close)
        before = live.await_state(lambda state: state["view"]["end"] > 1_400_000_000)
        write_trace(self.b, "b", 3_000_000)
        live.xdotool("key", "--window", live.window, "ctrl+r")
        live.xdotool("key", "0")
        live.await_state(lambda state: state["view"]["end"] >= 4_000_000_000 > before["view"]["end"],
                         "the second file's new end")

    def test_an_offset_that_is_none_is_refused(self):
        self.play(["wait loaded", f"command merge {self.b}", "wait loaded", "command merge-offset 3 apples",
                   "quit"], self.a, expect=2)
        self.assertIn("merge-offset takes a number from 1 on, not \"apples\"", self.errors)
        self.play(["wait loaded", "command merge-offset start", "quit"], self.a, expect=2)
        self.assertIn("only one file", self.errors)

    def test_a_drop_with_shift_held_merges_and_one_without_opens(self):
        live = self.live(self.a)
        live.xdotool("keydown", "shift")
        self.addCleanup(live.xdotool, "keyup", "shift")
        self.drop(live, self.b)
        live.await_state(lambda state: state["files"] == [self.a + " + " + self.b] and
                         state["view"]["end"] > 1_400_000_000, "both on one timeline")
        live.xdotool("keyup", "shift")
        self.drop(live, self.late)
        live.await_state(lambda state: len(state["files"]) == 2 and state["files"][1] == self.late,
                         "a tab of its own")

    def test_a_drop_with_shift_on_the_empty_window_opens_all_as_one(self):
        live = window_driver.LiveWindow(BINARY, display=self.display.name)
        self.addCleanup(live.close)
        live.xdotool("keydown", "shift")
        self.addCleanup(live.xdotool, "keyup", "shift")
        self.drop(live, self.a, self.b)
        live.await_state(lambda state: state["files"] == [self.a + " + " + self.b], "one tab")


class SelfTraceTest(window_driver.WindowCase):
    """--self-trace records the window's own work."""

    def test_frames_and_loads_are_in_the_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = write_trace(os.path.join(folder, "a.json"), "a")
            recording = os.path.join(folder, "self.json")
            status, errors, _ = window_driver.play(
                BINARY, ["wait loaded", "command fit", "wait 200ms", "quit"], trace,
                "--self-trace", recording, display=self.display.name)
            self.assertEqual(status, 0, errors)
            with open(recording, encoding="utf-8") as file:
                events = json.load(file)
            names = {event["name"] for event in events if event["ph"] == "X"}
            self.assertLessEqual({"frame", "present", "lay out", "load", "parse window"}, names)
            threads = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
            self.assertLessEqual({"main", "loader"}, threads)
            self.assertIn("frame CPU in ms", {event["name"] for event in events if event["ph"] == "C"})

    def test_sub_commands_record_too(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = write_trace(os.path.join(folder, "a.json"), "a")
            recording = os.path.join(folder, "self.json")
            subprocess.run([BINARY, "info", trace, "--self-trace", recording], check=True,
                           capture_output=True)
            with open(recording, encoding="utf-8") as file:
                names = {event["name"] for event in json.load(file)}
            self.assertLessEqual({"load", "build the timeline"}, names)


if __name__ == "__main__":
    unittest.main()
