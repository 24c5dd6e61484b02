# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about what comments and documents refer to."""
import os
import re

NAME = re.compile(r"(?<![\w./<*{$~-])((?:[\w.-]+/)*[\w-]+\.(?:c|h|sh|awk|py|mad|inc|mk|md))"
                  r"(?![\w*-]|\.[a-z])")
REFERENCE = re.compile(r"linux-mad(?:\.md)?,? ((?:[A-Z]\.\d+|\d+)(?:, (?:[A-Z]\.\d+|\d+))*)")
# Files of other projects, which comments and documents name with their projects.
FOREIGN = {
    # Linux
    "mad.c", "mad_rmpp.c", "user_mad.c", "smi.c", "agent.c", "sysfs.c",
    "drivers/infiniband/core/mad.c",
    "rdma_netlink.h", "ib_user_mad.h", "ib_mad.h", "uapi/rdma/ib_user_mad.h",
    # rdma-core, OpenSM, ibsim
    "verbs.h", "umad2sim.c", "ibnetdisc.c", "osm_vendor_ibumad.c",
}
DOCUMENTS = (".md", "README", ".1", ".7", ".3umadrig", "NEWS")


def texts(tree):
    """(path, text that is read by people) of every file that has some."""
    for path in tree.paths:
        if path in ("COPYING", "doc/linux-mad.md"):
            continue
        if path.endswith((".c", ".h")):
            yield path, tree.comments(path)
        elif path.endswith(DOCUMENTS):
            yield path, tree.text(path)
        elif path.endswith((".sh", ".awk", ".mk", ".mad", ".inc", ".py")) or path == "quickstart":
            yield path, "\n".join(line if line.lstrip().startswith("#") else ""
                                  for line in tree.text(path).split("\n"))


def files(tree):
    for path, text in texts(tree):
        for number, line in enumerate(text.split("\n"), 1):
            for name in NAME.findall(re.sub(r"\\f[BIRP]", " ", line).replace("\\-", "-")):
                if name in FOREIGN or is_example(name):
                    continue
                name = re.sub(r"^(?:\.\./)+", "", name)
                beside = os.path.join(os.path.dirname(path), name)
                if not (tree.exists(name) or tree.exists(beside) or
                        ("/" not in name and name in tree.names) or
                        any(p.endswith("/" + name) for p in tree.paths)):
                    yield "%s:%d: there is no %s" % (path, number, name)


def is_example(name):
    """Names that stand for a file of the reader's."""
    return os.path.basename(name) in ("file.mad", "a.mad", "retry.mad", "x.mad", "my.mad",
                                      "my-test.sh", "NAME.mad", "foo.c", "x.md",
                                      # of doc/tutorial.md and README
                                      "first.mad", "broken.mad", "late.mad", "typo.mad", "first.c",
                                      "test_first.py")


def statements(tree):
    """linux-mad 17, linux-mad B.3: a statement or a section of doc/linux-mad.md."""
    if not tree.exists("doc/linux-mad.md"):
        yield "doc/linux-mad.md:1: is not there"
        return
    sheet = tree.text("doc/linux-mad.md")
    sections = set(re.findall(r"^#+ ([A-Z](?:\.\d+)?)\b", sheet, re.M))
    numbers = set(re.findall(r"^(?:\*\*)?(\d+)\.(?:\*\*)? ", sheet, re.M)) | \
        set(re.findall(r"^\| *(\d+) *\|", sheet, re.M))
    if not sections or not numbers:
        yield "doc/linux-mad.md:1: no sections, or no numbered statements"
    for path, text in texts(tree):
        for number, line in enumerate(text.split("\n"), 1):
            for clause in REFERENCE.findall(line):
                for one in clause.split(", "):
                    if one not in sections and one not in numbers:
                        yield "%s:%d: doc/linux-mad.md has no %s" % (path, number, one)
            if re.search(r"\bfacts: kernel\b", line):
                yield "%s:%d: 'facts: kernel' is doc/linux-mad.md" % (path, number)
    for path in tree.paths:
        if path.endswith(".mad"):
            for number, line in tree.lines(path):
                for one in re.findall(r"\bstatement:(\d+)\b", line):
                    if one not in numbers:
                        yield "%s:%d: doc/linux-mad.md has no statement %s" % (path, number, one)
