#!/usr/bin/env python3
"""Records assets/sample.json.gz: clang compiling parts of this program, two at a time.

    record_sample.py [OUTPUT]      (from the top of the checkout; needs clang++ and the packages)

Each compiler writes its own -ftime-trace; they are put on one clock by its beginningOfTime. A counter
tells how many compilers ran, an instant when each object file was done, a flow leads from the plan to
each compiler. Paths of the system's headers are shortened to what follows "include/"."""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

SOURCES = [
    "ingest/timeline_builder.cc", "ingest/track_writer.cc", "ingest/string_pool.cc",
    "ingest/slice_chunk.cc", "ingest/nesting_sweep.cc", "app/json_writer.cc",
]
PLAN_PID = 1


def compile_one(job):
    number, source, folder = job
    lane = f"{folder}/{number}"
    begin = time.time()
    subprocess.run(["clang++", "-std=c++20", "-O2", "-I.", "-ftime-trace",
                    "-ftime-trace-granularity=100", "-c", source, "-o", f"{lane}.o"], check=True)
    with open(f"{lane}.json", encoding="utf-8") as file:
        return number, source, begin, time.time(), json.load(file)


def shortened(value):
    if isinstance(value, str):
        if value.startswith("/"):
            return value.rsplit("include/", 1)[-1]
        return value.replace(os.getcwd() + "/", "")
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    return value


def main():
    output = sys.argv[1] if len(sys.argv) > 1 else "assets/sample.json.gz"
    start = time.time()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        jobs = [(number, source, folder) for number, source in enumerate(SOURCES, 2)]
        done = list(pool.map(compile_one, jobs))

    def microseconds(seconds):
        return round((seconds - start) * 1e6, 3)

    events = [{"ph": "M", "name": "process_name", "pid": PLAN_PID, "args": {"name": "build"}},
              {"ph": "M", "name": "process_sort_index", "pid": PLAN_PID, "args": {"sort_index": -1}}]
    changes, lane_free = [], []
    for number, source, begin, end, trace in sorted(done, key=lambda job: job[2]):
        lane = next((i for i, free in enumerate(lane_free) if free <= begin), len(lane_free))
        lane_free[lane:lane + 1] = [end]
        worker = lane + 1
        shift = trace["beginningOfTime"] - start * 1e6
        name = os.path.basename(source)
        events.append({"ph": "M", "name": "process_name", "pid": number, "args": {"name": "clang " + name}})
        events.append({"ph": "X", "pid": PLAN_PID, "tid": worker, "ts": microseconds(begin),
                       "dur": round((end - begin) * 1e6, 3), "name": name, "cat": "build",
                       "args": {"source": source}})
        main_thread = None
        for event in trace["traceEvents"]:
            if event["ph"] == "M" or event["name"].startswith("Total "):
                continue  # totals repeat what the calls say
            main_thread = event["tid"]
            event["pid"] = number
            event["ts"] = round(event["ts"] + shift, 3)
            if "args" in event:
                event["args"] = shortened(event["args"])
            events.append(event)
        flow = {"cat": "build", "name": "start", "id": number}
        events.append({"ph": "s", "pid": PLAN_PID, "tid": worker, "ts": microseconds(begin), **flow})
        events.append({"ph": "f", "pid": number, "tid": main_thread, "ts": microseconds(begin), **flow})
        events.append({"ph": "i", "s": "t", "pid": PLAN_PID, "tid": worker, "ts": microseconds(end),
                       "name": name + " done"})
        changes += [(begin, 1), (end, -1)]
    running = 0
    for when, change in sorted(changes):
        running += change
        events.append({"ph": "C", "pid": PLAN_PID, "ts": microseconds(when), "name": "compilers",
                       "args": {"running": running}})
    text = "[\n" + ",\n".join(json.dumps(event, separators=(",", ":")) for event in events) + "\n]\n"
    with open(output, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{output}: {len(events)} events, {os.path.getsize(output)} bytes")


if __name__ == "__main__":
    main()
