# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The tables of doc/programs.md that tests have: each row stands in the script that shows it.

tests/rig/tool-rows.sh says what a row is, and compares them with what the script has run.
"""
import os
import re

from tables import Missing, read

DOCUMENT = "doc/programs.md"
FOLDERS = "stock", "harness"
NAMES = ("agents", "common", "fabric", "functions", "gsi", "kernel", "kubernetes", "performance", "ports", "registers",
         "routes", "subnet", "verbs")

# What "tool_rows NAME" reads.
BLOCK = re.compile(r"^\s*tool_rows (\w+) <<'END'\n(.*?)^END$", re.M | re.S)


def rows(top, table):
    """[programs, what each simulator does ..., script and point] of each row: those of a program beside each other, in
    the order of FOLDERS and names."""
    of_program = {}
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(top, "tests", folder))):
            if not name.endswith(".sh"):
                continue
            for of, text in BLOCK.findall(read(os.path.join(top, "tests", folder, name))):
                for line in text.splitlines() if of == table else ():
                    *fields, point = line.split(" | ")
                    if len(fields) not in (2, 3):
                        raise Missing("tests/%s/%s: a row of '%s' has three fields, or with ibsim's four: %s" %
                                      (folder, name, table, line))
                    program = re.match(r"[^ ,]*", line).group()
                    of_program.setdefault(program, []).append(fields + ["%s/%s: %s" % (folder, name, point)])
    return [row for of_one in of_program.values() for row in of_one]


def table(name):
    def made(known):
        found = rows(known.top, name)
        if not found:
            raise Missing("%s: no test has rows of the table '%s'" % (DOCUMENT, name))
        if len({len(row) for row in found}) > 1:
            raise Missing("%s: all rows of the table '%s' say what ibsim does, or none" % (DOCUMENT, name))
        head = "| program, options | %sumadrig | test, and its point |" % ("ibsim | " if len(found[0]) == 4 else "")
        return [head, "|" + "---|" * len(found[0]), *("| %s |" % " | ".join(row) for row in found)]
    return made


MAKERS = {DOCUMENT: {"tools " + name: table(name) for name in NAMES}}
