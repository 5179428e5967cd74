#!/usr/bin/env python3
"""`cinderscope convert`: parts, edges, losses, round trips of Google JSON.

    convert_test.py BINARY GOLDEN_FOLDER"""
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
GOLDEN = pathlib.Path(sys.argv.pop(1))
# What differs between a trace and the same in another format, by what they are.
OWN = {"path", "format", "load", "details", "diagnostics", "size", "bytes", "records", "notes"}


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL, **options)


def printed(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout.decode()


def facts(path):
    return json.loads(printed("info", path, "--json", "--names", "0"))


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="convert_test")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, events, **members):
        path = self.folder / name
        path.write_text(json.dumps({**members, "traceEvents": events}, ensure_ascii=False),
                        encoding="utf-8")
        return path

    def convert(self, *arguments, status=0):
        done = run("convert", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode()

    def sample(self):
        events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}},
                  {"ph": "X", "name": "outer", "cname": "good", "ts": 0, "dur": 100, "pid": 1, "tid": 2,
                   "args": {"a": 1}},
                  {"ph": "B", "name": "middle", "ts": 10, "pid": 1, "tid": 2},
                  {"ph": "X", "name": "inner", "ts": 20, "dur": 5, "pid": 1, "tid": 2},
                  {"ph": "i", "name": "tick", "ts": 30, "pid": 1, "tid": 2, "s": "t"},
                  {"ph": "C", "name": "load", "ts": 5, "pid": 1, "args": {"cpu": 3}},
                  {"ph": "C", "name": "load", "ts": 45, "pid": 1, "args": {"cpu": 4}},
                  {"ph": "E", "ts": 90, "pid": 1, "tid": 2},
                  {"ph": "B", "name": "open", "ts": 95, "pid": 1, "tid": 2}]
        return self.write("a.json", events, otherData={"who": "me"}, stackFrames={})

    def events(self, path):
        return json.loads(path.read_text(encoding="utf-8"))["traceEvents"]

    def test_all_of_google_json_is_copied(self):
        out = self.folder / "b.json"
        said = self.convert(self.sample(), "-o", out)
        self.assertEqual(out.read_bytes(), self.sample().read_bytes())
        self.assertEqual(said, "4 slices written.\n")

    def test_a_part_keeps_callers_and_marks_what_is_cut(self):
        out = self.folder / "b.json"
        self.convert(self.sample(), "--from", "25us", "--to", "50us", "-o", out)
        by_name = {event["name"]: event for event in self.events(out)}
        self.assertEqual(set(by_name), {"thread_name", "outer", "middle", "tick", "load"})
        self.assertEqual(by_name["outer"]["cut"], {"ts": 0, "dur": 100})
        self.assertEqual(by_name["outer"]["cname"], "good")
        self.assertEqual((by_name["outer"]["ts"], by_name["outer"]["dur"]), (25, 25))
        self.assertEqual((by_name["middle"]["ph"], by_name["middle"]["dur"]), ("X", 25))
        loads = [(e["ts"], e["args"]["cpu"]) for e in self.events(out) if e["ph"] == "C"]
        self.assertEqual(sorted(loads), [(25, 3), (45, 4)])
        self.assertIn("otherData", json.loads(out.read_text()))

    def test_the_plain_form_says_the_same_of_a_part(self):
        copied, rewritten = self.folder / "b.json", self.folder / "c.json"
        part = ["--from", "25us", "--to", "97us"]
        self.convert(self.sample(), *part, "-o", copied)
        self.convert(self.sample(), *part, "--rewrite", "-o", rewritten)
        self.assertEqual(printed("tree", copied), printed("tree", rewritten))

    def test_edges(self):
        for edges, names in (("whole", {"outer", "middle"}), ("drop", set())):
            out = self.folder / (edges + ".json")
            part = ["--from", "26us", "--to", "50us", "--edges", edges]
            self.convert(self.sample(), *part, "-o", out)
            slices = {e["name"] for e in self.events(out) if e["ph"] in "BX"}
            self.assertEqual(slices, names)
            self.assertFalse(any("cut" in event for event in self.events(out)))

    def test_cut_twice_is_cut_once(self):
        for more in ([], ["--rewrite"]):
            once, first, twice = (self.folder / (n + ".json") for n in ("once", "first", "twice"))
            self.convert(self.sample(), "--from", "15us", "--to", "40us", *more, "-o", once, "--force")
            self.convert(self.sample(), "--from", "5us", "--to", "60us", *more, "-o", first, "--force")
            self.convert(first, "--from", "15us", "--to", "40us", *more, "-o", twice, "--force")
            self.assertEqual(printed("tree", once), printed("tree", twice))
            whole = [e["cut"] for e in self.events(twice) if e["name"] == "outer"]
            self.assertEqual(whole, [{"ts": 0, "dur": 100}])

    def test_self_times_of_two_parts_add_up(self):
        parts = [self.folder / "1.json", self.folder / "2.json"]
        self.convert(self.sample(), "--from", "0", "--to", "22us", "-o", parts[0])
        self.convert(self.sample(), "--from", "22us", "--to", "95us", "-o", parts[1])
        whole = self.folder / "whole.json"
        self.convert(self.sample(), "--from", "0", "--to", "95us", "-o", whole)

        def self_times(path):
            rows = json.loads(printed("stats", path, "--json"))["names"]
            return {row["name"]: row["self"] for row in rows}
        added = {}
        for part in parts:
            for name, time in self_times(part).items():
                added[name] = added.get(name, 0) + time
        self.assertEqual(added, self_times(whole))

    def test_times_from_the_begin_keep_the_clock(self):
        out = self.folder / "b.json"
        self.convert(self.sample(), "--from", "10us", "--to", "50us", "--zero", "-o", out)
        self.assertEqual(min(e["ts"] for e in self.events(out) if "ts" in e), 0)
        plain = self.folder / "c.json"
        self.convert(self.sample(), "--from", "10us", "--to", "50us", "-o", plain)
        self.assertEqual(printed("tree", out), printed("tree", plain))

    def profile(self, **more):
        """A profile from 100 us on in two chunks: samples at 110, 120, ... 160 us."""
        def chunk(ts, nodes, samples, deltas, lines, **data):
            nodes = [{"id": i, "parent": parent, "callFrame": {"functionName": name}}
                     for i, parent, name in nodes]
            return {"ph": "P", "name": "ProfileChunk", "id": "0x1", "pid": 1, "tid": 5, "ts": ts,
                    "args": {"data": {"cpuProfile": {"nodes": nodes, "samples": samples},
                                      "lines": lines, "timeDeltas": deltas, **data}}}
        # No calls: then statistics are those of samples.
        events = [{"ph": "i", "name": name, "ts": 150, "pid": 1, "tid": tid, "s": "t"}
                  for name, tid in (("f", 1), ("g", 2))]
        events += [
                  {"ph": "P", "name": "Profile", "id": "0x1", "pid": 1, "tid": 1, "ts": 101,
                   "args": {"data": {"startTime": 100}}},
                  chunk(135, [(1, 0, "(root)"), (2, 1, "main"), (3, 2, "a")], [2, 3, 2],
                        [10, 10, 10], [7, 8, 9]),
                  chunk(300, [(4, 2, "b")], [3, 4, 2], [10, 10, 10], [10, 11, 12], **more)]
        return self.write("p.json", events)

    def chunks(self, path):
        return [e["args"]["data"] for e in self.events(path) if e["name"] == "ProfileChunk"]

    def test_a_part_of_a_profile_has_the_samples_inside(self):
        out = self.folder / "b.json"
        self.convert(self.profile(), "--from", "145us", "--to", "155us", "-o", out)
        first, second = self.chunks(out)
        self.assertEqual((first["cpuProfile"]["samples"], first["timeDeltas"], first["lines"]), ([], [], []))
        self.assertEqual([node["id"] for node in first["cpuProfile"]["nodes"]], [1, 2, 3])
        # That of 140 us runs at the begin.
        self.assertEqual(second["cpuProfile"]["samples"], [3, 4])
        self.assertEqual((second["timeDeltas"], second["lines"], second["endTime"]), ([45, 5], [10, 11], 155))
        self.assertEqual(facts(out)["samples"], 2)
        self.assertEqual(span(out), (145000, 155000))
        times = {row["name"]: (row["total"], row["self"]) for row in rows(out)}
        self.assertEqual(times, {"main": (10000, 0), "a": (5000, 5000), "b": (5000, 5000)})

    def test_samples_inside_keep_their_times_and_bytes(self):
        out = self.folder / "b.json"
        self.convert(self.profile(), "--from", "120us", "-o", out)
        first, second = self.chunks(out)
        self.assertEqual((first["cpuProfile"]["samples"], first["timeDeltas"]), ([3, 2], [20, 10]))
        self.assertEqual(second, self.chunks(self.profile())[1])
        # An end behind the range would make the last sample last.
        self.convert(self.profile(endTime=170), "--from", "110us", "--to", "165us", "-o", out, "--force")
        self.assertEqual(self.chunks(out)[1]["endTime"], 165)
        self.convert(self.profile(endTime=170), "--from", "110us", "-o", out, "--force")
        self.assertEqual(self.events(out), self.events(self.profile(endTime=170)))
        self.convert(self.profile(), "-o", out, "--force")
        self.assertEqual(out.read_bytes(), self.profile().read_bytes())

    def test_a_profile_cut_twice_or_moved_says_the_same(self):
        once, first, twice, zero = (self.folder / (n + ".json") for n in ("once", "first", "twice", "zero"))
        part = ["--from", "125us", "--to", "152us"]
        self.convert(self.profile(), *part, "-o", once)
        self.convert(self.profile(), "--from", "115us", "--to", "158us", "-o", first)
        self.convert(first, *part, "-o", twice)
        self.convert(self.profile(), *part, "--zero", "-o", zero)
        self.assertEqual(next(e for e in self.events(zero) if e["name"] == "Profile")
                         ["args"]["data"]["startTime"], -25)
        for other in (twice, zero):
            self.assertEqual(printed("tree", other), printed("tree", once))
            self.assertEqual(rows(other), rows(once))
            self.assertEqual((span(other), facts(other)["samples"]), ((125000, 152000), 4))

    def test_profiles_of_threads_that_are_not_written(self):
        out = self.folder / "b.json"
        self.convert(self.profile(), "--thread", "1/2", "-o", out)
        self.assertEqual([e["name"] for e in self.events(out)], ["g"])
        self.convert(self.profile(), "--thread", "1/1", "-o", out, "--force")
        self.assertEqual(len(self.chunks(out)), 2)
        self.assertEqual(facts(out)["samples"], 6)

    def test_samples_of_the_container(self):
        samples = [{"tid": 1, "ts": ts, "sf": "1", "name": "s"} for ts in (10, 20, 30)]
        source = self.write("s.json", [{"ph": "X", "name": "f", "ts": 0, "dur": 50, "pid": 1, "tid": 1}],
                            stackFrames={"1": {"name": "main"}}, samples=samples)
        for more, times in (([], [20]), (["--zero"], [5])):
            out = self.folder / "b.json"
            self.convert(source, "--from", "15us", "--to", "25us", *more, "-o", out, "--force")
            self.assertEqual([s["ts"] for s in json.loads(out.read_text())["samples"]], times)
            self.assertEqual((facts(out)["begin"], facts(out)["end"]), (15000, 25000))

    def test_outputs_are_not_overwritten(self):
        source, out = self.sample(), self.folder / "b.json"
        out.write_text("mine")
        self.assertIn("exists", self.convert(source, "-o", out, status=1))
        self.assertEqual(out.read_text(), "mine")
        link = self.folder / "link.json"
        link.symlink_to(source)
        before = source.read_bytes()
        for target in (source, link):
            self.assertIn("what is read", self.convert(source, "-o", target, "--force", status=1))
        self.assertEqual(source.read_bytes(), before)
        self.convert(source, "-o", out, "--force")
        self.assertEqual(out.read_bytes(), before)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.json", "b.json", "link.json"])

    def test_statuses(self):
        source, out = self.sample(), self.folder / "b.json"
        self.convert(source, "-o", self.folder / "b.unknown", status=2)
        self.convert(source, "--edges", "torn", "-o", out, status=2)
        self.convert(source, "-o", self.folder / "none" / "b.json", status=1)
        said = self.convert(source, "--from", "3s", "--to", "4s", "-o", out, status=1)
        self.assertFalse(out.exists(), said)

    def test_nothing_in_the_range(self):
        source = self.write("g.json", [{"ph": "X", "name": "f", "ts": t, "dur": 1, "pid": 1, "tid": 1}
                                       for t in (0, 100)])
        out = self.folder / "b.json"
        said = self.convert(source, "--from", "10us", "--to", "50us", "-o", out, status=1)
        self.assertIn("Nothing lies in this range", said)
        self.assertFalse(out.exists())

    def test_a_trace_of_which_the_form_holds_nothing(self):
        marks = self.write("marks.json", [{"ph": "i", "name": "tick", "ts": 3, "pid": 1, "tid": 2}])
        out = self.folder / "marks.spall"
        said = self.convert(marks, "-o", out, status=1)
        self.assertEqual(said, "There is nothing in this trace that spall can hold.\n")
        self.assertFalse(out.exists())

    def test_a_thread_stream_for_each_process(self):
        two = self.write("two.json", [{"ph": "X", "name": f"of {pid}", "ts": pid, "dur": 5, "pid": pid,
                                       "tid": 1} for pid in (1, 2)])
        out = self.folder / "one.tsd"
        self.assertIn("holds one process", self.convert(two, "-o", out, status=2))
        self.assertFalse(out.exists())
        for folder in ("with", "without/"):
            said = self.convert(two, "--format", "tsd", "-o", f"{self.folder}/{folder}")
            self.assertIn("2 slices written.", said)
            self.assertNotIn("Not in :", said)
            self.assertEqual(len(list((self.folder / folder).glob("*.tsd"))), 2)

    def test_strict_writes_nothing_where_something_is_lost(self):
        events = [{"ph": "X", "name": "f", "ts": 0, "dur": 50, "pid": 1, "tid": 1},
                  {"ph": "s", "name": "x", "cat": "c", "id": 1, "ts": 5, "pid": 1, "tid": 1},
                  {"ph": "f", "name": "x", "cat": "c", "id": 1, "ts": 45, "pid": 1, "tid": 1, "bp": "e"}]
        source, out, report = self.write("f.json", events), self.folder / "b.json", self.folder / "r.json"
        part = ["--from", "0", "--to", "20us", "--report", report]
        self.convert(source, *part, "--strict", "-o", out, status=3)
        self.assertFalse(out.exists())
        self.convert(source, *part, "--force", "-o", out)
        said = json.loads(report.read_text())
        self.assertEqual(said["written"]["slices"], 1)
        self.assertEqual([(e["kind"], e["count"]) for e in said["lost"]], [("flow_ends", 1)])
        self.assertEqual(said["cut_slices"], 1)

    def test_an_arrow_between_no_slices_is_said_to_be_lost(self):
        events = [{"ph": "X", "name": "a", "ts": 0, "dur": 1, "pid": 1, "tid": 1},
                  {"ph": "X", "name": "f", "ts": 100, "dur": 50, "pid": 1, "tid": 1},
                  {"ph": "s", "name": "x", "cat": "c", "id": 1, "ts": 5, "pid": 1, "tid": 1},
                  {"ph": "f", "name": "x", "cat": "c", "id": 1, "ts": 45, "pid": 1, "tid": 1, "bp": "e"}]
        source, out, report = self.write("f.json", events), self.folder / "b.tsd", self.folder / "r.json"
        self.assertEqual(json.loads(printed("info", source, "--json"))["flows"], 1)
        self.convert(source, "--report", report, "-o", out)
        self.assertEqual([(e["kind"], e["count"]) for e in json.loads(report.read_text())["lost"]], [("flow_ends", 1)])

    def test_arrows_that_end_beyond_the_calls_are_counted_in_a_part_that_reaches_there(self):
        def arrow(number, begin, end):
            point = {"name": "x", "cat": "c", "id": number, "pid": 1, "tid": 1}
            return [{"ph": "s", "ts": begin, **point}, {"ph": "f", "bp": "e", "ts": end, **point}]
        events = [{"ph": "X", "name": "a", "ts": 10, "dur": 10, "pid": 1, "tid": 1},
                  {"ph": "X", "name": "b", "ts": 30, "dur": 10, "pid": 1, "tid": 1}]
        for number, (begin, end) in enumerate([(1, 15), (16, 35), (36, 50), (60, 65), (2, 3), (4, 70)]):
            events += arrow(number, begin, end)
        source, report = self.write("f.json", sorted(events, key=lambda event: event["ts"])), self.folder / "r.json"
        lost = {}
        for name, part in (("all", ["--rewrite"]), ("copied", ["--from", "+0", "--to", "+30us"]),
                           ("rewritten", ["--rewrite", "--from", "+0", "--to", "+30us"]), ("thread", ["--thread", "1"]),
                           ("before", ["--from", "+0", "--to", "+15us"]), ("inside", ["--from", "+15us", "--to", "+25us"])):
            self.convert(source, *part, "--force", "--report", report, "-o", self.folder / "b.json")
            lost[name] = [(each["kind"], each["count"]) for each in json.loads(report.read_text())["lost"]]
        # Five of six arrows have an end that no call holds. Of a part that ends between both calls those three that
        # end before the first one count, and what leads out of it; of one between both nothing.
        self.assertEqual(lost, {"all": [("flow_ends", 5)], "copied": [("flow_ends", 5)], "rewritten": [("flow_ends", 5)],
                                "thread": [("flow_ends", 5)], "before": [("flow_ends", 4)], "inside": []})

    def test_packed_and_to_standard_output(self):
        source = self.sample()
        self.convert(source, "-o", self.folder / "b.json.gz")
        self.assertEqual(gzip.decompress((self.folder / "b.json.gz").read_bytes()), source.read_bytes())
        self.convert(source, "-o", self.folder / "b.json.zst")
        self.assertEqual(printed("tree", self.folder / "b.json.zst"), printed("tree", source))
        done = run("convert", source, "--format", "json", "-o", "-")
        self.assertEqual((done.returncode, done.stdout), (0, source.read_bytes()))

    def test_several_files_on_one_timeline(self):
        one = self.write("1.json", [{"ph": "X", "name": "f", "ts": 0, "dur": 5, "pid": 1, "tid": 1}])
        two = self.write("2.json", [{"ph": "X", "name": "g", "ts": 0, "dur": 5, "pid": 2, "tid": 1}])
        out = self.folder / "b.json"
        self.convert(one, f"{two}@+10us", "-o", out)
        self.assertEqual({e["name"]: e["ts"] for e in self.events(out) if e["ph"] == "X"},
                         {"f": 0, "g": 10})

    def test_names(self):
        source = self.write("n.json", [
            {"ph": "X", "name": name, "ts": 10 * i, "dur": 5, "pid": 1, "tid": 1, "args": {"a": name}}
            for i, name in enumerate(["app::draw", "app::draw", "app::load", "kept"])])
        out = self.folder / "b.json"
        self.convert(source, "--anonymous", "--keep-names", "kept", "-o", out)
        self.assertEqual([e["name"] for e in self.events(out) if e["ph"] == "X"],
                         ["n1::n2", "n1::n2", "n1::n3", "kept"])
        self.assertNotIn("args", out.read_text().replace('"ph":"M"', ""))
        self.assertEqual((self.folder / "b.json.names.tsv").read_text(), "n1\tapp\nn2\tdraw\nn3\tload\n")
        self.convert(source, "--rename", "app::(.*)=\\1", "--only-names", "draw", "-o", out, "--force")
        self.assertEqual([e["name"] for e in self.events(out) if e["ph"] == "X"], ["draw", "draw"])

    def test_split(self):
        events = [{"ph": "X", "name": f"call {i}", "ts": i, "dur": 1, "pid": 1, "tid": 1}
                  for i in range(20000)]
        source = self.write("s.json", events)
        self.convert(source, "--split", "400KB", "-o", self.folder / "b.json")
        parts = sorted(self.folder.glob("b.*.json"))
        self.assertGreater(len(parts), 2)
        self.assertEqual(parts[0].name, "b.001.json")
        total = sum(facts(part)["slices"]["total"] for part in parts)
        # A call at a border is in both, cut.
        self.assertLess(total - len(events), len(parts))
        self.assertGreaterEqual(total, len(events))

    def test_what_is_cancelled_leaves_nothing(self):
        events = [{"ph": "X", "name": f"call {i}", "ts": i, "dur": 1, "pid": 1, "tid": 1}
                  for i in range(100000)]
        source = self.write("k.json", events)
        # Standard output blocks until somebody reads, so the signal meets the writing.
        child = subprocess.Popen([BINARY, "convert", source, "--rewrite", "--format", "json", "-o", "-"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.read(1)
        child.send_signal(signal.SIGTERM)
        _, said = child.communicate(timeout=60)
        self.assertEqual((child.returncode, said), (1, b"Writing was cancelled.\n"))

    def test_kill_leaves_no_half_file(self):
        events = [{"ph": "X", "name": f"call {i}", "ts": i, "dur": 1, "pid": 1, "tid": 1}
                  for i in range(200000)]
        source, out = self.write("k.json", events), self.folder / "b.json"
        for moment in range(10):
            child = subprocess.Popen([BINARY, "convert", source, "--rewrite", "-o", out],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(0.02 + moment * 0.04)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            if out.exists():
                self.assertEqual(facts(out)["slices"]["total"], len(events))
                out.unlink()


def rows(path):
    names = json.loads(printed("stats", path, "--json", "--names", "0"))["names"]
    return sorted(names, key=lambda row: row["name"])


def span(path):
    """The range of the samples."""
    said = json.loads(printed("stats", path, "--json", "--names", "0"))
    return said["begin"], said["end"]


def same_facts(test, first, second):
    for key in set(first) - OWN:
        test.assertEqual(first[key], second.get(key), key)


class RoundTrips(unittest.TestCase):
    """Each golden input -> JSON -> JSON."""

    def trip(self, path):
        with tempfile.TemporaryDirectory(prefix="convert_test") as folder:
            first, second = os.path.join(folder, "1.json"), os.path.join(folder, "2.json")
            before = run("info", path, "--json", "--names", "0")
            done = run("convert", path, "-o", first)
            if before.returncode != 0 or done.returncode != 0:
                self.assertFalse(os.path.exists(first))
                return
            self.assertEqual(run("convert", first, "-o", second).returncode, 0)
            with open(first, "rb") as a, open(second, "rb") as b:
                self.assertEqual(a.read(), b.read())
            was, now = json.loads(before.stdout), facts(first)
            if "traces" in was:
                return
            if was["format"] == "google_json":
                same_facts(self, was, now)
                return
            lost = done.stderr.decode()
            samples = was.get("samples", 0)
            if not samples:
                self.assertEqual(was["slices"], now["slices"], lost)
                self.assertEqual(rows(path), rows(first), lost)
            self.assertEqual(was["axis"], now["axis"])


def add_trips():
    for path in sorted(GOLDEN.glob("*/*/input*")):
        name = "test_" + "_".join(path.relative_to(GOLDEN).parts[:-1]).replace("-", "_")
        setattr(RoundTrips, name, lambda self, path=path: self.trip(path))


add_trips()
if __name__ == "__main__":
    unittest.main()
