#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""check.py NODES RAILS RADIX: is discover.py's tree, on standard input, that of generate:rail?"""
import collections
import json
import sys


def wrong(tree, nodes, rails, radix):
    """Yields what is not as it was built."""
    leaves = [row for row in tree if row["tier"] == 1]
    rails_of = collections.defaultdict(list)
    for leaf in leaves:
        devices = {device for found in leaf["hosts"].values() for device in found}
        if len(devices) != 1:
            yield "%s has more than one rail: %s" % (leaf["switch"], " ".join(sorted(devices)))
        for host, found in leaf["hosts"].items():
            rails_of[host] += found
    wanted = ["mlx5_%d" % rail for rail in range(rails)]
    for host in ["host-%d" % number for number in range(nodes)]:
        missing = sorted(set(wanted) - set(rails_of.pop(host, [])))
        if missing:
            yield "%s: not found: %s" % (host, " ".join(missing))
    yield from ("%s is not of this fabric" % host for host in rails_of)

    pods = -(-nodes // (radix // 2))
    if len(leaves) != pods * rails:
        yield "%d leaves, not %d" % (len(leaves), pods * rails)
    tiers = 2 if len(leaves) <= radix else 3
    if {row["tier"] for row in tree} != set(range(1, tiers + 1)):
        yield "tiers are %s, not 1 to %d" % (sorted({row["tier"] for row in tree}), tiers)
    up = collections.Counter()
    for row in tree:
        up.update(row["below"])
    for leaf in leaves:
        if up[leaf["switch"]] < len(leaf["hosts"]):
            yield "%s is oversubscribed: %d cables up, %d hosts" % (
                leaf["switch"], up[leaf["switch"]], len(leaf["hosts"]))


if __name__ == "__main__":
    found = json.load(sys.stdin)
    problems = list(wrong(found, *map(int, sys.argv[1:])))
    print("\n".join(problems) if problems else "right: %d switches, %s hosts" % (
        len(found), sys.argv[1]))
    sys.exit(bool(problems))
