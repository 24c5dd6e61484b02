#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""flap_alert.py [--times N] [--within SECONDS]: tells which links flap.

It has the SM forward trap 128 (the state of a link has changed), which names a switch, and then
reads LinkDownedCounter of that switch's ports. A port that went down N times within this time is an
alert, a line on standard output.
"""
import argparse
import collections
import sys
import time

from umadrig import Mad, NoAnswer, umad

SUBN_ADM, REPORT, REPORT_RESP = 0x03, 0x06, 0x86
LINK_STATE = 128
PATIENCE = {"timeout": 0.5, "retries": 3}


def subscribe(port):
    """InformInfo (IBA 13.4.8.3): the trap from whatever LID, to QP1."""
    inform = Mad("SubnAdmSet(InformInfo)", Subscribe=1, IsGeneric=1, Type=0xffff,
                 TrapNumber=LINK_STATE, ProducerType=0xffffff, LIDRangeBegin=0xffff, QPN=1)
    answer = port.request(inform, umad.port_attributes().sm_lid, **PATIENCE)
    if answer.status:
        sys.exit("the SM refuses InformInfo: status 0x%04x" % answer.status)


def reports(port, agent):
    """Yields the LIDs of switches. Each report is answered, or the SM sends it again."""
    while True:
        message = port.recv()
        answer = message.mad.copy()
        answer["Method"] = REPORT_RESP
        port.send(answer, message.address.lid, agent=agent)
        if message.mad["NoticeTrapNumber"] == LINK_STATE:
            yield int(message.mad["NoticeIssuerLID"])


class Watch:
    """What is known of ports."""

    def __init__(self, port, times, within):
        self.port, self.times, self.within = port, times, within
        self.counted = {}       # (LID, port) -> LinkDownedCounter
        self.downs = collections.defaultdict(collections.deque)   # (LID, port) -> when

    def ask(self, lid, name, **fields):
        return self.port.request(Mad(name, **fields), lid, **PATIENCE)

    def look(self, lid):
        """Reads all ports of a switch; yields an alert for each that has gone down too often."""
        for number in range(1, int(self.ask(lid, "SubnGet(NodeInfo)")["NumPorts"]) + 1):
            counters = self.ask(lid, "PerfGet(PortCounters)", PortSelect=number)
            count, known = int(counters["LinkDownedCounter"]), self.counted.get((lid, number))
            self.counted[lid, number] = count
            # What was counted before the first look was then, but for the one that brought us here.
            more = min(count, 1) if known is None else count - known
            downs = self.downs[lid, number]
            downs.extend([time.time()] * max(more, 0))
            while downs and downs[0] <= time.time() - self.within:
                downs.popleft()
            if len(downs) >= self.times:
                yield "%s port %d: the link went down %d times within %d s" % (
                    self.ask(lid, "SubnGet(NodeDescription)")["NodeDesc"], number, len(downs),
                    self.within)
                downs.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--within", type=int, default=3600, metavar="SECONDS")
    args = parser.parse_args()
    with umad.open() as listening, umad.open() as asking:
        agent = listening.register(SUBN_ADM, 2, [REPORT])
        subscribe(asking)
        watch = Watch(asking, args.times, args.within)
        for lid in reports(listening, agent):
            try:
                for alert in watch.look(lid):
                    print(time.strftime("%H:%M:%S", time.gmtime()), alert, flush=True)
            except NoAnswer as error:   # the switch may be what has gone
                print(error, file=sys.stderr)


if __name__ == "__main__":
    main()
