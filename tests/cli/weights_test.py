#!/usr/bin/env python3
"""`--weight` of all sub-commands: weights of a profile by name or number, those of all traces, and what there is not.

    weights_test.py BINARY"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))

DIFFERENCE = "main;draw 5 80\nmain;read 4 0\nmain 0 2\n"
CALLS = [{"ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": dur, "name": name}
         for ts, dur, name in ((0, 100, "long"), (200, 1, "short"), (300, 1, "short"))]


def run(*arguments):
    done = subprocess.run([BINARY, *arguments], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Weights(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.profile, self.trace = self.path("difference.folded"), self.path("calls.json")
        with open(self.profile, "w", encoding="utf-8") as file:
            file.write(DIFFERENCE)
        with open(self.trace, "w", encoding="utf-8") as file:
            json.dump(CALLS, file)

    def path(self, name):
        return os.path.join(self.folder, name)

    def totals(self, *arguments):
        status, out, said = run("stats", self.profile, "--json", *arguments)
        self.assertEqual(status, 0, said)
        about = json.loads(out)
        return about["weight"], {each["name"]: each["total"] for each in about["names"]}

    def test_statistics_go_by_the_weight(self):
        self.assertEqual(self.totals(), ("after", {"main": 82, "draw": 80}))
        for weight in ("before", "0"):
            self.assertEqual(self.totals("--weight", weight), ("before", {"main": 9, "draw": 5, "read": 4}))

    def test_facts_tell_the_list_and_the_unit(self):
        about = json.loads(run("info", self.profile, "--json", "--weight", "before")[1])
        self.assertEqual((about["unit"], about["weight"], about["weights"]), ("samples", "before", ["before", "after"]))
        self.assertIn("from 0 to 9 samples", run("info", self.profile, "--weight", "before")[1])
        self.assertNotIn("weights", json.loads(run("info", self.trace, "--json")[1]))

    def test_what_there_is_not_is_refused_with_what_there_is(self):
        for command in (["stats", self.profile], ["info", self.profile], ["query", self.profile, "select 1"],
                        ["picture", self.profile, "--of", "flame-graph", "-o", "-", "--format", "svg"]):
            status, out, said = run(*command, "--weight", "speed")
            self.assertEqual((status, out), (1, ""), command)
            self.assertIn("before, after", said, command)
        status, _, said = run("stats", self.trace, "--weight", "before")
        self.assertEqual(status, 1)
        self.assertIn("time, calls", said)

    def test_names_of_a_trace_come_by_their_number_of_calls(self):
        def first(*arguments):
            return json.loads(run("stats", self.trace, "--json", *arguments)[1])["names"][0]["name"]
        self.assertEqual((first(), first("--weight", "time"), first("--weight", "calls"), first("--weight", "1")),
                         ("long", "long", "short", "short"))

    def test_queries_measure_what_was_chosen(self):
        def asked(sql, *arguments):
            status, out, said = run("query", self.profile, sql, "--format", "csv", *arguments)
            self.assertEqual(status, 0, said)
            return out.split("\n")[1]
        self.assertEqual(asked("select name, total from name_stat order by total desc limit 1"), "main,82")
        self.assertEqual(asked("select name, total from name_stat order by total desc limit 1", "--weight", "before"),
                         "main,9")

    def test_pictures_and_comparisons_go_by_it(self):
        drawn = run("picture", self.profile, "--of", "flame-graph", "-o", "-", "--format", "svg", "--weight", "0")
        self.assertEqual(drawn[0], 0, drawn[2])
        self.assertIn("9 samples", drawn[1])
        compared = json.loads(run("compare", self.profile, self.profile, "--json", "--weight", "before")[1])
        self.assertEqual(compared["weight"], "before")
        compared = json.loads(run("compare", self.trace, self.trace, "--json", "--weight", "calls")[1])
        self.assertEqual(compared["weight"], "calls")

    def test_a_profile_that_is_written_again_stays_what_it_is(self):
        again = self.path("again.folded")
        for weight, total in (("before", 9), ("after", 82)):
            status, _, said = run("convert", self.profile, "-o", again, "--weight", weight, "--force")
            self.assertEqual(status, 0, said)
            with open(again, encoding="utf-8") as file:
                self.assertIn("\nmain;draw ", "\n" + file.read())
            self.assertEqual(json.loads(run("info", again, "--json")[1])["end"], total)


if __name__ == "__main__":
    unittest.main()
