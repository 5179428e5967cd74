#!/usr/bin/env python3
"""Two traces side by side: by the command line, by commands, with the mouse, by a drop.

    compare_test.py BINARY XDND_SOURCE"""
import json
import os
import subprocess
import sys
import unittest

import window_driver

BINARY, XDND_SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:3]

FRAMES = 40


def write_trace(path, scale=1.0, begin_us=0, layout=True):
    """Frames of 10 ms on one thread: "draw" in each is scaled, "layout" may be missing."""
    events = [{"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "main"}},
              {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "io"}}]
    at = begin_us
    for i in range(FRAMES):
        draw = round(4000 * scale) + i
        events.append({"ph": "X", "pid": 1, "tid": 1, "ts": at, "dur": 2000 + draw, "name": "frame"})
        events.append({"ph": "X", "pid": 1, "tid": 1, "ts": at + 500, "dur": draw, "name": "draw"})
        if layout:
            events.append({"ph": "X", "pid": 1, "tid": 1, "ts": at + 100, "dur": 300, "name": "layout"})
        events.append({"ph": "X", "pid": 1, "tid": 2, "ts": at + 50, "dur": 1000, "name": "read"})
        at += 10_000
    with open(path, "w", encoding="utf-8") as file:
        json.dump(events, file)
    return path


class CompareTest(window_driver.FilesCase):
    binary, xdnd_source = BINARY, XDND_SOURCE

    def setUp(self):
        super().setUp()
        self.a = write_trace(self.path("before.json"))
        self.b = write_trace(self.path("after.json"), 1.5, 7_000_000, layout=False)

    def compared(self, steps, *names):
        """What `state` says of the comparison after steps, which write these files."""
        states = self.play(["wait loaded", "wait compared", *steps, "quit"], "--compare", self.a, self.b)
        return [state["comparison"] for state in states(*names)]

    def assert_same_zero(self, comparison):
        views = comparison["views"]
        self.assertEqual(views["a"]["zero_px"], views["b"]["zero_px"])

    def test_the_command_line_compares_two_traces(self):
        (found,) = self.compared(["state OUT/s.json"], "s.json")
        self.assertEqual((found["a"], found["b"]), ([self.a], [self.b]))
        self.assertEqual(found["counts"]["gone"], 1)
        rows = {row["name"]: row for row in found["rows"]}
        self.assertEqual(rows["draw"]["verdict"], "more")
        self.assertEqual(rows["layout"]["verdict"], "gone")
        self.assertEqual(rows["draw"]["difference"], FRAMES * 2_000_000)
        self.assertEqual(found["rows"][0]["name"], "draw")
        self.assertEqual(found["line_up"]["shift_ns"], 7_000_000_000)
        self.assertGreater(found["flame_graph"]["nodes"], 3)
        self.assertEqual(found["tested"], "none")  # too few calls for a spread

    def test_both_lanes_stay_together_when_one_is_moved(self):
        (zoomed, panned, shifted) = self.compared(
            ["command line-up call \"frame\" 5", "wait compared", "wheel 3 800 250", "wait 300ms",
             "state OUT/zoomed.json", "drag 900 400 700 400", "wait 600ms", "state OUT/panned.json",
             "drag 900 400 860 400 alt", "wait 300ms", "state OUT/shifted.json"],
            "zoomed.json", "panned.json", "shifted.json")
        self.assertEqual((zoomed["line_up"]["how"], zoomed["line_up"]["k"]), ("call", 5))
        for state in (zoomed, panned):
            self.assert_same_zero(state)
            self.assertEqual(state["views"]["a"]["selected"]["begin_px"],
                             state["views"]["b"]["selected"]["begin_px"])
        self.assertNotEqual(zoomed["views"]["a"]["begin"], panned["views"]["a"]["begin"])
        self.assertEqual(shifted["line_up"]["how"], "hand")
        self.assertNotEqual(shifted["line_up"]["shift_ns"], panned["line_up"]["shift_ns"])

    def test_keys_step_through_pairs(self):
        (found,) = self.compared(["command line-up call \"draw\" 3", "wait compared", "key .", "wait compared",
                                  "key .", "wait compared", "key ,", "wait compared", "state OUT/s.json"],
                                 "s.json")
        self.assertEqual(found["line_up"]["k"], 4)
        self.assertEqual(found["pairs"], FRAMES)
        self.assert_same_zero(found)

    def test_a_click_on_a_name_selects_it_and_goes_to_its_longest_calls(self):
        (found,) = self.compared(["command compare-select draw", "command compare-go longest", "wait compared",
                                  "state OUT/s.json"], "s.json")
        a, b = found["views"]["a"]["selected"], found["views"]["b"]["selected"]
        self.assertEqual((a["name"], b["name"]), ("draw", "draw"))
        self.assertEqual((a["duration"], b["duration"]), (4_039_000, 6_039_000))
        self.assert_same_zero(found)

    def test_all_panels_can_be_seen(self):
        steps = []
        for panel in ("names", "flame-graph", "histogram", "details", "runs", "threads", "sql", "report"):
            steps += [f"command panel {panel}", "wait 100ms", f"screenshot OUT/{panel}.png", "wait 100ms"]
        self.compared([*steps, "state OUT/s.json"], "s.json")

    def test_calls_are_paired_by_an_argument_from_the_start(self):
        states = self.play(["wait loaded", "wait compared", "command line-up call \"frame\" 1", "wait 300ms",
                            "state OUT/s.json", "quit"], "--compare", self.a, self.b, "--pair-by", "id")
        self.assertEqual(states("s.json")[0]["comparison"]["line_up"]["how"], "starts")  # none has such an argument
        self.play(["quit"], self.a, "--pair-by", "id", expect=2)
        self.assertIn("--compare", self.errors)

    def test_a_saved_side_is_compared_without_a_timeline(self):
        saved = self.path("base.json")
        subprocess.run([BINARY, "compare", "--a", self.a, "--save-side", saved], check=True, capture_output=True)
        states = self.play(["wait loaded", "wait compared", "screenshot OUT/s.png", "wait 100ms", "command panel runs",
                            "command focus panel", "key Down", "key Down", "wait 100ms", "state OUT/s.json", "quit"],
                           "--compare", saved, self.b)
        found = states("s.json")[0]["comparison"]
        self.assertEqual(found["a"], [saved])
        self.assertEqual(found["rows"][0]["name"], "draw")
        self.assertEqual(found["rows"][0]["difference"], FRAMES * 2_000_000)

    def test_a_comparison_needs_two(self):
        self.play(["quit"], "--compare", self.a, expect=2)
        self.assertIn("--compare needs A and B.", self.errors)
        states = self.play(["wait loaded", "wait compared", "state OUT/s.json", "quit"], self.a)
        self.assertIsNone(states("s.json")[0]["comparison"])

    def test_two_dropped_traces_can_be_compared(self):
        live = self.live()
        self.drop(live, self.a, self.b)
        live.xdotool("key", "3")
        live.await_state(lambda state: state["comparison"] is not None and state["comparison"]["counts"],
                         "the comparison")


if __name__ == "__main__":
    unittest.main()
