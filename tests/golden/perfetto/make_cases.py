#!/usr/bin/env python3
"""Writes the golden inputs of Perfetto's traces beside itself: CASE/input.pftrace. Standard library only; for the cases
of zstd the program zstd."""
import gzip
import pathlib
import struct
import subprocess
import zlib

HERE = pathlib.Path(__file__).parent


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(0x80 | value & 127)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def fixed(number, value):
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def message(*fields):
    return b"".join(field(number, value) for number, value in fields)


def packet(*fields, raw=b""):
    return field(1, message(*fields) + raw)


def event(time, *fields, sequence=1, flags=0, more=(), raw=b""):
    return packet((8, time), (10, sequence), (13, flags), (11, message(*fields) + raw), *more)


def track(uuid, *fields, sequence=1, more=()):
    return packet((60, message((1, uuid), *fields)), (10, sequence), *more)


def thread(uuid, pid, tid, name="", *fields, sequence=1):
    return track(uuid, (4, message((1, pid), (2, tid), (5, name))), *fields, sequence=sequence)


def process(uuid, pid, name):
    return track(uuid, (3, message((1, pid), (6, name))))


def begin(time, name, uuid=10, **more):
    return event(time, (9, 1), (11, uuid), (23, name), **more)


def end(time, uuid=10, *fields, **more):
    return event(time, (9, 2), (11, uuid), *fields, **more)


def instant(time, name, uuid=10, **more):
    return event(time, (9, 3), (11, uuid), (23, name), **more)


def snapshot(clocks, primary=0, sequence=1, flags=0, more=()):
    body = b"".join(field(1, message(*enumerate(clock, 1))) for clock in clocks)
    return packet((6, body + (field(2, primary) if primary else b"")), (10, sequence), (13, flags), *more)


def entry(number, iid, text):
    return field(number, message((1, iid), (2, text)))


def legacy(time, phase, *fields, name="op", uuid=10, more=()):
    body = message((2, ord(phase)), *fields)
    return event(time, (6, body), (11, uuid), (23, name), (22, "cat"), *more)


def prints(*marks, cpu=0, clock=()):
    events = b"".join(field(2, message((1, t), (2, tid), (3, message((2, text))))) for t, tid, text in marks)
    return packet((1, message((1, cpu), *clock) + events), (10, 7))


def annotation(name, *fields):
    return field(4, message((10, name), *fields))


CASES = {}
MAIN = thread(10, 7, 9, "T9")

# The example of the specification: delta clock, defaults, interned name, annotation.
CASES["example"] = (
    thread(10, 7, 9, "T9", sequence=2)
    + snapshot([(6, 1000), (64, 1000, 1)], sequence=2, flags=1,
               more=[(59, message((58, 64), (11, message((11, 10)))))])
    + packet((8, 500), (11, message((9, 1), (10, 1)) + annotation("k", (4, 5))),
             (12, entry(2, 1, "main")), (10, 2), (13, 2))
    + packet((8, 2500), (11, message((9, 2))), (10, 2), (13, 2)))

CASES["pairing"] = (
    MAIN + end(5) + begin(10, "outer") + begin(20, "inner") + end(30, 10, (23, "outer")) + end(40)
    + begin(50, "") + end(60) + begin(70, "zero") + end(70) + begin(80, "open") + begin(90, "deeper") + instant(95, "tick")
    + end(99, 10, (23, "nobody")))

CASES["steps_back"] = (
    MAIN + begin(100, "b") + end(200) + begin(10, "a", sequence=2) + end(50, sequence=2) + begin(120, "in", sequence=2)
    + end(180, sequence=2))

CASES["names"] = (
    thread(10, 7, 9, "first") + thread(10, 7, 9, "second") + process(5, 7, "/bin/p --flags") + process(5, 7, "P")
    + packet((2, message((1, message((1, 8), (3, "/sbin/tree --x"))), (2, message((1, 80), (2, "worker"), (3, 8))))))
    + thread(11, 8, 80) + track(12, (4, message((1, 9), (2, 90))), (7, message((1, 15))), (6, message((1, 2))))
    + track(13, (3, message((1, 9))), (6, message((1, 2))))
    + begin(1, "x") + end(2) + begin(1, "y", 11) + end(2, 11) + begin(1, "z", 12) + end(2, 12))

CASES["machines"] = (
    process(1, 5, "here") + thread(3, 5, 6, "t1") + packet((98, 3), (60, message((1, 20), (4, message((1, 5), (2, 6), (5, "far"))))))
    + begin(10, "a", 3) + end(20, 3) + begin(50, "c", 20) + end(60, 20))

CASES["tracks"] = (
    process(1, 5, "p") + MAIN + track(20, (2, "work"), (5, 1)) + track(21, (2, "below"), (5, 20)) + track(22, (2, "of thread"), (5, 10))
    + track(23, (2, "lost"), (5, 999)) + track(24, (2, "round"), (5, 25)) + track(25, (2, "about"), (5, 24)) + track(26, (2, "work"), (5, 1))
    + track(0, (2, "global")) + packet((60, message((2, "no uuid"))), (10, 1)) + track(27, (4, message((1, 5))))
    + track(20, (8, b"")) + track(2 ** 64 - 1, (10, "static"))
    + b"".join(begin(10 + i, f"on {u}", u) + end(30 + i, u) for i, u in enumerate([20, 21, 22, 23, 24, 25, 26, 0, 2 ** 64 - 1, 77]))
    + instant(50, "mark", 20) + begin(60, "never ends", 20) + instant(61, "in it", 20) + begin(70, "late", 30) + track(30, (2, "told later"), (5, 1)) + end(80, 30))

# Which siblings share a heading: by name, by key, none; and orders of children: by name, by time, by rank.
CASES["siblings"] = (
    process(1, 5, "p") + MAIN + thread(11, 7, 10, "T10")
    + track(20, (2, "job"), (5, 10)) + track(21, (2, "job"), (5, 10)) + track(22, (2, "job"), (5, 11)) + track(23, (5, 11))
    + track(30, (2, "never"), (5, 1), (15, 2)) + track(31, (2, "never"), (5, 1), (15, 2))
    + track(32, (2, "keyed"), (5, 1), (15, 3), (16, "k")) + track(33, (2, "other name"), (5, 1), (15, 3), (16, "k"))
    + track(34, (2, "keyed"), (5, 1), (15, 3), (17, 7))
    + track(40, (2, "by rank"), (5, 1), (11, 3)) + track(41, (2, "third"), (5, 40), (12, 9)) + track(42, (2, "first"), (5, 40), (12, -9))
    + track(43, (2, "second"), (5, 40))
    + track(50, (2, "by name"), (5, 1), (11, 1)) + track(51, (2, "b"), (5, 50)) + track(52, (2, "a"), (5, 50))
    + track(60, (2, "by time"), (5, 1), (11, 2)) + track(61, (2, "late"), (5, 60)) + track(62, (2, "early"), (5, 60))
    + b"".join(begin(100 - i, f"on {u}", u) + end(200, u)
               for i, u in enumerate([20, 21, 22, 23, 30, 31, 32, 33, 34, 41, 42, 43, 51, 52, 61, 62])))

CASES["counters"] = (
    process(1, 5, "p") + track(20, (2, "size"), (8, message((3, 3), (4, 1024))), (5, 1)) + track(21, (2, "delta"), (8, message((5, 1))))
    + track(22, (2, "real"), (8, b"")) + track(23, (2, "time"), (5, 10), (8, message((1, 1), (5, 1)))) + MAIN + track(24, (2, "size"), (8, b""), (5, 1))
    + event(10, (9, 4), (11, 20), (30, 2)) + event(20, (9, 4), (11, 20), (30, -3)) + event(10, (9, 4), (11, 21), (30, 5))
    + event(20, (9, 4), (11, 21), (30, 5)) + event(15, (9, 4), (11, 21), (30, 100), sequence=2) + event(5, (9, 4), (11, 22), (44, 0.5))
    + event(6, (9, 4), (11, 22)) + event(7, (9, 4), (11, 10), (30, 1)) + event(8, (9, 4), (11, 99), (30, 1)) + event(9, (9, 4), (11, 24), (30, 1))
    + packet((59, message((11, message((11, 10), (31, 20), (31, 23))))), (10, 3), (13, 1))
    + event(30, (9, 1), (23, "with values"), (12, 7), (12, 100), (12, 1), sequence=3, flags=2) + event(40, (9, 2), (31, varint(20) + varint(21)), (12, varint(8) + varint(9)), sequence=3, flags=2))

CASES["states"] = (
    process(1, 5, "p") + track(20, (2, "power"), (18, b""), (5, 1)) + event(10, (9, 5), (11, 20), (23, "on")) + event(20, (9, 5), (11, 20), (23, "on"))
    + event(30, (9, 5), (11, 20), (23, "off")) + event(40, (9, 5), (11, 20)) + event(50, (9, 5), (11, 20)) + event(60, (9, 5), (11, 20), (23, "on"))
    + MAIN + event(70, (9, 5), (11, 10), (23, "no state track")) + end(75, 20))

CASES["flows"] = (
    MAIN + thread(11, 7, 8, "T8") + track(20, (2, "async"))
    + event(10, (9, 1), (11, 10), (23, "start"), raw=fixed(47, 5) + fixed(47, 6)) + end(20)
    + event(30, (9, 1), (11, 11), (23, "step"), raw=fixed(47, 5)) + event(40, (9, 2), (11, 11), raw=fixed(48, 5))
    + event(50, (9, 1), (11, 20), (23, "again"), raw=fixed(47, 5)) + end(60, 20) + event(70, (9, 1), (11, 10), (23, "other"), raw=fixed(48, 5)) + end(80)
    + event(90, (9, 2), (11, 10), raw=fixed(47, 6)) + event(91, (9, 3), (11, 10), (23, "ends nothing"), raw=fixed(48, 77))
    + event(95, (9, 1), (11, 10), (23, "old ids"), (36, 9)) + end(96) + event(97, (9, 1), (11, 11), (23, "old ids"), (42, 9)) + end(98, 11))

CASES["annotations"] = (
    MAIN + event(10, (9, 1), (11, 10), (23, "all kinds"), (22, "a"), (22, "b"), raw=annotation("bool", (2, 1)) + annotation("uint", (3, 2 ** 64 - 1))
                 + annotation("int", (4, -5)) + annotation("double", (5, 0.25)) + annotation("text", (6, 'q"\\\n')) + annotation("pointer", (7, 0xbeef))
                 + annotation("json", (9, '{"a": [1, null]}')) + annotation("no json", (9, "{oops"))
                 + annotation("dict", (11, message((10, "x"), (4, 1))), (11, message((10, "y"), (12, message((4, 2))), (12, message((6, "z"))))))
                 + annotation("nested", (8, message((1, 1), (2, "k"), (3, message((5, 3))), (2, "l"), (3, message((1, 2), (4, message((8, "e"))))))))
                 + annotation("bytes of a type", (16, ".t.T"), (14, message((1, 7), (2, "seven")))) + annotation("twice", (4, 1)) + annotation("twice", (4, 2))
                 + annotation("none") + field(4, message((1, 3), (4, 9))))
    + event(20, (9, 2), (11, 10), raw=annotation("int", (4, 6)) + annotation("at end", (2, 0)))
    + event(30, (9, 1), (11, 10), (23, "facts"), (33, message((2, "f.cc"), (3, "fun"), (4, 12))), (52, 4), (55, message((1, message((1, "main"), (2, "m.cc"), (3, 1))), (1, message((1, "leaf"))))),
            (28, message((1, 5), (2, "Histogram"), (3, 12))), (1234, message((1, 1), (2, b"\xff\x00")))) + end(40))

# A chain that is deeper than what is shown.
deep = message((4, 1))
for _ in range(2000):
    deep = message((10, "d"), (11, deep))
CASES["annotations_deep"] = MAIN + event(10, (9, 1), (11, 10), (23, "deep"), raw=field(4, deep)) + end(20)

descriptor = message((1, message((1, "f.proto"), (2, "t"), (4, message(
    (1, "Msg"), (2, message((1, "count"), (3, 1), (4, 1), (5, 5))), (2, message((1, "kind"), (3, 2), (4, 1), (5, 14), (6, ".t.Msg.Kind"))),
    (2, message((1, "list"), (3, 3), (4, 3), (5, 13))), (2, message((1, "place_iid"), (3, 4), (4, 1), (5, 4))),
    (2, message((1, "child"), (3, 5), (4, 1), (5, 11), (6, ".t.Msg"))), (2, message((1, "small"), (3, 6), (4, 1), (5, 17))),
    (4, message((1, "Kind"), (2, message((1, "GOOD"), (2, 1))))),
    (6, message((1, "arg"), (2, ".perfetto.protos.TrackEvent"), (3, 1001), (4, 1), (5, 11), (6, ".t.Msg"))))))))
CASES["typed_arguments"] = (
    MAIN + packet((72, message((1, descriptor)))) + packet((10, 1), (13, 1), (12, entry(4, 3, "x.cc")))
    + event(10, (9, 1), (11, 10), (23, "typed"), (1001, message((1, -4), (2, 1), (3, 1), (3, varint(2) + varint(3)), (4, 3), (5, message((2, 9), (6, 3))), (99, "new"))), flags=2) + end(20))
CASES["typed_arguments_packed"] = CASES["typed_arguments"].replace(
    packet((72, message((1, descriptor)))), packet((72, message((2, gzip.compress(descriptor, mtime=0))))))

# Arguments that are no messages, that come several times, in one piece; of an enum; what a description of the event
# itself says of those that are built in; and what nobody describes.
described = message((1, message((2, "t"), (4, message((1, "Point"), (2, message((1, "x"), (3, 1), (4, 1), (5, 17))))),
    (5, message((1, "Kind"), (2, message((1, "GOOD"), (2, 1))))),
    *((7, message((1, name), (2, ".perfetto.protos.TrackEvent"), (3, number), (4, label), (5, kind), (6, type_name)))
      for name, number, label, kind, type_name in (
          ("count", 2000, 1, 5, ""), ("words", 2001, 3, 9, ""), ("floats", 2002, 3, 2, ""), ("kind", 2003, 1, 14, ".t.Kind"),
          ("points", 2004, 3, 11, ".t.Point"), ("fixed", 2005, 1, 7, ""), ("round", 2006, 1, 11, ".t.Round"))),
    (4, message((1, "Round"), (2, message((1, "again"), (3, 1), (4, 1), (5, 11), (6, ".t.Round"))))))))
of_event = message((1, message((2, "perfetto.protos"), (4, message((1, "TrackEvent"), (2, message((1, "chrome_user_event"), (3, 25), (4, 1), (5, 11), (6, ".perfetto.protos.User"))))),
    (4, message((1, "User"), (2, message((1, "action"), (3, 1), (4, 1), (5, 9))))))))
rounds = b""
for _ in range(100):
    rounds = message((1, rounds))
CASES["typed_arguments_kinds"] = (
    MAIN + packet((72, message((1, described)))) + packet((72, message((1, of_event)))) + packet((72, message((2, b"\x1f\x8bno gzip"))))
    + event(10, (9, 1), (11, 10), (23, "kinds"), (2000, -5), (2001, "a"), (2001, "b"), (2002, struct.pack("<2f", 0.5, -2.0)), (2003, 1),
            (2004, message((1, 3))), (2004, message((1, 4))), (25, message((1, "click"))), (3000, message((1, 1), (1, 2), (2, "once"))), (3001, "text"),
            raw=varint(2005 << 3 | 5) + struct.pack("<I", 7)) + end(20, 10, (2000, 6))
    + event(30, (9, 1), (11, 10), (23, "round"), (2006, rounds)) + end(40))

# Unknown fields hide nothing: beside an event, in an annotation behind its value.
CASES["unknown_fields"] = (
    MAIN + packet((8, 10), (10, 1), (500, "before"), (11, message((9, 1), (11, 10), (23, "x")) + annotation("a", (4, 5), (99, "new"), (98, 7))), (501, "behind"))
    + packet((8, 20), (10, 1), (501, b""), (11, message((9, 2), (11, 10)))) + packet((8, 30), (10, 1), (501, "alone"))
    + packet((44, message((1, 7), (2, 9), (6, 1000))), (10, 1)) + event(40, (9, 1), (11, 10), (23, "timed twice, by a delta at last"), (16, 7), (1, 3))
    + event(50, (9, 1), (11, 10), (23, "timed twice, by a time at last"), (1, 3), (16, 1007)) + end(1200000) + end(1300000))

# CPU time: from counters of a thread's time (deltas, over a new epoch, absolute) and from the older fields.
cpu_counter = track(30, (5, 10), (8, message((1, 1), (4, 1000), (5, 1)))) + track(31, (5, 10), (8, message((1, 1))))
cpu_defaults = (59, message((11, message((11, 10), (31, 30)))))
CASES["cpu_time"] = (
    MAIN + cpu_counter + event(10, (9, 1), (23, "outer"), (12, 100), flags=1, more=[cpu_defaults]) + event(20, (9, 1), (23, "inner"), (12, 5), flags=2)
    + event(30, (9, 3), (23, "tick"), (12, 1), flags=2) + event(35, (9, 1), (11, 0), (23, "elsewhere"), (12, 1), flags=2)
    + event(40, (9, 2), (12, 2), flags=2) + event(45, (9, 1), (23, "over an epoch"), (12, 10), flags=2) + event(50, (9, 2), (12, 150), flags=3, more=[cpu_defaults])
    + event(60, (9, 2), (23, "outer"), (12, 1), flags=2)
    + begin(70, "absolute", raw=b"") + end(80)
    + event(90, (9, 1), (11, 10), (23, "of its own"), (31, 31), (12, 5000)) + event(95, (9, 1), (11, 10), (23, "without"), flags=2) + end(96)
    + event(100, (9, 2), (11, 10), (31, 31), (12, 7500))
    + event(110, (9, 1), (11, 10), (23, "us"), (17, 50)) + event(120, (9, 2), (11, 10), (17, 53))
    + event(130, (9, 1), (11, 10), (23, "us deltas"), (2, 50)) + event(140, (9, 2), (11, 10), (2, 4))
    + event(150, (9, 1), (11, 10), (23, "lost"), (12, 1)) + event(160, (9, 2), (11, 10), (12, 1), more=[(42, 1)]))

# Sequences: what they build on.
interned = [(12, entry(2, 1, "one") + entry(1, 1, "cat") + entry(3, 1, "arg"))]
CASES["interning"] = (
    MAIN + event(5, (9, 1), (11, 10), (10, 1), flags=2) + event(10, (9, 1), (11, 10), (10, 1), (3, 1), flags=3, more=interned, raw=field(4, message((1, 1), (4, 5)))) + end(15, flags=2)
    + event(20, (9, 1), (11, 10), (10, 2), (3, 9), flags=2, raw=field(4, message((1, 7), (17, 8)))) + end(25)
    + event(30, (9, 1), (11, 10), (10, 1), flags=2, more=[(12, entry(2, 1, "other") + entry(2, 2 ** 60, "huge") + entry(2, 70000, "wide"))]) + end(35)
    + event(40, (9, 1), (11, 10), (10, 70000), flags=2) + end(45)
    + event(50, (9, 1), (11, 10), (10, 1), flags=3) + end(55, flags=2) + event(60, (9, 1), (11, 10), (10, 1), flags=2, more=[(12, entry(2, 1, "second epoch"))]) + end(65)
    + event(70, (9, 1), (11, 10), (10, 1), flags=2, more=[(42, 1)]) + event(75, (9, 1), (11, 10), (23, "no need of state"), more=[(42, 0)]) + end(76)
    + event(80, (9, 1), (11, 10), (10, 1), flags=1, more=[(42, 2), (12, entry(2, 1, "cleared by the packet that tells of the loss"))]) + end(85, flags=2)
    + event(90, (9, 1), (11, 10), (10, 1), flags=2, sequence=0) + event(95, (9, 1), (11, 10), (23, "without sequence"), sequence=0) + end(96, sequence=0)
    + event(100, (9, 1), (11, 10), (23, "old form"), sequence=4, more=[(41, 1)]) + end(105, flags=2, sequence=4))

# Ids of any size, entries that come again in other tables than names.
CASES["interning_more"] = (
    MAIN + event(10, (9, 1), (11, 10), (10, 2 ** 60), (34, 2 ** 63), flags=3,
                 more=[(12, entry(2, 2 ** 60, "huge") + field(4, message((1, 2 ** 63), (2, "far.cc"), (4, 7))))]) + end(15)
    + event(20, (9, 1), (11, 10), (10, 2 ** 60), (34, 2 ** 63), flags=2,
            more=[(12, field(4, message((1, 2 ** 63), (2, "far.cc"), (4, 7))) + field(4, message((1, 2 ** 63), (2, "other.cc"))))]) + end(25)
    + event(30, (9, 1), (11, 10), (23, "logs"), (21, message((1, 2 ** 63), (3, 6))), flags=2) + end(40, 10, (23, "")))

CASES["clocks"] = (
    MAIN + snapshot([(6, 1000), (3, 400), (1, 10 ** 9), (64, 7, 1, 1000), (70, 5, 0, 10), (200, 9)], primary=3, flags=1)
    + begin(1001, "boot", more=[(58, 6)]) + end(500, more=[(58, 3)])
    + begin(300, "delta of 300 us", more=[(58, 64)]) + end(-100, more=[(58, 64)]) + begin(10, "unit of 10", more=[(58, 70)]) + end(20, more=[(58, 70)])
    + begin(109, "of a producer", more=[(58, 200)]) + end(209, more=[(58, 200)]) + begin(5, "unknown", more=[(58, 9)]) + end(6, more=[(58, 9)])
    + begin(7, "not of this sequence", more=[(58, 65)]) + begin(10 ** 9 + 5, "realtime", more=[(58, 1)]) + end(10 ** 9 + 9, more=[(58, 1)])
    + begin(-5, "negative") + packet((11, message((9, 3), (11, 10), (23, "no time"))), (10, 1)) + begin(2 ** 63 - 1, "far") + end(2 ** 63 - 1))
CASES["clocks_by_steps"] = (
    MAIN + snapshot([(3, 100), (64, 100, 1)], sequence=2, flags=1) + snapshot([(6, 1000), (3, 50), (1, 5000)]) + snapshot([(6, 2000), (3, 1150), (1, 4000)])
    + b"".join(begin(10, f"delta {i}", sequence=2, more=[(58, 64)]) + end(500, sequence=2, more=[(58, 64)]) for i in range(4)) + begin(5100, "a clock that was set back", more=[(58, 1)]) + end(5200, more=[(58, 1)]))
CASES["clocks_none"] = MAIN + begin(5, "as they stand", more=[(58, 64)]) + end(9, more=[(58, 3)])
CASES["old_times"] = (
    packet((44, message((1, 7), (2, 9), (5, "old"), (6, 1000))), (43, b""), (10, 1)) + packet((44, message((1, 7), (2, 9), (5, "old"), (6, 1000))), (10, 1))
    + packet((43, message((1, 7), (4, 1), (6, ""))), (10, 1)) + packet((11, message((1, 5), (9, 1), (23, "delta us"))), (10, 1))
    + packet((11, message((1, 7), (9, 2))), (10, 1)) + packet((11, message((16, 3000), (9, 3), (23, "absolute us"))), (10, 1)) + packet((11, message((1, 7), (9, 3), (23, "without base"))), (10, 2)))

CASES["legacy"] = (
    MAIN + process(1, 7, "p") + legacy(10, "B") + legacy(20, "E") + legacy(30, "X", (3, 5)) + legacy(50, "X", (3, -1)) + legacy(60, "X")
    + legacy(100, "I") + legacy(110, "i", (14, 2)) + legacy(120, "R", (14, 1)) + legacy(10, "b", (6, 1)) + legacy(15, "n", (6, 1), name="step") + legacy(12, "b", (11, 1), name="in") + legacy(17, "e", (6, 1), name="")
    + legacy(20, "e", (6, 1)) + legacy(21, "e", (6, 1)) + legacy(30, "b", (10, 1), (7, "scope")) + legacy(30, "b") + legacy(30, "S", (6, 1)) + legacy(40, "T", (6, 1), more=[(4, message((10, "s"), (6, "half")))])
    + legacy(50, "F", (6, 1)) + legacy(60, "S", (6, 2)) + legacy(30, "s", (6, 4)) + legacy(31, "t", (6, 4)) + legacy(60, "f", (6, 4)) + legacy(61, "s", (6, 5))
    + legacy(70, "C", name="mem", more=[(4, message((10, "a"), (4, 3))), (4, message((10, "b"), (5, 0.5)))]) + legacy(71, "C", name="empty")
    + legacy(80, "M", name="thread_name", more=[(4, message((10, "name"), (6, "renamed")))]) + legacy(80, "M", name="num_cpus", more=[(4, message((10, "number"), (6, "4")))])
    + legacy(90, "O", (6, 1)) + legacy(90, "(") + legacy(91, "?") + legacy(200, "B", (18, 70), uuid=0) + legacy(201, "B", (18, 70), (19, 71), uuid=0) + legacy(202, "B", (19, 72), uuid=0)
    + event(300, (9, 1), (11, 10), (23, "out"), (6, message((8, 77), (13, 2)))) + end(310) + event(320, (9, 1), (11, 10), (23, "in"), (6, message((8, 77), (13, 1)))) + end(330)
    + event(340, (9, 1), (11, 10), (23, "both"), (6, message((8, 78), (13, 3)))) + end(350) + event(360, (11, 10), (23, "no type")))

# What is told by categories and scope alone, whatever it is called; phases that are none.
CASES["legacy_scopes"] = (
    MAIN + legacy(10, "S", (6, 1), (7, "s"), name="begun as") + legacy(20, "F", (6, 1), (7, "s"), name="ended as") + legacy(30, "S", (6, 1), name="a") + legacy(40, "F", (6, 1), name="b")
    + event(50, (6, message((2, 322))), (11, 10), (23, "322")) + begin(60, "outer") + begin(70, "") + begin(75, "inner") + end(80, 10, (23, "")) + end(90) + end(95)
    + legacy(100, "M", name="num_cpus", more=[(4, message((10, "number"), (4, 8)))])
    + event(110, (9, 1), (11, 10), (23, "both"), raw=fixed(47, 3)) + event(120, (9, 2), (11, 10), raw=fixed(48, 3) + fixed(47, 3))
    + event(130, (9, 1), (11, 10), (23, "again"), raw=fixed(48, 3)) + end(140))

nodes = '{"data":{"startTime":100,"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"main"}},{"id":3,"parent":2,"callFrame":{"functionName":"(garbage collector)"}}],"samples":[2,2,3,9]},"timeDeltas":[1,2,3,4]}}'
CASES["v8_profile"] = MAIN + begin(100000, "slice") + end(120000) + legacy(100000, "P", (6, 1), name="ProfileChunk", more=[(4, message((10, "data"), (9, nodes)))])
CASES["samples"] = (
    packet((60, message((1, 10), (4, message((1, 7), (2, 9), (5, "T9"), (6, 100))))), (10, 1), (13, 1), (12, entry(5, 1, "main") + entry(5, 2, "leaf") + entry(17, 4, "lib.so")
           + field(19, message((1, 3), (7, 4))) + field(6, message((1, 1), (2, 1))) + field(6, message((1, 2), (2, 2))) + field(6, message((1, 3), (3, 3), (4, 255)))
           + field(7, message((1, 1), (2, 1), (2, 2))) + field(7, message((1, 2), (2, varint(1) + varint(3))))))
    + packet((54, message((1, 1), (1, 2), (2, 10), (2, 20))), (10, 1), (13, 2)) + packet((8, 150000), (66, message((2, 7), (3, 9), (4, 1))), (10, 1), (13, 2)) + packet((8, 160000), (66, message((2, 7), (3, 11), (4, 99))), (10, 1), (13, 2))
    + packet((8, 170000), (66, message((2, 7), (3, 11))), (10, 1), (13, 2)))

# Symbols that come in packets of their own, also of functions that were inlined; samples whose stack and thread are
# told inline or interned.
frames = (entry(17, 4, "lib.so") + entry(16, 5, b"\x01\x02") + field(19, message((1, 3), (2, 5), (7, 4))) + field(19, message((1, 6), (7, 4)))
          + field(6, message((1, 1), (3, 3), (4, 255))) + field(6, message((1, 2), (3, 3), (4, 256))) + field(6, message((1, 3), (3, 6), (4, 255)))
          + field(7, message((1, 1), (2, 1), (2, 2))) + field(7, message((1, 2), (2, 3))) + field(2000, message((1, 8), (2, 7), (3, 9))))
CASES["samples_symbols"] = (
    MAIN + packet((10, 1), (13, 1), (12, frames))
    + packet((8, 100), (66, message((2, 7), (3, 9), (4, 1))), (10, 1), (13, 2)) + packet((8, 200), (66, message((2, 7), (3, 9), (4, 2))), (10, 1), (13, 2))
    + packet((8, 300), (135, message((1, message((2, 7), (3, 9))), (5, message((2, 2), (2, 1))))), (10, 1), (13, 2))
    + packet((8, 400), (135, message((2, 8), (5, message((1, message((1, "main"), (2, "m.cc"))), (1, message((2, "only_a_file.cc")))))), ), (10, 1), (13, 2))
    + packet((8, 500), (135, message((1, message((1, 7), (2, 9))), (6, 2))), (10, 1), (13, 2)) + packet((8, 600), (135, message((6, 2))), (10, 1), (13, 2))
    + event(700, (9, 1), (11, 10), (23, "where"), (56, 1), flags=2) + end(800)
    + packet((61, message((1, "/lib.so"), (2, b"\x01\x02"), (3, message((1, 255), (2, message((1, "inlined"))), (2, message((1, "outer"), (2, "o.cc"), (3, 4))))))))
    + packet((61, message((1, "/lib.so"), (2, b"\x09"), (3, message((1, 255), (2, message((1, "of another build")))))))))

CASES["atrace"] = (
    packet((2, message((1, message((1, 5), (3, "app"))), (2, message((1, 6), (3, 5), (2, "w"))))))
    + prints((10, 6, "B|5|a|b\n"), (30, 6, "E|5\n"), (12, 6, "B|0|zero\n"), (20, 6, "E"), (40, 6, "B|5|\n"), (45, 6, "E|\n"), (50, 6, "I|5|now"), (51, 6, "N|5|track|note"), (52, 6, "C|5|size|-4"), (53, 6, "C|5|size|7|more"),
             (60, 6, "S|5|op|1"), (61, 6, "S|5|op|1"), (70, 6, "F|5|op|1"), (71, 6, "F|5|op|1"), (60, 6, "G|5|lane|g|2"), (62, 6, "G|5|lane|h|2"), (63, 6, "H|5|lane|2"), (64, 6, "H|5|lane|g|2"))
    + prints(*((80 + i, 6, text) for i, text in enumerate(["", "X|5|a", "B|x|a", "B", "S|5||1", "S|5|a", "S|5|a|x", "I|5|", "C|5|a|", "N|5|t", "G|5|t|n|", "H|5|t", "hello", "B|-1|a", "E|y"])), cpu=1)
    + prints((15, 6, "B|5|other CPU"), (18, 6, "E|5"), cpu=2) + prints((100, 99, "B|0|of nobody"), (110, 99, "E")))
CASES["atrace_and_track_events"] = thread(10, 5, 6, "both") + begin(10, "event") + prints((15, 6, "B|5|mark"), (25, 6, "E|5")) + end(20) + begin(30, "after") + end(40)
switch = lambda t, comm, tid: field(2, message((1, t), (2, 0), (4, message((5, comm), (6, tid)))))
CASES["sched"] = (
    packet((1, message((1, 0)) + switch(10, "one", 5) + switch(20, "idle", 0) + switch(30, "two", 6) + switch(45, "one", 5)), (10, 7)) + prints((12, 5, "B|5|named by comm"), (14, 5, "E|5"))
    + packet((1, message((1, 1), (4, message((5, "three"), (1, varint(100) + varint(5)), (3, varint(7) + varint(0)), (6, varint(0) + varint(3))))) + field(3, 1)), (10, 7))
    + packet((1, message((1, 2), (5, 2), (6, 5000), (7, 50)) + field(2, message((1, 5010), (2, 5), (3, message((2, "B|5|local clock")))))), (10, 7))
    + packet((8, 33), (9, message((1, message((1, 5), (3, 10), (10, -17), (11, 3))))), (10, 7)) + packet((8, 34), (7, b"\x08\x01"), (10, 7)) + packet((8, 35), (200, b"\x08\x01"), (10, 7)))

waking = lambda t, comm, tid, cpu: field(2, message((1, t), (2, 5), (20, message((1, comm), (2, tid), (5, cpu)))))
CASES["sched_waking"] = (
    packet((1, message((1, 0)) + switch(10, "one", 5) + waking(15, "two", 6, 0) + waking(16, "two", 7, 3) + switch(20, "idle", 0) + waking(25, "one", 5, 0) + switch(30, "two", 6)), (10, 7))
    + packet((1, message((1, 1), (4, message((5, "three"), (5, "four"), (1, varint(100) + varint(50)), (3, varint(7) + varint(0)), (6, varint(0) + varint(1)),
        (7, varint(110) + varint(5)), (8, varint(8) + varint(9)), (9, varint(1) + varint(0)), (11, varint(1) + varint(5)))))), (10, 7)))

CASES["report"] = (
    MAIN + begin(1, "x") + end(2) + packet((35, message((1, message((3, 4), (18, 5), (19, 6), (6, 1))), (8, 2), (10, 3), (15, 2)))) + packet((33, message((1, message((1, 64), (4, 1))), (2, message((1, message((1, "track_event"))))))))
    + packet((45, message((1, message((1, "Linux"), (2, "6.1"))), (4, "v1")))) + packet((5, message((2, message((1, "os"), (2, "Linux"))), (2, message((1, "n"), (4, 3)))))) + packet((89, message((1, 2), (2, 1)))) + packet((53, b"\x08\x01")) + packet((36, bytes.fromhex("82477a76b28d42ba81dc33326d57a079"))))

# What the recorder lost is told from its begin on, so the last counts.
CASES["report_twice"] = (
    MAIN + begin(1, "x") + end(2) + packet((35, message((1, message((3, 4)))))) + packet((35, message((1, message((3, 9))), (14, 2))))
    + packet((93, b"\x08\x01")) + packet((34, b"\x08\x01")) + event(3, (9, 4), (11, 20), (30, 5)) + track(20, (2, "temperature"), (8, message((6, "C"), (3, 2))))
    + event(3, (9, 4), (11, 21), (30, 5)) + track(21, (2, "size"), (8, message((3, 3)))))

# Bytes: whatever a writer may do. What tells a trace is its first 4 KiB, so damage lies behind them.
FAR = packet((10, 1), (36, bytes(5000)))
CASES["odd_fields"] = (
    b"\x0a\x00" + message((99, 5), (98, "skip"), (97, 1.5)) + b"\xe5\x02abcd" + MAIN
    + packet((11, message((9, 1), (11, 10), (23, "x"), (200, 5), (201, 1.0)) + b"\x95\x0dabcd"), (500, 7), (8, 10), (10, 1), raw=b"\xe8\x80\x00\x81\x00") + packet((8, 15), (8, 20), (10, 1), (11, message((9, 1))), (11, message((9, 2), (11, 10)))))
CASES["bad_packets"] = (
    FAR + MAIN + begin(10, "x") + field(1, message((8, 12), (10, 1)) + b"\x00") + field(1, b"\x5b") + field(1, message((10, 1)) + b"\x5a\x7f") + field(1, message((8, 13), (10, 1), (11, b"\x4b\x4b"))) + end(20))
good = b"".join(begin(100 * i, "s") + end(100 * i + 50) for i in range(1, 20))
CASES["hole"] = FAR + MAIN + good + bytes(500) + good
CASES["garbage"] = FAR + MAIN + good + bytes((i * 37 + 11) % 251 | 7 for i in range(600)) + good
CASES["damaged_to_the_end"] = FAR + MAIN + good + b"\x07" * 100
CASES["cut"] = (MAIN + good)[:-3]
CASES["long_length"] = MAIN + good + b"\x0a" + varint(5 << 30) + good
CASES["twice"] = (MAIN + good) * 2

bundle = MAIN + good
CASES["deflated"] = begin(5, "before", 20) + packet((50, zlib.compress(bundle))) + end(7, 20) + packet((50, zlib.compress(good.replace(b"s", b"t"))))
CASES["deflated_cut"] = packet((50, zlib.compress(bundle)))[:-9]
CASES["deflated_damaged"] = packet((50, zlib.compress(bundle)[:-20] + b"\xff" * 20)) + begin(5, "behind") + end(6)
CASES["deflated_within"] = packet((50, zlib.compress(bundle + packet((50, zlib.compress(good))))))
zstd = subprocess.run(["zstd", "-q", "-c"], input=bundle, stdout=subprocess.PIPE, check=True).stdout
CASES["zstd_bundle"] = packet((133, zstd)) + packet((133, b"\x28\xb5\x2f\xfd\xff"))

# Processes and threads whose ids come again; a thread is told before its process, one of which has the same pid.
CASES["reused_ids"] = (
    process(1, 7, "old") + thread(10, 7, 9, "old main", (5, 1)) + begin(10, "a") + end(20)
    + prints((11, 9, "B|7|mark in the old one"), (12, 9, "E|7"))
    + thread(11, 7, 9, "new main", (5, 2)) + process(2, 7, "new") + begin(30, "b", 11) + end(40, 11) + track(20, (2, "of new"), (5, 11)) + begin(31, "async", 20) + end(32, 20)
    + prints((50, 9, "B|7|mark in the new one"), (60, 9, "E|7"), (55, 9, "C|7|size|4"))
    + thread(12, 8, 12, "before its process", (5, 3)) + begin(70, "c", 12) + end(80, 12) + process(3, 8, "told later"))

# Names by rank: of a process the tree's, Chromium's renderer, the descriptor's, its other types; of a thread the descriptor's, Chromium's
# type or a legacy name, the tree's, the kernel's.
tree = lambda *parts: packet((2, message(*parts)), (10, 7))
CASES["name_ranks"] = (
    track(1, (3, message((1, 1), (6, "by descriptor"))), (6, message((1, 1)))) + track(2, (3, message((1, 2), (6, "by descriptor"))), (6, message((1, 2))))
    + track(3, (3, message((1, 3), (6, "by descriptor")))) + tree((1, message((1, 3), (3, "one element of a command line")))) + tree((1, message((1, 3), (3, "last/tree name"), (3, "second"))))
    + track(4, (3, message((1, 4), (4, 40)))) + track(5, (3, message((1, 5)))) + track(5, (3, message((1, 5), (6, "first"), (8, "label a"), (8, "label b")))) + track(5, (3, message((1, 5), (6, "last"))))
    + thread(11, 1, 11, "by descriptor") + legacy(1, "M", name="thread_name", uuid=11, more=[(4, message((10, "name"), (6, "by legacy")))]) + track(12, (4, message((1, 1), (2, 12))), (7, message((1, 16))))
    + tree((2, message((1, 12), (3, 1), (2, "by tree"))), (2, message((1, 13), (3, 1), (2, "by tree"))), (2, message((1, 14), (3, 1))))
    + track(13, (4, message((1, 1), (2, 13)))) + track(14, (4, message((1, 1), (2, 14)))) + packet((1, message((1, 0)) + b"".join(
        field(2, message((1, t), (2, 0), (4, message((5, comm), (6, tid))))) for t, comm, tid in ((1, "comm", 13), (2, "first comm", 14), (3, "last comm", 14)))
        + field(2, message((1, 9), (2, 1), (235, message((1, 15), (2, "new task"))))) + field(2, message((1, 9), (2, 1), (236, message((1, 16), (2, "old"), (3, "renamed")))))), (10, 7))
    + track(15, (4, message((1, 1), (2, 15)))) + track(16, (4, message((1, 1), (2, 16)))) + track(17, (4, message((1, 1), (2, 17), (4, 51)))) + track(18, (4, message((1, 1), (2, 18))), (2, "track's own"))
    + b"".join(begin(10, "x", u) + end(20, u) for u in range(11, 19)) + b"".join(begin(10, "process", u) + end(20, u) for u in range(1, 6)))

# The clock that is shown: what a snapshot says, else 6, else 3, else the lowest.
CASES["clock_boot"] = MAIN + snapshot([(3, 100), (1, 10 ** 6), (6, 2000)]) + begin(110, "monotonic", more=[(58, 3)]) + end(2020) + begin(10 ** 6 + 30, "real", more=[(58, 1)]) + end(140, more=[(58, 3)])
CASES["clock_monotonic"] = MAIN + snapshot([(5, 7), (3, 100), (1, 10 ** 6)]) + begin(110, "monotonic", more=[(58, 3)]) + end(10 ** 6 + 30, more=[(58, 1)]) + begin(200, "without id") + end(201)
CASES["clock_lowest"] = MAIN + snapshot([(5, 7000, 0, 0), (200, 70, 0, 100)]) + begin(71, "of a producer", more=[(58, 200)]) + end(7200, more=[(58, 5)])
CASES["clock_without_way"] = MAIN + snapshot([(5, 7000, 0, 0), (2, 10 ** 6), (200, 70, 0, 100)]) + begin(71, "of a producer", more=[(58, 200)]) + end(7200, more=[(58, 5)]) + snapshot([(6, 1)])
CASES["clock_realtime"] = MAIN + snapshot([(6, 100), (1, 1700000000 * 10 ** 9)], primary=1) + begin(110, "boot", more=[(58, 6)]) + end(130, more=[(58, 6)])
# Offsets between snapshots; what lies before the first takes its offset.
CASES["clock_steps"] = MAIN + snapshot([(6, 1000), (3, 0)]) + snapshot([(6, 2010), (3, 1000)]) + b"".join(
    begin(t, f"at {t}", more=[(58, 3)]) + end(t + 5, more=[(58, 3)]) for t in (-500, 0, 990, 994, 1000, 5000))
# The second snapshot sets the running value; a packet that is skipped, or of another clock, does not move it.
CASES["clock_deltas"] = (
    MAIN + snapshot([(6, 1000), (64, 1000, 1)], flags=1, more=[(59, message((58, 64)))]) + begin(10, "1010") + packet((8, 5), (10, 1)) + end(5) + begin(1500, "1500", more=[(58, 6)]) + end(1600, more=[(58, 6)]) + instant(-10, "1010 again")
    + snapshot([(6, 3000), (64, 3000, 1)]) + instant(1, "3001") + event(7, (9, 3), (11, 10), (10, 1), flags=2, sequence=2) + track(10, (4, message((1, 7), (2, 9))), more=[(8, 4)]) + instant(1, "3006")
    + instant(5, "not cleared: no default, so boot time", sequence=3) + packet((13, 1), (10, 1)) + instant(50, "default is gone"))

# What can be lost: a sequence's first packet tells of no loss, later ones do; what needs state waits until it is cleared.
CASES["losses"] = (
    event(1, (9, 1), (11, 10), (23, "first"), sequence=5, more=[(42, 1)]) + MAIN + end(2, sequence=5) + event(3, (9, 1), (11, 10), (23, "told as first"), sequence=5, more=[(42, 2), (87, 1)]) + end(4, sequence=5)
    + event(10, (9, 1), (11, 10), (10, 1), flags=1, more=[(12, entry(2, 1, "open over a loss"))]) + event(20, (9, 1), (11, 10), (10, 1), flags=2, more=[(42, 256), (12, entry(2, 2, "not kept"))])
    + event(30, (9, 2), (11, 10)) + event(40, (9, 1), (11, 10), (10, 2), flags=2) + event(50, (9, 1), (11, 10), (23, "without need"), (10, 0)) + end(60)
    + track(21, (2, "delta"), (8, message((5, 1)))) + event(70, (9, 4), (11, 21), (30, 5)) + event(71, (9, 4), (11, 21), (30, 5), more=[(42, 1)]) + event(72, (9, 4), (11, 21), (30, 5), flags=1) + event(73, (9, 4), (11, 21), (30, 5)))

# As deep as it likes; parents over a hundred levels, the outermost of a process.
CASES["deep"] = (
    MAIN + b"".join(begin(i, f"d{i % 3}") for i in range(600)) + b"".join(end(1000 + i) for i in range(600))
    + process(1, 5, "p") + b"".join(track(100 + i, (2, "t"), (5, 99 + i if i else 1)) for i in reversed(range(150))) + begin(5, "on the innermost", 249) + end(6, 249))

# Overlaps on one track and on a thread; ends at equal times.
CASES["overlaps"] = (
    MAIN + process(1, 7, "p") + begin(10, "outer") + begin(20, "inner") + end(30, 10, (23, "outer")) + end(40, 10, (23, "inner")) + legacy(50, "X", (3, 1)) + legacy(60, "X", (3, 2))
    + begin(5000, "equal") + begin(5000, "equal in it") + end(5000) + end(5000) + begin(5000, "behind") + end(5010)
    + track(20, (2, "custom"), (5, 1)) + begin(10, "outer", 20) + begin(20, "inner", 20) + end(30, 20, (23, "outer")) + end(40, 20) + legacy(50, "X", (3, 1), uuid=20) + legacy(51, "X", uuid=20) + instant(52, "mark", 20))

# Where events without an explicit uuid go: the defaults', the sequence's thread, the global track; an explicit 0 is that.
CASES["places"] = (
    thread(10, 7, 9, "T9", sequence=3) + packet((44, message((1, 7), (2, 8), (5, "of a thread descriptor"))), (10, 2)) + packet((13, 1), (10, 3)) + thread(11, 7, 11, "set by a track", sequence=3)
    + event(10, (9, 1), (23, "no uuid, a thread"), sequence=2) + event(20, (9, 2), sequence=2) + event(10, (9, 1), (23, "no uuid, the described thread"), sequence=3) + event(20, (9, 2), sequence=3)
    + event(10, (9, 1), (23, "no uuid, no thread"), sequence=4) + event(20, (9, 2), sequence=4) + event(30, (9, 1), (11, 0), (23, "an explicit 0"), sequence=2) + event(40, (9, 2), (11, 0), sequence=2)
    + event(50, (6, message((2, ord("B")))), (11, 0), (23, "an explicit 0 of a phase"), sequence=2) + event(60, (6, message((2, ord("E")))), (11, 0), sequence=2)
    + packet((59, message((11, message((11, 10))))), (10, 4)) + event(70, (9, 1), (23, "by the defaults"), sequence=4) + event(80, (9, 2), sequence=4)
    + event(90, (9, 1), (11, 0), (23, "0 overrides the defaults"), sequence=4) + event(95, (9, 2), (11, 0), sequence=4) + track(30, (8, b""), (5, 10), (2, "counter")) + begin(100, "a slice on a counter", 30) + end(110, 30)
    + track(31, (18, b""), (2, "state"), (5, 10)) + instant(105, "an instant on a state", 31) + event(106, (9, 5), (11, 31), (23, "on")))

# Of a process' numbers all are counters but its threads and files.
CASES["process_stats"] = (
    MAIN + packet((8, 10), (9, message((1, message((1, 7), *((n, n) for n in range(2, 26)))), (1, message((1, 8), (3, 5))))), (10, 7))
    + packet((8, 20), (9, message((1, message((1, 7), (3, 30), (10, -900), (200, 5))), (1, message((3, 5))))), (10, 7)) + packet((9, message((1, message((1, 7), (3, 31))))), (10, 7)) + begin(1, "x") + end(2))

# The kernel's clocks: monotonic raw, one that no snapshot ties to any, one of the bundle itself.
bundle_of = lambda *clock: packet((1, message((1, 0), *clock) + field(2, message((1, 5010), (2, 9), (3, message((2, f"I|7|clock {clock}")))))), (10, 7))
CASES["ftrace_clocks"] = MAIN + snapshot([(6, 10 ** 6), (5, 1000)]) + bundle_of() + bundle_of((5, 4), (6, 5000), (7, 70)) + bundle_of((5, 3), (6, 5000), (7, 90)) + bundle_of((5, 1)) + begin(1, "x") + end(2)

# Ids of flows by fixed and by old numbers; several of one event; begin and end of one slice; those of stray ends bind nothing.
CASES["flow_ids"] = (
    MAIN + thread(11, 7, 8, "T8") + event(10, (9, 1), (11, 10), (23, "both"), (36, 77), raw=fixed(47, 5)) + end(20) + event(30, (9, 1), (11, 11), (23, "old alone"), (36, varint(77) + varint(5))) + end(40, 11)
    + event(50, (9, 2), (11, 11), raw=fixed(47, 5)) + event(60, (9, 3), (11, 11), (23, "instant"), raw=fixed(48, 5) + fixed(48, 5)) + event(70, (9, 1), (11, 10), (23, "in no order"), raw=fixed(47, 9)) + end(80)
    + event(65, (9, 1), (11, 11), (23, "before it"), raw=fixed(47, 9)) + end(75, 11) + event(90, (9, 1), (11, 10), (23, "alone"), raw=fixed(47, 123)) + end(95))


def main():
    for name, data in CASES.items():
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        (folder / "input.pftrace").write_bytes(data)


if __name__ == "__main__":
    main()
