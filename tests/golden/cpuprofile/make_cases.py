#!/usr/bin/env python3
"""Writes the inputs of this folder's cases: V8 profiles by hand, each with what it is named for."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent


def frame(name, line=-1, url="", column=-1, script="0"):
    return {"functionName": name, "scriptId": script, "url": url, "lineNumber": line, "columnNumber": column}


def node(number, name, *children, hits=0, line=-1, url="", **more):
    return {"id": number, "callFrame": frame(name, line, url), "hitCount": hits, "children": list(children), **more}


def write(case, value, encoding="utf-8", cut=None):
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input").write_bytes(text[:cut].encode(encoding))


def collector_nodes():
    return [node(1, "(root)", 2, 3, 4, 5), node(2, "(program)"), node(3, "(idle)"), node(4, "(garbage collector)"),
            node(5, "main", 6, 7, line=0, url="file:///a.js", positionTicks=[{"line": 3, "ticks": 2}, {"line": 1, "ticks": 5}]),
            node(6, "work", line=9, url="file:///a.js", deoptReason="wrong map"),
            node(7, "", line=4, url="node:internal/x")]


write("collector", {"nodes": collector_nodes(), "startTime": 100, "endTime": 200,
                    "samples": [4, 5, 4, 4, 6, 2, 4, 3, 4, 1, 4, 7], "timeDeltas": [1, 9, 10, 2, 8, 5, 5, 5, 5, 5, 5, 1.5]})
write("disordered", {"samples": [5, 6, 99, 7, 6], "timeDeltas": [10, 20, 5, -12, 3], "endTime": 90, "startTime": 50,
                     "nodes": collector_nodes(), "title": "worker 1"})
write("equal_times", {"nodes": collector_nodes(), "startTime": 0, "endTime": 10, "samples": [5, 6, 7, 5],
                      "timeDeltas": [1, 0, 0, 1]})
# Nodes of one caller and function are one call; 8 has no caller, 9 and 10 call each other.
write("parents", {"nodes": [{"id": 1, "callFrame": frame("(root)")}, {"id": 2, "parent": 1, "callFrame": frame("a", 1)},
                            {"id": "3", "parent": 2, "callFrame": frame("b", 2)}, {"id": 4, "parent": 2, "callFrame": frame("b", 2)},
                            {"id": 5, "parent": 2, "callFrame": frame("b", 3)}, {"id": 8, "parent": 77, "callFrame": frame("lost")},
                            {"id": 9, "parent": 10, "callFrame": frame("round")}, {"id": 10, "parent": 9, "callFrame": frame("about")}],
                  "startTime": 0, "endTime": 80, "samples": [3, 4, 5, 8, 9, 10], "timeDeltas": [10] * 6})
write("no_times", {"nodes": collector_nodes(), "startTime": 1000, "endTime": 1010, "samples": [5, 6, 7]})
write("no_clock", {"nodes": collector_nodes(), "samples": [5, 6, 6, 7]})
write("hits", {"nodes": [node(1, "(root)", 2, 3, hits=4), node(2, "b", 4, hits=2), node(3, "a", hits=3), node(4, "b", hits=1)],
               "startTime": 5, "endTime": 9})
write("lengths", {"nodes": collector_nodes(), "startTime": 0, "endTime": 9, "samples": [5, 6, 7, 5], "timeDeltas": [1, 2]})
write("far_times", {"nodes": collector_nodes(), "startTime": 4611686018427388, "endTime": 0, "samples": [5, 6, 7],
                    "timeDeltas": [4611686018427388, 4611686018427388, 1]})


def old(number, name, *children, **more):
    return {"functionName": name, "url": "x.js" if number > 1 else "", "lineNumber": number, "bailoutReason": "", "id": number,
            "scriptId": 5, "hitCount": number, "children": list(children), **more}


OLD = old(1, "(root)", old(2, "a", old(3, "b", bailoutReason="eval")), old(4, ""))
write("old_form", {"typeId": "CPU", "uid": "1", "title": "Profile 1", "head": OLD, "startTime": 7.5, "endTime": 7.6,
                   "samples": [2, 3, 3, 4], "timestamps": [7500010, 7500020, 7500030, 7500041, 7500050]})
write("old_form_cut", {"head": OLD}, cut=-60)
HEAP = {"head": {"children": [{"children": [], "selfSize": 16, "id": 3, "callFrame": frame("inner", 4, "a.js", 7)},
                              {"id": 4, "selfSize": 0, "callFrame": frame("none"), "children": []},
                              {"id": 5, "selfSize": 32, "callFrame": frame(""), "children": [
                                  {"id": 6, "selfSize": 8, "callFrame": frame("deep", 0, "b.js", 0), "children": []}]}],
                 "callFrame": frame("(root)"), "selfSize": 24, "id": 1},
        "samples": [{"size": 16, "nodeId": 3, "ordinal": 1}]}
write("heap", HEAP)
FLAT = json.dumps({"nodes": collector_nodes(), "startTime": 100, "endTime": 200, "samples": [5, 6, 7], "timeDeltas": [10, 20, 30]})
write("cut_in_times", FLAT, cut=-3)
write("cut_in_samples", FLAT, cut=FLAT.index('"samples"') + 16)
write("cut_in_nodes", FLAT, cut=FLAT.index('"(garbage') + 5)
write("commas", FLAT.replace("}, {", "} ,, {").replace("[5, 6, 7]", "[5 6,, 7,]"))
write("damage", FLAT.replace("[10, 20", "[10, ? 20"))
write("utf16", FLAT.replace("work", "w\u00f6rk"), encoding="utf-16")
write("byte_order_mark", "\ufeff" + FLAT)
write("escapes", FLAT.replace("work", "w\\u00f6rk \\ud800 \\\"x\\\""))
write("heap_negative", {"head": {"callFrame": frame("(root)"), "selfSize": 0, "id": 1, "children": [
    {"callFrame": frame("gone"), "selfSize": -40, "id": 2, "children": [{"callFrame": frame("came"), "selfSize": 8, "id": 3, "children": []}]},
    {"callFrame": frame("kept"), "selfSize": 16, "id": 4, "children": []}]}})
# 8 ticks are told by hits, of which 3 have a sample.
write("fewer_samples_than_hits", {"nodes": [node(1, "(root)", 2, 3), node(2, "a", hits=5), node(3, "b", hits=3)],
                                  "startTime": 1000, "endTime": 1001, "samples": [2, 3, 2]})
write("collector_above_idle", {"nodes": collector_nodes(), "startTime": 0, "endTime": 60, "samples": [3, 4, 4, 3, 2, 4, 4, 99, 4, 5],
                               "timeDeltas": [5] * 10})
# `(root)` below another node is a call; two nodes with one id: the first counts.
write("odd_nodes", {"nodes": [node(1, "(root)", 2), node(2, "main", 3, 2), node(3, "(root)"), node(3, "again"), {"id": 5}, 7, None],
                    "startTime": 0, "endTime": 50, "samples": [2, 3, 5, 1, "3", None], "timeDeltas": [1, 2, 3, 4, 5, 6]})
