# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about the lines of a file."""
import os
import re
import subprocess

from tree import KERNEL_CODE

COLUMNS = 100
FUNCTION_LINES = 70
# REUSE-IgnoreStart
SPDX = "SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only"
# REUSE-IgnoreEnd
# Formats without comments, and files whose whole text is printed or compared.
NO_LICENSE_LINE = ("README", "/README", "COPYING", "NEWS", "keep", ".svg", ".txt", ".net", ".json",
                   "malformed-on-purpose", ".in", "debian/changelog", "debian/source/format")
# A spelling, what to write instead, and why.
SPELLINGS = [
    (r"== NULL\b|\bNULL [!=]= ", "!p for a comparison with NULL"),
    # As a value "p != NULL" is a bool; in a condition it is a longer form of p.
    (r"\b(?:if|while) \(.*!= NULL\b|!= NULL (?:&&|\|\||\?)", "p for a comparison with NULL"),
    (r"\b_Bool\b", "bool for _Bool"),
    (r"\b(?:TRUE|FALSE)\b", "true, or false"),
    # GLib's callbacks have gboolean in their types; commands have variables of it for GOption.
    (r"\bgboolean\b(?!.*(?:pointer\b|void \*key))", "bool for gboolean"),
    (r"\bint error\b(?! *\()", "'err' for a negative errno"),
    (r"\bchar (?:err|error|reason)\[", "'message' for a buffer that a message goes to"),
    (r"\bGError \*(?!error\b|\*error\b|\*\*|const\b)\w+", "'error' for a GError"),
    (r"\b(?:u_int|uint|ulong)\b", "a type of <stdint.h>, or unsigned int"),
    (r"#pragma once", "a guard for #pragma once"),
]


def width(tree):
    """Programs for sed and awk and rows of here-documents may be wider; comments may not."""
    for path in tree.sources + [p for p in tree.paths if p.endswith((".sh", ".awk", ".py", ".mk"))]:
        only_comments = path.endswith((".sh", ".awk"))
        for number, line in tree.lines(path):
            if only_comments and not re.match(r"\s*# ", line):
                continue
            if len(line.expandtabs(8)) > COLUMNS:
                yield "%s:%d: %d columns" % (path, number, len(line.expandtabs(8)))


def functions(code):
    """Functions in kernel style: (name, line of '{', number of lines with both braces)."""
    began = name = None
    for number, line in enumerate(code.split("\n"), 1):
        if line.startswith("{"):
            began = number
        elif line.startswith("}") and began:
            if name:
                yield name, began, number - began + 1
            began = None
        elif began is None and re.match(r"[A-Za-z_]", line):
            match = re.match(r"[^=;]*?(\w+)\(", line)
            name = match.group(1) if match and not line.startswith(("struct {", "enum {")) else None


def length(tree):
    for path in tree.sources:
        for name, line, count in functions(tree.code(path)):
            if count > FUNCTION_LINES:
                yield "%s:%d: %s() has %d lines" % (path, line, name, count)


def spelling(tree):
    for path in tree.sources:
        for number, line in enumerate(tree.code(path).split("\n"), 1):
            if path.startswith("harness/cmd/"):
                line = line.replace("gboolean", "int")
            for pattern, instead in SPELLINGS:
                if re.search(pattern, line):
                    yield "%s:%d: write %s: %s" % (path, number, instead, line.strip())


def license_line(tree):
    for path in tree.paths:
        if path.endswith(NO_LICENSE_LINE) or path.startswith("build-aux/") or not tree.text(path):
            continue
        if SPDX not in tree.text(path):
            yield "%s:1: no line '%s'" % (path, SPDX)


def default_label(tree):
    """A switch over an enum of ours names all of its constants (-Wswitch-enum sees to that)."""
    for path in tree.sources:
        if not path.startswith(("kmod-stub/", "sim/", "lib/", "harness/")):
            continue
        depth, stack = 0, []
        for number, line in enumerate(tree.code(path).split("\n"), 1):
            if re.match(r"\s*switch \(", line):
                stack.append((depth, []))
            label = re.match(r"\s*case ([A-Z][A-Z0-9_]*):", line)
            if label and stack:
                stack[-1][1].append(label.group(1))
            if re.match(r"\s*default:", line) and stack:
                if any(is_ours(tree, name) for name in stack[-1][1]):
                    if not said_why(tree, path, number):
                        yield ("%s:%d: default: name the cases, so that the compiler finds one "
                               "that is forgotten, or say why it is no enum") % \
                            (path, number)
            depth += line.count("{") - line.count("}")
            while stack and depth <= stack[-1][0] and "}" in line:
                stack.pop()


def said_why(tree, path, number):
    """A number of the wire may have any value: a comment behind the label says so."""
    return re.search(r"default:\s*/\*", tree.text(path).split("\n")[number - 1])


def is_ours(tree, name):
    """Is it a constant of an enum with a name?"""
    if not hasattr(tree, "constants"):
        tree.constants = set()
        for path in tree.sources:
            for body in re.findall(r"\benum \w+ \{(.*?)\}", tree.code(path), re.S):
                names = re.findall(r"\b([A-Z][A-Z0-9_]+)\b\s*(?:=[^,]*)?(?:,|$)", body.strip())
                tree.constants.update(names)
    return name in tree.constants


# What people write is read by lib/words, which is strict, and so is what the kernel writes.
PARSERS = re.compile(r"\b(strto(?:u?ll?|[dfi]|ld|[iu]max|[uq]l?)|ato(?:i|l|ll|f)|v?f?s?scanf|"
                     r"g_ascii_(?:strto\w+|string_to_\w+))\s*\(")
BRACKET = re.compile(r"""\b(?:(?:mem|str)r?chr(?:nul)?|rawmemchr|strstr|g_strr?str(?:_len)?)"""
                     r"""\([^;]*,\s*(?:'\['|"\[")""")
DIGIT = re.compile(r"[\w)\]]\s*-\s*'0'")
WORDS = "lib/words/"
# Where digits may be read elsewhere, and why.
DIGITS_ELSEWHERE = (
    "lib/lockstep/shared.c",  # /proc/self/maps, octet by octet as it comes from read(2)
    "sim/topology/line.c",  # parts of a file, which no '\\0' ends, with signs as in ibsim's
)


def literals(tree):
    """Numbers, times, rates and places are read in one folder."""
    for path in tree.sources:
        if not path.startswith(("kmod-stub/", "sim/", "lib/", "harness/")) or \
                path.startswith((WORDS, KERNEL_CODE)):
            continue
        code, text = tree.code(path).split("\n"), tree.text(path).split("\n")
        for number, (line, raw) in enumerate(zip(code, text), 1):
            found = PARSERS.search(line)
            if found:
                yield "%s:%d: %s(): a number, a time or a rate is read by %s" % \
                    (path, number, found.group(1), WORDS)
            if DIGIT.search(raw) and path not in DIGITS_ELSEWHERE and not line.isspace():
                yield "%s:%d: digits by hand: a number is read by %snumber.h" % \
                    (path, number, WORDS)
            if BRACKET.search(raw) and not line.isspace():
                yield "%s:%d: a search for '[': NODE[PORT] is read by %snode-place.h" % \
                    (path, number, WORDS)


# A member's name with its colon, what such a name ends with, and an escape: all in C's own quotes.
JSON = re.compile(r'''\\"(?:\w+|%s)\\" ?:(?! ?[A-Z])|"\\": ?"|\\\\u%04x''')
JSON_WRITER = "lib/json/"


def json(tree):
    """JSON is written by one writer, which knows commas, escapes and what is not UTF-8."""
    for path in tree.sources:
        if not path.startswith(("kmod-stub/", "sim/", "lib/", "harness/")) or \
                path.startswith(JSON_WRITER):
            continue
        for number, line in tree.lines(path):
            if JSON.search(line):
                yield ("%s:%d: JSON by hand: struct json_writer of %sjson-writer.h writes it, as "
                       "json_string(json_name(json, NAME), VALUE)") % (path, number, JSON_WRITER)


# How processes begin and end.
CHILDREN = re.compile(r"(?<![\w.>])(_?v?fork|posix_spawnp?|wait(?:pid|id|3|4)|"
                      r"exec(?:l[ep]?|ve?|vpe?|veat)|fexecve|system|popen|"
                      r"g_spawn_\w+|g_subprocess_\w+)\s*\(")
CHILDREN_FOLDER = "sim/process/"
# Where else they may be called, and why.
CHILDREN_ELSEWHERE = (
    "lib/guest/",  # the first process of a kernel of its own, with its libc and nothing else
    "lib/lockstep/",  # defines these functions, in front of libc's
    "lib/stand-in/",  # calls them in the place of a program of the session
    "harness/filter/thread-",  # waits for threads that it traces, which are no children
)


def children(tree):
    """Processes are made, waited for and looked for in one folder, which says what they inherit."""
    for path in tree.sources:
        if not path.startswith(("kmod-stub/", "sim/", "lib/", "harness/")) or \
                path.startswith((CHILDREN_FOLDER,) + CHILDREN_ELSEWHERE):
            continue
        for number, line in enumerate(tree.code(path).split("\n"), 1):
            found = CHILDREN.search(line)
            if found:
                yield ("%s:%d: %s(): processes begin by %sprocess-spawn.h, are waited for by "
                       "process-reap.h, and run for their output by process-output.h") % (
                           path, number, found.group(1), CHILDREN_FOLDER)


# Which shell reads a script, by its first line or the one for shellcheck.
SHELL = re.compile(r"\A#! ?(?:/usr)?/bin/(?:env )?(sh|bash)\b|^# shellcheck shell=(sh|bash)$", re.M)


def scripts(tree):
    """A script with an error of syntax is one that runs up to it: its shell reads each whole."""
    for path in tree.paths:
        head = SHELL.search(tree.text(path)[:400])
        if not head:
            continue
        read = subprocess.run([head.group(1) or head.group(2), "-n", os.path.join(tree.top, path)],
                              capture_output=True, text=True, check=False)
        if read.returncode:
            said = read.stderr.strip().split("\n")[0]
            number = re.search(r"(?:line )?(\d+): ", said)
            yield "%s:%s: %s" % (path, number.group(1) if number else 1, said)
