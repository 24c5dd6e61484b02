# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about headers: how they are named, and which folder may include which."""
import collections
import os
import re

from tree import KERNEL_CODE

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)
ROOMS = ("lib", "kmod-stub", "sim", "harness")
# Installed: programs include them as <umadrig.h>, <infiniband/umad.h>.
PUBLIC = ("lib/include/infiniband/", "sim/api/umadrig.h")
# A header, and functions that only it declares.
STANDARD = {
    "string.h": "memcpy memset memcmp memmove strcmp strncmp strlen strchr strrchr strstr strcpy "
                "strerror",
    "stdlib.h": "malloc calloc realloc free strtol strtoul strtoull getenv secure_getenv abort "
                "exit qsort",
    "stdio.h": "printf fprintf snprintf vsnprintf fopen fclose fputs puts fflush",
    "errno.h": "",
    "unistd.h": "close read write pipe2 fork dup dup2 getpid unlink usleep sysconf",
}


def included(tree, path):
    for match in INCLUDE.finditer(tree.text(path)):
        yield tree.text(path).count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def guards(tree):
    named = collections.defaultdict(list)
    for path in tree.headers:
        named[os.path.basename(path)].append(path)
        if path.startswith(PUBLIC):
            continue
        wanted = "UMADRIG_" + re.sub(r"[^A-Z0-9]", "_", path.upper())
        guard = re.search(r"^#ifndef (\w+)\n#define (\w+)\n", tree.text(path), re.M)
        if not guard or guard.groups() != (wanted, wanted):
            yield "%s:1: the guard is to be %s" % (path, wanted)
    for name, paths in sorted(named.items()):
        if len(paths) > 1:
            yield "%s:1: another header has this name: %s" % (paths[0], " ".join(paths[1:]))


def qualified(tree):
    for path in tree.sources:
        if path.startswith(("lib/include/", "doc/examples/", KERNEL_CODE)):
            continue
        for number, mark, name in included(tree, path):
            if mark == '"' and name != "config.h" and not tree.exists(name):
                yield "%s:%d: \"%s\" is no path from the top" % (path, number, name)


def standard(tree):
    for path in tree.sources:
        if not path.endswith(".c") or path.startswith(KERNEL_CODE):
            continue
        headers = {name for _, mark, name in included(tree, path) if mark == "<"}
        code = tree.code(path)
        for header, names in STANDARD.items():
            used = re.search(r"(?<![\w.>])(%s)\(" % "|".join(names.split()), code) if names else \
                re.search(r"(?<![\w.>])errno\b", code)
            if used and header not in headers and not provides(tree, path, header):
                yield "%s:%d: %s is used, <%s> is not included" % \
                    (path, code.count("\n", 0, used.start()) + 1, used.group(0).strip("("), header)


def provides(tree, path, header):
    """Does the file's own header, or a rig beside it, include it?"""
    for _, mark, name in included(tree, path):
        if mark == '"' and name.startswith("tests/") and tree.exists(name):
            if "<%s>" % header in tree.text(name):
                return True
    return False


def order(tree):
    """The table of doc/architecture.md: folder -> folders and headers that it may use."""
    table = {}
    for line in tree.text("doc/architecture.md").split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and re.match(r"`[a-z-]+/", cells[0]):
            folders = [name.rstrip("/") for name in re.findall(r"`([^`]+)`", cells[0])]
            below = [name.rstrip("/") for name in re.findall(r"`([^`]+)`", cells[2])]
            for folder in folders:
                table[folder] = below
    return table


def expand(table, folder, seen=None):
    """Folders and headers that 'folder' may use, with those that they may use."""
    seen = set() if seen is None else seen
    for name in table.get(folder, ()):
        if name not in seen:
            seen.add(name)
            expand(table, name, seen)
    return seen


def folder_of(path):
    return os.path.dirname(path)


def arrows(tree):
    table = order(tree)
    if not table:
        yield "doc/architecture.md:1: no table of folders: | folder | what is in it | may use |"
    for path in tree.sources:
        folder = folder_of(path)
        if not path.startswith(tuple(room + "/" for room in ROOMS)) or folder not in table:
            continue
        allowed = expand(table, folder) | {folder}
        for number, mark, name in included(tree, path):
            if mark == '"' and "/" in name and not {name, folder_of(name)} & allowed:
                yield "%s:%d: %s/ may not include %s (doc/architecture.md says what it may)" % \
                    (path, number, folder, name)


def listed(tree):
    table = order(tree)
    rooms = tuple(room + "/" for room in ROOMS)
    for folder in sorted({folder_of(path) for path in tree.sources if path.startswith(rooms)}):
        if folder not in table and not folder.startswith("lib/include"):
            yield "doc/architecture.md:1: no row for %s/" % folder
    for folder in sorted(table):
        if not tree.exists(folder):
            yield "doc/architecture.md:1: there is no %s/" % folder
        if folder in expand(table, folder):
            yield "doc/architecture.md:1: %s/ may use itself by way of others" % folder


def shipped(tree):
    """A header that no local.mk lists is missing from what "make dist" packs, and only there."""
    lists = "\n".join(tree.text(path) for path in tree.paths
                      if path.endswith((".mk", "Makefile.am")))
    for path in tree.headers:
        if not re.search(r"(?<![\w./-])(?:\$\(\w+\)/)?%s(?![\w.-])" % re.escape(path), lists):
            yield "%s:1: no local.mk lists it: add it to that of its folder" % path
