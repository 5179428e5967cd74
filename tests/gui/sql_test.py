#!/usr/bin/env python3
"""SQL in the real window: typed and run by keys, rows that lead into the timeline, saved queries, sessions.

    sql_test.py BINARY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]


def small_events():
    """20 times "outer" with a "step N" inside, on two threads."""
    made = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main"}}]
    for i in range(20):
        tid = 1 if i < 15 else 2
        made.append({"ph": "X", "pid": 1, "tid": tid, "ts": i * 1000, "dur": 900, "name": "outer"})
        made.append({"ph": "X", "pid": 1, "tid": tid, "ts": i * 1000 + 100, "dur": 300 + i, "name": f"step {i}"})
    return made


class SqlCase(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.path = os.path.join(scratch.name, "small.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(small_events(), file)

    def play(self, *script, files=None, home=None):
        lines, count = ["wait loaded", "wait 100ms"], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        out = tempfile.mkdtemp(prefix="cinderscope-gui-")
        self.addCleanup(shutil.rmtree, out, True)
        steps = os.path.join(out, "script.play")
        with open(steps, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + ["quit"]).replace("OUT/", out + "/") + "\n")
        done = subprocess.run([BINARY, *(files or [self.path]), "--play", steps],
                              env=window_driver.environment(self.display.name, home or out), capture_output=True,
                              text=True, timeout=120, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])


class Editor(SqlCase):
    def test_a_query_is_typed_and_run(self):
        states = self.play("command sql", "type SELECT name, dur FROM slice WHERE name LIKE 'step%' ORDER BY dur DESC",
                           "key Ctrl+Enter", "wait query", "wait 100ms", "state")
        query = states[0]["query"]
        self.assertIsNone(query["error"])
        self.assertEqual(query["rows"], 20)
        self.assertEqual(query["first"][0], ["step 19", 319_000])
        self.assertEqual([column["shown_as"] for column in query["columns"]], ["text", "duration"])
        self.assertTrue(query["complete"])

    def test_an_error_names_its_place(self):
        states = self.play("command sql SELECT durr FROM slice", "command sql-run", "wait query", "wait 100ms", "state")
        self.assertIn("durr", states[0]["query"]["error"])
        self.assertIn("Did you mean dur", states[0]["query"]["error"])

    def test_letters_are_text_and_no_keys(self):
        states = self.play("command sql", "type wasd 0", "wait 100ms", "state", "key Escape", "key F", "state")
        self.assertEqual(states[0]["view"], states[1]["view"])

    def test_a_comparison_is_asked_as_two_traces(self):
        slower = os.path.join(self.folder, "slower.json")
        with open(slower, "w", encoding="utf-8") as file:
            json.dump([{**event, "dur": event["dur"] * 2} if event["name"] == "step 3" else event
                       for event in small_events() if event["name"] != "step 4"], file)
        states = self.play(
            "wait compared", "command sql SELECT name, a, b, difference, verdict FROM compared "
            "WHERE difference <> 0 AND name LIKE 'step%' ORDER BY name", "key Ctrl+Enter", "wait query", "wait 100ms",
            "state", "command sql SELECT slice_id, trace_name FROM slice JOIN trace USING (trace_id) "
            "WHERE name = 'step 3' ORDER BY dur DESC", "key Ctrl+Enter", "wait query", "wait 100ms", "command sql-go 1",
            "wait 300ms", "state", files=["--compare", self.path, slower])
        self.assertEqual(states[0]["query"]["first"], [["step 3", 303_000, 606_000, 303_000, "more"],
                                                       ["step 4", 304_000, 0, -304_000, "gone"]])
        self.assertEqual([row[1] for row in states[1]["query"]["first"]], ["slower.json", "small.json"])
        self.assertEqual(states[1]["selected"]["name"], "step 3")
        self.assertEqual(states[1]["selected"]["duration"], 606_000)

    def test_emoji_come_through(self):
        states = self.play("command sql", "type SELECT '\U0001f600é' AS a", "key Ctrl+Enter", "wait query",
                           "wait 100ms", "state")
        self.assertEqual(states[0]["query"]["first"], [["\U0001f600é"]])


class Rows(SqlCase):
    def test_rows_lead_into_the_timeline(self):
        states = self.play("command sql SELECT slice_id FROM slice WHERE name = 'step 7'", "command sql-run",
                           "wait query", "wait 100ms", "command sql-go 1", "wait 100ms", "state")
        self.assertEqual(states[0]["selected"]["name"], "step 7")

    def test_found_calls_are_a_search(self):
        states = self.play("command sql SELECT slice_id FROM slice WHERE name LIKE 'step 1%'", "command sql-run",
                           "wait query", "wait 100ms", "command sql-show on", "wait search", "wait 100ms", "state",
                           "command next-match", "command next-match", "wait 200ms", "state", "command sql-show off",
                           "wait 100ms", "state")
        self.assertEqual(states[0]["search"]["matches"], 11)
        self.assertTrue(states[0]["search"]["text"].startswith("SQL: "))
        self.assertEqual(states[1]["selected"]["name"], "step 10")
        self.assertEqual(states[2]["search"]["text"], "")

    def test_a_track_stays_after_a_reload(self):
        states = self.play("command sql SELECT ts, dur, name FROM slice WHERE depth = 2", "command sql-run",
                           "wait query", "wait 100ms", "command sql-track Steps", "wait 100ms", "state",
                           "command reload", "wait loaded", "wait 200ms", "state", "command sql-close-track Steps",
                           "wait 100ms", "state")
        for state in states[:2]:
            self.assertEqual(state["threads"]["heads"][0], "SQL")
            self.assertIn("Steps", state["threads"]["shown"])
        self.assertNotIn("Steps", states[2]["threads"]["shown"])

    def test_all_rows_are_saved(self):
        out = os.path.join(self.folder, "all.csv")
        self.play("command sql WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) "
                  "SELECT i FROM n", "command sql-run", "wait query", "wait 100ms", f"command save-table {out}", "wait saved",
                  "wait 100ms", "state")
        with open(out, encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual((lines[0], lines[1], lines[150_000]), ("i", "1", "150000"))


class Saved(SqlCase):
    def test_queries_are_files(self):
        home = os.path.join(self.folder, "home")
        self.play("command sql -- of me\\nSELECT 1", "command sql-save Mine", "wait 300ms", home=home)
        with open(os.path.join(home, "config/cinderscope/queries/Mine.sql"), encoding="utf-8") as file:
            self.assertIn("SELECT 1", file.read())
        with open(os.path.join(home, "config/cinderscope/queries/Mine.sql"), "w", encoding="utf-8") as file:
            file.write("SELECT 42 AS answer")
        states = self.play("wait query", "wait 300ms", "state", files=[self.path, "--sql", "Mine"], home=home)
        self.assertEqual(states[0]["query"]["first"], [[42]])

    def test_those_beside_a_trace_are_never_run_by_themselves(self):
        os.mkdir(os.path.join(self.folder, "queries"))
        with open(os.path.join(self.folder, "queries/Theirs.sql"), "w", encoding="utf-8") as file:
            file.write("SELECT 43 AS answer")
        states = self.play("command panel sql", "wait 300ms", "state", "command sql-run Theirs", "wait query",
                           "wait 100ms", "state")
        self.assertIsNone(states[0]["query"])
        self.assertEqual(states[1]["query"]["first"], [[43]])

    def test_a_session_runs_only_what_was_run_here(self):
        session = os.path.join(self.folder, "s.cinder")
        home = os.path.join(self.folder, "home")
        self.play("command sql SELECT ts, dur, name, slice_id FROM slice WHERE depth = 2", "command sql-run",
                  "wait query", "wait 100ms", "command sql-track Steps", "command sql-show on", "wait search",
                  f"command save-session {session}", "wait saved", "wait 300ms", home=home)
        with open(session, encoding="utf-8") as file:
            saved = json.load(file)
        self.assertEqual(saved["tabs"][0]["sql"]["tracks"], ["Steps"])
        self.assertEqual(saved["tabs"][0]["search"]["text"], "")
        self.assertEqual(saved["queries"][0]["name"], "Steps")
        states = self.play("wait query", "wait 500ms", "wait query", "wait 300ms", "state", files=[session], home=home)
        self.assertEqual(states[0]["query"]["rows"], 20)
        self.assertIn("Steps", states[0]["threads"]["shown"])
        self.assertTrue(states[0]["search"]["text"].startswith("SQL: "))
        strange = self.play("wait 500ms", "state", files=[session], home=os.path.join(self.folder, "other"))
        self.assertIsNone(strange[0]["query"])
        self.assertNotIn("Steps", strange[0]["threads"]["shown"])


if __name__ == "__main__":
    unittest.main()
