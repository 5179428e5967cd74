#!/usr/bin/env python3
"""Pictures from the real window: the commands, the sheet, and that they equal those of the command line.

    picture_test.py BINARY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as ElementTree

import clipboard
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
        said = self.play(f"command save-picture {self.path('old.svg')}", "wait saved", status=2)
        self.assertIn("force", said)
        self.assertEqual(self.bytes_of("old.svg"), b"old")
        self.play(f"command save-picture {self.path('old.svg')} force", "wait 500ms")
        self.assertTrue(self.bytes_of("old.svg").startswith(b"<svg"))

    def test_the_sheet_saves_beside_the_trace(self):
        self.play("command picture of statistics", "command picture format svg", "command picture title All names",
                  "wait 300ms", "key Enter", "wait 700ms", "key Escape")
        texts = {"".join(text.itertext()) for text in ElementTree.fromstring(self.bytes_of("calls.json.statistics.svg")).iter(
            "{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"All names", "upload"}, texts)

    def test_a_session_brings_view_pins_and_selection_along(self):
        night = self.path("night.cinder")
        self.play("command zoom-to +100us +300us", "command pin 7", "command bookmark here", "find upload",
                  "command zoom-to +100us +300us", "wait 300ms", f"command save-picture {self.path('window.svg')}",
                  "wait 500ms", "command picture of flame-graph", "command flame-graph callers", "wait 300ms",
                  f"command save-picture {self.path('window-flame.svg')}", "wait 500ms",
                  "command picture close", f"command save-session {night}", "wait saved")
        for name, more in (("window.svg", []), ("window-flame.svg", ["--of", "flame-graph"])):
            out = self.path("cli-" + name)
            subprocess.run([BINARY, "picture", night, "-o", out, *more], check=True, timeout=60)
            self.assertEqual(self.bytes_of("cli-" + name), self.bytes_of(name), name)
        # What is said on the command line goes before.
        out = self.path("whole.svg")
        subprocess.run([BINARY, "picture", night, "-o", out, "--view", "+0us", "+1ms"], check=True, timeout=60)
        self.assertIn(b"&quot;end&quot;:1000000", self.bytes_of("whole.svg"))
        subprocess.run([BINARY, "convert", night, "-o", self.path("again.json")], check=True, timeout=60)
        self.assertEqual(self.bytes_of("again.json"), self.bytes_of("calls.json"))
        kept = subprocess.run([BINARY, "picture", night, "-o", self.trace + ".svg"], timeout=60).returncode
        self.assertEqual(kept, 0)
        os.remove(self.trace)
        done = subprocess.run([BINARY, "picture", night, "-o", out, "--force"], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("calls.json", done.stderr)

    def clipboard_of(self, *script, read, wait="3s"):
        """What `read` returns of a Reader once the script has copied something."""
        reader = clipboard.Reader(self.display.name)
        self.addCleanup(reader.close)
        found, ended = [], []

        def look():
            while not found and not ended:
                if len(reader.targets()) > 3:
                    found.append(read(reader))
                time.sleep(0.05)

        looks = threading.Thread(target=look)
        looks.start()
        try:
            self.play(*script, f"wait {wait}")
        finally:
            ended.append(True)
            looks.join()
        self.assertTrue(found, "nothing came onto the clipboard")
        return found[0]

    def test_pictures_lie_on_the_clipboard_as_png_and_svg(self):
        def read(reader):
            return reader.targets(), reader.read("image/png"), reader.read("image/svg+xml"), reader.read("image/bmp")

        targets, png, svg, bmp = self.clipboard_of("command copy-picture timeline", read=read)
        self.assertIn("image/png", targets)
        self.assertIn("MULTIPLE", targets)
        self.assertTrue(png[0].startswith(b"\x89PNG"))
        self.assertTrue(png[0].endswith(b"IEND\xaeB`\x82"))
        self.assertIn("upload", svg[0].decode())
        self.assertIsNone(bmp, "no such form was offered")
        out = self.path("cli.svg")
        subprocess.run([BINARY, "picture", self.trace, "-o", out], check=True, timeout=60)
        self.assertEqual(svg[0], self.bytes_of("cli.svg"))

    def test_long_pictures_and_texts_come_in_pieces(self):
        names = [f"a name that is worth copying, with its number {i}, {'x' * 60}" for i in range(100_000)]
        with open(self.trace, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": i, "dur": 1}
                       for i, name in enumerate(names)], file)
        text, pieces = self.clipboard_of("command panel statistics", "wait 1s", "command copy-table", wait="8s",
                                         read=lambda reader: reader.read("UTF8_STRING"))
        self.assertGreater(len(text), 8 << 20)
        self.assertGreater(pieces, 1)
        self.assertEqual({line.split(b"\t")[0].decode() for line in text.splitlines()[1:]}, set(names))


if __name__ == "__main__":
    unittest.main()
