# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What is seen of a fabric while it runs: captures that are written, MADs, transitions."""
from __future__ import annotations

import ctypes
import os
from types import TracebackType
from typing import Any, Callable, Optional

from . import library
from .capture import CapturedMad, Path, from_record
from .errors import Error, check
from .handle import Handle


class Capture:
    """A capture that is being written: everything from now on, in `path`. It ends with stop(), or
    as a context manager; the file is complete then."""

    def __init__(self, fabric: Handle, path: str) -> None:
        self._fabric = fabric
        self.path = path
        self._is_open = True

    def stop(self) -> None:
        """Ends it. Does nothing if it has ended. Error: the file is not complete."""
        if self._is_open and not self._fabric.closed:
            self._is_open = False
            check(library.umadrig().umadrig_capture_stop(self._fabric._get()), self.path)

    def __enter__(self) -> "Capture":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.stop()


class Recorder(Handle):
    """What a Fabric has of captures that are written."""

    def capture(self, path: Path, comment: Optional[str] = None) -> Capture:
        """Records everything from now on in a file: pcapng, or pcap if its name ends in ".pcap".
        Error: a capture is being written already (EBUSY), or the file cannot be written."""
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        result = library.umadrig().umadrig_capture_start(
            self._get(), library.encode(path), None if comment is None else comment.encode(),
            message, len(message))
        if result < 0:
            raise Error(-result, message.value.decode("utf-8", "replace"))
        return Capture(self, os.fspath(path))

    def note(self, text: str) -> None:
        """Writes a line of text into the capture, at the present time."""
        library.umadrig().umadrig_capture_note(self._get(), library.encode(text))

    def comment(self, text: Optional[str]) -> None:
        """The comment of packets recorded from now on; None: none."""
        library.umadrig().umadrig_capture_comment(
            self._get(), None if text is None else library.encode(text))

    def watch(self, see: Optional[Callable[[CapturedMad], object]]) -> None:
        """`see` gets every MAD from now on, on all cables: where it leaves its source, and again
        where it is lost. It must not use the fabric; an exception in it ends the watch. There is
        one watch; None ends it."""
        if see is None:
            library.umadrig().umadrig_watch(self._get(), library.no_function(library.MAD_FN), None)
            self._kept.pop("watch", None)
            return
        function = see

        def call(_context: Any, record: Any) -> bool:
            function(from_record(record.contents))
            return True     # after an exception ctypes returns False, and reports it

        kept = library.MAD_FN(call)
        library.umadrig().umadrig_watch(self._get(), kept, None)
        self._kept["watch"] = kept

    def trace(self, see: Optional[Callable[[int, str, str], object]]) -> None:
        """`see(time_ns, source, text)` gets each transition of a state machine of the simulated
        kernels. It must not use the fabric; an exception in it is reported and ignored. There is
        one trace; None ends it."""
        if see is None:
            library.umadrig().umadrig_trace(self._get(), library.no_function(library.TRACE_FN),
                                            None)
            self._kept.pop("trace", None)
            return
        function = see

        def call(_context: Any, at_ns: int, source: bytes, text: bytes) -> None:
            function(at_ns, source.decode("utf-8", "replace"), text.decode("utf-8", "replace"))

        kept = library.TRACE_FN(call)
        library.umadrig().umadrig_trace(self._get(), kept, None)
        self._kept["trace"] = kept
