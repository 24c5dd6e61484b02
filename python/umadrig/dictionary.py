# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The MAD dictionary, as `umadrig fields --json` exports it (doc/fields-json.md)."""
from __future__ import annotations

import difflib
import functools
import ipaddress
import json
import subprocess
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Union

from . import library
from .errors import LibraryMissing

FORMAT_VERSION = 1


class UnknownName(LookupError):
    """The dictionary has no such class, method, attribute, field or value. The message guesses."""


class Value(int):
    """A number that may have a name: equal to both, Value 4 == 4 == "Active"; str() is the name."""

    field: "Field"

    def __new__(cls, number: int, field: "Field") -> "Value":
        value = super().__new__(cls, number)
        value.field = field
        return value

    @property
    def names(self) -> list[str]:
        """Its name, or those of its bits; [] if it has none."""
        if self.field.format == "enum":
            return [name for number, name in self.field.values if number == self]
        return [name for bit, name in self.field.values if bit and self & bit == bit]

    def __str__(self) -> str:
        return "|".join(self.names) or int.__repr__(self)

    def __repr__(self) -> str:
        return "<%s=%d %s>" % (self.field.name, int(self), "|".join(self.names) or "(no name)")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return normal(other) in {normal(name) for name in self.names + [str(self)]}
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


FieldValue = Union[Value, int, bool, str, bytes, ipaddress.IPv6Address]


def normal(name: str) -> str:
    """As in scenarios, case and underscores do not matter."""
    return name.replace("_", "").lower()


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownName:
    """The exception, with a guess."""
    names = {normal(one): one for one in known}
    near = difflib.get_close_matches(normal(name), list(names), 1)
    if near:
        hint = ": did you mean '%s'?" % names[near[0]]
    elif len(names) <= 20:
        hint = "; there are: %s" % " ".join(names.values())
    else:
        hint = "; 'umadrig fields' lists them"
    return UnknownName("no %s is called '%s'%s" % (what, name, hint))


@dataclass(frozen=True)
class Field:
    """A field: `bit` is its first, from the start of `data` that get() and put() are given."""
    name: str
    bit: int
    width: int
    format: str
    values: tuple[tuple[int, str], ...] = ()

    def get(self, data: "bytes | bytearray", base: int = 0) -> FieldValue:
        """Its value in `data`, counted from byte `base`. IndexError: `data` ends before it."""
        bit = base * 8 + self.bit
        first, end = bit // 8, (bit + self.width + 7) // 8
        if end > len(data):
            raise IndexError("%s: the MAD ends before it, at byte %d" % (self.name, len(data)))
        raw = bytes(data[first:end])
        if self.format == "bytes":
            return raw
        if self.format == "string":
            return raw.split(b"\0")[0].decode("utf-8", "replace")
        if self.format == "gid":
            return ipaddress.IPv6Address(raw)
        number = int.from_bytes(raw, "big") >> (end * 8 - bit - self.width)
        number &= (1 << self.width) - 1
        if self.format == "bool":
            return bool(number)
        return Value(number, self) if self.values else number

    def put(self, data: bytearray, value: object, base: int = 0) -> None:
        """Sets it. ValueError: it does not fit. UnknownName: no value has this name. TypeError."""
        bit = base * 8 + self.bit
        first, end = bit // 8, (bit + self.width + 7) // 8
        if end > len(data):
            raise IndexError("%s: the MAD ends before it, at byte %d" % (self.name, len(data)))
        if self.format in ("bytes", "string", "gid"):
            data[first:end] = self._bytes(value)
            return
        number = self._number(value)
        if not 0 <= number < 1 << self.width:
            raise ValueError("%s=%d does not fit into %d bits" % (self.name, number, self.width))
        shift = end * 8 - bit - self.width
        old = int.from_bytes(data[first:end], "big")
        old &= ~(((1 << self.width) - 1) << shift)
        data[first:end] = (old | number << shift).to_bytes(end - first, "big")

    def _bytes(self, value: object) -> bytes:
        size = self.width // 8
        if self.format == "gid" and isinstance(value, (str, ipaddress.IPv6Address)):
            return ipaddress.IPv6Address(value).packed
        if self.format == "string" and isinstance(value, str):
            value = value.encode()
        if not isinstance(value, (bytes, bytearray)):
            raise TypeError("%s: expected %s, not %r" % (
                self.name, {"gid": "a GID", "string": "text"}.get(self.format, "bytes"), value))
        if len(value) > size or (self.format == "gid" and len(value) != size):
            raise ValueError("%s has %d bytes, not %d" % (self.name, size, len(value)))
        return bytes(value).ljust(size, b"\0")

    def _number(self, value: object) -> int:
        if isinstance(value, int):
            return int(value)
        if not isinstance(value, str):
            raise TypeError("%s: expected a number%s, not %r" % (
                self.name, " or a name" if self.values else "", value))
        number = 0
        for word in value.split("|"):
            number |= self._word(word.strip())
        return number

    def _word(self, word: str) -> int:
        for number, name in self.values:
            if normal(name) == normal(word):
                return number
        try:
            return int(word, 0)
        except ValueError:
            raise unknown("value of %s" % self.name, word, [n for _, n in self.values]) from None


class Fields:
    """Fields by name. `name` is that of what has them."""

    def __init__(self, name: str, fields: Iterable[Mapping[str, Any]]) -> None:
        self.name = name
        self.all = [Field(f["name"], f["bit"], f["width"], f["format"],
                          tuple((v["value"], v["name"]) for v in f.get("values", ())))
                    for f in fields]
        self.by_name = {normal(field.name): field for field in self.all}

    def find(self, name: str) -> Optional[Field]:
        """The field of this name, or None."""
        return self.by_name.get(normal(name))


class Attribute(Fields):
    """An attribute: `id`, `name`, `size` in bytes (0: known by name only)."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        super().__init__(entry["name"], entry["fields"])
        self.id: int = entry["id"]
        self.size: int = entry["size"]


class MgmtClass:
    """A management class; `data_at` is where its attributes begin in a MAD."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.name: str = entry["name"]
        self.prefix: str = entry["prefix"]
        self.first: int = entry["first"]
        self.last: int = entry["last"]
        self.version: int = entry["class_version"]
        self.data_at: int = entry["data_at"]
        self.methods: dict[int, str] = {m["value"]: m["name"] for m in entry["methods"]}
        self.attributes = [Attribute(a) for a in entry["attributes"]]
        self.by_id = {a.id: a for a in self.attributes}
        self.by_name = {normal(a.name): a for a in self.attributes}
        self.headers: list[Fields] = []

    def method(self, name: str) -> Optional[int]:
        """The number of a method, by its name with the prefix, or None."""
        for value, known in self.methods.items():
            if normal(known) == normal(name):
                return value
        return None


class Dictionary:
    """All of it. load() gives the one of the command."""

    def __init__(self, exported: Mapping[str, Any]) -> None:
        if exported.get("format") != "umadrig-fields" or exported.get("version") != FORMAT_VERSION:
            raise LibraryMissing("'umadrig fields --json' has format %s, version %s; this module "
                                 "reads umadrig-fields, version %d" % (
                                     exported.get("format"), exported.get("version"),
                                     FORMAT_VERSION))
        self.classes = [MgmtClass(entry) for entry in exported["classes"]]
        self.notices = {n["trap"]: Fields("Notice", n["fields"]) for n in exported["notices"]}
        for header in exported["headers"]:
            fields = Fields(header["name"], header["fields"])
            for mgmt_class in self.classes:
                if header["from"] == "mad" and mgmt_class.name in header["classes"]:
                    mgmt_class.headers.append(fields)
        self.header = Fields("MAD", next(
            h for h in exported["headers"] if h["name"] == "MAD")["fields"])

    def mgmt_class(self, number: int) -> Optional[MgmtClass]:
        """The class of a MgmtClass; where ranges overlap the first one counts."""
        return next((c for c in self.classes if c.first <= number <= c.last), None)

    def classes_of(self, method: str) -> list[MgmtClass]:
        """The classes that have a method of this name ("SubnGet"). UnknownName: none has."""
        found = [c for c in self.classes if c.method(method) is not None]
        if not found:
            raise unknown("method", method, [m for c in self.classes for m in c.methods.values()])
        return found


@functools.lru_cache(maxsize=None)
def load() -> Dictionary:
    """The dictionary of the command umadrig, read once."""
    command = library.place("umadrig")
    result = subprocess.run([command, "fields", "--json"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if result.returncode:
        raise LibraryMissing("%s fields --json: %s" % (
            command, result.stderr.decode("utf-8", "replace").strip()))
    return Dictionary(json.loads(result.stdout))
