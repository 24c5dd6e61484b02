# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Words that stand for something outside the tree, and phrases that a reader would stumble over."""
import re

import references

# The pattern, and what to write instead.
OUTSIDE = [
    (r"\bthis (?:session|conversation|workplace)\b", "nothing: the tree speaks of the project alone"),
    (r"\b(?:facts?|fact sheet|sheet): kernel\b", "doc/linux-mad.md"),
    (r"\bas asked(?: for)?\b|\bthe issue\b|\bissue \d+\b", "the reason itself"),
    (r"\b(?:TODO|FIXME|XXX)\b", "an entry in NEWS or the tracker"),
    (r"\.\./shared/facts|\bshared/facts\b", "a document of doc/"),
]
PHRASES = [
    (r"\bthe book\b", "the IBA specification"),
    (r"\b(?:is|are|was|were|be) told of\b", "gets, is notified of, or learns of"),
    (r"\b(?:must|should|to) stand\b|\bmust stand here\b", "expected ..."),
    (r"\bstands? behind\b", "follows, comes after"),
    (r"\bis said twice\b", "is given twice"),
    (r"\blets? [a-z_' ]*\bnot in\b", "rejects"),
    (r"\bwho(?:ever)? (?:asks|asked|waits|waited|reads|writes|sends|sent|calls|called|has|had|looks|wants|opens|"
     r"opened|listens|knows|takes|holds|gets|does|did|made|makes|closes|uses|used|sets|needs|comes|watches)\b(?<!one who has)",
     "a noun: the caller, the reader, the thread that ..."),
    (r"\bas [A-Z]\w+ has it\b", "as in ..."),
    (r"\bknows no last time\b", "sets no limit"),
]


def words(tree):
    for path, text in everything(tree):
        for number, line in enumerate(text.split("\n"), 1):
            for pattern, instead in OUTSIDE + PHRASES:
                found = re.search(pattern, line)
                if found and not excused(line, found):
                    yield "%s:%d: '%s': write %s" % (path, number, found.group(0), instead)


def excused(line, found):
    """"the thread who", "one that" and the like have their noun."""
    before = line[:found.start()].rstrip()
    return found.group(0).startswith("who") and re.search(r"\b(?:those|anybody|somebody|nobody|everybody|one|person|people|"
                                                          r"says|say|see|know|knows|of|for|to|question)$", before)


def everything(tree):
    """Comments and strings of C, all of other files."""
    for path in tree.paths:
        if path.startswith("tests/tidy/") or path in ("COPYING", "configure"):
            continue
        if path.endswith((".c", ".h", ".sh", ".awk", ".md", ".mk", ".1", ".7", ".3umadrig", ".mad", ".inc")) or \
                path in ("README", "NEWS", "quickstart"):
            yield path, tree.text(path)
