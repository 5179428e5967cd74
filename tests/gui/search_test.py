#!/usr/bin/env python3
"""Searching in the real window: the field, steps through what was found, the table, the scope.

    search_test.py BINARY SHARED"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
SHARED = os.path.abspath(sys.argv[2])
del sys.argv[1:3]

MS = 1_000_000


def small_events():
    """20 times "outer" with a "step N" inside; every fifth step has an argument, two threads, three instants."""
    made = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main"}}]
    for i in range(20):
        tid = 1 if i < 15 else 2
        made.append({"ph": "X", "pid": 1, "tid": tid, "ts": i * 1000, "dur": 900, "name": "outer"})
        made.append({"ph": "X", "pid": 1, "tid": tid, "ts": i * 1000 + 100, "dur": 300 + i, "name": f"step {i}",
                     **({"args": {"url": f"http://host/{i}", "size": i * 10}} if i % 5 == 0 else {})})
    made.append({"ph": "X", "pid": 1, "tid": 2, "ts": 17850, "dur": 0.5, "name": "tiny"})
    made += [{"ph": "i", "s": "t", "pid": 1, "tid": 1, "ts": 500 + i, "name": "mark"} for i in range(3)]
    return made


class SearchCase(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "small.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(small_events(), file)

    def play(self, script, *files):
        lines, count = ["wait loaded", "wait 100ms"], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        code, said, out = window_driver.play(BINARY, lines + ["quit"], *files, display=self.display.name,
                                             stdin=subprocess.DEVNULL)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def states(self, *script):
        return self.play(script, self.path)

    def counts(self, *texts):
        script = []
        for text in texts:
            script += [f"command search {text}", "wait search", "state"]
        return [state["search"]["matches"] for state in self.states(*script)]


class QueryTest(SearchCase):
    def test_counts_are_exact(self):
        self.assertEqual(self.counts("step", "=\"step 1\"", "/^step 1/", "url:host/5", "-url:host step", "size:>49",
                                     "dur:>=315us step", "mark", "host", "thread:main outer", "\"step\" mark"),
                         [20, 1, 11, 1, 16, 3, 5, 3, 4, 15, 0])

    def test_names_and_arguments_are_counted_apart(self):
        state, = self.states("command search 0", "wait search", "state")
        search = state["search"]  # steps 0 and 10 by name; 5 and 15 by their sizes, 50 and 150
        self.assertEqual((search["matches"], search["name_matches"], search["args_matches"]), (4, 2, 2))
        self.assertTrue(search["complete"])

    def test_an_error_is_said_and_breaks_nothing(self):
        wrong, right = self.states("command search step", "wait search", "command search /(/", "wait search", "state",
                                   "command search step", "wait search", "state")
        self.assertIn("partner", wrong["search"]["error"])
        self.assertEqual(wrong["search"]["matches"], 0)
        self.assertIsNone(right["search"]["error"])
        self.assertEqual(right["search"]["matches"], 20)


class StepTest(SearchCase):
    def test_typing_searches_and_enter_steps(self):
        typed, first, second, back = self.states(
            "key Ctrl+F", "type step", "wait search", "state", "key Enter", "wait 300ms", "state", "key Enter",
            "wait 300ms", "state", "key Shift+Enter", "wait 300ms", "state")
        self.assertEqual((typed["search"]["text"], typed["search"]["matches"]), ("step", 20))
        self.assertIsNone(typed["selected"])
        self.assertEqual(first["selected"]["name"], "step 0")
        self.assertEqual(second["selected"]["name"], "step 1")
        self.assertEqual(second["search"]["current"], 2)
        self.assertEqual(back["selected"]["name"], "step 0")
        self.assertEqual(back["search"]["text"], "step")

    def test_steps_begin_at_the_view_and_wrap(self):
        here, last, wrapped = self.states(
            f"command zoom-to {10 * MS} {12 * MS}", "wait 300ms", "command search step", "wait search",
            "command next-match", "wait 300ms", "state", "command search =\"step 19\"", "command next-match",
            "wait 300ms", "command search step", "wait search", "state", "command next-match", "wait 300ms", "state")
        self.assertEqual(here["selected"]["name"], "step 10")
        self.assertEqual((last["selected"]["name"], last["search"]["current"]), ("step 19", 20))
        self.assertEqual((wrapped["selected"]["name"], wrapped["search"]["current"]), ("step 0", 1))
        self.assertLess(wrapped["view"]["begin"], 1 * MS)

    def test_a_match_thinner_than_some_pixels_is_zoomed_to(self):
        far, near = self.states("state", "command search tiny", "command next-match", "wait 400ms", "state")
        span = near["view"]["end"] - near["view"]["begin"]
        self.assertLess(span, (far["view"]["end"] - far["view"]["begin"]) / 10)
        self.assertLess(near["view"]["begin"], near["selected"]["begin"])

    def test_hidden_threads_come_back_for_a_match(self):
        state, = self.states("command hide 2", "command collapse main", "command search =\"step 18\"",
                             "command next-match", "wait 300ms", "state")
        self.assertEqual(state["selected"]["name"], "step 18")
        self.assertEqual(state["visible"]["rows"], 4)  # three of slices and one of instants, less one collapsed

    def test_a_match_is_shown_whatever_hides_its_thread(self):
        for hides in ("solo main", "filter main"):
            state, = self.states(f"command {hides}", "wait 100ms", "command search =\"step 18\"",
                                 "command next-match", "wait 300ms", "state")
            self.assertEqual(state["selected"]["name"], "step 18", hides)
            self.assertIn("Thread 2", state["threads"]["shown"], hides)

    def test_keys_in_the_field_are_text(self):
        before, typed, cut = self.states(
            "command search =\"step 3\"", "command next-match", "wait 300ms", "state",
            "key Ctrl+F", "type wasd", "key Left", "key Left", "type n0", "wait search", "state",
            "key Ctrl+A", "key Delete", "type outer", "wait search", "state")
        self.assertEqual(typed["search"]["text"], "wan0sd")
        self.assertEqual(typed["view"], before["view"])
        self.assertEqual(typed["selected"]["name"], "step 3")
        self.assertEqual((cut["search"]["text"], cut["search"]["matches"]), ("outer", 20))

    def test_escape_clears_the_search_then_the_selection_then_the_range(self):
        states = self.states(
            "command select-range 1000 2000", "command search outer", "command next-match", "wait 300ms", "state",
            "key Escape", "wait 100ms", "state", "key Escape", "wait 100ms", "state", "key Escape", "wait 100ms",
            "state")
        seen = [(state["search"]["text"], state["selected"] is not None, state["range"] is not None)
                for state in states]
        self.assertEqual(seen, [("outer", True, True), ("", True, True), ("", False, True), ("", False, False)])

    def test_escape_in_the_field_leaves_it(self):
        state, = self.states("key /", "type out", "wait search", "key Escape", "wait 100ms", "key F", "type abc",
                             "wait 100ms", "state")
        self.assertEqual(state["search"]["text"], "")

    def test_the_search_survives_a_reload(self):
        state, = self.states("command search step", "wait search", "key Ctrl+R", "wait search", "state")
        self.assertEqual((state["search"]["text"], state["search"]["matches"]), ("step", 20))


class PanelTest(SearchCase):
    ROW = 1000 - 24 - 290 + 32 + 36 + 24 + 11  # middle of the table's first line

    def test_a_click_selects_and_a_double_click_zooms(self):
        clicked, zoomed = self.states(
            "command search step", "wait search", "command panel search", "wait 300ms",
            f"click 300 {self.ROW + 2 * 22}", "wait 300ms", "state", f"doubleclick 300 {self.ROW + 22}", "wait 400ms",
            "state")
        self.assertEqual(clicked["selected"]["name"], "step 2")
        self.assertEqual(zoomed["selected"]["name"], "step 1")
        self.assertLess(zoomed["view"]["end"] - zoomed["view"]["begin"], 1 * MS)

    def test_heads_sort(self):
        longest, = self.states(
            "command search step", "wait search", "command panel search", "wait 300ms", f"click 1325 {self.ROW - 23}",
            "wait 300ms", f"click 1325 {self.ROW - 23}", "wait 300ms", f"click 300 {self.ROW}", "wait 300ms", "state")
        self.assertEqual(longest["selected"]["name"], "step 19")

    def test_the_scope_can_be_a_thread_or_the_range(self):
        ranged, thread, whole = self.states(
            "command search step", "wait search", f"command select-range {3 * MS} {5 * MS}",
            "command search-scope range", "wait search", "state",
            "find step 17", "wait 300ms", "command search-scope thread", "wait search", "state",
            "command search-scope trace", "wait search", "state")
        self.assertEqual([state["search"]["matches"] for state in (ranged, thread, whole)], [2, 5, 20])


class RealTraceTest(SearchCase):
    def test_exact_names_are_as_many_as_the_facts_say(self):
        """The facts count slices of threads; names that also begin async events or instants are left out."""
        base = os.path.join(SHARED, "traces", "json")
        if not os.path.isdir(base):
            self.skipTest("no shared traces")
        for name in ("chromium_devtools_page.json.gz", "clang14_time_trace_ranges.json.gz", "hta_alexnet.json.gz"):
            path = os.path.join(base, name)
            with open(os.path.join(base, "expected.json"), encoding="utf-8") as file:
                top = json.load(file)[name]["top10_names_by_count"]
            with gzip.open(path, "rt", encoding="utf-8") as file:
                content = json.load(file)
            events = content["traceEvents"] if isinstance(content, dict) else content
            elsewhere = {event.get("name") for event in events if event.get("ph") not in ("X", "B", "E", "M")}
            wanted = [(text, count) for text, count in top if text not in elsewhere]
            self.assertTrue(wanted, name)
            script = []
            for text, _ in wanted:
                quoted = text.replace("\\", "\\\\").replace('"', '\\"')
                script += [f'command search ="{quoted}"', "wait search", "state"]
            found = [state["search"]["matches"] for state in self.play(script, path)]
            self.assertEqual(found, [count for _, count in wanted], name)


if __name__ == "__main__":
    unittest.main(verbosity=1)
