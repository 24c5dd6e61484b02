# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The tables of doc/programs.md that tests have: each row stands in the script that shows it.

tests/rig/tool-rows.sh says what a row is, and compares them with what the script has run.
"""
import os
import re

from tables import Missing, read

DOCUMENT = "doc/programs.md"
FOLDERS = "stock", "harness"

# What "tool_rows NAME" reads.
BLOCK = re.compile(r"^\s*tool_rows (\w+) <<'END'\n(.*?)^END$", re.M | re.S)


def rows(top, table):
    """(programs, result, script, point) of each row, in the order of FOLDERS and names."""
    found = []
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(top, "tests", folder))):
            if not name.endswith(".sh"):
                continue
            for of, text in BLOCK.findall(read(os.path.join(top, "tests", folder, name))):
                for line in text.splitlines() if of == table else ():
                    fields = line.split(" | ")
                    if len(fields) != 3:
                        raise Missing("tests/%s/%s: a row of '%s' has three fields: %s" % (folder, name, table, line))
                    found.append((fields[0], fields[1], "%s/%s" % (folder, name), fields[2]))
    return found


def table(name):
    def made(known):
        found = rows(known.top, name)
        if not found:
            raise Missing("%s: no test has rows of the table '%s'" % (DOCUMENT, name))
        return ["| program, options | umadrig | test, and its point |", "|---|---|---|",
                *("| %s | %s | %s: %s |" % row for row in found)]
    return made


MAKERS = {DOCUMENT: {"tools " + name: table(name) for name in ("agents", "functions", "kernel", "registers", "verbs")}}
