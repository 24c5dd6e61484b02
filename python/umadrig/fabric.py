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

import ctypes
import enum
import errno
import json
import os
import subprocess
import threading
import warnings
from ctypes import c_void_p
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

from . import library
from . import replay as replaying
from .capture import CapturedMad, Path, from_record
from .errors import ConsoleError, Error, FabricError, FaultError, check, fabric_error
from .mad import Mad
from .program import Program
from .umad import UmadPort

NS_PER_S = 1_000_000_000
_SMP_DATA, _SMP_DATA_SIZE = 64, 64
_FOR_EVER_NS = 2 ** 63 - 1

# The options of a fabric string whose name is no keyword of Fabric() by itself are the same with
# a hyphen for the underscore.
Option = Union[str, int, bool, float, "os.PathLike[str]", None]


class PortState(enum.IntEnum):
    """PortState of PortInfo."""
    DOWN = 1
    INIT = 2
    ARMED = 3
    ACTIVE = 4


class LinkError(enum.IntEnum):
    """What hardware notices of a link, by the number of the trap that notifies the SM."""
    INTEGRITY = 129
    BUFFER_OVERRUN = 130
    FLOW_CONTROL_WATCHDOG = 131


def to_ns(seconds: float) -> int:
    """Nanoseconds of seconds."""
    return round(seconds * NS_PER_S)


def _option_word(name: str, value: Union[str, int, float, "os.PathLike[str]"]) -> str:
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif name == "latency" and not isinstance(value, str):
        text = "%dns" % to_ns(float(os.fspath(value)) if isinstance(value, os.PathLike) else value)
    else:
        text = str(os.fspath(value) if isinstance(value, os.PathLike) else value)
    if "," in text:
        raise ValueError("%s=%r: an option of a fabric cannot have a comma in it" % (name, text))
    return "%s=%s" % (name.replace("_", "-"), text)


def fabric_options(fault: Union[str, Iterable[str]] = (), **options: Option) -> str:
    """The options as they follow a comma in a fabric string: "state=cold,clock=virtual"."""
    words = [_option_word(name, value) for name, value in options.items() if value is not None]
    rules = [fault] if isinstance(fault, str) else fault
    words += [_option_word("fault", rule) for rule in rules]
    return ",".join(words)


class Port:
    """A port of a CA or router, or port 0 of a switch; valid until its fabric closes."""

    def __init__(self, fabric: "Fabric", node: str, number: int, handle: int) -> None:
        self._fabric = fabric
        self._handle = handle
        self.node = node
        self.number = number

    def __repr__(self) -> str:
        return "<umadrig.Port %s[%d]>" % (self.node, self.number)

    def _port(self) -> int:
        self._fabric._get()
        return self._handle

    @property
    def lid(self) -> int:
        """Its LID; 0: none."""
        return int(library.umadrig().umadrig_port_lid(self._port()))

    @property
    def lmc(self) -> int:
        """Its LMC: 2 ** lmc LIDs are its own."""
        return int(library.umadrig().umadrig_port_lmc(self._port()))

    @property
    def state(self) -> PortState:
        """PortState."""
        return self._fabric.port_state(self.node, self.number)

    @property
    def device(self) -> str:
        """The name of its device, as libibumad has it ("sim0", "H1")."""
        name: bytes = library.umadrig().umadrig_port_device(self._port())
        return os.fsdecode(name)

    def gid(self, index: int = 0) -> bytes:
        """GID number 'index', 16 bytes. Error: beyond the table (EINVAL)."""
        gid = ctypes.create_string_buffer(16)
        check(library.umadrig().umadrig_port_gid(self._port(), index, gid),
              "GID %d of %s[%d]" % (index, self.node, self.number))
        return gid.raw

    def set_lid(self, lid: int, lmc: int = 0) -> None:
        """Sets LID and LMC as an SM would. Error: no unicast LID, or no multiple of 2 ** lmc."""
        check(library.umadrig().umadrig_port_set_lid(self._port(), lid, lmc),
              "LID %d, LMC %d of %s[%d]" % (lid, lmc, self.node, self.number))

    def remove(self) -> None:
        """Removes the HCA: its open handles fail (EIO), and the device leaves the lists."""
        check(library.umadrig().umadrig_port_remove(self._port()), "%s" % self.node)

    def inject(self, packet: bytes) -> None:
        """A packet, from the LRH through the MAD (or the VCRC), leaves the port now. Error: fewer
        than 14 or more than 330 bytes (EINVAL)."""
        check(library.umadrig().umadrig_inject(self._port(), packet, len(packet)), "inject")

    def deliver(self, packet: bytes, source: Optional["Port"] = None) -> None:
        """A packet arrives here now, whatever its addresses, as if sent from `source` (None: it is
        not recorded where it comes from). Error as above."""
        check(library.umadrig().umadrig_deliver(
            self._port(), None if source is None else source._port(), packet, len(packet)),
            "deliver")

    def tap(self, see: Optional[Callable[[int, bool, bytes], object]]) -> None:
        """`see(time_ns, outbound, packet)` gets every packet that leaves or reaches the port, from
        the LRH through the MAD (and wrong CRCs, if it was made with such). It must not use the
        fabric; an exception in it is reported and ignored. There is one tap for each port; None
        ends it."""
        name = "tap %d" % self._port()
        if see is None:
            library.umadrig().umadrig_tap(self._port(), library.no_function(library.TAP_FN), None)
            self._fabric._kept.pop(name, None)
            return
        function = see

        def call(_context: Any, at_ns: int, outbound: bool, data: int, size: int) -> None:
            function(at_ns, outbound, ctypes.string_at(data, size))

        kept = library.TAP_FN(call)
        library.umadrig().umadrig_tap(self._port(), kept, None)
        self._fabric._kept[name] = kept

    def set_capability(self, bits: int, value: bool = True) -> None:
        """Sets or clears bits of the CapabilityMask that software has (0x9f0000), and notifies the
        SM. Error: other bits (EINVAL)."""
        check(library.umadrig().umadrig_port_set_capability(
            self._fabric._get(), library.encode(self.node), self.number, bits, value),
            "capability 0x%x of %s[%d]" % (bits, self.node, self.number))


class Fault:
    """A rule of what goes wrong on links. It ends with remove(), or as a context manager."""

    def __init__(self, fabric: "Fabric", number: int, text: str) -> None:
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


class Load:
    """Flows that move counters. They end with remove(), or as a context manager."""

    def __init__(self, fabric: "Fabric", number: int, text: str) -> None:
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


class Counters:
    """The performance counters of a port, by the names of fields: counters["PortRcvErrors"].

    A name that several attributes have means PortCountersExtended, or the one before a dot:
    "PortCounters.PortXmitData". Assignment sets a counter, from which it continues. Error: no such
    counter (EINVAL), the value does not fit (ERANGE).
    """

    def __init__(self, fabric: "Fabric", node: str, port: int) -> None:
        self._fabric = fabric
        self.node = node
        self.port = port

    def __getitem__(self, name: str) -> int:
        return self._fabric.counter(self.node, self.port, name)

    def __setitem__(self, name: str, value: int) -> None:
        self._fabric.set_counter(self.node, self.port, name, value)


class Capture:
    """A capture that is being written: everything from now on, in `path`. It ends with stop(), or
    as a context manager; the file is complete then."""

    def __init__(self, fabric: "Fabric", path: str) -> None:
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


_attach_lock = threading.RLock()


class Fabric:
    """A fabric, from when it is made until close(), or as a context manager.

    `spec` is a file (ibnetdiscover's output, an ibsim net file, OpenSM's subnet list, a topology of
    ibdm, a capture, which then answers as it did) or "generate:..." (umadrig-formats(5)); "" is
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
                 hi_tid: Optional[int] = None, partial: Optional[bool] = None,
                 order: Optional[str] = None, as_of: Optional[str] = None,
                 unmatched: Optional[str] = None, summary: Optional[bool] = None) -> None:
        self._handle: Optional[int] = None
        self._kept: dict[str, object] = {}  # callbacks that C may call
        self._umads: list[UmadPort] = []
        self._programs: list[Program] = []
        options = fabric_options(fault, state=state, clock=clock, seed=seed,
                                 schedule=schedule, latency=latency, host=host, capture=capture,
                                 report=report, profile=profile, hi_tid=hi_tid, partial=partial,
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

    def _get(self) -> int:
        if self._handle is None:
            raise FabricError(errno.EBADF, "the fabric is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        """Has close() been called?"""
        return self._handle is None

    def close(self) -> None:
        """Closes the fabric and everything that was opened on it. Does nothing if it is closed.

        No other thread may wait in it.
        """
        if self._handle is None:
            return
        for port in list(self._umads):
            port.close()
        handle, self._handle = self._handle, None
        library.umadrig().umadrig_fabric_close(handle)
        for program in self._programs:
            program._close()
        self._kept.clear()

    def __enter__(self) -> "Fabric":
        self._get()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        # The collector may run inside of a call of C: nothing can be closed here.
        if getattr(self, "_handle", None) is not None:
            _warn("%r was not closed" % self, ResourceWarning, source=self)

    def __repr__(self) -> str:
        return "<umadrig.Fabric %s%s>" % (self.spec or "(default)",
                                          " closed" if self._handle is None else "")

    # ---- time ----

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

    # ---- nodes, ports, links ----

    @property
    def nodes(self) -> list[str]:
        """The ids of all nodes, in the order of the file."""
        return list(self._each_node())

    def _each_node(self) -> Iterator[str]:
        index = 0
        while True:
            name: Optional[bytes] = library.umadrig().umadrig_node(self._get(), index)
            if name is None:
                return
            yield os.fsdecode(name)
            index += 1

    def node_ports(self, node: str) -> int:
        """How many ports a node has, without port 0 of a switch. Error: no such node (ENOENT)."""
        return check(library.umadrig().umadrig_node_ports(self._get(), library.encode(node)),
                     "node '%s'" % node)

    def port(self, node: str, number: int = 1) -> Port:
        """An end port. Error: there is none (ENOENT)."""
        handle = library.umadrig().umadrig_port(self._get(), library.encode(node), number)
        if not handle:
            raise Error(errno.ENOENT, "there is no end port %s[%d]" % (node, number))
        return Port(self, node, number, handle)

    def port_state(self, node: str, port: int) -> PortState:
        """PortState of any port. Error: no such node or port (ENOENT)."""
        return PortState(check(library.umadrig().umadrig_port_state(
            self._get(), library.encode(node), port), "%s[%d]" % (node, port)))

    def set_description(self, node: str, description: str) -> None:
        """Changes a NodeDescription, and notifies the SM. Error: no such node (ENOENT)."""
        check(library.umadrig().umadrig_node_set_description(
            self._get(), library.encode(node), library.encode(description)), "node '%s'" % node)

    def set_system_guid(self, node: str, guid: int) -> None:
        """Changes a SystemImageGUID, and notifies the SM. Error: no such node (ENOENT)."""
        check(library.umadrig().umadrig_node_set_system_guid(
            self._get(), library.encode(node), guid), "node '%s'" % node)

    def link_down(self, node: str, port: int = 0) -> None:
        """Pulls a cable; port 0: all of the node. Switches notify the SM. Error: no such node or
        port (ENOENT), no cable there (ENXIO)."""
        check(library.umadrig().umadrig_link_set(self._get(), library.encode(node), port, False),
              "link of %s[%d]" % (node, port))

    def link_up(self, node: str, port: int = 0) -> None:
        """Plugs it in again: the link is in Init some milliseconds later. Errors as above."""
        check(library.umadrig().umadrig_link_set(self._get(), library.encode(node), port, True),
              "link of %s[%d]" % (node, port))

    def link_error(self, node: str, port: int, error: LinkError) -> None:
        """Lets an error happen once at a port, which counts it and notifies the SM."""
        check(library.umadrig().umadrig_link_error(self._get(), library.encode(node), port,
                                                   int(error)), "link of %s[%d]" % (node, port))

    def node_off(self, node: str) -> None:
        """Takes a node's power: it answers nothing. Error: no such node (ENOENT)."""
        check(library.umadrig().umadrig_node_set(self._get(), library.encode(node), False),
              "node '%s'" % node)

    def node_on(self, node: str) -> None:
        """Gives it back: the node has no LIDs and empty tables, its links train."""
        check(library.umadrig().umadrig_node_set(self._get(), library.encode(node), True),
              "node '%s'" % node)

    def sm_off(self) -> int:
        """Switches off each node with a port whose IsSM is set; returns their number."""
        return check(library.umadrig().umadrig_sm_lose(self._get()), "sm_off")

    # ---- faults ----

    def fault(self, rule: str) -> Fault:
        """Adds a rule in words, as in `umadrig ctl fault add` and in scenarios:
        "drop 5%", "drop 1/20 class=0x81 from S1[3]", "delay 3 by 2ms", "corrupt 1 on H1[1]".
        FaultError: it is wrong (EINVAL), no such node, port or cable (ENOENT)."""
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        number = library.umadrig().umadrig_fault_add_text(self._get(), library.encode(rule),
                                                          message, len(message))
        if number < 0:
            raise FaultError(-number, message.value.decode("utf-8", "replace"))
        return Fault(self, number, rule)

    def _fault(self, act: str, words: tuple[str, ...], at: Optional[str]) -> Fault:
        # drop("5%", "class=0x81", at="S1[3]") is fault("drop 5% class=0x81 on S1[3]").
        return self.fault(" ".join((act,) + (words or ("all",)) + (("on " + at,) if at else ())))

    # BEGIN TABLE faults
    def drop(self, *words: str, at: Optional[str] = None) -> Fault:
        """drop("1"): the packet is lost."""
        return self._fault("drop", words, at)

    def delay(self, *words: str, at: Optional[str] = None) -> Fault:
        """delay("1", "by 2ms"): the packet arrives that much later, and others overtake it."""
        return self._fault("delay", words, at)

    def duplicate(self, *words: str, at: Optional[str] = None) -> Fault:
        """duplicate("1"): a copy of the packet follows, at once or after that time."""
        return self._fault("duplicate", words, at)

    def reorder(self, *words: str, at: Optional[str] = None) -> Fault:
        """reorder("1"): the packet waits for the next one that crosses the cable the same way, and
        follows it."""
        return self._fault("reorder", words, at)

    def corrupt(self, *words: str, at: Optional[str] = None) -> Fault:
        """corrupt("1"): bits of the packet flip."""
        return self._fault("corrupt", words, at)
    # END TABLE

    # ---- attributes ----

    def attribute(self, name: str, node: str, port: int = 0) -> Mad:
        """An attribute of subnet management, as the answer that the node's agent would give to a
        Get now: attribute("PortInfo", "S1", 3)["LinkState"]. No packet is sent. `port` is the port
        that PortInfo is of, or at which a CA gets the request (0: its first). UnknownName: no such
        attribute; Error: no such node or port (ENOENT), the node has no such attribute
        (EOPNOTSUPP)."""
        mad = Mad("SubnGetResp(%s)" % name)
        data = ctypes.create_string_buffer(_SMP_DATA_SIZE)
        check(library.umadrig().umadrig_attribute(
            self._get(), library.encode(node), port, mad.attribute_id, data),
            "%s of %s[%d]" % (name, node, port))
        whole = bytearray(mad.data)
        whole[_SMP_DATA:_SMP_DATA + _SMP_DATA_SIZE] = data.raw
        return Mad.from_bytes(bytes(whole))

    # ---- counters ----

    def counter(self, node: str, port: int, name: str) -> int:
        """A counter, as the performance management agent would return it now; port 255: the sum of
        all. Error: no such node or port (ENOENT), no such counter (EINVAL)."""
        return check(library.umadrig().umadrig_counter(
            self._get(), library.encode(node), port, library.encode(name)),
            "counter %s of %s[%d]" % (name, node, port))

    def set_counter(self, node: str, port: int, name: str, value: int) -> None:
        """Sets a counter, from which it continues. Errors as above; ERANGE: it does not fit."""
        if not 0 <= value < 2 ** 64:
            raise Error(errno.ERANGE, "counter %s: %d" % (name, value))
        check(library.umadrig().umadrig_counter_set(
            self._get(), library.encode(node), port, library.encode(name), value),
            "counter %s of %s[%d]" % (name, node, port))

    def move_counter(self, node: str, port: int, name: str, count: int, per: float = 1.0,
                     duration: Optional[float] = None) -> None:
        """Lets a counter grow by `count` in each `per` seconds, for `duration` seconds (None:
        without an end): move_counter("S1", 3, "SymbolErrorCounter", 10, duration=60). 0 ends
        that. Errors as of counter(); EINVAL also for a time that is not positive."""
        check(library.umadrig().umadrig_counter_move(
            self._get(), library.encode(node), port, library.encode(name), count, to_ns(per),
            _FOR_EVER_NS if duration is None else to_ns(duration)),
            "counter %s of %s[%d]" % (name, node, port))

    def load(self, order: str) -> Load:
        """Adds flows in words, as in `umadrig ctl load add`: "H1:H3:100G",
        "all:next:50G:size=2048". Error: it is wrong (EINVAL), no such node or port (ENOENT)."""
        message = ctypes.create_string_buffer(library.ERROR_SIZE)
        number = library.umadrig().umadrig_load_add(self._get(), library.encode(order), message,
                                                    len(message))
        if number < 0:
            raise Error(-number, message.value.decode("utf-8", "replace"))
        return Load(self, number, order)

    def counters(self, node: str, port: int = 1) -> Counters:
        """The counters of a port, as a mapping by name."""
        return Counters(self, node, port)

    # ---- captures ----

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

    # ---- captures again ----

    def replay(self, capture: Path, *, at: Optional[Port] = None, speed: float = 1,
               own_tids: bool = False, as_of: Optional[str] = None,
               unmatched: Optional[str] = None, keep: Optional[replaying.Keep] = None,
               any_order: bool = False) -> replaying.Replay:
        """Starts a replay, which takes the place of one before.

        Without `at`, requests that leave a port and are in the capture get the captured answer;
        `as_of` is "first", "last" or a moment ("2.5s") where there are several, `unmatched` what
        others get: "drop" (default), "timeout" or "status=0x000c". With `at`, what the captured
        port received arrives there at its own times, `speed` times as fast, with `own_tids` as
        answers to requests of this port. `keep(CapturedMad)` is false for MADs to leave out; it
        must not use the fabric. `any_order`: the capture is in another order than its times. Error:
        the capture cannot be read, or has nothing to replay (EINVAL).
        """
        return replaying.start(self, capture, at, speed, own_tids, as_of, unmatched, keep,
                               any_order)

    def ask(self, capture: Path, port: Optional[Port] = None, *,
            keep: Optional[replaying.Keep] = None, ignoring: Iterable[str] = (),
            timeout: float = 1, allow_writes: bool = False,
            any_order: bool = False) -> replaying.Asked:
        """Sends the requests of the captured host again from a port (None: port 1 of the first CA)
        and compares the answers, as `umadrig replay --mode ask` does. `ignoring` are fields that
        may differ; requests that could change something are sent only with `allow_writes`. Error:
        the capture cannot be read, or there is no such field or port (EINVAL)."""
        return replaying.ask(self._first_port() if port is None else port, capture, keep,
                             ",".join(ignoring), timeout, allow_writes, any_order)

    def _first_port(self) -> Port:
        for node in self._each_node():
            try:
                return self.port(node)
            except Error:
                pass    # a switch
        raise Error(errno.ENOENT, "the fabric has no CA")

    # ---- other processes ----

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
        """
        return subprocess.Popen(self.command(program, host), **arguments)

    def program(self, program: Sequence[Path], *, host: Optional[str] = None,
                cwd: Optional[Path] = None,
                environment: Optional[Mapping[str, str]] = None) -> Program:
        """Virtual clock: starts a program on a node (None: the first host), which shares the
        fabric's time with all that it starts, until the fabric closes at the latest. Its input is
        empty, and its output is kept. It begins when time may move. `environment` is instead of
        this process's. FabricError: the clock is real (EOPNOTSUPP), there is no such program or
        host (ENOENT), or it cannot be in virtual time (ENOEXEC: static, for musl; EPERM)."""
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

    # ---- the console ----

    def console(self, line: str) -> str:
        """Executes a line of the console (umadrig-ctl(1)); returns its output. ConsoleError:
        what is wrong, and what to do."""
        text = c_void_p()
        result = library.umadrig().umadrig_console(self._get(), library.encode(line),
                                                   ctypes.byref(text))
        output = library.take_text(text)
        if result < 0:
            raise ConsoleError(-result, output)
        return output

    # ---- umad ----

    def attach(self) -> None:
        """Makes it the fabric that this process's libibumad opens ports on. open() does so."""
        library.umadrig().umadrig_attach(self._get())

    def open(self, host: Optional[str] = None, device: Optional[str] = None,
             port: int = 0) -> UmadPort:
        """Opens a umad port of a host (a node's id, description or host name; None: the first one,
        or the option host=). UmadError: no such device or port; Error: no such host (ENOENT)."""
        from . import umad
        with _attach_lock:
            self.attach()
            umad.choose_simulation()
            check(library.umadrig().umadrig_host_enter(
                self._get(), None if host is None else library.encode(host)), "host '%s'" % host)
            try:
                opened = umad.open(device, port)
            finally:
                library.umadrig().umadrig_host_enter(self._get(), None)
        self._umads.append(opened)
        opened._on_close = self._umads.remove
        return opened
