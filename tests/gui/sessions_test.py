#!/usr/bin/env python3
"""Sessions and places in the real window: saved in one home folder, opened in a fresh one.

    sessions_test.py BINARY"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from pixels import pixels
from window_driver import WindowCase, play, states_of

BINARY = os.path.abspath(sys.argv.pop(1))


def events(shift_us):
    names = [{"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": name}}
             for tid, name in ((1, "main"), (2, "worker"))]
    calls = [{"ph": "X", "pid": 1, "tid": 1 + i % 2, "ts": shift_us + 1000 * i, "dur": 700, "name": f"step {i % 7}"}
             for i in range(200)]
    return json.dumps(names + calls)


# Of `state`: what depends on the moment.
OF_THE_MOMENT = ("frame_ms", "input_ms", "presented", "first_picture_ms", "kept_bytes", "window", "hovered")


class Sessions(WindowCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cinderscope-gui-sessions-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, shift in (("a.json", 0), ("b.json", 5000)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(events(shift))

    def path(self, name):
        return os.path.join(self.folder, name)

    def played(self, script, *files, state):
        status, said, out = play(BINARY, script, *files, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, ignore_errors=True)
        self.assertEqual((status, said), (0, ""))
        return states_of(out, state)[0], out

    def test_state_is_equal_in_a_fresh_home(self):
        saved, _ = self.played([
            "wait loaded", "command tab 1", "command pin worker", "command hide main", "command bookmark look here",
            "command zoom-to +20ms +60ms", "command select-range +25ms +30ms", "find step 3", "command search step 5",
            "wait search", "command panel statistics", "command save-session " + self.path("night.cinder"),
            "wait 200ms", "state OUT/saved.json", "quit"], self.path("a.json"), self.path("b.json"), state="saved.json")
        again, _ = self.played(["wait loaded", "wait search", "wait 200ms", "state OUT/again.json", "quit"],
                               self.path("night.cinder"), state="again.json")
        for key in OF_THE_MOMENT:
            saved.pop(key, None)
            again.pop(key, None)
        self.assertEqual(saved["session"]["path"], self.path("night.cinder"))
        self.assertEqual(again, saved)

    def test_a_pack_shows_the_same_to_a_colleague(self):
        saved, _ = self.played([
            "wait loaded", "command tab 1", "command pin worker", "command bookmark look here",
            "command zoom-to +20ms +60ms", "find step 3", "command pack " + self.path("night.cinderpack"),
            "wait saved", "wait 200ms", "state OUT/saved.json", "quit"],
            self.path("a.json"), self.path("b.json"), state="saved.json")
        away = os.path.join(self.folder, "away")
        os.mkdir(away)
        shutil.move(self.path("night.cinderpack"), away)
        os.remove(self.path("a.json"))
        os.remove(self.path("b.json"))
        pack = os.path.join(away, "night.cinderpack")
        again, out = self.played(["wait loaded", "wait 300ms", "state OUT/again.json", "command pack", "wait saved",
                                  "wait 200ms", "screenshot OUT/sheet.png", "command pack-with close",
                                  "command unpack " + self.path("un"), "wait saved", "quit"], pack, state="again.json")
        self.assertEqual(again["session"]["path"], pack)
        for key in ("view", "selected", "bookmarks"):
            self.assertEqual(again[key], saved[key], key)
        self.assertTrue(os.path.exists(os.path.join(out, "sheet.png")))
        self.assertEqual(os.listdir(away), ["night.cinderpack"])
        self.assertEqual(sorted(os.listdir(self.path("un"))), ["README.txt", "session.cinder", "traces"])

    def test_work_on_several_traces_is_there_again(self):
        """Two traces, both on one timeline, both compared: state and picture of every tab."""
        work = ["wait loaded", "command tab 1", "command pin worker", "command group main",
                "command bookmark look here", "command zoom-to +20ms +60ms", "find step 3", "command search step 5",
                "command tab 2", "command hide main", "command panel flame-graph",
                "command merge " + self.path("a.json") + " +3ms", "wait loaded", "command bookmark both",
                "command open " + self.path("b.json"), "wait loaded",
                f"command compare {self.path('a.json')} {self.path('b.json')}", "wait compared",
                "command compare-measure total", "wait compared", "command panel names"]
        shown = ["wait 300ms"]
        for tab in (1, 2, 3, 4):
            shown += [f"command tab {tab}", "wait loaded", "wait search", "wait compared", "wait 300ms",
                      f"state OUT/{tab}.json", f"screenshot OUT/{tab}.png"]
        saved, out = self.all_of(work + ["command save-session " + self.path("night.cinder"), "wait saved"] + shown,
                                 self.path("a.json"), self.path("b.json"))
        again, out_again = self.all_of(["wait loaded"] + shown, self.path("night.cinder"))
        kinds = [tab["kind"] for tab in self.session_file()["tabs"]]
        self.assertEqual(sorted(kinds), ["comparison", "merged", "trace", "trace"])
        for before, after in zip(saved, again):
            self.assertEqual(after, before)
        for tab in (1, 2, 3, 4):
            with self.subTest(tab=tab):
                self.assertEqual(pixels(os.path.join(out_again, f"{tab}.png")),
                                 pixels(os.path.join(out, f"{tab}.png")))

    def all_of(self, script, *files):
        status, said, out = play(BINARY, script + ["quit"], *files, display=self.display.name)
        self.addCleanup(shutil.rmtree, out, ignore_errors=True)
        self.assertEqual((status, said), (0, ""))
        states = states_of(out, *(f"{tab}.json" for tab in (1, 2, 3, 4)))
        for state in states:
            for key in OF_THE_MOMENT:
                state.pop(key, None)
            if state["comparison"]:
                state["comparison"].pop("ready_ms", None)
        return states, out

    def session_file(self):
        with open(self.path("night.cinder"), encoding="utf-8") as file:
            return json.load(file)

    def opened(self, *options):
        """What the session shows after what happened to its files."""
        state, _ = self.played(["wait loaded", "wait 200ms", "state OUT/s.json", "quit"],
                               self.path("night.cinder"), *options, state="s.json")
        return state

    def save_one(self):
        os.mkdir(self.path("traces"))
        shutil.move(self.path("a.json"), self.path("traces/a.json"))
        self.played(["wait loaded", "command bookmark here", "command save-session " + self.path("night.cinder"),
                     "wait saved", "state OUT/s.json", "quit"], self.path("traces/a.json"), state="s.json")

    def test_the_folder_was_moved(self):
        self.save_one()
        moved = tempfile.mkdtemp(prefix="cinderscope-gui-sessions-")
        self.addCleanup(shutil.rmtree, moved, ignore_errors=True)
        shutil.move(self.path("traces"), moved)
        shutil.move(self.path("night.cinder"), moved)
        self.folder = moved
        self.assertEqual(self.opened()["session"]["missing"], [])

    def test_the_traces_were_moved(self):
        self.save_one()
        os.makedirs(self.path("store/today"))
        shutil.move(self.path("traces/a.json"), self.path("store/today/a.json"))
        self.assertEqual(self.opened()["session"]["missing"], ["a.json"])
        found = self.opened("--look-in", self.path("store"))
        self.assertEqual((found["session"]["missing"], found["files"]), ([], [self.path("store/today/a.json")]))
        self.assertEqual(len(found["bookmarks"]), 1)

    def test_a_trace_was_renamed(self):
        self.save_one()
        shutil.move(self.path("traces/a.json"), self.path("traces/c.json"))
        self.assertEqual(self.opened()["session"]["missing"], ["a.json"])
        state, _ = self.played(["wait loaded", "command locate-trace " + self.path("traces/c.json"), "wait loaded",
                                "wait 200ms", "command save-session", "wait saved", "state OUT/s.json", "quit"],
                               self.path("night.cinder"), state="s.json")
        self.assertEqual(state["session"]["missing"], [])
        self.assertEqual(self.session_file()["traces"][0]["path"], "traces/c.json")

    def test_a_trace_was_packed(self):
        self.save_one()
        with open(self.path("traces/a.json"), "rb") as plain, gzip.open(self.path("traces/a.json.gz"), "wb") as packed:
            packed.write(plain.read())
        os.remove(self.path("traces/a.json"))
        state = self.opened()
        self.assertEqual((state["session"]["missing"], state["files"]), ([], [self.path("traces/a.json.gz")]))
        self.assertEqual(len(state["bookmarks"]), 1)

    def test_a_trace_was_replaced(self):
        self.save_one()
        with open(self.path("traces/a.json"), "w", encoding="utf-8") as file:
            file.write(events(90_000))
        self.assertEqual(self.opened()["session"]["missing"], ["a.json"])
        state, _ = self.played(["wait loaded", "command use-trace", "wait loaded", "wait 200ms",
                                "command take-bookmarks", "state OUT/s.json", "quit"],
                               self.path("night.cinder"), state="s.json")
        self.assertEqual(state["session"]["missing"], [])
        self.assertEqual(len(state["bookmarks"]), 1)
        self.assertGreaterEqual(state["bookmarks"][0]["time"], 90_000_000)

    def test_a_layout_pins_the_same_names_in_another_recording(self):
        self.played(["wait loaded", "command pin worker", "command panel statistics",
                     "command save-session " + self.path("team.cinder"), "wait saved", "state OUT/s.json", "quit"],
                    self.path("a.json"), state="s.json")
        with open(self.path("b.json"), "w", encoding="utf-8") as file:
            file.write(events(5000).replace('"pid": 1', '"pid": 70').replace('"tid": 1', '"tid": 71')
                       .replace('"tid": 2', '"tid": 72'))
        state, _ = self.played(["wait loaded", "wait 200ms", "state OUT/s.json", "quit"],
                               self.path("b.json"), "--layout", self.path("team.cinder"), state="s.json")
        self.assertEqual([thread.split()[0] for thread in state["threads"]["pinned"]], ["worker"])
        self.assertIsNone(state["session"])

    def test_a_place_of_one_window_is_found_in_another(self):
        _, _ = self.played(["wait loaded", "find step 3", "state OUT/s.json", "quit"], self.path("a.json"), state="s.json")
        shown, _ = self.played(["wait loaded", "state OUT/s.json", "quit"], self.path("a.json"),
                               "--select", "main/step 0#3", "--view", "+5ms", "+60ms", "--panel", "statistics",
                               state="s.json")
        self.assertEqual(shown["selected"]["name"], "step 0")
        self.assertEqual(shown["view"]["begin"], 5_000_000)

    def test_the_command_line_tells_what_is_in_a_session(self):
        self.played(["wait loaded", "command save-session " + self.path("night.cinder"), "wait 200ms",
                     "state OUT/s.json", "quit"], self.path("a.json"), state="s.json")
        done = subprocess.run([BINARY, "session", self.path("night.cinder"), "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        facts = json.loads(done.stdout)
        self.assertEqual(facts["traces"][0]["location"], "found")
        self.assertEqual(facts["traces"][0]["path"], "a.json")
        os.remove(self.path("a.json"))
        done = subprocess.run([BINARY, "session", self.path("night.cinder")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing", done.stdout)
        self.assertEqual(subprocess.run([BINARY, "session", self.path("b.json")], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unittest.main()
