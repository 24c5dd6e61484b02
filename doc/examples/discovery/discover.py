#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""discover.py: what ibnetdiscover prints, on standard input, as a tree for a scheduler, in JSON."""
import json
import re
import sys

SWITCH = re.compile(r'^Switch\s+\d+\s+"([^"]+)"\s+# "([^"]+)"')
HCA = re.compile(r'^Ca\s+\d+\s+"([^"]+)"\s+# "([^"]+)"')
CABLE = re.compile(r'^\[\d+\](?:\([0-9a-f]+\))?\s+"([^"]+)"\[\d+\]')
VENDOR = re.compile(r"^[^;:]+;([^;:]+):[^;:]+$")    # MF0;leaf-1:MQM9700/U1
DEVICE = re.compile(r"^(\S+) (\S+)$")               # host-7 mlx5_0


def read(lines):
    """Switches by id, with their cables; and (host, device) of adapters by id."""
    switches, adapters, at = {}, {}, None
    for line in lines:
        if match := SWITCH.match(line):
            vendor = VENDOR.match(match[2])
            at = switches[match[1]] = {"name": vendor[1] if vendor else match[2], "cables": []}
        elif match := HCA.match(line):
            at = None
            if device := DEVICE.match(match[2]):
                adapters[match[1]] = device.groups()
        elif at and (match := CABLE.match(line)):
            at["cables"].append(match[1])
    return switches, adapters


def set_tiers(switches, adapters):
    """Leaves have hosts and are of tier 1; others are one above the lowest that they lead to."""
    found = {id for id, switch in switches.items() if adapters.keys() & set(switch["cables"])}
    tier = 1
    while found:
        for switch in found:
            switches[switch]["tier"] = tier
        tier += 1
        found = {id for switch in found for id in switches[switch]["cables"]
                 if id in switches and "tier" not in switches[id]}


def tree(switches, adapters):
    """For each switch its hosts, with their devices, and the switches below it, with its cables."""
    rows = []
    for switch in switches.values():
        row = {"switch": switch["name"], "tier": switch.get("tier", 0), "hosts": {}, "below": {}}
        for id in switch["cables"]:
            if id in adapters:
                host, device = adapters[id]
                row["hosts"].setdefault(host, []).append(device)
            elif id in switches and switches[id].get("tier", 0) < row["tier"]:
                name = switches[id]["name"]
                row["below"][name] = row["below"].get(name, 0) + 1
        rows.append(row)
    return sorted(rows, key=lambda row: (row["tier"], row["switch"]))


if __name__ == "__main__":
    found_switches, found_adapters = read(sys.stdin)
    set_tiers(found_switches, found_adapters)
    print("[%s]" % ",\n".join(map(json.dumps, tree(found_switches, found_adapters))))
