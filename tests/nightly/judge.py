#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Which failures that umadrig explore has found are known ones.

    judge.py KNOWN PLAN FOUND.json UMADRIG

Prints a line for each: "known NAME: COUNT of RUNS runs", or "new: ..." with how to repeat it. Exit
status: 1 if one is new, 2 if KNOWN cannot be understood.
"""
import glob
import json
import os
import re
import subprocess
import sys

NEEDED = {"Name", "Signature", "Cause", "Command"}
PATTERNS = {"Signature", "Log", "Lie"}


def fail(path, line, text):
    print("%s:%d: %s" % (path, line, text), file=sys.stderr)
    sys.exit(2)


def finish(path, line, entry, entries):
    missing = sorted(NEEDED - set(entry))
    if missing:
        fail(path, line, "expected %s in this entry, too" % " and ".join(missing))
    for name in PATTERNS & set(entry):
        try:
            entry[name] = re.compile(entry[name])
        except re.error as error:
            fail(path, line, "%s: %s" % (name, error))
    if any(other["Name"] == entry["Name"] for other in entries):
        fail(path, line, "there is an entry %s already" % entry["Name"])
    entries.append(entry)


def read_known(path):
    """The entries of the file: {"Name": ..., "Signature": pattern, ...}."""
    entries, entry, begin, last = [], {}, 0, None
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines + [""], 1):
        field, colon, value = line.partition(":")
        if line.startswith("#"):
            continue
        if not line.strip():
            if entry:
                finish(path, begin, entry, entries)
            entry, last = {}, None
        elif line.startswith(" ") and last == "Cause":
            entry[last] += line
        elif colon and field in NEEDED | PATTERNS and field not in entry:
            begin = begin if entry else number
            entry[field], last = value.strip(), field
        else:
            fail(path, number, "expected one each of %s, as in 'Name: refused', not '%s'" %
                 (", ".join(sorted(NEEDED | PATTERNS)), line))
    return entries


def text_of_logs(directory):
    for path in sorted(glob.glob(os.path.join(directory, "log*"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            yield from file


def lies_of(umadrig, capture):
    shown = subprocess.run([umadrig, "show", capture], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, universal_newlines=True, errors="replace",
                           check=False)
    return re.findall(r"lie (\S+ \S+ -> \S+)", shown.stdout)


def is_it(entry, plan, failure, umadrig):
    said = "%s: %s; %s" % (plan, failure["message"], failure.get("signature", ""))
    said = said[:-2] if said.endswith("; ") else said
    if not entry["Signature"].search(said):
        return False
    if "Log" in entry and not any(map(entry["Log"].search, text_of_logs(failure["directory"]))):
        return False
    return "Lie" not in entry or any(map(entry["Lie"].search, lies_of(umadrig, failure["capture"])))


def main():
    known_path, plan, found_path, umadrig = sys.argv[1:]
    known = read_known(known_path)
    with open(found_path, encoding="utf-8") as file:
        found = json.load(file)
    runs, new = found["totals"]["runs"], 0
    for failure in found["failures"]:
        names = [entry["Name"] for entry in known if is_it(entry, plan, failure, umadrig)]
        if names:
            print("known %s: %d of %d runs" % (" ".join(names), failure["count"], runs))
            continue
        new += 1
        print("new: %d of %d runs: %s; %s" % (failure["count"], runs, failure["message"],
                                              failure.get("signature", "")))
        print("  repeat: %s" % failure["script"])
    for condition in found.get("never_seen", []):
        new += 1
        print("new: never seen in %d runs: %s" % (runs, condition))
    if found.get("cut_off"):
        new += 1
        print("new: not all runs were done: %s" % found["cut_off"])
    return 1 if new else 0


sys.exit(main())
