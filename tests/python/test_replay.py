# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Captures that answer, arrive and are asked again; traces and taps."""
import errno

import pytest

import umadrig
from umadrig import Mad


@pytest.fixture
def capture(tmp_path):
    """H1 asks H2 for its NodeInfo and its PortInfo, a second apart."""
    path = tmp_path / "then.pcapng"
    with umadrig.Fabric(clock="virtual") as fabric, fabric.open() as port:
        with fabric.capture(path):
            port.request(Mad("SubnGet(NodeInfo)"), 2)
            fabric.advance(1)
            port.request(Mad("SubnGet(PortInfo)", modifier=1), 2)
    return path


@pytest.fixture
def fabric():
    with umadrig.Fabric(clock="virtual") as made:
        yield made


def test_a_capture_answers(fabric, capture):
    replay = fabric.replay(capture, unmatched="timeout")
    fabric.node_off("H2")
    with fabric.open() as port:
        assert port.request(Mad("SubnGet(NodeInfo)"), 2)["NodeType"] == "CA"
        with pytest.raises(umadrig.NoAnswer):
            port.request(Mad("SubnGet(NodeDescription)"), 2)
    counts = replay.counts
    assert (counts.exact, counts.near, counts.unmatched) == (1, 0, 1)
    assert not replay.timed


def test_keep_leaves_out(fabric, capture):
    replay = fabric.replay(capture, keep=lambda seen: "PortInfo" in seen.mad.name)
    with fabric.open() as port, pytest.raises(umadrig.NoAnswer):
        port.request(Mad("SubnGet(NodeInfo)"), 2)
    assert replay.counts.unmatched == 1


def test_what_keep_raises_is_raised(fabric, capture):
    def keep(seen):
        raise ZeroDivisionError(seen.mad.name)
    with pytest.raises(ZeroDivisionError):
        fabric.replay(capture, at=fabric.port("H1"), keep=keep)


@pytest.mark.parametrize("speed, last", [(1, 10 ** 9), (4, 250_000_000)])
def test_a_capture_arrives(fabric, capture, speed, last):
    replay = fabric.replay(capture, at=fabric.port("H1"), speed=speed)
    assert replay.timed and replay.progress.left == 2
    fabric.run_idle()
    progress = replay.progress
    assert (progress.arrived, progress.left, progress.last_ns) == (2, 0, last)


def test_wrong_replays(fabric, capture, tmp_path):
    with pytest.raises(umadrig.Error, match="nothing"):
        fabric.replay(tmp_path / "nothing.pcap")
    for wrong in ({"speed": 2}, {"own_tids": True}, {"at": fabric.port("H1"), "as_of": "last"},
                  {"at": fabric.port("H1"), "speed": 0}):
        with pytest.raises(ValueError):
            fabric.replay(capture, **wrong)


def test_asking_again(fabric, capture):
    asked = fabric.ask(capture)
    assert (asked.asked, asked.same) == (2, 2) and asked.as_captured
    assert not asked.differences
    fabric.node_off("H2")
    asked = fabric.ask(capture, timeout=0.1)
    assert (asked.asked, asked.unanswered) == (2, 2) and not asked.as_captured


def test_differences_have_names(fabric, capture):
    fabric.port("H2").set_lid(2, lmc=1)
    asked = fabric.ask(capture, fabric.port("H1"))
    assert asked.changed == 1 and not asked.as_captured
    assert [(one.request, one.field, one.captured, one.actual) for one in asked.differences] == [
        ("SubnGet(PortInfo)", "PortInfo.LMC", "0", "1")]
    assert fabric.ask(capture, ignoring=["LMC"]).as_captured


def test_nothing_asked_is_not_as_captured(fabric, capture):
    asked = fabric.ask(capture, keep=lambda seen: False)
    assert asked.asked == 0 and not asked.as_captured


def test_wrong_questions(fabric, capture):
    with pytest.raises(umadrig.Error, match="NoSuchField"):
        fabric.ask(capture, ignoring=["NoSuchField"])
    with pytest.raises(umadrig.Error) as caught:
        fabric.ask(capture, timeout=0)
    assert caught.value.errno == errno.EINVAL


def test_trace_and_tap(fabric):
    traced, packets = [], []
    fabric.trace(lambda *line: traced.append(line))
    fabric.port("H2").tap(lambda *packet: packets.append(packet))
    with fabric.open() as port:
        port.request(Mad("SubnGet(NodeInfo)"), 2)
        fabric.trace(None)
        fabric.port("H2").tap(None)
        before = len(traced), len(packets)
        port.request(Mad("SubnGet(NodeInfo)"), 2)
    assert (len(traced), len(packets)) == before
    assert [outbound for _, outbound, _ in packets] == [False, True]
    assert all(len(data) == 8 + 12 + 8 + 256 for _, _, data in packets)
    assert traced and all(isinstance(text, str) and text for _, _, text in traced)
