#!/usr/bin/env python3
"""What `cmake --install` puts where: the desktop finds program, icon and types, the program its sample.

    install_test.py CMAKE BUILD_FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CMAKE, BUILD = sys.argv[2:4]
del sys.argv[1:4]

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = tempfile.mkdtemp(prefix="cinderscope-install-")
        cls.addClassCleanup(shutil.rmtree, cls.prefix, True)
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def path(self, *parts):
        path = os.path.join(self.prefix, *parts)
        self.assertTrue(os.path.exists(path), path)
        return path

    def types(self):
        tree = xml.etree.ElementTree.parse(self.path("share", "mime", "packages", "cinderscope.xml"))
        return tree.getroot().findall(MIME + "mime-type")

    def entry(self):
        with open(self.path("share", "applications", "cinderscope.desktop"), encoding="utf-8") as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)

    def test_the_recorder_is_there(self):
        for name in ("include/tsd.h", "include/tsd.hpp", "share/cinderscope/recorder/tsd.c",
                     "share/cinderscope/recorder/examples/game.cc"):
            self.path(*name.split("/"))
        installed = [name for _, _, names in os.walk(self.prefix) for name in names]
        for name in ("libtsd.a", "libtsd.so", "libtsd_functions.a", "cinderscopeConfig.cmake", "cinderscope-recorder.pc"):
            self.assertIn(name, installed)

    def test_program_sample_and_icons_are_there(self):
        binary = self.path("bin", "cinderscope")
        sample = self.path("share", "cinderscope", "sample.json.gz")
        self.path("share", "icons", "hicolor", "scalable", "apps", self.entry()["Icon"] + ".svg")
        self.path("share", "icons", "hicolor", "128x128", "apps", self.entry()["Icon"] + ".png")
        done = subprocess.run([binary, "info", sample], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(shutil.which("desktop-file-validate") is None, "desktop-file-utils is not installed")
    def test_the_desktop_file_is_valid(self):
        done = subprocess.run(["desktop-file-validate", self.path("share", "applications", "cinderscope.desktop")],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_the_desktop_file_opens_every_type_and_no_other(self):
        wanted = [kind for kind in self.entry()["MimeType"].split(";") if kind]
        known = [kind.get("type") for kind in self.types()]
        self.assertEqual(sorted(wanted), sorted(known + ["x-scheme-handler/cinderscope"]))

    def test_no_pattern_takes_other_peoples_files(self):
        patterns = [glob.get("pattern") for kind in self.types() for glob in kind.findall(MIME + "glob")]
        self.assertIn("*.spall", patterns)
        self.assertIn("*.tsd", patterns)
        self.assertIn("*.packedtrace", patterns)
        self.assertIn("*.flow", patterns)
        for pattern in ("*", "*.trace", "*.zip", "*.jsonl", "*.json", "*.gz", "*.json.gz"):
            self.assertNotIn(pattern, patterns)

    @unittest.skipIf(shutil.which("update-mime-database") is None, "shared-mime-info is not installed")
    def test_the_types_are_understood(self):
        done = subprocess.run(["update-mime-database", "-V", self.path("share", "mime")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("share", "mime", "globs2"), encoding="utf-8") as file:
            self.assertIn("60:application/vnd.cinderscope.trace+json:*.trace.json\n", file.readlines())

    @unittest.skipIf(shutil.which("update-mime-database") is None or shutil.which("gio") is None,
                     "shared-mime-info or libglib2.0-bin is not installed")
    def test_lincheck_traces_are_told_by_their_content(self):
        shutil.copytree(self.path("share", "mime"), os.path.join(self.prefix, "data", "mime"), dirs_exist_ok=True)
        subprocess.run(["update-mime-database", os.path.join(self.prefix, "data", "mime")], check=True)
        sample = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "lincheck", "tiny_stream",
                              "input.trace")
        env = dict(os.environ, XDG_DATA_HOME=os.path.join(self.prefix, "data"))
        # Not xdg-mime: without a desktop that asks file(1), which knows nothing of these types.
        done = subprocess.run(["gio", "info", "-a", "standard::content-type", sample], env=env, capture_output=True,
                              text=True)
        self.assertIn("application/vnd.cinderscope.lincheck", done.stdout)

    def test_the_icons_are_what_the_script_draws(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets", "draw_icon.py")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, script, folder], check=True)
            xml.etree.ElementTree.parse(os.path.join(folder, "cinderscope.svg"))
            for name, kept in (("cinderscope.svg", "scalable"),):
                with open(os.path.join(folder, name), "rb") as drawn, \
                        open(self.path("share", "icons", "hicolor", kept, "apps", name), "rb") as installed:
                    self.assertEqual(drawn.read(), installed.read())

    @unittest.skipIf(shutil.which("Xvfb") is None, "Xvfb is not installed")
    def test_the_installed_program_offers_its_sample(self):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gui"))
        import window_driver
        display = window_driver.Display()
        self.addCleanup(display.close)
        # Its button stands in the middle of the start page; how high depends on the fonts.
        clicks = [step for y in range(300, 460, 12) for step in (f"click 840 {y}", "wait 20ms")]
        script = ["wait 200ms", *clicks, "wait loaded", "state OUT/state.json", "quit"]
        code, said, folder = window_driver.play(self.path("bin", "cinderscope"), script, display=display.name)
        self.addCleanup(shutil.rmtree, folder, True)
        self.assertEqual(code, 0, said)
        state, = window_driver.states_of(folder, "state.json")
        self.assertIn(self.path("share", "cinderscope", "sample.json.gz"), state["files"])


if __name__ == "__main__":
    unittest.main()
