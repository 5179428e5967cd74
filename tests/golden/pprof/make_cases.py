#!/usr/bin/env python3
"""Writes the golden inputs of pprof beside itself: CASE/input.pb. Standard library only."""
import gzip
import pathlib

HERE = pathlib.Path(__file__).parent


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def packed(field, values):
    return message(field, *(varint(value) for value in values))


class Profile:
    def __init__(self, *types, strings_first=False):
        self.texts, self.body, self.strings_first = [""], b"", strings_first
        for type, unit in types:
            self.add(message(1, number(1, self.text(type)), number(2, self.text(unit))))

    def text(self, value):
        if value not in self.texts:
            self.texts.append(value)
        return self.texts.index(value)

    def add(self, *parts):
        self.body += b"".join(parts)
        return self

    def mapping(self, id, file, build_id="", start=0x1000, limit=0x9000):
        return self.add(message(3, number(1, id), number(2, start), number(3, limit), number(5, self.text(file)),
                                number(6, self.text(build_id))))

    def function(self, id, name, system="", file=""):
        return self.add(message(5, number(1, id), number(2, self.text(name)), number(3, self.text(system)),
                                number(4, self.text(file))))

    def location(self, id, *lines, mapping=0, address=0):
        return self.add(message(4, number(1, id), number(2, mapping), number(3, address),
                                *(message(4, number(1, function), number(2, line)) for function, line in lines)))

    def sample(self, locations, values, labels=(), unpacked=False):
        ids = b"".join(number(1, id) for id in locations) if unpacked else packed(1, locations)
        amounts = b"".join(number(2, value) for value in values) if unpacked else packed(2, values)
        notes = []
        for key, value in labels:
            if isinstance(value, str):
                notes.append(message(3, number(1, self.text(key)), number(2, self.text(value))))
            else:
                notes.append(message(3, number(1, self.text(key)), number(3, value[0]), number(4, self.text(value[1]))))
        return self.add(message(2, ids, amounts, *notes))

    def bytes(self):
        strings = b"".join(message(6, text.encode()) for text in self.texts)
        return strings + self.body if self.strings_first else self.body + strings


def shop(*types, **more):
    profile = Profile(*(types or [("samples", "count"), ("cpu", "nanoseconds")]), **more)
    profile.mapping(1, "/usr/bin/shop", "abc123").mapping(2, "/lib/libc.so.6")
    for id, name, file in ((1, "main", "main.c"), (2, "serve", "serve.c"), (3, "parse", "parse.c"), (4, "read", "")):
        profile.function(id, name, "", file)
    profile.location(1, (1, 10), mapping=1, address=0x1010)
    profile.location(2, (3, 33), (2, 20), mapping=1, address=0x1020)
    profile.location(3, (4, 0), mapping=2, address=0x2030)
    return profile


def usual(**more):
    return shop(**more).sample([3, 2, 1], [2, 20]).sample([2, 1], [1, 10]).sample([1], [1, 10])


CASES = {
    "plain": usual().bytes(),
    "strings_first": usual(strings_first=True).bytes(),
    "unpacked": shop().sample([3, 2, 1], [2, 20], unpacked=True).sample([1], [1, 10]).bytes(),
    "default_type": usual().add(number(14, 1)).bytes(),
    "labels": shop().sample([3, 1], [2, 20], [("thread", "a"), ("bytes", (64, "bytes"))])
                    .sample([1], [1, 10], [("thread", "b")]).sample([3, 1], [3, 30], [("thread", "a")]).bytes(),
    "negative": shop().sample([3, 1], [-2, -20]).sample([1], [1, 10]).sample([2, 1], [1, 15]).bytes(),
    "no_function": shop().location(7, mapping=2, address=0x77).location(8, address=0x88).location(9)
                         .sample([7, 1], [1, 1]).sample([8, 1], [1, 2]).sample([9, 1], [1, 3]).bytes(),
    "system_name": shop().function(5, "", "_ZN3foo3barEv").location(5, (5, 1), address=0x5)
                         .sample([5, 1], [1, 1]).bytes(),
    "large_ids": shop().function(1 << 63, "huge").location((1 << 63) + 1, (1 << 63, 5))
                       .sample([(1 << 63) + 1, 1], [1, 1]).bytes(),
    "empty_stack": shop().sample([], [5, 50]).sample([1], [1, 10]).bytes(),
    "no_value": shop().sample([3, 1], [0, 0]).sample([1], [1, 10]).bytes(),
    "too_few_values": shop().sample([3, 1], [4]).sample([1], [1, 10]).bytes(),
    "missing_parts": shop().location(6, (99, 1), mapping=1, address=0x6).sample([6, 1], [1, 1])
                           .sample([66, 1], [1, 2]).add(message(5, number(1, 8), number(2, 5000)))
                           .location(8, (8, 1), address=0x8).sample([8, 1], [1, 3]).bytes(),
    "unknown_fields": usual().add(number(20, 7), message(25, b"later")).bytes(),
    "notes": usual().add(number(9, 1700000000123456789), number(10, 2500000000), number(12, 10000000)).bytes(),
    "cut_before_strings": usual().body + b"\x32\x7f",
}
CASES["mapping_names"] = (
    shop().mapping(3, "").mapping(4, "[vdso]").mapping(5, "C:\\bin\\app.exe").mapping(6, "/lib/libc.so.6")
    .location(10, mapping=3, address=0xabc).location(11, mapping=4, address=1).location(12, mapping=5, address=2).location(13, mapping=6, address=3)
    .location(14, mapping=2, address=4).location(15, mapping=77, address=5).location(16, (9, 1), mapping=1, address=6).function(9, "", "", "x.c")
    .location(17, (1, 10), (99, 4), mapping=1, address=7)
    .sample([10, 1], [1, 1]).sample([11, 1], [1, 2]).sample([12, 1], [1, 3]).sample([13, 1], [1, 4]).sample([14, 1], [1, 5]).sample([15, 1], [1, 6])
    .sample([16, 1], [1, 7]).sample([17, 1], [1, 8]).bytes())
first = shop().location(10, mapping=77, address=5).sample([10, 1], [1, 1])
first.texts[0] = "first"  # which is to be empty
CASES["first_text"] = first.bytes()
CASES["same_function_twice"] = (
    shop().function(20, "main", "", "main.c").function(21, "main", "", "other.c").function(22, "main", "_main", "main.c")
    .location(20, (20, 1)).location(21, (21, 1)).location(22, (22, 1)).sample([20], [1, 10]).sample([1], [1, 10]).sample([21], [1, 5]).sample([22], [1, 4])
    .bytes())
CASES["types_without_words"] = shop(("", ""), ("cpu", ""), ("", "bytes")).sample([1], [1, 2, 3]).bytes()
more = shop(("a", "count"), ("b", "count"))
more.sample([1], [1, 2], [("k", "v%d" % (i % 12)) for i in range(30)]).sample([2, 1], [1, 3, 4, 5], [("k", (0, "")), ("", "no key"), ("k", (-7, "ms"))])
CASES["labels_many"] = more.bytes()
ties = shop(("space", "bytes"))
ties.function(30, "(anonymous namespace)::alloc(int)").function(31, ".entry(x)").function(32, "S::operator()(int) const").function(33, "wrap")
ties.location(30, (30, 1)).location(31, (31, 1)).location(32, (32, 1)).location(33, (30, 2), (33, 1)).location(34, (33, 1), (30, 2))
ties.add(number(7, ties.text(r"\(anonymous namespace\)::alloc|entry|S::operator\(\)")))
ties.sample([30, 33, 31, 1], [1]).sample([2, 34, 1], [2]).sample([32, 32, 2], [4]).sample([2, 33, 30], [8]).sample([30], [16])
CASES["drop_frames_names"] = ties.bytes()
# Behind what tells the format.
CASES["wire_types"] = usual().add(message(25, bytes(5000)), varint(2 << 3) + varint(7), varint(9 << 3 | 2) + varint(1) + b"x", message(2, message(1, b"\x80")),
                                  message(4, number(1, 40), message(1, b"zz"), varint(6 << 3 | 5) + b"abcd"), message(13, varint(1) + varint(2)), number(13, 3)).bytes()
drop = shop(("space", "bytes"))
drop.function(6, "operator new(unsigned long)").function(7, "tcmalloc::allocate").function(8, "keep_alloc")
drop.location(6, (6, 1)).location(7, (7, 1)).location(8, (8, 1)).location(9, (7, 1), (3, 5))
drop.add(number(7, drop.text("operator new|tcmalloc::.*|keep_.*")), number(8, drop.text("keep_.*")))
drop.sample([7, 6, 1], [8]).sample([8, 1], [4]).sample([7, 6], [2]).sample([9, 1], [1])
CASES["drop_frames"] = drop.bytes()
bad = usual()
CASES["bad_pattern"] = bad.add(number(7, bad.text("(("))).bytes()

for case, content in CASES.items():
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input.pb").write_bytes(content)
folder = HERE / "gzip_cut"
folder.mkdir(exist_ok=True)
(folder / "input.pb.gz").write_bytes(gzip.compress(usual().bytes(), mtime=0)[:-30])
