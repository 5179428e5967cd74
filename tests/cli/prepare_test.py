#!/usr/bin/env python3
"""Prepared copies from outside: `prepare`, and that everything is the same opened from one.

    prepare_test.py BINARY GOLDEN_FOLDER"""
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
GOLDEN = pathlib.Path(sys.argv.pop(1)).resolve()
FORMATS = ("google_json", "spall", "flow", "thread_stream", "perfetto", "speedscope", "collapsed",
           "cpuprofile", "firefox", "pprof", "perf_script")  # those that can have copies


class Prepare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        self.copies = self.cache / "cinderscope" / "prepared"
        self.env = {**os.environ, "XDG_CACHE_HOME": str(self.cache),
                    "XDG_CONFIG_HOME": str(self.folder / "config")}

    def run_it(self, *arguments, **others):
        return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=120,
                              env=self.env, **others)

    def text(self, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape")

    def info(self, path, *arguments):
        """The facts, and whether they come from a copy."""
        facts = json.loads(self.text("info", path, "--json", "--names", "0", *arguments))
        prepared = facts["load"]["prepared"]
        for changing in ("seconds", "peak_rss_bytes", "kept_bytes", "threads_used", "prepared"):
            del facts["load"][changing]
        return facts, prepared

    def write_trace(self, name, events):
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"ph": "X", "pid": 1, "tid": i % 7, "name": f"f{i % 100}", "ts": i * 10,
                        "dur": 5 + i % 3, "args": {"i": i}} for i in range(events)], file)
        return path

    def files(self):
        return sorted(self.copies.iterdir()) if self.copies.exists() else []

    def test_everything_is_the_same_opened_from_a_copy(self):
        reopened = 0
        for path in sorted(GOLDEN.glob("*/*/input*")):
            if path.parent.parent.name not in FORMATS:
                continue
            with self.subTest(path=path.parent.name):
                loaded = self.run_it("info", path, "--json", "--names", "0")
                if loaded.returncode or self.run_it("prepare", path).returncode:
                    continue  # packed, or nothing can be shown
                before, prepared = self.info(path, "--prepared", "no")
                self.assertFalse(prepared)
                after, prepared = self.info(path)
                self.assertTrue(prepared)
                self.assertEqual(after, before)
                for command in (("stats", "--json"), ("tree",)):
                    self.assertEqual(self.text(command[0], path, *command[1:]),
                                     self.text(command[0], path, *command[1:], "--prepared", "no"))
                query = ("query", path, "SELECT * FROM slice ORDER BY 1", "--format", "json")
                self.assertEqual(self.text(*query), self.text(*query, "--prepared", "no"))
                pictures = []
                for number, way in enumerate(((), ("--prepared", "no"))):
                    picture = self.folder / f"{number}.svg"
                    drawn = self.run_it("picture", path, "-o", picture, "--force", *way)
                    # Of some cases there is nothing to draw.
                    pictures.append(drawn.stderr if drawn.returncode else picture.read_bytes())
                self.assertEqual(*pictures)
                reopened += 1
        self.assertGreater(reopened, 30)

    def test_a_trace_that_changed_is_loaded(self):
        path = self.write_trace("a.json", 1000)
        self.text("prepare", path)
        self.assertTrue(self.info(path)[1])
        times = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(40)
            file.write(b"9")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertFalse(self.info(path)[1])
        self.assertEqual(self.files(), [])

    def test_lists_checks_and_removes(self):
        a, b = self.write_trace("a.json", 100), self.write_trace("b.json", 100)
        self.assertIn("a.json: ", self.text("prepare", a))
        self.text("prepare", a, b)
        listed = self.text("prepare", "--list")
        self.assertIn("today", listed)
        self.assertIn(str(a), listed)
        self.assertIn("in 2 copies", listed)
        self.assertEqual(self.text("prepare", "--check").count(": whole"), 2)
        self.text("prepare", "--remove", a)
        self.assertNotIn(str(a), self.text("prepare", "--list"))
        self.assertEqual(self.run_it("prepare", "--remove", a).returncode, 1)
        os.truncate(self.files()[0], 5000)
        checked = self.run_it("prepare", "--check")
        self.assertEqual(checked.returncode, 1)
        self.assertIn(b"damaged, removed", checked.stdout)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.run_it("prepare").returncode, 2)
        self.assertEqual(self.run_it("prepare", "--list", "--check").returncode, 2)

    def test_takes_no_more_than_the_settings_say(self):
        path = self.write_trace("a.json", 1000)
        settings = self.folder / "config" / "cinderscope" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text('{"prepared_most_mb": 0}')
        refused = self.run_it("prepare", path)
        self.assertEqual(refused.returncode, 1)
        self.assertIn(b"together: 0 bytes", refused.stderr)
        self.assertEqual(self.files(), [])
        # One that cannot be read is the window's to mend.
        settings.write_text("no settings")
        done = self.run_it("prepare", path)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"settings.json is broken", done.stderr)
        self.assertEqual(settings.read_text(), "no settings")
        self.assertEqual(len(self.files()), 1)

    def test_damaged_anywhere_it_is_loaded_from_the_start(self):
        path = self.write_trace("a.json", 300)
        right = self.info(path)[0]
        draw = random.Random(1)
        for _ in range(60):
            self.text("prepare", path)
            copy = self.files()[0]
            size = copy.stat().st_size
            if draw.random() < 0.5:
                os.truncate(copy, draw.randrange(size))
            else:
                with open(copy, "r+b") as file:
                    at = draw.randrange(size)
                    file.seek(at)
                    byte = file.read(1)[0]
                    file.seek(at)
                    file.write(bytes([byte ^ (1 << draw.randrange(8))]))
            facts, prepared = self.info(path)
            self.assertFalse(prepared)
            self.assertEqual(facts, right)
            self.assertEqual(self.files(), [])

    def test_killed_while_writing_nothing_of_it_is_used(self):
        path = self.write_trace("a.json", 200_000)
        started = time.monotonic()
        self.text("prepare", path)
        whole = time.monotonic() - started
        draw = random.Random(2)
        right = self.info(path)[0]
        for _ in range(50):
            self.text("prepare", "--remove")
            with subprocess.Popen([BINARY, "prepare", path], env=self.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(whole * draw.uniform(0.3, 1.1))
                process.send_signal(signal.SIGKILL)
            # Either whole or none: what is left of it is no copy.
            self.assertEqual(self.run_it("prepare", "--check").returncode, 0)
        self.assertEqual(self.info(path)[0], right)
        self.text("prepare", path)  # what was left goes
        self.assertEqual(len(self.files()), 1)

    def test_a_full_disk_is_said_and_leaves_nothing(self):
        path = self.write_trace("a.json", 20_000)
        self.text("prepare", path)
        size = self.files()[0].stat().st_size
        self.text("prepare", "--remove")
        for limit in (100, 5000, size // 2, size - 1):
            done = self.run_it(
                "prepare", path,
                preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"cannot be written", done.stderr)
            self.assertEqual(self.files(), [])

    def on_a_small_disk(self, script, *arguments):
        """What a shell script prints whose $1 is a file system of 64 MB that ends with it."""
        small = self.folder / "small"
        small.mkdir(exist_ok=True)
        in_namespace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        mount = 'mount -t tmpfs -o size=64m tmpfs "$1" && '
        try:
            subprocess.run([*in_namespace, mount + "true", "sh", small], check=True,
                           capture_output=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("no file system can be mounted here")
        done = subprocess.run([*in_namespace, mount + script, "sh", small, *arguments],
                              capture_output=True, timeout=300, env=self.env, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_a_disk_that_gets_full_at_any_moment_leaves_nothing(self):
        path = self.write_trace("a.json", 250_000)
        seen = self.on_a_small_disk('exec "$2" "$3" "$4" "$5" fill "$1" "$6"', sys.executable,
                                    os.path.abspath(__file__), BINARY, GOLDEN, path).splitlines()
        self.assertEqual(len(seen), 15)
        # What was whole before the disk was full is a copy; all else is said, and gone.
        self.assertLessEqual(set(seen), {"0 copy", "1 nothing"})
        self.assertIn("1 nothing", seen)

    def test_a_disk_that_is_read_only(self):
        path = self.write_trace("a.json", 100)
        right = self.info(path)[0]
        seen = self.on_a_small_disk(
            'export XDG_CACHE_HOME="$1"; "$2" prepare "$3" && mount -o remount,ro "$1" && '
            '"$2" info "$3" --json --names 0 && "$2" stats "$3" > /dev/null && '
            '"$2" prepare "$3" && touch "$3" && "$2" info "$3" --json --names 0 && '
            '{ "$2" prepare "$3"; echo "status $?"; }', BINARY, path)
        documents = seen.replace("status 1", "").strip()
        self.assertIn("status 1", seen)
        decoder, facts = json.JSONDecoder(), []
        while "{" in documents:
            one, end = decoder.raw_decode(documents[documents.index("{"):])
            facts.append(one)
            documents = documents[documents.index("{") + end:]
        # Used as it is; and once the trace is another, neither used nor in the way.
        self.assertEqual([one["load"]["prepared"] for one in facts], [True, False])
        self.assertEqual([one["slices"] for one in facts], [right["slices"]] * 2)

    def test_nobody_s_home_is_no_trouble(self):
        path = self.write_trace("a.json", 100)
        self.env.pop("XDG_CACHE_HOME")
        self.env["HOME"] = str(self.folder / "nowhere" / "at" / "all")
        self.assertFalse(self.info(path)[1])
        (self.folder / "nowhere").write_text("no folder")
        self.assertFalse(self.info(path)[1])
        self.assertEqual(self.run_it("prepare", path).returncode, 1)

    def test_two_at_once_write_one_copy(self):
        path = self.write_trace("a.json", 50_000)
        both = [subprocess.Popen([BINARY, "prepare", path], env=self.env, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for _ in range(2)]
        for process in both:
            error = process.communicate(timeout=120)[1]
            self.assertEqual(process.returncode, 0, error)
        self.assertEqual(len(self.files()), 1)
        self.assertTrue(self.info(path)[1])

    def test_a_folder_that_cannot_be_written_is_no_trouble(self):
        path = self.write_trace("a.json", 100)
        self.cache.write_text("no folder")
        self.assertFalse(self.info(path)[1])
        self.assertEqual(self.run_it("prepare", path).returncode, 1)

    def test_what_can_have_no_copy_says_so(self):
        done = self.run_it("prepare", GOLDEN)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr)


def fill_while_writing(small, trace):
    """Writes copies to a file system that is full from some moment of the writing on."""
    copies = small / "cinderscope" / "prepared"
    env = {**os.environ, "XDG_CACHE_HOME": str(small)}
    draw = random.Random(3)
    for _ in range(15):
        subprocess.run([BINARY, "prepare", "--remove"], env=env, check=True, capture_output=True)
        wanted = draw.randrange(0, 3_000_000)
        with subprocess.Popen([BINARY, "prepare", trace], env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            while process.poll() is None:
                if sum(there(copies).values()) > wanted:
                    break
            process.send_signal(signal.SIGSTOP)
            filler = small / "filler"
            try:
                with open(filler, "wb", buffering=0) as file:
                    while file.write(bytes(4096)) == 4096:
                        pass
            except OSError:
                pass
            process.send_signal(signal.SIGCONT)
            process.communicate(timeout=60)
        left = [pathlib.Path(name).suffix for name in there(copies)]
        print(process.returncode, {(): "nothing", (".csp",): "copy"}.get(tuple(left), left))
        filler.unlink()


def there(folder):
    """Its files with their sizes; any of them may go meanwhile."""
    sizes = {}
    try:
        for file in folder.iterdir():
            sizes[file.name] = file.stat().st_size
    except OSError:
        pass
    return sizes


if __name__ == "__main__":
    if sys.argv[1:2] == ["fill"]:
        fill_while_writing(pathlib.Path(sys.argv[2]), sys.argv[3])
        sys.exit(0)
    unittest.main(verbosity=2)
