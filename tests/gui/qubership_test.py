#!/usr/bin/env python3
"""Qubership dumps in the window: details with their values, several incarnations on one timeline.

    qubership_test.py BINARY"""
import csv
import os
import shutil
import socket
import sys
import tempfile
import unittest

import window_driver

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from qubership_agent import Agent, steps_of  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]
GOLDEN = os.path.join(HERE, "..", "golden", "qubership")
DUMP = os.path.join(GOLDEN, "dump", "input")
CALLS = os.path.join(GOLDEN, "calls_of_all_formats", "input")
SESSION = os.path.join(GOLDEN, "session_v2", "input.protocol")


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

    def table(self, script, *files):
        status, errors, folder = window_driver.play(
            BINARY, ["wait loaded", "wait 100ms", "command panel calls", "wait 100ms", *script,
                     "command save-calls OUT/table.csv", "quit"], *files, display=self.display.name)
        self.addCleanup(shutil.rmtree, folder, True)
        self.assertEqual(status, 0, errors)
        with open(os.path.join(folder, "table.csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file)), folder

    def test_calls_are_a_table_that_can_be_sorted_and_filtered(self):
        rows, _ = self.table([], CALLS)
        self.assertGreater(len(rows), 3)
        starts = [int(row["start"]) for row in rows]
        self.assertEqual(starts, sorted(starts))
        longest, _ = self.table(["command sort-calls duration", "wait 100ms"], CALLS)
        durations = [int(row["duration"]) for row in longest]
        self.assertEqual(durations, sorted(durations, reverse=True))
        limit_ms = sorted(durations)[len(durations) // 2] // 1_000_000
        few, _ = self.table([f"command filter-calls duration > {limit_ms}ms", "wait 100ms"], CALLS)
        self.assertEqual(len(few), sum(each > limit_ms * 1_000_000 for each in durations))
        self.assertLess(len(few), len(rows))

    def test_a_click_in_the_table_goes_to_the_call(self):
        rows, folder = self.table(["state OUT/before.json", "screenshot OUT/calls.png", "move 400 790",
                                   "click 400 790", "wait 500ms", "state OUT/after.json"], CALLS)
        before, after = window_driver.states_of(folder, "before.json", "after.json")
        self.assertIsNone(before["selected"])
        self.assertIn((str(after["selected"]["begin"]), after["selected"]["name"]),
                      [(row["start"], row["call"]) for row in rows])

    def test_statements_are_added_up(self):
        rows, _ = self.table(["command calls-shown statements", "wait 100ms"], DUMP)
        self.assertEqual([row["statement"] for row in rows if row["statement"] != "(missing)"],
                         ["select a, ? from t where id = ? and b = ?"])
        for row in rows:
            self.assertEqual(int(row["mean"]), int(row["total"]) // int(row["count"]))

    def test_a_live_recording_opens_and_grows(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        window = window_driver.LiveWindow(BINARY, display=self.display.name,
                                          first=[f"command collect 127.0.0.1:{port} OUT/collected"])
        self.addCleanup(window.close)
        with open(SESSION, "rb") as file:
            steps = list(steps_of(file.read()))
        traces = [i for i, (kind, what, _) in enumerate(steps) if kind == "data"]
        agent = Agent(port)
        for step in steps[:traces[0] + 1]:
            agent.step(step)
        first = window.await_state(lambda state: state["files"], "the recording")
        self.assertEqual(len(first["files"]), 1)
        for step in steps[traces[0] + 1:]:
            agent.step(step)
        agent.socket.close()
        grown = window.await_state(lambda state: state["view"]["end"] > first["view"]["end"] and
                                   state["visible"]["boxes"] > first["visible"]["boxes"], "the rest of it")
        self.assertEqual(grown["files"], first["files"])
        self.assertTrue(grown["growing"])
        self.assertEqual([notice for notice in grown["notices"] if "grown" in notice or "changed" in notice], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
