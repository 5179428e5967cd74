#!/usr/bin/env python3
"""`cinderscope pack`: sessions and their traces in one file, opened again from within it, and packs
that were damaged or made to do harm.

    pack_test.py BINARY GOLDEN_FOLDER"""
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

BINARY = os.path.abspath(sys.argv.pop(1))
GOLDEN = pathlib.Path(sys.argv.pop(1))


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=100,
                          stdin=subprocess.DEVNULL, **options)


def events(count=400, shift_us=0):
    names = [{"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": name}}
             for tid, name in ((1, "main"), (2, "worker"))]
    return names + [{"ph": "X", "pid": 1, "tid": 1 + i % 2, "ts": shift_us + 1000 * i, "dur": 700,
                     "name": f"step {i % 7}", "args": {"number": i}} for i in range(count)]


def calls_of(*arguments):
    """What `stats` counts of a trace, without what depends on where it lies."""
    done = run("stats", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    return facts["names"] if "names" in facts else facts["functions"]


class Pack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pack_test")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, made):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made), encoding="utf-8")
        return path

    def test_links_in_a_folder_are_packed_as_what_they_lead_to(self):
        folder = self.folder / "dump"
        shutil.copytree(GOLDEN / "qubership/dump/input", folder)
        files = sorted(each for each in folder.rglob("*") if each.is_file())
        # One of its files lies elsewhere in it, and is linked to.
        hidden = folder / "kept.bin"
        files[0].rename(hidden)
        files[0].symlink_to(os.path.relpath(hidden, files[0].parent))
        (folder / "outside").symlink_to("/etc/hostname")
        (folder / "round").symlink_to(".")
        before = calls_of(folder)
        out = self.folder / "dump.cinderpack"
        done = run("pack", folder, "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"a link to a folder or to what lies elsewhere", done.stderr)
        with zipfile.ZipFile(out) as archive:
            names = [each for each in archive.namelist() if each.startswith("traces/")]
        inner = names[0].split("/")[1]
        self.assertIn(f"traces/{inner}/{files[0].relative_to(folder)}", names)
        self.assertFalse([each for each in names if "outside" in each or "round" in each])
        self.assertEqual(calls_of(out / "traces" / inner), before)
        facts = json.loads(run("session", out, "--json").stdout)
        self.assertEqual(facts["traces"][0]["location"], "found")
        strict = run("pack", folder, "-o", self.folder / "strict.cinderpack", "--strict")
        self.assertEqual(strict.returncode, 3)

    def test_what_is_read_through_a_pack_is_not_replaced(self):
        trace = self.write("a.json", events())
        self.assertEqual(run("pack", trace, "-o", self.folder / "a.cinderpack", "--no-compress").returncode, 0)
        before = (self.folder / "a.cinderpack").read_bytes()
        trace.unlink()
        inner = self.folder / "a.cinderpack/traces/a.json"
        done = run("pack", inner, "-o", self.folder / "a.cinderpack", "--force")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual((self.folder / "a.cinderpack").read_bytes(), before)

    def test_a_pack_is_converted_and_drawn(self):
        trace = self.write("a.json", events())
        self.assertEqual(run("pack", trace, "-o", self.folder / "a.cinderpack").returncode, 0)
        for command, out in (("convert", "out.json"), ("picture", "out.svg")):
            done = run(command, self.folder / "a.cinderpack", "-o", self.folder / out)
            self.assertEqual(done.returncode, 0, done.stderr)

    def session(self, traces, tabs=None, name="night.cinder", **members):
        listed = [{"id": f"t{i + 1}", "path": path, **more} for i, (path, more) in enumerate(traces)]
        tabs = tabs or [{"kind": "trace", "traces": [{"trace": each["id"]}]} for each in listed]
        return self.write(name, {"cinderscope_session": 1, "title": "Night", **members,
                                 "traces": listed, "tabs": tabs, "active": 0})

    def pack(self, *arguments, status=0):
        done = run("pack", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode()

    def packed_session(self, path):
        with zipfile.ZipFile(path) as archive:
            return json.loads(archive.read("session.cinder"))

    def told(self, path, status):
        done = run("session", path, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout), done.stderr.decode()

    def test_session_and_traces_are_in_it(self):
        self.write("x/page.json", events())
        self.write("y/page.json", events(50, 7))
        (self.folder / "z.json.gz").write_bytes(gzip.compress(json.dumps(events(30)).encode()))
        session = self.session([("x/page.json", {}), ("y/page.json", {}), ("z.json.gz", {})])
        out = self.folder / "night.cinderpack"
        self.assertIn("Packed 3 traces in night.cinderpack", self.pack(session, "-o", out))
        with zipfile.ZipFile(out) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(),
                             ["session.cinder", "traces/page.json.zst", "traces/page-2.json.zst",
                              "traces/z.json.gz", "README.txt"])
            for entry in archive.infolist():
                self.assertEqual(entry.date_time[:3], (1980, 1, 1))
                self.assertEqual(entry.compress_type, zipfile.ZIP_STORED)
            self.assertEqual(archive.read("README.txt").count(b"\n"), 4)
            inner = archive.read("traces/page.json.zst")
        listed = self.packed_session(out)["traces"]
        self.assertEqual([each["path"] for each in listed],
                         ["traces/page.json.zst", "traces/page-2.json.zst", "traces/z.json.gz"])
        self.assertEqual(listed[0]["size"], len(inner))
        self.assertEqual(listed[0]["head"], "sha256:" + hashlib.sha256(inner[:65536]).hexdigest())
        self.assertEqual(listed[0]["tail"], "sha256:" + hashlib.sha256(inner[-65536:]).hexdigest())
        if shutil.which("unzip"):
            subprocess.run(["unzip", "-tq", out], check=True, stdout=subprocess.DEVNULL)
        if shutil.which("zstd"):
            plain = subprocess.run(["zstd", "-dc"], input=inner, check=True, stdout=subprocess.PIPE).stdout
            self.assertEqual(plain, (self.folder / "x/page.json").read_bytes())
            subprocess.run(["zstd", "-tq"], input=inner, check=True)
        facts, said = self.told(out, 0)
        self.assertEqual([each["location"] for each in facts["traces"]], ["found"] * 3)
        self.assertEqual(said, "")

    def test_made_twice_it_has_the_same_bytes(self):
        self.write("a.json", events(5000))
        session = self.session([("a.json", {})])
        first, second = self.folder / "1.cinderpack", self.folder / "2.cinderpack"
        self.pack(session, "-o", first, "--jobs", "1")
        self.pack(session, "-o", second, "--jobs", "4")
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_traces_are_read_out_of_it(self):
        self.write("a.json", events())
        self.write("b.json", events(40))
        for more in ([], ["--no-compress"]):
            out = self.folder / "two.cinderpack"
            self.pack(self.folder / "a.json", self.folder / "b.json", "-o", out, "--force", *more)
            moved = self.folder / "else" / "two.cinderpack"
            moved.parent.mkdir(exist_ok=True)
            shutil.move(out, moved)
            done = run("info", moved, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            ending = "" if more else ".zst"
            self.assertEqual(calls_of(moved / ("traces/a.json" + ending)), calls_of(self.folder / "a.json"))
            self.assertEqual(run("session", moved).returncode, 0)

    def test_a_range_has_the_same_statistics(self):
        self.write("a.json", events(20000))
        tab = {"kind": "trace", "traces": [{"trace": "t1"}], "view": [0, 5_000_000],
               "range": [1_000_000_000, 1_100_000_000],
               "bookmarks": [{"time": 1_050_000_000, "view": [0, 9], "note": "in"},
                             {"time": 5, "view": [0, 9], "note": "out"}]}
        session = self.session([("a.json", {})], [tab])
        whole, part = self.folder / "whole.cinderpack", self.folder / "part.cinderpack"
        self.pack(session, "-o", whole)
        said = self.pack(session, "-o", part, "--from", "1s", "--to", "1.1s")
        self.assertIn("Left out, as outside of the part: 1 view, 1 bookmark.", said)
        self.assertLess(part.stat().st_size * 8, whole.stat().st_size)
        os.remove(self.folder / "a.json")
        of_part = calls_of(part / "traces/a.json.zst")
        of_whole = calls_of(whole / "traces/a.json.zst", "--from", "1s", "--to", "1.1s")
        for each in of_part + of_whole:
            each.pop("share", None)  # of the time that the trace lasts
        self.assertEqual(of_part, of_whole)
        kept = self.packed_session(part)["tabs"][0]
        self.assertIsNone(kept["view"])
        self.assertEqual([mark["note"] for mark in kept["bookmarks"]], ["in"])
        self.assertEqual(self.told(part, 0)[0]["traces"][0]["location"], "found")

    def test_the_selected_range_and_the_view_of_each_tab(self):
        self.write("a.json", events(4000))
        self.write("b.json", events(1000))
        tabs = [{"kind": "trace", "traces": [{"trace": "t1"}], "view": [0, 50_000_000],
                 "range": [10_000_000, 20_000_000]},
                {"kind": "trace", "traces": [{"trace": "t2"}]}]
        session = self.session([("a.json", {}), ("b.json", {})], tabs)
        out = self.folder / "n.cinderpack"
        said = self.pack(session, "-o", out, "--part", "selected")
        self.assertIn("b.json is packed as a whole: no range is selected in it.", said)
        self.assertEqual(sum(each["count"] for each in calls_of(out / "traces/a.json.zst")), 10)
        self.pack(session, "-o", out, "--force", "--part", "view")
        self.assertEqual(sum(each["count"] for each in calls_of(out / "traces/a.json.zst")), 50)
        self.pack(session, "-o", out, "--force", "--part", "view", "--from", "1s", status=2)

    def test_threads_and_names(self):
        self.write("secret.json", events(100))
        tab = {"kind": "trace", "traces": [{"trace": "t1"}], "search": {"text": "step 3"},
               "bookmarks": [{"time": 5, "view": [0, 9], "note": "secret note"}],
               "threads": {"pinned": [["thread", "1", "1", "main", 0]]}, "later": "secret"}
        session = self.session([("secret.json", {})], [tab], note="secret", later={"of": "secret"})
        out = self.folder / "n.cinderpack"
        self.pack(session, "-o", out, "--thread", "worker")
        self.assertEqual(sum(each["count"] for each in calls_of(out / "traces/secret.json.zst")), 50)
        self.pack(session, "-o", out, "--force", "--anonymous", "--no-compress")
        for word in (b"secret", b"step", b"worker", b"number"):
            self.assertNotIn(word, out.read_bytes())
        self.assertEqual(sum(each["count"] for each in calls_of(out / "traces/trace-1.json")), 100)

    def test_companions_go_along(self):
        shutil.copytree(GOLDEN / "flow" / "example" / "input", self.folder / "flow")
        traces = [path for path in (self.folder / "flow").iterdir() if path.suffix == ".flow"]
        self.assertTrue(traces)
        trace = traces[0]
        beside = self.folder / "flow" / "ids.properties"
        self.assertTrue(beside.exists())
        out = self.folder / "n.cinderpack"
        self.pack(trace, "-o", out)
        with zipfile.ZipFile(out) as archive:
            self.assertIn("traces/ids.properties", archive.namelist())
        self.assertEqual(calls_of(out / "traces" / (trace.name + ".zst")), calls_of(trace))
        # Two with companions of equal names: each with its own.
        shutil.copytree(self.folder / "flow", self.folder / "other")
        self.pack(trace, self.folder / "other" / trace.name, "-o", out, "--force")
        with zipfile.ZipFile(out) as archive:
            self.assertIn("traces/2/ids.properties", archive.namelist())
        self.assertEqual(calls_of(out / "traces/2" / (trace.name + ".zst")), calls_of(trace))

    def test_an_index_goes_along(self):
        shutil.copy(GOLDEN / "lincheck" / "recorded_stream" / "input.trace", self.folder)
        shutil.copy(GOLDEN / "lincheck" / "recorded_stream" / "index.idx", self.folder / "input.trace.idx")
        out = self.folder / "n.cinderpack"
        self.pack(self.folder / "input.trace", "-o", out)
        with zipfile.ZipFile(out) as archive:
            self.assertIn("traces/input.trace.idx", archive.namelist())

    def test_what_lies_around_a_stream_goes_along(self):
        shutil.copytree(GOLDEN / "qubership" / "dump" / "input", self.folder / "dump")
        stream = self.folder / "dump" / "trace"
        self.assertTrue(stream.is_dir())
        out = self.folder / "n.cinderpack"
        self.pack(stream, "-o", out)
        self.assertEqual(self.packed_session(out)["traces"][0]["path"], "traces/dump/trace")
        self.assertEqual(calls_of(out / "traces/dump/trace"), calls_of(stream))

    def test_what_is_no_trace_is_said(self):
        self.folder.joinpath("notes.txt").write_text("These are notes and no trace.\n" * 9, encoding="utf-8")
        self.pack(self.folder / "notes.txt", "-o", self.folder / "n.cinderpack", "--strict", status=3)

    def test_a_folder_stays_one(self):
        shutil.copytree(GOLDEN / "flow" / "folder" / "input", self.folder / "run")
        source = self.folder / "run"
        out = self.folder / "n.cinderpack"
        session = self.session([("run", {})])
        self.pack(session, "-o", out)
        with zipfile.ZipFile(out) as archive:
            self.assertTrue(any(name.startswith("traces/run/") for name in archive.namelist()))
        facts, _ = self.told(out, 0)
        self.assertEqual(facts["traces"][0]["location"], "found")
        self.assertEqual(calls_of(out / "traces/run"), calls_of(source))

    def test_what_is_missing_is_said(self):
        self.write("a.json", events())
        session = self.session([("a.json", {}), ("gone.json", {})])
        out = self.folder / "n.cinderpack"
        self.assertIn("gone.json was not found.", self.pack(session, "-o", out, "--strict", status=3))
        self.assertFalse(out.exists())
        self.assertIn("gone.json was not found.", self.pack(session, "-o", out))
        packed = self.packed_session(out)
        self.assertEqual(len(packed["traces"]), 1)
        self.assertEqual(len(packed["tabs"]), 1)
        os.remove(self.folder / "a.json")
        self.pack(session, "-o", out, "--force", status=1)
        self.pack(self.folder / "nothing.json", "-o", self.folder / "m.cinderpack", status=1)
        self.pack("-", "-o", self.folder / "m.cinderpack", status=1)

    def test_nothing_is_overwritten_unasked(self):
        trace = self.write("a.json", events())
        out = self.folder / "n.cinderpack"
        out.write_bytes(b"mine")
        self.assertIn("--force", self.pack(trace, "-o", out, status=1))
        self.assertEqual(out.read_bytes(), b"mine")
        self.assertIn("is what is read", self.pack(trace, "-o", trace, "--force", status=1))
        self.pack(trace, "-o", out, "--force")
        self.assertIn("is what is read", self.pack(out, "-o", out, "--force", status=1))

    def test_a_pack_of_a_pack_has_the_same_content(self):
        self.write("a.json", events(300))
        session = self.session([("a.json", {})], note="n", unknown={"of": ["a", "newer", "version"]})
        first, again = self.folder / "1.cinderpack", self.folder / "2.cinderpack"
        self.pack(session, "-o", first)
        self.pack(first, "-o", again)
        with zipfile.ZipFile(first) as one, zipfile.ZipFile(again) as other:
            self.assertEqual(one.namelist(), other.namelist())
            for name in one.namelist():
                self.assertEqual(one.read(name), other.read(name), name)
        self.assertEqual(self.packed_session(first)["unknown"], {"of": ["a", "newer", "version"]})

    def test_bytes_of_an_old_path_are_forgotten(self):
        self.write("a.json", events())
        session = self.session([("a.json", {"path_bytes": "YS5qc29u", "more": 1})])  # a.json
        out = self.folder / "n.cinderpack"
        self.pack(session, "-o", out)
        listed = self.packed_session(out)["traces"][0]
        self.assertNotIn("path_bytes", listed)
        self.assertEqual(listed["more"], 1)
        self.assertEqual(self.told(out, 0)[0]["traces"][0]["location"], "found")

    def test_cancelled_it_leaves_nothing(self):
        trace = self.folder / "large.json"
        with open(trace, "w", encoding="utf-8") as file:
            file.write("[")
            line = json.dumps(events(2000))[1:-1]
            for i in range(150):
                file.write((",\n" if i else "") + line)
            file.write("]")
        out = self.folder / "out" / "n.cinderpack"
        out.parent.mkdir()
        with subprocess.Popen([BINARY, "pack", trace, "-o", out, "--jobs", "1"], stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as running:
            while running.poll() is None and not list(out.parent.iterdir()):
                time.sleep(0.001)
            running.send_signal(signal.SIGINT)
            said = running.stderr.read()
        if running.returncode != 0:  # else it was faster
            self.assertEqual((running.returncode, said), (1, b"Packing was cancelled.\n"))
            self.assertEqual(list(out.parent.iterdir()), [])

    # -- packs that others made, or that were damaged

    def foreign(self, name="foreign.zip", method=zipfile.ZIP_DEFLATED, extra=()):
        plain = json.dumps(events(500)).encode()
        path = self.folder / name
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("notes/readme.md", "hello")
            archive.writestr("traces/a.json", plain)
            for entry, content in extra:
                archive.writestr(entry, content)
            archive.writestr("session.cinder", json.dumps(
                {"cinderscope_session": 1, "traces": [
                    {"id": "t1", "path": "traces/a.json", "size": len(plain),
                     "head": "sha256:" + hashlib.sha256(plain[:65536]).hexdigest(),
                     "tail": "sha256:" + hashlib.sha256(plain[-65536:]).hexdigest()}],
                 "tabs": [{"kind": "trace", "traces": [{"trace": "t1"}]}]}))
        return path

    def test_an_archive_made_by_hand_works_the_same(self):
        plain = self.write("plain.json", events(500))
        for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            path = self.foreign(method=method)
            facts, said = self.told(path, 0)
            self.assertEqual((facts["traces"][0]["location"], said), ("found", ""))
            self.assertEqual(calls_of(path / "traces/a.json"), calls_of(plain))
            again = self.folder / "again.cinderpack"
            self.pack(path, "-o", again, "--force")
            self.assertEqual(calls_of(again / "traces/a.json.zst"), calls_of(plain))

    def test_a_cut_pack_opens_what_is_whole(self):
        self.write("a.json", events())
        self.write("b.json", events(3000))
        whole = self.folder / "n.cinderpack"
        self.pack(self.folder / "a.json", self.folder / "b.json", "-o", whole)
        with zipfile.ZipFile(whole) as archive:
            cut_at = archive.getinfo("traces/b.json.zst").header_offset + 2000
        cut = self.folder / "cut.cinderpack"
        cut.write_bytes(whole.read_bytes()[:cut_at])
        facts, said = self.told(cut, 3)
        self.assertEqual(facts["traces"][0]["location"], "found")
        self.assertIn('"traces/b.json.zst" is cut short.', said)
        self.assertEqual(calls_of(cut / "traces/a.json.zst"), calls_of(self.folder / "a.json"))

    def test_cut_anywhere_it_is_a_sentence(self):
        self.write("a.json", events(20))
        whole = self.folder / "n.cinderpack"
        self.pack(self.folder / "a.json", "-o", whole)
        data = whole.read_bytes()
        broken = self.folder / "broken.cinderpack"
        for i in range(0, len(data), max(1, len(data) // 60)):
            broken.write_bytes(data[:i])
            self.assertIn(run("session", broken).returncode, (0, 1, 3), i)
            mixed = bytearray(data)
            mixed[i] ^= 0xff
            mixed[-i - 1] ^= 0x55
            broken.write_bytes(mixed)
            self.assertIn(run("info", broken).returncode, (0, 1), i)

    def test_harm_is_refused_by_name(self):
        outside = self.folder.parent / "evil_pack_test.json"
        path = self.foreign(extra=[("../evil_pack_test.json", "x"), ("/etc/evil", "x"), ("bomb", b"\0" * (64 << 20))])
        facts, said = self.told(path, 0)
        self.assertEqual(facts["traces"][0]["location"], "found")
        self.assertIn('"../evil_pack_test.json" is a name that leads outside of the archive.', said)
        self.assertIn('"/etc/evil" is a name that leads outside of the archive.', said)
        self.assertIn('"bomb" would unpack to more than 1000 times its size.', said)
        self.assertEqual(run("info", path / "bomb").returncode, 1)
        self.assertFalse(outside.exists())

    def test_a_link_is_refused(self):
        path = self.foreign()
        with zipfile.ZipFile(path, "a") as archive:
            link = zipfile.ZipInfo("traces/link.json")
            link.create_system = 3
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
        self.assertIn('"traces/link.json" is a link.', self.told(path, 0)[1])
        self.assertEqual(run("info", path / "traces/link.json").returncode, 1)

    def test_a_bomb_that_lies_about_its_size_is_stopped(self):
        path = self.foreign(extra=[("traces/b.json", b" " * (64 << 20))])
        data = bytearray(path.read_bytes())
        # In the directory: 1000 bytes unpacked.
        at = data.rfind(b"traces/b.json") - 46
        self.assertEqual(data[at:at + 4], b"PK\x01\x02")
        data[at + 24:at + 28] = struct.pack("<I", 1000)
        path.write_bytes(data)
        done = run("info", path / "traces/b.json")
        self.assertEqual(done.returncode, 1, done.stdout)

    def without_sizes(self, *entries):
        """An archive as a program writes it that cannot go back, without its directory."""
        class Stream:
            def __init__(self):
                self.bytes = bytearray()

            def write(self, more):
                self.bytes += more
                return len(more)

            def flush(self):
                pass

        stream = Stream()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries:
                archive.writestr(name, content)
        path = self.folder / "unsaid.zip"
        path.write_bytes(stream.bytes[:stream.bytes.find(b"PK\x01\x02")])
        return path

    def test_entries_without_sizes_open(self):
        plain = json.dumps(events(3000))
        path = self.without_sizes(("traces/a.json", plain), ("session.cinder", json.dumps(
            {"cinderscope_session": 1, "traces": [{"id": "t1", "path": "traces/a.json"}]})))
        self.assertEqual(calls_of(path / "traces/a.json"), calls_of(self.write("a.json", events(3000))))

    def test_a_bomb_without_sizes_is_stopped(self):
        # As JSON it would go on: a trace with a long blank in it.
        bomb = json.dumps(events(10))[:-1] + " " * (600 << 20)
        path = self.without_sizes(("session.cinder", json.dumps(
            {"cinderscope_session": 1, "traces": [{"id": "t1", "path": "traces/b.json"}]})),
            ("traces/b.json", bomb))
        done = run("info", path / "traces/b.json", "--json")
        self.assertIn(b"unpacks to more than it should", done.stdout + done.stderr)

    def test_entries_over_each_other_are_refused(self):
        path = self.foreign(method=zipfile.ZIP_STORED, extra=[("traces/b.json", "x" * 100)])
        data = bytearray(path.read_bytes())
        at = data.rfind(b"traces/b.json") - 46
        first = data.find(b"PK\x03\x04")
        data[at + 42:at + 46] = struct.pack("<I", first + 0)
        data[at + 20:at + 24] = struct.pack("<I", 5000)
        path.write_bytes(data)
        self.assertIn("lies over another entry.", self.told(path, 3)[1])

    def test_a_session_in_a_pack_reaches_nothing_outside(self):
        self.write("outside.json", events())
        path = self.folder / "n.cinderpack"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("session.cinder", json.dumps({"cinderscope_session": 1, "traces": [
                {"id": "t1", "path": "../outside.json"}, {"id": "t2", "path": "/dev/zero"}]}))
        facts, _ = self.told(path, 3)
        self.assertEqual([each["location"] for each in facts["traces"]], ["missing"] * 2)

    def test_other_archives_stay_what_they_are(self):
        path = self.folder / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.txt", "hello")
        self.assertEqual(run("session", path).returncode, 1)
        self.assertEqual(run("info", path).returncode, 1)


if __name__ == "__main__":
    unittest.main()
