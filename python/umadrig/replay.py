# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Captures that answer again, arrive again, or are asked again.

    fabric.replay("march.pcap", unmatched="timeout")
    asked = fabric.ask("march.pcap", ignoring=["SMP.M_Key"])
    assert asked.as_captured, asked.differences

Fabric.replay() and Fabric.ask() are the way in.
"""
from __future__ import annotations

import ctypes
import errno
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Optional

from . import library
from .capture import CapturedMad, Path, from_record
from .errors import Error
from .handle import Handle
from .node import Nodes
from .port import Port

Keep = Callable[[CapturedMad], object]


@dataclass(frozen=True)
class ReplayCounts:
    """What became of requests to a capture that answers.

    exact: answered, and the requester is the captured one; near: answered, to another requester;
    silent: there was no answer then, either; unmatched: the capture does not have the question;
    lacking, stopped: captured answers in segments that are not whole, or were aborted.
    """
    exact: int
    near: int
    silent: int
    unmatched: int
    lacking: int
    stopped: int


@dataclass(frozen=True)
class ReplayProgress:
    """How far a replay at its own times is: MADs that have arrived at the port, that are left to,
    that `keep` did not want, that the captured port did not receive; and when the last one arrived,
    in nanoseconds since the replay's start."""
    arrived: int
    left: int
    omitted: int
    others: int
    last_ns: int


@dataclass(frozen=True)
class Difference:
    """A field of an answer that is not the captured one: `frame` is the number of the captured
    request; the values are in words; field "there": one has no answer at all."""
    frame: int
    request: str
    field: str
    captured: Optional[str]
    actual: Optional[str]


@dataclass(frozen=True)
class Asked:
    """What came of asking again. `asked` is the sum of same, changed and unanswered; skipped would
    have changed something; others were not asked by the captured host; failed could not be sent."""
    asked: int
    same: int
    changed: int
    unanswered: int
    skipped: int
    others: int
    failed: int
    differences: list[Difference] = field(default_factory=list)

    @property
    def as_captured(self) -> bool:
        """Was anything asked, and is every answer the captured one?"""
        return self.asked > 0 and self.same == self.asked and self.failed == 0


class _Keeper:
    """`keep` as C can call it, which cannot raise what it raises."""

    def __init__(self, keep: Optional[Keep]) -> None:
        self.raised: Optional[BaseException] = None
        self._keep = keep
        self.function = library.no_function(library.MAD_FN) if keep is None else \
            library.MAD_FN(self._call)

    def _call(self, _context: Any, record: Any) -> bool:
        assert self._keep is not None
        if self.raised is None:
            try:
                return bool(self._keep(from_record(record.contents)))
            except BaseException as error:
                self.raised = error
        return False


class Replay:
    """A replay that Fabric.replay() has started; it lasts until another, or until the fabric is
    closed."""

    def __init__(self, fabric: Handle, timed: bool) -> None:
        self._fabric = fabric
        self.timed = timed

    @property
    def counts(self) -> ReplayCounts:
        """Of a capture that answers."""
        counts = library.ReplayCounts()
        library.umadrig().umadrig_replay_count(self._fabric._get(), ctypes.byref(counts))
        return ReplayCounts(*(getattr(counts, field[0]) for field in counts._fields_))

    @property
    def progress(self) -> ReplayProgress:
        """Of one at its own times."""
        progress = library.ReplayProgress()
        library.umadrig().umadrig_replay_progress(self._fabric._get(), ctypes.byref(progress))
        return ReplayProgress(*(getattr(progress, field[0]) for field in progress._fields_))


def _start(fabric: Handle, capture: Path, at: Optional[Port], speed: float, own_tids: bool,
           as_of: Optional[str], unmatched: Optional[str], keep: Optional[Keep],
           any_order: bool) -> Replay:
    """What Fabric.replay() does."""
    if at is None and (speed != 1 or own_tids):
        raise ValueError("speed and own_tids are of a replay at its own times: at=PORT")
    if at is not None and (as_of is not None or unmatched is not None):
        raise ValueError("as_of and unmatched are of a capture that answers, without at=")
    if not 0.001 <= speed <= 4_000_000:
        raise ValueError("speed=%r is not from 0.001 to 4,000,000" % speed)
    keeper = _Keeper(keep)
    wanted = library.Replay(
        library.encode(capture), None if at is None else at._port(), own_tids,
        round(speed * 1000), None if as_of is None else library.encode(as_of),
        None if unmatched is None else library.encode(unmatched), keeper.function, None, any_order)
    message = ctypes.create_string_buffer(library.ERROR_SIZE)
    result = library.umadrig().umadrig_replay(fabric._get(), ctypes.byref(wanted), message,
                                              len(message))
    if keeper.raised is not None:
        raise keeper.raised
    if result < 0:
        raise Error(-result, message.value.decode("utf-8", "replace"))
    fabric._kept["replay"] = keeper
    return Replay(fabric, at is not None)


def _ask(port: Port, capture: Path, keep: Optional[Keep], ignoring: str, timeout: float,
         allow_writes: bool, any_order: bool) -> Asked:
    """What Fabric.ask() does."""
    timeout_ms = round(timeout * 1000)
    if timeout_ms < 1:
        raise Error(errno.EINVAL, "timeout=%r is less than a millisecond" % timeout)
    differences: list[Difference] = []

    def differs(_context: Any, record: Any) -> None:
        one = record.contents
        differences.append(Difference(one.frame, one.request.decode(), one.field.decode(),
                                      _words(one.captured), _words(one.actual)))

    keeper = _Keeper(keep)
    wanted = library.ReplayAsk(library.encode(capture), port._port(), keeper.function,
                               library.DIFFERENCE_FN(differs), None, library.encode(ignoring),
                               timeout_ms, allow_writes, any_order)
    counts = library.AskCounts()
    message = ctypes.create_string_buffer(library.ERROR_SIZE)
    result = library.umadrig().umadrig_replay_ask(ctypes.byref(wanted), ctypes.byref(counts),
                                                  message, len(message))
    if keeper.raised is not None:
        raise keeper.raised
    if result < 0:
        raise Error(-result, message.value.decode("utf-8", "replace"))
    return Asked(counts.asked, counts.same, counts.changed, counts.unanswered, counts.skipped,
                 counts.others, counts.failed, differences)


def _words(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


class Replays(Nodes):
    """What a Fabric has of captures that are used again."""

    def replay(self, capture: Path, *, at: Optional[Port] = None, speed: float = 1,
               own_tids: bool = False, as_of: Optional[str] = None,
               unmatched: Optional[str] = None, keep: Optional[Keep] = None,
               any_order: bool = False) -> Replay:
        """Starts a replay, which takes the place of one before.

        Without `at`, requests that leave a port and are in the capture get the captured answer;
        `as_of` is "first", "last" or a moment ("2.5s") where there are several, `unmatched` what
        others get: "drop" (default), "timeout" or "status=0x000c". With `at`, what the captured
        port received arrives there at its own times, `speed` times as fast, with `own_tids` as
        answers to requests of this port. `keep(CapturedMad)` is false for MADs to leave out; it
        must not use the fabric. `any_order`: the capture is in another order than its times. Error:
        the capture cannot be read, or has nothing to replay (EINVAL).
        """
        return _start(self, capture, at, speed, own_tids, as_of, unmatched, keep, any_order)

    def ask(self, capture: Path, port: Optional[Port] = None, *,
            keep: Optional[Keep] = None, ignoring: Iterable[str] = (),
            timeout: float = 1, allow_writes: bool = False,
            any_order: bool = False) -> Asked:
        """Sends the requests of the captured host again from a port (None: port 1 of the first CA)
        and compares the answers, as `umadrig replay --mode ask` does. `ignoring` are fields that
        may differ; requests that could change something are sent only with `allow_writes`. Error:
        the capture cannot be read, or there is no such field or port (EINVAL)."""
        return _ask(self._first_port() if port is None else port, capture, keep,
                    ",".join(ignoring), timeout, allow_writes, any_order)
