#!/usr/bin/env python3
"""Checks the pages: links and paths of files lead somewhere, each room has a README, each picture its script.

    check_docs.py SOURCE_DIR"""
import pathlib
import re
import sys

MOST_README_LINES = 90
MOST_PICTURE_BYTES = 150_000
CODE = ("app", "formats", "ingest", "render")
CODE_PATH = re.compile(r"`((?:%s)/[a-z0-9_/]+\.(?:h|cc))`" % "|".join((*CODE, "tests")))
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")


def pages(root):
    yield root / "README.md"
    for folder in (*CODE, "assets", "docs", "tests"):
        yield from (root / folder).rglob("*.md")


def dead_links(root):
    for page in pages(root):
        for target in LINK.findall(page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: there is no {target}"


def dead_paths(root):
    """Files of code that a page names by their path below the repository's root, `app/main.cc`."""
    for page in pages(root):
        for path in CODE_PATH.findall(page.read_text()):
            if not (root / path).exists():
                yield f"{page.relative_to(root)}: there is no {path}"


def rooms_without_readme(root):
    """A room is a folder right below one of code, and so is a format."""
    for folder in CODE:
        for room in (root / folder, *(root / folder).iterdir()):
            if room.is_dir() and not (room / "README.md").exists():
                yield f"{room.relative_to(root)}: has no README"


def odd_pictures(root):
    for picture in (root / "docs" / "pictures").glob("*.png"):
        if not picture.with_suffix(".play").exists():
            yield f"{picture.relative_to(root)}: no script makes it"
        if picture.stat().st_size > MOST_PICTURE_BYTES:
            yield f"{picture.relative_to(root)}: is larger than {MOST_PICTURE_BYTES} bytes"


def main(root):
    problems = [*dead_links(root), *dead_paths(root), *rooms_without_readme(root), *odd_pictures(root)]
    lines = len((root / "README.md").read_text().splitlines())
    if lines > MOST_README_LINES:
        problems.append(f"README.md: has {lines} lines; {MOST_README_LINES} are enough")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
