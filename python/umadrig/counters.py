# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The performance counters of a fabric's ports."""
from __future__ import annotations

import errno
from typing import Optional

from . import library
from .clock import FOR_EVER_NS, to_ns
from .errors import Error, check
from .handle import Handle


def read_counter(fabric: Handle, node: str, port: int, name: str) -> int:
    """What Fabric.counter() does."""
    return check(library.umadrig().umadrig_counter(
        fabric._get(), library.encode(node), port, library.encode(name)),
        "counter %s of %s[%d]" % (name, node, port))


def set_counter(fabric: Handle, node: str, port: int, name: str, value: int) -> None:
    """What Fabric.set_counter() does."""
    if not 0 <= value < 2 ** 64:
        raise Error(errno.ERANGE, "counter %s: %d" % (name, value))
    check(library.umadrig().umadrig_counter_set(
        fabric._get(), library.encode(node), port, library.encode(name), value),
        "counter %s of %s[%d]" % (name, node, port))


class Counters:
    """The performance counters of a port, by the names of fields: counters["PortRcvErrors"].

    A name that several attributes have means PortCountersExtended, or the one before a dot:
    "PortCounters.PortXmitData". Assignment sets a counter, from which it continues. Error: no such
    counter (EINVAL), the value does not fit (ERANGE).
    """

    def __init__(self, fabric: Handle, node: str, port: int) -> None:
        self._fabric = fabric
        self.node = node
        self.port = port

    def __getitem__(self, name: str) -> int:
        return read_counter(self._fabric, self.node, self.port, name)

    def __setitem__(self, name: str, value: int) -> None:
        set_counter(self._fabric, self.node, self.port, name, value)


class Counting(Handle):
    """What a Fabric has of counters."""

    def counter(self, node: str, port: int, name: str) -> int:
        """A counter, as the performance management agent would return it now; port 255: the sum of
        all. Error: no such node or port (ENOENT), no such counter (EINVAL)."""
        return read_counter(self, node, port, name)

    def set_counter(self, node: str, port: int, name: str, value: int) -> None:
        """Sets a counter, from which it continues. Errors as above; ERANGE: it does not fit."""
        set_counter(self, node, port, name, value)

    def move_counter(self, node: str, port: int, name: str, count: int, per: float = 1.0,
                     duration: Optional[float] = None) -> None:
        """Lets a counter grow by `count` in each `per` seconds, for `duration` seconds (None:
        without an end): move_counter("S1", 3, "SymbolErrorCounter", 10, duration=60). 0 ends
        that. Errors as of counter(); EINVAL also for a time that is not positive."""
        check(library.umadrig().umadrig_counter_move(
            self._get(), library.encode(node), port, library.encode(name), count, to_ns(per),
            FOR_EVER_NS if duration is None else to_ns(duration)),
            "counter %s of %s[%d]" % (name, node, port))

    def counters(self, node: str, port: int = 1) -> Counters:
        """The counters of a port, as a mapping by name."""
        return Counters(self, node, port)
