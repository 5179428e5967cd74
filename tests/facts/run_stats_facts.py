#!/usr/bin/env python3
"""Compares `cinderscope stats` with `info` (which another test compares with the facts) on real traces.

    run_stats_facts.py BINARY SHARED_FOLDER FORMAT

For each sample: the same names with the same counts, info_total equal to info's total; total no more than that and
equal where nothing recurses. Exits 77 (skipped) when there are no samples."""
import json
import os
import subprocess
import sys

binary, shared, name = sys.argv[1:4]
folder = os.path.join(shared, "traces", name.removeprefix("google_").replace("_", "-"))
if not os.path.exists(os.path.join(folder, "expected.json")):
    print(f"skipped: no traces with facts at {folder}")
    sys.exit(77)


def printed(*arguments):
    done = subprocess.run([binary, *arguments], capture_output=True, timeout=300)
    return (json.loads(done.stdout) if done.stdout else None), done.returncode


def top_counts(path):
    """Of each sample, the most frequent names as they were counted when the sample was made."""
    with open(path, encoding="utf-8") as file:
        return {entry: facts.get("top10_names_by_count", []) for entry, facts in json.load(file).items()}


expected = top_counts(os.path.join(folder, "expected.json"))
failures, compared = [], 0
for entry in sorted(os.listdir(folder)):
    path = os.path.join(folder, entry)
    info, status = printed("info", path, "--json", "--names", "0")
    if status != 0:
        continue
    stats, status = printed("stats", path, "--json", "--slices", "calls")  # as info does
    if status != 0:
        failures.append(f"{entry}: stats ended with {status}")
        continue
    for ours, theirs in zip(stats.get("traces", [stats]), info.get("traces", [info])):
        compared += 1
        by_name = {row["name"]: row for row in ours["names"]}
        wanted = {row["name"]: row for row in theirs["names"]}
        if len(ours["names"]) == theirs["slices"]["distinct_names"] and len(by_name) < len(ours["names"]):
            continue  # names that are the same once they are UTF-8
        if set(by_name) != set(wanted):
            failures.append(f"{entry}: other names: {sorted(set(by_name) ^ set(wanted))[:5]}")
            continue
        for call, count in expected.get(entry, []):
            if by_name.get(call or "(no name)", {}).get("count") != count:
                failures.append(f"{entry}: {call}: the facts count {count}")
        for call, row in by_name.items():
            if row["count"] != wanted[call]["count"] or row["info_total"] != wanted[call]["total"]:
                failures.append(f"{entry}: {call}: {row['count']}, {row['info_total']} instead of {wanted[call]}")
            if row["unfinished"] == 0 and row["total"] > row["info_total"]:
                failures.append(f"{entry}: {call}: total {row['total']} beyond the sum {row['info_total']}")
            if row["self"] > row["info_total"] and row["unfinished"] == 0:
                failures.append(f"{entry}: {call}: self {row['self']} beyond the sum {row['info_total']}")
            if not row["min"] <= row["median"] <= row["p90"] <= row["p99"] <= row["max"]:
                failures.append(f"{entry}: {call}: percentiles out of order: {row}")
for failure in failures[:20]:
    print(failure)
print(f"{compared} traces compared, {len(failures)} differences")
sys.exit(1 if failures or compared == 0 else 0)
