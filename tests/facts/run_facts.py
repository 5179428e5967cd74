#!/usr/bin/env python3
"""Compares `cinderscope info` with the facts of real traces, where those lie beside the checkout.

    run_facts.py BINARY SHARED_FOLDER FORMAT

Exits 77 (skipped) when they are not there."""
import os
import subprocess
import sys

binary, shared, name = sys.argv[1:4]
check = os.path.join(shared, "check", "check_facts.py")
folder = os.path.join(shared, "traces", name.removeprefix("google_").replace("_", "-"))
if not os.path.isdir(folder):
    folder = os.path.join(shared, "traces", "profiles", name)
if not (os.path.exists(check) and os.path.isdir(folder)):
    print(f"skipped: no traces with facts at {folder}")
    sys.exit(77)
# Some formats have the facts of each trace in a folder of its own.
inside = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir())
whole = any(os.path.exists(os.path.join(folder, facts)) for facts in ("expected.json", "facts.json"))
folders = [folder] if whole else inside
sys.exit(max(subprocess.call([sys.executable, check, binary, each]) for each in folders))
