#!/usr/bin/env python3
"""Pictures from the real window: the commands, the sheet, and that they equal those of the command line.

    picture_test.py BINARY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

EVENTS = [{"ph": "X", "pid": 1, "tid": 7, "name": name, "ts": ts, "dur": dur}
          for name, ts, dur in (("main", 0, 1000), ("draw", 100, 300), ("upload", 150, 100), ("draw", 500, 200))]


class PictureTest(window_driver.WindowCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="picture-gui-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.trace = self.path("calls.json")
        with open(self.trace, "w", encoding="utf-8") as file:
            json.dump(EVENTS, file)

    def path(self, name):
        return os.path.join(self.folder, name)

    def play(self, *script, status=0):
        code, said, out = window_driver.play(BINARY, ["wait loaded", *script, "wait 300ms", "quit"], self.trace,
                                             display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, status, said)
        return said

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_the_window_and_the_command_line_make_the_same(self):
        endings = ("svg", "png", "pdf")
        self.play(*[f"command save-picture {self.path('window.' + ending)}\nwait 500ms" for ending in endings])
        for ending in endings:
            out = self.path("cli." + ending)
            subprocess.run([BINARY, "picture", self.trace, "-o", out], check=True, timeout=60)
            self.assertEqual(self.bytes_of("window." + ending), self.bytes_of("cli." + ending), ending)

    def test_the_view_and_the_selection_come_along(self):
        self.play("command zoom-to +100us +300us", "find upload", "wait 300ms",
                  f"command save-picture {self.path('part.svg')}", "wait 500ms")
        root = ElementTree.fromstring(self.bytes_of("part.svg"))
        accent = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if rect.get("stroke") == "#d9620e"]
        self.assertEqual(len(accent), 1, "the selected call has its outline")

    def test_a_file_that_exists_is_kept_unless_it_is_forced(self):
        with open(self.path("old.svg"), "w", encoding="utf-8") as file:
            file.write("old")
        said = self.play(f"command save-picture {self.path('old.svg')}", status=2)
        self.assertIn("force", said)
        self.assertEqual(self.bytes_of("old.svg"), b"old")
        self.play(f"command save-picture {self.path('old.svg')} force", "wait 500ms")
        self.assertTrue(self.bytes_of("old.svg").startswith(b"<svg"))

    def test_the_sheet_saves_beside_the_trace(self):
        self.play("command picture of statistics", "command picture format svg", "command picture title All names",
                  "wait 300ms", "key Enter", "wait 700ms", "key Escape")
        made = self.bytes_of("calls.json.statistics.svg").decode()
        self.assertIn("All names", made)
        self.assertIn("upload", made)


if __name__ == "__main__":
    unittest.main()
