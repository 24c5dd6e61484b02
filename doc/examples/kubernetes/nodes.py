#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""nodes.py [COUNT]: the hosts of generate:rail as nodes that kwok plays, for kubectl apply -f -."""
import json
import sys


def node(name):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {
        "name": name,
        "annotations": {"kwok.x-k8s.io/node": "fake"},
        "labels": {"kubernetes.io/hostname": name, "type": "kwok"}}}


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    json.dump({"apiVersion": "v1", "kind": "List",
               "items": [node("host-%d" % number) for number in range(count)]}, sys.stdout)
    print()
