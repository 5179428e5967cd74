#!/usr/bin/env python3
"""Generates traces, measures the viewer and the machine, writes the tables of README.md.

    run_bench.py --binary build/release/app/cinderscope --limits build/release/tests/bench/limits \\
                 --older-spall build/release/tests/bench/older_spall \\
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
import statistics
import subprocess
import sys
import tempfile
import time

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def run_json(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def process_seconds(command, runs):
    """Wall clock and CPU of the whole process, medians."""
    walls, cpus = [], []
    for _ in range(runs):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        walls.append(time.monotonic() - begin)
        cpus.append(usage.ru_utime + usage.ru_stime)
        if status != 0:
            raise subprocess.CalledProcessError(status, command)
    return statistics.median(walls), statistics.median(cpus)


class Files:
    """Makes traces in a folder, and deletes what it made."""

    def __init__(self, options, generator, folder):
        self.generator, self.older_spall = generator, options.older_spall
        self.folder, self.keep = pathlib.Path(folder), options.keep
        self.made = []

    def get(self, name, fmt, events):
        return self.prepare(name, lambda path: subprocess.run(
            [self.generator, "--events", str(int(events)), "--format", fmt, "-o", str(path)],
            check=True, stderr=subprocess.DEVNULL))

    def packed(self, path):
        with_gz = lambda into: subprocess.run(["gzip", "-6", "-c", path], check=True,
                                              stdout=open(into, "wb"))
        return self.prepare(pathlib.Path(path).name + ".gz", with_gz)

    def older(self, name, path):
        return self.prepare(name, lambda into: subprocess.run(
            [self.older_spall, path, str(into)], check=True))

    def prepare(self, name, make):
        path = self.folder / name
        if not path.exists():
            self.made.append(path)
            make(path)
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


def packed_row(packed, limits, cores):
    """Beside unpacking alone, or where it is more, unpacking and reading on all cores."""
    unpacking = packed["mb"] / limits["unpack_mb_per_second"]
    least = max(unpacking, (unpacking + packed["plain_cpu"]) / cores)
    return rate_row("JSON as .gz, whole process", packed["mb"] / packed["wall"] / 1e3, "GB/s",
                    packed["mb"] / least / 1e3, "unpacking and reading spread over the cores",
                    "0.9 of it", "")


def limit_table(json_bench, packed, spall_benches, largest, limits, cores):
    mb = json_bench["mb_per_second"] / 1e3
    stage = limits["json_stage_1_mb_per_second"] * cores / 1e3
    demand = limits["json_on_demand_mb_per_second"] * cores / 1e3
    loop = limits["spall_loop_records_per_second"] * cores / 1e6
    ids_ms = limits["count_100m_ids_ms"] * largest["slices"] / 1e8 / cores
    size = f"{largest['slices'] / 1e6:.0f} M slices"
    rows = [
        "| measure | ours | limit, all cores | ratio | must | aim |",
        "|---|---|---|---|---|---|",
        rate_row("JSON", mb, "GB/s", stage, "stage 1 of simdjson", "0.8", "1.5"),
        rate_row("JSON", mb, "GB/s", demand, "on-demand over all fields", "0.8", "1.5"),
        packed_row(packed, limits, cores),
        rate_row(f".spall version 3, {size}", largest["records_per_second"] / 1e6, "M records/s",
                 loop, "a loop over the records", "50", "100"),
        *(rate_row(f".spall version {version}", bench["records_per_second"] / 1e6, "M records/s",
                   loop, "the same", "", "") for version, bench in spall_benches),
        rate_row(f"kept of {size}", largest["kept_bytes_per_slice"], "bytes a slice", 0, "", "18",
                 "10"),
        rate_row("kept of JSON", json_bench["kept_bytes_per_slice"], "bytes a slice", 0, "", "18",
                 "10"),
        rate_row("peak of .spall", largest["peak_over_kept"], "× kept", 0, "", "1.3", "1.05"),
        rate_row("peak of JSON", json_bench["peak_over_kept"], "× kept", 0, "", "1.3", "1.05"),
        rate_row("first snapshot", largest["first_picture_seconds"] * 1e3, "ms", 0, "", "250",
                 "100"),
        rate_row("cancel, to the end of its threads", largest["cancel"]["end_seconds"] * 1e3, "ms",
                 0, "", "100", "50"),
        rate_row("frame, worst p99 of any zoom", worst_frame_ms(largest), "ms", 0, "", "5", "2"),
        rate_row("search by name, to the count", count_ms(largest), "ms", ids_ms,
                 "counting 32-bit ids", "50", "30"),
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
    parser.add_argument("--older-spall", required=True)
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
        files = Files(options, generator, options.folder or scratch)

        def bench(path):
            return run_json([options.binary, "bench", path, "--runs", options.runs])

        json_file = files.get("bench.json", "json", float(options.json_events))
        packed_file = files.packed(json_file)
        v1_file = files.get("bench1.spall", "spall1", 2e7)
        v3_file = files.get("bench3.spall", "spall3", 2e7)
        limits = run_json([options.limits, "--json", json_file, "--spall", v1_file, "--packed",
                           packed_file])
        json_bench = bench(json_file)
        runs = int(options.runs)
        packed = {"mb": os.path.getsize(json_file) / 1e6,
                  "wall": process_seconds([options.binary, "info", packed_file], runs)[0],
                  "plain_cpu": process_seconds([options.binary, "info", json_file], runs)[1]}
        files.drop(json_file)
        files.drop(packed_file)
        spall_benches = [("1", bench(v1_file))]
        for version, newer in (("0", v1_file), ("2", v3_file)):
            path = files.older(f"bench{version}.spall", newer)
            spall_benches.append((version, bench(path)))
            files.drop(path)
        files.drop(v1_file)
        files.drop(v3_file)
        growth = []
        for slices in sorted(float(one) for one in options.slices.split(",")):
            path = files.get(f"bench3_{slices / 1e6:g}m.spall", "spall3", 2 * slices)
            growth.append(bench(path))
            files.drop(path)
    lines = limit_table(json_bench, packed, spall_benches, growth[-1], limits, os.cpu_count())
    lines += growth_table(growth)
    lines += frame_table([("JSON", json_bench), (".spall", growth[-1])])
    if options.readme:
        put(options.readme, lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
