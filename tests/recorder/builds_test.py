#!/usr/bin/env python3
"""The recorder in other people's projects: by CMake from a folder or installed, by pkg-config, shared.

    builds_test.py SOURCE_DIR CMAKE"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tsd_file  # noqa: E402

SOURCE, CMAKE = sys.argv[1:3]
del sys.argv[1:3]
RECORDER = os.path.join(os.path.abspath(SOURCE), "formats", "thread_stream", "recorder")
EXAMPLE = os.path.join(RECORDER, "examples", "game.cc")

PROJECT = """cmake_minimum_required(VERSION 3.16)
project(game CXX)
set(CMAKE_CXX_STANDARD 17)
%s
add_executable(game game.cc)
target_link_libraries(game PRIVATE cinderscope::recorder)
add_executable(game_shared game.cc)
target_link_libraries(game_shared PRIVATE cinderscope::recorder_shared)
add_executable(game_functions game.cc)
target_link_libraries(game_functions PRIVATE cinderscope::recorder_functions)
"""


class BuildsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="tsd-builds-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.prefix = os.path.join(cls.folder, "prefix")
        build = os.path.join(cls.folder, "recorder")
        cls.run_(CMAKE, "-S", RECORDER, "-B", build, "-DCMAKE_INSTALL_PREFIX=" + cls.prefix)
        cls.run_(CMAKE, "--build", build, "--target", "install")

    @classmethod
    def run_(cls, *command, **more):
        done = subprocess.run(command, capture_output=True, text=True, **more)
        if done.returncode:
            raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
        return done.stdout

    def records(self, program, **environment):
        path = os.path.join(self.folder, "run.tsd")
        self.run_(program, env={**os.environ, "TSD_PATH": path, **environment})
        recording = tsd_file.read(path)
        counts = recording.name_counts()
        self.assertEqual(dict(recording.problems), {})
        os.unlink(path)
        return counts

    def project(self, name, how, *options):
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        shutil.copy(EXAMPLE, folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT % how)
        self.run_(CMAKE, "-S", folder, "-B", folder + "/build", *options)
        self.run_(CMAKE, "--build", folder + "/build")
        expected = collections.Counter({"step": 280, "simulate": 4, "main loop": 1})
        self.assertEqual(self.records(folder + "/build/game"), expected)
        self.assertEqual(self.records(folder + "/build/game_shared"), expected)
        functions = self.records(folder + "/build/game_functions")
        self.assertEqual(expected - functions, {})
        self.assertGreater(sum(1 for name in functions if name.startswith("0x")), 1)

    def test_a_folder_of_a_strangers_project(self):
        self.project("folder", f"add_subdirectory({RECORDER} recorder)", "-DCMAKE_C_VISIBILITY_PRESET=hidden",
                     "-DCMAKE_CXX_VISIBILITY_PRESET=hidden")

    def test_installed(self):
        self.project("installed", "find_package(cinderscope REQUIRED)", "-DCMAKE_PREFIX_PATH=" + self.prefix)

    @unittest.skipIf(shutil.which("pkg-config") is None, "pkg-config is not installed")
    def test_pkg_config(self):
        for root, _, files in os.walk(self.prefix):
            if "cinderscope-recorder.pc" in files:
                flags = self.run_("pkg-config", "--static", "--cflags", "--libs", "cinderscope-recorder",
                                  env={**os.environ, "PKG_CONFIG_PATH": root}).split()
        program = os.path.join(self.folder, "game")
        self.run_("c++", "-std=c++17", EXAMPLE, "-o", program, *flags, "-Wl,-rpath," + self.prefix + "/lib")
        self.assertEqual(self.records(program)["step"], 280)


if __name__ == "__main__":
    unittest.main()
