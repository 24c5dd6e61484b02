# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What goes wrong on the links of a fabric."""
from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Optional

from . import library
from .errors import FaultError, check
from .handle import Handle


class Fault:
    """A rule of what goes wrong on links. It ends with remove(), or as a context manager."""

    def __init__(self, fabric: Handle, number: int, text: str) -> None:
        self._fabric = fabric
        self.id = number
        self.text = text

    def __repr__(self) -> str:
        return "<umadrig.Fault %d %s>" % (self.id, self.text)

    @property
    def hits(self) -> int:
        """How many packets it has acted on. Error: it was removed (ENOENT)."""
        return check(library.umadrig().umadrig_fault_hits(self._fabric._get(), self.id),
                     "fault %s" % self.text, FaultError)

    def remove(self) -> None:
        """Removes it; packets that it holds continue. Error: it was removed (ENOENT)."""
        check(library.umadrig().umadrig_fault_remove(self._fabric._get(), self.id),
              "fault %s" % self.text, FaultError)

    def __enter__(self) -> "Fault":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if not self._fabric.closed:
            self.remove()


class Faults(Handle):
    """What a Fabric has of faults."""

    def fault(self, rule: str) -> Fault:
        """Adds a rule in words, as in `umadrig ctl fault add` and in scenarios:
        "drop 5%", "drop 1/20 class=0x81 from S1[3]", "delay 3 by 2ms", "corrupt 1 on H1[1]",
        "drop 1 SubnGetResp(PortInfo) where LinkState=Down".
        FaultError: it is wrong (EINVAL), no such node, port or cable (ENOENT)."""
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        number = library.umadrig().umadrig_fault_add_text(self._get(), library.encode(rule),
                                                          message, len(message))
        if number < 0:
            raise FaultError(-number, message.value.decode("utf-8", "replace"))
        return Fault(self, number, rule)

    def _fault(self, act: str, words: tuple[str, ...], at: Optional[str],
               where: Optional[str]) -> Fault:
        # drop("5%", at="S1[3]", where="trap=128") is fault("drop 5% on S1[3] where trap=128").
        return self.fault(" ".join((act,) + (words or ("all",)) + (("on " + at,) if at else ()) +
                                   (("where " + where,) if where else ())))

    # BEGIN TABLE faults
    def drop(self, *words: str, at: Optional[str] = None,
             where: Optional[str] = None) -> Fault:
        """drop("1"): the packet is lost."""
        return self._fault("drop", words, at, where)

    def delay(self, *words: str, at: Optional[str] = None,
              where: Optional[str] = None) -> Fault:
        """delay("1", "by 2ms"): the packet arrives that much later, and others overtake it."""
        return self._fault("delay", words, at, where)

    def duplicate(self, *words: str, at: Optional[str] = None,
                  where: Optional[str] = None) -> Fault:
        """duplicate("1"): a copy of the packet follows, at once or after that time."""
        return self._fault("duplicate", words, at, where)

    def reorder(self, *words: str, at: Optional[str] = None,
                where: Optional[str] = None) -> Fault:
        """reorder("1"): the packet waits for the next one that crosses the cable the same way, and
        follows it."""
        return self._fault("reorder", words, at, where)

    def corrupt(self, *words: str, at: Optional[str] = None,
                where: Optional[str] = None) -> Fault:
        """corrupt("1"): bits of the packet flip."""
        return self._fault("corrupt", words, at, where)

    def lie(self, *words: str, at: Optional[str] = None,
            where: Optional[str] = None) -> Fault:
        """lie("any", "1%"): a node answers with a wrong value in one field, and all else is
        right."""
        return self._fault("lie", words, at, where)
    # END TABLE
