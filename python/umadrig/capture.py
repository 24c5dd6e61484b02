# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Captures: files of packets, and MADs as they pass.

    with fabric.capture("all.pcapng"):
        ...
    for seen in umadrig.read_capture("all.pcapng"):
        print(seen)
"""
from __future__ import annotations

import ctypes
import os
import re
import subprocess
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Union

from . import library
from .errors import Error
from .mad import MAD_SIZE, Mad

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class CapturedMad:
    """A MAD of a capture, or one that was seen on its way.

    time_ns is since the capture's first packet (of a file) or since the fabric began; port is where
    it was recorded ("H1[1]"), outbound that it left there; comment is of the packet, such as
    "dropped: fault drop 1".
    """
    time_ns: int
    port: Optional[str]
    outbound: bool
    slid: int
    dlid: int
    mad: Mad
    comment: Optional[str]

    @property
    def dropped(self) -> bool:
        """Is this where it was lost?"""
        return bool(self.comment and self.comment.startswith("dropped"))


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def from_record(record: Any) -> CapturedMad:
    """A struct umadrig_mad, which is valid only now."""
    return CapturedMad(record.at_ns, _text(record.port), record.outbound, record.slid, record.dlid,
                       Mad.from_bytes(ctypes.string_at(record.mad, MAD_SIZE)),
                       _text(record.comment))


def read_capture(path: Path) -> Iterator[CapturedMad]:
    """Each MAD of a capture (pcap, pcapng; ours, or of real hardware), in the file's order. A
    capture that is being written is complete only after it has ended. Error: it cannot be read."""
    found: list[CapturedMad] = []
    failed: list[BaseException] = []

    def take(_context: Any, record: Any) -> bool:
        try:
            found.append(from_record(record.contents))
        except BaseException as error:  # a callback of C can raise nothing
            failed.append(error)
        return not failed

    message = ctypes.create_string_buffer(library.ERROR_SIZE)
    result = library.umadrig().umadrig_capture_each(
        library.encode(path), library.MAD_FN(take), None, message, len(message))
    if failed:
        raise failed[0]
    if result < 0:
        raise Error(-result, message.value.decode("utf-8", "replace"))
    return iter(found)


def show(path: Path, *options: str) -> str:
    """What `umadrig show OPTION... PATH` prints. Error: it fails, with its message."""
    result = subprocess.run([library.place("umadrig"), "show", *options, os.fspath(path)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        raise Error(5, result.stderr.decode("utf-8", "replace").strip())
    return result.stdout.decode("utf-8", "replace")


def ladder(path: Path, ports: Optional[list[str]] = None) -> str:
    """A drawing of a capture: a column for each port, an arrow for each MAD."""
    return show(path, "--ladder", *(["--ports=" + ",".join(ports)] if ports else []))


def safe_name(text: str) -> str:
    """A file's name made of a text."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-")[:100] or "capture"
