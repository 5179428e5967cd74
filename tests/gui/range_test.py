#!/usr/bin/env python3
"""The selected range of the real window: made, changed, moved, zoomed to and given up by mouse and keys.

    range_test.py BINARY"""
import json
import os
import shutil
import sys
import tempfile
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

MS = 1_000_000  # nanoseconds
CALLS = [("main", 0, 1000), ("parse", 100, 200), ("solve", 400, 300), ("write", 800, 150)]  # begin and length in ms
GUTTER, RULER_Y, EMPTY_Y = 232, 40 + 54 + 13, 500
VIEW_MS = 1000


class RangeTest(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "small.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": 1, "ts": begin * 1000, "dur": length * 1000, "name": name}
                       for name, begin, length in CALLS], file)

    def states(self, *script):
        """States at each step "state"; the view is [0, 1000) ms at first."""
        lines, count = ["wait loaded", f"command zoom-to 0 {VIEW_MS * MS}", "wait 200ms"], 0
        for step in script:
            if step == "state":
                step, count = f"state OUT/{count}.json", count + 1
            lines.append(step)
        code, said, out = window_driver.play(BINARY, lines + ["quit"], self.path, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    @staticmethod
    def x(time_ms):
        return GUTTER + time_ms / VIEW_MS * (1600 - GUTTER)

    def drag(self, from_ms, to_ms, y=RULER_Y, held=""):
        return f"drag {self.x(from_ms):.1f} {y} {self.x(to_ms):.1f} {y} {held}".strip()

    def assert_range(self, state, begin_ms, end_ms):
        """To a pixel, or exactly where it snaps to a call."""
        self.assertIsNotNone(state["range"])
        for found, wanted in ((state["range"]["begin"], begin_ms), (state["range"]["end"], end_ms)):
            self.assertAlmostEqual(found / MS, wanted, delta=0 if wanted in (0, 100, 300, 400, 700, 800, 950) else 1.5)

    def test_a_drag_on_the_ruler_selects(self):
        state, = self.states(self.drag(150, 250), "state")
        self.assert_range(state, 150, 250)
        self.assertEqual(state["view"]["begin"], 0)

    def test_a_drag_with_shift_selects_and_snaps_to_calls(self):
        state, = self.states(self.drag(102, 697, EMPTY_Y, "shift"), "state")
        self.assert_range(state, 100, 700)

    def test_alt_lets_the_edges_go_free(self):
        state, = self.states(self.drag(102, 697, RULER_Y, "alt"), "state")
        self.assertNotEqual(state["range"]["begin"], 100 * MS)
        self.assertAlmostEqual(state["range"]["begin"] / MS, 102, delta=1.5)

    def test_edges_are_dragged(self):
        later, wider = self.states(self.drag(150, 250), self.drag(250, 550, EMPTY_Y), "state",
                                   self.drag(150, 50), "state")
        self.assert_range(later, 150, 550)
        self.assert_range(wider, 50, 550)

    def test_the_bar_moves_all_of_it(self):
        state, = self.states(self.drag(140, 240, RULER_Y, "alt"), self.drag(160, 490, RULER_Y, "alt"), "state")
        self.assert_range(state, 470, 570)

    def test_a_double_click_on_the_bar_zooms_to_it(self):
        state, = self.states(self.drag(150, 350), "wait 600ms", f"doubleclick {self.x(180)} {RULER_Y}", "wait 300ms",
                             "state")
        self.assertLess(state["view"]["end"] - state["view"]["begin"], 260 * MS)
        self.assert_range(state, 150, 350)

    def test_zoom_range_zooms_to_it(self):
        state, = self.states(self.drag(150, 350), "command zoom-range", "wait 300ms", "state")
        self.assertLess(state["view"]["end"] - state["view"]["begin"], 260 * MS)

    def test_the_cross_and_a_click_beside_it_give_it_up(self):
        ranged, crossed, beside = self.states(
            self.drag(150, 350), "state", f"click {self.x(250) + 35} {RULER_Y}", "state",
            self.drag(150, 350), "wait 600ms", f"click {self.x(600)} {RULER_Y}", "state")
        self.assertIsNotNone(ranged["range"])
        self.assertIsNone(crossed["range"])
        self.assertIsNone(beside["range"])

    def open(self):
        window = window_driver.LiveWindow(BINARY, self.path, display=self.display.name)
        self.addCleanup(window.close)
        return window

    def pointer(self, window, x, y, *more):
        window.xdotool("mousemove", "--window", window.window, str(round(x)), str(round(y)), *more)

    def test_the_range_follows_the_pointer_and_escape_gives_the_drag_up(self):
        window = self.open()
        window.await_state(lambda state: state["view"]["end"] > 0)
        self.pointer(window, 500, RULER_Y, "mousedown", "1")
        for x in range(500, 620, 20):
            self.pointer(window, x, RULER_Y)
        window.await_state(lambda state: state["range"], "a range while the button is held")
        window.xdotool("key", "Escape")
        window.await_state(lambda state: state["range"] is None, "no range")
        self.pointer(window, 700, RULER_Y)
        window.xdotool("mouseup", "1")
        window.await_state(lambda state: state["range"] is None, "still no range")

    def test_a_drag_held_beyond_the_edge_pans(self):
        window = self.open()
        before = window.await_state(lambda state: state["view"]["end"] > 0)
        self.pointer(window, 900, 400, "click", "--repeat", "12", "4")  # zooms in
        near = window.await_state(lambda state: state["view"]["end"] - state["view"]["begin"] <
                                  0.2 * (before["view"]["end"] - before["view"]["begin"]), "a closer view")
        self.pointer(window, 600, RULER_Y, "mousedown", "1")
        for x in range(600, 50, -50):
            self.pointer(window, x, RULER_Y)
        panned = window.await_state(lambda state: state["range"] and state["view"]["begin"] <
                                    near["view"]["begin"] - 20 * MS, "an earlier view")  # once it moves no more
        self.assertLess(panned["range"]["begin"], near["view"]["begin"])
        window.xdotool("mouseup", "1")

    def test_the_menu_of_the_ruler_zooms_to_the_range(self):
        window = self.open()
        before = window.await_state(lambda state: state["view"]["end"] > 0)
        self.pointer(window, 700, RULER_Y, "mousedown", "1")
        for x in range(700, 920, 20):
            self.pointer(window, x, RULER_Y)
        window.xdotool("mouseup", "1")
        window.await_state(lambda state: state["range"], "a range")
        close = lambda state: (state["view"]["end"] - state["view"]["begin"] <
                               0.5 * (before["view"]["end"] - before["view"]["begin"]))
        self.pointer(window, 760, RULER_Y, "click", "3")
        window.await_state(lambda state: True)
        # Below four entries and two lines; the pointer rests there before it clicks.
        self.pointer(window, 790, RULER_Y + 5 + 4 * 26 + 2 * 9 + 13)
        window.await_state(lambda state: True)
        window.xdotool("click", "1")
        window.await_state(close, "a view of the range")


if __name__ == "__main__":
    unittest.main()
