"""Reads the PNG files that this project and librsvg write: 8 bits a channel, RGB or RGBA, not interlaced."""
import struct
import zlib


def pixels_of(content):
    """(width, height, channels, rows of bytes)."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed = 8, []
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert bits == 8 and colour in (2, 6) and interlaced == 0, (bits, colour, interlaced)
        elif kind == b"IDAT":
            packed.append(body)
        at += size + 12
    channels = 3 if colour == 2 else 4
    data, stride, rows = zlib.decompress(b"".join(packed)), width * channels, []
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(data[start], data[start + 1:start + 1 + stride], above, channels)
        rows.append(above)
    return width, height, channels, rows


def unfiltered(kind, row, above, channels):
    if kind == 0:
        return row
    if kind == 2:
        return bytes(map(lambda a, b: (a + b) & 255, row, above))
    out = bytearray(row)
    if kind == 1:
        for i in range(channels, len(out)):
            out[i] = (out[i] + out[i - channels]) & 255
    elif kind == 3:
        for i, up in enumerate(above):
            left = out[i - channels] if i >= channels else 0
            out[i] = (out[i] + (left + up) // 2) & 255
    else:
        for i, up in enumerate(above):
            left, corner = (out[i - channels], above[i - channels]) if i >= channels else (0, 0)
            guess = left + up - corner
            by_left, by_up, by_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
            best = left if by_left <= by_up and by_left <= by_corner else up if by_up <= by_corner else corner
            out[i] = (out[i] + best) & 255
    return bytes(out)


def share_that_differs(first, second, at_least):
    """Of the pixels, how many have a channel (but for opacity) that is off by more."""
    width, height, channels, rows = pixels_of(first)
    other_width, other_height, other_channels, other_rows = pixels_of(second)
    assert (width, height) == (other_width, other_height), (width, height, other_width, other_height)
    count = 0
    for row, other in zip(rows, other_rows):
        if channels == other_channels and row == other:
            continue
        off = [False] * width
        for channel in range(3):
            differs = map(lambda a, b: abs(a - b) > at_least, row[channel::channels], other[channel::other_channels])
            off = list(map(lambda a, b: a or b, off, differs))
        count += sum(off)
    return count / (width * height)
