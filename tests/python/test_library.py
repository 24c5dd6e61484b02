# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the module says of C is what the headers declare."""
import ctypes
import os
import re

import umadrig
from umadrig import library, umad

# Functions of umadrig.h that Python has no use for, or not yet.
NOT_WRAPPED = {
    # What the door, a text or Fabric.replay() does as well, and umad files in raw form.
    "umadrig_backend", "umadrig_fault_add", "umadrig_file_close", "umadrig_file_ioctl",
    "umadrig_file_open", "umadrig_file_poll", "umadrig_file_read", "umadrig_file_write",
    "umadrig_issm_close", "umadrig_issm_open", "umadrig_replay_answer", "umadrig_replay_unmatched",
}


def declared(*path):
    """Functions of a header: name -> number of arguments."""
    with open(os.path.join(os.environ["top_srcdir"], *path), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    text = re.sub(r"^typedef[^;]*;", "", text, flags=re.M)
    found = re.findall(r"^[a-z][\w *]*?\b(umad(?:rig)?_\w+)\(([^;{]*)\);", text, re.M)
    return {name: 0 if arguments == "void" else
            len(re.sub(r"\[[^]]*\]", "", arguments).split(",")) for name, arguments in found}


def test_libumadrig():
    header = declared("sim", "api", "umadrig.h")
    wrapped = {name: len(arguments) for name, (_, arguments) in library._FUNCTIONS.items()}
    assert len(header) > 50
    missing = set(header) - set(wrapped) - NOT_WRAPPED
    assert not missing, "add them to python/umadrig/library.py, or to NOT_WRAPPED here"
    assert NOT_WRAPPED <= set(header)
    assert wrapped == {name: header[name] for name in wrapped}


def test_libibumad():
    header = declared("lib", "include", "infiniband", "umad.h")
    wrapped = {name: len(arguments) for name, (_, arguments) in library._UMAD_FUNCTIONS.items()}
    assert len(header) > 30
    assert wrapped == {name: header[name] for name in wrapped}


def test_layouts():
    assert umad.HEADER_SIZE == library.umad().umad_size() == 64
    assert ctypes.sizeof(library.UmadAddress) == 44
    assert library.UmadPort.port_guid.offset == 64 and library.UmadPort.pkeys.offset == 80
    assert library.UmadRegistration.oui.offset == 24


def test_packets_by_hand():
    with umadrig.Fabric(clock="virtual") as fabric, fabric.open("H2") as server:
        agent = server.register(0x32, 1, [3], oui=1)
        mad = umadrig.Mad("VendSend(0x0010)", mgmt_class=0x32, OUI=1)
        lrh = bytes([0xf0, 0x02, 0, 2, 0, 72, 0, 1])
        bth = bytes([0x64, 0, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0])
        packet = lrh.replace(b"\xf0", b"\x00") + bth + bytes([0x80, 1, 0, 0, 0, 0, 0, 1]) + mad.data
        fabric.port("H1").inject(packet)
        assert server.recv(1).agent == agent
        fabric.port("H2").deliver(packet, fabric.port("H1"))
        assert server.recv(1).mad == mad
        fabric.port("H2").set_capability(0x80000)
        for call in (lambda: fabric.port("H1").inject(b"x"),
                     lambda: fabric.port("H1").set_capability(1)):
            try:
                call()
            except umadrig.Error as error:
                assert error.errno == 22
            else:
                assert False, "not refused"
