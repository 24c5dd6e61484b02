# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Faults and counters."""
import errno
import re

import pytest

import umadrig
from umadrig import Mad


@pytest.fixture
def fabric():
    with umadrig.Fabric(clock="virtual") as made:
        yield made


@pytest.fixture
def port(fabric):
    with fabric.open() as opened:
        yield opened


GET = "SubnGet(NodeInfo)"


def test_drop(fabric, port):
    with fabric.drop("1", at="H1[1]") as fault:
        assert port.request(Mad(GET), 2, timeout=2, retries=1).status == 0
        assert fault.hits == 1 and fabric.now == 2.0
    with pytest.raises(umadrig.FaultError) as caught:
        fault.hits
    assert caught.value.errno == errno.ENOENT


def test_where(fabric, port):
    with fabric.drop("1", at="H2[1]", where="SubnGetResp(NodeInfo) NumPorts=2") as fault:
        port.request(Mad(GET), 2, timeout=2)
        assert fault.hits == 0
    with fabric.drop("1", "SubnGetResp(NodeInfo)", where='NodeType=CA from="H2"') as fault:
        port.request(Mad(GET), 2, timeout=2, retries=1)
        assert fault.hits == 1
    with pytest.raises(umadrig.FaultError, match="'trip': how long an answer takes is not known"):
        fabric.drop("1", where="trip>1ms")


def test_delay(fabric, port):
    fabric.delay("all", "by 250ms", at="H2[1]")
    port.request(Mad(GET), 2, timeout=9)
    assert fabric.now == 0.5        # both ways


def test_duplicate(fabric, port):
    agent = port.register(1, 1, [])
    with fabric.open("H2") as server:
        own = server.register(0x32, 1, [1, 3], oui=1)
        fabric.duplicate("1", "by 1ms")
        port.send(Mad("VendSend(0x0010)", mgmt_class=0x32, OUI=1), 2,
                  agent=port.register(0x32, oui=1))
        assert [server.recv(1).agent, server.recv(1).agent] == [own, own]
        assert not server.poll(1)
    assert agent >= 0


def test_reorder(fabric, port):
    with fabric.open("H2") as server:
        server.register(0x32, 1, [3], oui=1)
        agent = port.register(0x32, oui=1)
        fabric.reorder("1")
        for tid in (1, 2):
            port.send(Mad("VendSend(0x0010)", mgmt_class=0x32, OUI=1, tid=tid), 2, agent=agent)
        assert [server.recv(1).mad.tid & 0xff for _ in range(2)] == [2, 1]


def test_corrupt(fabric, port):
    fabric.corrupt("1", "bits=8-15")
    port.request(Mad(GET), 2, timeout=2, retries=1)
    assert fabric.counter("H2", 1, "PortRcvErrors") == 1


def test_each_action_has_a_method(fabric):
    with pytest.raises(umadrig.FaultError) as caught:
        fabric.fault("nothing")
    words = re.search("expected (.*) first", str(caught.value)).group(1)
    for word in words.replace(" or ", ", ").split(", "):
        try:
            fault = getattr(fabric, word)("1")
        except umadrig.FaultError as error:
            more = "by 2ms" if "needs a time" in str(error) else "any"
            assert more != "any" or "needs a field" in str(error)
            fault = getattr(fabric, word)("1", more)
        assert fault.text.startswith(word) and word in fabric.console("fault list")


def test_in_words(fabric, port):
    fault = fabric.fault("drop 1 class=0x01 on H1[1]")
    assert fault.text in repr(fault)
    assert "drop 1 class=0x01 on H1[1]" in fabric.console("fault list")
    fabric.console("fault remove all")
    with pytest.raises(umadrig.FaultError):
        fault.remove()


@pytest.mark.parametrize("rule, number, message", [
    ("drap 5%", errno.EINVAL, "drap"), ("drop 5x", errno.EINVAL, "5x"),
    ("drop:5%@H1[1]", errno.EINVAL, r"write 'drop 5% on H1\[1\]'"),
    ("drop all on H9[1]", errno.ENOENT, "H9")])
def test_wrong_rules(fabric, rule, number, message):
    with pytest.raises(umadrig.FaultError, match=message) as caught:
        fabric.fault(rule)
    assert caught.value.errno == number


def test_the_same_seed_loses_the_same():
    def losses(seed):
        with umadrig.Fabric(clock="virtual", seed=seed, fault="drop 30%") as fabric, \
                fabric.open() as port:
            lost = []
            for number in range(40):
                try:
                    port.request(Mad(GET), 2)
                except umadrig.NoAnswer:
                    lost.append(number)
            return lost
    assert losses(7) == losses(7) != losses(8)


def test_counters(fabric, port):
    counters = fabric.counters("H1", 1)
    before = counters["PortXmitPkts"]
    port.request(Mad("PerfGet(PortCounters)", PortSelect=1), 2)
    assert counters["PortXmitPkts"] == before + 1
    name = "PortCounters.SymbolErrorCounter"    # each attribute has its own counters
    counters[name] = 7
    assert counters[name] == fabric.counter("H1", 1, name) == 7
    answer = port.request(Mad("PerfGet(PortCounters)", PortSelect=1), 1)
    assert answer["SymbolErrorCounter"] == 7
    counters[name] = 0
    assert counters[name] == 0


def test_counters_that_move(fabric):
    fabric.move_counter("H1", 1, "SymbolErrorCounter", 10, duration=60)
    with fabric.load("H1:H2:3.2G") as load:
        assert load.rate == 3200000000
        fabric.advance(100)
    fabric.advance(100)
    counters = fabric.counters("H1", 1)
    assert counters["SymbolErrorCounter"] == 600
    assert counters["PortXmitData"] == fabric.counter("H2", 1, "PortRcvData") == 10000000000
    with pytest.raises(umadrig.Error, match="expected a rate") as caught:
        fabric.load("H1:H2:fast")
    assert caught.value.errno == errno.EINVAL


def test_wrong_counters(fabric):
    for call, number in ((lambda: fabric.counter("H9", 1, "PortXmitPkts"), errno.ENOENT),
                         (lambda: fabric.counter("H1", 1, "Colour"), errno.EINVAL),
                         (lambda: fabric.set_counter("H1", 1, "SymbolErrorCounter", -1),
                          errno.ERANGE),
                         (lambda: fabric.set_counter("H1", 1, "PortCounters.PortRcvErrors",
                                                     1 << 40), errno.ERANGE)):
        with pytest.raises(umadrig.Error) as caught:
            call()
        assert caught.value.errno == number
