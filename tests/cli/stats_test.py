#!/usr/bin/env python3
"""What `cinderscope stats` prints: numbers, forms, ranges, and what it says of wrong ones.

    stats_test.py BINARY"""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))

# pid, tid, name, begin and duration in µs: "walk" calls itself, "a,\"b\"" needs quotes
CALLS = [(1, 7, "main", 0, 1000), (1, 7, "walk", 100, 400), (1, 7, "walk", 200, 100), (1, 7, 'a,"b"\nc', 600, 50),
         (2, 7, "main", 0, 500), (2, 9, "walk", 300, 10)]


def stats(*arguments, binary_input=None):
    done = subprocess.run([BINARY, "stats", *arguments], input=binary_input, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Stats(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = self.write("a.json", CALLS)

    def write(self, name, calls, extra=()):
        events = [{"ph": "X", "pid": pid, "tid": tid, "name": call, "ts": begin, "dur": duration}
                  for pid, tid, call, begin, duration in calls]
        events += [{"ph": "M", "name": "thread_name", "pid": 2, "tid": 9, "args": {"name": "helper"}}]
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(events + list(extra), file)
        return path

    def rows(self, *arguments):
        status, out, err = stats(self.path, "--json", *arguments)
        self.assertEqual(status, 0, err)
        whole = json.loads(out)
        return whole, {row["name"]: row for row in whole["names"]}

    def test_numbers_of_a_name(self):
        whole, rows = self.rows()
        walk = rows["walk"]
        self.assertEqual(
            {key: walk[key] for key in ("count", "total", "self", "mean", "median", "p90", "p99", "min", "max")},
            {"count": 3, "total": 410_000, "self": 410_000, "mean": 170_000, "median": 100_000, "p90": 400_000,
             "p99": 400_000, "min": 10_000, "max": 400_000})
        self.assertAlmostEqual(walk["share"], 41.0)
        self.assertEqual(walk["info_total"], 510_000)
        self.assertEqual(rows["main"]["self"], 550_000 + 500_000)
        self.assertEqual((whole["begin"], whole["end"], whole["calls"], whole["axis"]), (0, 1_000_000, 6, "ns"))
        self.assertEqual(list(rows), ["main", "walk", 'a,"b"\nc'], "by total")

    def test_a_range_cuts_calls_or_counts_them_whole(self):
        whole, rows = self.rows("--from", "150000", "--to", "600000")
        self.assertEqual(rows["main"]["total"], 450_000 + 350_000)
        self.assertEqual(rows["walk"]["total"], 350_000 + 10_000)
        self.assertEqual((whole["begin"], whole["end"]), (150_000, 600_000))
        self.assertNotIn('a,"b"\nc', rows, "the end is not part of the range")
        _, rows = self.rows("--from", "150000", "--to", "600000", "--whole")
        self.assertEqual(rows["main"]["total"], 1_500_000)

    def test_times_are_taken_as_people_type_them(self):
        late = self.write("late.json", [(1, 1, "main", 1_700_000_000_000_000, 3_000_000)])

        def ends(*arguments):
            status, out, err = stats(late, "--json", *arguments)
            self.assertEqual(status, 0, err)
            return [json.loads(out)[end] - 1_700_000_000_000_000_000 for end in ("begin", "end")]
        second = 1_000_000_000
        self.assertEqual(ends("--from", "+500ms", "--to", "end-1s"), [second // 2, 2 * second])
        self.assertEqual(ends("--from", "1700000001s", "--to", "+1.5s"), [second, 3 * second // 2])
        self.assertEqual(ends("--from", "22:13:21", "--to", "22:13:22.5"), [second, 5 * second // 2])
        self.assertEqual(ends("--from", "23:13:21", "--to", "23:13:22", "--zone", "Europe/Berlin"),
                         [second, 2 * second])

    def test_a_time_outside_is_told_the_range_and_the_form_that_fits(self):
        late = self.write("late.json", [(1, 1, "main", 1_700_000_000_000_000, 3_000_000)])
        code, out, err = stats(late, "--from", "1.5s")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("from 1700000000000000000 to 1700000003000000000 ns", err)
        self.assertIn('"+1.5s"', err)

    def test_a_thread_by_id_name_or_pid_and_tid(self):
        self.assertEqual(self.rows("--thread", "7")[1]["main"]["count"], 2)
        self.assertEqual(self.rows("--thread", "2/7")[1]["main"]["total"], 500_000)
        self.assertEqual(list(self.rows("--thread", "helper")[1]), ["walk"])

    def test_threads_are_typed_as_everywhere(self):
        self.assertEqual(list(self.rows("--thread", "HELPER")[1]), ["walk"])
        self.assertEqual(list(self.rows("--thread", "/^hel/")[1]), ["walk"])
        self.assertEqual(list(self.rows("--thread", '"helper"')[1]), ["walk"])
        process = self.rows("--thread", "2/")[0]["calls"]
        self.assertGreater(process, self.rows("--thread", "2/7")[0]["calls"])
        both = self.rows("--thread", "helper", "--thread", "2/7")[0]["calls"]
        self.assertEqual(both, self.rows("--thread", "helper")[0]["calls"] +
                         self.rows("--thread", "2/7")[0]["calls"])
        self.assertEqual(stats(self.path, "--thread", "/(/")[0], 2)

    def test_csv_is_quoted_and_reads_back(self):
        status, out, _ = stats(self.path, "--csv", "--sort", "name")
        self.assertEqual(status, 0)
        self.assertNotIn("\r", out)
        self.assertTrue(out.endswith("\n"))
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual([row["name"] for row in rows], ['a,"b"\nc', "main", "walk"])
        self.assertEqual(rows[2]["total"], "410000")
        self.assertEqual(rows[2]["share"], "41.00")

    def test_sqlite_reads_the_csv(self):
        if shutil.which("sqlite3") is None:
            self.skipTest("sqlite3 is not installed")
        status, out, _ = stats(self.path, "--csv")
        self.assertEqual(status, 0)
        table = os.path.join(self.folder.name, "stats.csv")
        with open(table, "w", newline="", encoding="utf-8") as file:
            file.write(out)
        sums = subprocess.run(["sqlite3", ":memory:", "-cmd", f".import --csv {table} stats",
                               "SELECT count(*), sum(self), sum(total) FROM stats"],
                              capture_output=True, text=True, timeout=60, check=True).stdout.strip()
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual(sums, "|".join([str(len(rows)), str(sum(int(row["self"]) for row in rows)),
                                         str(sum(int(row["total"]) for row in rows))]))

    def test_a_name_becomes_no_formula_if_that_is_asked_for(self):
        path = os.path.join(self.folder.name, "formula.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "name": "=1+1"}], file)
        _, plain, _ = stats(path, "--csv")
        _, safe, _ = stats(path, "--csv", "--spreadsheet")
        self.assertTrue(plain.splitlines()[1].startswith("=1+1,"), plain)
        self.assertTrue(safe.splitlines()[1].startswith("'=1+1,"), safe)
        self.assertEqual(stats(path, "--spreadsheet")[0], 2)

    def test_text_has_one_line_for_each_name(self):
        status, out, _ = stats(self.path, "--names", "2", "--sort", "count")
        self.assertEqual(status, 0)
        lines = out.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[4].split()[:3], ["3", "410000", "410000"])
        self.assertTrue(lines[4].endswith("walk"))

    def test_unfinished_calls_are_said(self):
        path = self.write("open.json", CALLS[:1],
                          [{"ph": "B", "pid": 1, "tid": 7, "name": "hangs", "ts": 400}])
        status, out, _ = stats(path, "--json")
        rows = {row["name"]: row for row in json.loads(out)["names"]}
        self.assertEqual((rows["hangs"]["unfinished"], rows["hangs"]["info_total"]), (1, 0))
        self.assertEqual(rows["hangs"]["total"], 600_000)

    def test_a_folder_gives_each_trace_with_its_path(self):
        other = self.write("b.json", CALLS[:1])
        status, out, _ = stats(self.folder.name, "--json")
        self.assertEqual(status, 0)
        self.assertEqual([trace["path"] for trace in json.loads(out)["traces"]], [self.path, other])

    def test_standard_input(self):
        with open(self.path, "rb") as file:
            status, out, _ = stats("-", "--json", binary_input=file.read())
        self.assertEqual((status, json.loads(out)["calls"]), (0, 6))

    def test_wrong_ranges_columns_and_threads_are_refused(self):
        for arguments, status, words in (
                (["--from", "10", "--to", "10"], 2, "not after its begin"), (["--from", "x"], 2, "--from"),
                (["--sort", "weight"], 2, "--sort"), (["--csv", "--json"], 2, "--csv"),
                (["--from", "1s"], 1, "is not in the trace"), (["--zone", "Foo/Bar"], 2, "no time zone"),
                (["--thread", "nobody"], 1, 'no thread "nobody"')):
            code, out, err = stats(self.path, *arguments)
            self.assertEqual((code, out), (status, ""), arguments)
            self.assertIn(words, err)

    def test_help_defines_the_columns(self):
        status, out, _ = stats("--help")
        self.assertEqual(status, 0)
        for word in ("nearest", "recursive", "unfinished", "info_total", "share"):
            self.assertIn(word, out)


if __name__ == "__main__":
    unittest.main()
