# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What recipes of CONTRIBUTING.md ask for beside a row of a table: the row's word is there, too."""
import collections
import glob
import os
import re
import struct

# A recipe ("### ... NAME"), the files with its table, what finds the words of a row, and its
# places: in which files (one of them) each row has to be, and as what. {0} is the row's first word,
# {1} its second. What the compiler asks for, and what data/generate sees, is not here.
Recipe = collections.namedtuple("Recipe", "name table row places")

RECIPES = [
    Recipe("a word of scenarios", "harness/script/verb/*.c", r'^\t\.word = "(\w+)"', [
        ("tests/harness/script-check*.c", r"\b{0}\b"),
        ("scenarios/*/*.mad tests/harness/script-*.sh", r"\b{0}\b"),
    ]),
    Recipe("an attribute of subnet management", "sim/agents/sma.h", r"^\tATTR_(\w+) = 0x0*(\w+)", [
        ("sim/dictionary/smp.c", r"\(0x0*{1}, "),
        ("sim/agents/sma*.c", r"\bATTR_{0}\b"),
        ("tests/sim/*.c", r"\bATTR_{0}\b|\b0x0*{1}\b"),
    ]),
    # Its name may go on: ROW(subnet_list) is "subnet-list" elsewhere.
    Recipe("a format of topology files", "sim/topology/format.h", r"^\tROW\(([a-z]+)", [
        ("harness/cmd/exec.c", r"(?i)\b{0}\b"),
        ("harness/cmd/topology.c", r"(?i)\b{0}\b"),
        ("sim/api/umadrig.h", r"(?i)\b{0}\b"),
        ("python/umadrig/fabric.py", r"(?i)\b{0}\b"),
        ("README", r"(?i)\b{0}\b"),
        ("tests/sim/topology*.c", r"\b{0}\b"),
        ("tests/fuzz/corpus-topology/{0}*", r""),
    ]),
    Recipe("an attribute of a port in sysfs", "lib/base/port-attr.h",
           r'^\t(?:NUMBER|TEXT)\((\w+), "(\w+)"', [
               ("sim/host/device.c", r"\bret->{0}\b"),
               ("tests/harness/exec-sysfs.sh tests/harness/verbs.sh", r"\b{1}\b"),
           ]),
    Recipe("a kernel profile", "kmod-stub/profile.c", r'\.name = "(linux-([^"]+))"', [
        ("sim/run/spec.c", r"\b{0}\b"),
        ("doc/linux-mad.md", r"\b{1}\b"),
        ("doc/fidelity.md", r"\b{1}\b"),
        ("doc/scenario-language.md", r"\b{0}\b"),
        ("tests/kmod-stub/profile.c", r"\b{0}\b"),
        ("tests/harness/scenarios-profiles.sh", r"\b{0}\b"),
        ("tests/harness/exec-sysfs.sh", r"\b{1}\b"),
        ("tests/stock/profiles.sh", r"\b{0}\b"),
        ("scenarios/*/*.mad", r"\b{0}\b"),
    ]),
    Recipe("a link type of captures", "sim/capture/frame.h", r"^\tLINKTYPE_(\w+) = (\d+)", [
        ("sim/capture/stream.c", r"\bLINKTYPE_{0}\b"),
        ("sim/scrub/packet-layout.c", r"\bLINKTYPE_{0}\b"),
        ("tests/sim/capture-*.c", r"\bLINKTYPE_{0}\b|\b{1}, "),
    ]),
    Recipe("a link type of captures", "sim/capture/cause.h", r"^\t(CAUSE_\w+),", [
        ("sim/capture/cause.c", r"\[{0}\] = "),
    ]),
    Recipe("a field of JSON that a command writes", "doc/schema/*.json", r'^ *"([a-z_]+)": \{',
           [("doc/*.md man/*.[1-8]", r"\b{0}\b")]),
    Recipe("a function of umadrig.h", "sim/api/umadrig.h",
           r"^\w[\w *]*?\b(umadrig_(?!\w+_fn\b)\w+)\(", [
               ("tests/sim/*.c tests/python/*.py", r"\b{0}\b"),
           ]),
    # The fuzzer leaves files and waits out (tests/fuzz/console.c).
    Recipe("a command of the console", "sim/console/console-line.c",
           r'^\t\{ "((?!capture|Wait|Verbose)[A-Za-z ]+)", ', [
               ("tests/sim/*.c", r"(?i)\b{0}\b"),
               ("tests/fuzz/corpus-console/*", r"(?im)^{0}\b"),
           ]),
    # TAP and a terminal's text go to standard output: they have no file.
    Recipe("a report of umadrig run", "harness/cmd/run-sink.h",
           r"\brun_sink_((?!tap|terminal)\w+)(?=[,;])", [
               ("harness/cmd/run.c", r"\brun_sink_{0}\b"),
               ("harness/cmd/run-options.c", r'"--{0}", options->{0} '),
               ("harness/cmd/run-bless.c", r"options->{0}\b"),
               ("tests/harness/run-*.sh", r"(?i)\b{0}\b"),
           ]),
    Recipe("an option of a command", "harness/cmd/*.c", r"^\t\t?\{ \"([a-z-]+)\", (?:'.'|0), ", [
        ("tests/*/*", r"--{0}\b"),
    ]),
    Recipe("a limit of the server", "sim/server/limits.h", r'ROW\(\w+, "(\w+)"', [
        ("tests/sim/server-limits.c", r"\b{0}="),
    ]),
    # accept4 and its kin have the function that refuses accept.
    Recipe("a call below the filter", "data/calls.toml",
           r'^\t\["((?!accept4|sendmmsg|recvmmsg)\w+)", "[A-Z_]+", ', [
               ("tests/tools/*.c tests/harness/*.c", r"\b(?:SYS_)?{0}(?:64)?\b"),
           ]),
    Recipe("a quirk", "sim/fabric/quirk-name.h", r'ROW\(\w+, "([a-z0-9-]+)"', [
        ("tests/sim/*.c", r"\bquirk={0}\b|\"{0}:"),
    ]),
    Recipe("a record of subnet administration", "sim/sa/sa-request.h",
           r"^\t(SA_\w+_RECORD) = 0x0*(\w+)", [
               ("sim/dictionary/sa.c", r"\(0x0*{1}, "),
               ("sim/sa/sa-kind.c", r"\b{0}\b"),
               ("tests/sim/sa*.c", r"\b{0}\b"),
           ]),
]


def files(tree, patterns):
    return [os.path.relpath(path, tree.top) for pattern in patterns.split()
            for path in sorted(glob.glob(os.path.join(tree.top, pattern))) if os.path.isfile(path)]


def rows(tree, recipe):
    """(path, line, words) of each row."""
    for path in files(tree, recipe.table):
        text = tree.text(path)
        for match in re.finditer(recipe.row, text, re.M):
            yield path, text.count("\n", 0, match.start(1)) + 1, match.groups()


def lacking(tree, found, paths, form):
    """The rows that none of the files has."""
    for path, line, words in found:
        wanted = re.compile(form.format(*map(re.escape, words)))
        if not any(wanted.search(tree.text(place)) for place in files(tree, paths.format(*words))):
            yield path, line, words[0]


def capture_link_types(path):
    """The link types of a pcap file, or of a pcapng file's interfaces."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\n\r\r\n":
        return {int.from_bytes(data[20:24], "little" if data[3] == 0xa1 else "big")}
    found, at = set(), 0
    while at + 12 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 1:
            found.add(struct.unpack_from("<H", data, at + 8)[0])
        at += max(size, 12)
    return found


def link_type_seeds(tree):
    """The link types, by their first numbers, that no seed of a fuzzer has."""
    if not tree.exists("sim/capture/stream.c"):
        return
    corpus = os.path.join(tree.top, "tests/fuzz/corpus-capture/*.pcap*")
    seen = set().union(*map(capture_link_types, glob.glob(corpus)))
    numbers = dict(re.findall(r"^\tLINKTYPE_(\w+) = (\d+)", tree.text("sim/capture/frame.h"), re.M))
    for name in re.findall(r'^\t\{ LINKTYPE_(\w+), "', tree.text("sim/capture/stream.c"), re.M):
        if int(numbers.get(name, 0)) not in seen:
            yield "sim/capture/stream.c:1: no seed in tests/fuzz/corpus-capture has link type " \
                "'%s': see CONTRIBUTING.md, '... a link type of captures'" % name


def places(tree):
    yield from link_type_seeds(tree)
    for recipe in RECIPES:
        found = list(rows(tree, recipe))
        # A tree without the table's files is one of broken.sh.
        if not found and files(tree, recipe.table):
            yield "%s:1: no row of a table: see RECIPES in tests/tidy/places.py" % recipe.table
        if tree.exists("CONTRIBUTING.md") and \
                "### ... %s\n" % recipe.name not in tree.text("CONTRIBUTING.md"):
            yield "CONTRIBUTING.md:1: there is no recipe '... %s'" % recipe.name
        for paths, form in recipe.places:
            for path, line, word in lacking(tree, found, paths, form):
                yield "%s:%d: '%s' is not in %s: see CONTRIBUTING.md, '... %s'" % (
                    path, line, word, paths.replace(" ", ", nor in ").format(word, ""), recipe.name)
