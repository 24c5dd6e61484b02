# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The fabric that something belongs to, as libumadrig knows it."""
from __future__ import annotations

import errno
from typing import Optional

from .errors import FabricError


class Handle:
    """A handle of libumadrig: what all parts of a Fabric share, and what is made of it holds."""

    spec: str
    _handle: Optional[int] = None

    def __init__(self) -> None:
        self._kept: dict[str, object] = {}  # callbacks that C may call

    def _get(self) -> int:
        if self._handle is None:
            raise FabricError(errno.EBADF, "the fabric is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        """Has close() been called?"""
        return self._handle is None
