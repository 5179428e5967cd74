#!/usr/bin/env python3
"""What `cinderscope compare` prints: the numbers of `stats`, verdicts, forms, conditions, exit statuses.

    compare_test.py BINARY"""
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
SCALED = {"f02": 1.2, "f05": 0.7, "f09": 1.5, "f20": 2.0, "f25": 1.1}


def run(*arguments):
    done = subprocess.run([BINARY, *arguments], capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def compare(*arguments):
    return run("compare", *arguments)


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, calls, metadata=()):
        """calls: (tid, name, begin, duration) in ns"""
        events = [{"ph": "X", "pid": 1, "tid": tid, "name": call, "ts": begin / 1000, "dur": duration / 1000}
                  for tid, call, begin, duration in calls]
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(list(metadata) + events, file)
        return self.path(name)

    def frames(self, name, scale=None, without=None, extra=None, seed=1, run_factor=1.0, frames=100):
        """Frames with 30 names in two layers: lengths are drawn alike for each seed."""
        draw = random.Random(seed)
        calls, now = [], 1000
        for _ in range(frames):
            inner, begin = [], now
            now += 5000
            for i in range(30):
                call, length = f"f{i:02}", int(draw.lognormvariate(10, 0.5))
                if call == without:
                    continue
                length = int(length * (scale or {}).get(call, 1) * run_factor)
                inner.append((1, call, now, length))
                now += length + 10
            if extra:
                inner.append((1, extra, now, 20_000))
                now += 20_000
            now += 5000
            calls += [(1, "frame", begin, now - begin), *inner]
            now += 1000
        return self.write(name, calls)

    def json(self, *arguments):
        status, out, err = compare(*arguments, "--json")
        self.assertEqual(status, 0, err)
        return json.loads(out)

    def test_it_names_what_changed_and_nothing_else(self):
        a = self.frames("a.json")
        b = self.frames("b.json", SCALED, "f13", "added")
        whole = self.json(a, b)
        found = {row["name"]: row for row in whole["names"] if row["verdict"] not in ("same", "small")}
        self.assertEqual(set(found), {*SCALED, "f13", "added"})
        for name, factor in SCALED.items():
            self.assertAlmostEqual(found[name]["change"], factor - 1, delta=0.001)
            self.assertGreater(found[name]["difference"] * (factor - 1), 0)
        self.assertEqual((found["f13"]["verdict"], found["added"]["verdict"]), ("gone", "new"))
        self.assertEqual(whole["counts"]["new"], 1)
        self.assertEqual(whole["counts"]["both"], 30)
        self.assertEqual((whole["version"], whole["measure"], whole["unit"], whole["tested"]),
                         (1, "self", "ns", "spread"))

    def test_numbers_are_those_of_stats(self):
        paths = [self.frames("a.json", seed=3), self.frames("b.json", SCALED, "f13", "added", seed=4)]
        for extra in ([], ["--from", "+100us", "--to", "+5ms"], ["--from", "+100us", "--to", "+5ms", "--whole"]):
            stats = []
            for path in paths:
                status, out, err = run("stats", path, "--json", *extra)
                self.assertEqual(status, 0, err)
                stats.append({row["name"]: row for row in json.loads(out)["names"]})
            for measure in ("self", "total", "mean", "median", "p90", "p99", "count"):
                whole = self.json(*paths, "--measure", measure, *extra)
                self.assertEqual({row["name"] for row in whole["names"]}, {*stats[0], *stats[1]})
                for row in whole["names"]:
                    for side, rows in (("a", stats[0]), ("b", stats[1])):
                        of = rows.get(row["name"])
                        self.assertEqual(row[side], of[measure] if of else 0)
                        for key, value in row[side + "_all"].items():
                            self.assertEqual(value, of[key] if of else 0)
                    self.assertEqual(row["difference"], row["b"] - row["a"])

    def test_the_same_trace_twice(self):
        a = self.frames("a.json")
        whole = self.json(a, a)
        self.assertEqual({row["verdict"] for row in whole["names"]}, {"same"})
        self.assertEqual({row["difference"] for row in whole["names"]}, {0})
        self.assertEqual({row["chance"] for row in whole["names"]}, {0.5})
        self.assertEqual((whole["difference"], whole["change"]), (0, 0))

    def test_swapped_sides_are_mirrored(self):
        a, b = self.frames("a.json"), self.frames("b.json", SCALED, "f13", "added")
        mirrored = {"more": "less", "less": "more", "new": "gone", "gone": "new"}
        forth = {row["name"]: row for row in self.json(a, b)["names"]}
        for row in self.json(b, a)["names"]:
            other = forth[row["name"]]
            self.assertEqual(row["difference"], -other["difference"])
            self.assertEqual(row["verdict"], mirrored.get(other["verdict"], other["verdict"]))
            if row["low"] is not None:
                self.assertAlmostEqual(1 + row["low"], 1 / (1 + other["high"]))

    def test_runs_are_tested(self):
        draw = random.Random(5)
        for side, scale in (("a", None), ("b", SCALED)):
            for i in range(5):
                self.frames(f"{side}/{i}.json", scale, seed=1, run_factor=draw.gauss(1, 0.005), frames=20)
        whole = self.json(self.path("a"), self.path("b"))
        self.assertEqual(whole["tested"], "runs")
        self.assertEqual((len(whole["a"]["runs"]), len(whole["b"]["runs"])), (5, 5))
        rows = {row["name"]: row for row in whole["names"]}
        for name, factor in SCALED.items():
            row = rows[name]
            self.assertEqual(row["verdict"], "more" if factor > 1 else "less", name)
            self.assertLessEqual(row["low"], factor - 1)
            self.assertGreaterEqual(row["high"], factor - 1)
            self.assertEqual(row["a"], (2 * sum(row["runs_a"]) + 5) // 10, "the mean of runs, halves up")
            self.assertLessEqual(row["p"], row["p_adjusted"])
        others = [row["verdict"] for name, row in rows.items() if name not in SCALED]
        self.assertLessEqual(sum(verdict in ("more", "less") for verdict in others), 1)
        listed = self.json("--a", self.path("a/0.json"), self.path("a/1.json"), "--b", self.path("b/0.json"))
        self.assertEqual((len(listed["a"]["runs"]), listed["tested"]), (2, "none"), "too few calls for a spread")
        status, _, err = compare(self.path("a"), self.path("b"), "--fail-if", "self(f20)>+90% surely")
        self.assertEqual(status, 3)
        self.assertRegex(err, r"^failed: self\(f20\)>\+90% surely: .* → .*, \+100\.\d % \(.*….*\)\n$")

    def test_a_run_that_cannot_be_read_is_left_out(self):
        self.frames("runs/a.json", frames=5)
        self.frames("runs/b.json", frames=5)
        with open(self.path("bad.json"), "w", encoding="utf-8") as file:
            file.write("nothing")
        good = self.path("runs/a.json")
        status, out, err = compare("--a", good, self.path("bad.json"), "--b", good, "--json")
        self.assertEqual(status, 0)
        self.assertIn("bad.json", err)
        self.assertEqual(json.loads(out)["a"]["left_out"][0]["path"], self.path("bad.json"))
        self.assertEqual(len(json.loads(out)["a"]["runs"]), 1)

    def test_exit_statuses(self):
        a, b = self.frames("a.json", frames=5), self.frames("b.json", SCALED, frames=5)
        for wanted, arguments in [
                (0, [a, b]), (0, [a, b, "--fail-if", "self<-50%"]), (0, [a, b, "--per", "frame"]),
                (1, [a, self.path("missing.json")]), (1, [self.path("missing.json"), b]),
                (1, [a, b + "#nobody"]), (1, [a, b, "-o", self.path("none/x.json")]),
                (2, []), (2, [a]), (2, [a, b, a]), (2, [a, b, "--fail-if", "self"]),
                (2, [a, b, "--fail-if", "self>+3% surely"]), (2, [a, b, "--measure", "speed"]),
                (2, [a, b, "--match", "names=off"]), (2, [a, b, "--rename", "(=x"]), (2, [a, b, "--min", "big"]),
                (2, [a, b, "--share", "--per", "frame"]), (2, [a, b, "--share", "--measure", "p90"]),
                (2, [a, b, "--only", "worse"]), (2, [a, b, "--noise", "-1"]), (2, [a, b, "--json", "--csv"]),
                (2, [a, b + "@1"]), (2, [a, b, "--weight", "calls", "--measure", "self"]),
                (3, [a, b, "--fail-if", "self>+0.1%"]), (3, [a, b, "--fail-if", "self>+90%", "--fail-if", "self(*)>+50%"]),
                (4, [a, b, "--per", "Frame"]), (4, [a, b, "--fail-if", "self(drwa)>+5%"]),
                (4, [a, b, "--fail-if", "self>+0.1%", "--fail-if", "new(drwa)"])]:
            status, _, err = compare(*arguments)
            self.assertEqual(status, wanted, (arguments, err))

    def test_parts_of_a_trace(self):
        calls = [(1, "f", 0, 1000), (2, "f", 0, 3000), (1, "f", 10_000, 5000)]
        a = self.write("a.json", calls, [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2,
                                          "args": {"name": "helper"}}])

        def values(*sides):
            row = self.json(*sides, "--min", "0")["names"][0]
            return row["a"], row["b"]
        self.assertEqual(values(a, a), (9000, 9000))
        self.assertEqual(values(a + "@0..10us", a + "@10us..end"), (4000, 5000))
        self.assertEqual(values(a + "#1", a + "#helper"), (6000, 3000))
        self.assertEqual(values(a + "@0..10us#1", a), (1000, 9000))
        self.assertEqual(values(a, a, "--thread", "2")[0], 3000)
        self.assertEqual(values(a, a + "#1", "--thread", "HELPER"), (3000, 6000))
        self.assertEqual(values(a + "#/help/", a + "#1/"), (3000, 9000))

    def test_scales(self):
        a = self.write("a.json", [(1, "frame", i * 100, 50) for i in range(10)] + [(2, "f", 0, 10_000)])
        b = self.write("b.json", [(1, "frame", i * 100, 50) for i in range(30)] + [(2, "f", 0, 36_000)])
        whole = self.json(a, b, "--per", "frame")
        self.assertEqual((whole["scale"], whole["per"]), ("per", "frame"))
        row = {row["name"]: row for row in whole["names"]}["f"]
        self.assertEqual((row["a"], row["b"]), (1000, 1200))
        self.assertEqual(whole["b"]["runs"][0]["per_count"], 30)
        shares = self.json(a, b, "--share")
        self.assertEqual((shares["unit"], shares["a"]["value"]), ("share", 1))
        self.assertEqual({row["name"]: row["a"] for row in shares["names"]}["f"], 0.952381)
        _, out, _ = compare(a, b)
        self.assertIn("B has 2.8 times as many calls. Compare per call of frame?", out)

    def test_names(self):
        a = self.write("a.json", [(1, "sort<int>", 0, 5000), (1, "sort<long>", 6000, 4000), (1, "old()", 12_000, 9000)])
        b = self.write("b.json", [(1, "sort<char>", 0, 20_000), (1, "new()", 30_000, 9000)])
        rows = {row["name"]: row for row in self.json(a, b)["names"]}
        self.assertEqual(rows["sort<>"]["names_a"], ["sort<int>", "sort<long>"])
        self.assertEqual((rows["sort<>"]["a"], rows["sort<>"]["a_all"]["median"]), (9000, 4000))
        self.assertEqual(rows["old()"]["verdict"], "gone")
        exact = {row["name"] for row in self.json(a, b, "--match", "exact")["names"]}
        self.assertIn("sort<int>", exact)
        renamed = self.json(a, b, "--rename", r"^old(.*)=new\1")
        self.assertEqual({row["name"]: row["verdict"] for row in renamed["names"]}["new()"], "same")
        self.assertEqual(renamed["rules"][0]["names_a"], 1)
        _, out, _ = compare(a, b)
        self.assertIn("sort<> (2)", out)

    def test_names_of_runs_that_were_dropped_are_measured_together(self):
        """Recursion from one name of a group to another counts once, however many runs there are."""
        for i in range(3):
            self.write(f"a/{i}.json", [(1, "g<1>", 0, 9000), (1, "g<2>", 1000, 5000), (1, "x::h0123456789abcdef", 2000, 9),
                                       (1, "x", 3000, 7)])
            self.write(f"b/{i}.json", [(1, "g<3>", 0, 9000), (1, "x", 2000, 9)])
        rows = {row["name"]: row for row in self.json(self.path("a"), self.path("b"))["names"]}
        self.assertEqual(rows["g<>"]["a_all"]["total"], 9000)
        self.assertEqual(rows["x"]["a_all"]["total"], 16)
        self.assertEqual(rows["x"]["a_all"]["max"], 9)

    def test_forms(self):
        a, b = self.frames("a.json", frames=20), self.frames("b.json", SCALED, "f13", "added", frames=20)
        status, out, _ = compare(a, b, "--csv")
        self.assertEqual(status, 0)
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(len(rows), 32)
        head = ("name,verdict,a,b,difference,change,low,high,p,p_adjusted,chance,count_a,count_b,self_a,self_b,total_a,"
                "total_b,mean_a,mean_b,median_a,median_b,p90_a,p90_b,p99_a,p99_b,min_a,min_b,max_a,max_b")
        self.assertEqual(out.split("\n")[0], head)
        gone = next(row for row in rows if row["name"] == "f13")
        self.assertEqual((gone["verdict"], gone["b"], gone["change"], gone["count_b"]), ("gone", "", "", "0"))
        _, out, _ = compare(a, b, "--markdown", "--names", "3")
        self.assertEqual(sum(line.startswith("|") for line in out.split("\n")), 5)
        _, out, _ = compare(a, b, "--names", "3", "--sort", "name", "--only", "new,gone")
        self.assertIn("30 names in both, 1 new, 1 gone;", out)
        self.assertIn("2 of 32 rows shown", out)
        _, out, _ = compare(a, b, "--tree")
        lines = dict(line.rsplit(" ", 2)[:1] + [line.rsplit(" ", 2)[1:]] for line in out.strip().split("\n"))
        self.assertEqual(lines["frame;f13"][1], "0")
        self.assertEqual(lines["frame;added"], ["0", "400000"])
        self.assertIn("frame", lines)

    def test_output_goes_to_a_file_that_is_not_there_yet(self):
        a = self.frames("a.json", frames=3)
        target = self.path("out.json")
        self.assertEqual(compare(a, a, "--json", "-o", target)[:2], (0, ""))
        with open(target, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["version"], 1)
        status, _, err = compare(a, a, "--json", "-o", target)
        self.assertEqual(status, 1)
        self.assertIn("--force", err)
        self.assertEqual(compare(a, a, "--csv", "-o", target, "--force")[0], 0)
        with open(target, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("name,"))

    def test_saved_sides(self):
        a, b = self.frames("a.json", frames=20), self.frames("b.json", SCALED, frames=20)
        saved = self.path("side.json")
        self.assertEqual(compare(a, "--save-side", saved)[0], 0)
        direct, again = self.json(a, b), self.json(saved, b)
        self.assertEqual(direct["names"], again["names"])
        self.assertEqual(again["a"]["runs"][0]["path"], a)
        status, _, err = compare(saved, b, "--tree")
        self.assertEqual(status, 2)
        self.assertIn("saved side", err)
        self.assertEqual(compare(a, b, "--save-side", saved)[0], 1)
        self.assertEqual(compare(a, b, "--save-side", saved, "--force")[0], 0)
        self.assertEqual({row["verdict"] for row in self.json(saved, b)["names"]}, {"same"})
        with open(saved, "r+", encoding="utf-8") as file:
            file.truncate(1000)
        self.assertEqual(compare(saved, b)[0], 1)

    def test_odd_traces(self):
        a = self.frames("a.json", frames=3)
        empty = self.write("empty.json", [])
        with open(a, "rb") as file:
            content = file.read()
        with open(self.path("cut.json"), "wb") as file:
            file.write(content[:len(content) // 2])
        for sides in ([a, empty], [empty, a], [empty, empty], [a, self.path("cut.json")]):
            for form in ([], ["--json"], ["--csv"], ["--markdown"], ["--tree"]):
                status, _, err = compare(*sides, *form)
                self.assertEqual(status, 0, (sides, form, err))
        _, out, _ = compare(a, self.write("other.json", [(1, "zzz", 0, 1_000_000)]))
        self.assertIn("No name is on both sides.", out)
        zero = self.write("zero.json", [(1, "z", i, 0) for i in range(50)])
        self.assertEqual(self.json(zero, zero)["names"][0]["change"], 0)
        deep = self.write("deep.json", [(1, "r", i, 4000 - 2 * i) for i in range(2000)])
        row = self.json(deep, deep)["names"][0]
        self.assertEqual((row["a_all"]["total"], row["verdict"]), (4000, "same"))
        status, out, err = compare(deep, deep, "--tree")
        self.assertEqual(len(out.strip().split("\n")), 1000)
        self.assertIn("1000 chains are longer than 1000 calls", err)


if __name__ == "__main__":
    unittest.main()
