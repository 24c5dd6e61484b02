# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Flows that move the counters of a fabric."""
from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Optional

from . import library
from .errors import Error, check
from .handle import Handle


class Load:
    """Flows that move counters. They end with remove(), or as a context manager."""

    def __init__(self, fabric: Handle, number: int, text: str) -> None:
        self._fabric = fabric
        self.id = number
        self.text = text

    def __repr__(self) -> str:
        return "<umadrig.Load %d %s>" % (self.id, self.text)

    @property
    def rate(self) -> int:
        """What its flows carry now, bits per second. Error: it was removed (ENOENT)."""
        return check(library.umadrig().umadrig_load_rate(self._fabric._get(), self.id),
                     "load %s" % self.text)

    def remove(self) -> None:
        """Ends it; what has been counted remains. Error: it was removed (ENOENT)."""
        check(library.umadrig().umadrig_load_remove(self._fabric._get(), self.id),
              "load %s" % self.text)

    def __enter__(self) -> "Load":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if not self._fabric.closed:
            self.remove()


class Loads(Handle):
    """What a Fabric has of load."""

    def load(self, order: str) -> Load:
        """Adds flows in words, as in `umadrig ctl load add`: "H1:H3:100G",
        "all:next:50G:size=2048". Error: it is wrong (EINVAL), no such node or port (ENOENT)."""
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        number = library.umadrig().umadrig_load_add(self._get(), library.encode(order), message,
                                                    len(message))
        if number < 0:
            raise Error(-number, message.value.decode("utf-8", "replace"))
        return Load(self, number, order)
