# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The built-in conditions of properties by their names: each of them kept, and broken."""
import ctypes

import pytest

import umadrig
from umadrig import Mad, library

STAR = """\
Hca 1 "H1"
[1] "S1"[1]

Hca 1 "H2"
[1] "S1"[2]

Hca 1 "H3"
[1] "S1"[3]

Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]
[3] "H3"[1]
"""


@pytest.fixture
def fabric(tmp_path):
    star = tmp_path / "star.net"
    star.write_text(STAR)
    with umadrig.Fabric(star, clock="virtual") as made:
        yield made


def begin_sm(fabric, node):
    """As a program that opens the port's issm file: it has IsSM."""
    port = fabric.port(node)
    assert library.umadrig().umadrig_issm_open(ctypes.c_void_p(port._port())) == 0


def state(fabric, number, end=False):
    """What has become of a property, and why."""
    found = [one for one in fabric.properties(end=end) if one.id == number]
    return found[0].state, found[0].why


def advance_to(fabric, seconds):
    fabric.advance(seconds - fabric.now)


def test_all_active(fabric):
    number = fabric.always("all-active", within=2)
    fabric.link_down("H2")          # a cable that is pulled need not be active
    fabric.advance(3)
    assert state(fabric, number) == ("holds", None)
    fabric.link_up("H2")            # nobody makes it Active again
    fabric.advance(3)
    assert state(fabric, number) == ("broken", "H2[1] is not Active, for 2s")


def test_unique_lids(fabric):
    number = fabric.always("unique-lids", within=1)
    fabric.port("H2").set_lid(1000)
    fabric.advance(2)
    assert state(fabric, number) == ("holds", None)
    fabric.port("H3").set_lid(1000)
    fabric.advance(2)
    assert state(fabric, number) == ("broken", "H2[1] and H3[1] have LID 1000, for 1s")


def test_every_way_leads(fabric):
    number = fabric.always("every-way-leads", within=1)
    fabric.advance(2)
    assert state(fabric, number) == ("holds", None)
    fabric.link_down("H3")
    fabric.link_up("H3")            # nobody makes it Active again
    fabric.advance(2)
    broken, why = state(fabric, number)
    assert broken == "broken" and why.startswith("H1[1] to LID ") and why.endswith(", for 1s")


def test_one_master(fabric):
    number = fabric.always("one-master", within=0)
    with fabric.open("H1") as one, fabric.open("H2") as other:
        for name, port in (("H1", one), ("H2", other)):
            assert state(fabric, number) == ("holds", None)
            begin_sm(fabric, name)
            # Only a master writes to nodes.
            port.request(Mad("SubnSet(NodeDescription)", path=[1]))
    assert state(fabric, number) == ("broken", "H1[1] and H2[1] are masters")


def test_every_request_ends(fabric):
    number = fabric.always("every-request-ends", within=10)
    with fabric.open() as port:
        port.request(Mad("SubnGet(NodeInfo)", path=[1]))
        fabric.drop("1")
        with pytest.raises(umadrig.NoAnswer):
            port.request(Mad("SubnGet(NodeInfo)", path=[1]), timeout=0.1, retries=0)
        fabric.advance(20)
        assert state(fabric, number) == ("holds", None)
        # What comes back is about something else: the program may throw it away.
        fabric.console("fault lie modifier 1 SubnGetResp(NodeInfo)")
        port.request(Mad("SubnGet(NodeInfo)", path=[1]))
        fabric.advance(20)
    broken, why = state(fabric, number)
    assert broken == "broken" and " is forgotten: the answer has modifier " in why


def test_alive(fabric):
    number = fabric.always("alive")
    begin_sm(fabric, "H1")
    with fabric.open("H1") as port:
        agent = port.register(0x81, methods=[1])
        for _ in range(6):
            request = port.recv(5)
            assert request.mad.name == "SubnGet(SMInfo)"
            answer = request.mad.copy()
            answer["Method"] = 0x81
            answer["Status"] = 0x8000
            port.send(answer, request.address, agent=agent)
        assert fabric.now == 30 and state(fabric, number) == ("holds", None)
        advance_to(fabric, 60)              # it is there, and says nothing
    assert state(fabric, number) == (
        "broken", "the subnet manager at H1[1] answers no SMInfo, for 20s")


def test_alive_without_any(fabric):
    number = fabric.always("alive", within=5)
    fabric.advance(6)
    assert state(fabric, number) == ("broken", "there is no subnet manager, for 5s")


def test_no_credit_loop(fabric):
    number = fabric.always("no-credit-loop", within=1)
    fabric.advance(2)
    assert state(fabric, number) == ("holds", None)


def test_a_credit_loop(tmp_path):
    count, lines = 5, []
    for at in range(count):
        lines.append('Hca 1 "H%d"\n[1] "S%d"[3]\n' % (at, at))
        lines.append('Switch 4 "S%d"\n[1] "S%d"[2]\n[2] "S%d"[1]\n[3] "H%d"[1]\n' % (
            at, (at + 1) % count, (at - 1) % count, at))
    ring = tmp_path / "ring.net"
    ring.write_text("\n".join(lines))
    with umadrig.Fabric(ring, clock="virtual") as fabric:
        number = fabric.always("no-credit-loop", within=1)
        fabric.advance(2)
        broken, why = state(fabric, number)
        assert broken == "broken" and why.endswith(" VL 0 wait for each other, for 1s")
        assert all("S%d[" % at in why for at in range(count))


def test_log_has(fabric, tmp_path):
    log = tmp_path / "opensm.log"
    log.write_text("SUBNET UP\n")
    number = fabric.never("log-has %s ERR [0-9A-F]{4}" % log)
    met = fabric.sometimes("log-has %s SUBNET UP" % log)
    with fabric.open() as port:
        port.request(Mad("SubnGet(NodeInfo)", path=[1]))
        fabric.advance(1)
        assert state(fabric, number) == ("holds", None)
        assert state(fabric, met)[0] == "met"
        log.write_text("SUBNET UP\nSUBNET UP\nERR 1F0A: no\n")
        port.request(Mad("SubnGet(NodeInfo)", path=[1]))
        fabric.advance(1)
    assert state(fabric, number) == ("broken", "opensm.log: ERR 1F0A: no")


@pytest.mark.parametrize("condition", ["memory-bounded 64M", "program 'true' every 5s"])
def test_of_programs(fabric, condition):
    """Those of `umadrig exec` and `umadrig explore` alone."""
    with pytest.raises(umadrig.ConsoleError, match="this fabric knows of no programs: "):
        fabric.always(condition)


def test_all_of_them_have_a_test(fabric):
    with pytest.raises(umadrig.ConsoleError) as caught:
        fabric.always("nothing")
    names = str(caught.value).split("expected ")[1].split(", or ")[0].split(", ")
    assert names == [
        "all-active", "unique-lids", "every-way-leads", "one-master", "every-request-ends",
        "alive", "no-credit-loop", "memory-bounded", "log-has", "program"]
