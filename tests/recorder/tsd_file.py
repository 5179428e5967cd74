"""Reads a thread stream, from its specification and nothing else, for the tests of the recorder.

    tsd_file.py FILE    prints what it holds

What is wrong with a file is counted in `problems` by the codes of the specification."""
import collections
import pathlib
import struct
import sys
import zlib

KINDS = {1: "ENTER", 2: "EXIT", 3: "INSTANT", 4: "COUNTER", 5: "ENTER_ADDRESS", 6: "EXIT_ADDRESS", 7: "ENTER_MANAGED",
         8: "EXIT_MANAGED", 9: "ASYNC_BEGIN", 10: "ASYNC_END", 11: "FLOW", 12: "RESUME", 13: "CLOCK_STEP"}
CONT, ARG, STACK, CLASS, VALUE = 64, 65, 66, 67, 68
NEED_VALUE = {4, 9, 10, 11, 12, 13}
EVENTS_FLAG_LZ4, EVENTS_FLAG_OPEN = 1, 2
ARG_TEXT, ARG_I64, ARG_U64, ARG_F64, ARG_BOOL, ARG_POINTER = range(6)

Site = collections.namedtuple("Site", "name category file line rgba flags")
Chunk = collections.namedtuple("Chunk", "offset kind flags stored full stream sequence ordinal first last count crc "
                               "payload cut")
Clock = collections.namedtuple("Clock", "tick mono wall uncertainty")
Segment = collections.namedtuple("Segment", "snapshot module tick start end elf offset path protection build")


NONE = []  # of all records that have none, so lists are not appended to


class Record:
    """A timed record with what is attached to it."""
    __slots__ = ("tick", "kind", "site", "aux", "value", "args", "stacks", "classes")

    def __init__(self, tick, kind, site, aux):
        self.tick, self.kind, self.site, self.aux = tick, kind, site, aux
        self.value, self.args, self.stacks, self.classes = None, NONE, NONE, NONE

    def word(self):
        return KINDS.get(self.kind, str(self.kind))

    def address(self):
        return self.site | self.aux << 32


class Thread:
    def __init__(self, stream):
        self.stream, self.chunks, self.records = stream, [], []
        self.slots = self.lost = self.torn = 0
        self.gaps = []  # number of records before each loss
        self.name, self.tid, self.first, self.last, self.total, self.dropped, self.flags = "", 0, 0, 0, 0, 0, 0


class Recording:
    def __init__(self, data):
        self.problems = collections.Counter()
        self.facts, self.strings, self.sites = {}, {0: ""}, {}
        self.clocks, self.segments, self.threads, self.chunks = [], [], {}, []
        self.finished = False
        if len(data) < 64 or data[:8] != b"\x89TSD\r\n\x1a\n":
            raise ValueError("not a thread stream")
        self.data = data
        (self.major, self.minor, self.header, self.pointer, self.flags, self.align, _, self.pid, self.num,
         self.den) = struct.unpack_from("<HHHBBIIQQQ", data, 8)
        if zlib.crc32(data[:60]) != struct.unpack_from("<I", data, 60)[0]:
            self.problems["header_damaged"] += 1
        self.walk()
        for chunk in self.chunks:
            if chunk.kind == 1:
                self.read_table(chunk)
        for chunk in self.chunks:
            if chunk.kind in (2, 3):
                thread = self.threads.setdefault(chunk.stream, Thread(chunk.stream))
                thread.chunks.append(chunk)
        for thread in self.threads.values():
            self.read_thread(thread)
        if not self.finished:
            self.problems["not_finished"] += 1

    def up(self, offset):
        return (offset + self.align - 1) // self.align * self.align

    def is_header(self, at):
        header = self.data[at:at + 64]
        return header[:4] == b"TSCK" and zlib.crc32(header[:60]) == struct.unpack_from("<I", header, 60)[0]

    def walk(self):
        data, at = self.data, self.up(64)
        while len(data) - at >= 64:
            if not self.is_header(at):
                found = at
                while True:
                    found = data.find(b"TSCK", found + 1)
                    if found < 0:
                        found = len(data)
                        break
                    if found % 8 == 0 and len(data) - found >= 64 and self.is_header(found):
                        break
                if data[at:found].strip(b"\0"):
                    self.problems["bad_chunk"] += 1
                at = found
                continue
            values = struct.unpack_from("<HHIIIIQQQIII", data, at + 4)
            kind, flags, stored, full, stream, sequence, ordinal, first, last, count, zero, crc = values
            assert zero == 0
            payload = data[at + 64:at + 64 + stored]
            cut = len(payload) < stored
            if cut:
                self.problems["truncated"] += 1
            elif not flags & EVENTS_FLAG_OPEN and zlib.crc32(payload) != crc:
                self.problems["data_damaged"] += 1
            if kind not in (1, 2, 3):
                self.problems["unknown_chunk"] += 1
            if flags & EVENTS_FLAG_LZ4:
                payload = unpack_lz4(payload)
                if len(payload) != full:
                    self.problems["data_damaged"] += 1
            self.chunks.append(Chunk(at, kind, flags, stored, full, stream, sequence, ordinal, first, last, count, crc,
                                     payload, cut))
            if cut:
                return
            at = self.up(at + 64 + stored)

    def text(self, number):
        return self.strings.get(number, f"string #{number}")

    def read_table(self, chunk):
        payload, at, count = chunk.payload, 0, 0
        while len(payload) - at >= 8:
            size, tag = struct.unpack_from("<IH", payload, at)
            if size == 0:
                break
            if size % 8 or size < 8 or at + size > len(payload):
                self.problems["bad_entry"] += 1
                return
            self.read_entry(tag, payload[at + 8:at + size])
            at += size
            count += 1
        if not chunk.flags & EVENTS_FLAG_OPEN and count != chunk.count:
            self.problems["count of entries"] += 1

    def read_entry(self, tag, body):
        if tag == 1:
            key, value = struct.unpack_from("<II", body)
            self.facts[body[8:8 + key].decode()] = body[8 + key:8 + key + value].decode()
        elif tag == 2:
            number, length = struct.unpack_from("<II", body)
            text = body[8:8 + length].decode(errors="replace")
            if self.strings.setdefault(number, text) != text:
                self.problems["duplicate_id"] += 1
        elif tag == 3:
            number, *values = struct.unpack_from("<7I", body)
            if any(value not in self.strings for value in values[:3]):
                self.problems["string of a site is not defined"] += 1
            site = Site(*(self.text(value) for value in values[:3]), *values[3:])
            if self.sites.setdefault(number, site) != site:
                self.problems["duplicate_id"] += 1
        elif tag == 4:
            stream, name, tid, first, last, total, dropped, flags = struct.unpack_from("<IIQQQQQI", body)
            thread = self.threads.setdefault(stream, Thread(stream))
            thread.name, thread.tid, thread.first, thread.last = self.text(name), tid, first, last
            thread.total, thread.dropped, thread.flags = total, dropped, flags
        elif tag == 5:
            clock = Clock(*struct.unpack_from("<QqqI", body))
            if self.clocks and (clock.tick <= self.clocks[-1].tick or clock.mono < self.clocks[-1].mono):
                self.problems["bad_clock"] += 1
            self.clocks.append(clock)
        elif tag == 6:
            values = struct.unpack_from("<IIQQQQQIBB", body)
            self.segments.append(Segment(*values[:7], self.text(values[7]), values[8], body[56:56 + values[9]]))
        elif tag == 11:
            self.finished = True
        else:
            self.problems["unknown_entry"] += 1

    def read_thread(self, thread):
        thread.chunks.sort(key=lambda chunk: chunk.sequence)
        sequences = [chunk.sequence for chunk in thread.chunks]
        if len(set(sequences)) != len(sequences):
            self.problems["duplicate_chunk"] += 1
        expected = 0
        for chunk in thread.chunks:
            if chunk.ordinal > expected:
                thread.lost += chunk.ordinal - expected
                thread.gaps.append(len(thread.records))
            elif chunk.ordinal < expected:
                self.problems["ordinal below what is expected"] += 1
            slots = list(unpack_records(chunk)) if chunk.kind == 3 else list(plain_slots(chunk.payload))
            found = self.read_slots(thread, slots, bool(chunk.flags & EVENTS_FLAG_OPEN))
            closed = not chunk.flags & EVENTS_FLAG_OPEN and not chunk.cut
            if closed and found != chunk.count:
                self.problems["count of records"] += 1
            expected = chunk.ordinal + found
        if thread.total > expected:
            thread.lost += thread.total - expected
            thread.gaps.append(len(thread.records))
        if thread.lost:
            self.problems["lost"] += 1

    def read_slots(self, thread, slots, is_open):
        used = len(slots)
        while used and not slots[used - 1][3]:
            used -= 1
        at, found, record = 0, 0, thread.records[-1] if thread.records else None
        while at < used:
            tick, site, aux, kind = slots[at]
            at += 1
            if kind == 0:
                thread.torn += 1
                self.problems["torn"] += 1
                continue
            found += 1
            if kind < 64:
                if kind not in KINDS:
                    self.problems["unknown_record"] += 1
                    continue
                record = Record(tick, kind, site, aux)
                if kind in NEED_VALUE:
                    if at < used and slots[at][3] == VALUE:
                        record.value = slots[at][0]
                        at += 1
                        found += 1
                    else:
                        self.problems["bad_record"] += 1
                        continue
                thread.records.append(record)
            elif kind in (ARG, STACK):
                need = 0 if aux <= 8 else (aux - 8 + 13) // 14
                data = struct.pack("<Q", tick)[:aux]
                conts = slots[at:at + need]
                if len(conts) < need or any(slot[3] != CONT for slot in conts):
                    self.problems["bad_record"] += 1
                    continue
                for low, site_word, aux_word, _ in conts:
                    data += struct.pack("<QIH", low, site_word, aux_word)
                at += need
                found += need
                data = data[:aux]
                if record is None:
                    self.problems["stray_attachment"] += 1
                elif kind == ARG:
                    record.args = [*record.args, (self.text(site & 0xffffff), argument(site >> 24, data))]
                else:
                    record.stacks = [*record.stacks, (site & 255, struct.unpack(f"<{len(data) // 8}Q", data))]
            elif kind == CLASS and record:
                record.classes = [*record.classes, site]
            elif kind not in (CONT, VALUE, CLASS):
                self.problems["unknown_record"] += 1
            else:
                self.problems["attachment that nothing asked for"] += 1
        thread.slots += found
        return found

    def name_of(self, record):
        if record.site not in self.sites:
            self.problems["unknown_name"] += 1
            return f"site #{record.site}"
        return self.sites[record.site].name

    def calls(self, thread):
        """Names of the calls of a thread in order of their begins, as (depth, name, record, end or None)."""
        calls, stack = [], []
        resumed = {i for i, record in enumerate(thread.records) if record.kind == 12}
        for index, record in enumerate(thread.records):
            if index in thread.gaps or index in resumed:
                stack.clear()
            if record.kind in (1, 5, 7):
                key = {1: "site", 5: "address", 7: "method"}[record.kind], record.site, record.aux
                name = self.name_of(record) if record.kind == 1 else hex(record.address())
                calls.append([len(stack), name, record, None])
                stack.append((key, calls[-1]))
            elif record.kind in (2, 6, 8):
                key = {2: "site", 6: "address", 8: "method"}[record.kind], record.site, record.aux
                if not stack:
                    self.problems["stray_end"] += 1
                elif record.site == 0 and record.aux == 0:
                    stack.pop()[1][3] = record
                elif any(open_key == key for open_key, _ in stack):
                    while stack[-1][0] != key:
                        stack.pop()[1][3] = record
                        self.problems["unwound"] += 1
                    stack.pop()[1][3] = record
                else:
                    self.problems["stray_end"] += 1
        return calls

    def name_counts(self):
        return collections.Counter(call[1] for thread in self.threads.values() for call in self.calls(thread))

    def ns(self, tick):
        first, last = self.clocks[0], self.clocks[-1]
        if self.flags & 1 or len(self.clocks) < 2:
            return first.mono + (tick - first.tick) * self.num // self.den
        return first.mono + (tick - first.tick) * (last.mono - first.mono) // (last.tick - first.tick)


def argument(kind, data):
    if kind == ARG_TEXT:
        return data.decode(errors="replace")
    value = int.from_bytes(data, "little")
    if kind == ARG_I64:
        return int.from_bytes(data, "little", signed=True)
    if kind == ARG_F64:
        return struct.unpack("<d", data)[0]
    return bool(value) if kind == ARG_BOOL else value


def plain_slots(payload):
    return struct.iter_unpack("<QIHH", payload[:len(payload) // 16 * 16])


def unpack_records(chunk):
    data, at, tick = chunk.payload, 0, chunk.first

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        v = number()
        form, distance = v & 7, v >> 3
        if form == 0:
            yield struct.unpack_from("<QIHH", data, at)
            at += 16
        elif form == 6:
            tick -= distance
        elif form == 5:
            tick += distance
            kind, site, aux = number(), number(), number()
            yield tick, site, aux, kind
        else:
            tick += distance
            kind = {1: 1, 2: 2, 3: 2, 4: 3}[form]
            yield tick, 0 if form == 2 else number(), 0, kind


def unpack_lz4(frame):
    """One frame: sizes and checksums of its header are stepped over, blocks unpacked."""
    assert frame[:4] == b"\x04\x22\x4d\x18"
    flags = frame[4]
    at = 6 + (8 if flags & 8 else 0) + 1
    out = bytearray()
    while True:
        size, = struct.unpack_from("<I", frame, at)
        at += 4
        if size == 0:
            return bytes(out)
        block = frame[at:at + (size & 0x7fffffff)]
        at += (size & 0x7fffffff) + (4 if flags & 16 else 0)
        if size & 0x80000000:
            out += block
        else:
            unpack_block(block, out)


def unpack_block(block, out):
    at = 0

    def more(length):
        nonlocal at
        if length == 15:
            while True:
                length += block[at]
                at += 1
                if block[at - 1] != 255:
                    break
        return length

    while at < len(block):
        token = block[at]
        at += 1
        literals = more(token >> 4)
        out += block[at:at + literals]
        at += literals
        if at >= len(block):
            return
        distance = block[at] | block[at + 1] << 8
        at += 2
        length = more(token & 15) + 4
        for _ in range(length):
            out.append(out[-distance])


def read(path):
    return Recording(pathlib.Path(path).read_bytes())


def main(path):
    recording = read(path)
    for key, value in recording.facts.items():
        print(f"{key}: {value}")
    for thread in recording.threads.values():
        print(f"thread {thread.stream} {thread.tid} {thread.name!r}: {thread.slots} slots in {len(thread.chunks)} chunks, "
              f"lost {thread.lost}, dropped {thread.dropped}, flags {thread.flags}")
    print(dict(recording.name_counts().most_common(20)))
    print(f"{len(recording.sites)} sites, {len(recording.strings)} strings, {len(recording.clocks)} clocks, "
          f"{len(recording.segments)} segments, problems {dict(recording.problems)}")


if __name__ == "__main__":
    main(sys.argv[1])
