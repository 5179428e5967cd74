#!/usr/bin/env python3
"""What the sub-commands do where their output, or what they unpack, cannot be written.

    output_test.py BINARY"""
import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))


def trace(slices, threads=1):
    return json.dumps([{"ph": "X", "pid": 1, "tid": i % threads, "name": f"name {i}",
                        "ts": 10 * i, "dur": 5} for i in range(slices)]).encode()


class Output(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def commands(self, path):
        yield ["info", path]
        yield ["info", path, "--json"]
        yield ["info", path, "--json", "--names", "0"]
        yield ["tree", path]
        yield ["stats", path]
        yield ["stats", path, "--csv"]
        yield ["stats", path, "--json"]
        yield ["bench", path, "--runs", "1", "--only", "stages"]
        yield ["--help"]
        yield ["info", "--help"]

    def test_a_full_disk_is_said(self):
        for count in (3, 20000):
            path = self.write("a.json", trace(count))
            for command in self.commands(path):
                with self.subTest(command=command, slices=count), open("/dev/full", "wb") as full:
                    done = subprocess.run([BINARY, *command], stdout=full, stderr=subprocess.PIPE,
                                          timeout=120)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(b"standard output cannot be written: No space left", done.stderr)
                    self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_a_reader_that_has_enough_is_no_failure(self):
        path = self.write("a.json", trace(20000))
        for command in self.commands(path):
            with self.subTest(command=command):
                reading, writing = os.pipe()
                os.close(reading)
                done = subprocess.run([BINARY, *command], stdout=writing, stderr=subprocess.PIPE,
                                      timeout=120)
                os.close(writing)
                self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_disk_that_gets_full_while_unpacking_is_said(self):
        path = self.write("a.json.gz", gzip.compress(trace(200000)))
        small = os.path.join(self.folder.name, "small")
        os.mkdir(small)
        # A file system of its own, in a mount namespace that ends with the command.
        mounted = f"mount -t tmpfs -o size=2m tmpfs {small} && "
        in_namespace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        try:
            subprocess.run([*in_namespace, mounted + "true"], check=True, capture_output=True,
                           timeout=30)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("no file system can be mounted here")

        # What it takes of the disk is not asked about: this is about the disk's end.
        def facts_of(trace, before=""):
            done = subprocess.run([*in_namespace, mounted + f"{before} TMPDIR={small} {BINARY} info {trace} "
                                   "--json --beyond-memory; status=$?; ls -A " + small + " >&2; exit $status"],
                                  capture_output=True, timeout=120)
            self.assertEqual((done.returncode, done.stderr), (0, b""))  # and nothing is left there
            return json.loads(done.stdout)
        whole = facts_of(path)  # can be unpacked again, so it only passes through memory
        self.assertEqual(whole["diagnostics"], [])
        facts = facts_of("-", f"cat {path} |")
        self.assertLess(facts["slices"]["total"], whole["slices"]["total"])
        report = [d for d in facts["diagnostics"] if d["code"] == "disk_full"]
        self.assertEqual([d["severity"] for d in report], ["lost"], facts["diagnostics"])
        self.assertGreater(facts["slices"]["total"], 100)
        self.assertIsNotNone(facts["notice"])

    def test_a_limit_on_files_is_said(self):
        path = self.write("a.json.gz", gzip.compress(trace(200000)))

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        done = subprocess.run([BINARY, "info", path, "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, preexec_fn=limited, timeout=120)
        self.assertNotEqual(done.returncode, -signal.SIGXFSZ)
        facts = json.loads(done.stdout)
        report = [d for d in facts["diagnostics"] if d["code"] == "file_limit"]
        self.assertIn("cannot grow", report[0]["text"])
        self.assertGreater(facts["slices"]["total"], 100)

    def test_a_limit_on_addresses_is_no_full_disk(self):
        path = self.write("a.json.gz", gzip.compress(trace(100)[:-1] + b" " * (1 << 29)))

        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
        done = subprocess.run([BINARY, "info", path, "--json", "--jobs", "1"], preexec_fn=limited,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(b"address space", done.stderr)

    def test_without_threads_it_goes_on(self):
        path = self.write("a.json", trace(50000, 7))
        packed = self.write("a.json.gz", gzip.compress(trace(50000, 7)))

        def limited():  # a thread's stack finds no place
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 40, resource.getrlimit(
                resource.RLIMIT_STACK)[1]))
            resource.setrlimit(resource.RLIMIT_AS, (64 << 30, 64 << 30))
        for command in (["info", path, "--json"], ["info", packed, "--json"], ["stats", path]):
            with self.subTest(command=command):
                done = subprocess.run([BINARY, *command, "--jobs", "4"], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, preexec_fn=limited, timeout=120)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertIn(b"50000", done.stdout)

    def test_many_processes_are_listed(self):
        path = self.write("a.json", json.dumps(
            [{"ph": "X", "pid": i, "tid": 1, "name": "f", "ts": i, "dur": 1}
             for i in range(20000)]).encode())
        done = subprocess.run([BINARY, "info", path, "--json"], stdout=subprocess.PIPE,
                              timeout=120, check=True)
        facts = json.loads(done.stdout)
        self.assertEqual([p["pid"] for p in facts["processes"]], [str(i) for i in range(20000)])


if __name__ == "__main__":
    unittest.main()
