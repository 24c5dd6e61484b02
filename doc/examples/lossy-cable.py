# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""lossy-cable.py: half of what crosses a cable is lost, and yet the request is answered."""
import umadrig

with umadrig.Fabric("cluster.net", clock="virtual") as fabric, fabric.open("node7") as port:
    fabric.drop("50%", at="S1[3]")
    ask = umadrig.Mad("SubnGet(NodeDescription)")
    answer = port.request(ask, fabric.port("node3").lid, timeout=1, retries=9)
    print(answer["NodeDesc"], "answers after", fabric.now, "seconds")
