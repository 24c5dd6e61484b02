# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Tests of fabric_manager.py, with the fixtures of umadrig's plugin: run pytest here."""
import sys

import pytest

import fabric_manager
from fabric_manager import read_errors, sweep_fabric

NODES, LINKS = 8, 8     # of generate:fat-tree:4,4: four hosts, two leaves, two spines


def test_everything_is_found(fabric, umad):
    sweep = sweep_fabric(umad)
    assert len(sweep.nodes) == len(fabric.nodes) == NODES
    assert len(sweep.links) == LINKS
    assert not sweep.problems and not read_errors(umad, sweep)


@pytest.mark.umadrig("generate:fat-tree:4,4", state="cold", clock="virtual")
def test_no_subnet_manager_is_needed(umad):
    sweep = sweep_fabric(umad)
    assert len(sweep.nodes) == NODES and set(sweep.lids.values()) == {0}


def test_a_link_that_goes_down_is_found(fabric, umad):
    before = sweep_fabric(umad)
    fabric.link_down("S-0002c90200000000", 3)
    after = sweep_fabric(umad)
    lost = after.compare(before)
    assert len(lost) == 1 and lost[0].startswith("link down: ")
    assert not after.problems
    fabric.link_up("S-0002c90200000000", 3)
    fabric.advance(1)
    assert not sweep_fabric(umad).compare(before)


def test_a_node_that_loses_power_is_found(fabric, umad):
    before = sweep_fabric(umad)
    fabric.node_off("host-3")
    assert sweep_fabric(umad).compare(before) == ["node lost: host-3 HCA-1"]


def test_a_duplicated_guid_is_reported(fabric, umad):
    info = umad.request(fabric_manager.Mad("SubnGet(NodeInfo)"), fabric.port("host-2").lid)
    fabric.console('Guid "host-3 HCA-1" %x' % info["Guid"])
    sweep = sweep_fabric(umad)
    assert len(sweep.nodes) == NODES - 1
    assert [line for line in sweep.problems if "duplicated GUID 0x%016x" % info["Guid"] in line]


def test_lost_answers_are_asked_for_again(fabric, umad, capture):
    expected = sweep_fabric(umad)
    asked = len(capture.named("SubnGet(NodeInfo)"))
    capture.clear()
    with fabric.drop("20%"):
        sweep = sweep_fabric(umad, retries=20)
    assert (sweep.nodes, sweep.links, sweep.problems) == (expected.nodes, expected.links, [])
    assert len(capture.named("SubnGet(NodeInfo)")) > asked
    assert any(seen.dropped for seen in capture)


def test_a_silent_node_is_reported_and_the_sweep_goes_on(fabric, umad):
    fabric.drop("all", "class=0x81", at="host-2[1]")
    began = fabric.now
    sweep = sweep_fabric(umad, timeout=0.5, retries=2)
    assert len(sweep.problems) == 1 and sweep.problems[0].startswith("no answer: behind ")
    assert len(sweep.nodes) == NODES - 1
    assert fabric.now - began == 1.5       # one node, three times half a second


def test_an_answer_that_is_too_late_is_no_answer(fabric, umad):
    fabric.delay("all", "by 300ms", at="host-2[1]")
    assert len(sweep_fabric(umad, timeout=0.2, retries=0).problems) == 1
    assert not sweep_fabric(umad, timeout=1, retries=0).problems


def test_damaged_packets_are_counted_and_reported(fabric, umad):
    fabric.corrupt("1", "bits=64-80", at="host-2[1]")
    sweep = sweep_fabric(umad)
    assert not sweep.problems               # it was asked for again
    assert [line for line in read_errors(umad, sweep) if "PortRcvErrors=1" in line]


@pytest.mark.umadrig("generate:fat-tree:4,4")
def test_the_program_itself(fabric, tmp_path):
    def run():
        result = fabric.run([sys.executable, fabric_manager.__file__, "--timeout", "5", "--state",
                             tmp_path / "state"], host="host-1", check=False)
        return result.returncode, result.stdout.splitlines()

    assert run() == (0, ["%d nodes, %d links" % (NODES, LINKS)])
    fabric.node_off("host-0")
    assert run() == (1, ["%d nodes, %d links" % (NODES - 1, LINKS - 1),
                         "errors: leaf-0 LinkDownedCounter=1", "node lost: host-0 HCA-1"])
