# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""umad ports: open, register, send, receive, timeouts, errors."""
import errno
import os
import select
import subprocess
import sys

import pytest

import umadrig
from umadrig import Mad, umad


@pytest.fixture
def fabric():
    with umadrig.Fabric(clock="virtual") as made:
        yield made


@pytest.fixture
def port(fabric):
    with fabric.open() as opened:
        yield opened


def test_a_request_gets_its_answer(fabric, port):
    answer = port.request(Mad("SubnGet(NodeInfo)"), 2)
    assert answer.name == "SubnGetResp(NodeInfo)"
    assert answer.status == 0 and answer["NodeType"] == "CA"
    assert fabric.now == 0


def test_an_answer_by_hand(port):
    agent = port.register(1)
    port.send(Mad("SubnGet(NodeInfo)", tid=0x77), 2, agent=agent, timeout=1)
    message = port.recv(1)
    assert (message.agent, message.status) == (agent, 0)
    assert message.mad.tid & 0xffffffff == 0x77
    assert message.address.lid == 2 and message.address.qp == 0
    assert len(message.mad.data) == 256
    port.unregister(agent)
    with pytest.raises(umadrig.UmadError) as caught:
        port.send(Mad("SubnGet(NodeInfo)"), 2, agent=agent)
    assert caught.value.errno == errno.EINVAL


def test_no_answer_comes_back_with_its_status(fabric, port):
    fabric.drop()
    with pytest.raises(umadrig.NoAnswer, match="SubnGet\\(NodeInfo\\) from 2 after 80 s") as caught:
        port.request(Mad("SubnGet(NodeInfo)"), 2, timeout=20, retries=3)
    assert caught.value.errno == errno.ETIMEDOUT
    assert isinstance(caught.value, TimeoutError)
    assert fabric.now == 80.0
    agent = port.agent_for(Mad("SubnGet(NodeInfo)"))
    port.send(Mad("SubnGet(NodeInfo)", tid=5), 2, agent=agent, timeout=1)
    message = port.recv()
    assert message.status == errno.ETIMEDOUT
    assert message.mad.tid & 0xffffffff == 5


def test_a_timeout_without_a_message(fabric, port):
    with pytest.raises(umadrig.TimedOut) as caught:
        port.recv(2.5)
    assert not isinstance(caught.value, umadrig.NoAnswer)
    assert fabric.now == 2.5
    with pytest.raises(umadrig.TimedOut):
        port.recv(0)
    assert not port.poll(1)
    assert fabric.now == 3.5
    with pytest.raises(umadrig.TimedOut):
        port.recv(0.0001)
    assert fabric.now == 3.501      # libibumad counts milliseconds; a little is not nothing
    with pytest.raises(ValueError, match="negative"):
        port.recv(-1)


def test_waiting_for_ever_for_nothing(port):
    with pytest.raises(umadrig.UmadError) as caught:
        port.recv()
    assert caught.value.errno == errno.EDEADLK


def test_a_server_and_a_client(fabric):
    with fabric.open("H2") as server, fabric.open("H1") as client:
        mad = Mad("VendGet(0x0010)", mgmt_class=0x32, OUI=0x001405)
        agent = server.register(0x32, 1, [1], oui=0x001405)
        own = client.agent_for(mad)
        client.send(mad, 2, agent=own, timeout=1)
        request = server.recv(1)
        assert request.agent == agent and request.address.lid == 1
        assert request.mad.name == "VendGet(0x0010)" and request.mad.oui == 0x001405
        reply = request.mad.copy()
        reply["Method"] = 0x81
        server.send(reply, request.address, agent=agent)
        answer = client.recv(1)
        assert answer.status == 0 and answer.mad.is_response
        assert client.poll() is False


def test_a_long_message_is_reassembled(fabric):
    with fabric.open("H2") as server, fabric.open("H1") as client:
        long = Mad.from_bytes(Mad("VendGet(0x0010)", mgmt_class=0x32, OUI=0x001405).data +
                              bytes(range(256)) * 4)
        long["RMPPVersion"] = 1
        long["RMPPFlags"] = 1
        long["Method"] = 0x02
        agent = server.register(0x32, 1, [2], oui=0x001405, rmpp=True)
        own = client.register(0x32, 1, oui=0x001405, rmpp=True)
        client.send(long, 2, agent=own, timeout=1)
        message = server.recv(1)
        assert message.agent == agent
        assert message.mad.data[40:] == long.data[40:]


def test_refused_registrations(port):
    port.register(0x32, 1, [1], oui=1)
    for arguments, number in (((0x32, 1, [1]), errno.EINVAL), ((0xff, 1, [1]), errno.EINVAL)):
        with pytest.raises(umadrig.UmadError, match="register class") as caught:
            port.register(*arguments)
        assert caught.value.errno == number
    with pytest.raises(ValueError, match="0 to 127"):
        port.register(4, 1, [128])
    with pytest.raises(umadrig.UmadError) as caught:
        port.unregister(31)
    assert caught.value.errno == errno.EINVAL


def test_devices_and_their_ports(fabric):
    with fabric.open():
        pass
    assert umad.devices() == ["H1"]
    attributes = umad.port_attributes()
    assert (attributes.device, attributes.number, attributes.lid) == ("H1", 1, 1)
    assert attributes.sm_lid == 2 and attributes.state == 4
    assert attributes.guid == 0x0002c90300000001
    assert attributes.gid_prefix == 0xfe80000000000000
    assert attributes.link_layer == "InfiniBand"
    with pytest.raises(umadrig.UmadError):
        umad.port_attributes("none", 1)


def test_wrong_devices_and_hosts(fabric):
    for arguments, number in (({"host": "H9"}, errno.ENOENT), ({"device": "H7"}, errno.ENODEV),
                              ({"port": 9}, errno.ENODEV)):
        with pytest.raises(umadrig.Error) as caught:
            fabric.open(**arguments)
        assert caught.value.errno == number


def test_each_fabric_has_its_own_ports():
    with umadrig.Fabric(clock="virtual") as one, umadrig.Fabric(clock="virtual") as other:
        with one.open() as a, other.open() as b:
            other.drop()
            assert a.request(Mad("SubnGet(NodeInfo)"), 2).status == 0
            with pytest.raises(umadrig.NoAnswer):
                b.request(Mad("SubnGet(NodeInfo)"), 2)
            assert (one.now, other.now) == (0, 1.0)


def test_a_closed_port(fabric):
    port = fabric.open()
    assert port.fileno() == port.fd
    port.close()
    port.close()
    with pytest.raises(umadrig.UmadError, match="closed") as caught:
        port.recv(0)
    assert caught.value.errno == errno.EBADF


def test_poll_on_the_real_clock():
    with umadrig.Fabric() as fabric, fabric.open() as port:
        port.send(Mad("SubnGet(NodeInfo)"), 2, agent=port.register(1), timeout=10)
        readable, _, _ = select.select([port], [], [], 10)
        assert readable == [port]
        assert port.recv(10).status == 0


def test_a_grh_goes_along(fabric):
    with fabric.open("H2") as server, fabric.open("H1") as client:
        mad = Mad("VendGet(0x0010)", mgmt_class=0x32, OUI=1)
        agent = server.register(0x32, 1, [1], oui=1)
        gid = fabric.port("H2").gid()
        client.send(mad, umadrig.Address(2, gid=gid, hop_limit=9, flow_label=0x12345),
                    agent=client.agent_for(mad), timeout=1)
        address = server.recv(1).address
        assert address.gid == fabric.port("H1").gid() and address.flow_label == 0x12345
        assert agent >= 0
        with pytest.raises(ValueError, match="16 bytes"):
            client.send(mad, umadrig.Address(2, gid=b"\0"), agent=0)


def test_the_environment_stays_as_it_is(fabric):
    fabric.open().close()
    assert "UMAD_BACKEND" not in os.environ


def test_a_process_has_one_backend():
    program = "import umadrig\nwith umadrig.Fabric() as f:\n    f.open()\n"
    result = subprocess.run([sys.executable, "-c", program], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False,
                            env={**os.environ, "UMAD_BACKEND": "attach:/x"})
    assert "UMAD_BACKEND=attach:/x: this process's umad ports are already there" in result.stdout


def test_below_umadrig_exec():
    program = ("import umadrig\nfrom umadrig import umad\n"
               "with umad.open() as port:\n"
               "    print(port.request(umadrig.Mad('SubnGet(NodeInfo)'), 2)['NodeType'])\n")
    result = subprocess.run([umadrig.library.place("umadrig"), "exec", "--", sys.executable, "-c",
                             program], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            check=False)
    assert result.stdout == "CA\n", result.stderr
