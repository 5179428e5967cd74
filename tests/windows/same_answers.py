#!/usr/bin/env python3
"""Says where two programs answer differently about the same traces: same_answers.py PROGRAM OTHER FILE…

Each is asked for `info --json`, `tree` and `stats --json` of each file, and is to print the same bytes and end with the same
status. Sentences on standard error may name a system's own words, so they are not compared."""
import subprocess
import sys

QUESTIONS = (("info", "--json", "--names", "0"), ("tree",), ("stats", "--json"))
PATIENCE_S = 300  # for one answer


def answer(program, question, file):
    done = subprocess.run([program, question[0], file, *question[1:]], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=PATIENCE_S)
    return done.returncode, done.stdout


def first_difference(a, b):
    for ours, theirs in zip(a.splitlines(), b.splitlines()):
        if ours != theirs:
            return f"{ours[:200]!r}, the other {theirs[:200]!r}"
    return f"{len(a)} bytes, the other {len(b)}"


def main():
    program, other, *files = sys.argv[1:]
    wrong = asked = 0
    for file in files:
        for question in QUESTIONS:
            asked += 1
            ours, theirs = answer(program, question, file), answer(other, question, file)
            if ours == theirs:
                continue
            wrong += 1
            what = f"status {ours[0]}, the other {theirs[0]}" if ours[0] != theirs[0] else first_difference(ours[1], theirs[1])
            print(f"{' '.join(question)} {file}: {what}")
    print(f"{asked - wrong} passed, {wrong} failed")
    return 1 if wrong or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
