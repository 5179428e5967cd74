#!/usr/bin/env python3
"""Writes the inputs of these goldens: small dump folders and sessions, byte by byte.

    make_cases.py [FOLDER]     (here by default)
"""
import gzip
import os
import struct
import sys

MS = 1_700_000_000_000  # when the recordings begin


def varint(value):
    value &= 0xFFFFFFFF
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def varint64(value):
    value &= (1 << 64) - 1
    if value >> 35 == 0:
        out = b""
        while value > 0x7F:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])
    low = b"".join(bytes([value >> shift & 0x7F | 0x80]) for shift in range(0, 35, 7))
    return low + varint(value >> 35)


def zigzag(value):
    return varint(value << 1 ^ value >> 31)


def i64(value):
    return struct.pack(">q", value)


def text(value):
    units = value.encode("utf-16-be", "surrogatepass")
    return varint(len(units) // 2) + units


WORDS = ["call.info", "void demo.Main.run(java.lang.String[],int) (Main.java:12) [demo.jar]",
         "demo.Row demo.Dao.find(int) (<generated>)", "", "void Tiny.go()", "demo.Svc.render語한🔥",
         "web.url", "web.method", "sql", "binds", "java.thread", "user", "java.lang.String q.Q$In.x()"]
MAIN, DAO, EMPTY, TINY, RENDER, URL, METHOD, SQL, BINDS, THREAD, USER, INNER = range(1, 13)


def head(kind, delta):
    delta &= 0xFFFFFFFF
    low = kind | (delta & 31) << 2
    return bytes([low]) if delta < 32 else bytes([low | 0x80]) + varint(delta >> 5)


def enter(delta, method):
    return head(0, delta) + varint(method)


def leave(delta):
    return head(1, delta)


def tag(delta, parameter, value, kind=0):
    body = text(value) if kind in (0, 2) else varint(value[0]) + varint(value[1])
    return head(2, delta) + varint(parameter) + bytes([kind]) + body


def block(thread, real, *events, end=b"\x03"):
    return i64(thread) + i64(real) + b"".join(events) + end


def trace(*blocks, epoch=MS):
    return i64(epoch) + b"".join(blocks)


def dictionary(words=WORDS):
    return b"".join(map(text, words))


def pairs(ids):
    return b"".join(varint(i) + text(WORDS[i]) for i in ids)


def params():
    rows = [("web.url", 1, 0, -1), ("web.method", 1, 0, 5), ("sql", 0, 0, 10), ("user", 1, 1, 100)]
    return b"\x01" + b"".join(text(n) + bytes([i, l]) + varint(o) + text("") for n, i, l, o in rows)


def suspend(*rows, base=MS):
    return i64(base) + b"".join(varint(delta) + varint(amount) for delta, amount in rows)


def call(version, delta, method, duration, enters, thread, name, place, parameters=()):
    out = zigzag(delta) + varint(method) + varint(duration) + varint(enters)
    if version >= 1:
        out += varint(thread) + (text(name) if name is not None else b"") + varint(7) + varint(3)
    out += b"".join(map(varint, place))
    if version >= 2:
        out += varint64(12) + varint64(-1 & 0xFFFFFFFF) + varint64(3 << 33)
    if version >= 3:
        out += b"".join(map(varint64, (1, 2, 1 << 36, 4)))
    if version >= 4:
        out += varint(5) + varint(6)
    out += varint(len(parameters))
    for parameter, values in parameters:
        out += varint(parameter) + varint(len(values)) + b"".join(map(text, values))
    return out


def calls(version, *records, base=MS):
    start = i64(base) if version == 0 else struct.pack(">II", 0xFFFEFDFC, version) + i64(base)
    return start + b"".join(records)


SQL_VALUES = text("select a, '?' from t where id = ? and b = ?") + text("worker-1")
XML_VALUES = text("INT: id: 7\nTEXT: b: it's\n") + text("<x/>")
NAME_AT = len(text("select a, '?' from t where id = ? and b = ?"))

FIRST = block(17, MS + 5,
              enter(5, MAIN), tag(0, URL, "http://h:1/orders/7?x=1", 2), tag(0, METHOD, "GET", 2),
              enter(2, DAO), tag(0, SQL, (1, 0), 3), tag(0, BINDS, (1, 0), 1), leave(40),
              enter(-3 & 0xFFFFFFFF, RENDER), tag(1, USER, "\ud800 lone"), leave(4),
              tag(0, USER, "b"), tag(0, 0, ""), tag(0, THREAD, (1, NAME_AT), 3),
              tag(0, SQL, (4, 0), 3), leave(1))
SECOND = block(18, MS + 60, enter(60, TINY), enter(0, EMPTY), leave(0), enter(0, 99), leave(0),
               leave(10))
ORDER = call(4, 5, MAIN, 45, 3, 0, "worker-1", (1, 8, 0),
             [(URL, ["http://h:1/orders/7?x=1"]), (METHOD, ["GET"]), (USER, ["a", "b"])])


def whole():
    return {
        "dictionary/000001.gz": dictionary(), "params/000001.gz": params(),
        "suspend/000001.gz": suspend((20, 10), (30, 5), (5, 8)),
        "calls/000001.gz": calls(4, ORDER, call(4, 55, TINY, 10, 3, 1, "odd", (1, 8 + len(FIRST), 0)),
                                 call(4, -30, DAO, 4, 1, 0, None, (1, 8, 900)),
                                 call(4, 40, DAO, 4, 1, 7, None, (9, 8, 0))),
        "trace/000001.gz": trace(FIRST, SECOND),
        "sql/000001.gz": SQL_VALUES, "xml/000001.gz": XML_VALUES,
    }


def field(data):
    return struct.pack(">I", len(data)) + data


def blocks(data, size):
    return b"".join(field(data[i:i + size]) for i in range(0, len(data), size))


def session(streams, version=100605, cut=None):
    out = b"\x14" + i64(100705) + field(b"node-1_%d" % MS) + field(b"svc") + field(b"ns") + i64(version)
    number = 0
    for round_of in sorted({sequence for _, sequence, _ in streams}):
        opened = []
        for name, sequence, data in streams:
            if sequence != round_of:
                continue
            number += 1
            key = bytes([number]) * 16
            opened.append((key, data))
            out += b"\x15" + field(name.encode()) + struct.pack(">II", sequence, 0)
            out += key + i64(0) + i64(0) + struct.pack(">I", sequence)
        # Pieces of the streams take turns; answers stand in line.
        for at in range(0, max(len(data) for _, data in opened), 50):
            for key, data in opened:
                if data[at:at + 50]:
                    out += b"\x02" + key + field(data[at:at + 50]) + b"\x00"
            out += b"\x11\x00"
    return (out + b"\x04")[:cut]


def wire_streams(v3):
    words = ("posDictionary", 0, blocks(pairs([2, 1, 5, 3, 1]) + pairs(range(len(WORDS))), 10000)) if v3 \
        else ("dictionary", 0, blocks(dictionary(), 10000))
    return [("trace", 0, trace(FIRST)), ("calls", 0, calls(4, ORDER)), ("xml", 0, XML_VALUES),
            ("sql", 0, SQL_VALUES), ("suspend", 0, blocks(suspend((20, 10)), 10)),
            ("gc", 0, b"text"), ("params", 0, blocks(params(), 10000)), words,
            ("trace", 1, trace(SECOND))]


def cases():
    yield "dump", whole()
    half = whole()
    half["trace/000001.gz"] = trace(block(17, MS + 1, enter(1, MAIN), enter(1, DAO)))
    half["trace/000002.gz"] = trace(block(18, MS + 2, enter(2, TINY), leave(1)),
                                    block(17, MS + 3, leave(9), tag(0, USER, "late"), leave(1)))
    yield "over_two_files", half
    gap = whole()
    gap["trace/000001.gz"] = trace(block(17, MS + 1, enter(1, MAIN), enter(1, DAO)))
    gap["trace/000003.gz"] = trace(block(17, MS + 9, leave(9), tag(0, USER, "lost"), enter(0, TINY), leave(2)))
    yield "missing_file", gap
    torn = {name: data[:-2] for name, data in whole().items()}
    torn["trace/000001.gz"] = trace(FIRST, SECOND)[:-7]
    yield "cut", {name.replace(".gz", ""): data for name, data in torn.items()}
    bad = whole()
    bad["trace/000001.gz"] = trace(block(17, MS, enter(1, MAIN), head(2, 0) + varint(USER) + b"\x09zz"),
                                   SECOND)
    yield "unknown_value_kind", bad
    yield "no_dictionary", {"trace/000001.gz": trace(FIRST), "callsDictionary/000001.gz": pairs([1, 6, 7])}
    yield "calls_of_all_formats", {
        f"calls/{v + 1:06}.gz": calls(v, call(v, 3, TINY, 4, 2, 0, "t", (v, 8, 0)),
                                      call(v, 30, TINY, 4, 2, 0, None, (v, 9, 0))) for v in range(6)}
    yield "call_ranges", {"calls[60m+]/000001.gz": calls(4, ORDER), "dictionary/000001.gz": dictionary()}
    yield "suspend_only", {"suspend/000001.gz": suspend((100, 40), (20, 60), (5000, 1))}
    day = 86_400_000
    real = MS + 30 * day
    wrapped = (30 * day + 5 + (1 << 31)) % (1 << 32) - (1 << 31)
    yield "long_uptime", {"dictionary/000001.gz": dictionary(),
                          "trace/000001.gz": trace(block(1, real, enter(wrapped, TINY), leave(50)))}
    yield "loose", {f"{name}.{sequence}.bin": data for name, sequence, data in wire_streams(False)}
    yield "session_v2", session(wire_streams(False))
    yield "session_v3", session(wire_streams(True), 100705)
    yield "session_cut", session(wire_streams(False), cut=-300)


def main():
    top = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, content in cases():
        folder = os.path.join(top, name)
        os.makedirs(folder, exist_ok=True)
        if isinstance(content, bytes):
            with open(os.path.join(folder, "input.protocol"), "wb") as out:
                out.write(content)
            continue
        for path, data in content.items():
            path = os.path.join(folder, "input", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


main()
