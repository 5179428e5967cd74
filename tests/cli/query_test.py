#!/usr/bin/env python3
"""What `cinderscope query` prints: forms, limits, errors, and that tables count what `info` counts.

    query_test.py BINARY [SHARED]"""
import csv
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
SHARED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None

EVENTS = [
    {"ph": "X", "pid": 1, "tid": 7, "name": "main", "ts": 0, "dur": 1000, "cat": "c", "args": {"n": 5}},
    {"ph": "X", "pid": 1, "tid": 7, "name": 'a,"b"\n', "ts": 100, "dur": 400},
    {"ph": "X", "pid": 1, "tid": 7, "name": "", "ts": 600, "dur": 50},
    {"ph": "X", "pid": 2, "tid": 9, "name": "main", "ts": 300, "dur": 10},
]


def query(*arguments, text=None, environment=None):
    done = subprocess.run([BINARY, "query", *arguments], input=text, capture_output=True, timeout=60,
                          encoding="utf-8", env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout, done.stderr


class Query(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "a.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(EVENTS, file)

    def output(self, *arguments, **more):
        status, out, err = query(self.path, *arguments, **more)
        self.assertEqual((status, err), (0, ""))
        return out

    def rows(self, text, *arguments):
        return json.loads(self.output(text, "--format", "json", *arguments))

    def test_csv_is_the_form_of_pipes(self):
        out = self.output("SELECT slice_id, name, dur, category FROM slice")
        self.assertEqual(out, 'slice_id,name,dur,category\n1,main,1000000,c\n2,"a,""b""\n",400000,\n3,"",50000,\n'
                              '4,main,10000,\n')
        self.assertEqual(list(csv.reader(io.StringIO(out)))[2], ["2", 'a,"b"\n', "400000", ""])

    def test_many_small_traces_are_the_same_with_any_jobs(self):
        many = self.folder / "many"
        many.mkdir()
        for i in range(50):
            text = json.dumps([{**event, "ts": event["ts"] + i} for event in EVENTS])
            (many / f"t{i:02}.json").write_text(text, encoding="utf-8")
        # A .spall of a version that nobody knows.
        (many / "t30.json").write_bytes(struct.pack("<QQdQ", 0x0BADF00D, 9, 1.0, 0))
        text = "SELECT trace_id, trace_name, min(slice_id), min(begin_ts), count(*) FROM slice JOIN trace " \
               "USING (trace_id) GROUP BY trace_id ORDER BY trace_id"
        one = query(str(many), self.path, text, "--jobs", "1")
        self.assertEqual(one[0], 0)
        rows = list(csv.reader(io.StringIO(one[1])))[1:]
        self.assertEqual([row[1] for row in rows], [f"t{i:02}.json" for i in range(50) if i != 30] + ["a.json"])
        self.assertEqual(rows[40], ["41", "t41.json", "161", "41000", "4"])
        self.assertEqual(one[2].count("t30.json"), 1)
        for jobs in ("2", "7"):
            self.assertEqual(query(str(many), self.path, text, "--jobs", jobs), one)

    def test_forms(self):
        text = "SELECT name, dur, dur / 3.0 AS third, NULL AS x FROM slice WHERE slice_id IN (1, 3)"
        self.assertEqual(self.output(text, "--format", "tsv").splitlines()[0], "name\tdur\tthird\tx")
        self.assertEqual(self.rows(text), [{"name": "main", "dur": 1000000, "third": 333333.3333333333, "x": None},
                                           {"name": "", "dur": 50000, "third": 16666.666666666668, "x": None}])
        lines = self.output(text, "--format", "jsonl").splitlines()
        self.assertEqual([json.loads(line)["dur"] for line in lines], [1000000, 50000])
        self.assertIn("| main", self.output(text, "--format", "markdown"))
        self.assertIn("1.00 ms", self.output(text, "--format", "table"))
        self.assertIn("1000000", self.output(text, "--format", "table", "--raw"))

    def test_several_statements(self):
        text = "CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t; SELECT 2 AS b, 3 AS b"
        self.assertEqual(self.output(text), "a\n1\n\nb,b\n2,3\n")
        self.assertEqual(self.rows(text), [[{"a": 1}], [{"b": 2, "b_2": 3}]])
        self.assertEqual(self.rows("SELECT 1 WHERE 0; SELECT 1 WHERE 0"), [[], []])
        self.assertEqual(self.rows("CREATE TEMP TABLE t(a)"), [])

    def test_where_the_statement_comes_from(self):
        file = self.folder / "q.sql"
        file.write_text("SELECT count(*) AS n FROM slice", encoding="utf-8")
        self.assertEqual(self.output("-f", str(file)), "n\n4\n")
        self.assertEqual(self.output("-f", "-", text="SELECT 5 AS n"), "n\n5\n")
        config = self.folder / "config" / "cinderscope" / "queries"
        config.mkdir(parents=True)
        (config / "mine.sql").write_text("-- mine\nSELECT 6 AS n", encoding="utf-8")
        own = {"XDG_CONFIG_HOME": str(self.folder / "config")}
        self.assertEqual(self.output("--query", "mine", environment=own), "n\n6\n")
        (self.folder / "queries").mkdir()
        (self.folder / "queries" / "beside.sql").write_text("SELECT 7 AS n", encoding="utf-8")
        self.assertEqual(self.output("--query", "beside", environment=own), "n\n7\n")
        self.assertEqual(query(self.path, "--query", "none", environment=own)[0], 2)

    def test_parameters_and_limits_of_rows(self):
        text = "SELECT slice_id FROM slice WHERE name = :name AND dur < :most"
        self.assertEqual(self.rows(text, "--param", "name=main", "--param", "most=1e5"), [{"slice_id": 4}])
        self.assertEqual(len(self.rows("SELECT * FROM slice; SELECT * FROM slice", "--rows", "3")[1]), 3)

    def test_several_files(self):
        status, out, err = query(self.path, self.path, "SELECT trace_id, count(*) AS n FROM slice GROUP BY trace_id")
        self.assertEqual((status, out, err), (0, "trace_id,n\n1,4\n2,4\n", ""))

    def test_errors_and_exit_status(self):
        self.assertEqual(query(self.path, "SELECT durr FROM slice"),
                         (1, "", 'query: no such column: durr, line 1, near "durr". Did you mean dur?\n'))
        self.assertEqual(query(self.path, "ATTACH 'x' AS y")[2], "query: not allowed here: ATTACH, line 1\n")
        self.assertEqual(query(str(self.folder / "none.json"), "SELECT 1")[0], 1)
        self.assertEqual(query("SELECT 1")[0], 2)
        self.assertEqual(query(self.path, "SELECT 1", "--format", "xml")[0], 2)
        self.assertEqual(query(self.path, "SELECT 1", "--param", "x")[0], 2)
        self.assertEqual(query(self.path, "SELECT 1 WHERE 0", "--fail-if-rows")[0], 0)
        self.assertEqual(query(self.path, "SELECT 1", "--fail-if-rows")[0], 3)
        endless = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        self.assertEqual(query(self.path, endless, "--time-limit", "50ms")[:1], (1,))
        status, _, err = query(self.path, endless.replace("ALL", ""), "--sort-memory", "8MB")
        self.assertEqual(status, 1)
        self.assertIn("out of memory for sorting", err)

    def test_explain_runs_nothing(self):
        out = self.output("--explain", "SELECT a.ts FROM slice a, slice b, slice c, slice d ORDER BY 1")
        self.assertIn("SCAN a VIRTUAL TABLE", out)
        self.assertEqual(query(self.path, "--explain", "SELECT durr FROM slice")[0], 1)

    def test_arguments(self):
        self.assertEqual(self.rows("SELECT key, value, number FROM arg"), [{"key": "n", "value": "5", "number": 5.0}])


@unittest.skipUnless(SHARED and (SHARED / "traces").is_dir(), "no sample traces")
class Samples(unittest.TestCase):
    def check(self, path):
        done = subprocess.run([BINARY, "info", "--json", str(path)], capture_output=True, timeout=120, check=False)
        if done.returncode != 0:
            return False
        info = json.loads(done.stdout)
        if "traces" in info:
            return False
        tables = ("slice", "instant", "async_slice", "async_step", "counter", "counter_sample", "lifetime")
        status, out, err = query(str(path), "--format", "json", "; ".join(
            [f"SELECT count(*) AS n FROM {table}" for table in tables]
            + ["SELECT code, severity, count, ifnull(first_offset, -1) AS first_offset, text FROM diagnostic",
               "SELECT count(DISTINCT name) AS n FROM slice", "SELECT count(*) AS n FROM slice WHERE unfinished = 1",
               "SELECT count(*) AS n FROM slice WHERE depth < 1 OR self_dur < 0 OR self_dur > dur OR (dur > 0 AND "
               "(depth = 1) <> (parent_slice_id IS NULL))",
               "SELECT count(DISTINCT flow_id) AS n FROM flow"]))
        self.assertEqual((status, err), (0, ""), path)
        answers = json.loads(out)
        count = dict(zip(tables, (answer[0]["n"] for answer in answers)))
        self.assertEqual(count["slice"], info["slices"]["total"], path)
        self.assertEqual(count["async_slice"], info["async"]["slices"], path)
        self.assertEqual(count["counter"], info["counters"]["series"], path)
        self.assertEqual(count["counter_sample"], info["counters"]["samples"], path)
        self.assertEqual(answers[len(tables)], info["diagnostics"], path)
        rest = [answer[0]["n"] for answer in answers[len(tables) + 1:]]
        self.assertEqual(rest[0], info["slices"]["distinct_names"], path)
        self.assertEqual(rest[1], info["slices"]["unfinished"], path)
        self.assertEqual(rest[2], 0, path)
        return True

    @unittest.skipUnless(SHARED and (SHARED / "traces" / "qubership" / "agent-2022").is_dir(), "no recording")
    def test_lists_of_calls_have_a_column_a_fact(self):
        path = str(SHARED / "traces" / "qubership" / "agent-2022")
        status, out, err = query(path, "SELECT c.*, s.kind FROM call c JOIN thread USING (thread_id) JOIN track s "
                                       "ON s.thread_id = c.thread_id AND s.kind = 'calls'", "--format", "json")
        self.assertEqual((status, err), (0, ""))
        calls = json.loads(out)
        self.assertEqual([call["call_id"] for call in calls], list(range(1, len(calls) + 1)))
        self.assertEqual({key: calls[0][key] for key in ("name", "dur", "calls_inside", "cpu_dur", "memory_bytes")},
                         {"name": "Profiler.startDumper", "dur": 470000000, "calls_inside": 4, "cpu_dur": 1953000000,
                          "memory_bytes": 50549608})

    def test_tables_count_what_info_counts(self):
        checked = 0
        for folder in ("json", "spall", "flow", "lincheck", "qubership", "thread-stream", "profiles", "perfetto"):
            for path in sorted((SHARED / "traces" / folder).glob("*")):
                if path.is_file() and path.stat().st_size > 0 and path.suffix not in (".md", ".py", ".properties"):
                    with self.subTest(path=path.name):
                        checked += self.check(path)
        self.assertGreater(checked, 20)


if __name__ == "__main__":
    unittest.main()
