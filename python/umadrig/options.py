# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The options of a fabric, in words."""
from __future__ import annotations

import os
from typing import Iterable, Union

from .clock import to_ns

# The options of a fabric string whose name is no keyword of Fabric() by itself are the same with
# a hyphen for the underscore.
Option = Union[str, int, bool, float, "os.PathLike[str]", None]


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


def fabric_options(fault: Union[str, Iterable[str]] = (),
                   kernel: Union[str, Iterable[str]] = (), **options: Option) -> str:
    """The options as they follow a comma in a fabric string: "state=cold,clock=virtual"."""
    words = [_option_word(name, value) for name, value in options.items() if value is not None]
    rules = [fault] if isinstance(fault, str) else fault
    words += [_option_word("fault", rule) for rule in rules]
    kernels = [kernel] if isinstance(kernel, str) else kernel
    words += [_option_word("kernel", one) for one in kernels]
    return ",".join(words)
