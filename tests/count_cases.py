#!/usr/bin/env python3
"""Counts the cases of tests that ctest ran and names those that failed.

    count_cases.py RESULTS...    files of `ctest --output-junit`

Programs of GoogleTest and unittest say how many cases they had; every other test is one. A file that is not
there is a build that failed."""
import os
import re
import sys
import xml.etree.ElementTree


def cases_of(name, good, output):
    """How many cases of a test passed, and the names of those that did not."""
    if ran := re.search(r"^\[=+\] \d+ tests? from .* ran\.", output, re.M):
        passed = re.search(r"^\[  PASSED  \] (\d+) tests?\.", output, re.M)
        failed = re.findall(r"^\[  FAILED  \] (\w\S*?\.\S+?)(?:,|$| )", output[ran.end():], re.M)
        passed = int(passed[1]) if passed else 0
    elif ran := re.search(r"^Ran (\d+) tests? in", output, re.M):
        failed = re.findall(r"^(?:FAIL|ERROR): (\S+)", output, re.M)
        skipped = re.search(r"skipped=(\d+)", output[ran.end():])
        passed = max(0, int(ran[1]) - len(failed) - (int(skipped[1]) if skipped else 0))
    else:  # no such program, or one that did not come to its end
        begun = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
        failed = [] if good else begun[-1:]
        passed = len(re.findall(r"^\[       OK \] ", output, re.M)) if begun else int(good)
    failed = [f"{name}: {case}" for case in dict.fromkeys(failed)]
    return passed, failed or ([] if good else [name])


def main():
    passed, failed = 0, []
    for path in sys.argv[1:]:
        if not os.path.exists(path):
            failed.append(f"the build in {os.path.dirname(path)}")
            continue
        for test in xml.etree.ElementTree.parse(path).iter("testcase"):
            if test.get("status") not in ("run", "fail"):
                continue  # it asked to be skipped
            here, bad = cases_of(test.get("name"), test.get("status") == "run", test.findtext("system-out") or "")
            passed += here
            failed += bad
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed > 0 and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
