#!/usr/bin/env python3
"""The command palette, keys that the user changes, menus and other layouts, in the real window.

    palette_test.py BINARY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import pixels
import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

MS = 1_000_000  # nanoseconds
CALLS = [(1, "main", 0, 1000), (1, "solve", 400, 300), (2, "worker", 200, 500), (3, "שלום ‮ עולם", 100, 700),
         (4, "مرحبا\nبالعالم", 0, 900), (5, "😀 \x00 \t" + "x" * 3000, 0, 900)]


def trace_text():
    events = [{"ph": "X", "pid": 1, "tid": tid, "ts": begin * 1000, "dur": length * 1000, "name": name}
              for tid, name, begin, length in CALLS]
    names = [{"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": name}}
             for tid, name in ((1, "zebra"), (2, "apple"), (3, "שרשור"), (4, "خيط\u202e"), (5, "line\nbreak"))]
    return json.dumps(events + names)


def span(state):
    return state["view"]["end"] - state["view"]["begin"]


class PaletteTest(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "small.json")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(trace_text())

    def play(self, *steps, files=None):
        """The states that the script's `state NAME` steps wrote, by name, and its folder."""
        steps = [step.replace("state ", "state OUT/") + ".json" if step.startswith("state ") else step
                 for step in steps]
        status, error, folder = window_driver.play(BINARY, ["wait loaded", "wait 100ms", *steps, "quit"],
                                                   *(files or [self.path]), display=self.display.name)
        self.addCleanup(shutil.rmtree, folder, True)
        self.assertEqual(status, 0, error)
        states = {}
        for name in os.listdir(folder):
            if name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    states[name[:-5]] = json.load(file)
        return states, folder

    def live(self):
        window = window_driver.LiveWindow(BINARY, self.path, display=self.display.name)
        self.addCleanup(window.close)
        window.xdotool("windowfocus", window.window)
        return window

    def picture(self, folder, name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    def theme(self, state):
        return state["window"]["theme"]

    def test_a_command_is_found_by_some_of_its_letters(self):
        states, _ = self.play("find solve", "wait 200ms", "state near", "key Ctrl+Shift+P", "type whtr", "key Enter",
                              "wait 300ms", "state far")
        self.assertLess(span(states["near"]), 500 * MS)
        self.assertGreaterEqual(span(states["far"]), 1000 * MS)

    def test_an_argument_is_asked_for_in_the_same_field(self):
        states, _ = self.play("key Ctrl+Shift+P", "type zoom-to", "key Enter", f"type {400 * MS} {500 * MS}",
                              "key Enter", "wait 300ms", "state near")
        self.assertLess(span(states["near"]), 150 * MS)
        self.assertLessEqual(states["near"]["view"]["begin"], 400 * MS)

    def test_choices_are_listed_and_chosen_by_arrows(self):
        states, _ = self.play("key Ctrl+Shift+P", "type theme", "key Enter", "wait 100ms", "key Down", "key Enter",
                              "wait 200ms", "state light", "key Ctrl+Shift+P", "key Enter", "key Up", "key Up",
                              "key Up", "key Up", "key Enter", "wait 200ms", "state dark")
        self.assertEqual([self.theme(states[name]) for name in ("light", "dark")], ["light", "dark"])

    def test_escape_goes_back_one_step_and_nothing_is_done(self):
        states, _ = self.play("key Ctrl+Shift+P", "type theme", "key Enter", "key Escape", "key Escape", "key T",
                              "wait 200ms", "state once")
        self.assertEqual(self.theme(states["once"]), "light")  # the T came through to the window

    def test_a_click_beside_it_closes_it_and_reaches_nothing_else(self):
        states, _ = self.play("find solve", "key Escape", "key Ctrl+Shift+P", "wait 100ms", "click 40 600",
                              "wait 200ms", "state after", "key T", "wait 200ms", "state light")
        self.assertIsNone(states["after"]["selected"])
        self.assertEqual(self.theme(states["light"]), "light")

    def test_keys_of_the_window_are_letters_while_it_is_open(self):
        states, _ = self.play("state before", "key Ctrl+Shift+P", "key T", "key W", "wait 300ms", "key Escape",
                              "wait 100ms", "state after")
        self.assertEqual(self.theme(states["after"]), self.theme(states["before"]))
        self.assertEqual(states["after"]["view"], states["before"]["view"])

    def test_a_bound_key_runs_its_command_and_its_old_one_no_longer(self):
        states, _ = self.play("command bind theme G Ctrl+Shift+F7", "key G", "wait 200ms", "state one", "key T",
                              "wait 200ms", "state two", "key Ctrl+Shift+F7", "wait 200ms", "state three",
                              "command default-keys", "key T", "wait 200ms", "state four")
        self.assertEqual([self.theme(states[name]) for name in ("one", "two", "three", "four")],
                         ["light", "light", "dark", "light"])

    def test_what_cannot_be_bound_is_refused(self):
        for step in ("command bind theme Hyper+X", "command bind nonsense G", "command wheel sideways",
                     "command colours pink", "command theme pink", "command reduced-motion maybe"):
            status, error, folder = window_driver.play(BINARY, ["wait loaded", step, "quit"], self.path,
                                                       display=self.display.name)
            shutil.rmtree(folder, True)
            self.assertEqual(status, 2, step)
            self.assertIn(step.split()[1], error)

    def test_settings_take_effect(self):
        states, _ = self.play("command wheel scroll", "move 800 300", "state before", "wheel 2 800 300", "wait 300ms",
                              "state scrolled", "wheel 2 800 300 ctrl", "wait 300ms", "state zoomed",
                              "command theme system", "wait 300ms", "command reduced-motion on", "state last")
        self.assertEqual(span(states["scrolled"]), span(states["before"]))
        self.assertLess(span(states["zoomed"]), span(states["before"]))

    def test_a_thread_is_gone_to_by_name(self):
        states, _ = self.play("command hide apple", "command go-to apple", "wait 200ms", "state shown")
        self.assertGreaterEqual(states["shown"]["visible"]["rows"], 2)
        states, _ = self.play("command filter zebra", "wait 100ms", "command go-to apple", "wait 200ms", "state shown")
        self.assertIn("apple", states["shown"]["threads"]["shown"])

    def test_a_held_key_that_was_bound_with_ctrl_ends_when_it_goes_up(self):
        states, _ = self.play("command bind zoom-in Ctrl+I", "key Ctrl+I", "wait 300ms", "state first", "wait 300ms",
                              "state second")
        self.assertEqual(span(states["first"]), span(states["second"]))

    def test_every_menu_opens_and_closes(self):
        steps = []
        for number, target in enumerate(("", "track 0", "process 0", "tab 1", "ruler", "overview", "empty", "merged",
                                         "track 99999", "nonsense \u202e")):
            steps += [f"command context-menu {target}", "wait 60ms", f"screenshot OUT/{number}.png", "key Escape",
                      "wait 60ms"]
        _, folder = self.play("screenshot OUT/plain.png", "wait 50ms", *steps)
        plain = self.picture(folder, "plain.png")
        for number in (0, 1, 2, 3, 4, 5, 6):
            self.assertNotEqual(self.picture(folder, f"{number}.png"), plain, number)

    def test_names_of_any_script_and_any_bytes_are_drawn_and_copied(self):
        _, folder = self.play("find שלום ‮ עולם", "command copy-name", "wait 200ms", "screenshot OUT/names.png",
                              "command larger", "command colours colour-blind", "wait 200ms",
                              "screenshot OUT/larger.png")
        self.assertTrue(os.path.getsize(os.path.join(folder, "larger.png")) > 1000)

    def test_names_of_files_are_drawn_in_any_script(self):
        if not subprocess.run(["fc-list", ":lang=ja", "file"], capture_output=True).stdout:
            self.skipTest("this machine has no Japanese font")
        bars = []
        for name in ("日本", "東京"):
            path = os.path.join(os.path.dirname(self.path), f"{name}.json")
            shutil.copy(self.path, path)
            _, folder = self.play("wait 1s", "screenshot OUT/window.png", files=[path])
            bars.append(pixels.tool_bar(os.path.join(folder, "window.png")))
        self.assertTrue(bars[0] != bars[1], "each character is the same box")

    def test_typing_works_from_outside(self):
        window = self.live()
        before = window.await_state(lambda state: span(state) > 0)
        window.xdotool("key", "ctrl+shift+p")
        window.await_state(lambda state: True)
        window.xdotool("type", "--delay", "30", "zoom-to 400000000 500000000")
        window.xdotool("key", "Return")
        window.await_state(lambda state: span(state) < 0.3 * span(before), "the range")

    def test_keys_are_bound_by_typing_in_the_palette(self):
        window = self.live()
        before = window.await_state(lambda state: span(state) > 0)
        self.assertEqual(self.theme(before), "dark")
        window.xdotool("key", "ctrl+shift+p")
        window.await_state(lambda state: True)
        window.xdotool("type", "--delay", "30", "bind theme F9")
        window.xdotool("key", "Return")
        window.await_state(lambda state: True)
        window.xdotool("key", "F9")
        window.await_state(lambda state: self.theme(state) == "light", "the light theme")

    def test_keys_are_changed_by_a_click_in_the_key_help(self):
        # Backspace takes the keys away from each row of the right column; T is one of them.
        clicks = [step for y in range(250, 800, 18) for step in (f"click 832 {y}", "key Backspace")]
        states, _ = self.play("command help", "wait 100ms", *clicks, "command help", "wait 100ms", "key T",
                              "wait 100ms", "state without", "command default-keys", "key T", "wait 100ms",
                              "state again")
        self.assertEqual([self.theme(states[name]) for name in ("without", "again")], ["dark", "light"])

    def test_letters_go_by_place_and_punctuation_by_character_on_any_layout(self):
        if shutil.which("setxkbmap") is None:
            self.skipTest("not installed: setxkbmap")
        keymap = lambda layout: subprocess.run(["setxkbmap", layout], env=dict(os.environ, DISPLAY=self.display.name),
                                               capture_output=True)
        self.addCleanup(keymap, "us")
        window = self.live()
        now = window.await_state(lambda state: span(state) > 0)
        # Place of T on all of them; the letters differ on the Russian one.
        for layout in ("de", "fr", "ru", "us"):
            self.assertEqual(keymap(layout).returncode, 0)
            time.sleep(0.3)
            wanted = "light" if self.theme(now) == "dark" else "dark"
            window.xdotool("key", "28")  # the keycode of that place
            now = window.await_state(lambda state: self.theme(state) == wanted, f"a theme on {layout}")
        # A bound bracket: AltGr and 8 on a German layout, a key of its own on a US one.
        window.xdotool("key", "ctrl+shift+p")
        window.await_state(lambda state: True)
        window.xdotool("type", "--delay", "30", "bind theme [")
        window.xdotool("key", "Return")
        window.await_state(lambda state: True)
        keymap("de")
        time.sleep(0.3)
        window.xdotool("keydown", "108", "key", "17", "keyup", "108")
        window.await_state(lambda state: self.theme(state) != self.theme(now), "a theme by AltGr+8")


if __name__ == "__main__":
    unittest.main()
