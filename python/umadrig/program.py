# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Programs in the virtual time of a fabric: unmodified ones, each in a process of its own.

    with Fabric("generate:fat-tree:20,8", state="cold", clock="virtual") as fabric:
        sm = fabric.program(["opensm"])
        fabric.advance(60)
        print(fabric.run(["saquery", "NR"], host="host-7").stdout)
        sm.stop()

They run while time may move: in advance() and its kin, while recv() waits, and in wait().
"""
from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import tempfile
from ctypes import c_char_p, c_int, c_void_p
from types import TracebackType
from typing import Any, IO, Mapping, Optional, Sequence

from . import library
from .capture import Path
from .clock import Clock, to_ns
from .errors import Error, FabricError


def _words(words: Sequence[bytes]) -> Any:
    """An array of strings as C has it, with NULL at the end."""
    return (c_char_p * (len(words) + 1))(*words, None)


def _text(file: IO[bytes]) -> str:
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), size, 0).decode("utf-8", "replace")


class Program:
    """A program of Fabric.program(). It ends with its fabric, or as a context manager, if it has
    not ended by itself."""

    def __init__(self, fabric: Clock, arguments: Sequence[Path], host: Optional[str],
                 cwd: Optional[Path], environment: Optional[Mapping[str, str]]) -> None:
        self.args = [os.fspath(word) for word in arguments]
        self._fabric = fabric
        self._returncode: Optional[int] = None
        self._files: list[IO[bytes]] = []
        self._texts = ["", ""]
        argv = _words([library.encode(word) for word in self.args])
        variables = None if environment is None else _words(
            [library.encode("%s=%s" % pair) for pair in environment.items()])
        self._files = [tempfile.TemporaryFile() for _ in self._texts]
        setup = library.ProgramSetup(
            argv=ctypes.cast(argv, c_void_p),
            environment=None if variables is None else ctypes.cast(variables, c_void_p),
            directory=None if cwd is None else library.encode(cwd),
            host=None if host is None else library.encode(host),
            output=self._files[0].fileno(), errors=self._files[1].fileno())
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        handle = c_void_p()
        result = library.umadrig().umadrig_program_start(
            fabric._get(), ctypes.byref(setup), ctypes.byref(handle), message, len(message))
        if result < 0:
            self._close()
            raise FabricError(-result, message.value.decode("utf-8", "replace"))
        self._handle = handle

    def __repr__(self) -> str:
        return "<umadrig.Program %s%s>" % (
            " ".join(self.args), "" if self._returncode is None else ": %d" % self._returncode)

    def _close(self) -> None:
        """Keeps what it has printed. To be called when it has ended, with its fabric."""
        if self._files:
            self._texts = [_text(file) for file in self._files]
        for file in self._files:
            file.close()
        self._files = []

    @property
    def stdout(self) -> str:
        """What it has printed so far."""
        return _text(self._files[0]) if self._files else self._texts[0]

    @property
    def stderr(self) -> str:
        """The same of its standard error."""
        return _text(self._files[1]) if self._files else self._texts[1]

    @property
    def returncode(self) -> Optional[int]:
        """Its status, or minus the number of the signal that ended it; None: wait() has not seen
        its end."""
        return self._returncode

    def wait(self, timeout: Optional[float] = None) -> int:
        """Waits for its end, at most for `timeout` seconds of virtual time, which passes meanwhile;
        returns `returncode`. subprocess.TimeoutExpired: it runs on. Error: nothing can happen any
        more (EDEADLK), or somebody else has waited for it (ECHILD)."""
        if self._returncode is not None:
            return self._returncode
        until_ns = library.INT64_MAX
        if timeout is not None:
            until_ns = self._fabric.now_ns + to_ns(timeout)
        status = c_int()
        self._fabric._get()
        result = library.umadrig().umadrig_program_wait(self._handle, until_ns,
                                                        ctypes.byref(status))
        if result == -errno.ETIMEDOUT and timeout is not None:
            raise subprocess.TimeoutExpired(self.args, timeout, self.stdout, self.stderr)
        if result < 0:
            raise Error(-result, "%s: %s" % (self.args[0], os.strerror(-result)))
        self._returncode = os.waitstatus_to_exitcode(status.value)
        return self._returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal to its process group, which takes it when time may move next, at this
        instant; does nothing if it has ended. Error: one that stops processes (EINVAL)."""
        self._fabric._get()
        result = library.umadrig().umadrig_program_signal(self._handle, number)
        if result < 0 and result != -errno.ESRCH:
            raise Error(-result, "signal %d to %s" % (number, self.args[0]))

    def stop(self, timeout: Optional[float] = 10) -> int:
        """Sends SIGTERM, and waits for its end as wait() does."""
        self.send_signal(signal.SIGTERM)
        return self.wait(timeout)

    def kill(self) -> int:
        """Kills its process group, at once, and returns `returncode`."""
        self.send_signal(signal.SIGKILL)
        return self.wait(0)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._returncode is None and not self._fabric.closed:
            self.kill()
