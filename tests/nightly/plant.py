#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Bugs that are planted into OpenSM: the patches of a directory.

    plant.py list DIR                  NAME and plan of each, a line each
    plant.py check DIR PLANS TABLE     what is wrong with the patches, or with the table of them
    plant.py match PATCH TEXT          whether TEXT has the patch's signature
    plant.py write TABLE ROWS          puts the rows into the table

A patch begins with what it is: a line each of Breaks (in words), Plan (a file of tests/nightly
that finds it) and Signature (a regular expression, Python's, found in what tests/nightly/judge.py
says of the failure). TABLE is a page that has a row for each:
| NAME | Breaks | Plan | failure | runs |. Exit status: 1 if something is wrong or does not match,
2 if a patch cannot be read.
"""
import glob
import os
import re
import sys

FIELDS = ("Breaks", "Plan", "Signature")
ROW = re.compile(r"^\| ([\w-]+) \| (.*) \| ([\w-]+) \| `(.*)` \| (\d+) \|$")
MOST_RUNS = 1000


class Wrong(Exception):
    """What is wrong with a patch."""


def read_patch(path):
    """The fields of the patch, and "diff", the lines below them."""
    with open(path, encoding="utf-8") as file:
        head, _, diff = file.read().partition("\n\n")
    patch = {"Name": os.path.basename(path)[:-len(".patch")], "diff": diff.split("\n")}
    for number, line in enumerate(head.split("\n"), 1):
        field, _, value = line.partition(": ")
        if line.startswith("#"):
            continue
        if field not in FIELDS or field in patch or not value:
            raise Wrong("%s:%d: expected one each of %s, not '%s'" %
                        (path, number, ", ".join(FIELDS), line))
        patch[field] = value
    missing = [field for field in FIELDS if field not in patch]
    if missing:
        raise Wrong("%s:1: expected %s, too" % (path, " and ".join(missing)))
    try:
        patch["Signature"] = re.compile(patch["Signature"])
    except re.error as error:
        raise Wrong("%s: Signature: %s" % (path, error)) from error
    return patch


def read_patches(directory):
    return [read_patch(path) for path in sorted(glob.glob(os.path.join(directory, "*.patch")))]


def read_rows(table):
    """Name: (Breaks, Plan, failure, runs) of each row of the page."""
    with open(table, encoding="utf-8") as file:
        rows = [ROW.match(line) for line in file.read().split("\n")]
    return {row.group(1): row.groups()[1:] for row in rows if row}


def mistakes_of(patch, plans, rows):
    name, diff = patch["Name"], patch["diff"]
    if not os.path.exists(os.path.join(plans, patch["Plan"] + ".plan")):
        yield "%s: there is no plan %s" % (name, patch["Plan"])
    if sum(line.startswith(" ") for line in diff) > 2 * sum(line.startswith("@@") for line in diff):
        yield "%s: more than one line of context" % name
    if not any(line.startswith("+++ b/") for line in diff):
        yield "%s: no unified diff" % name
    row = rows.pop(name, None)
    if not row:
        yield "%s: no row in the table" % name
        return
    breaks, plan, failure, runs = row
    if (breaks, plan) != (patch["Breaks"], patch["Plan"]):
        yield "%s: the table has '%s', by %s" % (name, breaks, plan)
    if not patch["Signature"].search(failure):
        yield "%s: the table's failure is not like its signature" % name
    if not 0 < int(runs) <= MOST_RUNS:
        yield "%s: %s runs" % (name, runs)


def check(directory, plans, table):
    rows, wrong = read_rows(table), []
    for patch in read_patches(directory):
        wrong += mistakes_of(patch, plans, rows)
    wrong += ["%s: a row without a patch" % name for name in sorted(rows)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


def write(table, rows_path):
    with open(rows_path, encoding="utf-8") as file:
        new = {line.split(" | ")[0]: line for line in file.read().split("\n") if ROW.match(line)}
    with open(table, encoding="utf-8") as file:
        lines = file.read().split("\n")
    old = {line.split(" | ")[0]: line for line in lines if ROW.match(line)}
    begin = lines.index("|---|---|---|---|---|") + 1
    rest = [line for line in lines[begin:] if not ROW.match(line)]
    old.update(new)
    with open(table, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:begin] + [old[name] for name in sorted(old)] + rest))
    return 0


def main():
    verb, *words = sys.argv[1:]
    try:
        if verb == "list":
            for patch in read_patches(words[0]):
                print(patch["Name"], patch["Plan"])
            return 0
        if verb == "check":
            return check(*words)
        if verb == "match":
            return 0 if read_patch(words[0])["Signature"].search(words[1]) else 1
        if verb == "write":
            return write(*words)
    except Wrong as error:
        print(error, file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main())
