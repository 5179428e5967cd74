#!/usr/bin/env python3
"""Pictures of real traces: the same bytes each time, SVG that others draw as the PNG is.

    picture_samples_test.py BINARY SAMPLES     SAMPLES: a folder with traces/json, else the tests skip themselves"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import png  # noqa: E402

BINARY, SAMPLES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
SVG = "{http://www.w3.org/2000/svg}"
TRACES = ["json/chromium_startup_default.json.gz", "json/catapult_big_trace.json", "json/catapult_flow.json",
          "json/spall_json_backend_ray.json", "json/clang14_time_trace_ranges.json.gz"]
# Letters stand apart as the fonts have them, without kerning, which librsvg cannot leave out of the names of many boxes;
# how an edge between two pixels is mixed differs by a few steps of brightness.
MOST_OFF, STEPS = 0.02, 32
BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")


class Samples(unittest.TestCase):
    def setUp(self):
        self.traces = [os.path.join(SAMPLES, "traces", name) for name in TRACES]
        missing = [trace for trace in self.traces if not os.path.exists(trace)]
        if missing:
            self.skipTest("not there: " + ", ".join(missing))
        self.folder = tempfile.TemporaryDirectory(prefix="picture_samples_")
        self.addCleanup(self.folder.cleanup)

    def drawn(self, trace, ending, *arguments, jobs="2"):
        out = os.path.join(self.folder.name, "out." + ending)
        done = subprocess.run([BINARY, "picture", *trace.split("\n"), "-o", out, "--force", "--jobs", jobs, *arguments],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out, "rb") as file:
            return file.read()

    def test_twice_and_with_any_jobs_the_same_bytes(self):
        for trace in self.traces:
            for ending in ("svg", "png", "pdf"):
                for theme in ("light", "dark"):
                    first = self.drawn(trace, ending, "--theme", theme, "--scale", "1", jobs="1")
                    second = self.drawn(trace, ending, "--theme", theme, "--scale", "1", jobs="8")
                    self.assertEqual(first, second, (trace, ending, theme))

    def test_svg_is_right_and_links_to_nothing(self):
        for trace in self.traces:
            for of in ("timeline", "flame-graph", "statistics"):
                content = self.drawn(trace, "svg", "--of", of)
                ElementTree.fromstring(content)
                self.assertEqual(set(re.findall(rb"https?://[^\"<]*", re.sub(rb"<title>.*?</title>|>[^<]*</text>", b"",
                                                                             content, flags=re.S))),
                                 {b"http://www.w3.org/2000/svg"})
                if shutil.which("xmllint"):
                    subprocess.run(["xmllint", "--noout", os.path.join(self.folder.name, "out.svg")], check=True,
                                   timeout=60)

    def compare(self, drawn_by, ending="svg"):
        """The PNG with what another program makes of the SVG or PDF: `drawn_by(path, scale)`."""
        whole = self.traces[0]
        pictures = [(whole, "timeline"), (whole, "flame-graph"), (whole, "statistics"),
                    (whole + "\n" + self.traces[1], "difference")]
        for trace, of in pictures:
            for theme, scale in (("light", "1"), ("dark", "1"), ("light", "2")):
                look = ["--of", of, "--theme", theme, "--width", "900", "--height", "220"]
                self.drawn(trace, ending, *look)
                theirs = drawn_by(os.path.join(self.folder.name, "out." + ending), scale)
                ours = self.drawn(trace, "png", *look, "--scale", scale)
                off = png.share_that_differs(ours, theirs, STEPS)
                self.assertLess(off, MOST_OFF, (of, theme, scale))

    @unittest.skipUnless(shutil.which("rsvg-convert"), "not installed: rsvg-convert")
    def test_librsvg_draws_the_svg_as_the_png_is(self):
        self.compare(lambda path, scale: subprocess.run(["rsvg-convert", "-z", scale, path], capture_output=True,
                                                        check=True, timeout=60).stdout)

    @unittest.skipUnless(shutil.which("pdftoppm"), "not installed: pdftoppm")
    def test_poppler_draws_the_pdf_as_the_png_is(self):
        self.compare(lambda path, scale: subprocess.run(["pdftoppm", "-png", "-r", str(96 * int(scale)), path],
                                                        capture_output=True, check=True, timeout=60).stdout, "pdf")

    @unittest.skipUnless(BROWSER, "not installed: chromium")
    def test_a_browser_draws_the_svg_as_the_png_is(self):
        def drawn_by(path, scale):
            out = os.path.join(self.folder.name, "browser.png")
            subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                            "--user-data-dir=" + os.path.join(self.folder.name, "profile"), "--window-size=900,220",
                            "--force-device-scale-factor=" + scale, "--screenshot=" + out, "file://" + path],
                           capture_output=True, check=True, timeout=100, stdin=subprocess.DEVNULL)
            with open(out, "rb") as file:
                return file.read()
        self.compare(drawn_by)


if __name__ == "__main__":
    unittest.main()
