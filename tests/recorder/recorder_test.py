#!/usr/bin/env python3
"""What programs record, read back by a reader made from the specification of the files.

    recorder_test.py SOURCE_DIR [--cc CC] [--cxx CXX] [--flags FLAGS] [--kills N] [--binary CINDERSCOPE] [TEST...]

The programs are compiled here, as users do it: with a compiler, tsd.c and nothing else."""
import argparse
import collections
import errno
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tsd_file  # noqa: E402

ARGS = argparse.ArgumentParser()
ARGS.add_argument("source")
ARGS.add_argument("--cc", default="cc")
ARGS.add_argument("--cxx", default="c++")
ARGS.add_argument("--flags", default="")
ARGS.add_argument("--binary", default="")
ARGS.add_argument("--kills", type=int, default=10, help="of each kind")
ARGS, REST = ARGS.parse_known_args()

RECORDER = os.path.join(os.path.abspath(ARGS.source), "formats", "thread_stream", "recorder")
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FLAGS = ARGS.flags.split()
SANITIZED = "sanitize" in ARGS.flags


def has_lz4():
    done = subprocess.run([ARGS.cc, "-E", "-"], input=b"#include <lz4frame.h>\n", capture_output=True)
    return done.returncode == 0


def compile_program(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(arguments) + "\n" + done.stderr)


class RecorderTest(unittest.TestCase):
    built = False

    @classmethod
    def setUpClass(cls):
        if RecorderTest.built:
            return
        RecorderTest.folder = tempfile.mkdtemp(prefix="tsd-test-")
        unittest.addModuleCleanup(shutil.rmtree, cls.folder, True)
        lz4 = ["-DTSD_LZ4"] if has_lz4() else []
        RecorderTest.common = ["-O1", "-g", "-I" + RECORDER, *FLAGS]
        RecorderTest.recorder, RecorderTest.cases = cls.at("tsd.o"), cls.at("cases")
        RecorderTest.libraries = ["-pthread", "-ldl"] + (["-llz4"] if lz4 else [])
        compile_program(ARGS.cc, "-std=c99", *STRICT, *cls.common, *lz4, "-fPIC", "-c", RECORDER + "/tsd.c", "-o", cls.recorder)
        compile_program(ARGS.cc, "-std=c99", *STRICT, *cls.common, "-fno-omit-frame-pointer", "-rdynamic",
                        PROGRAMS + "/cases.c", cls.recorder, *cls.libraries, "-o", cls.cases)
        RecorderTest.built = True

    @classmethod
    def at(cls, name):
        return os.path.join(cls.folder, name)

    def setUp(self):
        self.path = self.at("run.tsd")
        for old in pathlib.Path(self.folder).glob("*.tsd"):
            old.unlink()

    def start(self, *arguments, program=None, **environment):
        environment.setdefault("TSD_PATH", self.path)
        environment.setdefault("TSAN_OPTIONS", "die_after_fork=0")
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=0")  # it cannot stop the threads of a forked child
        set_ = {key: value for key, value in environment.items() if value is not None}
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TSD_")}
        return subprocess.Popen([program or self.cases, *map(str, arguments)], env={**clean, **set_}, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_case(self, *arguments, code=0, quiet=True, **environment):
        process = self.start(*arguments, **environment)
        out, self.err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, self.err)
        if quiet:
            self.assertEqual(self.err, "")
        return out

    def read(self, path=None, **allowed):
        """The file; all that is wrong with it has to be named."""
        recording = tsd_file.read(path or self.path)
        self.calls = {stream: recording.calls(thread) for stream, thread in recording.threads.items()}
        problems = {code: count for code, count in recording.problems.items() if not allowed.get(code)}
        self.assertEqual(problems, {})
        return recording

    def info(self):
        done = subprocess.run([ARGS.binary, "info", "--json", self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def opens(self, recording):
        """The program reads the file as well, and sees the same."""
        if not ARGS.binary:
            return
        facts = self.info()
        details = facts["details"]
        self.assertEqual(details["records"], sum(thread.slots for thread in recording.threads.values()))
        self.assertEqual(details["lost"], sum(thread.lost for thread in recording.threads.values()))
        self.assertEqual(details["finished"], recording.finished)
        self.assertEqual({one["severity"] for one in facts["diagnostics"]} - {"harmless", "odd", "lost"}, set())

    def record(self, *arguments, **environment):
        self.run_case(*arguments, **environment)
        return self.read()

    def only(self, recording):
        self.assertEqual(len(recording.threads), 1)
        return next(iter(recording.threads.values()))

    def times_do_not_step_back(self, recording):
        for thread in recording.threads.values():
            ticks = [record.tick for record in thread.records]
            self.assertEqual(ticks, sorted(ticks))
            if ticks and thread.last:
                self.assertLessEqual(thread.first, ticks[0])
                self.assertGreaterEqual(thread.last, ticks[-1])


class WhatIsRecorded(RecorderTest):
    def test_every_macro_and_function(self):
        out = self.run_case("macros").split()
        self.assertEqual(out[0], out[1])
        self.assertNotEqual(out[0], "0")
        recording = self.read()
        self.opens(recording)
        thread = self.only(recording)
        self.assertEqual(thread.name, "first thread")
        self.assertEqual(thread.flags, 2)
        self.times_do_not_step_back(recording)
        words = collections.Counter(record.word() for record in thread.records)
        self.assertEqual(words, {"ENTER": 7, "EXIT": 7, "INSTANT": 2, "COUNTER": 2, "ASYNC_BEGIN": 1, "ASYNC_END": 1,
                                 "FLOW": 3, "ENTER_MANAGED": 2, "EXIT_MANAGED": 2})
        calls = {call[1]: call for call in self.calls[1]}
        self.assertEqual([call[1] for call in self.calls[1] if call[3] is None], [])
        self.assertEqual(calls["zone"][2].args,
                         [("text", "a text of more than eight bytes"), ("i64", -5), ("u64", 2**64 - 1), ("f64", 2.5),
                          ("bool", True), ("pointer", 0x1234)])
        self.assertEqual(calls["in category"][0], 1)
        sites = {site.name: site for site in recording.sites.values()}
        self.assertEqual(sites["in category"].category, "category")
        self.assertTrue(sites["in category"].file.endswith("cases.c"))
        self.assertGreater(sites["in category"].line, 10)
        self.assertEqual(sites["by call"][1:], ("calls", "cases.c", 7, 0x0000ff, 0))
        self.assertIn("made at run time", calls)
        self.assertIn("Made at run time", calls)
        kind, frames = calls["inside"][2].stacks[0]
        self.assertEqual(kind, 1)
        self.assertGreaterEqual(len(frames), 1)
        code = [s for s in recording.segments if s.protection & 4 and s.start <= frames[0] < s.end]
        self.assertTrue(code and code[0].path.endswith("/cases"), frames)
        managed = [record for record in thread.records if record.word() == "ENTER_MANAGED"]
        self.assertEqual((managed[0].aux, managed[0].site, managed[0].classes), (3, 0x06000123, [0x02000005]))
        self.assertEqual(managed[0].stacks, [(3, (0x306000001, 0x306000002, 5))])
        self.assertEqual(managed[1].classes, [])
        flows = [(record.aux, record.value) for record in thread.records if record.word() == "FLOW"]
        self.assertEqual(flows, [(0, 43), (1, 43), (2, 43)])
        counters = [struct.unpack("<d", struct.pack("<Q", r.value))[0] for r in thread.records if r.word() == "COUNTER"]
        self.assertEqual(counters, [0.25, 8.0])

    def test_facts_and_header(self):
        recording = self.record("record", 10)
        self.assertEqual((recording.major, recording.minor, recording.header), (1, 0, 64))
        self.assertEqual(recording.pointer, struct.calcsize("P"))
        self.assertTrue(recording.flags & 2)
        facts = recording.facts
        self.assertEqual((facts["name"], facts["start"], facts["stop"], facts["keep"]), ("cases", "now", "exit", "all"))
        self.assertRegex(facts["recording"], r"^[0-9a-f-]{36}$")
        self.assertEqual(facts["boot_id"], pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        self.assertGreater(int(facts["overhead_ns"]), 0)
        self.assertGreaterEqual(len(recording.clocks), 2)
        self.assertTrue(recording.finished)

    def test_modules_have_build_ids_and_addresses(self):
        recording = self.record("record", 1)
        own = [s for s in recording.segments if s.path.endswith("/cases")]
        self.assertTrue(own)
        for segment in own:
            self.assertLess(segment.start, segment.end)
        notes = subprocess.run(["readelf", "-n", self.cases], capture_output=True, text=True)
        found = re.search(r"Build ID: ([0-9a-f]+)", notes.stdout)
        if found:
            self.assertEqual(own[0].build.hex(), found[1])
        self.assertTrue(any("libc" in s.path for s in recording.segments))

    def test_nothing_asked_nothing_done(self):
        self.run_case("switched_off", TSD_PATH=None)
        self.assertEqual(self.run_case("recording", TSD_PATH=None), "0\n")
        self.assertEqual(self.run_case("recording", TSD_OFF="1"), "0\n")
        self.assertEqual(list(pathlib.Path(self.folder).glob("*.tsd")), [])

    def test_texts_of_all_lengths(self):
        thread = self.only(self.record("texts"))
        lengths = [len(record.args[0][1]) for record in thread.records if record.word() == "ENTER"]
        self.assertEqual(lengths, [0, 1, 7, 8, 9, 21, 22, 23, 36, 1000, 65534, 65535, 65535])
        self.assertEqual(thread.dropped, 1)  # the one that was cut

    def test_threads_each_have_a_stream_in_order(self):
        recording = self.record("threads", 8, 4000, TSD_CHUNK="16k")
        self.assertEqual(recording.name_counts(), {"zone": 32000})
        self.assertEqual(len(recording.threads), 8)
        self.assertEqual({thread.lost for thread in recording.threads.values()}, {0})
        self.assertEqual({thread.total for thread in recording.threads.values()}, {8000})
        self.assertEqual(len({thread.tid for thread in recording.threads.values()}), 8)
        self.times_do_not_step_back(recording)

    def test_two_hundred_threads_at_once(self):
        recording = self.record("threads", 200, 50)
        self.assertEqual(recording.name_counts(), {"zone": 10000})
        self.assertEqual(len(recording.threads), 200)

    def test_a_thousand_short_threads_and_their_destructors(self):
        recording = self.record("short_threads", 1000)
        self.assertEqual(recording.name_counts(), {"zone": 3000, "destructor": 1000})
        self.assertEqual({thread.flags for thread in recording.threads.values()}, {1})
        self.assertLess(os.stat(self.path).st_blocks * 512, 16 << 20)  # not a whole chunk each

    def test_a_thread_outlives_the_recording(self):
        recording = self.record("outlives")
        self.assertEqual(recording.name_counts(), {"zone": 2})
        self.assertEqual(recording.facts["stop"], "call")

    def test_counts(self):
        out = self.run_case("counts", 10000)
        self.assertEqual(out.split(), ["20000", "0", "20000", "0"])
        out = self.run_case("counts", 10000, TSD_KEEP="last", TSD_BYTES_PER_THREAD="64k")
        during, lost, after, after_lost = map(int, out.split())
        self.assertEqual((during + lost, after + after_lost), (20000, 20000))
        self.assertEqual(self.only(self.read(lost=True)).lost, after_lost)

    def test_clock_is_the_systems(self):
        for clock in ("auto", "monotonic"):
            out = self.run_case("clocks", 120, TSD_CLOCK=clock).splitlines()
            recording = self.read()
            records = self.only(recording).records
            self.assertEqual(len(records), len(out))
            for record, line in zip(records, out):
                before, after = map(int, line.split())
                self.assertLess(before - 1_000_000, recording.ns(record.tick))
                self.assertLess(recording.ns(record.tick), after + 1_000_000)
            self.assertEqual(bool(recording.flags & 1), recording.facts["clock"] == "monotonic")

    def test_cpp_zones(self):
        self.cpp_zones()

    @unittest.skipIf(SANITIZED, "is done by another flag there")
    def test_cpp_zones_in_a_program_whose_functions_are_recorded(self):
        hooks = self.at("hooks.o")
        compile_program(ARGS.cc, *self.common, "-c", RECORDER + "/tsd_functions.c", "-o", hooks)
        done = subprocess.run([ARGS.cxx, "--version"], capture_output=True, text=True)
        if "clang" in done.stdout:
            self.skipTest("it hooks the standard library, too")
        self.cpp_zones("-finstrument-functions", "-finstrument-functions-exclude-file-list=/usr/include", hooks)

    def test_recordings_as_objects(self):
        program = self.at("zones")
        compile_program(ARGS.cxx, "-std=c++17", *self.common, PROGRAMS + "/zones.cc", self.recorder, *self.libraries, "-o", program)
        paths = self.at("one.tsd"), self.at("two.tsd")
        process = self.start(*paths, "twice", program=program, TSD_PATH=None)
        self.assertEqual(process.communicate(), ("", ""))
        self.assertEqual(process.returncode, 0)
        self.assertEqual([len(self.only(self.read(path)).records) for path in paths], [1, 1])
        self.assertEqual([self.read(path).flags & 2 for path in paths], [0, 2])

    def cpp_zones(self, *more):
        program = self.at("zones")
        compile_program(ARGS.cxx, "-std=c++17", *STRICT, *self.common, PROGRAMS + "/zones.cc", *more, self.recorder,
                        *self.libraries, "-o", program)
        process = self.start(self.path, program=program, TSD_PATH=None, TSD_CHUNK="16k")
        self.assertEqual(process.communicate(), ("", ""))
        self.assertEqual(process.returncode, 0)
        recording = self.read()
        self.times_do_not_step_back(recording)
        main = next(thread for thread in recording.threads.values() if thread.flags & 2)
        zone = next(call for call in self.calls[main.stream] if call[1] == "at the begin")
        begin, end = dict(zone[2].args), dict(zone[3].args)
        pointer = begin.pop("pointer")
        self.assertGreater(pointer, 4096)
        self.assertEqual(begin, {"int": -3, "unsigned": 3, "size": 4, "double": 0.5, "bool": True, "enum": 2,
                                 "literal": "text", "string": "s" * 100, "view": "iew", "null text": 0})
        self.assertEqual(end, {"behind": 4, "literal behind": "late"})
        zone = next(call for call in self.calls[main.stream] if call[1] == "buffers")
        self.assertEqual((zone[2].args, zone[3].args), ([], [("path", "/index-7.html"), ("full", "full")]))
        self.assertEqual(main.dropped, 2)
        self.assertEqual(sum(call[1] == "throws" and call[3] is not None for call in self.calls[main.stream]), 6)
        for thread in recording.threads.values():
            if thread is main:
                continue
            self.assertRegex(thread.name, "^worker [012]$")
            self.assertGreater(len(thread.chunks), 5)
            for i, call in enumerate(call for call in self.calls[thread.stream] if call[1] == "many"):
                arguments = dict(call[2].args + call[3].args)
                self.assertEqual(arguments.get("i"), i)
                self.assertEqual(len(arguments.get("text", "y" * (i % 40))), i % 40)


class WhatIsKept(RecorderTest):
    def keeps(self, zones, **environment):
        self.run_case("record", zones, quiet="TSD_BYTES" not in environment, **environment)
        recording = self.read(lost=True, stray_end=True)  # of a call whose begin is lost
        self.opens(recording)
        thread = self.only(recording)
        self.assertEqual(thread.total, 2 * zones)
        self.assertEqual(thread.lost + thread.slots, 2 * zones)
        self.times_do_not_step_back(recording)
        return thread

    def test_first(self):
        for mode in ("live", "memory"):
            thread = self.keeps(50000, TSD_KEEP="first", TSD_BYTES_PER_THREAD="512k", TSD_MODE=mode)
            self.assertEqual(thread.chunks[0].ordinal, 0)
            self.assertGreater(thread.slots, 30000)
            self.assertLessEqual(thread.slots * 16, 512 << 10)

    def test_last(self):
        for mode in ("live", "memory"):
            for bytes_ in ("32k", "100k", "1M"):
                thread = self.keeps(100000, TSD_KEEP="last", TSD_BYTES_PER_THREAD=bytes_, TSD_MODE=mode)
                self.assertEqual(thread.chunks[-1].ordinal + thread.chunks[-1].count, 200000)
                self.assertEqual(len(thread.gaps), 1)  # nothing is missing but the oldest

    def test_all_within_a_limit(self):
        for mode in ("live", "memory"):
            thread = self.keeps(100000, TSD_BYTES="1M", TSD_MODE=mode)
            self.assertGreater(thread.slots, 20000)
            self.assertLessEqual(os.path.getsize(self.path), (1 << 20) + 8192)
            self.assertEqual(self.err.count("\n"), 1)
            self.assertIn("TSD_BYTES", self.err)

    def test_what_finds_no_room_is_in_the_counts(self):
        for environment in ({"TSD_BYTES": "1M"}, {"TSD_BYTES": "1M", "TSD_MODE": "memory"}, {"TSD_BYTES": "1"},
                            {"TSD_KEEP": "first", "TSD_BYTES_PER_THREAD": "64k"}):
            out = self.run_case("too_many", 500, 30000, quiet=False, **environment)
            expected, counted = map(int, out.split())
            self.assertEqual(counted, expected)
            recording = self.read(lost=True, stray_end=True)
            self.assertTrue(recording.finished)
            self.assertEqual(recording.facts["stop"], "exit")
            self.assertEqual(len(recording.threads), 501)
            counted = sum(thread.slots + thread.lost + thread.dropped for thread in recording.threads.values())
            self.assertEqual(counted, expected)
            self.assertGreater(sum(thread.slots for thread in recording.threads.values()), 1000)

    def test_dumps_hold_the_same_in_all_forms(self):
        for pack in ("raw", "packed") + (("lz4",) if has_lz4() else ()):
            recording = self.record("macros", TSD_MODE="memory", TSD_PACK=pack)
            self.assertEqual(len(self.only(recording).records), 27, pack)
            recording = self.record("threads", 3, 8000, TSD_MODE="memory", TSD_PACK=pack, TSD_CHUNK="64k")
            self.assertEqual(recording.name_counts(), {"zone": 24000})
            kinds = {(chunk.kind, chunk.flags) for chunk in recording.chunks if chunk.kind != 1}
            self.assertEqual(kinds, {{"raw": (2, 0), "packed": (3, 0), "lz4": (2, 1)}[pack]})
            self.opens(recording)
            per_record = os.path.getsize(self.path) / 48000
            self.assertLess(per_record, {"raw": 17, "packed": 4.5, "lz4": 13}[pack])

    def test_a_long_recording_keeps_memory_bounded(self):
        out = self.run_case("memory", 3000000 if not SANITIZED else 300000)
        if not SANITIZED:
            self.assertLess(int(out), 64 << 10)
            self.assertGreater(os.path.getsize(self.path), 90 << 20)

    def test_dump_into_a_pipe(self):
        os.mkfifo(self.path + ".fifo")
        with open(self.path, "wb") as copy:
            cat = subprocess.Popen(["cat", self.path + ".fifo"], stdout=copy)
            self.run_case("record", 100, TSD_PATH=self.path + ".fifo", TSD_MODE="memory")
            cat.wait()
        os.unlink(self.path + ".fifo")
        self.assertEqual(self.read().name_counts(), {"zone": 100})


    def test_a_pipe_that_nobody_reads_to_the_end(self):
        os.mkfifo(self.path + ".fifo")
        head = subprocess.Popen(["head", "-c", "100", self.path + ".fifo"], stdout=subprocess.DEVNULL)
        self.run_case("record", 100000, TSD_PATH=self.path + ".fifo", TSD_MODE="memory", quiet=False)
        self.assertEqual(self.err.count("\n"), 1)
        head.wait()
        os.unlink(self.path + ".fifo")

    def test_a_dump_beyond_what_the_system_allows(self):
        out = self.run_case("unwritable", TSD_MODE="memory", quiet=False)
        self.assertEqual(int(out), errno.EFBIG)
        self.assertEqual(self.err.count("\n"), 1)


class WhenItIsRecorded(RecorderTest):
    def test_a_file_each(self):
        self.run_case("restarts", TSD_START="call", TSD_PATH=self.at("run-%n.tsd"))
        for i in range(3):
            recording = self.read(self.at(f"run-{i + 1}.tsd"))
            self.assertEqual(recording.name_counts(), {"zone": i + 1})
            self.assertEqual((recording.facts["start"], recording.facts["stop"]), ("call", "call"))

    def test_a_later_recording_does_not_replace_an_earlier_one(self):
        self.run_case("restarts", TSD_START="call")
        self.assertEqual([self.read(self.at(name)).name_counts()["zone"] for name in ("run.tsd", "run-2.tsd", "run-3.tsd")],
                         [1, 2, 3])

    def test_path(self):
        process = self.start("record", 1, TSD_PATH=self.at("%e-%p-%n-%%.tsd"))
        process.wait()
        process.communicate()
        self.read(self.at(f"cases-{process.pid}-1-%.tsd"))

    def test_by_signal(self):
        process = self.start("until_recorded", 2, TSD_START="signal", TSD_STOP="signal", TSD_PATH=self.at("run-%n.tsd"))
        self.assertEqual(process.stdout.readline(), "ready\n")
        for _ in range(2):
            process.send_signal(signal.SIGUSR2)
            self.assertEqual(process.stdout.readline(), "recording\n")
            process.send_signal(signal.SIGUSR2)
            self.assertEqual(process.stdout.readline(), "stopped\n")
        self.assertEqual(process.wait(), 0)
        self.assertEqual(process.communicate(), ("", ""))
        for i in (1, 2):
            recording = self.read(self.at(f"run-{i}.tsd"))
            self.assertEqual((recording.facts["start"], recording.facts["stop"]), ("signal", "signal"))
            self.assertEqual(recording.name_counts(), {"zone": 5})

    def test_flight_recorder_dumped_by_another_signal(self):
        process = self.start("until_recorded", TSD_MODE="memory", TSD_KEEP="last", TSD_STOP="signal:USR1")
        self.assertEqual(process.stdout.readline(), "ready\n")
        self.assertEqual(process.stdout.readline(), "recording\n")
        process.send_signal(signal.SIGUSR1)
        process.wait()
        process.communicate()
        self.assertEqual(self.read().name_counts(), {"zone": 5})

    def test_by_delay(self):
        self.run_case("until_recorded", TSD_START="delay:50", TSD_STOP="after:300")
        recording = self.read()
        self.assertEqual((recording.facts["start"], recording.facts["stop"]), ("delay", "delay"))

    def test_without_exit_a_dump_is_not_made(self):
        self.run_case("record", 10, TSD_MODE="memory", TSD_STOP="call")
        self.assertEqual(os.path.getsize(self.path), 64)

    def test_a_signal_that_the_program_uses_is_left_alone(self):
        self.run_case("record", 1, TSD_START="signal:KILL", quiet=False)
        self.assertIn("signal", self.err)

    def test_stopped_while_threads_record(self):
        times = 30 if not SANITIZED else 10
        for mode in ("live", "memory"):
            self.run_case("stops", times, TSD_START="call", TSD_PATH=self.at("run-%n.tsd"), TSD_MODE=mode)
            for i in range(times):
                recording = self.read(self.at(f"run-{i + 1}.tsd"), stray_end=True)  # of what began before
                for thread in recording.threads.values():
                    self.assertEqual(thread.lost, 0)
                    self.assertEqual(thread.total, thread.slots)
                    ticks = [record.tick for record in thread.records]
                    self.assertEqual(ticks, sorted(ticks))

    def test_pause(self):
        recording = self.record("paused")
        self.opens(recording)
        thread = self.only(recording)
        self.assertEqual(recording.name_counts(), {"before and after": 1, "after": 1, "zone": 1})
        words = [record.word() for record in thread.records]
        self.assertEqual(words, ["ENTER", "RESUME", "ENTER", "EXIT", "ENTER", "EXIT"])
        resume = thread.records[1]
        self.assertEqual((resume.aux, resume.args), (1, []))
        self.assertLessEqual(thread.records[0].tick, resume.value)
        self.assertLessEqual(resume.value, resume.tick)

    def test_threads_that_record_nothing_after_a_pause_end_there(self):
        recording = self.record("paused_threads")
        again = next(thread for thread in recording.threads.values() if thread.name == "again")
        resume, = (record for record in again.records if record.word() == "RESUME")
        for thread in recording.threads.values():
            if thread is not again:
                self.assertEqual(thread.last, resume.value)

    def test_pauses_while_threads_record(self):
        recording = self.record("pauses", 40, TSD_CHUNK="16k")  # so that pauses meet threads that change chunks
        for thread in recording.threads.values():
            self.assertEqual((thread.lost, thread.total), (0, thread.slots))
            self.assertGreater(sum(record.word() == "RESUME" for record in thread.records), 0)

    def test_by_configuration(self):
        self.run_case("configured", self.path, TSD_PATH=None)
        recording = self.read(lost=True)
        thread = self.only(recording)
        self.assertEqual(set(recording.name_counts()), {"zone"})
        self.assertEqual((recording.facts["include"], recording.facts["exclude"]), ("^zone$", "^other$"))
        self.assertEqual((recording.facts["keep"], recording.facts["clock"]), ("last", "monotonic"))
        self.assertEqual(thread.lost + thread.slots, 20000)
        self.assertEqual({chunk.kind for chunk in thread.chunks}, {3})
        self.assertFalse(recording.flags & 2)

    def test_wrong_values_are_said(self):
        for name, value in (("TSD_MODE", "quick"), ("TSD_KEEP", "some"), ("TSD_BYTES", "much"), ("TSD_START", "soon"),
                            ("TSD_STOP", "exit,later"), ("TSD_PACK", "zip"), ("TSD_CLOCK", "sun"), ("TSD_FORK", "yes"),
                            ("TSD_INCLUDE", "a(b"), ("TSD_EXCLUDE", "[z")):
            self.run_case("record", 5, quiet=False, **{name: value})
            self.assertEqual(self.err.count("\n"), 1, name)
            self.assertIn(value, self.err)
            self.assertEqual(self.read().name_counts(), {"zone": 5})

        self.run_case("record", 5, quiet=False, TSD_START="signal:USR1", TSD_STOP="signal:USR2")
        self.assertEqual(self.err.count("\n"), 1)
        self.assertIn("TSD_STOP=signal:USR2", self.err)

    def test_filters(self):
        def names(*arguments, **environment):
            return dict(self.record("filters", *arguments, **environment).name_counts())
        plain = {"plain": 1, "plain entered": 1, "read entered": 1}
        self.assertEqual(names(), {"read": 1, "write": 1, **plain})
        self.assertEqual(names(TSD_INCLUDE="^net/"), {"read": 1, "write": 1})
        self.assertEqual(names(TSD_INCLUDE="read"), {"read": 1, "read entered": 1})
        self.assertEqual(names(TSD_EXCLUDE="read|plain$"), {"write": 1, "plain entered": 1})
        self.assertEqual(names(TSD_EXCLUDE="^(plain|read) entered$"), {"read": 1, "write": 1, "plain": 1})
        self.assertEqual(names(TSD_INCLUDE="^off[.]verbose"), {"detail": 1})
        self.assertEqual(names(TSD_INCLUDE="."), {"read": 1, "write": 1, "detail": 1, **plain})
        self.assertEqual(names(TSD_INCLUDE="^net/[[:alpha:]]{4}$"), {"read": 1})
        self.assertEqual(names(TSD_INCLUDE="^net/.?.?[^r]*e+(ad){0,1}$"), {"read": 1, "write": 1})
        excluded = self.record("filters", TSD_EXCLUDE="^net/")
        self.assertEqual({site.name for site in excluded.sites.values() if site.flags & 1}, {"read", "write", "detail"})
        for record in self.only(excluded).records:  # none of the read's
            self.assertNotIn("bytes", dict(record.args))

    def test_filter_changed_while_it_records(self):
        names = self.record("filters", "", "^net/read").name_counts()
        self.assertEqual(names, {"read": 1, "write": 3, "plain": 3, "plain entered": 3, "read entered": 3})
        names = self.record("filters", "", "^net/write", TSD_EXCLUDE="net/read").name_counts()
        self.assertEqual(names, {"read": 2, "write": 1, "plain": 3, "plain entered": 3, "read entered": 3})


    def test_filter_changed_on_names_of_run_time(self):
        self.assertEqual(self.record("texts_filtered").name_counts(), {"alpha": 2, "beta": 3})


class WhatGoesWrong(RecorderTest):
    def without_files(self):
        """What an earlier process left is neither waited for nor read as this one's."""
        for old in (self.at("counts"), self.path):
            pathlib.Path(old).unlink(missing_ok=True)

    def wait_for_file(self):
        while not os.path.exists(self.path) or os.path.getsize(self.path) < 64:
            time.sleep(0.01)

    def counted(self, threads):
        """How many calls each has finished, as they said in memory that they share."""
        path = pathlib.Path(self.at("counts"))
        words = struct.unpack("<512Q", path.read_bytes()) if path.exists() and path.stat().st_size else [0] * 512
        return sorted(words[8 * i] for i in range(threads))

    def killed(self, delay, threads=2, has_recorded=False, **environment):
        self.without_files()
        process = self.start("until_killed", self.at("counts"), threads, **environment)
        while has_recorded and not sum(self.counted(threads)):
            time.sleep(0.001)
        time.sleep(delay)
        process.kill()
        process.communicate()
        if not os.path.exists(self.path) or os.path.getsize(self.path) < 64:
            return None  # before the file was there
        recording = self.read(not_finished=True, torn=True, truncated=True)
        self.opens(recording)
        self.assertEqual(recording.facts.get("stop"), None)
        expected = self.counted(threads)
        found = []
        for stream, thread in recording.threads.items():
            self.assertEqual(thread.lost, 0)
            self.assertLessEqual(thread.torn, 2)
            numbers = [dict(call[2].args).get("number") for call in self.calls[stream]]
            complete = [number for number, call in zip(numbers, self.calls[stream]) if call[3]]
            self.assertEqual(complete, list(range(len(complete))))
            found.append(len(complete))
        found += [0] * (threads - len(found))
        for complete, counted in zip(sorted(found), expected):  # all that were counted, and one more at most
            self.assertIn(complete - counted, (0, 1))
        return sum(found)

    def test_killed_at_any_moment(self):
        rng = random.Random(1)
        total = 0
        for i in range(ARGS.kills):  # every second one not before a call has ended, however slow the machine is
            total += self.killed(rng.uniform(0.002, 0.04), has_recorded=i % 2 == 1, TSD_CHUNK=rng.choice(["16k", "64k", "256k"])) or 0
        self.assertGreater(total, 0)

    @unittest.skipIf(not ARGS.binary or SANITIZED, "its files are too large for the reader here")
    def test_killed_while_four_threads_do_nothing_but_record(self):
        rng = random.Random(4)
        records = 0
        for _ in range(ARGS.kills):
            self.without_files()
            process = self.start("until_killed", self.at("counts"), 4, 0, TSD_CHUNK=rng.choice(["16k", "64k", "256k"]))
            self.wait_for_file()
            time.sleep(rng.uniform(0.0, 0.1))
            process.kill()
            process.communicate()
            facts = self.info()
            self.assertLessEqual({one["code"] for one in facts["diagnostics"]}, {"not_finished", "unfinished"})
            found = sorted(thread["slices"] for thread in facts["threads"])
            found = [0] * (4 - len(found)) + found
            for slices, expected in zip(found, self.counted(4)):  # what was counted, and the call that was under way
                self.assertIn(slices - expected, (0, 1))
            records += facts["details"]["records"]
        self.assertGreater(records, 10000 * ARGS.kills)
        print(f"{records} records, {ARGS.kills} kills", file=sys.stderr)

    def test_killed_in_the_first_milliseconds(self):
        for i in range(ARGS.kills):
            self.killed(i / 4000)

    def test_killed_while_it_keeps_the_last(self):
        rng = random.Random(2)
        for _ in range(ARGS.kills // 2):
            self.without_files()
            process = self.start("until_killed", self.at("counts"), 2, TSD_KEEP="last", TSD_BYTES_PER_THREAD="64k")
            self.wait_for_file()
            time.sleep(rng.uniform(0.0, 0.04))
            process.kill()
            process.communicate()
            recording = self.read(not_finished=True, torn=True, lost=True, stray_attachment=True, stray_end=True)
            for thread in recording.threads.values():
                numbers = [dict(record.args).get("number") for record in thread.records if record.word() == "ENTER"]
                numbers = [number for number in numbers if number is not None]
                self.assertEqual(numbers, sorted(numbers))

    def test_killed_while_names_are_written(self):
        rng = random.Random(3)
        for _ in range(ARGS.kills // 2):
            self.without_files()
            process = self.start("names_until_killed")
            time.sleep(rng.uniform(0.005, 0.05))
            process.kill()
            process.communicate()
            if os.path.exists(self.path) and os.path.getsize(self.path) >= 64:
                recording = self.read(not_finished=True, torn=True)
                for call in self.calls.get(1, []):
                    self.assertRegex(call[1], "^name")

    @unittest.skipIf(ARGS.flags, "sanitizers cannot be interrupted everywhere")
    def test_a_handler_between_any_two_instructions_leaves_no_stray_end(self):
        for how, (pauses, calls) in itertools.product(range(3), ((1, 0), (1, 1), (0, 1))):
            with self.subTest(how=how, pauses=pauses, calls=calls):
                steps = int(self.run_case("stepped", how, pauses, calls))
                if not steps:  # the processor has no such mode
                    return
                self.assertGreater(steps, 20)
                recording = self.read(clock_back=True)
                expected = {name: steps for name in (["zone"], ["outer", "inner"], ["outer", "inner"])[how]}
                if calls:
                    expected["handler"] = steps - 1
                self.assertEqual(recording.name_counts(), expected)
                if not pauses:
                    self.assertNotIn(None, [call[3] for call in self.calls[1]])

    def test_signal_handlers(self):
        out = self.run_case("in_handlers", 200, TSD_CHUNK="16k")
        handled, names = map(int, out.split())
        recording = self.read()
        counts = recording.name_counts()
        dropped = sum(thread.dropped for thread in recording.threads.values())
        found = sum(counts[name] for name in ("handler a", "handler b", "handler c", "handler f"))
        found += sum(r.kind in (3, 4) for thread in recording.threads.values() for r in thread.records)
        self.assertGreater(found, 0)
        self.assertLessEqual(found, handled)
        self.assertLessEqual(handled - found, dropped)  # what is missing was counted
        self.assertEqual(sum(count for name, count in counts.items() if name.startswith("name ")), names)
        for stream, calls in self.calls.items():
            self.assertEqual([call[1] for call in calls if call[3] is None], [], stream)
        for calls in self.calls.values():
            for before, call in zip(calls, calls[1:]):
                if call[1] == "handler inside":
                    self.assertEqual(before[1], "handler a")

    def test_fork(self):
        child = int(self.run_case("forks"))
        recording = self.read()
        self.assertEqual(recording.name_counts(), {"around the fork": 1, "zone": 50})
        self.assertNotEqual(recording.pid, child)
        if "thread" in ARGS.flags:
            return  # that sanitizer knows no threads in a forked child
        for mode in ("live", "memory"):
            child = int(self.run_case("forks", TSD_PATH=self.at("run-%p.tsd"), TSD_FORK="file", TSD_MODE=mode))
            recording = self.read(self.at(f"run-{child}.tsd"))
            self.assertEqual(recording.name_counts(), {"zone": 100})
            self.assertEqual(recording.pid, child)
            parent, = (path for path in pathlib.Path(self.folder).glob("run-*.tsd") if str(child) not in path.name)
            self.assertEqual(self.read(parent).name_counts(), {"around the fork": 1, "zone": 50})
            parent.unlink()
            os.unlink(self.at(f"run-{child}.tsd"))

    @unittest.skipIf("thread" in ARGS.flags, "that sanitizer knows no threads in a forked child")
    def test_a_child_is_recorded_by_a_signal(self):
        # A fork while another thread allocates leaves the allocator of GCC 12's address sanitizer locked in the child,
        # whose recorder then waits in calloc() for ever: only there another child is tried.
        for _ in range(8 if "address" in ARGS.flags else 1):
            child = int(self.run_case("child_by_signal", TSD_PATH=self.at("run-%p.tsd"), TSD_FORK="file",
                                      TSD_START="signal"))
            if os.path.exists(self.at(f"run-{child}.tsd")):
                break
        recording = self.read(self.at(f"run-{child}.tsd"))
        self.assertEqual(recording.name_counts(), {"zone": 7})

    def test_spawn_and_exec(self):
        self.assertEqual(self.record("spawns").name_counts(), {"around the child": 1})
        out = self.run_case("executes")
        self.assertLessEqual(len(out.split()), 4 + 2 * SANITIZED)  # our file is not among the open ones
        self.read(not_finished=True)

    @unittest.skipIf("thread" in ARGS.flags, "the handler waits for no lock, and that sanitizer's report of it hangs")
    def test_crash(self):
        for how in ("null", "overflow", "abort"):
            if SANITIZED and how != "null":
                continue
            process = self.start("crashes", how, TSD_MODE="memory", TSD_CRASH="1")
            process.communicate()
            self.assertNotEqual(process.returncode, 0)
            recording = self.read(not_finished=True)
            self.assertTrue(recording.flags & 4)
            self.assertEqual(recording.facts["stop"], "crash")
            names = recording.name_counts()
            self.assertEqual((names["zone"], names["open at the crash"]), (10, 1))
            if how == "overflow":
                self.assertGreater(names["endless"], 100)

    @unittest.skipIf(SANITIZED, "crashes are the sanitizer's")
    def test_a_program_survives_a_crash(self):
        self.run_case("survives", self.path, TSD_PATH=None)
        recording = self.read(not_finished=True)
        self.assertEqual((recording.facts["stop"], recording.name_counts()), ("crash", {"zone": 1000}))

    @unittest.skipIf(SANITIZED, "its memory grows by itself")
    def test_threads_that_outlive_recordings_leave_nothing(self):
        out = self.run_case("outlive_often", TSD_START="call", TSD_MODE="memory", TSD_CRASH="1", TSD_PATH=self.at("run-%n.tsd"))
        self.assertLess(int(out), 4096)

    def test_libraries_come_and_go(self):
        library = self.at("library.so")
        compile_program(ARGS.cc, "-shared", "-fPIC", *self.common, PROGRAMS + "/library.c", "-o", library)
        process = self.start("libraries", library)

        def last_snapshot_has(wanted):  # of the file while it is written
            segments = tsd_file.read(self.path).segments
            last = max((s.snapshot for s in segments), default=0)
            return wanted == any(s.path == library for s in segments if s.snapshot == last)
        for _ in range(3):
            for loaded in (True, False):
                self.assertEqual(process.stdout.readline(), "loaded\n" if loaded else "closed\n")
                while not last_snapshot_has(loaded):
                    time.sleep(0.02)
                process.stdin.write("\n")
                process.stdin.flush()
        self.assertEqual(process.communicate(), ("", ""))
        recording = self.read()
        self.assertEqual(recording.name_counts(), {"in a library": 3})
        seen = [s.snapshot for s in recording.segments if s.path == library]
        self.assertEqual(len(set(seen)), 3)
        self.assertGreater(max(s.snapshot for s in recording.segments), 3)
        self.assertEqual(len({s.module for s in recording.segments if s.path == library}), 1)

    def test_a_library_of_the_folder_of_the_program(self):
        library = self.at("library.so")
        compile_program(ARGS.cc, "-shared", "-fPIC", *self.common, PROGRAMS + "/library.c", "-o", library)
        recording = self.record("relative_library", self.folder)
        self.assertTrue(any(s.path == self.folder + "/./library.so" for s in recording.segments))

    @unittest.skipIf("thread" in ARGS.flags, "it reports what the program does with the recorder's file")
    def test_a_program_that_closes_all_files_keeps_its_own(self):
        for mode in ("live", "memory"):
            own = self.at("own.db")
            pathlib.Path(own).unlink(missing_ok=True)
            self.run_case("closes_all", own, TSD_MODE=mode, quiet=False)
            self.assertEqual(self.err.count("\n"), 1, self.err)
            self.assertIn("closed by the program", self.err)
            self.assertEqual(pathlib.Path(own).read_bytes(), b"U" * (64 * 4096))

    def test_a_thread_attaches_while_the_recording_ends(self):
        self.run_case("attaches", TSD_START="call", TSD_KEEP="first", TSD_BYTES_PER_THREAD="16M", TSD_CHUNK="16M", TSD_PATH=self.at("run-%n.tsd"))
        for i in range(3):
            self.assertEqual(self.read(self.at(f"run-{2 * i + 2}.tsd")).name_counts(), {"zone": 40})

    def test_names_without_room(self):
        times = 300000 if not SANITIZED else 30000
        out = self.run_case("endless_names", times, TSD_BYTES="1M", quiet=False)
        calls, memory = map(int, out.split())
        self.assertEqual(calls, 2 * times)  # all are in some count
        if not SANITIZED:
            self.assertLess(memory, 12 << 10)

    @unittest.skipIf(SANITIZED, "the library would need the sanitizer's")
    def test_a_plugin_with_a_recorder_is_unloaded(self):
        library = self.at("plugin.so")
        compile_program(ARGS.cc, "-shared", "-fPIC", "-fvisibility=hidden", "-DTSD_API=", "-Drun=__attribute__((visibility(\"default\"))) run",
                        *self.common, PROGRAMS + "/library.c", RECORDER + "/tsd.c", "-o", library)
        bare = self.at("bare")
        compile_program(ARGS.cc, *self.common, "-DTSD_DISABLE", PROGRAMS + "/cases.c", "-pthread", "-ldl", "-o", bare)
        for mode in ("live", "memory"):
            process = self.start("plugin", library, program=bare, TSD_MODE=mode, TSD_CRASH="1", TSD_STOP="exit,signal")
            self.assertEqual(process.communicate(), ("", ""))
            self.assertEqual(process.returncode, 0)
            self.assertEqual(self.read().name_counts(), {"in a library": 1})

    @unittest.skipIf("thread" in ARGS.flags, "it ends before the thread's last moments")
    def test_a_thread_records_in_its_last_moments(self):
        for mode in ("live", "memory"):
            recording = self.record("late_destructors", TSD_MODE=mode)
            self.assertGreaterEqual(recording.name_counts()["zone"], 3)
            self.assertEqual(len(recording.threads), 3)
            self.assertEqual({thread.flags for thread in recording.threads.values()}, {1})

    @unittest.skipIf("thread" in ARGS.flags, "that sanitizer knows no threads in a forked child")
    def test_fork_while_libraries_are_looked_at(self):
        self.run_case("forks_often", TSD_PATH=self.at("run-%p.tsd"), TSD_FORK="file")

    @unittest.skipIf(SANITIZED, "it calls munmap before it can be recorded")
    def test_a_program_records_in_what_the_recorder_calls(self):
        program = self.at("wraps")
        compile_program(ARGS.cc, *self.common, PROGRAMS + "/wraps.c", self.recorder, *self.libraries, "-o", program)
        process = self.start(program=program, TSD_CHUNK="16k")
        self.assertEqual(process.communicate(timeout=60), ("", ""))
        self.assertGreater(self.read().name_counts()["zone"], 0)

    def test_paths_that_cannot_be_written(self):
        folder = self.at("folder.tsd")
        os.mkdir(folder)
        for path in (folder, self.at("nowhere/run.tsd"), "/proc/run.tsd"):
            for mode in ("live", "memory"):
                self.run_case("record", 5, quiet=False, TSD_PATH=path, TSD_MODE=mode)
                self.assertEqual(self.err.count("\n"), 1)
                self.assertIn(path, self.err)
        os.rmdir(folder)

    def test_a_viewer_keeps_the_file_it_has_open(self):
        self.run_case("record", 5)
        with open(self.path, "rb") as old:
            before = old.read()
            self.run_case("record", 50)
            old.seek(0)
            self.assertEqual(old.read(), before)
        self.assertEqual(self.read().name_counts(), {"zone": 50})

    def test_two_recorders_and_one_path(self):
        first = self.start("until_killed", self.at("counts"), 1)
        self.wait_for_file()
        self.run_case("record", 7)
        first.kill()
        first.communicate()
        self.assertEqual(self.read(self.at("run-2.tsd")).name_counts(), {"zone": 7})
        self.assertEqual(set(self.read(not_finished=True, torn=True).name_counts()), {"counted call"})

    def test_recorders_that_start_together(self):
        for _ in range(5):
            processes = [self.start("held") for _ in range(6)]
            for process in processes:  # until all of them record
                self.assertEqual(process.stdout.readline(), "ready\n")
            for process in processes:
                process.communicate("\n")
            files = list(pathlib.Path(self.folder).glob("*.tsd"))
            self.assertEqual(len(files), 6)
            for file in files:
                file.unlink()

    def test_full_disk(self):
        for mode in ("live", "memory"):
            script = ("mount -t tmpfs -o size=1m none \"$1\" && cd \"$1\" && TSD_PATH=run.tsd TSD_MODE=%s \"$2\" record 200000; "
                      "echo $?; cp run.tsd \"$3\"" % mode)
            mount = self.at("mount")
            os.makedirs(mount, exist_ok=True)
            done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", mount, self.cases, self.path],
                                  capture_output=True, text=True)
            if "unshare" in done.stderr or "mount" in done.stderr:
                self.skipTest("no mounts here")
            self.assertEqual(done.stdout, "0\n")
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            if mode == "live":
                recording = self.read(lost=True)
                thread = self.only(recording)
                self.assertEqual(thread.lost + thread.slots, 400000)
                self.assertGreater(thread.slots, 10000)


class HowItIsBuilt(RecorderTest):
    @unittest.skipIf(SANITIZED, "nothing is run")
    def test_every_language_and_compiler(self):
        check = ["-fsyntax-only", "-Wshadow", *STRICT, "-I" + RECORDER]
        c, cpp = "-std=c99", ["-x", "c++"]
        for cc, cxx in (("gcc", "g++"), ("clang", "clang++")):
            if not shutil.which(cc) or not shutil.which(cxx):
                continue
            for defines in ([], ["-DTSD_BUSY_FORM", "-DTSD_UNWIND"], ["-DTSD_DISABLE"]):
                compile_program(cc, c, "-O2", *check, *defines, RECORDER + "/tsd.c")
                compile_program(cxx, *cpp, "-std=c++17", "-O2", *check, *defines, RECORDER + "/tsd.c")
                compile_program(cc, c, *check, *defines, RECORDER + "/tsd_functions.c", PROGRAMS + "/library.c")
                compile_program(cxx, *cpp, "-std=c++11", *check, *defines, PROGRAMS + "/library.c")
            compile_program(cxx, "-std=c++20", *check, PROGRAMS + "/zones.cc")  # 17 is elsewhere

    def test_the_form_of_other_processors(self):
        program = self.at("busy")
        compile_program(ARGS.cc, "-std=c99", *STRICT, *self.common, "-DTSD_BUSY_FORM", "-fno-omit-frame-pointer", "-rdynamic",
                        PROGRAMS + "/cases.c", RECORDER + "/tsd.c", "-pthread", "-ldl", "-o", program)
        before, type(self).cases = self.cases, program
        self.addCleanup(setattr, type(self), "cases", before)
        recording = self.record("threads", 4, 5000, TSD_CHUNK="16k")
        self.assertEqual(recording.name_counts(), {"zone": 20000})
        self.run_case("stops", 10, TSD_START="call", TSD_PATH=self.at("run-%n.tsd"))
        for i in range(10):
            recording = self.read(self.at(f"run-{i + 1}.tsd"), stray_end=True)
            self.assertEqual({(thread.lost, thread.total - thread.slots) for thread in recording.threads.values()} - {(0, 0)}, set())
        WhatGoesWrong.test_signal_handlers(self)

    def test_a_handler_between_a_zone_and_its_argument(self):
        for form in ([], ["-DTSD_BUSY_FORM"]):
            program, recorder = self.at("interrupted"), self.at("form.o")
            compile_program(ARGS.cc, "-std=c99", *self.common, *form, "-c", RECORDER + "/tsd.c", "-o", recorder)
            compile_program(ARGS.cxx, "-std=c++17", *STRICT, *self.common, *form, PROGRAMS + "/zones.cc", recorder, "-pthread",
                            "-ldl", "-o", program)
            process = self.start(self.path, 1000000 if not SANITIZED else 50000, program=program, TSD_PATH=None, TSD_CHUNK="16k")
            self.assertEqual(process.communicate(), ("", ""))
            recording = self.read()  # nothing torn
            calls = [call for call in self.calls[1] if call[1] == "interrupted"]
            for i, call in enumerate(calls[:1000]):
                self.assertEqual(call[2].args + call[3].args, [("i", i)])
            self.assertEqual({chunk.flags for chunk in recording.chunks if chunk.kind == 2}, {0})

    @unittest.skipIf(SANITIZED, "libraries would need the sanitizer's")
    def test_two_libraries_with_a_recorder_each(self):
        for name in ("one", "two"):  # whose functions are found by name, so all calls lead to the first one's
            compile_program(ARGS.cc, "-shared", "-fPIC", *self.common, "-Drun=run_" + name, PROGRAMS + "/library.c",
                            RECORDER + "/tsd.c", "-o", self.at(f"lib{name}.so"))
        program = self.at("linked")
        source = self.at("linked.c")
        pathlib.Path(source).write_text("void run_one(void); void run_two(void); int main(void) "
                                        "{ run_one(); run_two(); return 0; }\n", encoding="utf-8")
        compile_program(ARGS.cc, source, "-L" + self.folder, "-Wl,-rpath," + self.folder, "-lone", "-ltwo", "-o", program)
        process = self.start(program=program)
        self.assertEqual(process.communicate(), ("", ""))
        self.assertEqual(self.read().name_counts(), {"in a library": 2})
        self.assertEqual(len(list(pathlib.Path(self.folder).glob("*.tsd"))), 1)

    def test_disabled_there_is_nothing(self):
        program = self.at("disabled")
        compile_program(ARGS.cxx, "-std=c++17", *STRICT, *self.common, "-DTSD_DISABLE", PROGRAMS + "/zones.cc", "-pthread",
                        "-o", program)
        process = self.start(program=program)
        self.assertEqual(process.communicate(), ("", ""))
        self.assertEqual(process.returncode, 0)
        self.assertFalse(os.path.exists(self.path))
        for order in ("1234", "4321"):  # files are in the order of the processor, which has to be theirs
            macros = subprocess.run([ARGS.cc, "-E", "-dM", "-U__BYTE_ORDER__", "-D__BYTE_ORDER__=" + order, RECORDER + "/tsd.h"],
                                    capture_output=True, text=True).stdout
            self.assertEqual("#define TSD_DISABLE" in macros, order == "4321")

    def example(self, name, code=0, own_recorder=False, **allowed):
        """What the command in its first comment records, in a folder with copies of our files, but for the viewer."""
        if SANITIZED:
            self.skipTest("its command is the test")
        source = pathlib.Path(RECORDER, "examples", name)
        comment = " ".join(line.strip(" */") for line in source.read_text().splitlines()[:8])
        command = re.search(r"(?:gcc|g\+\+) .*?(?= (?:&&|\|\|) cinderscope %s.tsd\b)" % source.stem, comment)[0]
        if not own_recorder:
            command = command.replace(" tsd.c -pthread", " ".join(["", self.recorder, *self.libraries]))
        build = self.at("example")
        shutil.rmtree(build, True)
        os.mkdir(build)
        for file in ("tsd.h", "tsd.hpp", "tsd.c", "tsd_functions.c", source):
            shutil.copy(os.path.join(RECORDER, file), build)
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TSD_")}
        done = subprocess.run(["bash", "-ec", command], cwd=build, env=clean, capture_output=True, text=True)
        ended = done.returncode if done.returncode >= 0 else 128 - done.returncode  # shells differ
        self.assertEqual(ended, code, command + done.stderr)
        self.path = os.path.join(build, source.stem + ".tsd")
        recording = self.read(**allowed)
        self.opens(recording)
        return recording

    def test_example_in_c(self):
        names = self.example("words.c", own_recorder=True).name_counts()
        self.assertGreater(names["count_words"], 10)

    def test_example_in_cpp(self):
        recording = self.example("game.cc", own_recorder=True)
        self.assertEqual(recording.name_counts(), {"step": 280, "simulate": 4, "main loop": 1})
        self.assertEqual(sorted(thread.name for thread in recording.threads.values()), ["game"] + 3 * ["worker"])

    def test_example_of_tasks(self):
        recording = self.example("tasks.cc")
        flows = collections.Counter(r.aux for t in recording.threads.values() for r in t.records if r.kind == 11)
        self.assertEqual(flows[0], flows[2])
        self.assertGreater(flows[0], 10)

    def test_example_of_all_functions(self):
        recording = self.example("functions.cc", own_recorder=True)
        main = next(thread for thread in recording.threads.values() if thread.flags & 2)
        words = collections.Counter(record.word() for record in main.records)
        self.assertEqual(words["ENTER_ADDRESS"], words["EXIT_ADDRESS"])
        self.assertGreater(words["ENTER_ADDRESS"], 100)
        addresses = collections.Counter(record.address() for record in main.records if record.kind == 5)
        self.assertLess(len(addresses), 12)  # nothing of the standard library
        for address in addresses:
            self.assertTrue(any(s.start <= address < s.end and s.protection & 4 for s in recording.segments))

    def test_example_of_a_flight_recorder(self):
        recording = self.example("flight.c", lost=True, stray_attachment=True, stray_end=True)
        self.assertEqual(recording.facts["keep"], "last")
        self.assertIn("slow request", [site.name for site in recording.sites.values()])
        self.assertGreater(self.only(recording).lost, 0)

    def test_example_of_a_crash(self):
        recording = self.example("crash.c", code=128 + signal.SIGSEGV, not_finished=True)
        self.assertEqual(recording.facts["stop"], "crash")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *REST])
