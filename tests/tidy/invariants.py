# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rules about invariants (lib/base/invariant.h)."""
import re

RULE = re.compile(r"\b(?:MUST|NEVER)\(")
STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
# A check may also return its rule: "port: it has a state".
RETURNED = re.compile(r'\breturn "(\w[\w ]*: [^"\n]*)";')
TESTS = ("tests/kmod-stub/", "tests/sim/")


def rules(text):
    """(line, words) of each MUST and NEVER."""
    for begin in RULE.finditer(text):
        end = text.find(");", begin.end())
        words = "".join(last_strings(text[begin.end():end]))
        if words:
            yield text.count("\n", 0, begin.start()) + 1, words
    for returned in RETURNED.finditer(text):
        yield text.count("\n", 0, returned.start()) + 1, returned.group(1)


def last_strings(arguments):
    """The strings of the last argument, one after the other."""
    found = list(STRING.finditer(arguments))
    at = len(found)
    while at > 1 and not arguments[found[at - 2].end():found[at - 1].start()].strip():
        at -= 1
    return [string.group(1) for string in found[max(at - 1, 0):]]


def broken(tree):
    """Each is broken on purpose by a line BREAKS of a test, which expects its words."""
    expected = set()
    for path in tree.sources:
        if path.startswith(TESTS):
            text = re.sub(r'"\s*\n\s*"', "", tree.text(path))
            expected.update(string.group(1) for string in STRING.finditer(text))
    for path in tree.sources:
        if path.startswith("tests/") or "lib/base/invariant.h" not in tree.text(path):
            continue
        for line, words in rules(tree.text(path)):
            if words not in expected:
                yield "%s:%d: no test expects '%s'" % (path, line, words)
