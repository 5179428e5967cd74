#!/usr/bin/env python3
"""What `cinderscope picture` writes: SVG, PNG, PDF, their limits, and what it says of what it cannot draw.

    picture_test.py BINARY"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

BINARY = os.path.abspath(sys.argv.pop(1))
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "a<b>&\"c\" ]]> -- \x01\ud83d\ude00" + "ä" * 50_000


def picture(*arguments, **more):
    done = subprocess.run([BINARY, "picture", *arguments], capture_output=True, timeout=120, **more)
    return done.returncode, done.stdout, done.stderr.decode()


def call(name, ts, dur, pid=1, tid=7, **more):
    return {"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": ts, "dur": dur, **more}


EVENTS = [
    {"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "CrRendererMain"}},
    {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Renderer"}},
    call("main", 0, 1000), call("draw", 100, 300), call("upload", 150, 100), call("draw", 500, 200),
    call("wait", 0, 800, tid=8), call(HOSTILE, 100, 500, tid=8),
    {"ph": "i", "pid": 1, "tid": 7, "name": "vsync", "ts": 450, "s": "t"},
    {"ph": "C", "pid": 1, "name": "heap", "ts": 0, "args": {"bytes": 10}},
    {"ph": "C", "pid": 1, "name": "heap", "ts": 600, "args": {"bytes": 40}},
]


class Picture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="picture_test_")
        self.addCleanup(self.folder.cleanup)
        self.trace = self.write("t.json", EVENTS)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, events):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(events, file)
        return self.path(name)

    def drawn(self, *arguments, trace=None):
        status, out, err = picture(trace or self.trace, "--out", "-", "--format", "svg", *arguments)
        self.assertEqual(status, 0, err)
        return out

    def tree(self, *arguments, **more):
        return ElementTree.fromstring(self.drawn(*arguments, **more))

    @staticmethod
    def texts(tree):
        return ["".join(text.itertext()) for text in tree.iter(SVG + "text")]

    def test_an_svg_is_static_and_needs_nothing_from_outside(self):
        svg = self.drawn().decode()
        self.assertEqual(re.findall(r"https?:[^\"]*", svg), ["http://www.w3.org/2000/svg"])
        tree = ElementTree.fromstring(svg)
        tags = {element.tag.replace(SVG, "") for element in tree.iter()}
        self.assertLessEqual(tags, {"svg", "metadata", "style", "g", "title", "rect", "text", "tspan", "polygon", "polyline",
                                    "path", "clipPath"})
        for text in tree.iter(SVG + "text"):
            self.assertGreater(float(text.get("textLength")), 0)
            self.assertEqual(text.get("lengthAdjust"), "spacingAndGlyphs")
        numbers = re.findall(r'\b(?:x|y|width|height)="(-?[\d.]+)"', svg)
        self.assertTrue(all(re.fullmatch(r"-?\d+(\.\d{1,2})?", number) for number in numbers))

    def test_a_box_says_on_hovering_what_it_is(self):
        titles = [title.text for title in self.tree().iter(SVG + "title")]
        draw = [title for title in titles if title.startswith("draw\n")]
        self.assertEqual(len(draw), 2)
        self.assertIn("300.0 µs, self 200.0 µs", draw[0].replace("\u00a0", " "))
        self.assertIn("CrRendererMain", draw[0])
        self.assertEqual([title for title in self.tree("--no-titles").iter(SVG + "title")], [])

    def test_tracks_have_names(self):
        names = [group.get("data-name") for group in self.tree().iter(SVG + "g") if group.get("class") == "track"]
        for name in ("Renderer", "CrRendererMain", "Thread 8", "heap"):
            self.assertIn(name, names)

    def test_metadata_tells_where_it_is_from(self):
        def metadata(*arguments):
            return json.loads(self.tree(*arguments).find(SVG + "metadata").text)
        self.assertEqual(metadata(), {"cinderscope": 1, "of": "timeline", "trace": "t.json", "begin": 0,
                                      "end": 1_000_000, "axis": "ns"})
        self.assertNotIn("trace", metadata("--no-name"))
        part = metadata("--view", "+100us", "+400us")
        self.assertEqual((part["begin"], part["end"]), (100_000, 400_000))

    def test_names_of_any_kind_are_text(self):
        svg = self.drawn("--theme", "dark")
        titles = [title.text for title in ElementTree.fromstring(svg).iter(SVG + "title")]
        self.assertTrue(any(title.startswith('a<b>&"c" ]]> --') for title in titles))
        self.assertLess(len(svg), 60_000, "names are cut")

    def test_a_difference_is_drawn_as_a_table_too(self):
        other = self.write("other.json", [call("main", 0, 1000), call("draw", 100, 800), call("fresh", 950, 20)])
        status, out, err = picture(self.trace, other, "--of", "difference", "--table", "--out", "-", "--format", "svg")
        self.assertEqual(status, 0, err)
        texts = self.texts(ElementTree.fromstring(out))
        for text in ("Name", "Self A", "Self B", "draw", "fresh"):
            self.assertIn(text, texts)
        status, out, err = picture(self.trace, other, "--of", "difference", "--table", "--names", "1", "--out", "-",
                                   "--format", "svg")
        self.assertEqual(status, 0, err)
        self.assertNotIn("fresh", self.texts(ElementTree.fromstring(out)))

    def test_weights_have_numbers(self):
        self.assertEqual(self.drawn("--of", "flame-graph", "--weight", "1"),
                         self.drawn("--of", "flame-graph", "--weight", "calls"))

    def test_a_cut_call_has_torn_edges(self):
        whole = self.write("whole.json", [call("cut", 0, 100)])
        cut = self.write("cut.json", [call("cut", 0, 100, cut={"ts": -50, "dur": 300})])
        def teeth(trace):
            return len(list(self.tree("--no-gutter", trace=trace).iter(SVG + "polygon")))
        self.assertEqual(teeth(cut), teeth(whole) + 6)

    def test_equal_bytes_whoever_draws(self):
        for ending in ("svg", "png", "pdf"):
            first, second = self.path("a." + ending), self.path("b." + ending)
            self.assertEqual(picture(self.trace, "-o", first, "--jobs", "1", "--legend")[0], 0)
            self.assertEqual(picture(self.trace, "-o", second, "--jobs", "8", "--legend",
                                     env={**os.environ, "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "HOME": "/"},
                                     cwd=self.folder.name)[0], 0)
            with open(first, "rb") as a, open(second, "rb") as b:
                self.assertEqual(a.read(), b.read(), ending)

    def test_a_png_has_the_size_that_is_asked_for(self):
        status, png, err = picture(self.trace, "-o", "-", "--format", "png", "--width", "800", "--scale", "1.5")
        self.assertEqual(status, 0, err)
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(png[16:20], "big"), 1200)

    def test_a_png_that_is_too_large_is_refused(self):
        out = self.path("a.png")
        status, _, err = picture(self.trace, "-o", out, "--width", "20000", "--scale", "4")
        self.assertEqual(status, 1)
        self.assertIn("would be too large. Show fewer rows (--depth, --thread) or write SVG.", err)
        self.assertFalse(os.path.exists(out))

    def test_a_pdf_keeps_its_text_and_no_date_of_now(self):
        status, pdf, err = picture(self.trace, "-o", "-", "--format", "pdf")
        self.assertEqual(status, 0, err)
        self.assertTrue(pdf.startswith(b"%PDF"), pdf[:10])
        self.assertTrue(re.search(rb"CreationDate \((D:)?20000101", pdf))
        inflated = b"".join(self.streams(pdf))
        self.assertTrue(b"Tf" in inflated, "text, not outlines")
        dated = picture(self.trace, "-o", "-", "--format", "pdf", env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
        self.assertTrue(re.search(rb"CreationDate \((D:)?19700102", dated[1]))

    @staticmethod
    def streams(pdf):
        for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
            try:
                yield zlib.decompress(stream)
            except zlib.error:
                pass

    def test_a_page_holds_a_long_picture_in_parts(self):
        deep = self.write("deep.json", [call(f"f{i}", i, 1000 - 2 * i) for i in range(150)])
        status, pdf, err = picture(deep, "-o", "-", "--format", "pdf", "--page", "A4 landscape")
        self.assertEqual(status, 0, err)
        self.assertGreater(len(re.findall(rb"/Type /Page\b", pdf)), 1)

    def test_more_boxes_than_fit_are_merged_and_that_is_said(self):
        many = self.write("many.json", [call(f"f{i % 7}", 10 * i + depth, 9 - 2 * depth, tid=tid)
                                        for tid in range(4) for i in range(3000) for depth in range(3)])
        status, svg, err = picture(many, "-o", "-", "--format", "svg", "--boxes", "1000")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"Boxes under [\d.]+ px were merged: 1.000 at most\.")
        boxes = [group for group in ElementTree.fromstring(svg).iter(SVG + "g") if group.find(SVG + "title") is not None]
        self.assertLessEqual(len(boxes), 1000)
        self.assertTrue(any(re.match(r"\d+ calls, ", box.find(SVG + "title").text) for box in boxes))

    def test_rows_beyond_the_depth_are_summed_up(self):
        deep = self.write("deep.json", [call(f"f{i}", i, 1000 - 2 * i) for i in range(300)])
        self.assertIn("100 more rows", "".join(self.texts(self.tree(trace=deep))).replace("\u202f", " "))
        self.assertIn("297 more rows", self.texts(self.tree("--depth", "3", trace=deep)))

    def test_one_thread_and_few_rows(self):
        names = self.texts(self.tree("--thread", "CrRendererMain"))
        self.assertIn("main", names)
        self.assertNotIn("wait", names)
        names = self.texts(self.tree("--rows", "1", "--thread", "CrRendererMain"))
        self.assertIn("main", names)
        self.assertNotIn("upload", names)

    def test_a_search_dims_all_else(self):
        found = self.drawn("--search", "upload")
        self.assertNotEqual(found, self.drawn())

    def test_a_selected_call_has_an_outline(self):
        def outlines(*arguments):
            return [rect for rect in self.tree(*arguments).iter(SVG + "rect") if rect.get("stroke") == "#d9620e"]
        self.assertEqual(outlines(), [])
        first, second = outlines("--select", "draw"), outlines("--select", "CrRendererMain/draw#2")
        self.assertEqual((len(first), len(second)), (1, 1))
        self.assertLess(float(first[0].get("x")), float(second[0].get("x")))
        self.assertEqual(picture(self.trace, "-o", self.path("a.svg"), "--select", "nobody")[0], 1)

    def test_an_empty_range_is_said_and_leaves_no_file(self):
        out = self.path("a.svg")
        hole = self.write("hole.json", [call("a", 0, 10), call("b", 1000, 10)])
        status, _, err = picture(hole, "-o", out, "--view", "+100us", "+200us")
        self.assertEqual(status, 1)
        self.assertIn("Nothing lies in this range", err)
        self.assertFalse(os.path.exists(out))
        status, _, err = picture(hole, "-o", out, "--from", "5s")
        self.assertEqual(status, 1)
        self.assertIn("from 0 to 1010000 ns", err)

    def test_wrong_usage(self):
        for arguments in (["-o", "a.gif"], ["-o", "-"], ["-o", "a.svg", "--view", "1", "2", "--from", "1"],
                          ["-o", "a.svg", "--of", "window"], ["-o", "a.svg", "--format", "png"],
                          ["-o", "a.svg", "--of", "histogram"], ["-o", "a.svg", "--background", "pink!"]):
            self.assertEqual(picture(self.trace, *arguments)[0], 2, arguments)

    def test_files_are_kept(self):
        out = self.path("a.svg")
        self.assertEqual(picture(self.trace, "-o", out)[0], 0)
        status, _, err = picture(self.trace, "-o", out)
        self.assertEqual(status, 1)
        self.assertIn("--force", err)
        self.assertEqual(picture(self.trace, "-o", out, "--force")[0], 0)
        link = self.path("link.svg")
        os.symlink(self.trace, link)
        with open(self.trace, "rb") as file:
            before = file.read()
        self.assertEqual(picture(self.trace, "-o", link, "--force")[0], 1)
        with open(self.trace, "rb") as file:
            self.assertEqual(file.read(), before)
        status, _, err = picture(self.trace, "-o", self.path("no/a.svg"))
        self.assertEqual(status, 1)
        self.assertIn(self.path("no"), err)

    def test_killed_while_it_writes_it_leaves_nothing_under_the_name(self):
        out = self.path("killed.svg")
        for i in range(10):
            process = subprocess.Popen([BINARY, "picture", self.trace, "-o", out], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(0.004 * i)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if os.path.exists(out):
                ElementTree.parse(out)
                os.remove(out)

    def test_a_reader_that_closes_the_pipe_is_no_failure(self):
        process = subprocess.Popen([BINARY, "picture", self.trace, "-o", "-", "--format", "svg"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(), 0)
        process.stderr.close()

    def test_flame_graph_histogram_and_statistics(self):
        flame = self.texts(self.tree("--of", "flame-graph", "--thread", "CrRendererMain"))
        self.assertIn("All calls", flame)
        self.assertIn("upload", flame)
        zoomed = self.texts(self.tree("--of", "flame-graph", "--zoom", "main;draw"))
        self.assertNotIn("wait", zoomed)
        callers = self.texts(self.tree("--of", "flame-graph", "--way", "callers"))
        self.assertIn("upload", callers)
        function = self.texts(self.tree("--of", "flame-graph", "--way", "function", "draw"))
        self.assertIn("main", function)
        histogram = self.texts(self.tree("--of", "histogram", "--name", "draw"))
        self.assertTrue(any(text.startswith("median ") for text in histogram))
        statistics = self.texts(self.tree("--of", "statistics", "--names", "2"))
        self.assertIn("Total", statistics)
        self.assertNotIn("upload", statistics)
        status, _, err = picture(self.trace, "-o", "-", "--format", "svg", "--of", "histogram", "--name", "nobody")
        self.assertEqual(status, 1)
        self.assertIn("nobody", err)

    def test_outlines_hold_no_text(self):
        tree = self.tree("--outlines")
        self.assertEqual(self.texts(tree), [])
        self.assertGreater(len(list(tree.iter(SVG + "path"))), 5)


if __name__ == "__main__":
    unittest.main()
