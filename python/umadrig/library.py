# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The C libraries and the command: where they are, and the types of their functions.

They are looked for below UMADRIG_BUILD (a build of the source tree) if that is set, otherwise where
`make install` has put them; if this module was installed by pip, where the command umadrig in PATH
was installed or built.
"""
from __future__ import annotations

import ctypes
import os
import shutil
import sysconfig
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int64,
                    c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)
from typing import Any, Optional

from .errors import LibraryMissing

ERROR_SIZE = 1024

INT64_MAX = 2 ** 63 - 1


def _built(build: str, name: str) -> str:
    return os.path.join(build, name if name == "umadrig" else os.path.join(".libs", name))


def _installed(bindir: str, libdir: str, umadlibdir: str, name: str) -> str:
    return os.path.join({"umadrig": bindir, "libibumad.so.3": umadlibdir}.get(name, libdir), name)


def _beside_command(name: str) -> str:
    """The path that belongs to the command umadrig in PATH."""
    command = shutil.which("umadrig")
    if not command:
        raise LibraryMissing("this umadrig does not know where %s is: there is no command umadrig "
                             "in PATH; install umadrig (its Debian package, or 'make install'), or "
                             "set UMADRIG_BUILD to the directory where 'make' has run" % name)
    bindir = os.path.dirname(os.path.realpath(command))
    if os.path.isdir(os.path.join(bindir, ".libs")):
        return _built(bindir, name)
    prefix = os.path.dirname(bindir)
    places = [os.path.join(prefix, "lib", str(sysconfig.get_config_var("MULTIARCH") or "")),
              os.path.join(prefix, "lib64"), os.path.join(prefix, "lib")]
    libdir = next((one for one in places if os.path.exists(os.path.join(one, "libumadrig.so.0"))),
                  places[-1])
    return _installed(bindir, libdir, os.path.join(libdir, "umadrig"), name)


def place(name: str) -> str:
    """The path of "umadrig" (the command), "libumadrig.so.0" or "libibumad.so.3"."""
    build = os.environ.get("UMADRIG_BUILD")
    cure = "the installation is not complete"
    if build:
        path = _built(build, name)
        cure = "UMADRIG_BUILD=%s is to name a directory where 'make' has run" % build
    else:
        try:
            from . import installed
        except ImportError:
            path = _beside_command(name)
        else:
            path = _installed(installed.BINDIR, installed.LIBDIR, installed.UMADLIBDIR, name)
    if not os.path.exists(path):
        raise LibraryMissing("there is no %s: %s" % (path, cure))
    return path


class MadRecord(Structure):
    """struct umadrig_mad"""
    _fields_ = [("at_ns", c_int64), ("port", c_char_p), ("outbound", c_bool), ("slid", c_uint16),
                ("dlid", c_uint16), ("mad", c_void_p), ("comment", c_char_p)]


MAD_FN = CFUNCTYPE(c_bool, c_void_p, POINTER(MadRecord))
TAP_FN = CFUNCTYPE(None, c_void_p, c_int64, c_bool, c_void_p, c_size_t)
TRACE_FN = CFUNCTYPE(None, c_void_p, c_int64, c_char_p, c_char_p)


class Replay(Structure):
    """struct umadrig_replay"""
    _fields_ = [("capture", c_char_p), ("timed_at", c_void_p), ("own_tids", c_bool),
                ("speed_milli", c_uint), ("as_of", c_char_p), ("unmatched", c_char_p),
                ("keep", MAD_FN), ("ctx", c_void_p), ("any_order", c_bool),
                ("size_max", c_uint64)]


class ReplayCounts(Structure):
    """struct umadrig_replay_counts"""
    _fields_ = [("exact", c_size_t), ("near", c_size_t), ("silent", c_size_t),
                ("unmatched", c_size_t), ("lacking", c_size_t), ("stopped", c_size_t)]


class ReplayProgress(Structure):
    """struct umadrig_replay_progress"""
    _fields_ = [("arrived", c_size_t), ("left", c_size_t), ("omitted", c_size_t),
                ("others", c_size_t), ("last_ns", c_int64)]


class Difference(Structure):
    """struct umadrig_difference"""
    _fields_ = [("frame", c_uint), ("request", c_char_p), ("field", c_char_p),
                ("captured", c_char_p), ("actual", c_char_p)]


DIFFERENCE_FN = CFUNCTYPE(None, c_void_p, POINTER(Difference))


class ReplayAsk(Structure):
    """struct umadrig_replay_ask"""
    _fields_ = [("capture", c_char_p), ("port", c_void_p), ("keep", MAD_FN),
                ("differs", DIFFERENCE_FN), ("ctx", c_void_p), ("ignoring", c_char_p),
                ("timeout_ms", c_uint), ("allow_writes", c_bool), ("any_order", c_bool)]


class AskCounts(Structure):
    """struct umadrig_ask_counts"""
    _fields_ = [("asked", c_size_t), ("same", c_size_t), ("changed", c_size_t),
                ("unanswered", c_size_t), ("skipped", c_size_t), ("others", c_size_t),
                ("failed", c_size_t)]


class ProgramSetup(Structure):
    """struct umadrig_program_setup"""
    _fields_ = [("argv", c_void_p), ("environment", c_void_p), ("directory", c_char_p),
                ("host", c_char_p), ("input", c_int), ("output", c_int), ("errors", c_int)]


# name: (type of the result, types of the arguments)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "umadrig_fabric_open": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "umadrig_fabric_parse": (c_void_p, [c_char_p, c_char_p, c_char_p, c_size_t]),
    "umadrig_fabric_close": (None, [c_void_p]),
    "umadrig_attach": (None, [c_void_p]),
    "umadrig_host_enter": (c_int, [c_void_p, c_char_p]),
    "umadrig_now": (c_int64, [c_void_p]),
    "umadrig_next": (c_int64, [c_void_p]),
    "umadrig_step": (None, [c_void_p, c_int64]),
    "umadrig_step_once": (c_bool, [c_void_p, c_int64]),
    "umadrig_step_idle": (c_bool, [c_void_p, c_int64]),
    "umadrig_thread_enter": (None, [c_void_p]),
    "umadrig_thread_leave": (None, [c_void_p]),
    "umadrig_port": (c_void_p, [c_void_p, c_char_p, c_uint]),
    "umadrig_port_lid": (c_uint16, [c_void_p]),
    "umadrig_port_lmc": (c_uint8, [c_void_p]),
    "umadrig_port_gid": (c_int, [c_void_p, c_uint, c_char_p]),
    "umadrig_port_set_lid": (c_int, [c_void_p, c_uint16, c_uint8]),
    "umadrig_port_device": (c_char_p, [c_void_p]),
    "umadrig_port_remove": (c_int, [c_void_p]),
    "umadrig_node": (c_char_p, [c_void_p, c_uint]),
    "umadrig_node_ports": (c_int, [c_void_p, c_char_p]),
    "umadrig_port_state": (c_int, [c_void_p, c_char_p, c_uint]),
    "umadrig_node_set_description": (c_int, [c_void_p, c_char_p, c_char_p]),
    "umadrig_node_set_system_guid": (c_int, [c_void_p, c_char_p, c_uint64]),
    "umadrig_port_set_capability": (c_int, [c_void_p, c_char_p, c_uint, c_uint32, c_bool]),
    "umadrig_link_error": (c_int, [c_void_p, c_char_p, c_uint, c_int]),
    "umadrig_inject": (c_int, [c_void_p, c_char_p, c_size_t]),
    "umadrig_deliver": (c_int, [c_void_p, c_void_p, c_char_p, c_size_t]),
    "umadrig_kernel_faults": (c_void_p, []),
    "umadrig_console": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "umadrig_link_set": (c_int, [c_void_p, c_char_p, c_uint, c_bool]),
    "umadrig_node_set": (c_int, [c_void_p, c_char_p, c_bool]),
    "umadrig_sm_lose": (c_int, [c_void_p]),
    "umadrig_fault_add_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "umadrig_fault_hits": (c_int64, [c_void_p, c_int]),
    "umadrig_fault_remove": (c_int, [c_void_p, c_int]),
    "umadrig_attribute": (c_int, [c_void_p, c_char_p, c_uint, c_uint, c_char_p]),
    "umadrig_counter": (c_int64, [c_void_p, c_char_p, c_uint, c_char_p]),
    "umadrig_counter_move": (c_int, [c_void_p, c_char_p, c_uint, c_char_p, c_uint64, c_int64,
                                     c_int64]),
    "umadrig_load_add": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "umadrig_load_rate": (c_int64, [c_void_p, c_int]),
    "umadrig_load_remove": (c_int, [c_void_p, c_int]),
    "umadrig_counter_set": (c_int, [c_void_p, c_char_p, c_uint, c_char_p, c_uint64]),
    "umadrig_capture_start": (c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t]),
    "umadrig_capture_stop": (c_int, [c_void_p]),
    "umadrig_capture_comment": (None, [c_void_p, c_char_p]),
    "umadrig_capture_note": (None, [c_void_p, c_char_p]),
    "umadrig_capture_each": (c_int64, [c_char_p, MAD_FN, c_void_p, c_char_p, c_size_t]),
    "umadrig_watch": (None, [c_void_p, MAD_FN, c_void_p]),
    "umadrig_tap": (None, [c_void_p, TAP_FN, c_void_p]),
    "umadrig_trace": (None, [c_void_p, TRACE_FN, c_void_p]),
    "umadrig_replay": (c_int, [c_void_p, POINTER(Replay), c_char_p, c_size_t]),
    "umadrig_replay_count": (None, [c_void_p, POINTER(ReplayCounts)]),
    "umadrig_replay_progress": (None, [c_void_p, POINTER(ReplayProgress)]),
    "umadrig_replay_ask": (c_int, [POINTER(ReplayAsk), POINTER(AskCounts), c_char_p, c_size_t]),
    "umadrig_serve": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "umadrig_socket": (c_char_p, [c_void_p]),
    "umadrig_program_start": (c_int, [c_void_p, POINTER(ProgramSetup), POINTER(c_void_p), c_char_p,
                                      c_size_t]),
    "umadrig_program_wait": (c_int, [c_void_p, c_int64, POINTER(c_int)]),
    "umadrig_program_signal": (c_int, [c_void_p, c_int]),
}


class UmadAddress(Structure):
    """ib_mad_addr_t: big-endian but for pkey_index."""
    _pack_ = 1
    _fields_ = [("qpn", c_uint8 * 4), ("qkey", c_uint8 * 4), ("lid", c_uint8 * 2), ("sl", c_uint8),
                ("path_bits", c_uint8), ("grh_present", c_uint8), ("gid_index", c_uint8),
                ("hop_limit", c_uint8), ("traffic_class", c_uint8), ("gid", c_uint8 * 16),
                ("flow_label", c_uint8 * 4), ("pkey_index", c_uint16), ("reserved", c_uint8 * 6)]


class UmadHeader(Structure):
    """struct ib_user_mad"""
    _fields_ = [("agent_id", c_uint32), ("status", c_uint32), ("timeout_ms", c_uint32),
                ("retries", c_uint32), ("length", c_uint32), ("addr", UmadAddress)]


class UmadPort(Structure):
    """umad_port_t"""
    _fields_ = [("ca_name", ctypes.c_char * 20), ("portnum", c_int), ("base_lid", c_uint),
                ("lmc", c_uint), ("sm_lid", c_uint), ("sm_sl", c_uint), ("state", c_uint),
                ("phys_state", c_uint), ("rate", c_uint), ("capmask", c_uint8 * 4),
                ("gid_prefix", c_uint64), ("port_guid", c_uint64), ("pkeys_size", c_uint),
                ("pkeys", POINTER(c_uint16)), ("link_layer", ctypes.c_char * 20)]


class UmadRegistration(Structure):
    """struct umad_reg_attr"""
    _fields_ = [("mgmt_class", c_uint8), ("mgmt_class_version", c_uint8), ("flags", c_uint32),
                ("method_mask", c_uint64 * 2), ("oui", c_uint32), ("rmpp_version", c_uint8)]


_UMAD_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "umad_init": (c_int, []),
    "umad_host_enter": (c_int, [c_char_p]),
    "umad_get_cas_names": (c_int, [c_void_p, c_int]),
    "umad_open_port": (c_int, [c_char_p, c_int]),
    "umad_close_port": (c_int, [c_int]),
    "umad_get_port": (c_int, [c_char_p, c_int, POINTER(UmadPort)]),
    "umad_release_port": (c_int, [POINTER(UmadPort)]),
    "umad_register2": (c_int, [c_int, POINTER(UmadRegistration), POINTER(c_uint32)]),
    "umad_unregister": (c_int, [c_int, c_int]),
    "umad_send": (c_int, [c_int, c_int, c_void_p, c_int, c_int, c_int]),
    "umad_recv": (c_int, [c_int, c_void_p, POINTER(c_int), c_int]),
    "umad_poll": (c_int, [c_int, c_int]),
}


def _load(name: str, functions: dict[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    path = place(name)
    try:
        library = ctypes.CDLL(path, use_errno=True)
    except OSError as error:
        raise LibraryMissing("%s cannot be loaded: %s" % (path, error)) from None
    for function, (result, arguments) in functions.items():
        try:
            entry = getattr(library, function)
        except AttributeError:
            raise LibraryMissing("%s has no %s(): it is of another version than this module" %
                                 (path, function)) from None
        entry.restype, entry.argtypes = result, arguments
    return library


_lock = threading.Lock()
_umadrig: Optional[ctypes.CDLL] = None
_umad: Optional[ctypes.CDLL] = None
_libc = ctypes.CDLL(None)
_libc.free.restype, _libc.free.argtypes = None, [c_void_p]


def umadrig() -> ctypes.CDLL:
    """libumadrig, loaded when it is first needed."""
    global _umadrig
    with _lock:
        if _umadrig is None:
            _umadrig = _load("libumadrig.so.0", _FUNCTIONS)
        return _umadrig


def umad() -> ctypes.CDLL:
    """The drop-in libibumad, loaded when it is first needed."""
    global _umad
    with _lock:
        if _umad is None:
            _umad = _load("libibumad.so.3", _UMAD_FUNCTIONS)
        return _umad


def take_text(pointer: c_void_p) -> str:
    """The text at an address that malloc(3) gave out, which is freed."""
    if not pointer.value:
        return ""
    text = ctypes.string_at(pointer.value).decode("utf-8", "replace")
    _libc.free(pointer)
    return text


def no_function(kind: Any) -> Any:
    """NULL, as a pointer to a function."""
    return ctypes.cast(c_void_p(), kind)


def encode(text: "str | os.PathLike[str]") -> bytes:
    """For a char * argument. ValueError: it has a zero byte in it."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("a zero byte in %r" % (text,))
    return encoded
