# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""umadrig: software that speaks InfiniBand MADs, tested on a simulated fabric.

    import umadrig

    with umadrig.Fabric("generate:fat-tree:20,8", clock="virtual") as fabric:
        with fabric.open() as port:
            answer = port.request(umadrig.Mad("SubnGet(NodeInfo)", path=[]))
            print(answer["NodeType"], answer["NumPorts"])

doc/python.md is an introduction; umadrig-formats(5) describes fabrics, options and faults. Times
are seconds. Errors are exceptions of umadrig.errors.
"""
from .capture import CapturedMad, ladder, read_capture
from .counters import Counters
from .dictionary import UnknownName, Value
from .errors import (ConsoleError, Error, FabricError, FabricSyntaxError, FaultError,
                     KernelFault, LibraryMissing, NoAnswer, TimedOut, UmadError)
from .fabric import Fabric
from .fault import Fault
from .load import Load
from .mad import Mad
from .node import LinkError
from .port import Port, PortState
from .program import Program
from .property import Property
from .recording import Capture
from .replay import Asked, Difference, Replay, ReplayCounts, ReplayProgress
from .umad import Address, Message, PortAttributes, UmadPort

__version__ = "0.1.0"

__all__ = ["Address", "Asked", "Capture", "CapturedMad", "ConsoleError", "Counters", "Difference",
           "Error", "Fabric", "FabricError", "FabricSyntaxError", "Fault", "FaultError",
           "KernelFault", "LibraryMissing", "LinkError", "Load", "Mad", "Message", "NoAnswer",
           "Port", "PortAttributes", "PortState", "Program", "Property", "Replay", "ReplayCounts",
           "ReplayProgress", "TimedOut", "UmadError", "UmadPort", "UnknownName", "Value", "ladder",
           "read_capture"]
