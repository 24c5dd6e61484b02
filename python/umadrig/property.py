# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What must hold of a fabric while programs use it."""
from __future__ import annotations

import json
from typing import NamedTuple, Optional, Union

from .clock import to_ns
from .console import Console


class Property(NamedTuple):
    """A property, and what has become of it."""

    id: int
    kind: str                   # "always", "never", "sometimes" or "finally"
    condition: str
    within_ns: int
    state: str                  # "holds", "met" (sometimes, finally) or "broken"
    at_ns: Optional[int] = None     # when it was met or broken
    why: Optional[str] = None       # of a broken one

    @property
    def broken(self) -> bool:
        """It has not held; this is so for good."""
        return self.state == "broken"

    def __str__(self) -> str:
        text = "%s %s" % (self.kind, self.condition)
        if self.broken and self.at_ns is not None:
            text += ": %s (at %.9gs)" % (self.why, self.at_ns / 1e9)
        return text


class Properties(Console):
    """What a Fabric has of properties: PROPERTIES in umadrig-ctl(1) has the conditions. The first
    four return a property's number; ConsoleError: the condition is wrong (EINVAL)."""

    def always(self, condition: str, within: Union[str, float, None] = None) -> int:
        """It must not be false for longer than that (seconds, or with a unit; None: the time that
        the condition has): always("all-active", within=30)."""
        return self._property("always", condition, within)

    def never(self, condition: str, within: Union[str, float, None] = None) -> int:
        """It must not be true (for longer than that): never("log-has osm.log ERR")."""
        return self._property("never", condition, within)

    def sometimes(self, condition: str) -> int:
        """Notes whether it is ever true: its state is then "met"."""
        return self._property("sometimes", condition, None)

    def finally_(self, condition: str, within: Union[str, float, None] = None) -> int:
        """It must be true that long after heal(), or when properties(end=True) is called."""
        return self._property("finally", condition, within)

    def heal(self) -> None:
        """Ends all faults and what is done again and again; nodes have power, and cables are
        plugged in."""
        self.console("heal")

    def properties(self, end: bool = False) -> list[Property]:
        """All of them; with `end` when those have been judged that had to be true by now."""
        answer = json.loads(self.console("json property end" if end else "json property list"))
        return [Property(**entry) for entry in answer]

    def _property(self, kind: str, condition: str, within: Union[str, float, None]) -> int:
        words = [kind, condition]
        if within is not None:
            words += ["within", within if isinstance(within, str) else "%dns" % to_ns(within)]
        return int(self.console(" ".join(words)))
