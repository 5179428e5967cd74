#!/usr/bin/env python3
"""Every sample of every format, converted to each target and, where that can be read, read back: nothing may be
missing that the report does not name. What is lost is a table in docs/round-trips.md.

    round_trips_test.py BINARY SAMPLES     SAMPLES: a folder with traces/, else the tests skip themselves

With CINDERSCOPE_ALL_ROUND_TRIPS=1 large samples are taken, too; with CINDERSCOPE_UPDATE_ROUND_TRIPS=1 the table is
written anew."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BINARY, SAMPLES = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)) / "traces"
TABLE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "round-trips.md"
TARGETS = ["json", "spall", "tsd", "folded", "csv", "jsonl"]
READ_BACK = {"json", "spall", "tsd"}
NO_TRACES = {".md", ".idx", ".txt", ".py", ".properties", ".tsdnames", ".cpp"}
# Larger samples take minutes: only where they are asked for.
MOST_BYTES = 30 << 20 if os.environ.get("CINDERSCOPE_ALL_ROUND_TRIPS") else 200_000

HEAD = """# What survives

What of every sample trace is lost in each format that it is written to, as the report of `convert` counts it; "–" is nothing.
Made by `tests/cli/round_trips_test.py`, which reads the first four back and checks that no slice, name, total time,
unfinished or overlapping slice, instant, counter value, flow or async slice is missing without being counted; of `.folded` that self times by name are the same. Further rows
of overlapping slices become threads in `.spall` and `.tsd`, lists of calls and pauses async slices. Samples are their
file names below the folder of their format.
"""


def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=300, stdin=subprocess.DEVNULL)


def info(path):
    done = run("info", path, "--json", "--names", "0")
    if done.returncode != 0:
        return None
    try:
        return json.loads(done.stdout.decode("utf-8", "replace"))
    except json.JSONDecodeError:
        return None


def facts(about):
    """What two traces that say the same have in common."""
    kept = {"slices": about["slices"]["total"], "unfinished": about["slices"]["unfinished"],
            "overlapping": about["slices"]["overlapping"],
            "flows": about["flows"] + about["details"].get("bind_flows", 0),
            "instants": about["instants"], "async": about["async"]["slices"],
            "counters": about["counters"]["series"],
            "names": sorted((each["name"], each["count"]) for each in about["names"]),
            "totals": sorted((each["name"], each["total"]) for each in about["names"])}
    return kept


def self_by_name(path):
    """Of all slices, as `stats` tells; names as a line of collapsed stacks can have them."""
    done = run("stats", path, "--json", "--names", "0", "--slices", "both")
    if done.returncode != 0:
        return done.stderr.decode("utf-8", "replace")
    about = json.loads(done.stdout.decode("utf-8", "replace"))
    found = {}
    for each in about["names"]:
        name = re.sub("[\n\r]", " ", each["name"].replace(";", ":")).rstrip(" \t\f\v")
        if each["self"] > 0:
            found[name] = found.get(name, 0) + each["self"]
    return found


def samples():
    """Files and folders that open as one trace, by format."""
    found = []
    for folder in sorted(each for each in SAMPLES.iterdir() if each.is_dir()):
        waiting = sorted(folder.iterdir())
        while waiting:
            path = waiting.pop(0)
            if path.suffix in NO_TRACES or path.name in ("expected.json", "facts.json"):
                continue
            if path.is_dir():
                about = info(path)
                inside = about.get("traces") if about is not None else None
                if inside is not None:
                    found += [(folder.name, pathlib.Path(each["path"])) for each in inside]
                elif about is not None and about["slices"]["total"] + about["instants"] > 0:
                    found.append((folder.name, path))
                else:
                    waiting[:0] = sorted(path.iterdir())
            elif path.stat().st_size <= MOST_BYTES:
                found.append((folder.name, path))
    return found


def lost_text(report):
    kinds = [f"{each['count']} {each['kind'].replace('_', ' ')}" for each in report["lost"]]
    return ", ".join(kinds) if kinds else "–"


# What a fact that differs is due to, if one of these is among what was lost.
EXCUSES = {
    "slices": {"samples"},
    "unfinished": {"unfinished", "samples"},
    "overlapping": {"samples"},
    "flows": {"flows", "flow_ends", "flow_points"},
    "instants": {"instants", "async_steps"},
    "async": {"async_slices", "lifetimes", "calls", "pauses"},
    "counters": {"counter_values"},
    "names": {"cut_names", "not_utf8", "samples"},
    "totals": {"cut_names", "not_utf8", "unfinished", "clamped_times", "samples"},
}


class RoundTrips(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        if not SAMPLES.is_dir():
            self.skipTest(f"not there: {SAMPLES}")
        folder = tempfile.TemporaryDirectory(prefix="round_trips_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def converted(self, number, form, path, before, target):
        """A cell of the table, and what is wrong."""
        folder = self.folder / f"{number}-{target}"
        folder.mkdir()
        out, report = folder / f"out.{target}", folder / "report.json"
        done = run("convert", path, "-o", out, "--report", report)
        said = done.stderr.decode("utf-8", "replace").strip()
        if target == "tsd" and done.returncode == 2:  # several processes: a folder of files
            out = folder / "parts"
            done = run("convert", path, "-o", f"{out}/", "--format", "tsd", "--report", report)
            said = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode != 0:
            empty = before["slices"] == 0 and re.search("nothing in this trace|Nothing lies in this range", said)
            return "nothing to write", [] if empty else [f"{target}: exit {done.returncode}: {said}"]
        told = json.loads(report.read_text())
        if target == "folded":
            return lost_text(told), self.folded_back(path, out, told)
        if target not in READ_BACK:
            return lost_text(told), []
        about = info(out)
        if about is None:
            return "cannot be read", [f"{target}: cannot be read back"]
        if "traces" in about:
            return lost_text(told), []  # several files: each is a trace
        after, kinds = facts(about), {each["kind"] for each in told["lost"]}
        wrong = []
        if kinds & {"samples"} or about.get("samples", 0) != before["samples"]:
            kinds.add("samples")  # they come back as threads of their own
        if after["async"] > before["facts"]["async"]:
            kinds.add("calls")  # lists of calls and pauses come back as async slices
        if target != "json":
            after["overlapping"] = before["facts"]["overlapping"]  # their further rows become threads
        for fact, excuses in EXCUSES.items():
            if after[fact] != before["facts"][fact] and not excuses & kinds:
                wrong.append(f"{target}: {fact} differ though nothing is said of them")
        again = folder / f"again.{target}"
        if out.is_dir():
            return lost_text(told), wrong
        done = run("convert", out, "-o", again)
        if done.returncode != 0 or again.read_bytes() != out.read_bytes():
            wrong.append(f"{target}: written once more it is not the same")
        return lost_text(told), wrong

    def folded_back(self, path, out, told):
        """Self times by name are what collapsed stacks keep."""
        if out.stat().st_size == 0 or {each["kind"] for each in told["lost"]} & {"deep_stacks", "cut_names"}:
            return []
        if info(path)["slices"]["unfinished"] > 0:
            return []  # Statistics take such a call's time beyond its caller from outer ones; collapsed stacks do not
        before, after = self_by_name(path), self_by_name(out)
        return [] if before == after else ["folded: self times differ"]

    def row(self, number, form, path):
        about = info(path)
        if about is None or "traces" in about:
            return None
        before = {"facts": facts(about), "slices": about["slices"]["total"], "samples": about.get("samples", 0)}
        cells, wrong = [], []
        for target in TARGETS:
            cell, more = self.converted(number, form, path, before, target)
            cells.append(cell)
            wrong += more
        name = str(path.relative_to(SAMPLES / form))
        return form, name, before["slices"], cells, wrong

    def test_what_is_not_said_is_there(self):
        work = samples()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda each: self.row(each[0], *each[1]), enumerate(work)))
        rows = [row for row in rows if row is not None]
        lines, form = [], None
        for row in rows:
            if row[0] != form:
                form = row[0]
                lines += ["", f"## {form}", "", "| sample | slices | " + " | ".join(f"`.{each}`" for each in TARGETS) +
                          " |", "|---|--:|" + "---|" * len(TARGETS)]
            lines.append(f"| {row[1]} | {row[2]} | " + " | ".join(row[3]) + " |")
        text = HEAD + "\n".join(lines) + "\n"
        if os.environ.get("CINDERSCOPE_UPDATE_ROUND_TRIPS"):
            TABLE.write_text(text, encoding="utf-8")
        wrong = [f"{row[0]}/{row[1]}: {each}" for row in rows for each in row[4]]
        self.assertEqual(wrong, [])
        # Samples may come and go; those that the table tells of are told right.
        told = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
        known = dict(re.findall(r"^\| (\S[^|]*?) \| (\d+ \| .*) \|$", told, re.M))
        made = dict(re.findall(r"^\| (\S[^|]*?) \| (\d+ \| .*) \|$", text, re.M))
        self.assertEqual({name: cells for name, cells in known.items() if name in made},
                         {name: cells for name, cells in made.items() if name in known})


if __name__ == "__main__":
    unittest.main()
