#!/usr/bin/env python3
"""The flame graph of the real window adds up what is measured, zooms and turns round.

    flame_graph_test.py BINARY"""
import json
import os
import shutil
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

MS = 1_000_000  # nanoseconds
CALLS = [  # tid, name, begin and length in ms
    (1, "main", 0, 1000), (1, "parse", 100, 200), (1, "solve", 400, 300), (1, "step", 450, 100), (1, "step", 560, 50),
    (2, "worker", 200, 500)]
LINES_Y, LINE_PX = 1000 - 24 - 290 + 32 + 36, 19  # below the tabs and the switches of a panel of 290 px


def line(number):
    return LINES_Y + LINE_PX * number + 9


class FlameGraphTest(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "small.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": tid, "ts": begin * 1000, "dur": length * 1000, "name": name}
                       for tid, name, begin, length in CALLS], file)

    def states(self, *script):
        lines, count = ["wait loaded", "command panel flame-graph", "wait 100ms"], 0
        for step in script:
            if step == "state":
                step, count = f"state OUT/{count}.json", count + 1
            lines += [step, "wait 100ms"]
        code, said, out = window_driver.play(BINARY, lines + ["quit"], self.path, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def graphs(self, *script):
        """What `state` says of the flame graph at each step "state"."""
        return [state["flame_graph"] for state in self.states(*script)]

    def sums(self, graph):
        return {each["name"]: (each["count"], each["total"] // MS, each["self"] // MS) for each in graph["callees"]}

    def test_adds_up_the_whole_trace(self):
        graph, = self.graphs("state")
        self.assertEqual((graph["calls"], graph["total"], graph["zoomed"]), (6, 1500 * MS, None))
        self.assertEqual(self.sums(graph), {"main": (1, 1000, 500), "worker": (1, 500, 500)})

    def test_a_range_cuts_calls_and_the_graph_follows_it(self):
        ranged, other, whole = self.graphs(f"command select-range {200 * MS} {500 * MS}", "state",
                                           f"command select-range {600 * MS} {650 * MS}", "state",
                                           "command select-range", "state")
        self.assertEqual(self.sums(ranged), {"main": (1, 300, 100), "worker": (1, 300, 300)})
        self.assertEqual(self.sums(other), {"main": (1, 50, 0), "worker": (1, 50, 50)})
        self.assertEqual(whole["total"], 1500 * MS)

    def test_clicks_zoom_and_escape_goes_back(self):
        main, solve, caller, again = self.graphs(
            f"click 100 {line(1)}", "state", f"click 100 {line(2)}", "state",  # solve is the longest callee of main
            f"click 800 {line(1)}", "state", "key Escape", "state")
        self.assertEqual(main["zoomed"], "main")
        self.assertEqual(self.sums(main), {"solve": (1, 300, 150), "parse": (1, 200, 200)})
        self.assertEqual(solve["zoomed"], "solve")
        self.assertEqual(self.sums(solve), {"step": (2, 150, 150)})
        self.assertEqual(caller["zoomed"], "main")
        self.assertIsNone(again["zoomed"])

    def test_what_is_zoomed_to_stays_in_another_range(self):
        ranged, = self.graphs(f"click 100 {line(1)}", f"command select-range {400 * MS} {500 * MS}", "state")
        self.assertEqual(ranged["zoomed"], "main")
        self.assertEqual(self.sums(ranged), {"solve": (1, 100, 50)})

    def test_turned_round_names_stand_by_self_time(self):
        graph, again = self.graphs("command flame-graph callers", "state", "command flame-graph callees", "state")
        self.assertTrue(graph["by_callers"])
        self.assertEqual([(each["name"], each["self"] // MS, each["count"]) for each in graph["callees"]],
                         [("main", 500, 1), ("worker", 500, 1), ("parse", 200, 1), ("step", 150, 2),
                          ("solve", 150, 1)])
        self.assertFalse(again["by_callers"])

    def test_a_thread_is_measured_by_itself(self):
        thread, whole = self.graphs("find worker", "command scope thread", "state", "command scope trace", "state")
        self.assertEqual(self.sums(thread), {"worker": (1, 500, 500)})
        self.assertEqual(whole["total"], 1500 * MS)

    def test_functions_are_dropped_and_focused_and_brought_back(self):
        whole, without, only, back = self.graphs("state", "command flame-graph drop solve", "state",
                                                 "command flame-graph all", "command flame-graph focus solve", "state",
                                                 "command flame-graph all", "state")
        self.assertEqual(without["edits"], "without solve")
        self.assertLess(without["total"], whole["total"])
        self.assertEqual(only["edits"], "only solve")
        self.assertEqual(list(self.sums(only)), ["solve"])
        self.assertEqual(back, whole)

    def test_a_click_on_the_histogram_lists_the_calls_of_such_durations(self):
        state, = self.states("command panel details", "find step", f"click 1199 {LINES_Y + 90}", "wait 300ms", "state")
        self.assertRegex(state["search"]["text"], r'^="step" dur:50ms\.\.5\d(\.\d+)?ms$')
        self.assertEqual(state["search"]["matches"], 1)

    def test_a_reload_adds_up_again(self):
        before, after = self.graphs("state", "command reload", "wait loaded", "state")
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main()
