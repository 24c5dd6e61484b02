# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What is made of data/calls.toml, the table of system calls: the tables of both filters, and what documents say."""
import collections
import os
import tomllib

import tables

TABLE = "data/calls.toml"
STOPPED = "lib/stand-in/stopped-calls.c"
TRAPPED = "harness/filter/trap-table.c"
DOCUMENT = "doc/system-calls.md"
VIRTUAL = "doc/virtual-time.md"
REAL = "doc/any-program.md"

# What the filter does with a call that it stops, by the word of enum trap_when.
WHEN = {"ALWAYS": "stopped", "HIGH": "stopped: a high descriptor", "HIGH_OR_SECOND": "stopped: a high descriptor, either one",
        "HIGH_OR_THIRD": "stopped: a high descriptor, either one",
        "HIGH_DUP": "stopped: F_DUPFD of a high descriptor",
        "UMAD_COMMAND": "stopped: a command of umad, or a high descriptor", "REFUSE": "",
        "NETLINK": "stopped: netlink for RDMA and uevents",
        "REFUSE_NODE": " for InfiniBand", "REFUSE_MOUNTS": " for mounts"}

Call = collections.namedtuple("Call", "name x86_64 aarch64 arguments answer")


class Calls:
    def __init__(self, top):
        text = tables.read(os.path.join(top, TABLE))
        try:
            self.table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as wrong:
            raise tables.Missing("%s: %s" % (TABLE, wrong))
        self.calls = {}
        for group in self.table["group"]:
            for name, x86_64, aarch64, *rest in group.get("calls", []):
                if name in self.calls:
                    raise tables.Missing("%s: %s is there twice" % (TABLE, name))
                self.calls[name] = Call(name, x86_64, aarch64, *(rest + ["", ""])[:2])
        self.filtered = {row[0]: row for group in self.table["filtered"] for row in group["calls"]}
        for name, when, _ in self.filtered.values():
            if name not in self.calls or when not in WHEN:
                raise tables.Missing("%s: %s, %s: there is no such call, or no such condition" % (TABLE, name, when))

    def in_order(self, first, names):
        """The names, with those that the list of that name has before all others."""
        unknown = [name for name in self.table[first] if name not in names]
        if unknown:
            raise tables.Missing("%s: %s has %s, which is not stopped" % (TABLE, first, unknown[0]))
        return self.table[first] + [name for name in names if name not in self.table[first]]

    def rows(self, names, row):
        """C rows of a table, without those that an architecture does not have."""
        out, only = [], False
        for name in names:
            needs = not name.startswith("CALL_") and self.calls[name].aarch64 < 0
            if needs != only:
                out.append("#ifdef __x86_64__" if needs else "#endif")
            only = needs
            out.append(row(name))
        return out + (["#endif"] if only else [])


def constant(name):
    return name if name.startswith("CALL_") else "SYS_" + name


def stopped(known):
    calls = Calls(known.top)

    def row(name):
        answer, _, first = calls.calls[name].answer.partition(" from ")
        return "\t{ %s, %s, %s }," % (constant(name), first.partition(" or ")[0] or "0", answer)

    return calls.rows(calls.in_order("often", [name for name, call in calls.calls.items() if call.answer]), row)


def trapped(known):
    calls = Calls(known.top)

    def row(name):
        _, when, what = calls.filtered[name]
        return "\t{ SYS_%s, TRAP_%s, .%s = %s }," % (
            name, when, "refusal" if when.startswith("REFUSE") else "handle", what)

    return calls.rows(calls.in_order("often_filtered", list(calls.filtered)), row)


# ---- documents ----

def virtual(known):
    """The table of doc/virtual-time.md: but for what never concerns a program."""
    groups = [group for group in Calls(known.top).table["group"] if group["name"] not in ("kernel", "past", "umad")]
    return ["| calls | in virtual time | waits for |", "|---|---|---|",
            *("| %(title)s | %(virtual)s | %(waits)s |" % group for group in groups)]


def real(known):
    return ["| calls | when | what the supervisor does |", "|---|---|---|",
            *("| %(title)s | %(when)s | %(does)s |" % group for group in Calls(known.top).table["filtered"])]


def number(value):
    return "-" if value < 0 else str(value)


def in_real_time(calls, name):
    if name not in calls.filtered:
        return ""
    _, when, what = calls.filtered[name]
    return what + WHEN[when] if when.startswith("REFUSE") else WHEN[when]


def document(known):
    """A section for each group."""
    calls, out = Calls(known.top), []
    for group in calls.table["group"]:
        out += ["", "## %s" % group["name"].replace("-", " ").capitalize(), "*%s*: %s." % (
            group["title"], group["virtual"]), "It waits for: %s." % group["waits"]]
        if group.get("functions"):
            out += ["", "Functions of libumadlockstep: %s." % ", ".join("`%s`" % name for name in group["functions"])]
        rows = [calls.calls[row[0]] for row in group.get("calls", []) if not row[0].startswith("CALL_")]
        if rows:
            out += ["", "| call | x86-64 | aarch64 | arguments | without a library | below the filter, in real time |", "|---|---|---|---|---|---|"]
        for call in rows:
            answer = call.answer.partition(" from ")
            out.append("| `%s` | %s | %s | %s | %s | %s |" % (
                call.name, number(call.x86_64), number(call.aarch64), ", ".join(call.arguments.split()),
                answer[0] and "`%s`%s" % (answer[0], answer[2] and ", a high descriptor" + "".join(answer[2].partition(" or ")[1:])), in_real_time(calls, call.name)))
    return out[1:]


MAKERS = {STOPPED: {"stopped calls": stopped}, TRAPPED: {"trapped calls": trapped}, DOCUMENT: {"system calls": document},
          VIRTUAL: {"virtual calls": virtual}, REAL: {"filtered calls": real}}
