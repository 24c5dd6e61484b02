# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""junit_check.py FILE: what is wrong with a JUnit report; then a line for each of its cases.

The elements and attributes are those that the readers of Jenkins, GitLab and GitHub's actions
share.
"""
import re
import sys
import xml.etree.ElementTree as tree

COUNTS = {"tests", "failures", "errors", "skipped"}
ATTRIBUTES = {
    "testsuites": COUNTS | {"name", "time"},
    "testsuite": COUNTS | {"name", "time"},
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"classname", "name", "time", "file", "line"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
    "system-out": set(),
}
REQUIRED = {"testsuites": ATTRIBUTES["testsuites"], "testsuite": ATTRIBUTES["testsuite"],
            "testcase": {"classname", "name", "time"}, "failure": {"message", "type"},
            "error": {"message", "type"}, "skipped": {"message", "type"}}
CHILDREN = {"testsuites": {"testsuite"}, "testsuite": {"properties", "testcase"},
            "properties": {"property"},
            "testcase": {"failure", "error", "skipped", "system-out"}}


def wrong(element):
    """What is wrong with an element and all in it."""
    have = set(element.attrib)
    if have - ATTRIBUTES[element.tag]:
        yield "%s has %s" % (element.tag, have - ATTRIBUTES[element.tag])
    if REQUIRED.get(element.tag, set()) - have:
        yield "%s lacks %s" % (element.tag, REQUIRED[element.tag] - have)
    if "time" in have and not re.fullmatch(r"[0-9]+\.[0-9]{6}", element.get("time")):
        yield "%s: the time %s" % (element.tag, element.get("time"))
    if element.tag in ("testsuites", "testsuite"):
        cases = list(element.iter("testcase"))
        said = [int(element.get(name)) for name in ("tests", "failures", "errors", "skipped")]
        there = [len(cases)] + [len([case for case in cases if case.find(tag) is not None])
                                for tag in ("failure", "error", "skipped")]
        if said != there:
            yield "%s %s: %s, but there are %s" % (element.tag, element.get("name"), said, there)
    if element.tag == "testcase" and len(element) > 1:
        yield "a case has %s" % [child.tag for child in element]
    for child in element:
        if child.tag not in CHILDREN.get(element.tag, set()):
            yield "%s in %s" % (child.tag, element.tag)
        yield from wrong(child)


def main():
    """Prints it."""
    root = tree.parse(sys.argv[1]).getroot()
    if root.tag != "testsuites":
        print("the root is", root.tag)
    for message in wrong(root):
        print(message)
    for case in root.iter("testcase"):
        verdict = case[0].tag if len(case) else "passed"
        print("%s|%s|%s|%s" % (case.get("classname"), case.get("name"), verdict,
                               case[0].get("message", "") if len(case) else ""))


main()
