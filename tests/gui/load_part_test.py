#!/usr/bin/env python3
"""A part of a trace in the real window: load-part and load-anyway.

    load_part_test.py BINARY"""
import json
import os
import shutil
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]


class LoadPartTest(window_driver.WindowCase):
    def states(self, *script):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "calls.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump([{"ph": "X", "pid": 1, "tid": tid, "ts": i * 1000, "dur": 500, "name": "f"}
                           for tid in (1, 2) for i in range(10)], file)
            lines, count = ["wait loaded"], 0
            for step in script:
                if step == "state":
                    step, count = f"state OUT/{count}.json", count + 1
                lines.append(step)
            code, said, out = window_driver.play(BINARY, lines + ["quit"], path, display=self.display.name)
            self.addCleanup(shutil.rmtree, out, True)
            self.assertEqual(code, 0, said)
            return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    @staticmethod
    def left_out(state):
        return sum(each["count"] for each in state["diagnostics"] if each["code"] == "left_out")

    def test_a_part_is_loaded_and_then_all_of_it(self):
        part, whole = self.states(
            "command load-part 2000000 5000000 1/2", "wait 100ms", "wait loaded", "wait 100ms", "state",
            "command load-anyway", "wait 100ms", "wait loaded", "wait 100ms", "state")
        self.assertEqual(self.left_out(part), 17)
        self.assertEqual(part["visible"]["boxes"], 3)
        self.assertEqual(self.left_out(whole), 0)

    def test_without_times_the_palette_asks_for_them(self):
        part, = self.states("command palette", "wait 100ms", "type load-part", "key Enter", "wait 100ms",
                            "type 0 3000000", "key Enter", "wait 200ms", "wait loaded", "wait 100ms",
                            "state")
        self.assertEqual(self.left_out(part), 14)


if __name__ == "__main__":
    unittest.main()
