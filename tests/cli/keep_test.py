#!/usr/bin/env python3
"""Loading only a part of a trace: --keep-from, --keep-to, --keep-thread on the sub-commands.

    keep_test.py BINARY"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, timeout=60)


def info(path, *arguments):
    done = run("info", path, "--json", "--names", "0", *arguments)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    left_out = [each["count"] for each in facts["diagnostics"] if each["code"] == "left_out"]
    return facts["slices"]["total"], left_out[0] if left_out else 0


class Keep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # Two threads, ten calls each of 1 µs, 10 µs apart.
        self.json = os.path.join(folder.name, "a.json")
        with open(self.json, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": tid, "name": "f", "ts": i * 10, "dur": 1}
                       for tid in (5, 6) for i in range(10)], file)
        self.spall = os.path.join(folder.name, "a.spall")
        with open(self.spall, "wb") as file:
            file.write(struct.pack("<QQdQ", 0x0BADF00D, 1, 1.0, 0))
            for tid in (5, 6):
                for i in range(10):
                    file.write(struct.pack("<BBIIdBB", 3, 0, 1, tid, i * 10, 1, 0) + b"f")
                    file.write(struct.pack("<BIId", 4, 1, tid, i * 10 + 1))

    def test_all_is_loaded_unless_asked_otherwise(self):
        for path in (self.json, self.spall):
            self.assertEqual(info(path), (20, 0))

    def test_a_range_of_time(self):
        for path in (self.json, self.spall):
            self.assertEqual(info(path, "--keep-from", "20000", "--keep-to", "50000"), (6, 14))
            self.assertEqual(info(path, "--keep-from", "20500"), (16, 4))

    def test_a_thread_with_and_without_its_process(self):
        for path in (self.json, self.spall):
            self.assertEqual(info(path, "--keep-thread", "5"), (10, 10))
            self.assertEqual(info(path, "--keep-thread", "1/6", "--keep-to", "5000"), (1, 19))

    def test_the_number_of_jobs_does_not_matter(self):
        for path in (self.json, self.spall):
            for jobs in ("1", "2", "3"):
                self.assertEqual(info(path, "--keep-from", "30000", "--jobs", jobs), (14, 6))


if __name__ == "__main__":
    unittest.main()
