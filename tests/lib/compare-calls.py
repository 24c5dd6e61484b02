# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""compare-calls.py TABLE NEWEST WHAT: what of data/calls.toml is not as standard input has it.

WHAT is x86_64 or aarch64, with lines "NAME NUMBER" of that architecture's calls: each of them below
NEWEST is in the table, with that number, and of the table's each that is as old is among them. Or
it is functions, with the names of those that libumadlockstep has; or numbers, with those of calls
that its syscall(2) has: each call that it has a function of that name for is among them.
"""
import sys
import tomllib

# Calls of later kernels with numbers of x86-64 that had been left out: older headers lack them.
LATE = ("uprobe", "uretprobe")


def differences(mine, theirs):
    for name in sorted(set(mine) | set(theirs)):
        if mine.get(name) != theirs.get(name):
            yield "%s: the table has %s, and here is %s" % (
                name, mine.get(name, "none"), theirs.get(name, "none"))


def main():
    path, newest, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path, "rb") as file:
        groups = tomllib.load(file)["group"]
    lines = [line.split() for line in sys.stdin]
    if what == "numbers":
        has = {line[0] for line in lines}
        for group in groups:
            both = {row[0] for row in group.get("calls", [])} & set(group.get("functions", []))
            for name in sorted(both - has):
                print("%s: syscall(2) has it from the kernel" % name)
        return
    if what == "functions":
        mine = {name: "it" for group in groups for name in group.get("functions", [])}
        theirs = {line[0]: "it" for line in lines}
    else:
        column = {"x86_64": 1, "aarch64": 2}[what]
        theirs = {name: int(number) for name, number in lines if int(number) < newest}
        calls = [row for group in groups for row in group.get("calls", [])]
        last = max(theirs.values())    # of headers that may be older than the table
        mine = {row[0]: row[column] for row in calls if 0 <= row[column] <= last and
                (row[0] in theirs or row[0] not in LATE)}
    for difference in differences(mine, theirs):
        print(difference)


main()
