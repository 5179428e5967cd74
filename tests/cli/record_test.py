#!/usr/bin/env python3
"""`cinderscope record`: programs with the recorder, started and shown by the viewer.

    record_test.py BINARY SOURCE_DIR [--cc CC] [TEST...]"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ARGS = argparse.ArgumentParser()
ARGS.add_argument("binary")
ARGS.add_argument("source")
ARGS.add_argument("--cc", default="cc")
ARGS, REST = ARGS.parse_known_args()
BINARY, SOURCE = os.path.abspath(ARGS.binary), os.path.abspath(ARGS.source)
RECORDER = os.path.join(SOURCE, "formats", "thread_stream", "recorder")
# Works until it is told to end, or for so many rounds; ends with a status of its own.
PROGRAM = r"""
#include "tsd.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t g_signals;
static void told(int signal) { (void)signal; g_signals++; }
int main(int argc, char **argv) {
  int rounds = argc > 2 ? atoi(argv[2]) : 3, i;
  if (argc > 1 && strcmp(argv[1], "catch") == 0) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = told;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
  }
  for (i = 0; i < rounds && !g_signals; i++) {
    TSD_ZONE("round");
    if (i == 0) { printf("begun %s\n", argc > 3 ? argv[3] : ""); fflush(stdout); }
    usleep(10000);
  }
  printf("signals %d\n", (int)g_signals);
  return 7;
}
"""


class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cinder-record-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "work.c").write_text(PROGRAM)
        subprocess.run([ARGS.cc, "-O1", "-I" + RECORDER, str(cls.folder / "work.c"), RECORDER + "/tsd.c", "-pthread",
                        "-ldl", "-o", str(cls.folder / "work")], check=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cinder-record-")
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.out = self.here / "a %d.tsd"  # what the recorder would put something in place of

    def start(self, *arguments, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TSD_")}
        return subprocess.Popen([BINARY, "record", *map(str, arguments)], env={**clean, **environment}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.here)

    def record(self, *arguments, code=7, **environment):
        process = self.start("--no-window", *arguments, **environment)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, err)
        return out, err

    def facts(self, path=None):
        done = subprocess.run([BINARY, "info", str(path or self.out), "--json"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def rounds(self, path=None):
        facts = self.facts(path)
        return {name["name"]: name["count"] for name in facts["names"]}.get("round", 0), facts["details"]["finished"]

    def test_the_program_runs_as_it_is(self):
        out, err = self.record("-o", self.out, "--", self.folder / "work", "plain", 5, "-o")
        self.assertEqual(out, "begun -o\nsignals 0\n")
        self.assertIn(str(self.out), err)
        self.assertEqual(self.rounds(), (5, True))

    def test_the_file_is_named_after_it_and_replaced(self):
        self.record("--", self.folder / "work")
        self.assertEqual(self.rounds(self.here / "work.tsd"), (3, True))
        self.record("--", self.folder / "work", "plain", 4)
        self.assertEqual(self.rounds(self.here / "work.tsd"), (4, True))

    def test_variables_of_the_recorder_are_taken(self):
        self.record("-o", self.out, "--", self.folder / "work", TSD_MODE="memory", TSD_PACK="packed", TSD_OFF="1")
        self.assertEqual(self.rounds(), (3, True))
        self.record("-o", self.here / "none.tsd", "--", self.folder / "work", TSD_START="call")
        self.assertFalse((self.here / "none.tsd").exists())

    def test_what_cannot_be_started(self):
        _, err = self.record("--", self.here / "nothing", code=127)
        self.assertIn("cannot be started", err)
        self.record("--", "no-such-program-anywhere", code=127)
        self.record(code=2)

    def test_a_program_without_the_recorder(self):
        self.out.write_text("mine")
        _, err = self.record("-o", self.out, "--", "sh", "-c", "exit 3", code=3)
        self.assertIn("recorded nothing", err)
        self.assertEqual(self.out.read_text(), "mine")

    def begun(self, process):
        self.assertTrue(process.stdout.readline().startswith("begun"))

    def test_signals_reach_the_program(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            process = self.start("--no-window", "-o", self.out, "--", self.folder / "work", "catch", 3000)
            self.begun(process)
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (7, "signals 1\n"), err)
            self.assertTrue(self.rounds()[1])

    def test_ctrl_c_reaches_it_once(self):
        """The terminal sends it to both: here the process group."""
        leader = os.fork()
        if leader == 0:
            os.setsid()
            process = self.start("--no-window", "-o", self.out, "--", self.folder / "work", "catch", 3000)
            process.stdout.readline()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.write(1, b"")
            os.kill(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=60)
            os._exit(0 if out == "signals 1\n" and process.returncode == 7 else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]), 0)

    def test_a_program_that_is_ended_by_a_signal(self):
        process = self.start("--no-window", "-o", self.out, "--", self.folder / "work", "plain", 3000)
        self.begun(process)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        rounds, finished = self.rounds()
        self.assertGreater(rounds, 0)
        self.assertFalse(finished)
        self.assertEqual(self.facts()["notice"], None)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *REST])
