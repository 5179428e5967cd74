#!/usr/bin/env python3
"""Flow traces in the real window: names by drop and command, colours by package, the merged view.

    flow_test.py BINARY XDND_SOURCE"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY, XDND_SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:3]

# main { a { b { } b { } } a { b { } } } in thread 1, a { } in thread 2
CALLS = {"thread-1.flow": b"\x83\x80\x81\x00\x81\x01\x80\x81\x02", "thread-2.flow": b"\x80\x00"}
NAMES = "p.Main#main()V=3\nq.Work#a(I)I=0\nq.Work#b()V=1\n"


class FlowTest(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "calls")
        os.mkdir(self.folder)
        for name, content in CALLS.items():
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(content)
        self.names = os.path.join(scratch.name, "ids.properties")
        with open(self.names, "w", encoding="utf-8") as file:
            file.write(NAMES)

    def states(self, *script, options=()):
        lines, count = ["wait loaded"], 0
        for step in script:
            if step == "state":
                step, count = f"state OUT/{count}.json", count + 1
            lines += [step, "wait 100ms"]
        code, said, out = window_driver.play(BINARY, lines + ["quit"], self.folder, *options, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def test_names_come_from_a_file_that_is_given(self):
        state, = self.states("find q.Work#b()V", "state", options=("--ids", self.names))
        self.assertEqual((state["selected"]["name"], state["selected"]["begin"], state["selected"]["duration"]),
                         ("q.Work#b()V", 2, 1))

    def test_names_are_taken_anew_and_the_selection_and_the_view_stay(self):
        before, after, again = self.states("find method #0", "command zoom-to 0 9", "state",
                                           f"command names {self.names}", "wait loaded", "state",
                                           "command colour-by package", "wait loaded", "state")
        self.assertEqual(before["selected"]["name"], "method #0")
        self.assertEqual(after["selected"]["name"], "q.Work#a(I)I")
        self.assertEqual(before["view"], after["view"])
        self.assertEqual(again["selected"]["name"], "q.Work#a(I)I")

    def test_search_and_flame_graph_follow_the_names(self):
        state, = self.states("command panel flame-graph", f"command names {self.names}", "wait loaded",
                             "command search Work.b", "wait search", "wait 200ms", "state")
        self.assertEqual(state["search"]["matches"], 3)
        self.assertEqual({each["name"] for each in state["flame_graph"]["callees"]},
                         {"p.Main#main()V", "q.Work#a(I)I"})

    def test_the_mapping_can_be_dropped_on_the_open_trace(self):
        window = window_driver.LiveWindow(BINARY, self.folder, display=self.display.name)
        self.addCleanup(window.close)
        window.await_state(lambda state: state["files"] == [self.folder])
        done = subprocess.run([XDND_SOURCE, window.window, "500", "400", self.names], env=window.env,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        window.await_state(lambda state: not any(each["code"] == "unknown_name" for each in state["diagnostics"]),
                           "the names")
        self.assertEqual(window.await_state(lambda state: True)["files"], [self.folder])

    def test_names_are_given_to_a_merged_timeline(self):
        other = os.path.join(os.path.dirname(self.folder), "other")
        shutil.copytree(self.folder, other)
        before, after = self.states(f"command merge {other}", "wait loaded", "find method #0", "state",
                                    f"command names {self.names}", "wait loaded", "state")
        self.assertEqual(before["selected"]["name"], "method #0")
        self.assertEqual(after["selected"]["name"], "q.Work#a(I)I")
        self.assertEqual(after["view"], before["view"])
        self.assertEqual(after["files"], [self.folder + " + " + other])
        self.assertEqual([each for each in after["diagnostics"] if each["code"].startswith("unknown_name")], [])

    def test_a_mapping_given_once_holds_for_the_whole_folder(self):
        home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, home, True)
        one, two = (os.path.join(self.folder, name) for name in CALLS)

        def has_no_names(path, *steps):
            script, state = os.path.join(home, "script.play"), os.path.join(home, "state.json")
            with open(script, "w", encoding="utf-8") as file:
                file.write("\n".join(["wait loaded", *steps, "wait 300ms", "wait loaded", "key Home", "wait 100ms",
                                      f"state {state}", "quit"]) + "\n")
            done = subprocess.run([BINARY, path, "--play", script], env=window_driver.environment(self.display.name, home),
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(state, encoding="utf-8") as file:
                return any(each["code"] == "unknown_name" for each in json.load(file)["diagnostics"])

        self.assertTrue(has_no_names(one))
        self.assertFalse(has_no_names(one, f"command names {self.names}"))
        self.assertFalse(has_no_names(two))
        self.assertFalse(has_no_names(self.folder))
        self.assertTrue(has_no_names(two, "wait 300ms", "command names"))
        self.assertTrue(has_no_names(self.folder))

    def test_one_thread_offers_the_others_of_its_folder(self):
        self.folder = os.path.join(self.folder, "thread-2.flow")
        one, both = self.states("wait 300ms", "state", "command all-threads", "wait loaded", "wait 300ms", "state")
        self.assertEqual(one["files"], [self.folder])
        self.assertEqual(both["files"], [self.folder, os.path.dirname(self.folder)])

    def test_the_flame_graph_of_one_function_follows_its_new_name(self):
        before, after = self.states("command flame-graph function method #0", "command panel flame-graph",
                                    "wait 300ms", "state", f"command names {self.names}", "wait loaded",
                                    "wait 300ms", "state")
        self.assertEqual(before["flame_graph"]["function"], "method #0")
        self.assertEqual(after["flame_graph"]["function"], "q.Work#a(I)I")

    def test_a_mapping_that_is_none_leaves_the_names(self):
        with open(self.names, "w", encoding="utf-8") as file:
            file.write("no mapping")
        state, = self.states("find method #0", f"command names {self.names}", "wait loaded", "state")
        self.assertEqual(state["selected"]["name"], "method #0")

    def test_calls_are_merged_by_their_path_and_weighed_by_their_number(self):
        calls, time = self.states("command panel flame-graph", "state", "command flame-graph time", "state",
                                  options=("--ids", self.names))
        graph = calls["flame_graph"]
        self.assertEqual((graph["weight"], graph["calls"]), ("calls", 7))
        self.assertEqual([(each["name"], each["count"], each["all_calls"]) for each in graph["callees"]],
                         [("p.Main#main()V", 1, 6), ("q.Work#a(I)I", 1, 1)])
        self.assertEqual(time["flame_graph"]["weight"], "time")

    def test_a_range_and_a_thread_are_merged_by_themselves(self):
        ranged, thread = self.states("command panel flame-graph", "command select-range 7 10", "state",
                                     "command select-range", "find p.Main#main()V", "command scope thread", "state",
                                     options=("--ids", self.names))
        self.assertEqual([(each["name"], each["all_calls"]) for each in ranged["flame_graph"]["callees"]],
                         [("p.Main#main()V", 3)])
        self.assertEqual(thread["flame_graph"]["calls"], 6)

    def test_one_function_has_callers_and_callees_and_escape_goes_back(self):
        one, back = self.states("command panel flame-graph", "command flame-graph function q.Work#a(I)I", "state",
                                "key Escape", "state", options=("--ids", self.names))
        graph = one["flame_graph"]
        self.assertEqual((graph["function"], graph["calls"]), ("q.Work#a(I)I", 3))
        self.assertEqual([(each["name"], each["count"]) for each in graph["callers"]], [("p.Main#main()V", 2)])
        self.assertEqual([(each["name"], each["count"]) for each in graph["callees"]], [("q.Work#b()V", 3)])
        self.assertIsNone(back["flame_graph"]["function"])


if __name__ == "__main__":
    unittest.main()
