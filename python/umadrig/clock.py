# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The time of a fabric."""
from __future__ import annotations

import errno
from typing import Callable, Optional, Union

from . import library
from .errors import FabricError
from .handle import Handle

NS_PER_S = 1_000_000_000
FOR_EVER_NS = 2 ** 63 - 1


def to_ns(seconds: float) -> int:
    """Nanoseconds of seconds."""
    return round(seconds * NS_PER_S)


class Clock(Handle):
    """What a Fabric has of time."""

    @property
    def now_ns(self) -> int:
        """Its time in nanoseconds."""
        return int(library.umadrig().umadrig_now(self._get()))

    @property
    def now(self) -> float:
        """Its time in seconds."""
        return self.now_ns / NS_PER_S

    @property
    def next_ns(self) -> Optional[int]:
        """When the next event is due; None: nothing is armed."""
        due = int(library.umadrig().umadrig_next(self._get()))
        return None if due == library.INT64_MAX else due

    @property
    def is_virtual(self) -> bool:
        """Does it run on the virtual clock?"""
        return "clock=virtual" in self.spec.split(",")

    def _need_virtual(self) -> None:
        if not self.is_virtual:
            raise FabricError(errno.EOPNOTSUPP, "this fabric runs on the real clock: wait, or make "
                              "it with clock=\"virtual\"")

    def advance(self, seconds: float) -> None:
        """Virtual clock: lets so much time pass. FabricError: the clock is real (EOPNOTSUPP)."""
        self._need_virtual()
        if seconds < 0:
            raise ValueError("time does not go back: advance(%r)" % seconds)
        library.umadrig().umadrig_step(self._get(), self.now_ns + to_ns(seconds))

    def step(self) -> bool:
        """Virtual clock: goes to the next instant with events, and fires them; False: there is
        none."""
        self._need_virtual()
        return bool(library.umadrig().umadrig_step_once(self._get(), library.INT64_MAX - 1))

    def run_until(self, condition: Union[float, Callable[[], object]],
                  timeout: float = 3600.0) -> None:
        """Virtual clock: runs until a time (seconds since the fabric began), or event by event
        until `condition()` is true. TimeoutError: it is still false `timeout` seconds later, or
        nothing is left that could happen."""
        self._need_virtual()
        if not callable(condition):
            library.umadrig().umadrig_step(self._get(), to_ns(condition))
            return
        limit_ns = self.now_ns + to_ns(timeout)
        while not condition():
            if not library.umadrig().umadrig_step_once(self._get(), limit_ns):
                raise TimeoutError(errno.ETIMEDOUT, "the condition is false at %.9g s, and %s" % (
                    self.now, "nothing is left that could happen" if self.next_ns is None else
                    "the next event is after the timeout of %g s" % timeout))

    def run_idle(self, timeout: float = 3600.0) -> bool:
        """Virtual clock: runs until nothing is armed any more; False: something still is after
        `timeout` seconds."""
        self._need_virtual()
        return bool(library.umadrig().umadrig_step_idle(self._get(),
                                                        self.now_ns + to_ns(timeout)))

    def thread_enter(self) -> None:
        """Virtual clock: the calling thread takes part, and time moves only while it waits too."""
        library.umadrig().umadrig_thread_enter(self._get())

    def thread_leave(self) -> None:
        """Virtual clock: the calling thread no longer takes part, for example before it joins
        others."""
        library.umadrig().umadrig_thread_leave(self._get())
