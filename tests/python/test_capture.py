# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Captures: written, read, watched, drawn."""
import errno

import pytest

import umadrig
from umadrig import Mad


@pytest.fixture
def fabric():
    with umadrig.Fabric(clock="virtual") as made:
        yield made


def test_a_capture_is_read_again(fabric, tmp_path):
    path = tmp_path / "a.pcapng"
    with fabric.open() as port, fabric.capture(path) as capture:
        fabric.note("here it begins")
        fabric.comment("a test")
        port.request(Mad("SubnGet(NodeInfo)"), 2)
        assert capture.path == str(path)
    seen = list(umadrig.read_capture(path))
    assert [one.mad.name for one in seen] == ["SubnGet(NodeInfo)", "SubnGetResp(NodeInfo)"]
    assert [one.port for one in seen] == ["H1[1]", "H2[1]"]
    assert (seen[0].slid, seen[0].dlid, seen[0].time_ns) == (1, 2, 0)
    assert all(one.outbound and not one.dropped and "a test" in one.comment for one in seen)
    assert seen[1].mad["NodeType"] == "CA"
    assert "--SubnGet(NodeInfo)---->" in umadrig.ladder(path)
    assert "here it begins" in umadrig.capture.show(path)
    assert "H2[1]" in umadrig.ladder(path, ports=["H1[1]", "H2[1]"])


def test_losses_are_seen(fabric, tmp_path):
    seen = []
    fabric.watch(seen.append)
    with fabric.open() as port:
        fabric.drop("1")
        port.request(Mad("SubnGet(NodeInfo)"), 2, retries=1)
    assert [(one.mad.name, one.dropped, one.time_ns) for one in seen] == [
        ("SubnGet(NodeInfo)", False, 0), ("SubnGet(NodeInfo)", True, 0),
        ("SubnGet(NodeInfo)", False, 10 ** 9), ("SubnGetResp(NodeInfo)", False, 10 ** 9)]
    fabric.watch(None)
    with fabric.open() as port:
        port.request(Mad("SubnGet(NodeInfo)"), 2)
    assert len(seen) == 4


def test_errors(fabric, tmp_path):
    with pytest.raises(umadrig.Error, match="nowhere"):
        fabric.capture(tmp_path / "nowhere" / "a.pcapng")
    with fabric.capture(tmp_path / "a.pcapng") as capture:
        with pytest.raises(umadrig.Error) as caught:
            fabric.capture(tmp_path / "b.pcapng")
        assert caught.value.errno == errno.EBUSY
    capture.stop()
    for path in (tmp_path / "none", __file__):
        with pytest.raises(umadrig.Error):
            umadrig.read_capture(path)
        with pytest.raises(umadrig.Error):
            umadrig.ladder(path)
