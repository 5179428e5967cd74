#!/usr/bin/env python3
"""The rooms of Windows are understood by its compiler, so that they cannot rot: other_systems_test.py SOURCE_DIR.

Syntax only; .ci/windows builds and tries the program. Skipped without MinGW-w64."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPILER = "x86_64-w64-mingw32-g++-posix"
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror",
         "-Wno-missing-field-initializers", "-D_WIN32_WINNT=0x0A00", "-DUNICODE", "-DNOMINMAX", "-DWIN32_LEAN_AND_MEAN"]


def main():
    root = pathlib.Path(sys.argv[1])
    headers = pathlib.Path("/usr/include/fmt")
    if shutil.which(COMPILER) is None or not headers.is_dir():
        print("no MinGW-w64, or no fmt")
        return 77
    sources = [file for room in ("ingest/os", "app/desktop") for folder in (room, room + "/windows")
               for file in sorted((root / folder).glob("*.cc"))]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as workers:
        # fmt's headers by themselves: those beside them are of this system.
        (pathlib.Path(folder) / "fmt").symlink_to(headers)
        done = workers.map(lambda source: subprocess.run(
            [COMPILER, *FLAGS, f"-I{root}", "-isystem", folder, str(source)], capture_output=True, text=True), sources)
        wrong = [result.stderr for result in done if result.returncode != 0]
    print("\n".join(wrong), f"{len(wrong)} of {len(sources)} files are wrong")
    return 1 if wrong or len(sources) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
