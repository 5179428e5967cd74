#!/usr/bin/env python3
"""Says where two programs answer differently about the same traces: same_answers.py PROGRAM OTHER FILE…

Each is asked for `info --json`, `tree` and `stats --json` of each file, and is to print the same bytes (but for what `info`
measures) and end with the same status. Sentences on standard error may name a system's own words, so they are not compared."""
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

QUESTIONS = (("info", "--json", "--names", "0"), ("tree",), ("stats", "--json"))
PATIENCE_S = 300  # for one answer


def answer(program, question, file):
    done = subprocess.run([program, question[0], file, *question[1:]], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=PATIENCE_S)
    if question[0] == "info" and done.returncode == 0:
        facts = json.loads(done.stdout)
        del facts["load"]  # how long it took, and in how much memory
        return 0, json.dumps(facts, indent=1).encode()
    return done.returncode, done.stdout


def first_difference(a, b):
    for ours, theirs in zip(a.splitlines(), b.splitlines()):
        if ours != theirs:
            return f"{ours[:200]!r}, the other {theirs[:200]!r}"
    return f"{len(a)} bytes, the other {len(b)}"


def difference(program, other, file, question):
    """What differs, as a sentence; None if nothing does."""
    ours, theirs = answer(program, question, file), answer(other, question, file)
    if ours == theirs:
        return None
    what = f"status {ours[0]}, the other {theirs[0]}" if ours[0] != theirs[0] else first_difference(ours[1], theirs[1])
    return f"{' '.join(question)} {file}: {what}"


def main():
    program, other, *files = sys.argv[1:]
    asked = list(itertools.product(files, QUESTIONS))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        found = list(workers.map(lambda pair: difference(program, other, *pair), asked))
    wrong = [sentence for sentence in found if sentence]
    print("\n".join([*wrong, f"{len(asked) - len(wrong)} passed, {len(wrong)} failed"]))
    return 1 if wrong or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
