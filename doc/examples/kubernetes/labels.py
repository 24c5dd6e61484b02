#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
labels.py [HOST...]: what ibnetdiscover prints, on standard input, as the labels that topograph's
k8s engine gives nodes: fabric.topograph.run/tier-0 is the leaf, tier-1 the spine, tier-2 the core.
Of switches that have the same ones below them, the first by its ID stands for all. Without hosts:
how many of each there are.
"""
import re
import sys

SWITCH = re.compile(r'^Switch\s+\d+\s+"([^"]+)"\s+# "([^"]+)"')
HCA = re.compile(r'^Ca\s+\d+\s+"([^"]+)"\s+# "(\S+)\s\S+"')
CABLE = re.compile(r'^\[\d+\]\s+"([^"]+)"\[\d+\](?:\([0-9a-f]+\))?\s+# "[^"]+"')


def read(lines):
    """The switches: who is at their cables; and the hosts of adapters."""
    switches, hosts, at = {}, {}, None
    for line in lines:
        if match := SWITCH.match(line):
            at = switches.setdefault(match[1], set())
        elif match := HCA.match(line):
            hosts[match[1]], at = match[2], None
        elif not line.strip():
            at = None
        elif at is not None and (match := CABLE.match(line)):
            at.add(match[1])
    return switches, hosts


def tiers(switches, hosts):
    """From the leaves up: for each tier its switches, each with those below it."""
    found = {id: {hosts[peer] for peer in peers if peer in hosts}
             for id, peers in switches.items()}
    tier = {id: below for id, below in found.items() if below}
    placed = set()
    while tier:
        placed |= tier.keys()
        yield tier
        tier = {id: below for id in switches if id not in placed
                if (below := switches[id] & tier.keys())}


def labels(switches, hosts):
    """Each host's switches, the leaf first."""
    stands_for, ways = {}, {}
    for number, tier in enumerate(tiers(switches, hosts)):
        by_below = {}
        for id in sorted(tier):
            below = frozenset(stands_for.get(peer, peer) for peer in tier[id])
            stands_for[id] = by_below.setdefault(below, id)
        for below, id in by_below.items():
            if number == 0:
                ways.update({host: [id] for host in below})
            else:
                for way in ways.values():
                    if len(way) == number and way[-1] in below:
                        way.append(id)
    return ways


if __name__ == "__main__":
    found = labels(*read(sys.stdin))
    for name in sys.argv[1:]:
        print(name, *["fabric.topograph.run/tier-%d=%s" % row for row in enumerate(found[name])])
    if len(sys.argv) == 1:
        depths = {len(way) for way in found.values()}
        print("%d hosts" % len(found), *["%d of tier-%d" % (len({
            way[tier] for way in found.values() if tier < len(way)}), tier)
            for tier in range(max(depths))], sep=", ")
