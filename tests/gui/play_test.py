#!/usr/bin/env python3
"""Scripts (--play) drive the real window, and its `state` says what came of them.

    play_test.py BINARY"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

import window_driver

BINARY = os.path.abspath(sys.argv[1])
del sys.argv[1]

MS = 1_000_000  # nanoseconds
CALLS = [  # pid, tid, name, begin and length in ms: two threads of one process, one of another
    (1, 1, "main", 0, 1000), (1, 1, "parse", 100, 200), (1, 1, "solve", 400, 300), (1, 1, "step", 450, 100),
    (1, 2, "worker", 200, 500), (2, 5, "other", 50, 900)]
NAMES = [("process_name", 1, 1, "Renderer"), ("process_name", 2, 5, "Browser"),
         ("thread_name", 1, 1, "zebra"), ("thread_name", 1, 2, "apple"), ("thread_name", 2, 5, "mango")]


def events(calls=CALLS):
    named = [{"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": name}}
             for kind, pid, tid, name in NAMES]
    return named + [{"ph": "X", "pid": pid, "tid": tid, "ts": begin * 1000, "dur": length * 1000, "name": name,
                     "args": {"step": name}} for pid, tid, name, begin, length in calls]


def span(state):
    return state["view"]["end"] - state["view"]["begin"]


def png_pixels(path):
    """Width, height and rows of RGB bytes of a PNG without interlacing."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2), "8 bit RGB is expected"
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * 3)
    for y in range(height):
        kind = raw[y * (width * 3 + 1)]
        row = bytearray(raw[y * (width * 3 + 1) + 1:(y + 1) * (width * 3 + 1)])
        for i in range(len(row)):
            left = row[i - 3] if i >= 3 else 0
            up, corner = before[i], before[i - 3] if i >= 3 else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + nearest[2]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, rows


class PlayCase(window_driver.WindowCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.path = self.write("small.json", json.dumps(events()))

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def play(self, script, *files, stdin=subprocess.DEVNULL, status=0):
        """Plays the script; a state for each line that is "state", and what was said on standard error."""
        lines, count = [], 0
        for line in script:
            if line == "state":
                line, count = f"state OUT/{count}.json", count + 1
            lines.append(line)
        code, said, out = window_driver.play(BINARY, lines + ["quit"], *files, display=self.display.name, stdin=stdin)
        self.addCleanup(shutil.rmtree, out, True)
        self.assertEqual(code, status, said)
        self.out, self.said = out, said
        return window_driver.states_of(out, *[f"{i}.json" for i in range(count)]) if status == 0 else []

    def states(self, *script):
        return self.play(["wait loaded", "wait 100ms", *script], self.path)


class ViewTest(PlayCase):
    def test_a_loaded_trace_fits_the_window(self):
        state, = self.states("state")
        self.assertLess(state["view"]["begin"], 0)
        self.assertGreater(state["view"]["end"], 1000 * MS)
        self.assertLess(span(state), 1100 * MS)
        self.assertEqual(state["files"], [self.path])
        self.assertIsNone(state["error"])
        self.assertGreater(state["visible"]["boxes"], 0)
        self.assertGreater(state["kept_bytes"], 0)
        self.assertEqual((state["window"]["width"], state["window"]["height"]), (1600, 1000))

    def test_zoom_to_a_range_and_back_to_the_whole(self):
        near, whole, back, forward = self.states(
            f"command zoom-to {400 * MS} {500 * MS}", "state", "command fit", "state", "command back", "state",
            "command forward", "state")
        self.assertLessEqual(near["view"]["begin"], 400 * MS)
        self.assertGreaterEqual(near["view"]["end"], 500 * MS - 1)
        self.assertLess(span(near), 130 * MS)
        self.assertGreater(span(whole), 1000 * MS)
        self.assertAlmostEqual(span(back), span(near), delta=0.01 * MS)
        self.assertAlmostEqual(span(forward), span(whole), delta=0.01 * MS)

    def test_wheel_with_shift_pans_and_lets_the_key_go(self):
        before, panned, zoomed = self.states(
            "command zoom-to 0 500000000", "state", "wheel -3 900 300 shift", "wait 400ms", "state",
            "wheel 3 900 300", "wait 400ms", "state")
        self.assertNotEqual(panned["view"]["begin"], before["view"]["begin"])
        self.assertAlmostEqual(span(panned), span(before), delta=10)
        self.assertLess(span(zoomed), 0.9 * span(panned))

    def test_wheel_zooms_at_the_pointer(self):
        before, after = self.states("state", "wheel 3 900 300", "wait 300ms", "state")
        self.assertLess(span(after), 0.9 * span(before))
        part = (900 - 232) / (1600 - 232)
        at = lambda state: state["view"]["begin"] + part * span(state)
        self.assertAlmostEqual(at(before), at(after), delta=2 * MS)

    def test_drag_pans_and_shift_drag_selects_a_range(self):
        before, panned, ranged, cleared = self.states(
            f"command zoom-to {400 * MS} {600 * MS}", "state", "drag 900 400 700 400", "wait 1000ms",
            "state", "drag 600 400 1000 400 shift", "wait 200ms", "state", "key Escape", "state")
        self.assertGreater(panned["view"]["begin"], before["view"]["begin"])
        self.assertIsNone(before["range"])
        per_px = span(ranged) / (1600 - 232)
        self.assertAlmostEqual(ranged["range"]["end"] - ranged["range"]["begin"], 400 * per_px, delta=4 * per_px)
        self.assertAlmostEqual(ranged["view"]["begin"], panned["view"]["begin"], delta=per_px)
        self.assertIsNone(cleared["range"])

    def test_select_range(self):
        state, = self.states("command select-range 5 1000", "state")
        self.assertEqual((state["range"]["begin"], state["range"]["end"]), (5, 1000))

    def test_keys_zoom_and_fit(self):
        whole, near, again = self.states("state", f"command zoom-to {400 * MS} {500 * MS}", "state", "key 0",
                                         "wait 300ms", "state")
        self.assertLess(span(near), 0.2 * span(whole))
        self.assertAlmostEqual(span(again), span(whole), delta=MS)

    def test_theme_changes(self):
        dark, light, toggled = self.states("command theme dark", "state", "command theme light", "state", "key T",
                                           "state")
        self.assertEqual([s["window"]["theme"] for s in (dark, light, toggled)], ["dark", "light", "dark"])

    def test_larger_and_smaller(self):
        one, larger, normal = self.states("state", "key Ctrl++", "state", "key Ctrl+0", "state")
        self.assertGreater(larger["window"]["scale"], one["window"]["scale"])
        self.assertEqual(normal["window"]["scale"], one["window"]["scale"])

    def test_help_opens_and_closes(self):
        self.states("key ?", "wait 100ms", "screenshot OUT/help.png", "wait 100ms", "key Escape", "wait 100ms",
                    "screenshot OUT/plain.png", "wait 100ms")
        with open(os.path.join(self.out, "help.png"), "rb") as a, open(os.path.join(self.out, "plain.png"), "rb") as b:
            self.assertNotEqual(a.read(), b.read())

    def test_screenshot_shows_something(self):
        self.states("screenshot OUT/shot.png", "wait 200ms")
        width, height, rows = png_pixels(os.path.join(self.out, "shot.png"))
        self.assertEqual((width, height), (1600, 1000))
        colours = {row[x:x + 3] for row in rows[::7] for x in range(0, width * 3, 21)}
        self.assertGreater(len(colours), 8)


class SelectionTest(PlayCase):
    def test_find_selects_and_shows_a_call(self):
        state, = self.states("find solve", "state")
        call = state["selected"]
        self.assertEqual((call["name"], call["begin"], call["duration"], call["self"], call["depth"]),
                         ("solve", 400 * MS, 300 * MS, 200 * MS, 2))
        self.assertEqual((call["pid"], call["tid"], call["args"]), ("1", "1", {"step": "solve"}))
        self.assertLessEqual(state["view"]["begin"], 400 * MS)
        self.assertLess(span(state), 500 * MS)

    def test_find_of_what_is_not_there_ends_the_script(self):
        self.play(["wait loaded", "find nothing of the kind"], self.path, status=2)
        self.assertIn("Line 2", self.said)

    def test_the_selection_moves_by_commands(self):
        states = self.states("find solve", "key Down", "state", "key Up", "state", "command select-previous", "state",
                             "command select-next", "state", "key Up", "state", "key Escape", "state")
        names = [state["selected"] and state["selected"]["name"] for state in states]
        self.assertEqual(names, ["step", "solve", "parse", "solve", "main", None])

    def test_click_selects_and_double_click_zooms(self):
        whole, = self.states("state")
        x = 232 + (600 * MS - whole["view"]["begin"]) / span(whole) * (1600 - 232)
        found = None
        # Rows lie below tool bar, overview, ruler and the heads of process and thread; look for the call's.
        for y in range(130, 330, 19):
            clicked, doubled = self.states(f"click {x:.0f} {y}", "wait 100ms", "state", "wait 700ms",
                                           f"doubleclick {x:.0f} {y}", "wait 400ms", "state")
            if clicked["selected"] and clicked["selected"]["name"] == "solve":
                found = clicked, doubled
                break
        self.assertIsNotNone(found, "no place where a click selects the call")
        self.assertEqual(found[1]["selected"]["name"], "solve")
        self.assertLess(span(found[1]), 0.5 * span(whole))

    def test_zoom_to_the_selection(self):
        state, = self.states("find step", "command fit", "key F", "wait 300ms", "state")
        self.assertLess(span(state), 130 * MS)


class ThreadsTest(PlayCase):
    def test_collapse_hide_and_show_all(self):
        whole, folded, hidden, gone, shown = self.states(
            "state", "command collapse zebra", "wait 400ms", "state", "command hide apple", "wait 400ms", "state",
            "command hide 2", "command hide Renderer", "wait 400ms", "state", "command show-all", "wait 400ms", "state")
        self.assertLess(folded["visible"]["boxes"], whole["visible"]["boxes"])
        self.assertLess(hidden["visible"]["boxes"], folded["visible"]["boxes"])
        self.assertLessEqual(gone["visible"]["boxes"], 1)
        self.assertEqual(shown["visible"]["boxes"], whole["visible"]["boxes"])

    def test_expand_undoes_collapse(self):
        whole, folded, again = self.states("state", "command collapse Renderer", "wait 400ms", "state",
                                           "command expand Renderer", "wait 400ms", "state")
        self.assertLess(folded["visible"]["boxes"], whole["visible"]["boxes"])
        self.assertEqual(again["visible"]["boxes"], whole["visible"]["boxes"])

    def test_filter_shows_some_threads(self):
        whole, some, all_again = self.states("state", "command filter APPL", "wait 300ms", "state",
                                             "command show-all", "wait 300ms", "state")
        self.assertEqual(some["visible"]["boxes"], 1)
        self.assertEqual(all_again["visible"]["boxes"], whole["visible"]["boxes"])

    def test_filter_is_typed(self):
        typed, = self.states("command filter", "wait 200ms", "type apple", "wait 300ms", "state")
        self.assertEqual(typed["visible"]["boxes"], 1)

    def test_sort_orders_threads(self):
        self.states("command sort name", "screenshot OUT/name.png", "wait 200ms", "command sort id",
                    "screenshot OUT/id.png", "wait 200ms", "command sort time", "command sort index")
        with open(os.path.join(self.out, "name.png"), "rb") as a, open(os.path.join(self.out, "id.png"), "rb") as b:
            self.assertNotEqual(a.read(), b.read())

    def test_what_is_no_thread_or_order_ends_the_script(self):
        for step in ("command hide nobody", "command sort colour", "command theme pink", "command zoom-to 5 1",
                     "command zoom-to -9223372036854775808 9223372036854775807", "command go-to-time 99h",
                     "command tab 7", "command nonsense", "key Hyper+X", "click 5", "wait long", "command copy-name"):
            self.play(["wait loaded", step], self.path, status=2)
            self.assertIn("Line 2", self.said, step)


class FilesTest(PlayCase):
    def test_a_bad_file_is_a_tab_with_an_error(self):
        path = self.write("notes.txt", "Dear diary,\n")
        state, = self.play(["wait loaded", "wait 100ms", "state"], path)
        self.assertTrue(state["error"])
        self.assertEqual(state["files"], [path])
        self.assertIn(path, self.said)
        self.assertEqual(len(self.said.strip().splitlines()), 1)

    def test_a_missing_file_is_a_tab_with_an_error(self):
        state, = self.play(["wait loaded", "state"], os.path.join(self.folder, "missing.json"))
        self.assertTrue(state["error"])

    def test_an_empty_folder_says_so(self):
        inner = os.path.join(self.folder, "inner")
        os.mkdir(inner)
        state, = self.play(["wait loaded", "wait 100ms", "state"], inner)
        self.assertEqual(state["error"], "The folder is empty.")

    def test_a_folder_opens_its_traces(self):
        inner = os.path.join(self.folder, "inner")
        os.mkdir(inner)
        for name in ("inner/a.json", "inner/b.json"):
            self.write(name, json.dumps(events()))
        self.write("inner/notes.txt", "Dear diary,\n")
        state, = self.play(["wait loaded", "wait 100ms", "state"], inner)
        self.assertEqual(state["files"], [os.path.join(inner, "a.json"), os.path.join(inner, "b.json")])
        self.assertIsNone(state["error"])

    def test_several_files_are_tabs(self):
        other = self.write("other.json", json.dumps(events([(1, 1, "elsewhere", 5000, 10)])))
        last, first, second, following, closed = self.play(
            ["wait loaded", "wait 100ms", "state", "command tab 1", "wait 100ms", "state", "command tab 2", "state",
             "key Ctrl+Tab", "wait 100ms", "state", "key Ctrl+W", "wait 200ms", "state"], self.path, other)
        self.assertEqual(last["files"], [self.path, other])
        self.assertGreater(last["view"]["begin"], 4000 * MS)
        self.assertLess(first["view"]["begin"], 0)
        self.assertGreater(second["view"]["begin"], 4000 * MS)
        self.assertLess(following["view"]["begin"], 0)
        self.assertEqual(closed["files"], [other])

    def test_standard_input_is_a_trace_that_is_read_once(self):
        with open(self.path, "rb") as file:
            state, = self.play(["wait loaded", "wait 100ms", "state"], "-", stdin=file)
        self.assertEqual(state["files"], ["-"])
        self.assertIsNone(state["error"])
        with open(self.path, "rb") as file:
            self.play(["wait loaded", "command reload"], "-", stdin=file, status=2)
        self.assertIn("Standard input", self.said)

    def test_input_is_answered_while_a_trace_is_still_being_read(self):
        # 8 MB of a trace whose end does not come: what is shown of it can be zoomed all the same.
        calls = b"[" + b"".join(b'{"ph":"X","pid":1,"tid":%d,"ts":%d,"dur":9,"name":"call"},\n' % (i % 8, i * 10)
                                for i in range(150_000))
        read, write = os.pipe()
        sender = threading.Thread(target=os.write, args=(write, calls), daemon=True)
        script = os.path.join(self.folder, "script.play")
        steps = []
        for number in range(window_driver.PATIENCE_S * 20):
            steps += ["wheel 1 900 300", "wait 50ms", f"state {self.folder}/{number}.json"]
        with open(script, "w", encoding="utf-8") as file:
            file.write("\n".join(steps) + "\n")
        program = subprocess.Popen([BINARY, "-", "--play", script], stdin=read, stderr=subprocess.DEVNULL,
                                   env=window_driver.environment(self.display.name, self.folder))
        os.close(read)
        self.addCleanup(os.close, write)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        sender.start()
        shown = []
        for number in range(window_driver.PATIENCE_S * 20):
            path = os.path.join(self.folder, f"{number}.json")
            deadline = time.time() + window_driver.PATIENCE_S
            while not os.path.exists(path) and time.time() < deadline:
                time.sleep(0.02)
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
            if state["visible"]["boxes"] > 0:
                shown.append(state)
            if len(shown) > 1 and span(shown[-1]) < 0.7 * span(shown[0]):
                break
        self.assertGreater(shown[-1]["input_ms"]["frames"], shown[0]["input_ms"]["frames"])
        self.assertGreater(shown[-1]["first_picture_ms"], 0)
        self.assertIsNone(program.poll())

    def test_quitting_does_not_wait_for_standard_input(self):
        read, write = os.pipe()
        try:
            state, = self.play(["wait 300ms", "state"], "-", stdin=read)
            self.play(["wait 300ms", "command close", "wait 100ms"], "-", stdin=read)
            os.write(write, b'[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f"},')
            self.play(["wait 300ms", "command close", "wait 100ms"], "-", stdin=read)
        finally:
            os.close(read)
            os.close(write)
        self.assertIsNone(state["error"])

    def test_a_named_pipe_does_not_stop_the_window(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        self.play(["wait 300ms", "state"], pipe)

    def test_many_files_with_errors_among_them(self):
        bad = self.write("bad.json", "[" * 100)
        empty = self.write("empty.json", "")
        state, = self.play(["wait loaded", "wait 100ms", "command tab 1", "wait 100ms", "state"], self.path, bad, empty)
        self.assertIsNone(state["error"])
        self.assertEqual(len(state["files"]), 3)


class ScriptTest(PlayCase):
    def test_a_wrong_line_is_told_before_a_window_opens(self):
        self.play(["wait loaded", "", "# remark", "sing along"], self.path, status=2)
        self.assertIn("Line 4", self.said)
        self.assertIn("sing", self.said)

    def test_a_missing_script_is_a_usage_error(self):
        done = subprocess.run([BINARY, "--play", os.path.join(self.folder, "missing")], capture_output=True, text=True,
                              env=window_driver.environment(self.display.name, self.folder), timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)

    def test_without_a_display_it_says_so_in_one_line(self):
        env = window_driver.environment("", self.folder)
        for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
            env.pop(variable, None)
        done = subprocess.run([BINARY, self.path], env=env, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        env["DISPLAY"] = ":9999"
        done = subprocess.run([BINARY, self.path], env=env, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)

    def test_a_picture_that_cannot_be_written_ends_the_script(self):
        self.play(["wait loaded", "screenshot OUT/no/such/folder/a.png", "wait 100ms"], self.path, status=2)
        self.assertIn("Line 2", self.said)

    def test_a_state_that_cannot_be_written_ends_the_script(self):
        self.play(["wait loaded", "state OUT/no/such/folder/a.json"], self.path, status=2)
        self.assertIn("Line 2", self.said)

    def test_a_step_that_says_more_or_other_than_it_may_ends_the_script(self):
        for step in ("click 10 20 30", "click nan 3", "move 10", "doubleclick 10 20 shift", "drag 1 2 3 4 shft",
                     "wheel 5 800 400 sideways", "wheel shift 5 800 400", "wait nanms", "wait 1e30ms", "wait -5ms"):
            with self.subTest(step=step):
                self.play(["wait loaded", step], self.path, status=2)
                self.assertIn("Line 2", self.said)

    def test_odd_numbers_do_no_harm(self):
        self.play(["wait loaded", "click -5000 1e30", "wheel 1e9 900 300", "wait 100ms", "wheel -1e9 900 300",
                   "drag -1 -1 99999 99999", "command zoom-to 0 1", "wait 200ms", "state"], self.path)


class ChangingFileTest(PlayCase):
    def act_when(self, script, marker, act, *files):
        """Runs the script and calls `act` once the script has written the state named `marker`."""
        out = tempfile.mkdtemp(prefix="cinderscope-gui-")
        self.addCleanup(shutil.rmtree, out, True)
        path = os.path.join(out, "script.play")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(script + ["quit"]).replace("OUT/", out + "/") + "\n")
        program = subprocess.Popen([BINARY, *files, "--play", path], stderr=subprocess.PIPE, text=True,
                                   env=window_driver.environment(self.display.name, out))
        try:
            deadline = time.time() + window_driver.PATIENCE_S
            while not os.path.exists(os.path.join(out, marker)) and program.poll() is None:
                self.assertLess(time.time(), deadline, "the marker did not come")
                time.sleep(0.01)
            act()
            said = program.communicate(timeout=60)[1]
        finally:
            program.kill()
            program.wait()
        return program.returncode, said, out

    def test_reload_shows_the_changed_file_in_the_same_view(self):
        longer = json.dumps(events(CALLS + [(1, 1, "late", 2000, 500)]))
        code, said, out = self.act_when(
            ["wait loaded", "find solve", "command hide apple", "wait 300ms", "state OUT/before.json", "wait 1000ms",
             "key F5", "wait loaded", "wait 200ms", "state OUT/after.json", "find late", "state OUT/late.json"],
            "before.json", lambda: self.write("small.json", longer), self.path)
        self.assertEqual(code, 0, said)
        before, after, late = window_driver.states_of(out, "before.json", "after.json", "late.json")
        self.assertEqual(before["view"]["begin"], after["view"]["begin"])
        self.assertEqual(before["view"]["end"], after["view"]["end"])
        self.assertEqual(after["selected"]["name"], "solve")
        self.assertEqual(late["selected"]["begin"], 2000 * MS)

    def test_reload_of_a_file_that_is_gone_says_so_and_finds_it_again(self):
        content = json.dumps(events())
        def vanish():
            os.remove(self.path)
            time.sleep(1)
            self.write("small.json", content)
        code, said, out = self.act_when(
            ["wait loaded", "wait 200ms", "state OUT/before.json", "wait 500ms", "command reload", "wait loaded",
             "wait 100ms", "state OUT/gone.json", "wait 1500ms", "command reload", "wait loaded", "wait 100ms",
             "state OUT/back.json"], "before.json", vanish, self.path)
        self.assertEqual(code, 0, said)
        gone, back = window_driver.states_of(out, "gone.json", "back.json")
        self.assertTrue(gone["error"])
        self.assertIsNone(back["error"])
        self.assertGreater(back["visible"]["boxes"], 0)

    def big_file(self):
        event = '{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":5,"name":"call","args":{"filler":"' + "x" * 200 + '"}}'
        return self.write("big.json", "[" + ",\n".join(event % (10 * i) for i in range(300_000)) + "]")

    def test_a_file_that_shrinks_while_loading_does_no_harm(self):
        path = self.big_file()
        code, said, out = self.act_when(
            ["state OUT/start.json", "wait loaded", "wait 200ms", "state OUT/end.json", "find call", "wait 300ms",
             "state OUT/found.json"], "start.json", lambda: os.truncate(path, 5_000_000), path)
        self.assertIn(code, (0, 2), said)  # 2: nothing of the name was left
        window_driver.states_of(out, "end.json")

    def test_a_file_that_shrinks_once_loaded_does_no_harm(self):
        path = self.big_file()
        code, said, out = self.act_when(
            ["wait loaded", "wait 100ms", "state OUT/start.json", "wait 1000ms", "find call", "wait 300ms",
             "command panel report", "wait 200ms", "state OUT/end.json"],
            "start.json", lambda: os.truncate(path, 0), path)
        self.assertEqual(code, 0, said)
        self.assertEqual(window_driver.states_of(out, "end.json")[0]["selected"]["name"], "call")

    def test_a_file_that_vanishes_while_loading_is_still_read(self):
        path = self.big_file()
        code, said, out = self.act_when(["state OUT/start.json", "wait loaded", "wait 200ms", "state OUT/end.json"],
                                        "start.json", lambda: os.remove(path), path)
        self.assertEqual(code, 0, said)

    def test_a_load_can_be_stopped_and_closed(self):
        path = self.big_file()
        self.play(["command close", "wait 200ms", f"command open {path}", "wait 50ms", "command close", "wait 100ms",
                   "state"], path)


class StillWindowTest(PlayCase):
    def ticks(self, pid):
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def used_while_still(self, *files, before=(), after=(), when_ready=lambda program: None):
        script = self.write("still.play", "\n".join(
            ["wait loaded", *before, "wait 1500ms", f"state {self.folder}/ready.json", *after, "wait 20000ms",
             "quit"]) + "\n")
        program = subprocess.Popen([BINARY, *files, "--play", script], stderr=subprocess.DEVNULL,
                                   env=window_driver.environment(self.display.name, self.folder))
        try:
            deadline = time.time() + window_driver.PATIENCE_S
            while not os.path.exists(self.folder + "/ready.json"):
                self.assertIsNone(program.poll())
                self.assertLess(time.time(), deadline)
                time.sleep(0.05)
            when_ready(program)
            time.sleep(1)
            first = self.ticks(program.pid)
            time.sleep(3)
            return self.ticks(program.pid) - first
        finally:
            program.kill()
            program.wait()

    def test_a_still_window_uses_no_cpu(self):
        self.assertLessEqual(self.used_while_still(self.path), 2)

    def test_an_empty_window_uses_no_cpu(self):
        self.assertLessEqual(self.used_while_still(), 2)

    def test_a_window_with_an_error_uses_no_cpu(self):
        self.assertLessEqual(self.used_while_still(os.path.join(self.folder, "missing")), 2)

    def test_a_window_with_a_selection_uses_no_cpu(self):
        self.assertLessEqual(self.used_while_still(self.path, before=["find solve", "move 900 300"]), 2)

    def test_what_looks_the_same_is_not_presented_again(self):
        # Over the empty part of the lower panel nothing follows the pointer.
        moves = [f"move {800 + 5 * i} 900" for i in range(20)]
        before, after, zoomed = self.states("move 800 900", "wait 200ms", "state", *moves, "wait 100ms", "state",
                                            "wheel 1 900 300", "wait 200ms", "state")
        self.assertLess(after["presented"] - before["presented"], len(moves) / 2)
        self.assertGreater(zoomed["presented"], after["presented"])

    def test_a_minimised_window_uses_no_cpu_for_frames_that_are_due(self):
        used = self.used_while_still(self.path, after=["wait 900ms", "command larger"], when_ready=lambda program: (
            window_driver.note_minimised(self.display.name, program.pid), time.sleep(1)))
        self.assertLessEqual(used, 2)

    def test_a_window_with_an_open_filter_rests_between_its_blinks(self):
        # The text cursor may blink: two frames a second, no more.
        self.assertLessEqual(self.used_while_still(self.path, before=["command filter"]), 60)


if __name__ == "__main__":
    unittest.main()
