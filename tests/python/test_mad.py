# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""MADs, built and read by the names of the dictionary."""
import ipaddress
import json
import subprocess

import pytest

import umadrig
from umadrig import Mad, dictionary, library


def test_the_dictionary_is_that_of_the_command():
    exported = json.loads(subprocess.check_output([library.place("umadrig"), "fields", "--json"]))
    loaded = dictionary.load()
    assert [c.name for c in loaded.classes] == [c["name"] for c in exported["classes"]]
    with pytest.raises(umadrig.LibraryMissing, match="reads umadrig-fields, version 1"):
        dictionary.Dictionary({**exported, "version": 2})


def test_a_mad_by_names():
    mad = Mad("SubnSet(PortInfo)", modifier=3, tid=0x1234, LinkState="Armed", Lid=17)
    mad["SMP.M_Key"] = 5
    assert mad.data[:4] == bytes([1, 1, 1, 2])
    assert mad.data[8:16] == (0x1234).to_bytes(8, "big")
    assert mad.data[16:18] == b"\x00\x15" and mad.data[20:24] == b"\x00\x00\x00\x03"
    assert mad.data[24:32] == (5).to_bytes(8, "big")
    assert mad.data[64 + 16:64 + 18] == b"\x00\x11"
    assert mad.data[64 + 32] & 0x0f == 3
    assert len(mad.data) == 256 and mad.is_smp and not mad.is_response
    assert mad.name == "SubnSet(PortInfo)"
    assert repr(mad) == "<umadrig.Mad SubnSet(PortInfo) mod=0x3>"


def test_names_of_values():
    mad = Mad("SubnSet(PortInfo)", linkstate="active", Link_Width_Enabled="1X|4X")
    assert mad["LinkState"] == "Active" and mad["LinkState"] == 4 and mad["LinkState"] != "Down"
    assert str(mad["LinkState"]) == "Active" and "Active" in repr(mad["LinkState"])
    assert mad["LinkWidthEnabled"] == 3 and mad["LinkWidthEnabled"].names == ["1X", "4X"]
    assert mad["LinkState"] in {4} and hash(mad["LinkState"]) == hash(4)
    mad["LinkState"] = 9
    assert mad["LinkState"] == 9 and str(mad["LinkState"]) == "9"
    mad["Lid"] = "0x10"
    assert mad["Lid"] == 16
    mad["ClientReregister"] = True
    assert mad["ClientReregister"] is True
    assert mad.fields()["LinkState"] == 9 and "LinkState" in mad and "Colour" not in mad


def test_a_directed_route():
    mad = Mad("SubnGet(NodeInfo)", path=[1, 5, 2])
    assert mad.mgmt_class == 0x81 and mad.hops == [1, 5, 2]
    assert mad["HopCount"] == 3 and mad["DrSLID"] == 0xffff
    assert mad["InitialPath"][:4] == bytes([0, 1, 5, 2])
    assert mad.summary() == "SubnGet(NodeInfo) path=0,1,5,2"
    mad["D"] = True
    assert mad.status == 0 and mad["Status"] == 0x8000
    with pytest.raises(ValueError, match="at most 63 hops"):
        Mad("SubnGet(NodeInfo)", path=[1] * 64)
    with pytest.raises(ValueError, match="only SMPs"):
        Mad("PerfGet(PortCounters)", path=[1])


def test_other_kinds_of_fields():
    gid = ipaddress.IPv6Address("fe80::1")
    mad = Mad("SubnAdmGet(PathRecord)", DGID="fe80::1", ComponentMask=4)
    assert mad["DGID"] == gid and mad["ComponentMask"] == 4
    mad["DGID"] = gid.packed
    assert mad["DGID"] == gid
    mad = Mad("SubnSet(NodeDescription)", NodeDesc="node 7")
    assert mad["NodeDesc"] == "node 7"
    with pytest.raises(ValueError, match="64 bytes, not 65"):
        mad["NodeDesc"] = "x" * 65
    mad = Mad("VendSend(0x0010)", mgmt_class=0x32, OUI=0x001405)
    assert mad.oui == 0x001405 and mad.name == "VendSend(0x0010)" and mad.has_rmpp
    assert Mad("VendGet(0x0010)", mgmt_class=0x0a).mgmt_class == 0x0a


def test_a_notice():
    mad = Mad("SubnTrap(Notice)", NoticeIsGeneric=True, NoticeTrapNumber=64)
    mad["GIDADDR"] = "fe80::2"
    assert str(mad["GIDADDR"]) == "fe80::2"


def test_records_of_subnet_administration():
    head = Mad("SubnAdmGet(NodeRecord)", AttributeOffset=14)
    body = bytearray(head.data[:56]) + bytearray(112 * 2)
    body[56:58], body[56 + 112:56 + 114] = b"\x00\x05", b"\x00\x06"
    assert [record["Lid"] for record in Mad.from_bytes(bytes(body)).records()] == [5, 6]
    assert Mad("SubnAdmGet(NodeRecord)").records() == []
    with pytest.raises(ValueError, match="no records"):
        Mad("SubnGet(NodeInfo)").records()


@pytest.mark.parametrize("make, message", [
    (lambda: Mad("SubnGet(PortInf)"), "no attribute of SUBN_LID is called 'PortInf': did you mean "
                                      "'PortInfo'?"),
    (lambda: Mad("SubGet(PortInfo)"), "did you mean 'SubnGet'?"),
    (lambda: Mad("SubnGet PortInfo"), "expected a method and an attribute"),
    (lambda: Mad("SubnSet(PortInfo)", LinkState="Actve"), "did you mean 'Active'?"),
    (lambda: Mad("SubnSet(PortInfo)", LinkStat=1), "did you mean 'LinkState'?"),
    (lambda: Mad("VendGet(1)", mgmt_class=4), "class 0x04 has no VendGet"),
    (lambda: Mad("SubnGet(PortInfo)")["Bogus"], "no field of SubnGet(PortInfo) is called"),
])
def test_wrong_names_get_a_guess(make, message):
    with pytest.raises(umadrig.UnknownName) as caught:
        make()
    assert message in str(caught.value)
    assert isinstance(caught.value, LookupError)


def test_values_that_do_not_fit():
    mad = Mad("SubnSet(PortInfo)")
    before = mad.copy()
    for value in (16, -1):
        with pytest.raises(ValueError, match="does not fit into 4 bits"):
            mad["LinkState"] = value
    with pytest.raises(TypeError, match="expected a number or a name"):
        mad["LinkState"] = 1.5
    with pytest.raises(TypeError, match="expected bytes"):
        Mad("SubnGet(NodeInfo)", path=[])["InitialPath"] = 1
    assert mad == before and mad != Mad("SubnGet(PortInfo)")


def test_short_and_unknown_mads():
    with pytest.raises(ValueError, match="at least 24 bytes, not 23"):
        Mad.from_bytes(bytes(23))
    header = Mad.from_bytes(Mad("SubnGet(PortInfo)").data[:24])
    with pytest.raises(IndexError, match="the MAD ends before it"):
        header["LinkState"]
    assert header.fields() == {} and header.hops is None
    unknown = Mad.from_bytes(bytes([1, 0x70, 1, 1]) + bytes(252))
    assert unknown.name == "class=0x70 method=0x01(0x0000)"
    assert unknown["MgmtClass"] == 0x70
