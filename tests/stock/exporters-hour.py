# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
An hour of a port in virtual time: a load, errors, flaps, a link that is slower, a cable that is
dead. Each minute, what prometheus-node-exporter and collectd say of it is compared with what the
fabric counts and with what the port's own SMA says at that moment. Run below umadrig exec; prints
what was compared, and each way in which they differ, once.

exporters-hour.py UMADRIG COLLECTD_CONF

With NETDATA_CONF, netdata alone is compared, with that configuration: it looks each few seconds, so
that a counter that moves may be as it was when it last did.

With PMCD, the words that start pmcd with pmdaib as its agent, what pmdaib says by pminfo is
compared alone.

With TREYDOCK, treydock's infiniband_exporter, which asks by ibnetdiscover and perfquery, that one
alone is compared, on another host: what it shows of the port, which may be some seconds old.

With IN_BAND, a program in Python that asks the whole fabric in band (ibqueryerrors) and tells of
it at --port, that one alone is compared, which runs on another host: what it shows of the port.
"""
import collections
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

UMADRIG, COLLECTD_CONF = sys.argv[1:]


def free_address():
    """The machine's ports are others', too."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return "127.0.0.1:%d" % one.getsockname()[1]


PORT = "host-0[1]"
ADDRESS, BAND_ADDRESS = free_address(), free_address()
MINUTES = 60
BEGIN = 7       # seconds after the start; no event of the script is at a moment that is looked at
SCRIPT = ["counter %s SymbolErrorCounter +40/s" % PORT,
          "counter %s PortXmitWait +2000000/s" % PORT,
          "counter %s PortRcvErrors +1/s" % PORT,
          "after 1500s link degrade %s 1x" % PORT,
          "after 1800s link restore %s" % PORT,
          "after 2400s link down %s" % PORT]
# Flaps of 20 s, of which each third is looked at while it is down.
for flap in range(10):
    SCRIPT += ["after %ds link down %s" % (600 + 40 * flap, PORT),
               "after %ds link up %s" % (620 + 40 * flap, PORT)]

# What an exporter calls a counter, the fabric's name of it, and what one of the fabric's is there.
NODE = {
    "symbol_error_total": ("SymbolErrorCounter", 1),
    "link_error_recovery_total": ("LinkErrorRecoveryCounter", 1),
    "link_downed_total": ("LinkDownedCounter", 1),
    "port_errors_received_total": ("PortRcvErrors", 1),
    "port_receive_remote_physical_errors_total": ("PortRcvRemotePhysicalErrors", 1),
    "port_receive_switch_relay_errors_total": ("PortRcvSwitchRelayErrors", 1),
    "port_discards_transmitted_total": ("PortXmitDiscards", 1),
    "port_constraint_errors_transmitted_total": ("PortXmitConstraintErrors", 1),
    "port_constraint_errors_received_total": ("PortRcvConstraintErrors", 1),
    "local_link_integrity_errors_total": ("LocalLinkIntegrityErrors", 1),
    "excessive_buffer_overrun_errors_total": ("ExcessiveBufferOverrunErrors", 1),
    "vl15_dropped_total": ("VL15Dropped", 1),
    "port_transmit_wait_total": ("PortXmitWait", 1),
    "port_data_transmitted_bytes_total": ("PortXmitData", 4),
    "port_data_received_bytes_total": ("PortRcvData", 4),
    "port_packets_transmitted_total": ("PortXmitPkts", 1),
    "port_packets_received_total": ("PortRcvPkts", 1),
    "unicast_packets_transmitted_total": ("PortUnicastXmitPkts", 1),
    "unicast_packets_received_total": ("PortUnicastRcvPkts", 1),
    "multicast_packets_transmitted_total": ("PortMulticastXmitPkts", 1),
    "multicast_packets_received_total": ("PortMulticastRcvPkts", 1),
}
# The same of collectd, which has two values of most: received, transmitted.
COLLECTD = {
    "ib_octets": [("PortRcvData", 4), ("PortXmitData", 4)],
    "ib_packets-total": [("PortRcvPkts", 1), ("PortXmitPkts", 1)],
    "ib_packets-unicast": [("PortUnicastRcvPkts", 1), ("PortUnicastXmitPkts", 1)],
    "ib_packets-multicast": [("PortMulticastRcvPkts", 1), ("PortMulticastXmitPkts", 1)],
    "ib_packets-errors": [("PortRcvErrors", 1), None],
    "ib_packets-discards": [None, ("PortXmitDiscards", 1)],
    "ib_link_error_recovery-recovered": [("LinkErrorRecoveryCounter", 1)],
    "ib_link_error_recovery-downed": [("LinkDownedCounter", 1)],
    "ib_errors-symbol_errors": [("SymbolErrorCounter", 1)],
    "ib_xmit_wait": [("PortXmitWait", 1)],
}
# Of infiniband-exporter, which asks the fabric in band: as the fabric has them. (What is received
# has its own questions in it.)
BAND = ["SymbolErrorCounter", "LinkErrorRecoveryCounter", "LinkDownedCounter", "PortRcvErrors",
        "PortXmitDiscards", "PortXmitWait", "PortXmitData", "PortXmitPkts"]
# The same of treydock's infiniband_exporter.
TREYDOCK = {
    "symbol_error_total": ("SymbolErrorCounter", 1),
    "link_error_recovery_total": ("LinkErrorRecoveryCounter", 1),
    "link_downed_total": ("LinkDownedCounter", 1),
    "receive_errors_total": ("PortRcvErrors", 1),
    "transmit_discards_total": ("PortXmitDiscards", 1),
    "transmit_wait_total": ("PortXmitWait", 1),
    "transmit_data_bytes_total": ("PortXmitData", 4),
    "transmit_packets_total": ("PortXmitPkts", 1),
}
# Of netdata's charts, with its source "as-collected": (chart, dimension).
NETDATA = {
    ("cntbytes", "Received"): "PortRcvData", ("cntbytes", "Sent"): "PortXmitData",
    ("cntpackets", "Received"): "PortRcvPkts", ("cntpackets", "Sent"): "PortXmitPkts",
    ("cntpackets", "Mcast rcvd"): "PortMulticastRcvPkts",
    ("cntpackets", "Mcast sent"): "PortMulticastXmitPkts",
    ("cntpackets", "Ucast rcvd"): "PortUnicastRcvPkts",
    ("cntpackets", "Ucast sent"): "PortUnicastXmitPkts",
    ("cnterrors", "Pkts malformated"): "PortRcvErrors",
    ("cnterrors", "Pkts sent discarded"): "PortXmitDiscards",
    ("cnterrors", "Tick Wait to send"): "PortXmitWait",
    ("cnterrors", "Buffer overrun"): "ExcessiveBufferOverrunErrors",
    ("cnterrors", "Link Downed"): "LinkDownedCounter",
    ("cnterrors", "Link recovered"): "LinkErrorRecoveryCounter",
    ("cnterrors", "Link integrity err"): "LocalLinkIntegrityErrors",
    ("cnterrors", "Link minor errors"): "SymbolErrorCounter",
    ("cnterrors", "Pkts rcvd with EBP"): "PortRcvRemotePhysicalErrors",
    ("cnterrors", "Pkts rcvd discarded by switch"): "PortRcvSwitchRelayErrors",
}
# Of pmdaib: metrics of infiniband.port, the fabric's names of them, and units. (What is received
# has the answers to its own questions in it.) Those of "switch" are what the other end counts.
PMDAIB = {
    "in.errors.drop": ("PortRcvSwitchRelayErrors", 1),
    "in.errors.filter": ("PortRcvConstraintErrors", 1),
    "in.errors.local": ("PortRcvErrors", 1),
    "in.errors.remote": ("PortRcvRemotePhysicalErrors", 1),
    "out.bytes": ("PortXmitData", 4),
    "out.packets": ("PortXmitPkts", 1),
    "out.errors.drop": ("PortXmitDiscards", 1),
    "out.errors.filter": ("PortXmitConstraintErrors", 1),
    "total.errors.link": ("LinkDownedCounter", 1),
    "total.errors.recover": ("LinkErrorRecoveryCounter", 1),
    "total.errors.integrity": ("LocalLinkIntegrityErrors", 1),
    "total.errors.vl15": ("VL15Dropped", 1),
    "total.errors.overrun": ("ExcessiveBufferOverrunErrors", 1),
    "total.errors.symbol": ("SymbolErrorCounter", 1),
    "switch.out.bytes": ("PortXmitData", 4),
    "switch.out.packets": ("PortXmitPkts", 1),
}
# What moves by itself, in a second: by the load of 8 Gb/s in packets of 4 KiB, and by the script.
MOVES = {"PortRcvData": 2.5e8, "PortXmitData": 2.5e8, "PortRcvPkts": 245000, "PortXmitPkts": 245000,
         "PortUnicastRcvPkts": 245000, "PortUnicastXmitPkts": 245000, "PortXmitWait": 2000000,
         "PortRcvErrors": 1, "SymbolErrorCounter": 40}
STATES = {"Down": 1, "Initialize": 2, "Armed": 3, "Active": 4}
PHYSICAL = {"Polling": 2, "LinkUp": 5}


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


def counters():
    shown = run(UMADRIG, "ctl", "json", "counters", PORT, "PortCountersExtended")
    return json.loads(shown)["counters"]


def link():
    """State, physical state and width as the port's own SMA says them, by a MAD."""
    # By its name: without one, newer libraries open no port that is down.
    said = run("smpquery", "-C", "mlx5_0", "-P", "1", "-D", "portinfo", "0", "1")
    info = dict(re.findall(r"^(\w+):\.*(.*)$", said, re.M))
    return STATES[info["LinkState"]], PHYSICAL[info["PhysLinkState"]], info["LinkWidthActive"]


class Said:
    """What differs: how often, and the first and last of them."""

    def __init__(self):
        self.compared = 0
        self.differs = collections.OrderedDict()

    @staticmethod
    def is_same(said, done):
        """But for what comes in some microseconds: an exporter looks a little earlier."""
        if isinstance(said, str):
            return said == done
        return abs(said - done) <= (max(1, done / 100000) if done > 100 else 0)

    @staticmethod
    def rounded(number):
        """Four digits, for the same reason."""
        if isinstance(number, str) or number <= 9999:
            return number
        return round(number, 4 - len(str(number)))

    def compare(self, minute, exporter, name, said, done):
        self.compared += 1
        if self.is_same(said, done):
            return
        done = self.rounded(done)
        key = "%s %s" % (exporter, name)
        first, _, count = self.differs.get(key, ((minute, said, done), None, 0))
        self.differs[key] = (first, (minute, said, done), count + 1)

    def show(self):
        print("%d values compared" % self.compared)
        for key, (first, last, count) in self.differs.items():
            print("%s: %d times" % (key, count) +
                  ", first minute %d: %s instead of %s" % first +
                  ", last minute %d: %s instead of %s" % last)


def scrape():
    text = urllib.request.urlopen("http://%s/metrics" % ADDRESS).read().decode()
    return {name: float(value) for name, value in
            re.findall(r'^node_infiniband_(\w+)\{device="mlx5_0",port="1"\} (\S+)$',
                       text, re.M)}


def rate(state, width):
    """In Gb/s; of NDR, 100 for each lane."""
    return 0 if state == STATES["Down"] else 100 * int(width.rstrip("X"))


def main():
    for command in SCRIPT:
        run(UMADRIG, "ctl", *command.split())
    output = open("collectd.out", "w")
    sm = subprocess.Popen(["opensm", "-f", "opensm.log"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    node = subprocess.Popen(["prometheus-node-exporter", "--web.listen-address=" + ADDRESS,
                             "--log.level=error", "--collector.disable-defaults",
                             "--collector.infiniband"], stderr=subprocess.DEVNULL)
    began = time.time()
    time.sleep(BEGIN)
    collectd = subprocess.Popen(["collectd", "-f", "-C", COLLECTD_CONF], stdout=output,
                                stderr=subprocess.DEVNULL)
    at, said = {}, Said()
    for minute in range(MINUTES):
        time.sleep(began + BEGIN + 60 * minute - time.time())
        said_now, done, (state, physical, width) = scrape(), counters(), link()
        at[round(began + BEGIN + 60 * minute)] = (minute, done, state, physical, width)
        for metric, (name, unit) in NODE.items():
            said.compare(minute, "node_exporter", metric, int(said_now[metric]),
                         done[name] * unit)
        for metric, value in (("state_id", state), ("physical_state_id", physical)):
            said.compare(minute, "node_exporter", metric, int(said_now[metric]), value)
        said.compare(minute, "node_exporter", "rate_bytes_per_second * 8 / 1e9",
                     round(said_now["rate_bytes_per_second"] * 8 / 1e9), rate(state, width))
    time.sleep(1)
    for child in collectd, node, sm:
        child.terminate()
        child.wait()
    output.close()
    compare_collectd(at, said)
    print("minutes by state: %s" % dict(collections.Counter(
        "%d/%d/%s" % (row[2], row[3], row[4]) for row in at.values())))
    said.show()


def scrape_in_band():
    """Of the port, empty if it is not among what is shown; and whether all went well."""
    text = urllib.request.urlopen("http://%s/metrics" % BAND_ADDRESS).read().decode()
    shown = re.findall(r'^infiniband_(\w+?)(?:_total)?\{component="ca",.*local_name="host-0 mlx5_0"'
                       r',local_port="1".*\} (\S+)$', text, re.M)
    return ({name: float(value) for name, value in shown},
            re.search(r"^infiniband_scrape_ok (\S+)$", text, re.M)[1])


def compare_in_band(program):
    for command in SCRIPT:
        run(UMADRIG, "ctl", *command.split())
    sm = subprocess.Popen(["opensm", "-f", "opensm.log"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    exporter = subprocess.Popen([sys.executable, "-B", program,
                                 "--port", BAND_ADDRESS.split(":")[1]],
                                env=dict(os.environ, UMADRIG_HOST="host-1"),
                                stderr=subprocess.DEVNULL)
    began, said = time.time(), Said()
    time.sleep(BEGIN)
    for minute in range(MINUTES):
        time.sleep(began + BEGIN + 60 * minute - time.time())
        (shown, scrape_ok), done, (state, _, width) = scrape_in_band(), counters(), link()
        said.compare(minute, "infiniband-exporter", "scrape_ok", int(float(scrape_ok)), 1)
        said.compare(minute, "infiniband-exporter", "the port is among what is shown",
                     int(bool(shown)), int(state != STATES["Down"]))
        # What is 0 is not shown.
        for name in BAND if shown else []:
            said.compare(minute, "infiniband-exporter", name,
                         int(shown.get(name.lower(), 0)), done[name])
        if shown:
            said.compare(minute, "infiniband-exporter", "width", int(shown.get("width", 0)),
                         int(width.rstrip("X")))
    for child in exporter, sm:
        child.terminate()
        child.wait()
    said.show()


def compare_treydock(program):
    for command in SCRIPT:
        run(UMADRIG, "ctl", *command.split())
    sm = subprocess.Popen(["opensm", "-f", "opensm.log"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    exporter = subprocess.Popen([program, "--web.listen-address=" + BAND_ADDRESS,
                                 "--collector.hca", "--no-collector.switch"],
                                env=dict(os.environ, UMADRIG_HOST="host-1"),
                                stderr=subprocess.DEVNULL)
    guid = re.search(r"Port GUID: (0x\w+)", run("ibstat", "mlx5_0"))[1]
    began, said, missing = time.time(), Said(), 0
    time.sleep(BEGIN)
    for minute in range(MINUTES):
        time.sleep(began + BEGIN + 60 * minute - time.time())
        state, _, _ = link()    # before it: perfquery waits where a port does not answer
        text = urllib.request.urlopen("http://%s/metrics" % BAND_ADDRESS).read().decode()
        shown = dict(re.findall(r'^infiniband_hca_port_(\w+)\{guid="%s",port="1"\} (\S+)$' % guid,
                                text, re.M))
        done = counters()
        missing += state == STATES["Active"] and not shown
        for metric, (name, unit) in TREYDOCK.items() if shown else ():
            value = round(float(shown[metric]))
            least = done[name] * unit - MOVES.get(name, 0) * unit * 7
            said.compare(minute, "infiniband_exporter", metric,
                         done[name] * unit if least <= value <= done[name] * unit else value,
                         done[name] * unit)
    for child in exporter, sm:
        child.terminate()
        child.wait()
    print("Active, and not shown: %d minutes" % missing)
    said.show()


def scrape_netdata(source):
    """Of each dimension the value, and when it was so."""
    asked = "?format=prometheus&server=%s&source=%s" % (source, source)
    text = urllib.request.urlopen("http://%s/api/v1/allmetrics%s" %
                                  (ADDRESS, asked)).read().decode()
    return {(chart, dimension.strip()): (float(value), int(moment) / 1000)
            for chart, dimension, value, moment in
            re.findall(r'^netdata_ib_.*chart="Infiniband\.ib_(\w+?)_mlx5_0-1",.*'
                       r'dimension="([^"]*)"} (\S+) (\d+)$', text, re.M)}


def compare_netdata(configuration):
    for command in SCRIPT:
        run(UMADRIG, "ctl", *command.split())
    sm = subprocess.Popen(["opensm", "-f", "opensm.log"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    netdata = subprocess.Popen(["netdata", "-D", "-c", configuration,
                                "-W", "set", "web", "bind to", ADDRESS],
                               stderr=subprocess.DEVNULL)
    began, said = time.time(), Said()
    # It has no chart of the first moments.
    for minute in range(1, MINUTES):
        time.sleep(began + BEGIN + 60 * minute - time.time())
        # Since it was asked before, with a sign for what is sent; its kilobits have 1,024.
        average = -scrape_netdata("average").get(("cntbytes", "Sent"), (0, 0))[0] * 1024 / 1e9
        shown, done, now = scrape_netdata("as-collected"), counters(), time.time()
        state = link()[0]
        said.compare(minute, "netdata", "the port is among what is shown",
                     int(bool(shown)), int(state != STATES["Down"]))
        if not shown or now - shown["cntbytes", "Sent"][1] > 6:
            continue
        if minute == 5:
            said.compare(minute, "netdata", "Gb/s that are sent", round(average), 8)
        for dimension, name in NETDATA.items():
            value, moment = shown[dimension]
            # As it was at that moment, or since: the load stands still while the link is down.
            least = done[name] - MOVES.get(name, 0) * (now - moment + 1)
            said.compare(minute, "netdata", "%s, %s" % dimension,
                         done[name] if least <= value <= done[name] else value, done[name])
    for child in netdata, sm:
        child.terminate()
        child.wait()
    said.show()


def pminfo(port):
    """Of the only HCA and its port, by metric."""
    text = subprocess.run(["pminfo", "-h", "127.0.0.1", "-f", "infiniband.hca", "infiniband.port"],
                          env=dict(os.environ, PMCD_PORT=port), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False, text=True).stdout
    return {name: value.strip('"') for name, value in
            re.findall(r'^infiniband\.(?:port\.)?(\S+)\n'
                       r' +inst \[0 or "mlx5_0(?::1)?"\] value (.*)$', text, re.M)}


def compare_pmdaib(pmcd):
    for command in SCRIPT:
        run(UMADRIG, "ctl", *command.split())
    sm = subprocess.Popen(["opensm", "-f", "opensm.log"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    port = ADDRESS.split(":")[1]
    daemon = subprocess.Popen(pmcd.split() + ["-p", port], stderr=subprocess.DEVNULL)
    guids = dict(re.findall(r"(\w+) GUID: (0x\w+)", run("ibstat", "mlx5_0")))
    began, said = time.time(), Said()
    time.sleep(BEGIN)
    for minute in range(MINUTES):
        time.sleep(began + BEGIN + 60 * minute - time.time())
        # Before it: it waits for seconds where its switch does not answer.
        done, (state, physical, width) = counters(), link()
        shown = pminfo(port)
        for metric, guid in (("hca.node_guid", guids["Node"]), ("guid", guids["Port"])):
            said.compare(minute, "pmdaib", metric, hex(int(shown[metric])), hex(int(guid, 16)))
        for metric, value in (("state", ["Down", "Initializing", "Armed", "Active"][state - 1]),
                              ("phystate", "Link Up" if physical == 5 else "Polling"),
                              ("linkwidth", width.rstrip("X")), ("rate", str(rate(state, width)))):
            said.compare(minute, "pmdaib", metric, shown[metric], value)
        for metric, (name, unit) in PMDAIB.items():
            said.compare(minute, "pmdaib", metric + " is among what is shown",
                         int(metric in shown), 1)
            if metric in shown:
                said.compare(minute, "pmdaib", metric, int(shown[metric]), done[name] * unit)
    for child in daemon, sm:
        child.terminate()
        child.wait()
    said.show()


def compare_collectd(at, said):
    lines = re.findall(r"^PUTVAL h/infiniband-mlx5_0:1/(\S+) interval=60.000 (\d+)\.000:(\S+)$",
                       open("collectd.out").read(), re.M)
    for name, moment, text in lines:
        if int(moment) not in at:
            sys.exit("collectd has looked at %s, and nobody else" % moment)
        minute, done, state, physical, width = at[int(moment)]
        values = [int(float(value)) for value in text.split(":")]
        if name == "ib_state":
            said.compare(minute, "collectd", name, values[0], state)
        elif name == "ib_phys_state":
            said.compare(minute, "collectd", name, values[0], physical)
        elif name == "ib_rate":
            said.compare(minute, "collectd", name, values[0], rate(state, width))
        for value, meant in zip(values, COLLECTD.get(name, [])):
            if meant:
                said.compare(minute, "collectd", name, value, done[meant[0]] * meant[1])
    print("collectd: %d lines of %d moments" % (len(lines), len({line[1] for line in lines})))


if __name__ == "__main__":
    if os.environ.get("TREYDOCK"):
        compare_treydock(os.environ["TREYDOCK"])
    elif os.environ.get("IN_BAND"):
        compare_in_band(os.environ["IN_BAND"])
    elif os.environ.get("PMCD"):
        compare_pmdaib(os.environ["PMCD"])
    elif os.environ.get("NETDATA_CONF"):
        compare_netdata(os.environ["NETDATA_CONF"])
    else:
        main()
