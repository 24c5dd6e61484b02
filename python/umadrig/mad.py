# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""MADs, built and read by the names of the dictionary.

    get = Mad("SubnGet(PortInfo)", path=[1, 3], modifier=1)
    set_ = Mad("SubnSet(PortInfo)", modifier=1, LinkState="Armed")
    answer["LinkState"] == "Armed" and answer["LinkState"] == 3

Names are those that `umadrig fields` lists and scenarios use; case and underscores do not matter.
"""
from __future__ import annotations

import re
from typing import Any, Iterator, Optional, Sequence

from . import dictionary
from .dictionary import Attribute, Field, MgmtClass, UnknownName, unknown

MAD_SIZE = 256
_HEADER = 24
_RESPONSE = 0x80
_DIRECTED = 0x81
_GENERIC = 0x80  # IsGeneric of a Notice
_NAME = re.compile(r"\s*(?P<method>\w+)\s*(?:\(\s*(?P<attribute>\w*)\s*\))?\s*")
_RMPP_CLASSES = {0x03, 0x06, 0x10, 0x12}


class Mad:
    """A MAD: 256 bytes, or the whole message if RMPP reassembled it.

    `name` is a method and an attribute, "SubnGet(PortInfo)"; an attribute that has no name is
    written as a number, "VendGet(0x0010)". `path` makes a directed-route SMP: the ports by which it
    goes out, one for each hop. `mgmt_class` chooses among the classes of a range ("Vend", "Appl").
    Fields follow as keywords: those of the attribute, and those of the headers. Where both have a
    name, that of the header is mad["SMP.M_Key"].

    UnknownName: no such method, attribute, field or value. ValueError: a value does not fit.
    """

    def __init__(self, name: str, *, path: Optional[Sequence[int]] = None, modifier: int = 0,
                 tid: int = 0, mgmt_class: Optional[int] = None, **fields: object) -> None:
        match = _NAME.fullmatch(name)
        if not match:
            raise UnknownName("'%s': expected a method and an attribute, such as "
                              "SubnGet(PortInfo)" % name)
        info = self._choose(match["method"], path is not None, mgmt_class)
        method = info.method(match["method"])
        assert method is not None
        self._data = bytearray(MAD_SIZE)
        self._data[0] = 1
        self._data[1] = info.first if mgmt_class is None else mgmt_class
        self._data[2] = info.version
        self._data[3] = method
        self.attribute_id = self._attribute_number(info, match["attribute"] or "0")
        self.modifier = modifier
        self.tid = tid
        if path is not None:
            self._set_path(path)
        for field, value in fields.items():
            self[field] = value

    @staticmethod
    def _choose(method: str, has_path: bool, mgmt_class: Optional[int]) -> MgmtClass:
        candidates = dictionary.load().classes_of(method)
        if mgmt_class is not None:
            for info in candidates:
                if info.first <= mgmt_class <= info.last:
                    return info
            raise UnknownName("class 0x%02x has no %s" % (mgmt_class, method))
        if has_path:
            candidates = [c for c in candidates if c.first == _DIRECTED]
            if not candidates:
                raise ValueError("%s has no path: only SMPs have directed routes" % method)
        elif candidates[0].first == _DIRECTED:
            candidates = candidates[1:]
        return candidates[0]

    @staticmethod
    def _attribute_number(info: MgmtClass, word: str) -> int:
        found = info.by_name.get(dictionary.normal(word))
        if found:
            return found.id
        try:
            return int(word, 0)
        except ValueError:
            raise unknown("attribute of %s" % info.name, word,
                          [a.name for a in info.attributes]) from None

    def _set_path(self, path: Sequence[int]) -> None:
        if len(path) > 63:
            raise ValueError("a directed route has at most 63 hops, not %d" % len(path))
        self["HopCount"] = len(path)
        self["DrSLID"] = self["DrDLID"] = 0xffff
        self["InitialPath"] = bytes([0, *path])

    @classmethod
    def from_bytes(cls, data: bytes) -> "Mad":
        """A MAD of its bytes, which may be fewer than 256 (a header that came back)."""
        if len(data) < _HEADER:
            raise ValueError("a MAD has at least %d bytes, not %d" % (_HEADER, len(data)))
        mad = cls.__new__(cls)
        mad._data = bytearray(data)
        return mad

    def copy(self) -> "Mad":
        """Another one with the same bytes."""
        return Mad.from_bytes(self.data)

    # ---- the header that all have ----

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return bytes(self._data)

    def _number(self, first: int, size: int) -> int:
        return int.from_bytes(self._data[first:first + size], "big")

    def _put(self, first: int, size: int, value: int) -> None:
        self._data[first:first + size] = value.to_bytes(size, "big")

    @property
    def mgmt_class(self) -> int:
        """MgmtClass."""
        return self._data[1]

    @property
    def class_version(self) -> int:
        """ClassVersion."""
        return self._data[2]

    @property
    def method(self) -> int:
        """Method, with the response bit 0x80."""
        return self._data[3]

    @property
    def status(self) -> int:
        """Status, without the direction bit of a directed route; 0: no error."""
        status = self._number(4, 2)
        return status & 0x7fff if self.mgmt_class == _DIRECTED else status

    @property
    def tid(self) -> int:
        """TransactionID; the upper 32 bits are the kernel's."""
        return self._number(8, 8)

    @tid.setter
    def tid(self, value: int) -> None:
        self._put(8, 8, value)

    @property
    def attribute_id(self) -> int:
        """AttributeID."""
        return self._number(16, 2)

    @attribute_id.setter
    def attribute_id(self, value: int) -> None:
        self._put(16, 2, value)

    @property
    def modifier(self) -> int:
        """AttributeModifier."""
        return self._number(20, 4)

    @modifier.setter
    def modifier(self, value: int) -> None:
        self._put(20, 4, value)

    @property
    def is_smp(self) -> bool:
        """Is it of subnet management, which goes to QP 0?"""
        return self.mgmt_class in (0x01, _DIRECTED)

    @property
    def is_response(self) -> bool:
        """Is it an answer?"""
        return bool(self.method & _RESPONSE)

    @property
    def has_rmpp(self) -> bool:
        """Has its class an RMPP header?"""
        return self.mgmt_class in _RMPP_CLASSES or 0x30 <= self.mgmt_class <= 0x4f

    @property
    def oui(self) -> int:
        """The OUI of classes 0x30 to 0x4f; 0 of others."""
        return self._number(37, 3) if 0x30 <= self.mgmt_class <= 0x4f else 0

    @property
    def hops(self) -> Optional[list[int]]:
        """The directed route's ports, one for each hop; None: it is LID-routed."""
        if self.mgmt_class != _DIRECTED or len(self._data) < MAD_SIZE:
            return None
        return list(self._data[129:129 + self._data[7]])

    # ---- names ----

    @property
    def info(self) -> Optional[MgmtClass]:
        """What the dictionary has about its class, or None."""
        return dictionary.load().mgmt_class(self.mgmt_class)

    @property
    def attribute(self) -> Optional[Attribute]:
        """What the dictionary has about its attribute, or None."""
        info = self.info
        return info.by_id.get(self.attribute_id) if info else None

    @property
    def name(self) -> str:
        """Method and attribute: "SubnGetResp(PortInfo)"."""
        info, attribute = self.info, self.attribute
        method = info.methods.get(self.method) if info else None
        return "%s(%s)" % (method or "class=0x%02x method=0x%02x" % (self.mgmt_class, self.method),
                           attribute.name if attribute else "0x%04x" % self.attribute_id)

    def summary(self) -> str:
        """One line of text: the name, and what is not 0 of the rest of the header."""
        words = [self.name]
        if self.hops is not None:
            words.append("path=%s" % ",".join(str(port) for port in [0, *self.hops]))
        if self.modifier:
            words.append("mod=0x%x" % self.modifier)
        if self.status:
            words.append("status=0x%04x" % self.status)
        return " ".join(words)

    def __repr__(self) -> str:
        return "<umadrig.Mad %s>" % self.summary()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mad) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    # ---- fields ----

    def _groups(self) -> Iterator[tuple[dictionary.Fields, int]]:
        """Where a name is looked for, and the byte that bits are counted from."""
        info, attribute = self.info, self.attribute
        if info and attribute:
            yield attribute, info.data_at
            if attribute.name == "Notice" and len(self._data) >= info.data_at + 6:
                trap = self._number(info.data_at + 4, 2)
                details = dictionary.load().notices.get(trap)
                if details and self._data[info.data_at] & _GENERIC:
                    yield details, info.data_at
        for header in info.headers if info else [dictionary.load().header]:
            yield header, 0

    def _find(self, name: str) -> tuple[Field, int]:
        group, _, last = name.rpartition(".")
        for fields, base in self._groups():
            field = fields.find(last)
            if field and (not group or dictionary.normal(fields.name) == dictionary.normal(group)):
                return field, base
        raise unknown("field of %s" % self.name, name,
                      [f.name for fields, _ in self._groups() for f in fields.all])

    def __getitem__(self, name: str) -> Any:
        """A field: an int with a name (dictionary.Value), bool, str, bytes or IPv6Address."""
        field, base = self._find(name)
        return field.get(self._data, base)

    def __setitem__(self, name: str, value: object) -> None:
        field, base = self._find(name)
        field.put(self._data, value, base)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self._find(name))
        except UnknownName:
            return False

    def fields(self) -> dict[str, Any]:
        """All fields of the attribute by name; {} if it is known by number only."""
        return dict(self._fields_at(0))

    def _fields_at(self, offset: int) -> Iterator[tuple[str, Any]]:
        info, attribute = self.info, self.attribute
        for field in attribute.all if info and attribute else ():
            assert info
            if info.data_at * 8 + offset * 8 + field.bit + field.width <= len(self._data) * 8:
                yield field.name, field.get(self._data, info.data_at + offset)

    def records(self) -> list[dict[str, Any]]:
        """The records of an answer of subnet administration to GetTable, as fields by name."""
        info, attribute = self.info, self.attribute
        if not info or not attribute or info.name != "SUBN_ADM":
            raise ValueError("%s has no records" % self.name)
        size = self._number(44, 2) * 8
        if size == 0:
            return []
        count = (len(self._data) - info.data_at) // size
        return [dict(self._fields_at(size * i)) for i in range(count)]
