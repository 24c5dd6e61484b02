# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What is made of the actions of faults (sim/fabric/fault-action.h) and of quirks (sim/fabric/quirk-name.h), beside
manual pages and completion."""
import textwrap

PYTHON = "python/umadrig/fault.py"


def grammar(known):
    return ["fault action = %s ;" % " | ".join('"%s"' % word for word in known.words("fault"))]


def kinds(known):
    return ["lie kind = %s ;" % " | ".join('"%s"' % word for word in known.words("lie"))]


def language(known):
    """The table of doc/scenario-language.md."""
    times = {"time": " by T", "[time]": " [by T]", "about": " WHAT", "": ""}
    return ["| ACT | what it does |", "|---|---|",
            *("| `%s%s` | %s |" % (word, times[takes], " ".join(filter(None, (text, more))))
              for word, takes, text, more, _ in known.rows["fault"])]


def python(known):
    """A method for each action."""
    out = []
    for word, takes, text, _, _ in known.rows["fault"]:
        example = {"time": '"1", "by 2ms"', "about": '"any", "1%"'}.get(takes, '"1"')
        doc = textwrap.wrap('"""%s(%s): %s"""' % (word, example, text[0].lower() + text[1:]), 91)
        begin = "    def %s(" % word
        out += ["", begin + "self, *words: str, at: Optional[str] = None,",
                " " * len(begin) + "where: Optional[str] = None) -> Fault:",
                *("        " + line for line in doc),
                "        return self._fault(\"%s\", words, at, where)" % word]
    return out[1:]


def seeds(known):
    """(path, text): a rule with each action for each fuzzer that reads rules, and each quirk."""
    yield "tests/fuzz/corpus-spec/each-quirk", "generate:rail:2,10,8" + "".join(
        ",quirk=" + word for word in known.words("quirk"))
    rules = [sample for _, _, _, _, sample in known.rows["fault"]]
    yield "tests/fuzz/corpus-spec/actions", "a.net" + "".join(",fault=" + rule for rule in rules)
    yield "tests/fuzz/corpus-console/actions", "".join(
        "fault %s\nfault add %s\n" % (rule, rule) for rule in rules) + "fault list\n"
    yield "tests/fuzz/corpus-script/actions", 'scenario "each action"\n' + "".join(
        "+0       fault %s\n" % rule for rule in rules)
