#!/usr/bin/env python3
"""The Statistics tab in the real window: what is measured, sorted, filtered, clicked and taken away.

    statistics_test.py BINARY"""
import csv
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
CALLS = [  # tid, name, begin and length in ms; "parse" calls itself
    (1, "main", 0, 1000), (1, "parse", 100, 300), (1, "parse", 150, 100), (1, "solve", 500, 300),
    (1, "step", 550, 50), (1, "step", 650, 20), (2, "worker", 200, 500), (2, "step", 300, 10)]
EVENTS = [{"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": begin * 1000, "dur": length * 1000}
          for tid, name, begin, length in CALLS]


def row(state, name, where="statistics"):
    return next(row for row in state[where]["rows"] if row["name"] == name)


class StatisticsTest(window_driver.WindowCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.path = os.path.join(self.folder, "calls.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(EVENTS, file)

    def states(self, *script, status=0):
        lines, count = ["wait loaded", "wait 100ms"], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        code, self.said, self.out = window_driver.play(BINARY, lines + ["quit"], self.path, display=self.display.name)
        self.addCleanup(shutil.rmtree, self.out, True)
        self.assertEqual(code, status, self.said)
        return window_driver.states_of(self.out, *[f"{i}.json" for i in range(count)]) if status == 0 else []

    def test_the_range_has_its_ten_longest_names_at_once(self):
        none, state = self.states("state", f"command select-range {120 * MS} {560 * MS}", "state")
        self.assertIsNone(none["range"])
        rows = state["range"]["rows"]
        self.assertEqual([row["name"] for row in rows], ["main", "worker", "parse", "solve", "step"])
        parse = row(state, "parse", "range")
        self.assertEqual((parse["count"], parse["total"], parse["self"]), (2, 280 * MS, 280 * MS))
        self.assertEqual((parse["mean"], parse["min"], parse["max"]), (190 * MS, 100 * MS, 280 * MS))
        self.assertAlmostEqual(parse["share"], 280 / 440 * 100, places=6)
        self.assertIsNone(state["statistics"], "nobody looks at the table")

    def test_the_scope_is_the_range_until_another_is_chosen(self):
        whole, ranged, chosen, thread, both = self.states(
            "command panel statistics", "state", f"command select-range {280 * MS} {320 * MS}", "state",
            "command scope trace", "state", "command clear", "find worker", "command scope thread", "state",
            f"command select-range {280 * MS} {320 * MS}", "state")
        self.assertEqual((whole["statistics"]["scope"], whole["statistics"]["calls"]), ("trace", 8))
        self.assertEqual((ranged["statistics"]["scope"], ranged["statistics"]["calls"]), ("range", 4))
        self.assertEqual((chosen["statistics"]["scope"], chosen["statistics"]["calls"]), ("trace", 8))
        self.assertEqual(thread["statistics"]["thread"], "Thread 2")
        self.assertEqual({row["name"]: row["total"] for row in thread["statistics"]["rows"]},
                         {"worker": 500 * MS, "step": 10 * MS})
        self.assertEqual(row(both, "worker")["total"], 40 * MS, "of the thread, its part in the range")

    def test_another_thread_is_measured_by_selecting_a_call_in_it(self):
        first, second = self.states("find worker", "command scope thread", "state", "find solve", "state")
        self.assertEqual(first["statistics"]["thread"], "Thread 2")
        self.assertEqual(second["statistics"]["thread"], "Thread 1")
        self.assertEqual(row(second, "step")["count"], 2)

    def test_calls_are_counted_whole_on_request(self):
        cut, whole, again = self.states(
            f"command select-range {280 * MS} {320 * MS}", "command scope range", "state", "command whole-calls on",
            "state", "command whole-calls", "state")
        self.assertEqual(row(cut, "main")["total"], 40 * MS)
        self.assertEqual(row(whole, "main")["total"], 1000 * MS)
        self.assertEqual(row(whole, "main", "range")["total"], 1000 * MS)
        self.assertEqual(row(again, "main")["total"], 40 * MS)

    def test_sorts_and_filters(self):
        by_count, turned, filtered = self.states(
            "command panel statistics", "command sort-statistics count", "state", "command sort-statistics count",
            "state", "command filter-statistics OL", "state")
        self.assertEqual(by_count["statistics"]["rows"][0]["name"], "step")
        self.assertEqual(turned["statistics"]["rows"][-1]["name"], "step")
        self.assertEqual([row["name"] for row in filtered["statistics"]["rows"]], ["solve"])
        self.assertEqual((filtered["statistics"]["shown"], filtered["statistics"]["names"]), (1, 5))

    def test_a_click_on_a_head_sorts_and_on_a_row_selects_the_longest_call(self):
        sorted_, selected = self.states(
            "command panel statistics", "wait 300ms", "move 60 786", "click 60 786", "wait 300ms", "state",
            # By name: main, parse, solve, step, worker.
            "click 60 876", "wait 300ms", "state")
        self.assertEqual((sorted_["statistics"]["sort"], sorted_["statistics"]["descending"]), ("name", False))
        self.assertEqual(selected["selected"]["name"], "step")
        self.assertEqual(selected["selected"]["duration"], 50 * MS, "the longest of three")

    def test_typing_into_the_field_filters(self):
        state, = self.states("command panel statistics", "wait 300ms", "click 1440 735", "wait 100ms", "type par",
                             "wait 300ms", "state")
        self.assertEqual(state["statistics"]["filter"], "par")
        self.assertEqual([row["name"] for row in state["statistics"]["rows"]], ["parse"])

    def test_saves_what_is_shown_as_csv(self):
        self.states("command panel statistics", "command sort-statistics name", "command filter-statistics s",
                    "command save-statistics OUT/table.csv")
        with open(os.path.join(self.out, "table.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in rows], ["parse", "solve", "step"])
        self.assertEqual((rows[0]["count"], rows[0]["total"], rows[0]["info_total"]),
                         ("2", str(300 * MS), str(400 * MS)))

    def test_asks_where_to_save_and_writes_nothing_before(self):
        self.states("command save-statistics", status=2)
        self.assertIn("save-statistics needs PATH", self.said)
        self.states("key Ctrl+Shift+P", "type save-statistics", "key Enter", "wait 200ms", "key Escape", "key Escape")
        self.assertEqual(os.listdir(self.folder), ["calls.json"])
        self.states("key Ctrl+Shift+P", "type save-statistics", "key Enter", "wait 200ms", "key Enter", "wait 200ms")
        self.assertEqual(sorted(os.listdir(self.folder)), ["calls.json", "calls.json.statistics.csv"])

    def test_says_what_cannot_be_measured_sorted_or_saved(self):
        for command, words in (("scope range", "No range is selected"), ("scope thread", "No call or thread is selected"),
                               ("scope half", "scope takes trace, thread, range or connected, not \"half\""),
                               ("sort-statistics weight", 'not "weight"'), ("whole-calls maybe", "on or off"),
                               ("save-statistics /nowhere/at/all.csv", "cannot be written")):
            self.states(f"command {command}", status=2)
            self.assertIn(words, self.said)


class LiveStatisticsTest(window_driver.WindowCase):
    def test_the_table_follows_a_range_that_is_dragged(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, True)
        path = os.path.join(folder, "calls.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(EVENTS, file)
        window = window_driver.LiveWindow(BINARY, path, display=self.display.name)
        self.addCleanup(window.close)
        window.xdotool("mousemove", "500", "300", "keydown", "shift", "mousedown", "1")
        lengths = []
        for x in ("600", "700", "900"):
            window.xdotool("mousemove", x, "300")
            state = window.await_state(
                lambda state: state["range"] and state["range"]["end"] - state["range"]["begin"] not in lengths)
            length = state["range"]["end"] - state["range"]["begin"]
            lengths.append(length)
            self.assertEqual(row(state, "main", "range")["total"],
                             min(state["range"]["end"], 1000 * MS) - max(state["range"]["begin"], 0))
        window.xdotool("mouseup", "1", "keyup", "shift")
        self.assertEqual(lengths, sorted(lengths))


if __name__ == "__main__":
    unittest.main()
