#!/usr/bin/env python3
"""Asks the questions of sql_questions.sql, and that tables of queries say what other sub-commands say.

    query_questions_test.py BINARY SOURCE_DIR SHARED_FOLDER

Each question is answered, of a small trace also with every help switched off (--plain): the same rows. On real
traces, where there are some, name_stat equals `stats --json` and counts equal `info`; so do those of marks and flows in
all golden cases.
"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile

binary, source_dir, shared = sys.argv[1:4]
failures = []


def check(what, condition, detail=""):
    if not condition:
        failures.append(f"{what} {detail}"[:2000])


def run(*arguments):
    done = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=300)
    check(" ".join(arguments)[:300], done.returncode == 0, done.stderr)
    return done.stdout


def rows(path, sql, *options):
    return list(csv.DictReader(io.StringIO(run("query", path, sql, "--format", "csv", *options))))


def questions():
    with open(os.path.join(source_dir, "tests", "cli", "sql_questions.sql"), encoding="utf-8") as file:
        return [part for part in re.split(r"(?m)^(?=-- )", file.read()) if part.strip()]


def small_trace(path):
    """Frames with commits and painting on one thread, arrows to a compositor that is idle in between, GPU kernels."""
    events = []

    def slice_of(name, tid, begin, length, **more):
        events.append({"ph": "X", "name": name, "pid": 1, "tid": tid, "ts": begin, "dur": length, **more})

    def named(tid, name):
        events.append({"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": name}})

    named(1, "main"), named(2, "Compositor"), named(3, "gpu")
    for i in range(30):
        at = i * 50_000
        length = 12_000 + 1000 * i
        slice_of("RunTask", 1, at, length + 4000)
        slice_of("ProxyMain::BeginMainFrame", 1, at + 1000, length)
        slice_of("Commit", 1, at + 2000, 3000 + 10 * i)
        slice_of("Paint", 1, at + 2100, 500 + i)
        slice_of("FunctionCall", 1, at + 7000, 2000 + 7 * i, args={"data": {"url": f"https://a/{i % 3}"}})
        slice_of("nccl_all_reduce", 3, at, 6000, cat="kernel")
        slice_of("gemm", 3, at + 8000, 4000, cat="kernel")
        if i in (8, 9):
            continue  # the beat stumbles
        slice_of("DirectRenderer::DrawFrame", 2, at + 5000, 1000)
        for phase, tid, time in (("s", 1, at + 2000), ("f", 2, at + 5100)):
            events.append({"ph": phase, "name": "post", "cat": "c", "id": i, "pid": 1, "tid": tid, "ts": time, "bp": "e"})
    with open(path, "w", encoding="utf-8") as file:
        json.dump(events, file)


def ask_all(path, may_be_empty=(), plainly=False):
    for number, text in enumerate(questions(), 1):
        answer = run("query", path, text, "--format", "csv")
        if plainly:  # joins look at all pairs then: for small traces alone
            other = run("query", path, text, "--format", "csv", "--plain")
            # Rows of equal order may come in any.
            check(f"question {number} with and without help", sorted(answer.splitlines()) == sorted(other.splitlines()),
                  answer[:300] + other[:300])
        if number not in may_be_empty:
            check(f"question {number} of {os.path.basename(path)}", len(answer.splitlines()) > 1)


def compare_statistics(path):
    """name_stat against stats, and counts against info."""
    stats = json.loads(run("stats", path, "--json"))
    wanted = {entry["name"]: entry for entry in stats["names"]}
    told = rows(path, "SELECT * FROM name_stat")
    for row in told:
        row["name"] = row["name"] or "(no name)"
    check(f"{path}: names", sorted(row["name"] for row in told) == sorted(wanted))
    keys = {"count": "count", "total": "total", "self": "self", "mean": "mean", "median": "median", "p90": "p90",
            "p99": "p99", "min": "min", "max": "max"}
    for row in told:
        other = wanted.get(row["name"])
        if other is None:
            continue
        for key, name in keys.items():
            check(f"{path}: {key} of {row['name']}", int(row[key]) == other[name], f"{row[key]} {other[name]}")
    info = json.loads(run("info", path, "--json"))
    for told_count, table in ((info["slices"]["total"], "slice"), (info["async"]["slices"], "async_slice")):
        count = rows(path, f"SELECT count(*) AS n FROM {table}")[0]["n"]
        check(f"{path}: {table}", int(count) == told_count, f"{count} {told_count}")
    grouped = rows(path, "SELECT name, count(*) AS n, sum(self_dur) AS self FROM slice GROUP BY name")
    if stats["slices"] != "calls":
        return
    check(f"{path}: grouped", {row["name"] or "(no name)": int(row["n"]) for row in grouped} ==
          {name: entry["count"] for name, entry in wanted.items()})
    for row in grouped:
        # Statistics give the time by which a call sticks out of its caller, a unit of the file at most, to the call.
        difference = abs(int(row["self"]) - wanted[row["name"] or "(no name)"]["self"])
        check(f"{path}: self time of {row['name']}", difference <= 1000 * stats["calls"], str(difference))


def compare_counts(path):
    """Instants, steps and flows against info. That counts flows by bind_id apart, and neither snapshots of objects nor
    wakings on CPUs; of asynchronous calls it has the phases that they were read from."""
    told = subprocess.run([binary, "info", path, "--json"], capture_output=True, text=True, timeout=300)
    if told.returncode != 0:
        return False  # is there to be refused
    info = json.loads(told.stdout)
    (row,) = rows(path, """
        SELECT (SELECT count(*) FROM instant JOIN track USING (trace_id, track_id) WHERE kind NOT IN ('async', 'object')) +
               (SELECT count(*) FROM nested_instant JOIN track USING (trace_id, track_id) WHERE kind <> 'object') AS instants,
               (SELECT count(*) FROM async_step) +
               (SELECT count(*) FROM instant JOIN track USING (trace_id, track_id) WHERE kind = 'async') AS steps,
               (SELECT count(DISTINCT flow_id) FROM flow) AS flows, (SELECT sum(step = 1) FROM flow) AS firsts""")
    if info["format"] == "perfetto":
        # Steps that lie in no slice are among the instants of their track, and its flow ids count without an arrow, too.
        marks = info["instants"] + info["details"]["async_steps"]
        check(f"{path}: marks", int(row["instants"]) + int(row["steps"]) == marks, str(row))
        return marks > 0
    check(f"{path}: instants", int(row["instants"]) == info["instants"], str(row))
    phases = info["details"].get("phases", {})
    check(f"{path}: steps", int(row["steps"]) == sum(phases.get(phase, 0) for phase in "Tpn"), str(row))
    flows = info["flows"] + info["details"].get("bind_flows", 0)
    check(f"{path}: flows", int(row["flows"]) == int(row["firsts"] or 0) == flows, str(row))
    return info["instants"] + flows > 0


with tempfile.TemporaryDirectory(prefix="cinderscope_questions_") as folder:
    small = os.path.join(folder, "small.json")
    small_trace(small)
    ask_all(small, plainly=True)
    compare_statistics(small)
    # Some answers by hand: the frames over 16.7 ms are those from the sixth on.
    frames = rows(small, questions()[2])
    check("slow frames", len(frames) == 25 and frames[0]["dur"] == "41000000", str(frames[:1]))
    check("what they mostly do", frames[0]["mostly"] == "Commit", str(frames[0]))
    check("callers", rows(small, questions()[3])[0] ==
          {"caller": "ProxyMain::BeginMainFrame", "calls": "30", "total_dur": str(sum(2000 + 7 * i for i in range(30)) * 1000)})
    hidden = rows(small, questions()[8])[0]
    check("communication", hidden == {"comm_dur": "180000000", "compute_dur": "120000000", "both_dur": "0"}, str(hidden))
    stumbles = rows(small, questions()[12])
    check("stumbles", [row["wait_dur"] for row in stumbles] == ["150000000"], str(stumbles))
    urls = rows(small, questions()[10])
    check("urls", sorted(row["url"] for row in urls) == ["https://a/0", "https://a/1", "https://a/2"], str(urls))

inputs = sorted(glob.glob(os.path.join(source_dir, "tests", "golden", "*", "*", "input*")))
check("cases with marks", sum(compare_counts(path) for path in inputs) > 10)

traces = os.path.join(shared, "traces", "json")
page = os.path.join(traces, "chromium_devtools_page.json.gz")
if os.path.exists(page):
    ask_all(page, may_be_empty=(8, 9, 11, 12, 13, 15))
    gpu = os.path.join(traces, "hta_alexnet.json.gz")
    if os.path.exists(gpu):
        check("communication on a GPU", rows(gpu, questions()[8])[0]["compute_dur"] != "0")
    for entry in sorted(os.listdir(traces)):
        path = os.path.join(traces, entry)
        if os.path.getsize(path) < 1_000_000 and subprocess.run(
                [binary, "info", path], capture_output=True, timeout=300).returncode == 0 and entry != "README.md":
            compare_statistics(path)

for failure in failures:
    print(failure)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
