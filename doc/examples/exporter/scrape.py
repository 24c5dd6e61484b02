#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""scrape.py URL: in place of Prometheus: scrapes every minute for an hour, and checks the rates."""
import re
import sys
import time
import urllib.request

INTERVAL_S, SCRAPES = 60, 61
SAMPLE = re.compile(r'^(\w+)\{node="([^"]*)",port="(\d+)"\} (\d+)$', re.M)
# What run.sh has moved: two hosts share a third one's link of 200 Gb/s, and a cable is bad.
WANTED = {
    ("infiniband_port_xmit_data_bytes_total", "host-1 HCA-1", "1"): 100e9 / 8,
    ("infiniband_port_xmit_data_bytes_total", "host-2 HCA-1", "1"): 100e9 / 8,
    ("infiniband_port_rcv_data_bytes_total", "host-9 HCA-1", "1"): 200e9 / 8,
    ("infiniband_port_xmit_data_bytes_total", "host-3 HCA-1", "1"): 10e9 / 8,
    ("infiniband_symbol_error_counter_total", "leaf-0", "4"): 0.01,
    # host-1 has something to send half of the time, and no credits; a tick is 4 ns.
    ("infiniband_port_xmit_wait_total", "host-1 HCA-1", "1"): 0.5 / 4e-9,
}


def scrape(url):
    with urllib.request.urlopen(url) as answer:
        text = answer.read().decode()
    return time.time(), {(name, node, port): int(value)
                         for name, node, port, value in SAMPLE.findall(text)}


def rate(first, last, key):
    """As rate() of PromQL; an error that nobody has seen is not exported, and is 0."""
    return (last[1].get(key, 0) - first[1].get(key, 0)) / (last[0] - first[0])


def main():
    samples = []
    for _ in range(SCRAPES):
        time.sleep(INTERVAL_S)
        samples.append(scrape(sys.argv[1]))
    bad = 0
    for key, wanted in WANTED.items():
        found = rate(samples[0], samples[-1], key)
        right = abs(found - wanted) <= wanted / 1000
        bad += not right
        print("%s: rate(%s{node=\"%s\",port=\"%s\"}) is %.6g, expected %.6g" % (
            "right" if right else "WRONG", *key, found, wanted))
    print("%d scrapes in %.0f s" % (len(samples), samples[-1][0] - samples[0][0]))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
