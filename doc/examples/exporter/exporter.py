#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""exporter.py PORT: the fabric's counters for Prometheus, asked by ibqueryerrors at each scrape.

It prints the URL; 0 is any port that is free.
"""
import http.server
import re
import subprocess
import sys

NODE = re.compile(r'^(?:Errors|Data Counters) for (?:0x\w+ )?"([^"]*)"')
PORT = re.compile(r"^\s+GUID 0x\w+ port (\d+): ")
COUNTER = re.compile(r"\[(\w+) == (\d+)")
WORDS = {"PortXmitData", "PortRcvData"}     # in 32-bit words


def metric_name(counter):
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", counter).lower()
    return "infiniband_%s%s_total" % (snake, "_bytes" if counter in WORDS else "")


def counters(lines):
    """Yields (node, port, counter, value)."""
    node = None
    for line in lines:
        if match := NODE.match(line):
            node = match[1]
        elif match := PORT.match(line):
            for counter, value in COUNTER.findall(line):
                yield node, match[1], counter, int(value)


def metrics():
    """The text that Prometheus reads."""
    found = {}
    for options in (["--counters"], []):    # data of all ports; errors where there are some
        printed = subprocess.run(["ibqueryerrors", "--skip-sl"] + options, check=False, text=True,
                                 stdout=subprocess.PIPE).stdout
        for node, port, counter, value in counters(printed.split("\n")):
            line = '%s{node="%s",port="%s"} %d' % (
                metric_name(counter), node, port, value * (4 if counter in WORDS else 1))
            found.setdefault(metric_name(counter), []).append(line)
    return "".join("# TYPE %s counter\n%s\n" % (name, "\n".join(sorted(lines)))
                   for name, lines in sorted(found.items()))


class Handler(http.server.BaseHTTPRequestHandler):
    """GET /metrics"""

    def do_GET(self):   # pylint: disable=invalid-name
        text = metrics().encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):   # pylint: disable=arguments-differ
        pass


if __name__ == "__main__":
    server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print("http://127.0.0.1:%d/metrics" % server.server_port, flush=True)
    server.serve_forever()
