#!/usr/bin/env python3
"""Writes the golden inputs of the Flow format beside itself: CASE/input (a folder) or CASE/input.*. Standard library only."""
import pathlib

HERE = pathlib.Path(__file__).parent


def leb(value):
    out = bytearray()
    while value > 127:
        out.append(0x80 | value & 127)
        value >>= 7
    return bytes(out + bytes([value]))


def event(kind, value):
    more = value >> 6
    return bytes([kind | (0x40 if more else 0) | value & 63]) + (leb(more) if more else b"")


def enter(method):
    return event(0x80, method)


def exits(count):
    return event(0, count - 1)


def old(opcode, value, *rest):
    more = value >> 5
    return bytes([opcode | (0x20 if more else 0) | value & 31]) + (leb(more) if more else b"") + b"".join(rest)


def text(name):
    return leb(len(name.encode())) + name.encode()


def write(case, files):
    """`files`: bytes of one input, or a folder's."""
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    if isinstance(files, bytes):
        (folder / "input.bin").write_bytes(files)
        return
    (folder / "input").mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / "input" / name).write_bytes(content if isinstance(content, bytes) else content.encode())


# The whole-file example of the specification: 17 calls of depth 5.
EXAMPLE = bytes.fromhex("838081808101820281808101820182008200820084848402" "8201")
SMALL_IDS = """demo.Small#main([Ljava/lang/String;)V=3
demo.Small#a(I)I=0
demo.Small#b(I)I=1
demo.Small#c()I=2
demo.Small#t(I)V=4
"""
write("example", {"thread-1.flow": EXAMPLE, "ids.properties": SMALL_IDS})

# Lanes by number, one without a byte, binary and JSON side by side, two that claim one number.
write("folder", {
    "ids.properties": SMALL_IDS,
    "thread-10.flow": enter(3) + enter(0) + exits(2),
    "thread-9.flow": b"",
    "thread-2.jsonl": '{"e":"enter","method":3}\n{"e":"enter","method":"4"}\n{"e":"exit"}\n{"e":"exit"}\n',
    "thread-10.jsonl": '{"e":"enter","method":1}\n{"e":"exit"}\n',
    "notes.txt": "nothing of the agent's",
})

# Ids of every size, runs of exits around the borders of the encoding.
BIG = [63, 64, 300, 8191, 8192, (1 << 32) - 1, 1 << 32, (1 << 40) + 1, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
write("big_ids", {
    "thread-1.flow": b"".join(enter(i) for i in BIG) + exits(len(BIG))
    + b"".join(enter(7) for _ in range(65)) + exits(65) + b"".join(enter(7) for _ in range(64)) + exits(64)
    + enter(7) + exits(1),
    "ids.properties": "".join(f"big.Ids#m{n}()V={i if i < 1 << 63 else i - (1 << 64)}\n" for n, i in enumerate(BIG) if n != 2),
})

# Keys: the last '=' splits, no escapes, any script, CRLF, blanks and comments, no last line end.
write("keys", {
    "thread-1.flow": b"".join(enter(i) + exits(1) for i in range(12)),
    "ids.properties": b"\r\n# a comment\na.B#x=y(I)V=0\r\n"
    + "odd.ЖUnicode#café(I[Ljava/lang/String;)V=1\n".encode()
    + "odd.Ж$名前#größe(Ljava/util/Map$Entry;[[J)Lodd/Ж;=2\n".encode()
    + b"# key with a comment sign#m()V=3\nno id here\n  spaced.Name # run ()V=4\n"
    + b"first.Of#two()V=5\nsecond.Of#two()V=5\nsame.Key#k()V=6\nsame.Key#k()V=7\nmethod #11=8\n"
    + b"demo.Workers$Box$1#kind()Ljava/lang/String;=9\nodd\xff#bytes()Q=10",
})

# Exits with nothing open, unclosed calls, an event cut in half; beside a thread that tells what it is.
write("unbalanced", {"thread-1.flow": EXAMPLE, "thread-7.flow": enter(0) + exits(3) + enter(1) + enter(2) + exits(1) + exits(1) + exits(1)
                     + enter(3) + enter(4) + b"\xc0\x80"})
# More than 64 bits: what lies before is kept.
write("overlong", {"thread-1.flow": EXAMPLE, "thread-7.flow": enter(0) + enter(1) + exits(1) + b"\xc0" + b"\x80" * 9 + b"\x01" + enter(2)})

write("json_lines", b'{"e":"enter","method":3}\n{"e":"enter","method":"18446744073709551615"}\r\n{ "method" : 7, "e":"enter", "more": {"a":[1,2]} }\n'
      b'\n{"e":"exit"}\n{"e":"leave"}\nno json\n{"e":"exit"}\n{"e":"exit"}\n{"e":"exit"}\n{"e":"enter","method":9}\n{"e":"ente')
write("json_with_threads", b'{"e":"enter","tid":1,"id":1,"method":"demo.Small#main([Ljava/lang/String;"}\n'
      b'{"e":"enter","tid":12,"id":2,"method":"demo.Small#\\u0061(I"}\n{"e":"exit","tid":1}\n'
      b'{"e":"enter","tid":12,"id":3,"method":"demo.Small#b(I"}\n{"e":"exit","tid":12}\n')

MAIN, A, B = (text(f"demo.Small#{name}") for name in ("main([Ljava/lang/String;", "a(I", "b(I"))
write("old_invocation_ids", b"\x01" + old(0xC0, 1, MAIN) + old(0xC0, 2, A) + old(0xC0, 3, B) + old(0x40, 4, leb(2))
      + old(0x40, 5, leb(3)) + old(0x80, 1) + b"".join(old(0x40, 6 + i, leb(3)) + old(0x80, 0) for i in range(40)) + old(0x80, 2))
write("old_name_ids", b"\x01" + old(0xC0, 1, MAIN) + old(0xC0, 2, A) + old(0xC0, 3, B) + old(0x40, 2)
      + old(0x40, 3) + old(0x80, 1) + old(0x40, 3) + old(0x80, 40))
write("old_threads", b"\x02" + old(0xC0, 1, MAIN, leb(1)) + old(0xC0, 2, A, leb(300)) + old(0x80, 0, leb(1))
      + old(0x40, 2, leb(300)) + old(0x80, 0, leb(300)))
# Two threads wrote at once: ends at the first event that cannot be.
write("old_torn", b"\x01" + old(0xC0, 1, MAIN) + old(0xC0, 2, A) + old(0x80, 0) + old(0x40, 9) + old(0xC0, 3, B))
