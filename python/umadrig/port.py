# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The end ports of a fabric."""
from __future__ import annotations

import ctypes
import enum
import os
from typing import Any, Callable, Optional

from . import library
from .errors import check
from .handle import Handle


class PortState(enum.IntEnum):
    """PortState of PortInfo."""
    DOWN = 1
    INIT = 2
    ARMED = 3
    ACTIVE = 4


def port_state(fabric: Handle, node: str, port: int) -> PortState:
    """What Fabric.port_state() does."""
    return PortState(check(library.umadrig().umadrig_port_state(
        fabric._get(), library.encode(node), port), "%s[%d]" % (node, port)))


class Port:
    """A port of a CA or router, or port 0 of a switch; valid until its fabric closes."""

    def __init__(self, fabric: Handle, node: str, number: int, handle: int) -> None:
        self._fabric = fabric
        self._handle = handle
        self.node = node
        self.number = number

    def __repr__(self) -> str:
        return "<umadrig.Port %s[%d]>" % (self.node, self.number)

    def _port(self) -> int:
        self._fabric._get()
        return self._handle

    @property
    def lid(self) -> int:
        """Its LID; 0: none."""
        return int(library.umadrig().umadrig_port_lid(self._port()))

    @property
    def lmc(self) -> int:
        """Its LMC: 2 ** lmc LIDs are its own."""
        return int(library.umadrig().umadrig_port_lmc(self._port()))

    @property
    def state(self) -> PortState:
        """PortState."""
        return port_state(self._fabric, self.node, self.number)

    @property
    def device(self) -> str:
        """The name of its device, as libibumad has it ("sim0", "H1")."""
        name: bytes = library.umadrig().umadrig_port_device(self._port())
        return os.fsdecode(name)

    def gid(self, index: int = 0) -> bytes:
        """GID number 'index', 16 bytes. Error: beyond the table (EINVAL)."""
        gid = ctypes.create_string_buffer(16)
        check(library.umadrig().umadrig_port_gid(self._port(), index, gid),
              "GID %d of %s[%d]" % (index, self.node, self.number))
        return gid.raw

    def set_lid(self, lid: int, lmc: int = 0) -> None:
        """Sets LID and LMC as an SM would. Error: no unicast LID, or no multiple of 2 ** lmc."""
        check(library.umadrig().umadrig_port_set_lid(self._port(), lid, lmc),
              "LID %d, LMC %d of %s[%d]" % (lid, lmc, self.node, self.number))

    def remove(self) -> None:
        """Removes the HCA: its open handles fail (EIO), and the device leaves the lists."""
        check(library.umadrig().umadrig_port_remove(self._port()), "%s" % self.node)

    def inject(self, packet: bytes) -> None:
        """A packet, from the LRH through the MAD (or the VCRC), leaves the port now. Error: fewer
        than 14 or more than 330 bytes (EINVAL)."""
        check(library.umadrig().umadrig_inject(self._port(), packet, len(packet)), "inject")

    def deliver(self, packet: bytes, source: Optional["Port"] = None) -> None:
        """A packet arrives here now, whatever its addresses, as if sent from `source` (None: it is
        not recorded where it comes from). Error as above."""
        check(library.umadrig().umadrig_deliver(
            self._port(), None if source is None else source._port(), packet, len(packet)),
            "deliver")

    def tap(self, see: Optional[Callable[[int, bool, bytes], object]]) -> None:
        """`see(time_ns, outbound, packet)` gets every packet that leaves or reaches the port, from
        the LRH through the MAD (and wrong CRCs, if it was made with such). It must not use the
        fabric; an exception in it is reported and ignored. There is one tap for each port; None
        ends it."""
        name = "tap %d" % self._port()
        if see is None:
            library.umadrig().umadrig_tap(self._port(), library.no_function(library.TAP_FN), None)
            self._fabric._kept.pop(name, None)
            return
        function = see

        def call(_context: Any, at_ns: int, outbound: bool, data: int, size: int) -> None:
            function(at_ns, outbound, ctypes.string_at(data, size))

        kept = library.TAP_FN(call)
        library.umadrig().umadrig_tap(self._port(), kept, None)
        self._fabric._kept[name] = kept

    def set_capability(self, bits: int, value: bool = True) -> None:
        """Sets or clears bits of the CapabilityMask that software has (0x9f0000), and notifies the
        SM. Error: other bits (EINVAL)."""
        check(library.umadrig().umadrig_port_set_capability(
            self._fabric._get(), library.encode(self.node), self.number, bits, value),
            "capability 0x%x of %s[%d]" % (bits, self.node, self.number))
