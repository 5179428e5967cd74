#!/usr/bin/env python3
"""Programs that record themselves, in the real window: names of their functions, and while they run.

    native_names_test.py BINARY SOURCE_DIR CC CXX"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY, SOURCE, CC, CXX = (os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), *sys.argv[3:5])
del sys.argv[1:5]
RECORDER = os.path.join(SOURCE, "formats", "thread_stream", "recorder")
PROGRAM = """#include "tsd.h"
#include <stdlib.h>
#include <unistd.h>
namespace shop { __attribute__((noinline)) void order() { usleep(2000); } }
int main(int argc, char** argv) {
  for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; --i) { TSD_ZONE("round"); shop::order(); }
  return 7;
}
"""
OFFER = "Native functions are shown by address; the files they came from may name them."


class NativeNames(window_driver.WindowCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="cinder-native-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        source, cls.program = os.path.join(cls.folder, "shop.cc"), os.path.join(cls.folder, "shop")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        objects = []
        for part in ("tsd", "tsd_functions"):
            objects.append(os.path.join(cls.folder, part + ".o"))
            subprocess.run([CC, "-O1", "-c", f"{RECORDER}/{part}.c", "-o", objects[-1]], check=True)
        subprocess.run([CXX, "-g", "-O1", "-finstrument-functions", "-Wl,--build-id", "-I" + RECORDER, source, *objects,
                        "-pthread", "-ldl", "-o", cls.program], check=True)

    def setUp(self):
        for name in os.listdir(self.folder):
            if name.endswith((".tsd", ".tsdnames")):
                os.unlink(os.path.join(self.folder, name))

    def record(self, name):
        path = os.path.join(self.folder, name)
        subprocess.run([self.program], env={**os.environ, "TSD_PATH": path}, check=False)
        return path

    def states(self, *script, arguments=(), status=0):
        lines, count = ["wait loaded"], 0
        for step in script:
            if step == "state":
                step, count = f"state OUT/{count}.json", count + 1
            lines += [step, "wait 100ms"]
        code, self.said, out = window_driver.play(BINARY, lines + ["quit"], *arguments, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, status, self.said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def test_names_are_offered_and_looked_up(self):
        trace = self.record("a.tsd")
        before, dismissed, after = self.states(
            "state", "command dismiss-notice symbols", "state", "command symbols", "wait loaded", "find shop::order",
            "state", arguments=[trace])
        self.assertEqual((before["notices"], dismissed["notices"], after["notices"]), ([OFFER], [], []))
        self.assertEqual((after["selected"]["name"], after["selected"]["depth"]), ("shop::order", 3))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "a.tsdnames")))
        # They are there from now on.
        again, = self.states("find shop::order", "state", arguments=[trace])
        self.assertEqual(again["notices"], [])

    def test_looking_up_can_be_cancelled(self):
        trace = self.record("a.tsd")
        state, = self.states("command symbols\ncommand symbols cancel", "wait loaded", "state", arguments=[trace])
        self.assertEqual(state["notices"], [OFFER])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "a.tsdnames")))

    def test_of_several_files_each_gets_its_names(self):
        traces = [self.record("a.tsd"), self.record("b.tsd")]
        before, after = self.states("state", "command symbols", "wait loaded", "find shop::order", "state",
                                    arguments=["--merge", *traces])
        self.assertIn(OFFER, before["notices"])
        self.assertNotIn(OFFER, after["notices"])
        self.assertEqual(after["selected"]["name"], "shop::order")
        for name in ("a", "b"):
            self.assertTrue(os.path.exists(os.path.join(self.folder, name + ".tsdnames")))

    def test_a_program_is_shown_while_it_runs(self):
        path = os.path.join(self.folder, "live.tsd")
        with tempfile.TemporaryDirectory() as out:
            script = os.path.join(out, "script.play")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"wait loaded\nstate {out}/0.json\nwait 4000ms\nstate {out}/1.json\nquit\n")
            done = subprocess.run([BINARY, "record", "-o", path, "--play", script, "--", self.program, "4000"],
                                  env=window_driver.environment(self.display.name, out), capture_output=True, text=True,
                                  timeout=120)
            self.assertEqual(done.returncode, 7, done.stderr)
            first, then = window_driver.states_of(out, "0.json", "1.json")
        self.assertEqual(first["files"], [path])
        self.assertTrue(then["growing"])
        self.assertLess(first["view"]["end"], then["view"]["end"])


if __name__ == "__main__":
    unittest.main()
