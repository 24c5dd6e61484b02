# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A simulated fabric inside this process.

    with Fabric("generate:fat-tree:20,8", state="cold", clock="virtual") as fabric:
        fabric.link_down("leaf-1", 3)
        fabric.advance(0.5)

Nodes are named by their id, description or device name, ports by number from 1; port 0 is that of a
switch itself, or all ports of a node where a function says so. Times are seconds (int or float);
where a name ends in _ns they are integers of nanoseconds since the fabric began. A call that fails
raises an exception of umadrig.errors, with an errno.
"""
from __future__ import annotations
from __future__ import annotations

import ctypes
import os
import subprocess
import threading
import warnings
from ctypes import c_void_p
from types import TracebackType
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import library, umad
from .capture import Path
from .clock import Clock
from .counters import Counting
from .errors import KernelFault, fabric_error
from .fault import Faults
from .load import Loads
from .node import Nodes
from .options import fabric_options
from .program import Program
from .property import Properties
from .recording import Recorder
from .replay import Replays
from .serving import Served
from .umad import UmadPort

_attach_lock = threading.RLock()


class Fabric(Clock, Replays, Nodes, Faults, Counting, Loads, Properties, Recorder, Served):
    """A fabric, from when it is made until close(), or as a context manager.

    `spec` is a file (ibnetdiscover's output, an ibsim net file, OpenSM's subnet list, a topology of
    ibdm, a profile of mock-ib, a capture, which then answers as it did) or "generate:..."
    (umadrig-formats(5)); "" is
    H1[1] and H2[1] on one cable. `text` is the contents of such a file instead. Options, which may
    also follow the file in `spec` after commas:

    state      "active" (default) or "cold": no port has a LID until an SM has assigned one
    clock      "real" (default) or "virtual": time moves by advance() and while recv() waits
    seed       of everything that is random (default 1)
    schedule   virtual clock: another order of programs for each number (default 0: in order)
    latency    of a link, in seconds, or with a unit ("1us")
    host       the node that programs are on if they do not say
    capture    a file that gets every packet from the start on
    report     a file that gets a summary at the end
    fault      rules: "drop 5% on S1[3]", or a list of them
    profile    the kernel's behaviour: "linux-6.1", ...
    kernel     a built kernel of all hosts (umadrig-kernel(1)): "6.12", or a list, also of those of
               single hosts: ["6.12", "H1:7.2"]
    send_queue_size, recv_queue_size    of each queue pair: parameters of Linux's ib_mad
    hi_tid     the upper half of the first agent's TIDs
    partial    True: use what is left of a file of which much is lost
    order      captures: "time" or "any"
    as_of, unmatched, summary    how a capture answers

    FabricSyntaxError: the file is wrong at a line. FabricError: another mistake. ValueError: a
    comma in an option.
    """

    def __init__(self, spec: Union[str, "os.PathLike[str]"] = "", *, text: Optional[str] = None,
                 state: Optional[str] = None, clock: Optional[str] = None,
                 seed: Optional[int] = None, latency: Union[str, float, None] = None,
                 host: Optional[str] = None, schedule: Optional[int] = None,
                 capture: Union[str, "os.PathLike[str]", None] = None,
                 report: Union[str, "os.PathLike[str]", None] = None,
                 fault: Union[str, Iterable[str]] = (), profile: Optional[str] = None,
                 kernel: Union[str, Iterable[str]] = (),
                 send_queue_size: Optional[int] = None, recv_queue_size: Optional[int] = None,
                 hi_tid: Optional[int] = None, partial: Optional[bool] = None,
                 order: Optional[str] = None, as_of: Optional[str] = None,
                 unmatched: Optional[str] = None, summary: Optional[bool] = None) -> None:
        super().__init__()
        self._umads: list[UmadPort] = []
        self._programs: list[Program] = []
        options = fabric_options(fault, kernel, state=state, clock=clock, seed=seed,
                                 schedule=schedule, latency=latency, host=host, capture=capture,
                                 report=report, profile=profile, send_queue_size=send_queue_size,
                                 recv_queue_size=recv_queue_size, hi_tid=hi_tid, partial=partial,
                                 order=order, as_of=as_of, unmatched=unmatched, summary=summary)
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        if text is None:
            self.spec = os.fspath(spec) + ("," + options if options else "")
            handle = library.umadrig().umadrig_fabric_open(library.encode(self.spec), message,
                                                           len(message))
        else:
            if os.fspath(spec):
                raise ValueError("either a fabric's file or its text, not both")
            self.spec = options
            handle = library.umadrig().umadrig_fabric_parse(
                library.encode(text), library.encode(options), message, len(message))
        if not handle:
            raise fabric_error(message.value.decode("utf-8", "replace"))
        self._handle = handle

    # ---- its life ----

    def close(self) -> None:
        """Closes the fabric and everything that was opened on it. Does nothing if it is closed.

        No other thread may wait in it. KernelFault, when all is closed: the checks of a kernel
        have found something that take_kernel_faults() has not returned.
        """
        if self._handle is None:
            return
        self._close()
        faults = self.take_kernel_faults()
        if faults:
            raise KernelFault(faults)

    def _close(self) -> None:
        for port in list(self._umads):
            port.close()
        handle, self._handle = self._handle, None
        library.umadrig().umadrig_fabric_close(handle)
        for program in self._programs:
            program._close()
        self._kept.clear()

    @staticmethod
    def take_kernel_faults() -> list[str]:
        """What the checks of built kernels (`kernel`) have found since the last call, in all
        fabrics of the process: locks that are held, and other faults; when the last host of a
        kernel has gone, also leaks. close() raises what is left."""
        text = c_void_p(library.umadrig().umadrig_kernel_faults())
        return library.take_text(text).splitlines()

    def __enter__(self) -> "Fabric":
        self._get()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.close()
        except KernelFault as fault:
            # The first failure counts; with Python 3.11 it has this one in a note.
            if error is None:
                raise
            if hasattr(error, "add_note"):
                error.add_note(str(fault))

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        # The collector may run inside of a call of C: nothing can be closed here.
        if getattr(self, "_handle", None) is not None:
            _warn("%r was not closed" % self, ResourceWarning, source=self)

    def __repr__(self) -> str:
        return "<umadrig.Fabric %s%s>" % (self.spec or "(default)",
                                          " closed" if self._handle is None else "")

    # ---- programs on it ----

    def run(self, program: Sequence[Path], *, host: Optional[str] = None, check: bool = True,
            timeout: Optional[float] = 60, cwd: Optional[Path] = None,
            environment: Optional[Mapping[str, str]] = None
            ) -> "subprocess.CompletedProcess[str]":
        """Runs a program on this fabric to its end, on a node (None: the first host), and returns
        what it printed (stdout, stderr). With the virtual clock `timeout` is in its seconds, which
        pass meanwhile. subprocess.CalledProcessError: its status is not 0, and `check`;
        subprocess.TimeoutExpired. Errors of the virtual clock: as those of program() and wait()."""
        if self.is_virtual:
            return self._run_in_time(self.program(program, host=host, cwd=cwd,
                                                  environment=environment), check, timeout)
        return subprocess.run(self.command(program, host), check=check, timeout=timeout, cwd=cwd,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)

    def start(self, program: Sequence[Path], *, host: Optional[str] = None,
              **arguments: Any) -> "subprocess.Popen[Any]":
        """Real clock: starts a program on this fabric; `arguments` are those of subprocess.Popen.
        It runs on until it ends by itself or by terminate(): `with` waits for that."""
        return subprocess.Popen(self.command(program, host), **arguments)

    def program(self, program: Sequence[Path], *, host: Optional[str] = None,
                cwd: Optional[Path] = None,
                environment: Optional[Mapping[str, str]] = None) -> Program:
        """Virtual clock: starts a program on a node (None: the first host), which shares the
        fabric's time with all that it starts, until the fabric closes at the latest. Its input is
        empty, and its output is kept. It begins when time may move. `environment` is instead of
        this process's. FabricError: the clock is real (EOPNOTSUPP), there is no such program or
        host (ENOENT), it cannot be executed here (EACCES, ENOEXEC), or gains rights (EPERM)."""
        started = Program(self, program, host, cwd, environment)
        self._programs.append(started)
        return started

    @staticmethod
    def _run_in_time(program: Program, check: bool, timeout: Optional[float]
                     ) -> "subprocess.CompletedProcess[str]":
        with program:
            program.wait(timeout)
        done = subprocess.CompletedProcess(program.args, program.wait(), program.stdout,
                                           program.stderr)
        if check:
            done.check_returncode()
        return done

    # ---- umad ----

    def attach(self) -> None:
        """Makes it the fabric that this process's libibumad opens ports on. open() does so."""
        library.umadrig().umadrig_attach(self._get())

    def open(self, host: Optional[str] = None, device: Optional[str] = None,
             port: int = 0) -> UmadPort:
        """Opens a umad port of a host (a node's id, description or host name; None: the first one,
        or the option host=). UmadError: no such device or port; Error: no such host (ENOENT)."""
        with _attach_lock:
            self.attach()
            umad.choose_simulation()
            self._node(library.umadrig().umadrig_host_enter(
                self._get(), None if host is None else library.encode(host)), host or "", "host")
            try:
                opened = umad.open(device, port)
            finally:
                library.umadrig().umadrig_host_enter(self._get(), None)
        self._umads.append(opened)
        opened._on_close = self._umads.remove
        return opened
