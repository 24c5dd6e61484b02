# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The fabric of this process, for other processes."""
from __future__ import annotations

import ctypes
import errno
import json
import os
import subprocess
from typing import Optional, Sequence

from . import library
from .capture import Path
from .errors import FabricError
from .handle import Handle


class Served(Handle):
    """What a Fabric has of other processes."""

    def serve(self, path: Optional[Path] = None) -> str:
        """Lets other processes use the fabric until it is closed; returns the path of the socket,
        for `umadrig exec --attach` and `umadrig ctl --socket`. `path`: where to listen; None: in a
        new directory. If it is served already, that socket. FabricError: the clock is virtual
        (EOPNOTSUPP), or the socket cannot be made."""
        served: Optional[bytes] = library.umadrig().umadrig_socket(self._get())
        if served is None:
            message = ctypes.create_string_buffer(library.ERROR_SIZE)
            result = library.umadrig().umadrig_serve(
                self._get(), None if path is None else library.encode(path), message, len(message))
            if result < 0:
                raise FabricError(-result, message.value.decode("utf-8", "replace"))
            served = library.umadrig().umadrig_socket(self._get())
        assert served is not None
        return os.fsdecode(served)

    def command(self, program: Sequence[Path], host: Optional[str] = None) -> list[str]:
        """The command line that runs a program on this fabric, for subprocess. The program's exit
        status is the command's; 124: it has not opened the fabric; 125 to 127: it did not run."""
        words = [library.place("umadrig"), "exec", "--attach", self.serve()]
        if host is not None:
            words += ["--host", host]
        return [*words, "--", *(os.fspath(word) for word in program)]

    def environment(self, host: Optional[str] = None) -> dict[str, str]:
        """The environment of this process, changed so that a program that has it uses this fabric
        (for subprocess, or a test runner of another language). command() does more: it refuses
        programs into which the loader would not load libibumad, and hides real devices."""
        words = [library.place("umadrig"), "env", "--json", "--attach", self.serve()]
        if host is not None:
            words += ["--host", host]
        result = subprocess.run(words, check=False, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            raise FabricError(errno.EINVAL, result.stderr.strip())
        changes: dict[str, Optional[str]] = json.loads(result.stdout)
        kept = {name: value for name, value in os.environ.items() if name not in changes}
        return {**kept, **{name: value for name, value in changes.items() if value is not None}}
