#!/usr/bin/env python3
"""Writes a Perfetto trace several times behind itself, each time later than the one before: a large file to measure by.

    repeat_pftrace.py IN.pftrace[.gz] TIMES OUT.pftrace

All clocks of a repetition are set on by the same time, and so are the times that packets tell by a global clock. So no
thread steps back in time, which it does where files are put behind each other as they are.
"""

import gzip
import sys


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """(number, wire type, value, bytes of the whole field); values of bytes are bytes."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = read_varint(data, at)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, at = read_varint(data, at)
        elif kind == 2:
            length, at = read_varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        yield number, kind, value, data[begin:at]


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def numbers(data):
    return {number: value for number, kind, value, _ in fields(data) if kind == 0}


def later_snapshot(body, by_ns):
    out = b""
    for number, kind, value, whole in fields(body):
        if number == 1 and kind == 2:
            unit = numbers(value).get(4, 1) or 1
            value = b"".join(
                field(2, part + by_ns // unit) if number_of_part == 2 else whole_part
                for number_of_part, _, part, whole_part in fields(value)
            )
            out += field(1, value)
        else:
            out += whole
    return out


def pieces(trace):
    """The trace as parts that stay and functions of the time to add."""
    usual_clock = {}
    stays = bytearray()
    for number, _, body, whole in fields(trace):
        if number != 1:
            stays += whole
            continue
        parts = list(fields(body))
        by_number = {n: v for n, kind, v, _ in parts if kind in (0, 2)}
        sequence = by_number.get(10, 0)
        if 59 in by_number:
            usual_clock[sequence] = numbers(by_number[59]).get(58, 0)
        clock = by_number.get(58) or usual_clock.get(sequence, 0)
        tells_global_time = by_number.get(8) and not 64 <= clock < 128
        if 6 not in by_number and not tells_global_time:
            stays += whole
            continue
        yield bytes(stays)
        stays = bytearray()

        def later(by_ns, parts=parts, tells_global_time=tells_global_time):
            out = b""
            for n, kind, value, whole_part in parts:
                if n == 6 and kind == 2:
                    out += field(6, later_snapshot(value, by_ns))
                elif n == 8 and tells_global_time:
                    out += field(8, value + by_ns)
                else:
                    out += whole_part
            return field(1, out)

        yield later
    yield bytes(stays)


def main():
    path, times, out_path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        parts = list(pieces(file.read()))
    with open(out_path, "wb") as out:
        for i in range(times):
            for part in parts:
                out.write(part if isinstance(part, bytes) else part(i * 10**11))


main()
