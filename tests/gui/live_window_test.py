#!/usr/bin/env python3
"""Mouse, keys and drops from outside change what the window reports.

    live_window_test.py BINARY XDND_SOURCE"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import window_driver

BINARY, XDND_SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:3]

CALLS = [  # one thread: main [0, 1000) ms with three calls in it, the middle one with a call of its own
    ("main", 0, 1000), ("parse", 100, 200), ("solve", 400, 300), ("step", 450, 100), ("write", 800, 150)]


def trace_text():
    return json.dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": begin * 1000, "dur": length * 1000, "name": name}
                       for name, begin, length in CALLS])


def span(state):
    return state["view"]["end"] - state["view"]["begin"]


class LiveWindowTest(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "small trace ü.json")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(trace_text())

    def open(self, *files):
        window = window_driver.LiveWindow(BINARY, *files, display=self.display.name)
        self.addCleanup(window.close)
        return window

    def place(self, state, time_ms, row):
        """Pixel of a time on a row of the only thread: gutter 232, rows from 40 + 54 + 24 + heads."""
        width = state["window"]["width"] - 232
        x = 232 + (time_ms * 1e6 - state["view"]["begin"]) / span(state) * width
        return str(round(x)), str(40 + 55 + 24 + 25 + 4 + 9 + 19 * row)

    def test_wheel_zooms_at_the_pointer(self):
        window = self.open(self.path)
        before = window.await_state(lambda state: span(state) > 0)
        x, y = self.place(before, 500, 0)
        window.xdotool("mousemove", "--window", window.window, x, y)
        window.xdotool("click", "--repeat", "3", "4")
        after = window.await_state(lambda state: span(state) < span(before) * 0.9, "a closer view")
        middle = lambda state: (500e6 - state["view"]["begin"]) / span(state)
        self.assertAlmostEqual(middle(before), middle(after), delta=0.01)

    def test_drag_pans(self):
        window = self.open(self.path)
        before = window.await_state(lambda state: span(state) > 0)
        x, y = self.place(before, 500, 0)
        window.xdotool("mousemove", "--window", window.window, x, y)
        window.xdotool("click", "--repeat", "5", "4")
        close = window.await_state(lambda state: span(state) < span(before) * 0.6, "a closer view")
        window.xdotool("mousemove", "--window", window.window, x, y, "mousedown", "1")
        for step in range(1, 11):
            window.xdotool("mousemove", "--window", window.window, str(int(x) - 15 * step), y)
        window.xdotool("mouseup", "1")
        window.await_state(lambda state: state["view"]["begin"] > close["view"]["begin"] and
                           abs(span(state) - span(close)) < 0.01 * span(close), "a later view")

    def test_click_selects_and_double_click_zooms(self):
        window = self.open(self.path)
        before = window.await_state(lambda state: span(state) > 0)
        x, y = self.place(before, 600, 1)
        window.xdotool("mousemove", "--window", window.window, x, y, "click", "1")
        selected = window.await_state(lambda state: state["selected"], "a selection")["selected"]
        self.assertEqual((selected["name"], selected["begin"], selected["duration"], selected["self"]),
                         ("solve", 400_000_000, 300_000_000, 200_000_000))
        window.xdotool("click", "--repeat", "2", "--delay", "80", "1")
        after = window.await_state(lambda state: span(state) < 0.6 * span(before), "the call's view")
        self.assertLessEqual(after["view"]["begin"], 400_000_000)
        self.assertGreaterEqual(after["view"]["end"], 700_000_000)

    def test_keys_move_the_selection(self):
        window = self.open(self.path)
        before = window.await_state(lambda state: span(state) > 0)
        x, y = self.place(before, 600, 1)
        window.xdotool("mousemove", "--window", window.window, x, y, "click", "1")
        named = lambda name: window.await_state(
            lambda state: state["selected"] and state["selected"]["name"] == name, name)
        named("solve")
        for key, name in (("Down", "step"), ("Up", "solve"), ("Right", "write"), ("Left", "solve"), ("Up", "main")):
            window.xdotool("key", key)
            named(name)
        window.xdotool("key", "Escape")
        window.await_state(lambda state: state["selected"] is None, "no selection")

    def test_keys_zoom_and_fit(self):
        window = self.open(self.path)
        before = window.await_state(lambda state: span(state) > 0)
        window.xdotool("mousemove", "--window", window.window, "900", "300")
        window.xdotool("keydown", "w")
        window.await_state(lambda state: span(state) < 0.5 * span(before), "a closer view")
        window.xdotool("keyup", "w", "key", "0")
        window.await_state(lambda state: abs(span(state) - span(before)) < 0.01 * span(before), "the whole")

    def test_drop_opens_a_file(self):
        window = self.open()
        window.await_state(lambda state: not state["files"])
        done = subprocess.run([XDND_SOURCE, window.window, "500", "400", self.path], env=window.env,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        window.await_state(lambda state: self.path in state["files"] and span(state) > 0, "the file")

    def test_drop_of_several_files_opens_them(self):  # of one or two it is asked what they are for
        others = [self.path.replace("small", name) for name in ("second", "third")]
        for path in others:
            with open(path, "w", encoding="utf-8") as file:
                file.write(trace_text())
        window = self.open(self.path)
        done = subprocess.run([XDND_SOURCE, window.window, "500", "400", *others, self.path + ".missing"],
                              env=window.env, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        window.await_state(lambda state: {self.path, *others} <= set(state["files"]), "all files")


if __name__ == "__main__":
    unittest.main()
