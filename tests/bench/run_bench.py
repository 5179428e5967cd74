#!/usr/bin/env python3
"""Generates traces, measures the viewer and the machine, writes the tables of README.md.

    run_bench.py --binary build/release/app/cinderscope --limits build/release/tests/bench/limits \\
                 (--generator gen_trace | --generator-source gen_trace.cpp) [--folder DIR]
                 [--slices 1e6,1e7,1e8] [--json-events 9.4e6] [--runs 3] [--readme FILE] [--keep]

Without --readme the tables go to standard output. Files that are in the folder already are used as
they are; those it makes are deleted unless --keep is given. The largest of the default sizes takes
5.7 GB of disk and 1.5 GB of memory.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def run_json(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


class Files:
    """Makes traces in a folder, and deletes what it made."""

    def __init__(self, generator, folder, keep):
        self.generator, self.folder, self.keep = generator, pathlib.Path(folder), keep
        self.made = []

    def get(self, name, fmt, events):
        path = self.folder / name
        if not path.exists():
            self.made.append(path)
            subprocess.run([self.generator, "--events", str(int(events)), "--format", fmt,
                            "-o", str(path)], check=True, stderr=subprocess.DEVNULL)
        with open(path, "rb") as file:  # into the page cache
            while file.read(1 << 24):
                pass
        return str(path)

    def drop(self, path):
        if not self.keep and pathlib.Path(path) in self.made:
            os.unlink(path)


def worst_frame_ms(bench):
    return max((frame["p99_ms"] for frame in bench["frames"]), default=0)


def count_ms(bench):
    return max((search["count_ms"] for search in bench["search"]), default=0)


def statistics_ms(bench, key):
    """The longest of whole, half and tenth."""
    return max((part[key] for part in bench["statistics"]), default=0)


def rate_row(name, ours, unit, limit, limit_name, must, aim):
    ratio = f"{ours / limit:.2f}" if limit else ""
    shown = f"{limit:.3g} ({limit_name})" if limit else ""
    return f"| {name} | {ours:.3g} {unit} | {shown} | {ratio} | {must} | {aim} |"


def limit_table(json_bench, v1_bench, largest, limits, cores):
    mb = json_bench["mb_per_second"] / 1e3
    stage = limits["json_stage_1_mb_per_second"] * cores / 1e3
    demand = limits["json_on_demand_mb_per_second"] * cores / 1e3
    loop = limits["spall_loop_records_per_second"] * cores / 1e6
    ids_ms = limits["count_100m_ids_ms"] * largest["slices"] / 1e8 / cores
    size = f"{largest['slices'] / 1e6:.0f} M slices"
    rows = [
        "| measure | ours | limit, all cores | ratio | must | aim |",
        "|---|---|---|---|---|---|",
        rate_row("JSON", mb, "GB/s", stage, "stage 1 of simdjson", "0.5", "1"),
        rate_row("JSON", mb, "GB/s", demand, "on-demand over all fields", "0.5", "1"),
        rate_row(f".spall version 3, {size}", largest["records_per_second"] / 1e6, "M records/s",
                 loop, "a loop over the records", "30", "60"),
        rate_row(".spall version 1", v1_bench["records_per_second"] / 1e6, "M records/s", loop,
                 "the same", "30", "60"),
        rate_row(f"kept of {size}", largest["kept_bytes_per_slice"], "bytes a slice", 0, "", "24",
                 "14"),
        rate_row("kept of JSON", json_bench["kept_bytes_per_slice"], "bytes a slice", 0, "", "24",
                 "14"),
        rate_row("peak of .spall", largest["peak_over_kept"], "× kept", 0, "", "1.5", "1.1"),
        rate_row("peak of JSON", json_bench["peak_over_kept"], "× kept", 0, "", "1.5", "1.1"),
        rate_row("first snapshot", largest["first_picture_seconds"] * 1e3, "ms", 0, "", "300",
                 "100"),
        rate_row("cancel, to the end of its threads", largest["cancel"]["end_seconds"] * 1e3, "ms",
                 0, "", "100", ""),
        rate_row("frame, worst p99 of any zoom", worst_frame_ms(largest), "ms", 0, "", "5", "2"),
        rate_row("search by name, to the count", count_ms(largest), "ms", ids_ms,
                 "counting 32-bit ids", "100", "30"),
        rate_row("statistics of any range, but for percentiles",
                 statistics_ms(largest, "known_first_ms"), "ms", 0, "", "200", "80"),
        rate_row("statistics of any range", statistics_ms(largest, "known_ms"), "ms", 0, "", "200",
                 "80"),
        rate_row("the same, before it is prepared", statistics_ms(largest, "ms"), "ms", 0, "", "",
                 ""),
        rate_row("preparing it, after loading", largest["statistics_prepared"]["ms"], "ms", 0, "",
                 "", ""),
        rate_row("what is prepared",
                 largest["statistics_prepared"]["bytes"] / largest["slices"], "bytes a slice", 0,
                 "", "", ""),
    ]
    machine = ", ".join(f"{name.replace('_', ' ')} {value:.0f}" for name, value in limits.items())
    return rows + ["", f"One core: {machine}.", ""]


def growth_table(benches):
    rows = ["| M slices | load s | M records/s | kept MB | bytes a slice | peak / kept | first "
            "snapshot ms | cancel ms | frame p99 ms | search ms | statistics ms |",
            "|---" * 11 + "|"]
    for bench in benches:
        cells = [bench["slices"] / 1e6, bench["load_seconds"], bench["records_per_second"] / 1e6,
                 bench["kept_bytes"]["total"] / 1e6, bench["kept_bytes_per_slice"],
                 bench["peak_over_kept"], bench["first_picture_seconds"] * 1e3,
                 bench["cancel"]["end_seconds"] * 1e3, worst_frame_ms(bench), count_ms(bench),
                 statistics_ms(bench, "known_ms")]
        rows.append("| " + " | ".join(f"{cell:.3g}" for cell in cells) + " |")
    return rows + [""]


def frame_table(benches):
    zooms = [frame["zoom"] for frame in benches[-1][1]["frames"]]
    rows = ["| frames, median / p99 ms | " + " | ".join(name for name, _ in benches) + " |",
            "|---" * (len(benches) + 1) + "|"]
    for zoom in zooms:
        cells = []
        for _, bench in benches:
            found = [frame for frame in bench["frames"] if frame["zoom"] == zoom]
            cells.append(f"{found[0]['median_ms']:.1f} / {found[0]['p99_ms']:.1f}" if found else "")
        rows.append(f"| {zoom} | " + " | ".join(cells) + " |")
    return rows + [""]


def put(readme, lines):
    text = readme.read_text()
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--limits", required=True)
    parser.add_argument("--generator")
    parser.add_argument("--generator-source")
    parser.add_argument("--folder")
    parser.add_argument("--slices", default="1e6,1e7,1e8")
    parser.add_argument("--json-events", default="9.4e6")
    parser.add_argument("--runs", default="3")
    parser.add_argument("--readme", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        generator = options.generator
        if options.generator_source:
            generator = os.path.join(scratch, "gen_trace")
            subprocess.run(["g++", "-O2", "-std=c++17", options.generator_source, "-o", generator],
                           check=True)
        if not generator:
            parser.error("--generator or --generator-source is needed")
        files = Files(generator, options.folder or scratch, options.keep)

        def bench(path):
            return run_json([options.binary, "bench", path, "--runs", options.runs])

        json_file = files.get("bench.json", "json", float(options.json_events))
        v1_file = files.get("bench1.spall", "spall1", 2e7)
        limits = run_json([options.limits, "--json", json_file, "--spall", v1_file])
        json_bench, v1_bench = bench(json_file), bench(v1_file)
        files.drop(json_file)
        files.drop(v1_file)
        growth = []
        for slices in sorted(float(one) for one in options.slices.split(",")):
            path = files.get(f"bench3_{slices / 1e6:g}m.spall", "spall3", 2 * slices)
            growth.append(bench(path))
            files.drop(path)
    lines = limit_table(json_bench, v1_bench, growth[-1], limits, os.cpu_count())
    lines += growth_table(growth)
    lines += frame_table([("JSON", json_bench), (".spall", growth[-1])])
    if options.readme:
        put(options.readme, lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
