#!/usr/bin/env python3
"""Writes the inputs of this folder's cases: profiles of Firefox by hand, each with what it is named for."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent


def write(case, value, cut=None, encoding="utf-8"):
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input").write_bytes(text[:cut].encode(encoding))


def table(**columns):
    return {"length": len(next(iter(columns.values()))), **columns}


CATEGORIES = [{"name": "Idle", "color": "transparent", "subcategories": ["Other"]}, {"name": "Layout", "color": "purple", "subcategories": []}]
SCHEMA = [{"name": "Text", "chartLabel": "{marker.data.name}", "fields": [{"key": "name", "label": "Details", "format": "unique-string"},
                                                                          {"key": "size", "label": "Size", "format": "bytes"}]}]
STRINGS = ["(root)", "main", "work", "0x10", "libx.so", "a.js", "Paint", "Load", "hello", "GC"]


def shared(prefix):
    return {"stringArray": STRINGS, "sources": table(filename=[5]),
            "stackTable": table(frame=[0, 1, 2, 3, 9], **prefix),
            "frameTable": table(func=[0, 1, 2, 2], line=[None, 3, 12, 14], address=[-1, 16, 32, 48], category=[None, 1, None, 0],
                                inlineDepth=[0, 0, 1, 0]),
            "funcTable": table(name=[0, 1, 2], isJS=[False, False, True], relevantForJS=[False, False, False], resource=[-1, 0, -1],
                               source=[None, None, 0], lineNumber=[None, None, 10], columnNumber=[None, None, 4]),
            "resourceTable": table(name=[4], lib=[0], host=[None], type=[1])}


def markers(**more):
    return table(name=[6, 7, 6, 6, 9, 9, 8, 7, 7], startTime=[1, 2.5, 1, 3, 4, 0, 5.25, 1, 6], endTime=[None, 4.5, 3, 77, 5, 2, None, 2, 7],
                 phase=[2, 1, 3, 2, 3, 3, 0, 1, 1], category=[0] * 9,
                 data=[{"type": "tracing", "a": 1}, None, {"b": 2}, None, None, None, {"type": "Text", "name": 8, "size": 10, "cause": {"stack": 2}},
                       {"type": "Network", "id": 5, "status": "STATUS_START"}, {"type": "Network", "id": 5, "status": "STATUS_STOP", "code": 200}],
                 **more)


THREAD = {"name": "GeckoMain", "processName": "Parent", "pid": "12", "tid": 13, "pausedRanges": [{"startTime": 2, "endTime": 3, "reason": "x"}],
          "samples": {"length": 6, "stack": [1, 2, 3, None, 4, 99], "timeDeltas": [1, 1, 1.0000005, 1, 1, 1], "weight": None, "weightType": "samples"},
          "markers": markers()}
META = {"preprocessedProfileVersion": 70, "interval": 1, "startTime": 1700000000000.5, "product": "Firefox", "categories": CATEGORIES,
        "markerSchema": SCHEMA, "processType": 0}
COUNTERS = [{"name": "malloc", "category": "Memory", "pid": "12", "mainThreadIndex": 0,
             "samples": table(timeDeltas=[0, 1, 1], count=[5000, 10, -4], number=[0, 1, 1])},
            {"name": "power", "category": "power", "pid": "99", "samples": table(timeDeltas=[0, 1], count=[7, 8])}]
NEW = {"meta": META, "libs": [{"name": "libx.so", "debugName": "x", "breakpadId": "0"}], "counters": COUNTERS, "pages": [],
       "shared": shared({"prefixOffset": [0, 1, 1, 2, 1]}),
       "threads": [THREAD, {**THREAD, "name": "Worker", "markers": table(name=[], startTime=[], endTime=[], phase=[], data=[])}]}
write("processed_70", NEW)
write("keys_sorted", json.dumps(NEW, sort_keys=True))
write("cut_in_thread", NEW, cut=-200)
write("cut_in_stacks", NEW, cut=json.dumps(NEW, separators=(",", ":")).index('"funcTable"') + 60)
write("byte_order_mark", "\ufeff" + json.dumps(NEW))
write("utf16", NEW, encoding="utf-16")
own = shared({"prefix": [None, 0, 1, 1, 7]})
own["funcTable"]["fileName"] = [None, None, 5]
OLD = {"meta": {"interval": 2, "version": 3, "processType": 0},
       "threads": [{**own, "name": "A", "processType": "default", "libs": [{"name": "lib0"}],
                    "samples": table(stack=[1, 2, None, 3], time=[0, 2, 4, 6]),
                    "markers": table(name=[6, 6, 7, 8, 9], time=[1, 5, 2, 3, 4],
                                     data=[{"type": "tracing", "interval": "start"}, {"type": "tracing", "interval": "end"},
                                           {"startTime": 2, "endTime": 3.5}, {"startTime": 3, "endTime": 3}, None])},
                   {**own, "name": "A", "samples": table(stack=[1], time=[None]), "markers": table(name=[], time=[], data=[])}]}
write("processed_0", OLD)
write("lengths", {"meta": META, "shared": {**shared({"prefix": [None, 0, 1, 1, 3]})},
                  "threads": [{"name": "x", "samples": {"length": 3, "stack": [1, 2, 3, 1], "time": [1, 2]}},
                              {"name": "y", "samples": {"length": 2, "stack": [1, 2, 3, 1], "time": [1, 2, 3, 4]}}]})
write("weights", {"meta": META, "shared": shared({"prefix": [None, 0, 1, 1, 3]}),
                  "threads": [{"name": "x", "samples": table(stack=[1, 2], time=[1, 9], weight=[2.5, 1], weightType="tracing-ms")}]})
write("sizes", {"meta": {**META, "sampleUnits": {"time": "bytes", "eventDelay": "ms"}}, "shared": shared({"prefix": [None, 0, 1, 1, 3]}),
                "threads": [{"name": "x", "samples": table(stack=[1, 2, 3], timeDeltas=[0, 100, 50])}]})


def rows(schema, *data):
    return {"schema": {name: i for i, name in enumerate(schema)}, "data": list(data)}


def gecko_thread(name, **more):
    return {"name": name, "stringTable": ["(root)", "0x1010", "f (in libz.so) + 7", "g (a.js -> resource://b.js:3:9)", "file.js:7", "label", "Mark"],
            "frameTable": rows(["location", "relevantForJS", "innerWindowID", "implementation", "line", "column", "category"],
                               [0], [1], [2], [3, True, 0, None, 5], [4], [5, False, 0, None, None, None, 1]),
            "stackTable": rows(["prefix", "frame"], [None, 0], [0, 1], [1, 2], [0, 3], [3, 4], [4, 5]),
            "samples": rows(["stack", "time", "eventDelay"], [2, 1.5], [5, 2.5, 0], [None, 3.5], [1, 4.5]),
            "markers": rows(["name", "startTime", "endTime", "phase", "category", "data"], [6, 2, None, 2, 0, {"type": "Text", "k": 1}],
                            [6, None, 4, 3, 0], [5, 1, None, 0, 0], [6, 3, 3.5, 1, 0], [5, 1, None, 0, 0, {"type": "JS allocation"}]), **more}


GMETA = {"version": 34, "interval": 1, "startTime": 1000, "stackwalk": 1, "product": "", "categories": CATEGORIES}
LIBS = [{"start": 4096, "end": 8192, "debugName": "libq.so", "breakpadId": "0"}]
INNER = {"meta": {**GMETA, "startTime": 1000.25}, "libs": [], "threads": [gecko_thread("Child", pid=2, tid=2)], "processes": []}
GECKO = {"meta": GMETA, "libs": LIBS, "threads": [gecko_thread("GeckoMain", pid=1, tid=1, processName="P")], "pausedRanges": [],
         "counters": [{"name": "cpu", "category": "CPU", "samples": rows(["time", "count"], [1, 9], [2, 3])}], "processes": [INNER]}
write("gecko_34", GECKO)
write("gecko_cut", GECKO, cut=-150)
write("developer_tools", {"label": "", "duration": 5, "markers": [], "profile": GECKO})
old_rows = rows(["name", "time", "data"], [6, 1, {"type": "tracing", "interval": "start"}], [6, 2, {"type": "tracing", "interval": "end"}], [5, 3, None])
write("gecko_3", {"meta": {**GMETA, "version": 3}, "libs": json.dumps(LIBS),
                  "threads": [gecko_thread("GeckoMain", markers=old_rows),
                              json.dumps({"meta": {**GMETA, "version": 3}, "libs": "[]", "threads": [gecko_thread("Content", markers=old_rows)]})]})

# From version 70 on frames tell the library. Flags are bits; what is unknown is -1.
LIB_FRAMES = shared({"prefixOffset": [0, 1, 1, 2, 1]})
LIB_FRAMES["frameTable"] = table(func=[0, 1, 2, 2], line=[-1, 3, 12, 14], address=[-1, 16, 32, 48], category=[None, 1, None, 0],
                                 inlineDepth=[0, 0, 1, 0], lib=[-1, 0, None, 1], flags=[0, 1, 2, 0])
LIB_FRAMES["funcTable"] = table(name=[0, 1, 2], flags=[0, 0, 3], resource=[-1, -1, -1], source=[-1, -1, 0], lineNumber=[0, 0, 10], columnNumber=[0, 0, 4])
write("processed_75", {"meta": {**META, "preprocessedProfileVersion": 75},
                       "libs": [{"name": "libx.so", "debugName": "x", "breakpadId": "0"}, {"name": "liby.so"}], "shared": LIB_FRAMES,
                       "threads": [{"name": "x", "pid": "1", "tid": "1", "samples": table(stack=[1, 2, -1, 3], timeDeltas=[0, 1, 1, 1])}]})
# As a console copied it: no version, texts within an object.
CONSOLE = {**own, "name": "A", "processType": "default", "samples": table(stack=[1, 2], time=[0, 2]), "markers": table(name=[6], time=[1], data=[None])}
CONSOLE["stringTable"] = {"_array": CONSOLE.pop("stringArray"), "_stringToIndex": {}}
write("console_copy", {"meta": {"interval": 2, "processType": 0, "stackwalk": 1}, "threads": [CONSOLE]})
LOCATIONS = ["(root)", "non-virtual thunk to a::b() (in libz.so) + 7", "c (in libz.so) (c.cc:3)", "d (in libz.so) of course", "e (in x) (in liby.so)",
             "f (chrome://a.js:3)[reflected]", "http://x/y.js:12", "a.js -> b.js:4:5", "0x1fff", "0X1010", "g (not a place)", "", "(in lib)", "h (in", "DOM (x:y)"]
write("gecko_locations", {"meta": GMETA, "libs": LIBS, "threads": [{
    "name": "T", "pid": 1, "tid": 1, "stringTable": LOCATIONS, "frameTable": rows(["location"], *([i] for i in range(len(LOCATIONS)))),
    "stackTable": rows(["prefix", "frame"], *([None, i] for i in range(len(LOCATIONS)))),
    "samples": rows(["stack", "time"], *([i, i] for i in range(len(LOCATIONS))))}]})
# Before phases the data told; between 18 and 28 counters had groups; libs with other names; a process that began earlier.
write("gecko_13", {"meta": {**GMETA, "version": 13}, "libs": [{"start": 0, "end": 65536, "name": "/usr/lib/liba.so"}], "pausedRanges": [
    {"startTime": None, "endTime": 1.5, "reason": "collecting"}, {"startTime": 4, "endTime": None, "reason": "x"}],
    "counters": [{"name": "malloc", "category": "Memory", "sample_groups": {"id": 0, "samples": rows(["time", "number", "count"], [1, 1, 99], [2, 1, 3], [3, 1, -1])}},
                 {"name": "none", "category": "Memory", "sample_groups": [{"id": 0, "samples": rows(["time", "count"])}]},
                 {"name": "two", "category": "Bandwidth", "sample_groups": [{"id": 0, "samples": rows(["time", "count"], [1, 5], [2, 6])},
                                                                           {"id": 1, "samples": rows(["time", "count"], [1, 5], [2, 7])}]}],
    "threads": [gecko_thread("GeckoMain", pid=5, tid=6, markers=rows(["name", "time", "category", "data"],
        [6, 9, 0, {"type": "DOMEvent", "startTime": 2, "endTime": 2}], [6, 1, 0, {"type": "x", "startTime": 4, "endTime": 3}], [5, 2.5, 0, {"type": "y", "startTime": 2}],
        [6, 3, 0, {"type": "tracing", "interval": "end", "b": 1}], [6, 2, 0, {"type": "tracing", "interval": "start", "a": 1, "b": 0}], [5, None, 0]))],
    "processes": [{"meta": {**GMETA, "version": 13, "startTime": 999}, "libs": [], "threads": [gecko_thread("Child", pid=9, tid=9)]}]})
# Times that do not matter; halves of loads in one phase or three; begins that nest, and that nothing ends.
write("marker_phases", {"meta": META, "shared": shared({"prefix": [None, 0, 1, 1, 3]}), "threads": [{
    "name": "x", "pid": "1", "tid": "1", "samples": table(stack=[1, 2], time=[1, 9]), "markers": table(
        name=[6, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 9, 9], startTime=[2, 3, "x", -1, 1, 2, 3, 4, 5, 0, None, 7, 8], endTime=["x", None, 4, 6, 2, 3, 4, 5, 6, None, 3, 5, None],
        phase=[2, 2, 3, 3, 1, 1, 1, 1, 1, 0, 0, 1, 1], category=[0] * 13,
        data=[{"a": 1}, {"a": 2}, None, {"z": 1}, {"type": "Network", "id": 1, "status": "STATUS_START"}, {"type": "Network", "id": 2, "status": "STATUS_START"},
              {"type": "Network", "id": 1, "status": "STATUS_REDIRECT"}, {"type": "Network", "id": 1, "status": "STATUS_STOP"}, {"type": "Network", "status": "STATUS_START"},
              None, None, None, None])}]})
