#!/usr/bin/env python3
"""Draws the program's icon: calls under a scope. Writes cinderscope.svg, cinderscope.png and
the sizes that desktops ask for, icons/SIZExSIZE.png, here; and all of them in cinderscope.ico, for Windows.

    draw_icon.py [FOLDER]"""
import math
import os
import struct
import sys
import zlib

SIZE = 128
SIZES = (16, 24, 32, 48, 64, 256)  # beside it
# Rounded rectangles: x, y, width, height, radius, colour.
BOXES = [
    (4, 4, 120, 120, 26, "#181b20"),
    (22, 24, 84, 16, 2, "#4ba3b7"),
    (22, 44, 50, 16, 2, "#7fb083"),
    (76, 44, 30, 16, 2, "#7f9ddb"),
    (22, 64, 36, 16, 2, "#b09a54"),
    (22, 84, 24, 16, 2, "#c9808f"),
]
LENS = (80, 82, 21)  # centre and radius of the glass
RING, GLASS, ACCENT = 7, "#20242b", "#ff8f3f"
HANDLE = (97, 99, 110, 112)
IN_GLASS = [(69, 74, 22, 6, 1, "#b692d4"), (69, 84, 13, 6, 1, "#7fb083")]


def rgb(colour):
    return tuple(int(colour[i:i + 2], 16) for i in (1, 3, 5))


def in_box(x, y, box):
    left, top, width, height, radius = box[:5]
    dx = max(left + radius - x, x - (left + width - radius), 0)
    dy = max(top + radius - y, y - (top + height - radius), 0)
    return left <= x <= left + width and top <= y <= top + height and dx * dx + dy * dy <= radius * radius


def near_line(x, y, line, reach):
    x0, y0, x1, y1 = line
    part = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2)
    part = min(1, max(0, part))
    return math.hypot(x - x0 - part * (x1 - x0), y - y0 - part * (y1 - y0)) <= reach


def colour_at(x, y):
    """Colour of the topmost shape, or None outside of all."""
    away = math.hypot(x - LENS[0], y - LENS[1])
    if away <= LENS[2] - RING / 2:
        for box in reversed(IN_GLASS):
            if in_box(x, y, box):
                return rgb(box[5])
        return rgb(GLASS)
    if away <= LENS[2] + RING / 2 or near_line(x, y, HANDLE, 4.5):
        return rgb(ACCENT)
    for box in reversed(BOXES):
        if in_box(x, y, box):
            return rgb(box[5])
    return None


def png(size, samples=4):
    rows = b""
    for py in range(size):
        row = b"\0"
        for px in range(size):
            red = green = blue = hits = 0
            for sub in range(samples * samples):
                x = (px + (sub % samples + 0.5) / samples) * SIZE / size
                y = (py + (sub // samples + 0.5) / samples) * SIZE / size
                colour = colour_at(x, y)
                if colour:
                    red, green, blue, hits = red + colour[0], green + colour[1], blue + colour[2], hits + 1
            of = max(hits, 1)
            row += bytes((red // of, green // of, blue // of, 255 * hits // (samples * samples)))
        rows += row
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def svg():
    rect = lambda box: ('  <rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="%s"/>' % box)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}">']
    lines += [rect(box) for box in BOXES]
    lines += [f'  <path d="M{HANDLE[0]} {HANDLE[1]}L{HANDLE[2]} {HANDLE[3]}" stroke="{ACCENT}" stroke-width="9" '
              'stroke-linecap="round"/>',
              f'  <circle cx="{LENS[0]}" cy="{LENS[1]}" r="{LENS[2]}" fill="{GLASS}" stroke="{ACCENT}" '
              f'stroke-width="{RING}"/>']
    lines += [rect(box) for box in IN_GLASS]
    return "\n".join(lines + ["</svg>", ""])


def ico(pictures):
    """Of {side: PNG}; a side of 256 is written as 0."""
    head, at = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for side, bytes_of in pictures.items():
        head += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(bytes_of), at)
        at += len(bytes_of)
    return head + b"".join(pictures.values())


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "cinderscope.svg"), "w", encoding="utf-8") as file:
        file.write(svg())
    with open(os.path.join(folder, "cinderscope.png"), "wb") as file:
        file.write(png(SIZE))
    os.makedirs(os.path.join(folder, "icons"), exist_ok=True)
    pictures = {size: png(size) for size in SIZES}
    for size, picture in pictures.items():
        with open(os.path.join(folder, "icons", f"{size}x{size}.png"), "wb") as file:
            file.write(picture)
    with open(os.path.join(folder, "cinderscope.ico"), "wb") as file:
        file.write(ico(pictures))


main()
