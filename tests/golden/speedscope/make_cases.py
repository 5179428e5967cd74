#!/usr/bin/env python3
"""Writes the golden inputs of speedscope beside itself: CASE/input.json. Standard library only."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
SCHEMA = "https://www.speedscope.app/file-format-schema.json"
FRAMES = [{"name": "main", "file": "a.c", "line": 3, "col": 1}, {"name": "draw"}, {"name": "größe 大"}, {}]


def file(*profiles, **more):
    return {"$schema": SCHEMA, "shared": {"frames": FRAMES}, "profiles": list(profiles), **more}


def evented(*events, unit="microseconds", end=20, name="e"):
    return {"type": "evented", "name": name, "unit": unit, "startValue": 0, "endValue": end,
            "events": [{"type": type, "frame": frame, "at": at} for type, frame, at in events]}


def sampled(samples, weights, unit="seconds", start=0, name="s"):
    return {"type": "sampled", "name": name, "unit": unit, "startValue": start, "endValue": start + 1,
            "samples": samples, "weights": weights}


NESTED = evented(("O", 0, 1), ("O", 1, 2), ("C", 1, 5.25), ("O", 2, 6), ("C", 2, 8), ("C", 0, 12))
STACKS = sampled([[0, 1], [0, 1], [0], [], [0, 2]], [1, 0.5, 0.25, 2, 1])


def reversed_keys(value):
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(each) for each in value] if isinstance(value, list) else value


CASES = {
    "evented": file(NESTED, name="two calls", exporter="by hand", activeProfileIndex=0),
    "sampled": file(STACKS),
    "keys_reversed": reversed_keys(file(NESTED, STACKS)),
    "two_threads": file(NESTED, STACKS, activeProfileIndex=1),
    "epoch_times": file(sampled([[0], [0, 1]], [0.001, 0.002], unit="seconds", start=1700000000.123456789)),
    "nanoseconds": file(sampled([[0], [0, 1]], [7, 8], unit="nanoseconds")),
    "thousandths_that_round": file(sampled([[0, 1], [0], [2]], [3.9996, 1e1, 2.0005], unit="none")),
    "fractions_of_events": file(evented(("O", 0, 0.5), ("C", 0, 1.25), ("O", 1, 2), end=3.75, unit="none")),
    "odd_samples": file(sampled([None, [0, "x", 1.5, 1], 7, [[0], 1], {}], [1, 2, 3, 4, 5], unit="milliseconds")),
    "no_unit": file({"type": "sampled", "samples": [[0], [1]], "weights": [2, 3]}),
    "bytes": file(sampled([[0, 1], [0]], [1024, 512], unit="bytes")),
    "fractions": file(sampled([[0, 1], [0]], [1.5, 0.0625], unit="none")),
    "mixed_units": file(sampled([[0, 1], [0]], [1024, 512], unit="bytes"), NESTED),
    "unknown_unit": file(sampled([[0, 1], [0]], [3, 2], unit="parsecs")),
    "no_clock_evented": file(evented(("O", 0, 0), ("O", 1, 2), ("C", 1, 5), ("C", 0, 9), unit="none")),
    "unbalanced": file(evented(("O", 0, 1), ("O", 1, 2), ("O", 2, 3), ("C", 0, 4), ("C", 1, 5), ("O", 1, 6))),
    "disordered": file(evented(("O", 0, 1), ("C", 1, 5), ("O", 1, 2), ("C", 0, 9))),
    "odd_events": file({"type": "evented", "name": "odd", "unit": "microseconds", "endValue": 9, "events": [
        {"type": "O", "frame": 0, "at": 1}, {"type": "X", "frame": 0, "at": 2}, {"type": "O", "frame": 1},
        {"type": "O", "frame": -1, "at": 2}, 7, None, {"type": "O", "frame": 77, "at": 2},
        {"type": "C", "frame": 77, "at": 3}, {"type": "C", "frame": 0, "at": 4}]}),
    "odd_weights": file(sampled([[0], [1], [2], [0], [1]], [1, -2, None, 0, 4])),
    "weights_too_few": file(sampled([[0], [1], [2]], [1, 2])),
    "weights_too_many": file(sampled([[0]], [1, 2, 3])),
    "frames_not_there": file(sampled([[0, 9], [9], [99999999999]], [1, 2, 3])),
    "empty_profile": file(sampled([], []), STACKS),
    "equal_times": file(evented(("O", 0, 1), ("O", 1, 1), ("C", 1, 1), ("C", 0, 1))),
}

for case, content in CASES.items():
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input.json").write_text(json.dumps(content, ensure_ascii=False))

WHOLE = json.dumps(file(NESTED, STACKS))
TEXTS = {
    "cut_in_events": WHOLE[:WHOLE.index("5.25") + 2],
    "cut_in_samples": WHOLE[:WHOLE.index("[[0, 1]") + 12],
    "cut_in_weights": WHOLE[:WHOLE.index("0.25") + 3],
    "double_commas": WHOLE.replace("}, {", "},, {").replace("]}", ",]}"),
    "byte_order_mark": "\ufeff" + WHOLE,
}
for case, text in TEXTS.items():
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input.json").write_text(text)
folder = HERE / "utf16"
folder.mkdir(exist_ok=True)
(folder / "input.json").write_bytes(json.dumps(file(NESTED), ensure_ascii=False).encode("utf-16"))
