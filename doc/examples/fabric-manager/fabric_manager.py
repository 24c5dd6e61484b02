#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A small fabric manager: sweeps a fabric by directed routes, and says what is wrong.

    fabric_manager.py [--state FILE]

With --state it compares the fabric with the last sweep, which FILE has. Exit status: 0, or 1 if
something is wrong. An example of software that test_fabric_manager.py tests; copy what you need.
"""
import argparse
import collections
import json
import sys

import umadrig
from umadrig import Mad, umad

COUNTERS = ("SymbolErrorCounter", "PortRcvErrors", "LinkDownedCounter")


class Sweep:
    """What a sweep found: nodes by GUID, links between (GUID, port), and what is wrong."""

    def __init__(self):
        self.nodes = {}     # GUID -> description
        self.links = set()  # of frozensets of two (GUID, port)
        self.lids = {}      # GUID -> LID, where it has one
        self.problems = []

    def name(self, end):
        """A port as text."""
        guid, port = end
        return "%s[%d]" % (self.nodes.get(guid, "0x%016x" % guid), port)

    def compare(self, before):
        """What was there in an earlier sweep, and no longer is."""
        lost = ["node lost: %s" % before.nodes[guid] for guid in before.nodes.keys() - self.nodes]
        for link in before.links - self.links:
            if all(guid in self.nodes for guid, _ in link):
                lost.append("link down: %s" % " - ".join(sorted(map(before.name, link))))
        return sorted(lost)

    def to_json(self):
        """For a file."""
        return json.dumps({"nodes": sorted(self.nodes.items()),
                           "links": sorted(sorted(link) for link in self.links)})

    @classmethod
    def from_json(cls, text):
        """The sweep of a file."""
        sweep, data = cls(), json.loads(text)
        sweep.nodes = dict(data["nodes"])
        sweep.links = {frozenset(tuple(end) for end in link) for link in data["links"]}
        return sweep


def sweep_fabric(port, timeout=0.2, retries=3):
    """Sweeps the fabric that a umad port is in, breadth first."""
    sweep = Sweep()
    reached = {}                            # (GUID, port) -> the port that it was reached from
    waiting = collections.deque([([], None)])
    while waiting:
        path, origin = waiting.popleft()
        try:
            node = port.request(Mad("SubnGet(NodeInfo)", path=path), timeout=timeout,
                                retries=retries)
            guid = int(node["Guid"])
            here = (guid, int(node["LocalPort"]))
            if origin:
                # A port has one cable: who is reached by two is two nodes with one GUID.
                if reached.setdefault(here, origin) != origin:
                    sweep.problems.append("duplicated GUID 0x%016x: behind %s and behind %s" % (
                        guid, sweep.name(reached[here]), sweep.name(origin)))
                    continue
                reached[origin] = here
                sweep.links.add(frozenset((origin, here)))
            if guid in sweep.nodes:
                continue
            sweep.nodes[guid] = port.request(Mad("SubnGet(NodeDescription)", path=path),
                                             timeout=timeout, retries=retries)["NodeDesc"]
            look_at_ports(port, sweep, node, path, waiting, timeout, retries)
        except umadrig.NoAnswer:
            sweep.problems.append("no answer: behind %s" % (
                sweep.name(origin) if origin else "the local port"))
    return sweep


def look_at_ports(port, sweep, node, path, waiting, timeout, retries):
    """Reads the ports of a node, and appends to `waiting` what is behind those whose link is up."""
    guid, is_switch = int(node["Guid"]), node["NodeType"] == "Switch"
    ports = range(0, node["NumPorts"] + 1) if is_switch else [node["LocalPort"]]
    for number in ports:
        info = port.request(Mad("SubnGet(PortInfo)", path=path, modifier=int(number)),
                            timeout=timeout, retries=retries)
        if number == 0 or not is_switch:
            sweep.lids[guid] = int(info["Lid"])
        # Only switches pass SMPs on, and the sweep's own port.
        if number and info["LinkState"] != "Down" and (is_switch or not path):
            waiting.append((path + [int(number)], (guid, int(number))))


def read_errors(port, sweep, timeout=0.2, retries=3):
    """Error counters that are not 0, of all nodes with a LID: lines of text."""
    found = []
    for guid, lid in sorted(sweep.lids.items()):
        if not lid:
            continue
        try:
            counters = port.request(Mad("PerfGet(PortCounters)", PortSelect=0xff), lid,
                                    timeout=timeout, retries=retries)
            if counters.status:     # it does not know "all ports"
                counters = port.request(Mad("PerfGet(PortCounters)", PortSelect=1), lid,
                                        timeout=timeout, retries=retries)
        except umadrig.NoAnswer:
            found.append("no counters: %s" % sweep.nodes[guid])
            continue
        found += ["errors: %s %s=%d" % (sweep.nodes[guid], name, counters[name])
                  for name in COUNTERS if counters[name]]
    return found


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", metavar="FILE", help="the last sweep, and this one afterwards")
    parser.add_argument("--timeout", type=float, default=0.2, help="seconds for an answer")
    args = parser.parse_args()
    with umad.open() as port:
        sweep = sweep_fabric(port, timeout=args.timeout)
        problems = sweep.problems + read_errors(port, sweep, timeout=args.timeout)
    if args.state:
        try:
            with open(args.state, encoding="utf-8") as file:
                problems += sweep.compare(Sweep.from_json(file.read()))
        except FileNotFoundError:
            pass
        with open(args.state, "w", encoding="utf-8") as file:
            file.write(sweep.to_json())
    print("%d nodes, %d links" % (len(sweep.nodes), len(sweep.links)))
    for line in problems:
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
