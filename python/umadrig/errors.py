# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The exceptions of this package. All but those of wrong arguments are an OSError with an errno."""
from __future__ import annotations

import difflib
import errno as _errno
import os
import re
from typing import Optional


class Error(OSError):
    """A call failed: `errno` is what the C function returned, `strerror` says why."""

    def __init__(self, errno: int, message: Optional[str] = None) -> None:
        super().__init__(errno, message if message else os.strerror(errno))


class FabricError(Error):
    """A fabric cannot be made: wrong options, too much of its file lost, no such host."""


class FabricSyntaxError(FabricError):
    """The file of a fabric, or its text, is wrong at a place: `file`, `line` (from 1), `reason`."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(_errno.EINVAL, "%s:%d: %s" % (file, line, reason))
        self.file = file
        self.line = line
        self.reason = reason


class ConsoleError(Error):
    """A line of the console failed; `strerror` says what to do."""


class FaultError(Error):
    """A rule of faults is wrong, or names a node, port or cable that does not exist."""


class KernelFault(Error):
    """The checks of a built kernel have found something (EIO): `faults`, a text for each."""

    def __init__(self, faults: list[str]) -> None:
        more = " (and %d more)" % (len(faults) - 1) if len(faults) > 1 else ""
        super().__init__(_errno.EIO, "the kernel has a fault: %s%s" % (faults[0], more))
        self.faults = faults


class UmadError(Error):
    """A call of libibumad failed."""


class TimedOut(UmadError, TimeoutError):
    """No message came in time (ETIMEDOUT)."""


class NoAnswer(TimedOut):
    """A request was sent as often as its retries say, and no answer came."""


class LibraryMissing(ImportError):
    """The libraries or the command are not where they were looked for; the message has the cure."""


_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]+): (?:(?:warning|error|fatal): )?"
                    r"(?P<reason>.*)", re.S)


_UNREAD = re.compile("(?P<file>.+?): fatal: Failed to open file .*: (?P<reason>.*)", re.S)


def _missing(file: str) -> str:
    """What file beside one that is not there comes close."""
    try:
        names = sorted(os.listdir(os.path.dirname(file) or "."))
    except OSError:
        return ""
    near = difflib.get_close_matches(os.path.basename(file), names, 1)
    return "; did you mean '%s'?" % near[0] if near else ""


def fabric_error(message: str) -> FabricError:
    """The exception for the message of umadrig_fabric_open()."""
    unread = _UNREAD.fullmatch(message)
    if unread:
        return FabricError(_errno.EINVAL, "%s: %s%s" % (
            unread["file"], unread["reason"], _missing(unread["file"])))
    place = _PLACE.fullmatch(message)
    if place:
        return FabricSyntaxError(place["file"], int(place["line"]), place["reason"])
    return FabricError(_errno.EINVAL, message)


def check(result: int, what: str, error: type[Error] = Error) -> int:
    """The result of a C function, which is an error if it is negative."""
    if result < 0:
        raise error(-result, "%s: %s" % (what, os.strerror(-result)))
    return result
