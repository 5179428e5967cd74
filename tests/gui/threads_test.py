#!/usr/bin/env python3
"""The gutter of the real window: pinning, hiding, solo, order, groups, and how time is written.

    threads_test.py BINARY"""
import json
import os
import shutil
import sys
import tempfile
import time
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

DAY_S = 1_700_000_000  # 2023-11-14 22:13:20 UTC
GUTTER, TOP, HEAD, ROW = 232, 40 + 54 + 26, 25, 34  # rows of one call each, at scale 1
NAMES = ["main", "audio", "net", "disk"]


def trace(begin_us=0, processes=2):
    """Processes "p0", "p1", ... with the same four threads each, one call on each thread."""
    events = []
    for pid in range(processes):
        events.append({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": f"p{pid}"}})
        for tid, name in enumerate(NAMES):
            events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}})
            events.append({"ph": "X", "pid": pid, "tid": tid, "ts": begin_us, "dur": 1000, "name": f"call {pid} {tid}"})
    return json.dumps(events)


def row_y(row, heads=1):
    """The line of the name of a thread's row, with so many heads above it."""
    return TOP + heads * HEAD + row * ROW + 13


class ThreadsCase(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.path = self.write("threads.json", trace())

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def states(self, *script, path=None):
        """Plays the steps on the trace; a state for each that is "state"."""
        lines, count = ["wait loaded", "command reduced-motion on", "wait 100ms"], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        code, said, out = window_driver.play(BINARY, lines + ["quit"], path or self.path, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 0, said)
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)])

    def shown(self, *script, path=None):
        return [state["threads"]["shown"] for state in self.states(*script, path=path)]


class GutterTest(ThreadsCase):
    def test_icons_hide_solo_and_pin(self):
        pin, hide, solo = GUTTER - 16, GUTTER - 36, GUTTER - 56
        hidden, alone, all_again, pinned, unpinned = self.states(
            f"click {hide} {row_y(1)}", "wait 100ms", "state",
            f"click {solo} {row_y(0)}", "wait 100ms", "state",
            f"click {solo} {row_y(0)}", "wait 100ms", "state",
            f"click {pin} {row_y(1)}", "wait 100ms", "state",
            f"click {pin} {row_y(0, heads=0)}", "wait 100ms", "state")
        self.assertEqual(hidden["threads"]["shown"], ["main", "net", "disk"] + NAMES)
        self.assertEqual(hidden["threads"]["hidden"], 1)
        self.assertEqual(alone["threads"]["shown"], ["main"])
        self.assertEqual(alone["threads"]["heads"], ["p0"])
        self.assertEqual(all_again["threads"]["shown"], hidden["threads"]["shown"])
        self.assertEqual(pinned["threads"]["pinned"], ["net"])
        self.assertEqual(pinned["threads"]["shown"], ["net", "main", "disk"] + NAMES)
        self.assertEqual(unpinned["threads"]["pinned"], [])

    def test_the_note_on_a_head_shows_what_was_hidden(self):
        hidden, shown = self.shown("command hide track 0", "command hide track 2", "wait 100ms", "state",
                                   f"click {GUTTER + 30} {TOP + 12}", "wait 100ms", "state")
        self.assertEqual(hidden, ["audio", "disk"] + NAMES)
        self.assertEqual(shown, NAMES + NAMES)

    def test_a_pinned_thread_stays_while_the_others_scroll(self):
        path = self.write("many.json", trace(processes=20))
        pinned, scrolled = self.states(
            "command pin track 0", "wait 100ms", f"move 800 {TOP + 12}", "wait 100ms", "state",
            "wheel -20 800 500 ctrl", "wait 300ms", f"move 800 {TOP + 12}", "wait 100ms", "state", path=path)
        self.assertEqual(pinned["hovered"]["name"], "call 0 0")
        self.assertGreater(scrolled["view"]["scroll_rows"], 5)
        self.assertEqual(scrolled["hovered"]["name"], "call 0 0")

    def test_a_call_that_is_gone_to_shows_its_thread(self):
        path = self.write("many.json", trace(processes=20))
        hidden, found = self.states("command hide track 78", "command collapse p19", "wait 100ms", "state",
                                    "find call 19 2", "wait 300ms", "move 800 1", "state", path=path)
        self.assertEqual(len(hidden["threads"]["shown"]), 19 * 4)
        self.assertEqual(len(found["threads"]["shown"]), 20 * 4)
        self.assertEqual(found["selected"]["name"], "call 19 2")
        self.assertGreater(found["view"]["scroll_rows"], 50)

    def test_a_double_click_folds_a_thread_and_a_click_folds_a_process(self):
        folded, closed = self.states(
            f"doubleclick 60 {row_y(0)}", "wait 100ms", f"move 60 {row_y(0)}", "wait 100ms", "state",
            f"click 60 {TOP + 12}", "wait 100ms", "state")
        self.assertEqual(folded["threads"]["shown"], NAMES + NAMES)
        self.assertEqual(closed["threads"]["shown"], NAMES)
        self.assertEqual(closed["threads"]["heads"], ["p0", "p1"])


class OrderTest(ThreadsCase):
    def test_a_dragged_thread_takes_another_place_in_its_group(self):
        down, up, far = self.shown(
            f"drag 60 {row_y(0)} 60 {row_y(2)}", "wait 100ms", "state",
            f"drag 60 {row_y(2)} 60 {row_y(1)}", "wait 100ms", "state",
            f"drag 60 {row_y(0)} 60 {row_y(6, heads=2)}", "wait 100ms", "state")
        self.assertEqual(down, ["audio", "net", "main", "disk"] + NAMES)
        self.assertEqual(up, ["audio", "main", "net", "disk"] + NAMES)
        self.assertEqual(far, ["main", "net", "disk", "audio"] + NAMES)  # not beyond its process

    def test_a_dragged_process_takes_all_its_threads_along(self):
        state, = self.states("command hide track 0",
                             f"drag 60 {TOP + 12} 60 {row_y(4, heads=2)}", "wait 100ms", "state")
        self.assertEqual(state["threads"]["heads"], ["p1", "p0"])
        self.assertEqual(state["threads"]["shown"], NAMES + NAMES[1:])

    def test_commands_move_threads(self):
        up, top, away = self.shown(
            "command move-thread track 2 up", "wait 100ms", "state",
            "command move-thread track 3 top", "wait 100ms", "state",
            "command sort index", "wait 100ms", "state")
        self.assertEqual(up[:4], ["main", "net", "audio", "disk"])
        self.assertEqual(top[:4], ["disk", "main", "net", "audio"])
        self.assertEqual(away[:4], NAMES)

    def test_groups_by_pattern_and_none(self):
        letters, none, process = self.states(
            "command group ^[mn]", "wait 100ms", "state", "command group none", "wait 100ms", "state",
            "command group process", "wait 100ms", "state")
        self.assertEqual(letters["threads"]["heads"], ["m", "n", "other"])
        self.assertEqual(letters["threads"]["shown"], ["main", "main", "net", "net", "audio", "disk", "audio", "disk"])
        self.assertEqual(none["threads"]["heads"], [])
        self.assertEqual(process["threads"]["heads"], ["p0", "p1"])

    def test_a_pattern_that_does_not_compile_changes_nothing(self):
        state, = self.states("command group audio", "wait 100ms", "state")
        self.assertEqual(state["threads"]["heads"], ["audio", "other"])
        code, said, out = window_driver.play(
            BINARY, ["wait loaded", "command group ab[c", "quit"], self.path, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 2)
        self.assertIn("missing ] at character 3", said)


class FilterTest(ThreadsCase):
    def test_escape_leaves_the_filter_with_all_threads(self):
        typed, left = self.shown("command filter", "wait 100ms", "type au", "wait 100ms", "state",
                                 "key Escape", "wait 100ms", "state")
        self.assertEqual(typed, ["audio", "audio"])
        self.assertEqual(left, NAMES + NAMES)

    def test_groups_and_ids_are_matched(self):
        process, pattern = self.shown("command filter p1", "wait 100ms", "state",
                                      "command group ([dn])", "command filter D", "wait 100ms", "state")
        self.assertEqual(process, NAMES)
        self.assertEqual(pattern, ["audio", "disk", "audio", "disk"])


class TimeShownTest(ThreadsCase):
    def setUp(self):
        super().setUp()
        zone = os.environ.get("TZ")
        os.environ["TZ"] = "XXX-05:30"
        self.addCleanup(lambda: os.environ.pop("TZ") if zone is None else os.environ.update(TZ=zone))

    def test_the_head_of_the_ruler_goes_through_all_kinds(self):
        path = self.write("day.json", trace(begin_us=DAY_S * 1_000_000))
        click = [f"click 60 {40 + 54 + 13}", "wait 100ms", "state"]
        states = self.states("state", *click, *click, *click, path=path)
        self.assertEqual([state["time_shown"] for state in states],
                         ["from the start of the trace", "in the file's clock", "as time of day, 2023-11-15, UTC+05:30",
                          "from the start of the trace"])

    def test_a_clock_that_began_at_the_start_up_tells_no_time_of_day(self):
        code, said, out = window_driver.play(
            BINARY, ["wait loaded", "command time-shown clock", "command time-shown day", "quit"], self.path,
            display=self.display.name)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, 2)
        self.assertIn("no time of day", said)


class MouseTest(ThreadsCase):
    def test_escape_gives_a_dragged_thread_back(self):
        window = window_driver.LiveWindow(BINARY, self.path, display=self.display.name)
        self.addCleanup(window.close)

        def at(x, y, *more):
            window.xdotool("mousemove", "--window", window.window, str(x), str(y), *more)
            time.sleep(0.1)

        at(60, row_y(0))
        window.xdotool("mousedown", "1")
        at(60, row_y(1))
        at(60, row_y(2))
        window.xdotool("key", "Escape")
        time.sleep(0.2)
        window.xdotool("mouseup", "1")
        time.sleep(0.2)
        window.await_state(lambda state: state["threads"]["shown"] == NAMES + NAMES)
        at(60, row_y(0))
        window.xdotool("mousedown", "1")
        at(60, row_y(1))
        at(60, row_y(2))
        window.xdotool("mouseup", "1")
        window.await_state(lambda state: state["threads"]["shown"][:4] == ["audio", "net", "main", "disk"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
