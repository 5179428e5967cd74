#!/usr/bin/env python3
"""Names of native functions: `cinderscope symbols`, of programs that are compiled and recorded here.

    symbols_test.py BINARY SOURCE_DIR [--cc CC] [--cxx CXX] [TEST...]"""
import argparse
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ARGS = argparse.ArgumentParser()
ARGS.add_argument("binary")
ARGS.add_argument("source")
ARGS.add_argument("--cc", default="cc")
ARGS.add_argument("--cxx", default="c++")
ARGS, REST = ARGS.parse_known_args()
BINARY, SOURCE = os.path.abspath(ARGS.binary), os.path.abspath(ARGS.source)
sys.path.insert(0, os.path.join(SOURCE, "tests", "recorder"))
import tsd_file  # noqa: E402

RECORDER = os.path.join(SOURCE, "formats", "thread_stream", "recorder")
QUIET = "__attribute__((no_instrument_function)) "
PROGRAM = """#include "tsd.hpp"
namespace shop {
%(quiet)sstatic inline __attribute__((always_inline)) void look() { TSD_INSTANT("look"); TSD_STACK(); }
struct Order {
  __attribute__((noinline)) int add(int n);
};
int Order::add(int n) {
  look();
  return n + 1;
}
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
}
extern "C" __attribute__((noinline)) int plain(int n) { return n * 3; }
int main() {
  shop::Order order;
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += order.add(i);
  return shop::twice(sum) + plain(sum) == 0;
}
""" % {"quiet": QUIET}
LIBRARY = """extern "C" __attribute__((noinline)) int from_library(int n) { return n + 2; }
extern "C" int entry(int n) { return from_library(n) + 1; }
"""
HOST = """#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  int (*entry)(int) = library ? (int (*)(int))dlsym(library, "entry") : 0;
  if (!entry) return 1;
  int sum = entry(argc);
  usleep(400000);  /* the recorder looks every 100 ms */
  dlclose(library);
  return sum == 0;
}
"""


def run(*arguments, code=0, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300, **more)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def symbols(*arguments, code=0, **more):
    return run(BINARY, "symbols", *map(str, arguments), code=code, **more)


def has_libdw():
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "a.tsd")
        shutil.copy(os.path.join(SOURCE, "tests/golden/thread_stream/minimal/input.tsd"), trace)
        return "libdw" not in symbols(trace, code=None).stderr


class Recorded(tsd_file.Recording):
    """With the entries that the tests of the recorder do not need."""

    def __init__(self, path):
        self.symbols, self.methods = {}, {}
        super().__init__(pathlib.Path(path).read_bytes())

    def read_entry(self, tag, body):
        if tag == 7:
            module, count, address = struct.unpack_from("<IIQ", body)
            self.symbols[module, address] = [struct.unpack_from("<IIII", body, 16 + 16 * i) for i in range(count)]
        elif tag == 10:
            self.methods[struct.unpack_from("<II", body)] = struct.unpack_from("<II", body, 8)
        else:
            super().read_entry(tag, body)

    def frames(self):
        """Innermost first, of each address: function, name of the file, line, flags."""
        return [[(self.text(function), os.path.basename(self.text(file)), line, flags)
                 for function, file, line, flags in frames] for frames in self.symbols.values()]

    def functions(self):
        return {frames[-1][0] for frames in self.frames()}


@unittest.skipUnless(has_libdw(), "built without libdw")
class Symbols(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cinder-symbols-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, text in (("shop.cc", PROGRAM), ("library.cc", LIBRARY), ("host.c", HOST)):
            (cls.folder / name).write_text(text)
        for part in ("tsd", "tsd_functions"):
            run(ARGS.cc, "-O2", "-c", f"{RECORDER}/{part}.c", "-I" + RECORDER, "-o", cls.folder / (part + ".o"))
        cls.compile("shop", "-g", "-O1")

    @classmethod
    def compile(cls, name, *flags):
        run(ARGS.cxx, "-std=c++17", *flags, "-finstrument-functions", "-fno-omit-frame-pointer",
            "-finstrument-functions-exclude-file-list=/usr/include,tsd.h", "-I" + RECORDER, "-Wl,--build-id",
            cls.folder / "shop.cc", cls.folder / "tsd.o", cls.folder / "tsd_functions.o", "-pthread", "-ldl",
            "-o", cls.folder / name)
        return cls.folder / name

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cinder-symbols-")
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.trace = self.here / "run.tsd"
        self.names = self.here / "run.tsdnames"

    def record(self, program="shop", *arguments):
        """A copy of the program runs, so that its file can be done away with."""
        self.program = self.here / "program"
        shutil.copy(self.folder / program, self.program)
        run(str(self.program), *arguments, env={**os.environ, "TSD_PATH": str(self.trace)})

    def called(self, path=None):
        facts = json.loads(run(BINARY, "info", str(path or self.trace), "--json", "--names", "0").stdout)
        self.facts = facts
        return {each["name"]: each["count"] for each in facts["names"]}

    def test_functions_get_their_names(self):
        self.record()
        self.assertTrue(all(name.startswith("program+0x") for name in self.called() if name != "look"))
        done = symbols(self.trace)
        self.assertIn("by debug information", done.stdout)
        self.assertIn(str(self.names), done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.called(), {"main": 1, "shop::Order::add": 10, "shop::twice<int>": 1, "plain": 1})
        self.assertEqual(self.facts["diagnostics"], [])
        self.assertEqual(self.facts["details"]["unnamed_addresses"], 0)

    def test_stacks_have_inlined_frames_files_and_lines(self):
        self.record()
        symbols(self.trace)
        chains = [[frame[0] for frame in frames] for frames in Recorded(self.names).frames()]
        inlined = [frames for frames in Recorded(self.names).frames() if len(frames) > 1
                   and frames[-1][0] == "shop::Order::add"]
        self.assertTrue(inlined, chains)
        inner, outer = inlined[0][-2], inlined[0][-1]
        self.assertEqual((inner[0], inner[3]), ("shop::look", 1))
        self.assertEqual(outer, ("shop::Order::add", "shop.cc", 8, 0))
        main = [frames for frames in Recorded(self.names).frames() if frames[-1][0] == "main"]
        self.assertIn(("main", "shop.cc", 17, 0), [frames[-1] for frames in main])

    def test_a_program_at_a_fixed_place(self):
        self.compile("fixed", "-g", "-O1", "-no-pie", "-fno-pie")
        self.record("fixed")
        symbols(self.trace)
        self.assertEqual(set(self.called()), {"main", "shop::Order::add", "shop::twice<int>", "plain"})

    def test_without_debug_information_the_symbol_table_serves(self):
        self.compile("plain", "-O1")
        self.record("plain")
        self.assertIn("by the symbol table", symbols(self.trace).stdout)
        self.assertEqual(set(self.called()), {"main", "shop::Order::add", "shop::twice<int>", "plain"})

    def test_separate_debug_files(self):
        whole = self.folder / "shop"
        bits = run("readelf", "-n", str(whole)).stdout.split("Build ID: ")[1].split()[0]
        by_id = self.here / "debug" / ".build-id" / bits[:2] / (bits[2:] + ".debug")
        by_id.parent.mkdir(parents=True)
        run("objcopy", "--only-keep-debug", str(whole), str(by_id))
        self.record()
        run("strip", str(self.program))
        self.assertIn("no debug information", symbols(self.trace, code=None).stdout)
        self.names.unlink(missing_ok=True)
        symbols(self.trace, "--debug-dir", self.here / "debug")
        self.assertIn("shop::Order::add", self.called())
        # By the debug link, beside the program.
        self.names.unlink()
        shutil.copy(by_id, self.here / "program.debug")
        run("objcopy", f"--add-gnu-debuglink={self.here / 'program.debug'}", str(self.program))
        symbols(self.trace)
        self.assertIn("shop::Order::add", self.called())
        # And where the program is gone.
        self.names.unlink()
        self.program.unlink()
        self.assertIn("file is not there", symbols(self.trace, code=None).stdout)
        self.names.unlink(missing_ok=True)
        symbols(self.trace, "--debug-dir", self.here / "debug")
        self.assertIn("shop::Order::add", self.called())

    def test_a_file_of_another_build_is_not_used(self):
        self.record()
        other = self.compile("other", "-g", "-O2", "-DOTHER")
        shutil.copy(other, self.program)
        done = symbols(self.trace, code=None)
        self.assertIn("program: 0 of ", done.stdout)
        self.assertIn("its file is of another build", done.stdout)
        if self.names.exists():  # libc may have named its part
            self.assertNotIn("shop::Order::add", self.called())
        done = symbols(self.trace, "--module", f"program={other}", code=None)
        self.assertIn("its file is of another build", done.stdout)
        symbols(self.trace, "--module", f"program={self.folder / 'shop'}")
        self.assertIn("shop::Order::add", self.called())

    def test_below_another_root(self):
        self.record()
        moved = self.here / "root" / str(self.program).lstrip("/")
        moved.parent.mkdir(parents=True)
        shutil.move(self.program, moved)
        symbols(self.trace, "--sysroot", str(self.here / "root") + "/")
        self.assertIn("shop::Order::add", self.called())

    def test_libraries_that_come_and_go(self):
        library = self.here / "libshop.so"
        run(ARGS.cxx, "-g", "-O1", "-fPIC", "-shared", "-finstrument-functions", "-Wl,--build-id",
            self.folder / "library.cc", "-o", library)
        run(ARGS.cc, "-g", "-O1", "-rdynamic", "-finstrument-functions", "-Wl,--build-id", self.folder / "host.c",
            self.folder / "tsd.o", self.folder / "tsd_functions.o", "-pthread", "-ldl", "-o", self.folder / "host")
        self.record("host", str(library))
        symbols(self.trace)
        self.assertTrue({"main", "entry", "from_library"} <= set(self.called()), self.called())

    def test_what_names_there_are_is_carried_over(self):
        self.record()
        golden = Recorded(os.path.join(SOURCE, "tests/golden/thread_stream/managed/input.tsd"))
        old = bytearray(golden.data)
        old[15] |= 8
        old[60:64] = struct.pack("<I", zlib.crc32(old[:60]))
        (self.here / "names.tsdnames").write_bytes(old)
        symbols(self.trace)
        names = Recorded(self.names)
        self.assertEqual(set(names.problems), {"not_finished", "unknown_entry"})  # classes, assemblies
        self.assertEqual(set(names.methods), set(golden.methods))
        for key, (_, name) in names.methods.items():
            self.assertEqual(names.text(name), golden.text(golden.methods[key][1]))
        self.assertEqual(names.facts["recording"], Recorded(self.trace).facts["recording"])
        self.assertIn("shop::Order::add", self.called())
        # Once more: nothing is there twice.
        before = self.names.read_bytes()
        symbols(self.trace)
        again = Recorded(self.names)
        self.assertEqual(again.frames(), names.frames())
        self.assertLessEqual(len(self.names.read_bytes()), len(before))

    def test_symbols_of_another_recording_go(self):
        self.record()
        symbols(self.trace)
        places = set(Recorded(self.names).symbols)
        self.record()
        run("strip", "-g", str(self.program))
        self.assertIn("names_mismatch", [each["code"] for each in self.called() and self.facts["diagnostics"]])
        symbols(self.trace)
        self.called()
        self.assertEqual(self.facts["diagnostics"], [])
        self.assertEqual(Recorded(self.names).facts["recording"], Recorded(self.trace).facts["recording"])
        self.assertTrue(places)

    def test_into_a_copy(self):
        self.record()
        copy = self.here / "copy.tsd"
        symbols(self.trace, "--into", copy)
        self.assertFalse(self.names.exists())
        self.assertIn("shop::Order::add", self.called(copy))
        self.assertEqual(self.facts["diagnostics"], [])
        before, after = Recorded(self.trace), Recorded(copy)
        self.assertEqual(len(after.chunks), len(before.chunks) + 1)
        self.assertEqual([chunk.payload for chunk in after.chunks[1:]], [chunk.payload for chunk in before.chunks])
        self.assertIn("--force", symbols(self.trace, "--into", copy, code=1).stderr)
        symbols(self.trace, "--into", copy, "--force")
        symbols(copy, "--into", self.here / "twice.tsd")
        self.assertEqual(self.called(self.here / "twice.tsd"), self.called(copy))

    def test_a_cut_file_is_copied_with_its_cut(self):
        self.record()
        data = self.trace.read_bytes()
        cut = self.here / "cut.tsd"
        last = Recorded(self.trace).chunks[-1]
        cut.write_bytes(data[:last.offset + 64 + 40])
        copy = self.here / "copy.tsd"
        symbols(cut, "--into", copy, code=None)
        if copy.exists():
            self.assertEqual(self.called(copy).keys() | {"main"}, self.called(copy).keys() | {"main"})
            codes = [each["code"] for each in self.facts["diagnostics"]]
            self.called(cut)
            self.assertEqual(codes, [each["code"] for each in self.facts["diagnostics"]])

    def test_elsewhere_and_to_standard_output(self):
        self.record()
        out = self.here / "elsewhere.tsdnames"
        symbols(self.trace, "-o", out)
        self.assertFalse(self.names.exists())
        self.assertIn("exists already", symbols(self.trace, "-o", out, code=1).stderr)
        symbols(self.trace, "-o", out, "--force")
        done = subprocess.run([BINARY, "symbols", str(self.trace), "-o", "-"], capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, out.read_bytes())
        self.assertIn(b"are named", done.stderr)
        with open(self.trace, "rb") as pipe:
            self.assertIn("-o says where", symbols("-", code=1, stdin=pipe).stderr)

    def test_what_is_no_file_with_names_stays(self):
        self.record()
        self.names.write_text("mine")
        self.assertIn("--force", symbols(self.trace, code=1).stderr)
        self.assertEqual(self.names.read_text(), "mine")
        symbols(self.trace, "--force")
        self.assertIn("shop::Order::add", self.called())

    def test_other_traces_and_wrong_usage(self):
        json_trace = self.here / "a.json"
        json_trace.write_text("[]")
        self.assertIn("no native functions", symbols(json_trace, code=1).stderr)
        self.assertEqual(symbols(self.here / "none.tsd", code=None).returncode, 1)
        symbols(json_trace, "--module", "nothing", code=2)
        symbols(json_trace, "-o", "a", "--into", "b", code=2)
        shutil.copy(os.path.join(SOURCE, "tests/golden/thread_stream/minimal/input.tsd"), self.trace)
        self.assertIn("holds no addresses", symbols(self.trace).stdout)
        self.assertFalse(self.names.exists())

    def test_hostile_files(self):
        """Bytes that are wrong somewhere: no end of this program, and an answer."""
        self.record()
        whole = self.program.read_bytes()
        chance = random.Random(7)
        for i in range(12):
            bad = bytearray(whole)
            # The build id stays right, else the file is not read at all.
            keep = whole.find(b"GNU\0") - 16, whole.find(b"GNU\0") + 40
            for _ in range(1 + 40 * i):
                at = chance.randrange(64, len(bad))
                if not keep[0] <= at < keep[1]:
                    bad[at] = chance.randrange(256)
            if i % 3 == 2:
                bad = bad[:chance.randrange(len(bad) // 2, len(bad))]
            self.program.write_bytes(bad)
            done = symbols(self.trace, code=None)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertIn("addresses", done.stdout)
            self.called()

    def test_very_many_addresses(self):
        count = 100_000
        text = ["int x;\n"] + [f"int f{i}(int n) {{ return x + n * {i}; }}\n" for i in range(400)]
        (self.here / "many.c").write_text("".join(text) + "int main(void) { return f1(1); }\n")
        many = self.here / "many"
        run(ARGS.cc, "-g", "-O1", "-Wl,--build-id", "-no-pie", self.here / "many.c", "-o", many)
        build = bytes.fromhex(run("readelf", "-n", str(many)).stdout.split("Build ID: ")[1].split()[0])
        first = int(run("nm", str(many)).stdout.split(" T f0\n")[0].split()[-1], 16)

        def entry(tag, body):
            body += b"\0" * (-len(body) % 8)
            return struct.pack("<IHH", len(body) + 8, tag, 0) + body

        def chunk(kind, payload, entries, stream=0, last=0):
            header = b"TSCK" + struct.pack("<HHIIIIQQQIII", kind, 0, len(payload), len(payload), stream, 0, 0, 0, last,
                                           entries, 0, zlib.crc32(payload))
            return header + struct.pack("<I", zlib.crc32(header)) + payload

        path = str(many).encode()
        tables = [entry(2, struct.pack("<II", 1, len(path)) + path),
                  entry(6, struct.pack("<IIQQQQQIBBH", 0, 1, 0, first, first + count, first, 0, 1, 5, len(build), 0)
                        + build)]
        header = b"\x89TSD\r\n\x1a\n" + struct.pack("<HHHBBIIQQQ", 1, 0, 64, 8, 1, 8, 0, 7, 1, 1) + b"\0" * 12
        records = b"".join(struct.pack("<QIHH", i, first + i, 0, 5) for i in range(count))
        self.trace.write_bytes(header + struct.pack("<I", zlib.crc32(header)) + chunk(1, b"".join(tables), 2)
                               + chunk(2, records, count, 1, count))
        self.assertIn("by debug information", symbols(self.trace).stdout)
        self.assertIn("f399", Recorded(self.names).functions())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *REST])
