# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The console of a fabric."""
from __future__ import annotations

import ctypes
from ctypes import c_void_p

from . import library
from .errors import ConsoleError
from .handle import Handle


class Console(Handle):
    """What a Fabric has of commands."""

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
