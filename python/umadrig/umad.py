# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""umad ports: MADs sent and received by the drop-in libibumad.

Where they go is what UMAD_BACKEND says: the simulated fabric of `umadrig exec`, real devices, or a
Fabric of this process (Fabric.open()). One process has one backend.

Times are seconds; None as a timeout means for ever. Errors are UmadError, with errno.
"""
from __future__ import annotations

import ctypes
import errno
import os
import sys
from ctypes import c_int
from dataclasses import dataclass
from types import TracebackType
from typing import Callable, Iterable, Optional

from . import library
from .errors import NoAnswer, TimedOut, UmadError
from .mad import Mad

LID_PERMISSIVE = 0xffff
GSI_QKEY = 0x80010000
HEADER_SIZE = ctypes.sizeof(library.UmadHeader)

_is_chosen = False


def choose_simulation() -> None:
    """Makes the attached Fabric this process's backend. The environment stays as it is, so that
    programs that are started later do not look for a fabric of their own process.

    UmadError: another backend was chosen before (EBUSY).
    """
    global _is_chosen
    if _is_chosen:
        return
    before = os.environ.get("UMAD_BACKEND")
    if before not in (None, "", "sim:@"):
        raise UmadError(errno.EBUSY, "UMAD_BACKEND=%s: this process's umad ports are already "
                        "there; unset it to use a Fabric of this process" % before)
    os.environ["UMAD_BACKEND"] = "sim:@"
    try:
        if library.umad().umad_init() < 0:
            raise _error(-ctypes.get_errno(), "umad_init")
    finally:
        if before is None:
            del os.environ["UMAD_BACKEND"]
        else:
            os.environ["UMAD_BACKEND"] = before
    _is_chosen = True


def _error(result: int, what: str) -> UmadError:
    number = -result
    if number == errno.ETIMEDOUT:
        return TimedOut(number, "%s: %s" % (what, os.strerror(number)))
    # -EIO says that errno has the reason.
    reason = ctypes.get_errno() if number in (errno.EIO, errno.EPERM) else number
    return UmadError(reason or number, "%s: %s" % (what, os.strerror(reason or number)))


def _check(result: int, what: str) -> int:
    if result < 0:
        raise _error(result, what)
    return result


def to_ms(seconds: Optional[float], none: int) -> int:
    """Milliseconds for libibumad, rounded up: a little time is not 0, which means something else.
    """
    if seconds is None:
        return none
    if seconds < 0:
        raise ValueError("a negative timeout: %r (None: for ever)" % seconds)
    return -int(-seconds * 1000 // 1) if seconds else 0


@dataclass(frozen=True)
class Address:
    """The other end of a MAD: where it goes to, or where it came from.

    gid (16 bytes) is there if the packet has a GRH; flow_label is in host order.
    """
    lid: int
    qp: int = 1
    qkey: int = GSI_QKEY
    sl: int = 0
    path_bits: int = 0
    pkey_index: int = 0
    gid: Optional[bytes] = None
    gid_index: int = 0
    hop_limit: int = 0
    traffic_class: int = 0
    flow_label: int = 0

    def _pack(self) -> library.UmadAddress:
        address = library.UmadAddress()
        for name, size, value in (("lid", 2, self.lid), ("qpn", 4, self.qp),
                                  ("qkey", 4, self.qkey), ("flow_label", 4, self.flow_label)):
            getattr(address, name)[:] = value.to_bytes(size, "big")
        address.sl, address.path_bits = self.sl, self.path_bits
        address.pkey_index = self.pkey_index
        if self.gid is not None:
            if len(self.gid) != 16:
                raise ValueError("a GID has 16 bytes, not %d" % len(self.gid))
            address.grh_present = 1
            address.gid[:] = self.gid
            address.gid_index, address.hop_limit = self.gid_index, self.hop_limit
            address.traffic_class = self.traffic_class
        return address


def _unpack(address: library.UmadAddress) -> Address:
    def number(name: str) -> int:
        return int.from_bytes(bytes(getattr(address, name)), "big")
    has_grh = bool(address.grh_present)
    return Address(lid=number("lid"), qp=number("qpn"), qkey=number("qkey"), sl=address.sl,
                   path_bits=address.path_bits, pkey_index=address.pkey_index,
                   gid=bytes(address.gid) if has_grh else None, gid_index=address.gid_index,
                   hop_limit=address.hop_limit, traffic_class=address.traffic_class,
                   flow_label=number("flow_label"))


@dataclass(frozen=True)
class Message:
    """What recv() returns: a MAD, or with `status` ETIMEDOUT (110) an own request that nobody
    answered, of which `mad` has the header alone."""
    agent: int
    status: int
    mad: Mad
    address: Address


@dataclass(frozen=True)
class PortAttributes:
    """A port of this host, as libibumad reads it. `guid` and `gid_prefix` are numbers; `state` is
    PortState; `rate` is in Gb/s."""
    device: str
    number: int
    lid: int
    lmc: int
    sm_lid: int
    sm_sl: int
    state: int
    phys_state: int
    rate: int
    capmask: int
    gid_prefix: int
    guid: int
    link_layer: str


def devices() -> list[str]:
    """The names of this host's devices, sorted."""
    names = ctypes.create_string_buffer(128 * 20)
    count = library.umad().umad_get_cas_names(names, 128)
    _check(count if count >= 0 else -(ctypes.get_errno() or errno.EIO), "umad_get_cas_names")
    return [names.raw[20 * i:20 * i + 20].split(b"\0")[0].decode() for i in range(count)]


def port_attributes(device: Optional[str] = None, port: int = 0) -> PortAttributes:
    """Reads a port; None and 0: the one that open() would take. UmadError: there is none."""
    raw = library.UmadPort()
    _check(library.umad().umad_get_port(None if device is None else library.encode(device), port,
                                        ctypes.byref(raw)), "umad_get_port")
    try:
        return PortAttributes(
            device=raw.ca_name.decode(), number=raw.portnum, lid=raw.base_lid, lmc=raw.lmc,
            sm_lid=raw.sm_lid, sm_sl=raw.sm_sl, state=raw.state, phys_state=raw.phys_state,
            rate=raw.rate, capmask=int.from_bytes(bytes(raw.capmask), "big"),
            gid_prefix=_be64(raw.gid_prefix), guid=_be64(raw.port_guid),
            link_layer=raw.link_layer.decode())
    finally:
        library.umad().umad_release_port(ctypes.byref(raw))


def _be64(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, sys.byteorder), "big")


class UmadPort:
    """An open port; a context manager. `fd` is a descriptor that poll(2) takes."""

    def __init__(self, fd: int) -> None:
        self._fd: Optional[int] = fd
        self._on_close: Optional[Callable[["UmadPort"], None]] = None
        self._agents: dict[tuple[int, int, int], int] = {}
        self._next_tid = 1

    @property
    def fd(self) -> int:
        """The handle. UmadError: the port is closed (EBADF)."""
        if self._fd is None:
            raise UmadError(errno.EBADF, "the umad port is closed")
        return self._fd

    def fileno(self) -> int:
        """The same, for select."""
        return self.fd

    def close(self) -> None:
        """Closes it, and ends its agents. Does nothing if it is closed."""
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        if self._on_close:
            self._on_close(self)
        _check(library.umad().umad_close_port(fd), "umad_close_port")

    def __enter__(self) -> "UmadPort":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def register(self, mgmt_class: int, version: int = 1, methods: Iterable[int] = (), *,
                 oui: int = 0, rmpp: bool = False, user_rmpp: bool = False) -> int:
        """Registers an agent, and returns its id. `methods` are those of requests that it is to
        receive; `oui` is for classes 0x30 to 0x4f; with `rmpp` the kernel segments and reassembles,
        with `user_rmpp` the program does. UmadError: refused, for example EINVAL, EBUSY."""
        mask = [0, 0]
        for method in methods:
            if not 0 <= method < 128:
                raise ValueError("method %d: expected 0 to 127" % method)
            mask[method // 64] |= 1 << method % 64
        wanted = library.UmadRegistration(
            mgmt_class=mgmt_class, mgmt_class_version=version, flags=1 if user_rmpp else 0,
            oui=oui, rmpp_version=1 if rmpp else 0)
        wanted.method_mask[:] = mask
        agent = ctypes.c_uint32()
        result = library.umad().umad_register2(self.fd, ctypes.byref(wanted), ctypes.byref(agent))
        if result:
            raise UmadError(abs(result), "register class 0x%02x: %s" %
                            (mgmt_class, os.strerror(abs(result))))
        return int(agent.value)

    def unregister(self, agent: int) -> None:
        """Ends an agent. UmadError: there is none (EINVAL)."""
        _check(library.umad().umad_unregister(self.fd, agent), "umad_unregister")

    def send(self, mad: Mad, to: "Address | int | None" = None, *, agent: int,
             timeout: Optional[float] = 0, retries: int = 0) -> None:
        """Sends a MAD. `to` is an address, or a LID with the usual QP and Q_Key of the MAD's class;
        None: the permissive LID, for directed routes. timeout 0: no answer is expected; otherwise
        the MAD comes back with status ETIMEDOUT after (1 + retries) * timeout seconds without one.
        UmadError: not sent."""
        if to is None or isinstance(to, int):
            smp = mad.is_smp
            to = Address(LID_PERMISSIVE if to is None else to, 0 if smp else 1,
                         0 if smp else GSI_QKEY)
        header = library.UmadHeader()
        header.addr = to._pack()
        buffer = ctypes.create_string_buffer(bytes(header) + mad.data, HEADER_SIZE + len(mad.data))
        _check(library.umad().umad_send(self.fd, agent, buffer, len(mad.data), to_ms(timeout, -1),
                                        retries), "umad_send")

    def recv(self, timeout: Optional[float] = None) -> Message:
        """Waits for a message. TimedOut: none came in `timeout` seconds. UmadError: EDEADLK,
        nothing can happen any more (virtual clock); EIO, the device was removed."""
        room = 256
        timeout_ms = to_ms(timeout, -1)
        while True:
            buffer = ctypes.create_string_buffer(HEADER_SIZE + room)
            length = c_int(room)
            agent = library.umad().umad_recv(self.fd, buffer, ctypes.byref(length), timeout_ms)
            if agent == -errno.ENOSPC and length.value > room:
                room = length.value
                continue
            if agent == -errno.EWOULDBLOCK:
                raise TimedOut(errno.ETIMEDOUT, "umad_recv: there is no message")
            _check(agent, "umad_recv")
            header = library.UmadHeader.from_buffer_copy(buffer)
            data = buffer.raw[HEADER_SIZE:HEADER_SIZE + max(length.value, 0)]
            return Message(agent, header.status, Mad.from_bytes(data), _unpack(header.addr))

    def poll(self, timeout: Optional[float] = 0) -> bool:
        """Is there a message, within `timeout` seconds?"""
        result = library.umad().umad_poll(self.fd, to_ms(timeout, -1))
        if result == -errno.ETIMEDOUT:
            return False
        _check(result, "umad_poll")
        return True

    def agent_for(self, mad: Mad) -> int:
        """The agent that request() sends a MAD of this class with; registered when first needed."""
        key = (mad.mgmt_class, mad.class_version, mad.oui)
        if key not in self._agents:
            self._agents[key] = self.register(key[0], key[1], oui=key[2], rmpp=mad.has_rmpp)
        return self._agents[key]

    def request(self, mad: Mad, to: "Address | int | None" = None, *, timeout: float = 1.0,
                retries: int = 0, agent: Optional[int] = None) -> Mad:
        """Sends a request and returns its answer, whatever its status (Mad.status). If the MAD has
        no TID, it gets the next number; other messages that arrive meanwhile are lost. NoAnswer:
        there was none after (1 + retries) * timeout seconds."""
        if agent is None:
            agent = self.agent_for(mad)
        if mad.tid == 0:
            mad = mad.copy()
            mad.tid = self._next_tid
            self._next_tid = self._next_tid % 0xffffffff + 1
        self.send(mad, to, agent=agent, timeout=timeout, retries=retries)
        while True:
            message = self.recv()
            if message.agent != agent or (message.mad.tid ^ mad.tid) & 0xffffffff:
                continue
            if message.status == errno.ETIMEDOUT:
                raise NoAnswer(errno.ETIMEDOUT, "no answer to %s from %s after %g s" % (
                    mad.summary(), "the directed route" if to is None else to,
                    (1 + retries) * timeout))
            if message.status:
                raise UmadError(message.status, "%s: %s" % (mad.summary(),
                                                            os.strerror(message.status)))
            return message.mad


def open(device: Optional[str] = None, port: int = 0,
         host: Optional[str] = None) -> UmadPort:
    """Opens a port: None leaves the device, 0 the port to the library (the first that is active).
    `host`: a simulated node on which this thread looks for devices. UmadError: ENODEV none matches,
    EINVAL no such port, ENOENT no such host, EOPNOTSUPP hosts with real devices."""
    if host is not None:
        _check(library.umad().umad_host_enter(library.encode(host)), "host '%s'" % host)
    return UmadPort(_check(library.umad().umad_open_port(
        None if device is None else library.encode(device), port), "umad_open_port(%s, %d)" %
        (device, port)))
