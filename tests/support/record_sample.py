#!/usr/bin/env python3
"""Records assets/sample.json.gz: this program loading a large trace and moving through it.

    record_sample.py BINARY [OUTPUT]      (from the top of the checkout; needs Xvfb unless DISPLAY is set)

A made-up service's trace of some 200 MB (the same in every run) is opened in the real window, a script
looks at it from far and near, and --self-trace records what the program's threads do meanwhile."""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gui"))
import window_driver  # noqa: E402

REQUESTS, THREADS = 42_000, 6
STEPS = ["parse request", "check session", "plan query", "read index", "read page", "decode row", "join",
         "sort", "render template", "compress", "write response", "log"]
SCRIPT = """wait loaded
wait 300ms
command zoom-to {quarter} {half}
wait 300ms
wheel 6 900 400
wait 200ms
wheel 6 900 400
wait 200ms
drag 1200 450 500 450
wait 500ms
find sort
wait 400ms
command panel report
wait 200ms
command panel details
command select-parent
wait 200ms
command back
wait 300ms
command theme light
wait 200ms
command theme dark
command fit
wait 400ms
quit
"""


def write_trace(path):
    """Requests on several threads, each a tree of calls with arguments; counters, async and flows."""
    rng = random.Random(7)
    free_us = [0.0] * THREADS
    with open(path, "w", encoding="utf-8") as out:
        out.write('{"traceEvents":[\n')
        for tid in range(THREADS):
            out.write(json.dumps({"ph": "M", "name": "thread_name", "pid": 1, "tid": tid + 1,
                                  "args": {"name": f"server {tid + 1}"}}) + ",\n")
        for request in range(REQUESTS):
            tid = request % THREADS
            begin = free_us[tid] + rng.expovariate(1 / 40)
            at, lines = begin + 1, []

            def call(name, start, length, **args):
                lines.append(f'{{"ph":"X","pid":1,"tid":{tid + 1},"ts":{start:.3f},"dur":{length:.3f},'
                             f'"name":"{name}","cat":"server","args":{json.dumps(args)}}},\n')

            for step in range(rng.randint(3, 12)):
                length = rng.lognormvariate(3, 1)
                call(STEPS[step], at, length, request=request, rows=rng.randrange(5000))
                inner = at
                for _ in range(rng.randint(0, 5)):
                    part = length * rng.random() / 6
                    call(rng.choice(STEPS), inner, part, page=rng.randrange(1 << 20), hit=rng.random() < 0.8)
                    inner += part
                at += length + rng.random()
            call("handle request", begin, at - begin, request=request, user=f"user {rng.randrange(900)}")
            free_us[tid] = at
            out.writelines(lines)
            if request % 20 == 0:
                out.write(f'{{"ph":"C","pid":1,"ts":{begin:.3f},"name":"open requests","args":{{"value":'
                          f'{rng.randrange(60)}}}}},\n')
            if request % 9 == 0:
                for phase, when in (("b", begin), ("e", at)):
                    out.write(f'{{"ph":"{phase}","pid":1,"tid":{tid + 1},"ts":{when:.3f},"cat":"net","id":'
                              f'{request},"name":"connection"}},\n')
        out.write('{"ph":"M","name":"process_name","pid":1,"args":{"name":"server"}}]}\n')
    return max(free_us)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = os.path.abspath(sys.argv[1])
    output = sys.argv[2] if len(sys.argv) > 2 else "assets/sample.json.gz"
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "server.json")
        length_ns = int(write_trace(trace) * 1000)
        script, recording = os.path.join(folder, "script.play"), os.path.join(folder, "self.json")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT.format(quarter=length_ns // 4, half=length_ns // 2))
        display = None if "DISPLAY" in os.environ else window_driver.Display()
        env = window_driver.environment(display.name if display else os.environ["DISPLAY"], folder)
        command = [binary, trace, "--jobs", "4", "--play", script, "--self-trace", recording]
        for _ in range(2):  # the second time with the file in the page cache
            subprocess.run(command, env=env, check=True)
        if display:
            display.close()
        with open(recording, encoding="utf-8") as file:
            text = file.read()
    with open(output, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{output}: {len(json.loads(text))} events, {os.path.getsize(output)} bytes")


if __name__ == "__main__":
    main()
