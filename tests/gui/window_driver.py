"""Runs the real window under an Xvfb of its own, drives it by xdotool and reads its `state`."""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from display import Display, environment  # noqa: E402

PATIENCE_S = 30


def missing_tools():
    return [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]


class WindowCase(unittest.TestCase):
    """Tests that share a display of their own; skipped where the tools for one are missing."""

    @classmethod
    def setUpClass(cls):
        missing = missing_tools()
        if missing:
            raise unittest.SkipTest("not installed: " + ", ".join(missing))
        cls.display = Display()
        cls.addClassCleanup(cls.display.close)


def note_minimised(display, pid):
    """Says of the program's window what a window manager would, had it minimised it."""
    env = dict(os.environ, DISPLAY=display)
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(pid)], env=env, capture_output=True,
                           text=True, check=True).stdout.split()
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    server = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    wm_state = ctypes.c_ulong(x11.XInternAtom(server, b"WM_STATE", 0))
    iconic = (ctypes.c_long * 2)(3, 0)
    for window in found:
        x11.XChangeProperty(server, ctypes.c_ulong(int(window)), wm_state, wm_state, 32, 0, iconic, 2)
    x11.XCloseDisplay(server)


def play(binary, script, *files, display, stdin=subprocess.DEVNULL):
    """Plays the lines of `script` to the end; returns (exit status, standard error, folder).

    "OUT/" in a step stands for a scratch folder."""
    folder = tempfile.mkdtemp(prefix="cinderscope-gui-")
    path = os.path.join(folder, "script.play")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(script).replace("OUT/", folder + "/") + "\n")
    done = subprocess.run([binary, *files, "--play", path], env=environment(display, folder),
                          capture_output=True, text=True, timeout=120, stdin=stdin)
    return done.returncode, done.stderr, folder


def states_of(folder, *names):
    states = []
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            states.append(json.load(file))
    return states


class FilesCase(WindowCase):
    """Windows that open files of a scratch folder, for suites about several of them.

    `binary` is the program, `xdnd_source` what drops files on its window."""
    binary = xdnd_source = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def play(self, script, *files, expect=0):
        """Plays the script; reads the states that it wrote, by their names."""
        status, self.errors, folder = play(self.binary, script, *files, display=self.display.name)
        self.addCleanup(shutil.rmtree, folder, True)
        self.assertEqual(status, expect, self.errors)
        return lambda *names: states_of(folder, *names)

    def live(self, *files):
        live = LiveWindow(self.binary, *files, display=self.display.name)
        self.addCleanup(live.close)
        return live

    def drop(self, live, *files):
        done = subprocess.run([self.xdnd_source, live.window, "700", "300", *files], env=live.env,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class LiveWindow:
    """A window that reports its state ten times a second while others act on it.

    `first` are steps before that; "OUT/" in them stands for its scratch folder."""

    def __init__(self, binary, *files, display, first=()):
        self.folder = tempfile.mkdtemp(prefix="cinderscope-gui-")
        self.env = environment(display, self.folder)
        path = os.path.join(self.folder, "script.play")
        steps = [step.replace("OUT/", self.folder + "/") for step in first]
        steps += (["wait loaded"] if files else []) + ["wait 200ms"]
        for number in range(10 * PATIENCE_S * 2):
            steps += [f"state {self.folder}/{number}.json", "wait 100ms"]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(steps + ["quit"]) + "\n")
        self.program = subprocess.Popen([binary, *files, "--play", path], env=self.env,
                                        stderr=subprocess.PIPE, text=True)
        self.read = 0
        self.await_state(lambda state: True)
        found = self.xdotool("search", "--onlyvisible", "--pid", str(self.program.pid)).split()
        if not found:
            found = self.xdotool("search", "--onlyvisible", "--name", "[Cc]inderscope").split()
        self.window = found[-1]

    def xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *arguments], env=self.env, capture_output=True, text=True)
        return done.stdout

    def await_state(self, holds, what="the expected state"):
        """The first state written from now on for which `holds`."""
        deadline = time.time() + PATIENCE_S
        # A state whose writing began before the caller's last action tells nothing: skip one.
        fresh = self.newest() + (2 if self.read else 1)
        last = None
        while time.time() < deadline:
            if self.program.poll() is not None:
                raise AssertionError("the program ended: " + self.program.stderr.read())
            newest = self.newest()
            if newest >= fresh:
                with open(os.path.join(self.folder, f"{newest}.json"), encoding="utf-8") as file:
                    try:
                        last = json.load(file)
                    except json.JSONDecodeError:
                        last = None  # being written
                if last is not None:
                    # Wine's drive of this system's root, as it stands before what is dropped.
                    last["files"] = [file.removeprefix("Z:") for file in last["files"]]
                    self.read = newest
                    if holds(last):
                        return last
            time.sleep(0.03)
        raise AssertionError(f"{what} did not come; the last one: {json.dumps(last)[:1500]}")

    def newest(self):
        numbers = [int(name[:-5]) for name in os.listdir(self.folder)
                   if name.endswith(".json") and name[:-5].isdigit()]
        return max(numbers, default=-1)

    def close(self):
        self.program.kill()
        self.program.wait()
        self.program.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)
