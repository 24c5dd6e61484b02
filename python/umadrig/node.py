# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The nodes of a fabric, their ports and the links between them."""
from __future__ import annotations

import collections
import ctypes
import difflib
import enum
import errno
import os
import re
from typing import Iterator, Optional

from . import library
from .errors import Error, check
from .handle import Handle
from .mad import Mad
from .port import Port, PortState, port_state

_SMP_DATA, _SMP_DATA_SIZE = 64, 64
_NEAR, _LISTED = 2, 8    # how many names of nodes an error has
_ADAPTER = re.compile(r" (?:HCA-|mlx|hfi).*", re.S)    # which one of a host's, in its description


class LinkError(enum.IntEnum):
    """What hardware notices of a link, by the number of the trap that notifies the SM."""
    INTEGRITY = 129
    BUFFER_OVERRUN = 130
    FLOW_CONTROL_WATCHDOG = 131


class Nodes(Handle):
    """What a Fabric has of nodes."""

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

    def _node(self, result: int, node: str, what: str = "node") -> int:
        """The result of a call; an error that says which nodes there are, if it is ENOENT."""
        if result != -errno.ENOENT:
            return check(result, "%s '%s'" % (what, node))
        raise Error(errno.ENOENT, "there is no %s '%s'%s" %
                    (what, node, self._near(node, what == "host")))

    def _cable(self, result: int, node: str, port: int) -> int:
        """The same of a call about a port's cable."""
        if result != -errno.ENOENT:
            return check(result, "link of %s[%d]" % (node, port))
        ports = int(library.umadrig().umadrig_node_ports(self._get(), library.encode(node)))
        if ports < 0:
            raise Error(errno.ENOENT, "there is no node '%s'%s" % (node, self._near(node)))
        raise Error(errno.ENOENT, "there is no port %s[%d]: %s has ports 1 to %d" %
                    (node, port, node, ports))

    def _known_as(self, only_hosts: bool) -> list[str]:
        """What people call the nodes: descriptions, and the ids of those that share one; or hosts,
        by the beginning of their CAs' descriptions."""
        ids = [node for node in self._each_node() if not only_hosts or
               library.umadrig().umadrig_port(self._get(), library.encode(node), 1)]
        texts = [str(self.attribute("NodeDescription", node)["NodeDesc"]) for node in ids]
        if only_hosts:
            return list(dict.fromkeys(_ADAPTER.sub("", text) or node
                                      for node, text in zip(ids, texts)))
        times = collections.Counter(texts)
        return [text if text and times[text] == 1 else node for node, text in zip(ids, texts)]

    def _near(self, node: str, only_hosts: bool = False) -> str:
        """Which names of nodes come close, or the first ones."""
        stem, bracket, number = node.partition("[")
        ports = int(library.umadrig().umadrig_node_ports(self._get(), library.encode(stem)))
        if bracket and ports >= 0:
            return ": the port is an argument of its own, '%s', %s; %s has ports 1 to %d" % (
                stem, number.rstrip("]"), stem, ports)
        names = self._known_as(only_hosts)
        near = difflib.get_close_matches(node, names, _NEAR)
        if near:
            return "; did you mean %s?" % " or ".join("'%s'" % name for name in near)
        more = ", ..." if len(names) > _LISTED else ""
        return "; there are %s%s" % (", ".join(names[:_LISTED]), more)

    def node_ports(self, node: str) -> int:
        """How many ports a node has, without port 0 of a switch. Error: no such node (ENOENT)."""
        return self._node(library.umadrig().umadrig_node_ports(
            self._get(), library.encode(node)), node)

    def port(self, node: str, number: int = 1) -> Port:
        """An end port. Error: there is none (ENOENT)."""
        handle = library.umadrig().umadrig_port(self._get(), library.encode(node), number)
        if not handle:
            raise Error(errno.ENOENT, "there is no end port %s[%d]" % (node, number))
        return Port(self, node, number, handle)

    def port_state(self, node: str, port: int) -> PortState:
        """PortState of any port. Error: no such node or port (ENOENT)."""
        return port_state(self, node, port)

    def set_description(self, node: str, description: str) -> None:
        """Changes a NodeDescription, and notifies the SM. Error: no such node (ENOENT)."""
        self._node(library.umadrig().umadrig_node_set_description(
            self._get(), library.encode(node), library.encode(description)), node)

    def set_system_guid(self, node: str, guid: int) -> None:
        """Changes a SystemImageGUID, and notifies the SM. Error: no such node (ENOENT)."""
        self._node(library.umadrig().umadrig_node_set_system_guid(
            self._get(), library.encode(node), guid), node)

    def link_down(self, node: str, port: int = 0) -> None:
        """Pulls a cable; port 0: all of the node. Switches notify the SM. Error: no such node or
        port (ENOENT), no cable there (ENXIO)."""
        self._cable(library.umadrig().umadrig_link_set(
            self._get(), library.encode(node), port, False), node, port)

    def link_up(self, node: str, port: int = 0) -> None:
        """Plugs it in again: the link is in Init some milliseconds later. Errors as above."""
        self._cable(library.umadrig().umadrig_link_set(
            self._get(), library.encode(node), port, True), node, port)

    def link_error(self, node: str, port: int, error: LinkError) -> None:
        """Lets an error happen once at a port, which counts it and notifies the SM."""
        self._cable(library.umadrig().umadrig_link_error(
            self._get(), library.encode(node), port, int(error)), node, port)

    def node_off(self, node: str) -> None:
        """Takes a node's power: it answers nothing. Error: no such node (ENOENT)."""
        self._node(library.umadrig().umadrig_node_set(
            self._get(), library.encode(node), False), node)

    def node_on(self, node: str) -> None:
        """Gives it back: the node has no LIDs and empty tables, its links train."""
        self._node(library.umadrig().umadrig_node_set(
            self._get(), library.encode(node), True), node)

    def sm_off(self) -> int:
        """Switches off each node with a port whose IsSM is set; returns their number."""
        return check(library.umadrig().umadrig_sm_lose(self._get()), "sm_off")

    def _first_port(self) -> Port:
        for node in self._each_node():
            try:
                return self.port(node)
            except Error:
                pass    # a switch
        raise Error(errno.ENOENT, "the fabric has no CA")

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
