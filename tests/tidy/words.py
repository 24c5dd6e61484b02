# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Words that stand for something outside the tree, and phrases that a reader would stumble over."""
import re

# The pattern, and what to write instead.
OUTSIDE = [
    (r"\bthis (?:session|conversation|workplace)\b", "nothing: the tree speaks of itself alone"),
    (r"\b(?:facts?|fact sheet|sheet): kernel\b", "linux-mad, for doc/linux-mad.md"),
    (r"\bas asked(?: for)?\b|\bthe issue\b|\bissue #?\d+\b", "the reason itself"),
    # But "not ok 3 - name # TODO" is TAP.
    (r"(?<!\S # )\b(?:TODO|FIXME|XXX)\b", "what is missing, where its users look for it"),
    (r"\bshared/facts\b", "a document of doc/"),
]
PHRASES = [
    (r"\bthe book\b", "the IBA specification"),
    (r"\b(?:is|are|was|were|be|been) told of\b", "gets, is notified of, or learns of"),
    (r"\b(?:must|should|to|may) stand (?:here|behind|before|after|between)\b|\bmust stand\b",
     "expected ..., or belongs ..."),
    (r"\bstands? behind\b|\bstanding behind\b", "follows, or comes after"),
    (r"\bis said twice\b", "is given twice"),
    (r"\blets? [a-z_' ]*\bnot in\b", "rejects"),
    (r"\bas [A-Z]\w+ has it\b", "as in ..."),
    (r"\bknows no last time\b", "sets no limit"),
]
READ = (".sh", ".py", ".awk", ".md", ".mk", ".1", ".7", ".3umadrig", ".mad", ".inc")
# "who" without anything before it to refer to: "says who" is good English.
WHO = re.compile(r"\b(?:to|by|of|for|from|with|at|under|behind|beside|than|like|so|then|where|when|"
                 r"until|as|that|if|since|before|after|but|because|wakes?|without:|is)\s+who\b"
                 r"(?! *[(=\[;,)])")


def words(tree):
    for path, text in everything(tree):
        for number, line in enumerate(text.split("\n"), 1):
            for pattern, instead in OUTSIDE + PHRASES:
                found = re.search(pattern, line)
                if found:
                    yield "%s:%d: '%s': write %s" % (path, number, found.group(0), instead)
        # A comment continues on its next line.
        joined = re.sub(r"(\n)[ \t]*(?:\*|#)?[ \t]*", r"\1", text)
        for found in WHO.finditer(joined):
            yield "%s:%d: '%s' without a noun: the caller, the reader, the thread that ..." % \
                (path, joined.count("\n", 0, found.start()) + 1, " ".join(found.group(0).split()))


def everything(tree):
    for path in tree.paths:
        if path.startswith("tests/tidy/") or path == "COPYING":
            continue
        if path.endswith((".c", ".h")):
            yield path, tree.comments(path) if path.startswith("tests/") else tree.text(path)
        elif path.endswith(READ) or path in ("README", "NEWS", "quickstart"):
            yield path, tree.text(path)
