#!/usr/bin/env python3
"""What `cmake --install` puts where: the desktop finds program, icon and types, the program its sample.

    install_test.py CMAKE BUILD_FOLDER"""
import gzip
import os
import re
import shutil
import struct
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

    def run_installed(self, *arguments):
        done = subprocess.run([self.path("bin", "cinderscope"), *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_icons_have_the_sizes_that_desktops_ask_for(self):
        for size in (16, 24, 32, 48, 64, 128, 256):
            with open(self.path("share", "icons", "hicolor", f"{size}x{size}", "apps", "cinderscope.png"), "rb") as file:
                head = file.read(24)
            self.assertEqual(struct.unpack(">II", head[16:24]), (size, size))

    def test_the_version_says_how_it_was_built(self):
        lines = self.run_installed("--version").splitlines()
        self.assertRegex(lines[0], r"^cinderscope \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^commit ([0-9a-f]{7,}|unknown)$")
        self.assertRegex(lines[2], r"^compiler \w+ \d+\.\d+")
        for library in ("fmt", "simdjson", "SQLite", "zstd", "nettle", "Dear ImGui"):
            self.assertRegex(lines[3], rf"\b{library} \d")

    def commands(self):
        """Sub-commands and their options, as --help prints them."""
        listed = self.run_installed("--help").split("Subcommands:")[1]
        names = re.findall(r"^  (\w[\w-]*)  ", listed, re.MULTILINE)
        self.assertIn("stats", names)
        return {name: self.options_in(self.run_installed(name, "--help")) for name in names}

    @staticmethod
    def options_in(text):
        heads = [line.split()[0] for line in text.splitlines() if line.startswith("  -")]
        names = {name.split("{")[0] for head in heads for name in head.split(",")}  # "--no-titles{false}"
        return {name for name in names if name.startswith("--")}

    def test_the_man_page_has_every_command_and_option(self):
        with gzip.open(self.path("share", "man", "man1", "cinderscope.1.gz"), "rt", encoding="utf-8") as file:
            page = file.read().replace("\\-", "-")
        for name, options in self.commands().items():
            section = page.split(f'.SS "cinderscope {name}"')[1].split(".SS")[0]
            self.assertNotEqual(options, set())
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", section)
        self.assertNotIn("symbol-worker", page)  # nobody's to type

    @unittest.skipIf(shutil.which("man") is None, "man-db is not installed")
    def test_the_man_page_is_understood(self):
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z",
                               self.path("share", "man", "man1", "cinderscope.1.gz")],
                              capture_output=True, text=True, env=dict(os.environ, MANROFFSEQ="", MANWIDTH="80", LC_ALL="C.UTF-8"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def completed(self, *words):
        """What bash offers for the last of the words."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cinderscope; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        file = self.path("share", "bash-completion", "completions", "cinderscope")
        done = subprocess.run(["bash", "-uc", script, "bash", file, "cinderscope", *words], capture_output=True,
                              text=True, cwd=os.path.join(self.prefix, "share"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_completes_commands_options_and_words(self):
        self.assertIn("stats", self.completed("st"))
        self.assertIn("cinderscope", self.completed("cind"))  # the folder
        self.assertEqual(self.completed("stats", "--sli"), ["--slices"])
        self.assertEqual(self.completed("stats", "--slices", ""), ["calls", "samples", "both"])
        self.assertEqual(self.completed("stats", "--slices", "b"), ["both"])
        self.assertEqual(self.completed("stats", "--names", ""), [])
        self.assertIn("cinderscope", self.completed("convert", "x", "--out", "cin"))
        self.assertNotIn("--slices", self.completed("info", "--"))
        self.assertIn("--reuse", self.completed("--re"))
        for name, options in self.commands().items():
            self.assertLessEqual(options, set(self.completed(name, "--")))

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
    def test_zsh_understands_its_completion(self):
        file = self.path("share", "zsh", "vendor-completions", "_cinderscope")
        done = subprocess.run(["zsh", "-n", file], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipIf(shutil.which("fish") is None, "fish is not installed")
    def test_fish_completes_commands_and_words(self):
        file = self.path("share", "fish", "vendor_completions.d", "cinderscope.fish")
        script = f"source {file}; complete -C 'cinderscope stats --slices '; complete -C 'cinderscope sta'"
        done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True,
                              env=dict(os.environ, HOME=self.prefix))
        offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(offered[:3], ["both", "calls", "samples"], done.stderr)
        self.assertIn("stats", offered)

    @unittest.skipIf(shutil.which("appstreamcli") is None, "appstream is not installed")
    def test_the_metainfo_is_valid(self):
        done = subprocess.run(["appstreamcli", "validate", "--no-net", "--pedantic",
                               self.path("share", "metainfo", "org.cinderscope.Cinderscope.metainfo.xml")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_licences_of_what_is_linked_in_are_there(self):
        with open(self.path("share", "doc", "cinderscope", "copyright"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("MIT License", text)
        for package in ("libimgui-dev", "libstb-dev", "fonts-inter", "fonts-jetbrains-mono", "fonts-fork-awesome"):
            if os.path.exists(f"/usr/share/doc/{package}/copyright"):
                self.assertIn(f"==== {package} ====", text)

    def test_destdir_keeps_everything_below_it(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([CMAKE, "--install", BUILD, "--prefix", "/opt/cinder"], check=True, capture_output=True,
                           env=dict(os.environ, DESTDIR=folder))
            self.assertEqual(os.listdir(folder), ["opt"])
            listed = lambda top: sorted(os.path.relpath(os.path.join(at, name), top)
                                        for at, _, names in os.walk(top) for name in names)
            self.assertEqual(listed(os.path.join(folder, "opt", "cinder")),
                             [name for name in listed(self.prefix) if not name.startswith("share/mime/") or
                              name == "share/mime/packages/cinderscope.xml"])

    @unittest.skipIf(shutil.which("pkg-config") is None, "pkg-config is not installed")
    def test_pkg_config_finds_the_recorder_wherever_it_lies(self):
        found, = [at for at, _, names in os.walk(self.prefix) if "cinderscope-recorder.pc" in names]
        said = subprocess.run(["pkg-config", "--cflags", "--libs", "cinderscope-recorder"], capture_output=True, text=True,
                              env=dict(os.environ, PKG_CONFIG_PATH=found), check=True).stdout
        folders = re.findall(r"-[IL](\S+)", said)
        self.assertEqual([os.path.exists(os.path.join(folders[0], "tsd.h")),
                          os.path.exists(os.path.join(folders[1], "libtsd.a"))], [True, True], said)

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
            kept = {"cinderscope.svg": "scalable/apps/cinderscope.svg"} | {
                f"icons/{size}": f"{size[:-4]}/apps/cinderscope.png" for size in os.listdir(os.path.join(folder, "icons"))}
            self.assertEqual(len(kept), 7)
            for name, place in kept.items():
                with open(os.path.join(folder, name), "rb") as drawn, \
                        open(self.path("share", "icons", "hicolor", *place.split("/")), "rb") as installed:
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
