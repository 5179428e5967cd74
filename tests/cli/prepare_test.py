#!/usr/bin/env python3
"""Prepared copies from outside: `prepare`, and that everything is the same opened from one.

    prepare_test.py BINARY GOLDEN_FOLDER"""
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
GOLDEN = pathlib.Path(sys.argv.pop(1)).resolve()
FORMATS = ("google_json", "spall", "flow", "thread_stream", "perfetto", "speedscope", "collapsed",
           "cpuprofile")  # those that can have copies


class Prepare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        self.copies = self.cache / "cinderscope" / "prepared"
        self.env = {**os.environ, "XDG_CACHE_HOME": str(self.cache)}

    def run_it(self, *arguments, **others):
        return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=120,
                              env=self.env, **others)

    def text(self, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape")

    def info(self, path, *arguments):
        """The facts, and whether they come from a copy."""
        facts = json.loads(self.text("info", path, "--json", "--names", "0", *arguments))
        prepared = facts["load"]["prepared"]
        for changing in ("seconds", "peak_rss_bytes", "kept_bytes", "threads_used", "prepared"):
            del facts["load"][changing]
        return facts, prepared

    def write_trace(self, name, events):
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": i % 7, "name": f"f{i % 100}", "ts": i * 10,
                        "dur": 5 + i % 3, "args": {"i": i}} for i in range(events)], file)
        return path

    def files(self):
        return sorted(self.copies.iterdir()) if self.copies.exists() else []

    def test_everything_is_the_same_opened_from_a_copy(self):
        reopened = 0
        for path in sorted(GOLDEN.glob("*/*/input*")):
            if path.parent.parent.name not in FORMATS:
                continue
            with self.subTest(path=path.parent.name):
                loaded = self.run_it("info", path, "--json", "--names", "0")
                if loaded.returncode or self.run_it("prepare", path).returncode:
                    continue  # packed, or nothing can be shown
                before, prepared = self.info(path, "--prepared", "no")
                self.assertFalse(prepared)
                after, prepared = self.info(path)
                self.assertTrue(prepared)
                self.assertEqual(after, before)
                for command in (("stats", "--json"), ("tree",)):
                    self.assertEqual(self.text(command[0], path, *command[1:]),
                                     self.text(command[0], path, *command[1:], "--prepared", "no"))
                query = ("query", path, "SELECT * FROM slice ORDER BY 1", "--format", "json")
                self.assertEqual(self.text(*query), self.text(*query, "--prepared", "no"))
                pictures = []
                for number, way in enumerate(((), ("--prepared", "no"))):
                    picture = self.folder / f"{number}.svg"
                    drawn = self.run_it("picture", path, "-o", picture, "--force", *way)
                    # Of some cases there is nothing to draw.
                    pictures.append(drawn.stderr if drawn.returncode else picture.read_bytes())
                self.assertEqual(*pictures)
                reopened += 1
        self.assertGreater(reopened, 30)

    def test_a_trace_that_changed_is_loaded(self):
        path = self.write_trace("a.json", 1000)
        self.text("prepare", path)
        self.assertTrue(self.info(path)[1])
        times = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(40)
            file.write(b"9")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertFalse(self.info(path)[1])
        self.assertEqual(self.files(), [])

    def test_lists_checks_and_removes(self):
        a, b = self.write_trace("a.json", 100), self.write_trace("b.json", 100)
        self.assertIn("a.json: ", self.text("prepare", a))
        self.text("prepare", a, b)
        listed = self.text("prepare", "--list")
        self.assertIn("today", listed)
        self.assertIn(str(a), listed)
        self.assertIn("in 2 copies", listed)
        self.assertEqual(self.text("prepare", "--check").count(": whole"), 2)
        self.text("prepare", "--remove", a)
        self.assertNotIn(str(a), self.text("prepare", "--list"))
        self.assertEqual(self.run_it("prepare", "--remove", a).returncode, 1)
        os.truncate(self.files()[0], 5000)
        checked = self.run_it("prepare", "--check")
        self.assertEqual(checked.returncode, 1)
        self.assertIn(b"damaged, removed", checked.stdout)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.run_it("prepare").returncode, 2)
        self.assertEqual(self.run_it("prepare", "--list", "--check").returncode, 2)

    def test_damaged_anywhere_it_is_loaded_from_the_start(self):
        path = self.write_trace("a.json", 300)
        right = self.info(path)[0]
        draw = random.Random(1)
        for _ in range(60):
            self.text("prepare", path)
            copy = self.files()[0]
            size = copy.stat().st_size
            if draw.random() < 0.5:
                os.truncate(copy, draw.randrange(size))
            else:
                with open(copy, "r+b") as file:
                    at = draw.randrange(size)
                    file.seek(at)
                    byte = file.read(1)[0]
                    file.seek(at)
                    file.write(bytes([byte ^ (1 << draw.randrange(8))]))
            facts, prepared = self.info(path)
            self.assertFalse(prepared)
            self.assertEqual(facts, right)
            self.assertEqual(self.files(), [])

    def test_killed_while_writing_nothing_of_it_is_used(self):
        path = self.write_trace("a.json", 200_000)
        started = time.monotonic()
        self.text("prepare", path)
        whole = time.monotonic() - started
        draw = random.Random(2)
        right = self.info(path)[0]
        for _ in range(50):
            self.text("prepare", "--remove")
            with subprocess.Popen([BINARY, "prepare", path], env=self.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(whole * draw.uniform(0.3, 1.1))
                process.send_signal(signal.SIGKILL)
            # Either whole or none: what is left of it is no copy.
            self.assertEqual(self.run_it("prepare", "--check").returncode, 0)
        self.assertEqual(self.info(path)[0], right)
        self.text("prepare", path)  # what was left goes
        self.assertEqual(len(self.files()), 1)

    def test_a_full_disk_is_said_and_leaves_nothing(self):
        path = self.write_trace("a.json", 20_000)
        self.text("prepare", path)
        size = self.files()[0].stat().st_size
        self.text("prepare", "--remove")
        for limit in (100, 5000, size // 2, size - 1):
            done = self.run_it(
                "prepare", path,
                preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"cannot be written", done.stderr)
            self.assertEqual(self.files(), [])

    def test_two_at_once_write_one_copy(self):
        path = self.write_trace("a.json", 50_000)
        both = [subprocess.Popen([BINARY, "prepare", path], env=self.env, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for _ in range(2)]
        for process in both:
            error = process.communicate(timeout=120)[1]
            self.assertEqual(process.returncode, 0, error)
        self.assertEqual(len(self.files()), 1)
        self.assertTrue(self.info(path)[1])

    def test_a_folder_that_cannot_be_written_is_no_trouble(self):
        path = self.write_trace("a.json", 100)
        self.cache.write_text("no folder")
        self.assertFalse(self.info(path)[1])
        self.assertEqual(self.run_it("prepare", path).returncode, 1)

    def test_what_can_have_no_copy_says_so(self):
        done = self.run_it("prepare", GOLDEN)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
