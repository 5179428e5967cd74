#!/usr/bin/env python3
"""What a window keeps for the next start: settings, recent files, what is known of a trace; and one window for all.

    settings_test.py BINARY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

MS = 1_000_000  # nanoseconds


def trace(begin=0):
    calls = [("main", 1, 0, 1000), ("solve", 1, 400, 300), ("worker", 2, 200, 500)]
    return json.dumps([{"ph": "X", "pid": 1, "tid": tid, "ts": begin + at * 1000, "dur": length * 1000, "name": name}
                       for name, tid, at, length in calls])


class StoreCase(window_driver.WindowCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cinderscope-gui-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.env = window_driver.environment(self.display.name, self.folder)
        self.env["XDG_RUNTIME_DIR"] = self.folder
        self.path = self.write("small.json", trace())

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    def start(self, script, *arguments, env=None):
        lines, count = [], 0
        for line in script:
            if line == "state":
                line, count = f"state {self.folder}/{count}.json", count + 1
            lines.append(line)
        path = self.write("script.play", "\n".join(lines + ["quit"]) + "\n")
        return count, subprocess.Popen([BINARY, *arguments, "--play", path], env=env or self.env,
                                       stderr=subprocess.PIPE, text=True)

    def play(self, script, *arguments, env=None):
        """The states that a script of this many "state" lines wrote; self.said is its standard error."""
        count, program = self.start(script, *arguments, env=env)
        self.said = program.communicate(timeout=120)[1]
        self.assertEqual(program.returncode, 0, self.said)
        return [self.read(f"{i}.json") for i in range(count)]

    def settings(self):
        return self.read("config/cinderscope/settings.json")

    def recent(self):
        return [file["path"] for file in self.read("state/cinderscope/recent.json")["recent"]]


class SettingsTest(StoreCase):
    def test_a_later_start_looks_as_the_one_before(self):
        self.play(["command theme light", "command larger"])
        state, = self.play(["wait 200ms", "state"])
        self.assertEqual(state["window"]["theme"], "light")
        self.assertAlmostEqual(state["window"]["scale"], 1.125, places=3)
        self.assertEqual(self.said, "")

    def test_a_later_start_has_the_same_size(self):
        self.write("config/cinderscope/settings.json",
                   '{"window": {"width": 900, "height": 600, "maximised": false}}')
        state, = self.play(["wait 200ms", "state"])
        self.assertEqual((state["window"]["width"], state["window"]["height"]), (900, 600))
        self.assertEqual(self.settings()["window"]["width"], 900)

    def test_a_dragged_gutter_and_panel_stay(self):
        self.play(["wait loaded", "wait 100ms", "drag 232 400 332 400", "wait 100ms", "drag 800 686 800 600",
                   "wait 600ms"], self.path)
        self.assertAlmostEqual(self.settings()["gutter_px"], 332, delta=2)
        self.assertAlmostEqual(self.settings()["panel_px"], 976 - 600, delta=8)
        before = self.settings()
        self.play(["wait loaded", "wait 100ms"], self.path)
        self.assertEqual(self.settings(), before)

    def test_settings_are_written_while_the_window_is_open(self):
        count, program = self.start(["command theme light", "wait 1000ms", "state", "wait 60000ms"])
        try:
            deadline = time.time() + window_driver.PATIENCE_S
            while not os.path.exists(self.folder + "/0.json") and time.time() < deadline:
                time.sleep(0.05)
            self.assertEqual(self.settings()["theme"], "light")
        finally:
            program.kill()
            program.communicate()

    def test_a_broken_file_is_set_aside_and_said(self):
        path = self.write("config/cinderscope/settings.json", '{"theme": "li')
        state, = self.play(["wait 100ms", "state"])
        self.assertEqual(state["window"]["theme"], "dark")
        self.assertIn("settings.json.broken", self.said)
        self.assertTrue(os.path.exists(path + ".broken"))

    def test_no_place_to_write_is_said_once_and_does_no_harm(self):
        self.write("config", "a file where the folder should be")
        self.play(["command theme light", "wait 600ms", "command larger", "wait 600ms"], self.path)
        self.assertEqual(len(self.said.strip().splitlines()), 1, self.said)
        self.assertIn("cannot be written", self.said)

    def test_a_script_without_places_of_its_own_keeps_nothing(self):
        places = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        env = {name: value for name, value in self.env.items() if name not in places}
        self.play(["wait loaded", "command theme light", "command zoom-to 0 1000", "wait 500ms"], self.path, env=env)
        self.assertEqual(self.said, "")
        left = sorted(os.listdir(self.folder))
        self.assertNotIn(".config", left)
        self.assertNotIn(".local", left)

    def test_a_start_without_a_home_is_fine(self):
        env = {name: value for name, value in self.env.items() if not name.startswith("XDG_") and name != "HOME"}
        self.play(["wait loaded", "command theme light", "wait 500ms"], self.path, env=env)


class RecentFilesTest(StoreCase):
    def test_opened_files_are_listed_and_open_by_a_digit_or_the_arrows(self):
        other = self.write("other.json", trace())
        self.play(["wait loaded", "wait 200ms"], self.path)
        self.play(["wait loaded", "wait 200ms"], other)
        self.assertEqual(self.recent(), [other, self.path])
        by_digit, = self.play(["wait 100ms", "key 2", "wait loaded", "wait 300ms", "state"])
        self.assertEqual(by_digit["files"], [self.path])
        self.assertEqual(self.recent(), [self.path, other])
        by_arrows, = self.play(["wait 100ms", "key Down", "key Down", "key Enter", "wait loaded", "wait 100ms",
                                "state"])
        self.assertEqual(by_arrows["files"], [other])

    def test_a_click_opens_one(self):
        self.play(["wait loaded", "wait 200ms"], self.path)
        # The list's place depends on fonts and on what stands above it.
        clicks = [f"click 700 {y}" for y in range(250, 450, 11)]
        state, = self.play(["wait 100ms", *[step for click in clicks for step in (click, "wait 20ms")], "wait loaded",
                            "state"])
        self.assertIn(self.path, state["files"])

    def test_what_is_no_trace_is_not_listed(self):
        bad = self.write("bad.txt", "no trace at all")
        self.play(["wait loaded", "wait 200ms"], bad, os.path.join(self.folder, "missing.json"))
        self.assertFalse(os.path.exists(self.folder + "/state/cinderscope/recent.json"))

    def test_files_can_be_forgotten(self):
        other = self.write("other.json", trace())
        self.play(["wait loaded", "wait 200ms", f"command forget-recent {other}", "wait 200ms"], self.path, other)
        self.assertEqual(self.recent(), [self.path])
        self.play(["command forget-recent", "wait 200ms"])
        self.assertEqual(self.recent(), [])

    def test_a_file_that_is_gone_can_still_be_taken_off(self):
        self.play(["wait loaded", "wait 200ms"], self.path)
        os.remove(self.path)
        self.play(["wait 300ms", "key Down", "key Delete", "wait 200ms"])
        self.assertEqual(self.recent(), [])


class FileMemoryTest(StoreCase):
    def test_a_trace_looks_as_it_was_left(self):
        before, = self.play(["wait loaded", "wait 100ms", f"command zoom-to {400 * MS} {500 * MS}",
                             f"command select-range {410 * MS} {450 * MS}", "command hide 2",
                             "command bookmark the slow part", "wait 400ms", "state"], self.path)
        after, = self.play(["wait loaded", "wait 300ms", "state"], self.path)
        self.assertAlmostEqual(after["view"]["begin"], before["view"]["begin"], delta=10)
        self.assertAlmostEqual(after["view"]["end"], before["view"]["end"], delta=10)
        self.assertEqual(after["visible"]["rows"], before["visible"]["rows"])
        self.assertEqual(after["range"]["begin"], 410 * MS)
        self.assertEqual([mark["note"] for mark in after["bookmarks"]], ["the slow part"])

    def test_another_trace_of_the_same_name_starts_whole(self):
        self.play(["wait loaded", "wait 100ms", f"command zoom-to {400 * MS} {500 * MS}", "command bookmark old",
                   "wait 300ms"], self.path)
        self.write("small.json", trace(begin=7))
        state, = self.play(["wait loaded", "wait 300ms", "state"], self.path)
        self.assertGreater(state["view"]["end"] - state["view"]["begin"], 1000 * MS)
        self.assertEqual(state["bookmarks"], [])

    def test_a_view_that_was_only_looked_at_stays_whole(self):
        self.play(["wait loaded", "wait 200ms"], self.path)
        self.assertFalse(os.path.exists(self.folder + "/state/cinderscope/files"))


class BookmarkTest(StoreCase):
    def test_m_asks_for_a_note(self):
        noted, dropped = self.play(
            ["wait loaded", "wait 100ms", "move 700 300", "wait 100ms", "key M", "wait 200ms", "type slow here",
             "wait 100ms", "key Enter", "wait 100ms", "state", "move 1000 300", "wait 100ms", "key M", "wait 200ms",
             "type never mind", "key Escape", "wait 200ms", "state"], self.path)
        self.assertEqual([mark["note"] for mark in noted["bookmarks"]], ["slow here"])
        self.assertEqual(dropped["bookmarks"], noted["bookmarks"])

    def test_brackets_go_from_one_to_the_next(self):
        script = ["wait loaded", "wait 100ms", "command reduced-motion on"]
        for at in (100, 500, 800):
            script += [f"command zoom-to {at * MS} {(at + 50) * MS}", "wait 100ms", f"command bookmark at {at}"]
        keys = ["[", "[", "[", "]", "]"]
        for key in keys:
            script += [f"key {key}", "wait 150ms", "state"]
        states = self.play(script, self.path)
        self.assertEqual([round(state["view"]["begin"] / MS) for state in states], [500, 100, 800, 100, 500])

    def test_a_flag_can_be_clicked_and_removed(self):
        script = ["wait loaded", "wait 100ms", "command reduced-motion on", f"command zoom-to {100 * MS} {200 * MS}",
                  "move 900 300", "wait 100ms", "command bookmark here", "command zoom-out", "wait 200ms", "state"]
        out, = self.play(script, self.path)
        part = (out["bookmarks"][0]["time"] - out["view"]["begin"]) / (out["view"]["end"] - out["view"]["begin"])
        x = 232 + part * (1600 - 232) + 3
        shown, removed = self.play(["wait loaded", "wait 200ms", f"click {x:.0f} 110", "wait 300ms", "state",
                                    "command remove-bookmark", "state"], self.path)
        self.assertEqual(shown["view"]["begin"], out["bookmarks"][0]["begin"])
        self.assertEqual(removed["bookmarks"], [])


class HandOverTest(StoreCase):
    def await_file(self, name, holds=lambda content: True):
        deadline = time.time() + window_driver.PATIENCE_S
        while time.time() < deadline:
            path = os.path.join(self.folder, name)
            if os.path.exists(path) and holds(self.read(name)):
                return self.read(name)
            time.sleep(0.05)
        raise AssertionError(name + " did not come")

    def first_window(self):
        steps = []
        for i in range(300):
            steps += [f"state {self.folder}/live{i}.json", "wait 100ms"]
        count, program = self.start(["wait loaded", "wait 100ms", *steps], self.path, "--reuse")
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        self.await_file("live0.json")
        return program

    def newest(self):
        numbers = [int(name[4:-5]) for name in os.listdir(self.folder)
                   if name.startswith("live") and name.endswith(".json")]
        return self.read(f"live{max(numbers)}.json")

    def test_a_second_start_opens_its_file_in_the_first_window_if_asked(self):
        self.first_window()
        self.write("other.json", trace())
        done = subprocess.run([BINARY, "other.json", "--reuse"], env=self.env, cwd=self.folder, timeout=60,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        deadline = time.time() + window_driver.PATIENCE_S
        while len(self.newest()["files"]) < 2 and time.time() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.newest()["files"], [self.path, os.path.join(self.folder, "other.json")])

    def test_the_setting_asks_for_every_start_with_a_file(self):
        self.write("config/cinderscope/settings.json", '{"hand_over": true}')
        self.first_window()
        done = subprocess.run([BINARY, self.path], env=self.env, timeout=60, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_start_that_finds_no_window_opens_its_own(self):
        state, = self.play(["wait loaded", "wait 100ms", "state"], self.path, "--reuse")
        self.assertEqual(state["files"], [self.path])
        self.assertEqual(os.listdir(self.folder + "/cinderscope"), [])


if __name__ == "__main__":
    unittest.main()
