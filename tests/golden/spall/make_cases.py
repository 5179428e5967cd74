#!/usr/bin/env python3
"""Writes the golden inputs of the .spall format beside itself: CASE/input.spall. Standard library only."""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
MAGIC, AUTO_MAGIC = 0x0BADF00D, 0xABADF00D


def header(version, unit=1.0, must_be_0=True, magic=MAGIC):
    return struct.pack("<QQd", magic, version, unit) + (bytes(8) if must_be_0 else b"")


def v0_begin(pid, tid, time, name, kind=0):
    return struct.pack("<BIIdB", kind, pid, tid, time, len(name)) + name


def v0_end(pid, tid, time, kind=1):
    return struct.pack("<BIId", kind, pid, tid, time)


def v0_complete(pid, tid, time, duration, name):
    return struct.pack("<BIIddB", 2, pid, tid, time, duration, len(name)) + name


def v1_begin(pid, tid, time, name, args=b""):
    return struct.pack("<BBIIdBB", 3, 0, pid, tid, time, len(name), len(args)) + name + args


def v1_end(pid, tid, time):
    return struct.pack("<BIId", 4, pid, tid, time)


def pad(size, fill=b"\xee"):
    return struct.pack("<BI", 7, size) + fill * size


def begin(time, name, args=b"", category=b""):
    return b"\x03" + category + struct.pack("<QBB", time, len(name), len(args)) + name + args


def end(time):
    return struct.pack("<BQ", 4, time)


def name_process(name):
    return struct.pack("<BB", 8, len(name)) + name


def name_thread(name):
    return struct.pack("<BB", 9, len(name)) + name


def v2_buffer(tid, *events):
    body = b"".join(events)
    return struct.pack("<II", len(body), tid) + body


def v3_buffer(pid, tid, *events, first=0, size=None):
    body = b"".join(events)
    return struct.pack("<IIIQ", len(body) if size is None else size, tid, pid, first) + body


def auto_header(unit, address, path):
    return struct.pack("<QQdQH", AUTO_MAGIC, 1, unit, address, len(path)) + path


def micro_begin(time, address, caller):
    return struct.pack("<QQQ", 1 << 56 | time, address, caller)


def micro_end(time):
    return struct.pack("<Q", 2 << 56 | time)


def nested(count, depth, start, step, names):
    """A walk down and up again, `count` times, as v3 events."""
    events, time = [], start
    for i in range(count):
        for level in range(depth):
            events.append(begin(time, names[(i + level) % len(names)], b'{"i":%d}' % i if level == 0 else b""))
            time += step
        for _ in range(depth):
            events.append(end(time))
            time += step
    return events


CASES = {
    # the examples of the specification, section 7, byte for byte
    "v0_a": header(0, must_be_0=False) + v0_begin(7, 9, 1.5, b"main\0") + v0_end(7, 9, 4.0),
    "v0_c": header(0) + v0_begin(7, 9, 1.5, b"main", 3) + v0_end(7, 9, 4.0, 4),
    "v1": header(1, 0.001) + v1_begin(7, 9, 1500, b"main", b"{}") + v1_end(7, 9, 4000),
    "v2": header(2) + v2_buffer(9, begin(1500, b"main", category=b"\0"), end(4000)),
    "v3": header(3) + v3_buffer(7, 9, name_thread(b"T9"), begin(1500, b"main", b"{}"), end(4000), first=1500),
    "auto": auto_header(0.5, 0x401000, b"/bin/a") + v2_buffer(9, micro_begin(1500, 0x401130, 0x401190), micro_end(4000)),

    # the other flavours of version 0
    "v0_a0": header(0, must_be_0=False) + struct.pack("<QQQdB", 0, 1 << 40, 9, 1.5, 4) + b"main"
             + struct.pack("<QQQd", 1, 1 << 40, 9, 4.0),
    "v0_a_cache": header(0, must_be_0=False) + b"\x0a" + v0_begin(7, 9, 1.5, b"main")
                  + struct.pack("<BIIdH", 2, 7, 9, 2.0, 31) + v0_end(7, 9, 3.0) + v0_end(7, 9, 4.0),
    "v0_b": header(0) + v0_begin(7, 9, 1.5, b"main", 2) + v0_end(7, 9, 4.0, 3),
    "v0_c_complete": header(0) + v0_begin(7, 9, 1.5, b"main", 3) + v0_complete(7, 9, 2, 1.25, b"whole")
                     + v0_end(7, 9, 4.0, 4),
    "v0_a_looks_like_c": header(0, must_be_0=False) + v0_begin(0, 0x04000000, 1.5, b"main") + v0_end(0, 0x04000000, 4.0),

    # version 1
    "v1_fractions": header(1) + v1_begin(1, 1, 0.25, b"quarter") + v1_end(1, 1, 0.5)
                    + v1_begin(1, 1, 1e15 + 0.125, b"far") + v1_end(1, 1, 1e15 + 0.375),
    "v1_negative_times": header(1) + v1_begin(1, 1, -3.5, b"before zero") + v1_end(1, 1, -0.0)
                         + v1_begin(1, 1, 0, b"after") + v1_end(1, 1, 1),
    "v1_threads": header(1, 0.001) + v1_begin(1, 1, 1, b"a") + v1_begin(2, 1, 2, b"b") + v1_begin(1, 2, 3, b"c")
                  + v1_end(2, 1, 4) + v1_end(1, 1, 5) + v1_end(1, 2, 6),
    "v1_stray_and_open": header(1) + v1_end(5, 1, 1) + v1_begin(1, 1, 1, b"open") + v1_begin(1, 1, 2, b"closed")
                         + v1_end(1, 1, 3) + v1_end(1, 9, 4) + v1_begin(1, 1, 5, b"inner open"),
    "v1_pad_skip": header(1) + v1_begin(1, 1, 1, b"a") + pad(11) + v1_end(1, 1, 2) + pad(0),
    "v1_pad_skip_counting_itself": header(1) + v1_begin(1, 1, 1, b"a") + struct.pack("<BI", 7, 9) + b"\xee" * 4
                                   + v1_end(1, 1, 2) + v1_begin(1, 1, 3, b"b") + v1_end(1, 1, 4),
    "v1_micro": header(1, 0.001) + struct.pack("<BIQQ", 7, 3, 0x401130, 1500) + struct.pack("<BIQ", 8, 3, 4000)
                + v1_begin(1, 1, 5, b"usual") + v1_end(1, 1, 6),
    "v1_unknown_type": header(1) + v1_begin(1, 1, 1, b"a") + v1_end(1, 1, 2) + b"\x63" + v1_begin(1, 1, 3, b"lost"),
    "v1_cut": header(1) + v1_begin(1, 1, 1, b"a") + v1_end(1, 1, 2) + v1_begin(1, 1, 3, b"cut off")[:-2],
    "v1_steps_back": header(1) + v1_begin(1, 1, 10, b"second") + v1_end(1, 1, 20) + v1_begin(1, 1, 1, b"first")
                     + v1_end(1, 1, 5) + v1_begin(1, 2, 1, b"in order") + v1_end(1, 2, 2),
    "v1_bad_times": header(1) + v1_begin(1, 1, 1, b"a") + v1_begin(1, 1, float("nan"), b"no number")
                    + v1_end(1, 1, 3) + v1_end(1, 1, float("inf")),
    "v1_texts": header(1) + v1_begin(1, 1, 1, b"") + v1_begin(1, 1, 2, "诗 é".encode(), b'{"k": [1, "x"]}')
                + v1_begin(1, 1, 3, b"\xff\xfe not utf-8", b"no json \xff") + v1_begin(1, 1, 4, b"x" * 255, b"y" * 255)
                + v1_end(1, 1, 5) + v1_end(1, 1, 6) + v1_end(1, 1, 7) + v1_end(1, 1, 8),
    "bad_unit_nan": header(1, float("nan")) + v1_begin(1, 1, 1, b"a") + v1_end(1, 1, 2),
    "bad_unit_zero": header(3, 0.0) + v3_buffer(1, 1, begin(1, b"a"), end(2)),
    "bad_unit_negative": header(3, -1.0) + v3_buffer(1, 1, begin(1, b"a"), end(2)),
    "header_only": header(3),
    "long_span": header(1, 1000.0) + v1_begin(1, 1, 0, b"days") + v1_end(1, 1, 1e9),

    # version 3
    "v3_names": header(3) + v3_buffer(7, 9, name_thread(b"old"), name_process(b"old process"), begin(1, b"a"))
                + v3_buffer(7, 10, name_process(b"new process"), begin(2, b"b"), end(3))
                + v3_buffer(8, 9, begin(5, b"other process"), end(6)) + v3_buffer(7, 9, end(4), name_thread(b"new")),
    "v3_across_buffers": header(3, 0.5) + v3_buffer(1, 1, begin(100, b"outer"), begin(110, b"inner"), first=999)
                         + v3_buffer(1, 2, begin(105, b"else"), end(107)) + v3_buffer(1, 1)
                         + v3_buffer(1, 1, end(120), begin(130, b"next")) + v3_buffer(1, 1, end(140), end(150)),
    "v3_empty_buffer": header(3) + v3_buffer(1, 5),
    "v3_pad_skip": header(3) + v3_buffer(1, 1, begin(1, b"a"), pad(3), end(2), struct.pack("<BI", 7, 8), b"abc"),
    "v3_unknown_type": header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), b"\x05", begin(3, b"lost"))
                       + v3_buffer(1, 2, begin(3, b"kept"), end(4)) + v3_buffer(1, 3, b"\x63", end(4))
                       + v3_buffer(1, 2, begin(5, b"kept too"), end(6)),
    "v3_event_over_buffer_end": header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), end(3)[:4])
                                + v3_buffer(1, 1, begin(4, b"b"), end(5)),
    "v3_size_too_small": header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), begin(3, b"lost among the garbage"), end(4), size=25)
                         + v3_buffer(1, 1, begin(5, b"b"), end(6)),
    "v3_size_too_big": header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), size=40)
                       + v3_buffer(1, 1, begin(3, b"lost"), end(4)) + v3_buffer(1, 1, begin(5, b"b"), end(6)),
    "v3_size_beyond_file": header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), begin(3, b"open"), size=1000),
    "v3_many_beyond_file": header(3) + v3_buffer(1, 1, *nested(8, 4, 1000, 3, [b"alpha", b"beta"]), size=1 << 30),
    "v3_cut_in_event": (header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2), begin(3, b"cut")))[:-2],
    "v3_cut_in_buffer_header": (header(3) + v3_buffer(1, 1, begin(1, b"a"), end(2)) + v3_buffer(1, 1))[:-3],
    "v3_swapped_buffers": header(3) + v3_buffer(1, 1, begin(10, b"late"), end(20)) + v3_buffer(1, 1, begin(1, b"early"), end(5))
                          + v3_buffer(1, 2, begin(1, b"other"), end(2)),
    "v3_zero_length": header(3) + v3_buffer(1, 1, begin(5, b"outer"), begin(5, b"empty"), end(5), begin(5, b"after"), end(7), end(7)),
    "v3_far_counter": header(3) + v3_buffer(1, 1, begin((1 << 53) + 1, b"odd"), begin((1 << 53) + 2, b"even"),
                                            end((1 << 53) + 3), end((1 << 53) + 5)),
    "v3_counter_beyond_2_63": header(3, 0.25) + v3_buffer(1, 1, begin((1 << 63) - 4, b"across"), begin((1 << 63) + 4, b"in"),
                                                          end((1 << 63) + 8), end((1 << 63) + 12)),
    "v3_clamped": header(3, 1e6) + v3_buffer(1, 1, begin(1, b"a"), end(1 << 62)),
    "v3_many": header(3, 0.5) + b"".join(
        v3_buffer(1, tid, *nested(12, 5, 1000 + tid, 3, [b"alpha", b"beta", b"a rather longer name"])) for tid in (1, 2, 3)),

    # auto-tracing
    "auto_cut": (auto_header(0.5, 0x401000, b"/bin/a")
                 + v2_buffer(9, micro_begin(1500, 0x401130, 0x401190), micro_end(1600), micro_end(1700)))[:-3],
    "auto_short_buffer": auto_header(0.5, 0x401000, b"/bin/a") + v2_buffer(9, micro_begin(1500, 0x401130, 0x401190),
                                                                 micro_begin(1600, 0x401150, 0x401190)[:17]),
    "auto_unknown_type": auto_header(1.0, 0x401000, b"") + v2_buffer(9, micro_begin(1, 0x10, 0x20), struct.pack("<Q", 3 << 56))
                         + v2_buffer(9, micro_end(5)),
}

for name, data in CASES.items():
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    (folder / "input.spall").write_bytes(data)
