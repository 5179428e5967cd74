#!/usr/bin/env python3
"""What the program itself does, as a trace: --self-trace FILE.

    self_trace_test.py BINARY SOURCE_DIR"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCE, "tests", "recorder"))
import tsd_file  # noqa: E402


class SelfTrace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cinder-self-")
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.sample = os.path.join(SOURCE, "assets", "sample.json.gz")

    def run_info(self, path, *arguments, code=0, **environment):
        done = subprocess.run([BINARY, "info", str(path), "--json", "--names", "0", "--jobs", "1", *map(str, arguments)],
                              capture_output=True, text=True, timeout=120, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def counts(self, path):
        facts = self.run_info(path)
        self.assertEqual(facts["diagnostics"], [])
        return {name["name"]: name["count"] for name in facts["names"]}, {each["name"] for each in facts["threads"]}

    def test_a_thread_stream_holds_what_json_holds(self):
        for name in ("own.tsd", "own.json"):
            self.run_info(self.sample, "--self-trace", self.here / name)
        stream, json_ = self.counts(self.here / "own.tsd"), self.counts(self.here / "own.json")
        self.assertIn("load", stream[0])
        self.assertEqual(stream[0]["load"], json_[0]["load"])
        self.assertTrue({"main", "receiver"} <= stream[1] & json_[1], (stream, json_))
        self.assertEqual(json.loads((self.here / "own.json").read_bytes())[0]["name"], "process_name")

    def test_arguments_belong_to_their_calls(self):
        self.run_info(self.sample, "--self-trace", self.here / "own.TSD")
        recording = tsd_file.read(str(self.here / "own.TSD"))
        self.assertEqual(recording.problems, {})
        args = [record.args for thread in recording.threads.values() for record in thread.records if record.args]
        self.assertTrue(args)
        self.assertTrue(all(isinstance(value, int) for one in args for _, value in one))

    def test_variables_of_the_recorder_are_not_for_it(self):
        """Else the viewer would write over the trace that it is to show."""
        trace = self.here / "game.tsd"
        shutil.copy(os.path.join(SOURCE, "tests/golden/thread_stream/minimal/input.tsd"), trace)
        before = trace.read_bytes()
        self.run_info(trace, TSD_PATH=str(trace), TSD_START="now")
        self.assertEqual(trace.read_bytes(), before)
        self.run_info(self.sample, "--self-trace", self.here / "a %p.tsd", TSD_OFF="1", TSD_PATH=str(trace))
        self.assertIn("load", self.counts(self.here / "a %p.tsd")[0])
        self.assertEqual(trace.read_bytes(), before)

    def test_what_cannot_be_written_is_said(self):
        for name in ("own.tsd", "own.json"):
            said = self.run_info(self.sample, "--self-trace", self.here / "none" / name, code=2)
            self.assertIn("cannot be written", said)


if __name__ == "__main__":
    unittest.main()
