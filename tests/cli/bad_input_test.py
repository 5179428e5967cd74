#!/usr/bin/env python3
"""What the sub-commands say of input that is no trace: a sentence, the exit status, never a crash.

    bad_input_test.py BINARY"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))


def run(*arguments, stdin=b""):
    done = subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def info(*arguments, stdin=b""):
    return run("info", *arguments, stdin=stdin)


class BadInput(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, content=None):
        path = os.path.join(self.folder.name, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def refused(self, path, *words):
        status, out, err = info(path, "--json")
        self.assertEqual(status, 1, err)
        self.assertEqual(out, "")
        for word in words:
            self.assertIn(word, err.lower())
        self.assertEqual(len(err.strip().splitlines()), 1, err)

    def test_missing_file(self):
        self.refused(self.path("nothing.json"), "nothing.json", "there is no file")

    def test_empty_file(self):
        self.refused(self.path("a.json", b""), "empty")

    def test_picture(self):
        self.refused(self.path("a.json", b"\x89PNG\r\n\x1a\n" + bytes(100)), "png", "cinderscope opens")

    def test_text(self):
        self.refused(self.path("a.txt", b"Dear reader,\nthis is no trace.\n"), "text", "cinderscope opens")

    def test_truncated_archive(self):
        whole = gzip.compress(os.urandom(10000))
        self.refused(self.path("a.gz", whole[:5]))
        self.refused(self.path("b.gz", whole[:5000]))

    def test_empty_folder(self):
        self.refused(self.folder.name, "empty")

    def test_folder_without_traces(self):
        self.path("readme.txt", b"hello there\n")
        self.refused(self.folder.name, "1 file, and it is not a trace")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_file_without_permission(self):
        path = self.path("a.json", b"[]")
        os.chmod(path, 0)
        self.refused(path, "permission")

    def test_json_that_is_no_trace(self):
        self.refused(self.path("a.json", b'{"name": "package", "version": 3}'), "expected")
        self.refused(self.path("b.json", b'{"nodes": [], "startTime": 1, "samples": []}'), "expected")
        self.refused(self.path("c.json", b"[1, 2, 3]"), "cinderscope opens")

    def test_damaged_trace_still_opens(self):
        path = self.path("a.json", b'[{"ph":"X","ts":1,"dur":2,"name":"a","pid":1,"tid":1},{"ph":"X","t')
        status, out, err = info(path, "--json")
        self.assertEqual(status, 0, err)
        self.assertIn('"total":1', out)
        self.assertIn("truncated", out)

    def test_standard_input(self):
        status, out, err = info("-", "--json", stdin=b'[{"ph":"X","ts":1,"dur":2,"name":"a"}]')
        self.assertEqual(status, 0, err)
        self.assertIn('"total":1', out)

    def test_folder_with_traces(self):
        paths = [self.path("a.json", b'[{"ph":"X","ts":1,"dur":2,"name":"a"}]'),
                 self.path("b.json", b'[{"ph":"X","ts":1,"dur":2,"name":"b"}]')]
        self.path("c.txt", b"not this one\n")
        for command in ("info", "stats"):
            status, out, err = run(command, self.folder.name, "--json")
            self.assertEqual(status, 0, err)
            self.assertEqual([trace["path"] for trace in json.loads(out)["traces"]], paths, command)
        status, out, err = run("tree", self.folder.name)
        self.assertEqual(status, 0, err)
        self.assertEqual([line for line in out.splitlines() if line in paths], paths)

    def test_one_bad_trace_of_a_folder_is_told_and_the_others_are_read(self):
        good = self.path("a.json", b'[{"ph":"X","ts":1,"dur":2,"name":"a","tid":7}]')
        self.path("b.json", b'[{"ph":"X","ts":1,"dur":2,"name":"b","tid":8}]')
        status, out, err = run("stats", self.folder.name, "--thread", "7", "--json")
        self.assertEqual(status, 0, err)
        self.assertEqual([trace["path"] for trace in json.loads(out)["traces"]], [good])
        self.assertIn('b.json: There is no thread "7".', err)
        status, out, err = run("stats", self.folder.name, "--thread", "9", "--json")
        self.assertEqual((status, out), (1, ""))

    def test_wrong_usage(self):
        self.assertEqual(info()[0], 2)
        self.assertEqual(info("a", "--no-such-option")[0], 2)


if __name__ == "__main__":
    unittest.main()
