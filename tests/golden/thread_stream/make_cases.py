#!/usr/bin/env python3
"""Writes the golden inputs of the thread stream format beside itself: CASE/input.tsd. Standard library only."""
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent
MAGIC = b"\x89TSD\r\n\x1a\n"
(ENTER, EXIT, INSTANT, COUNTER, ENTER_ADDRESS, EXIT_ADDRESS, ENTER_MANAGED, EXIT_MANAGED, ASYNC_BEGIN, ASYNC_END,
 FLOW, RESUME, CLOCK_STEP) = range(1, 14)
CONT, ARG, STACK, CLASS, VALUE = range(64, 69)
TABLE, EVENTS, PACKED = 1, 2, 3
LZ4, OPEN = 1, 2
TEXT, I64, U64, F64, BOOL, POINTER, STRING_ID = range(7)


def crc(data):
    return zlib.crc32(data) & 0xFFFFFFFF


def header(flags=1, pid=42, num=1, den=1, major=1, minor=0, size=64, align=8, right=True):
    head = MAGIC + struct.pack("<HHHBBIIQQQ12x", major, minor, size, 8, flags, align, 0, pid, num, den)
    return head + struct.pack("<I", crc(head) ^ (0 if right else 1)) + bytes(size - 64)


def chunk(kind, payload, stream=0, sequence=0, ordinal=0, first=0, last=0, count=0, flags=0, full=None, right=True,
          align=8):
    is_open = flags & OPEN
    head = b"TSCK" + struct.pack("<HHIIIIQQQII", kind, flags, len(payload), len(payload) if full is None else full, stream,
                                 sequence, ordinal, first, 0 if is_open else last, 0 if is_open else count, 0)
    head += struct.pack("<I", 0 if is_open else crc(payload) ^ (0 if right else 1))
    data = head + struct.pack("<I", crc(head)) + payload
    return data + bytes(-len(data) % align)


# Tables.
def entry(tag, body):
    size = (8 + len(body) + 7) // 8 * 8
    return (struct.pack("<IHH", size, tag, 0) + body).ljust(size, b"\0")


def fact(key, value):
    return entry(1, struct.pack("<II", len(key), len(value)) + key + value)


def string(number, text):
    return entry(2, struct.pack("<II", number, len(text)) + text)


def site(number, name, category=0, file=0, line=0, flags=0):
    return entry(3, struct.pack("<IIIIIII", number, name, category, file, line, 0, flags))


def thread(stream, name=0, tid=100, first=0, last=0, records=0, flags=0):
    return entry(4, struct.pack("<IIQQQQQII", stream, name, tid, first, last, records, 0, flags, 0))


def clock(tick, ns, wall=0):
    return entry(5, struct.pack("<QqqII", tick, ns, wall, 0, 0))


def module(snapshot, number, tick, start, end, elf, path):
    return entry(6, struct.pack("<IIQQQQQIBBH", snapshot, number, tick, start, end, elf, 0, path, 5, 0, 0))


def symbol(number, address, *frames):
    body = struct.pack("<IIQ", number, len(frames), address)
    return entry(7, body + b"".join(struct.pack("<IIII", *frame) for frame in frames))


def assembly(ordinal, name):
    return entry(8, struct.pack("<II16x", ordinal, name))


def managed_class(ordinal, token, name):
    return entry(9, struct.pack("<IIII", ordinal, token, name, 0))


def method(ordinal, token, class_token, name):
    return entry(10, struct.pack("<IIII", ordinal, token, class_token, name))


END = entry(11, b"")


def table(*entries, **more):
    return chunk(TABLE, b"".join(entries), count=len(entries), **more)


NAMES = [b"main", b"load", b"parse", b"render", b"draw"]
SITES = b"".join(string(i, name) + site(i, i) for i, name in enumerate(NAMES, 1))
USUAL = table(fact(b"name", b"demo"), SITES, thread(1, 1), clock(0, 0, 1000), END)


# Records.
def record(kind, tick, site=0, aux=0):
    return struct.pack("<QIHH", tick, site, aux, kind)


def enter(tick, number):
    return record(ENTER, tick, number)


def exit_(tick, number=0):
    return record(EXIT, tick, number)


def value(number):
    return record(VALUE, number)


def real(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def with_conts(kind, head_site, data):
    out = struct.pack("<8sIHH", data[:8].ljust(8, b"\0"), head_site, len(data), kind)
    for at in range(8, len(data), 14):
        out += data[at:at + 14].ljust(14, b"\0") + struct.pack("<H", CONT)
    return out


def arg(key, kind, data):
    return with_conts(ARG, key | kind << 24, data)


def stack(what, *entries):
    return with_conts(STACK, what, struct.pack(f"<{len(entries)}Q", *entries))


def events(*records, stream=1, sequence=0, ordinal=0, count=None, first=None, last=None, **more):
    data = b"".join(records)
    ticks = [struct.unpack_from("<Q", data, at)[0] for at in range(0, len(data) - 15, 16)
             if 0 < struct.unpack_from("<H", data, at + 14)[0] < 64] or [0]
    return chunk(EVENTS, data, stream, sequence, ordinal, ticks[0] if first is None else first,
                 ticks[-1] if last is None else last, len(data) // 16 if count is None else count, **more)


def leb(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def packed(data, count, first, stream=1, **more):
    return chunk(PACKED, data, stream, first=first, last=first, count=count, **more)


def pack(first, *steps):
    """Steps: (kind, tick, site) or bytes of an attachment."""
    out, now = b"", first
    for step in steps:
        if isinstance(step, bytes):
            for at in range(0, len(step), 16):
                out += b"\0" + step[at:at + 16]
            continue
        kind, tick, number = step[:3]
        if tick < now:
            out += leb((now - tick) << 3 | 6)
            now = tick
        delta = (tick - now) << 3
        now = tick
        if kind == ENTER:
            out += leb(delta | 1) + leb(number)
        elif kind == EXIT and number == 0:
            out += leb(delta | 2)
        elif kind == EXIT:
            out += leb(delta | 3) + leb(number)
        elif kind == INSTANT:
            out += leb(delta | 4) + leb(number)
        else:
            out += leb(delta | 5) + leb(kind) + leb(number) + leb(step[3] if len(step) > 3 else 0)
    return out


def xxh32(data):
    """Of fewer than 16 bytes."""
    rotate = lambda x, by: (x << by | x >> (32 - by)) & 0xFFFFFFFF
    h = (374761393 + len(data)) & 0xFFFFFFFF
    at = 0
    while at + 4 <= len(data):
        h = rotate((h + struct.unpack_from("<I", data, at)[0] * 3266489917) & 0xFFFFFFFF, 17) * 668265263 & 0xFFFFFFFF
        at += 4
    for byte in data[at:]:
        h = rotate((h + byte * 374761393) & 0xFFFFFFFF, 11) * 2654435761 & 0xFFFFFFFF
    h = (h ^ h >> 15) * 2246822519 & 0xFFFFFFFF
    h = (h ^ h >> 13) * 3266489917 & 0xFFFFFFFF
    return h ^ h >> 16


def lz4(data, block=65536):
    """A frame whose blocks are not compressed."""
    head = bytes([0x68, 0x40]) + struct.pack("<Q", len(data))
    frame = struct.pack("<I", 0x184D2204) + head + bytes([xxh32(head) >> 8 & 255])
    for at in range(0, len(data), block):
        part = data[at:at + block]
        frame += struct.pack("<I", len(part) | 0x80000000) + part
    return frame + bytes(4)


def lz4_chunk(kind, data, count, first, right=True, full=None, stream=1, block=65536, flags=0):
    return chunk(kind, lz4(data, block), stream, first=first, last=first, count=count, flags=LZ4 | flags,
                 full=len(data) if full is None else full, right=right)


CALLS = [enter(100, 1), enter(200, 2), enter(250, 3), exit_(300, 3), exit_(400, 2), enter(500, 4), exit_(600), exit_(900, 1)]
STEPS = [(ENTER, 100, 1), (ENTER, 200, 2), (ENTER, 250, 3), (EXIT, 300, 0), (EXIT, 400, 2), (ENTER, 500, 4), (EXIT, 600, 0),
         (EXIT, 900, 1)]
H = header()
LONG_TEXT = bytes(range(32, 127)) * 3

ADDRESSES = table(string(1, b"/usr/lib/libplug.so"), string(2, b"/usr/bin/demo"), string(3, b"run()"), string(4, b"inner()"),
                  string(5, b"run.cc"), string(6, b"main"), site(6, 6), string(7, b"java.lang.Thread.run"), thread(1, 6), clock(0, 0),
                  module(0, 1, 0, 0x1000, 0x2000, 0x100, 2), module(0, 2, 0, 0x7000, 0x8000, 0, 1),
                  module(1, 2, 500, 0x9000, 0xa000, 0, 1), module(1, 7, 500, 0x7000, 0x7800, 0x40, 0),
                  symbol(1, 0x110, (4, 5, 7, 1), (3, 5, 20, 0)), symbol(1, 0x1ff, (3, 0, 0, 0)), END)
MANAGED = table(string(1, b"Shop.dll"), string(2, b"Shop.Cart"), string(3, b"Add"), string(4, b"Shop.Order"), string(5, b"Total"),
                thread(1), clock(0, 0), assembly(3, 1), managed_class(3, 0x02000007, 2), managed_class(3, 0x02000008, 4),
                method(3, 0x06000123, 0x02000007, 3), method(3, 0x06000124, 0, 5), END)

CASES = {
    # whole files
    "minimal": H + table(string(1, b"main"), site(1, 1), thread(1, tid=9), clock(1000, 1000000), END)
               + events(enter(1500, 1), exit_(4000, 1)),
    "header_only": header(num=0, den=0),
    "two_threads": H + table(fact(b"name", b"demo"), SITES, thread(1, 1, 100), thread(2, 2, 101), clock(0, 0), END)
                   + events(*CALLS) + events(enter(50, 5), exit_(2600, 5), stream=2),
    "chunks_out_of_order": H + events(*CALLS[5:], sequence=2, ordinal=5) + events(*CALLS[2:5], sequence=1, ordinal=2) + USUAL
                           + events(*CALLS[:2]),
    "packed": H + USUAL + packed(pack(100, *STEPS), 8, 100),
    "packed_other_codes": H + USUAL + packed(pack(
        100, (ENTER, 100, 1), arg(2, TEXT, b"a text of more than eight bytes"), (INSTANT, 150, 2), (INSTANT, 120, 3),
        (COUNTER, 200, 4), value(real(2.5)), (ENTER_ADDRESS, 210, 0x1000), (EXIT_ADDRESS, 220, 0x1000), (EXIT, 300, 1)), 12, 100),
    "packed_bad_type": H + USUAL + packed(pack(100, *STEPS[:3]) + b"\x07" + pack(250, *STEPS[3:]), 8, 100),
    "packed_time_below_0": H + USUAL + packed(pack(100, *STEPS[:3]) + leb(251 << 3 | 6), 8, 100),
    "packed_long_number": H + USUAL + packed(pack(100, *STEPS[:3]) + b"\x81" * 10 + b"\x01", 8, 100),
    "packed_ends_inside": H + USUAL + packed(pack(100, *STEPS)[:-1], 8, 100),
    "lz4_raw": H + USUAL + lz4_chunk(EVENTS, b"".join(CALLS), 8, 100),
    "lz4_packed_and_table": H + lz4_chunk(TABLE, SITES + thread(1, 1) + clock(0, 0) + END, 13, 0, stream=0)
                            + lz4_chunk(PACKED, pack(100, *STEPS), 8, 100),
    "lz4_argument": H + USUAL + lz4_chunk(EVENTS, enter(100, 1) + arg(2, TEXT, LONG_TEXT) + exit_(200, 1), 2 + 21, 100),
    "lz4_cut": (H + USUAL + lz4_chunk(EVENTS, b"".join(CALLS), 8, 100, block=48))[:-60],
    "lz4_damaged": H + USUAL + lz4_chunk(EVENTS, b"".join(CALLS), 8, 100, right=False),
    "lz4_wrong_size": H + USUAL + lz4_chunk(EVENTS, b"".join(CALLS), 8, 100, full=100),
    "lz4_open": H + USUAL + lz4_chunk(EVENTS, b"".join(CALLS), 8, 100, flags=OPEN),
    # live files, losses, pauses
    "live": header(flags=3, align=256).ljust(256, b"\0")
            + table(SITES, thread(1, 1), bytes(64), flags=OPEN, align=256)
            + events(*CALLS[:3], bytes(16 * 5), flags=OPEN, align=256) + bytes(512),
    "live_two_chunks": header(flags=3) + table(SITES, thread(1, 1), clock(0, 0), clock(2000, 2000), flags=OPEN)
                       + events(*CALLS[:4], flags=OPEN) + events(*CALLS[4:7], bytes(32), sequence=1, ordinal=4, flags=OPEN),
    "torn": H + USUAL + events(CALLS[0], bytes(16), *CALLS[1:], bytes(32)),
    "torn_end": H + USUAL + events(*CALLS[:2], bytes(16 * 64), *CALLS[2:]),
    "lost_middle": H + USUAL + events(*CALLS[:3]) + events(*CALLS[5:], sequence=2, ordinal=5),
    "lost_begin": H + USUAL + events(*CALLS[5:], sequence=7, ordinal=160),
    "lost_end": H + table(SITES, thread(1, 1, last=2000, records=50), clock(0, 0), END) + events(*CALLS[:3]),
    "lost_all": H + table(SITES, thread(1, 1, records=50), clock(0, 0), END),
    "thread_exited": H + table(SITES, thread(1, 1, flags=1), thread(2, 1, 101), clock(0, 0), END) + events(*CALLS[:2])
                     + events(enter(5000, 1), stream=2),
    "pauses": H + USUAL + events(enter(100, 1), enter(200, 2), record(RESUME, 5000, 0, 1), value(300), exit_(5100, 2),
                                 record(RESUME, 6000), value(50), record(RESUME, 7000), value(9000), enter(7100, 1), exit_(7200)),
    # time
    "clock_pairs": header(flags=0) + table(SITES, thread(1), clock(1000, 0, 5000), clock(3500000, 1000000), clock(6000000, 3000000),
                                           END) + events(enter(500, 1), enter(2000, 2), exit_(4000000), exit_(9000001)),
    "clock_nominal": header(flags=0, num=125, den=3) + table(SITES, thread(1), clock(100, -5000), END)
                     + events(enter(1, 1), exit_(1000000, 1)),
    "clock_bad_samples": header(flags=0, num=0) + table(SITES, thread(1), clock(100, 100), clock(100, 200), clock(300, 50),
                                                        clock(400, 400), END) + events(enter(1, 1), exit_(1000, 1)),
    "clock_none": header(flags=0, num=0) + table(SITES, thread(1), clock(100, 1100), END) + events(enter(50, 1), exit_(150, 1)),
    "clock_far": H + table(SITES, thread(1), END) + events(enter(1, 1), enter(1 << 63, 2), exit_((1 << 64) - 1), exit_((1 << 64) - 1)),
    "clock_steps": H + USUAL + events(enter(1000000, 1), record(CLOCK_STEP, 50), value(1000200), enter(150, 2), exit_(250, 2),
                                      enter(500000, 3), enter(90, 4), exit_(500010, 4), exit_(500020, 3))
                   + events(exit_(600000, 1), sequence=1, ordinal=9),
    "axis_events": H + table(fact(b"axis", b"events"), SITES, thread(1), END) + events(*CALLS),
    # other records
    "instants_and_counters": H + table(SITES, thread(1), thread(2, 1, 101), clock(0, 0), END)
                             + events(record(INSTANT, 10, 1), record(COUNTER, 20, 2), value(real(1.5)), record(COUNTER, 40, 2),
                                      value(real(-3)), record(COUNTER, 50, 77), value(real(1)), record(COUNTER, 60, 2))
                             + events(record(COUNTER, 30, 2), value(real(2)), record(INSTANT, 5, 88), stream=2),
    "async": H + table(SITES, thread(1), thread(2, 1, 101), clock(0, 0), END)
             + events(record(ASYNC_BEGIN, 10, 1), value(1), record(ASYNC_BEGIN, 20, 1), value(2), record(ASYNC_BEGIN, 30, 1), value(2),
                      record(ASYNC_END, 40, 1), value(9), enter(50, 2), exit_(500))
             + events(record(ASYNC_END, 100, 1), value(1), record(ASYNC_END, 200, 1), value(2), stream=2),
    "flows": H + table(SITES, thread(1), thread(2, 1, 101), clock(0, 0), END)
             + events(enter(10, 1), record(FLOW, 20, 2, 0), value(7), record(FLOW, 30, 2, 0), value(8), exit_(50))
             + events(enter(60, 3), record(FLOW, 70, 2, 1), value(7), record(FLOW, 80, 2, 2), value(7), record(FLOW, 85, 2, 2),
                      value(7), exit_(90), stream=2),
    "arguments": H + USUAL + events(
        enter(100, 1), arg(2, TEXT, b""), arg(2, TEXT, b"12345678"), arg(2, TEXT, b"123456789"), arg(3, TEXT, LONG_TEXT),
        arg(4, I64, struct.pack("<q", -5)), arg(4, U64, struct.pack("<Q", 1 << 63)), arg(4, F64, struct.pack("<d", 0.5)),
        arg(4, F64, struct.pack("<d", float("inf"))), arg(4, BOOL, b"\1"), arg(4, POINTER, struct.pack("<Q", 0x7f00)),
        arg(4, STRING_ID, struct.pack("<Q", 5)), arg(4, STRING_ID, struct.pack("<Q", 99)), arg(999, 77, b"\1\2"),
        enter(200, 2), exit_(300, 2), arg(3, TEXT, b"at the end"), exit_(400, 1)),
    "arguments_in_next_chunk": H + USUAL + events(enter(100, 1), enter(200, 2), exit_(300, 2))
                               + events(arg(3, TEXT, b"of the exit before"), exit_(400, 1), sequence=1, ordinal=3)
                               + events(arg(3, TEXT, b"of main's exit"), sequence=2, ordinal=6),
    "stacks": H + ADDRESSES + events(enter(100, 6), stack(1, 0x1011, 0x7051, 0x5), exit_(200, 6), stack(0x101, 0x1010),
                                     record(INSTANT, 300, 6), stack(2, 7, 99), stack(3, 3 << 32 | 0x06000001), stack(1)),
    "addresses": H + ADDRESSES + events(
        record(ENTER_ADDRESS, 100, 0x1010), record(ENTER_ADDRESS, 110, 0x7050), record(EXIT_ADDRESS, 120, 0x7050),
        record(ENTER_ADDRESS, 130, 0x9040), record(EXIT_ADDRESS, 140), record(ENTER_ADDRESS, 600, 0x7050),
        record(EXIT_ADDRESS, 610, 0x7050), record(ENTER_ADDRESS, 620, 0x7900), record(EXIT_ADDRESS, 630, 0x7900),
        record(ENTER_ADDRESS, 640, 0x5678, 0x7f12), record(EXIT_ADDRESS, 650, 0x5678, 0x7f12), record(EXIT_ADDRESS, 700, 0x1010)),
    "managed": H + MANAGED + events(
        record(ENTER_MANAGED, 100, 0x06000123, 3), record(CLASS, 0, 0x02000008), record(ENTER_MANAGED, 110, 0x06000123, 3),
        record(EXIT_MANAGED, 120, 0x06000123, 3), record(ENTER_MANAGED, 130, 0x06000124, 3), record(EXIT_MANAGED, 140),
        record(ENTER_MANAGED, 150, 0x06000999, 3), record(EXIT_MANAGED, 160), record(ENTER_MANAGED, 170, 0x06000001, 9),
        record(EXIT_MANAGED, 180), record(EXIT_MANAGED, 200, 0x06000123, 3)),
    "unwinding": H + USUAL + events(
        enter(100, 1), enter(110, 2), enter(120, 3), enter(130, 2), exit_(140, 1), exit_(150, 1), exit_(160), enter(200, 1),
        record(ENTER_ADDRESS, 210, 2), exit_(220, 2), record(EXIT_ADDRESS, 225, 1), record(EXIT_MANAGED, 230), exit_(240, 1)),
    "threads": H + table(SITES, thread(1, 1, 100), thread(2, 2, 100), thread(4, 3, 100), thread(9, 4, 7), clock(0, 0), END)
               + events(*CALLS) + events(*CALLS, stream=2) + events(*CALLS, stream=7) + events(stream=8),
    "names": H + table(string(1, b""), site(1, 1), site(2, 0), site(3, 9), string(4, b"\xff\xfe bad"), site(4, 4, 5, 6, 12),
                       string(5, b"category"), string(6, b"file.cc"), site(5, 5, flags=1), string(70000, b"far"), site(80000, 70000),
                       thread(1), clock(0, 0), END)
             + events(*(enter(10 * i, n) + exit_(10 * i + 5, n) for i, n in enumerate([1, 2, 3, 4, 6, 80000, 90000, 90000], 1))),
    # damage
    "header_damaged": header(right=False) + USUAL + events(*CALLS),
    "newer_minor": header(minor=3, size=128) + table(entry(77, b"12345678"), SITES, thread(1), clock(0, 0), END)
                   + chunk(9, b"1234567") + chunk(0x8001, b"1234567")
                   + events(enter(100, 1), record(40, 1 << 60, 1), arg(2, U64, b"1"), record(99, 5), record(200, 5),
                            arg(2, U64, b"2"), exit_(200, 1)),
    "bad_chunk": H + USUAL + events(*CALLS[:3]) + b"garbage!" * 3 + events(*CALLS[3:], sequence=1, ordinal=3),
    "bad_chunk_at_end": H + USUAL + events(*CALLS) + b"TSCK" * 40,
    "bytes_at_end": H + USUAL + events(*CALLS) + b"123",
    "cut_events": (H + USUAL + events(*CALLS))[:-20],
    "cut_chunk_header": (H + USUAL + events(*CALLS[:5]) + events(*CALLS[5:], sequence=1, ordinal=5))[:-16 * 3 - 10],
    "cut_packed": (H + USUAL + packed(pack(100, *STEPS), 8, 100))[:-6],
    "cut_table": (H + events(*CALLS) + table(thread(1), clock(0, 0), SITES, END))[:-100],
    "damaged_events": H + USUAL + events(*CALLS[:3], record(ENTER, 1 << 46, 4), arg(2, U64, b"1"), *CALLS[3:], first=100, last=900,
                                         right=False),
    "damaged_packed": H + USUAL + packed(pack(100, *STEPS), 8, 100, right=False)
                      + events(enter(2000, 1), exit_(2100, 1), sequence=1, ordinal=8),
    "damaged_table": H + table(thread(1), SITES, struct.pack("<IHH", 12, 2, 0), string(1, b"never"), right=False) + events(*CALLS),
    "bad_entries": H + table(string(1, b"main"), site(1, 1), thread(1), struct.pack("<IHHII", 16, 2, 0, 3, 500))
                   + table(entry(7, struct.pack("<IIQ", 1, 2000, 0))) + table(struct.pack("<IHH", 4096, 0, 0))
                   + table(struct.pack("<IHHII", 8 + 8, 1, 0, 1, 0)) + events(enter(1, 1), exit_(2, 1)),
    "duplicates": H + table(string(1, b"old"), site(1, 1), string(1, b"new"), string(2, b"two"), string(2, b"two"), site(1, 1),
                            site(2, 1), site(2, 2), thread(1), clock(0, 0), END)
                  + events(enter(100, 1), exit_(200, 1)) + events(enter(100, 2), exit_(200, 2))
                  + events(enter(300, 2), exit_(400, 2), sequence=1, ordinal=2),
    "duplicate_of_damaged": H + USUAL + packed(pack(100, *STEPS), 8, 100, right=False) + events(*CALLS),
    "odd_records": H + USUAL + events(
        arg(2, TEXT, b"nobody"), value(5), enter(100, 1), struct.pack("<14sH", b"no one asked", CONT), arg(2, TEXT, b"four"),
        bytes(32), enter(200, 2), record(COUNTER, 210, 3), exit_(220, 2), record(ASYNC_BEGIN, 230, 3), arg(2, TEXT, b"left out"),
        enter(240, 3), arg(2, TEXT, b"too short by one")[:16], value(1), exit_(250, 3), record(RESUME, 260), exit_(300, 1)),
}

for name, data in CASES.items():
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    (folder / "input.tsd").write_bytes(data)
