# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The files that the rules look at, and C source without its comments and strings."""
import functools
import os
import re

ROOMS = ("lib", "kmod-stub", "sim", "harness", "tests", "doc", "man", "python", "scenarios", "m4",
         "debian", ".ci", ".github")
# Data: read by tests byte by byte, or written by others.
DATA = ("tests/fuzz/corpus-", "tests/data/", "m4/pkg.m4", "tests/lab/probes/",
        "m4/libtool.m4", "m4/lt")
LEFT_BY_TOOLS = (".git", "configure", "configure~", "aclocal.m4", "config.h", "config.h.in",
                 "config.log", "config.status", "libtool", "stamp-h1", "Makefile", "Makefile.in",
                 "umadrig", ".dirstamp")
GENERATED = (".o", ".lo", ".la", ".log", ".trs", ".pyc", ".gcno", ".gcda", ".in~")


class Skip(Exception):
    """The rule cannot be checked here, and why."""


# Compiled by a kernel's own build, in a folder of its own: Linux's headers, and no libc.
KERNEL_CODE = "kmod-stub/linux/hca/"


class Tree:
    """A source tree, and the build of it, if there is one."""

    def __init__(self, top, build):
        self.top = top
        self.build = build
        self.texts = {}
        self.names = set()  # base names of all files, including data
        self.paths = sorted(self._walk())
        self.headers = [p for p in self.paths if p.endswith(".h")]
        self.sources = [p for p in self.paths if p.endswith((".c", ".h"))]

    def _walk(self):
        for name in os.listdir(self.top):
            if os.path.isfile(os.path.join(self.top, name)) and name not in LEFT_BY_TOOLS \
                    and not name.endswith("~"):
                yield name
        for room in ROOMS:
            for folder, below, names in os.walk(os.path.join(self.top, room)):
                # What begins with "." is left by tools: .libs, .pytest_cache, .mypy_cache.
                below[:] = [b for b in below if not b.startswith(".") and b != "__pycache__" and
                            not b.endswith(".egg-info") and (room, b) != ("python", "build")]
                for name in names:
                    path = os.path.relpath(os.path.join(folder, name), self.top)
                    self.names.add(name)
                    if not path.startswith(DATA) and not path.endswith(GENERATED):
                        yield path

    def data_names(self):
        """The base names of data, which no rule reads."""
        return {name for room in DATA if room.endswith("/")
                for _, _, names in os.walk(os.path.join(self.top, room)) for name in names}

    def exists(self, path):
        return os.path.exists(os.path.join(self.top, path))

    def text(self, path):
        """The text of a file; '' for one that is none."""
        if path not in self.texts:
            try:
                with open(os.path.join(self.top, path), encoding="utf-8") as file:
                    self.texts[path] = file.read()
            except UnicodeDecodeError:
                self.texts[path] = ""
        return self.texts[path]

    def lines(self, path):
        return enumerate(self.text(path).split("\n"), 1)

    def code(self, path):
        return strip(self.text(path), keep_comments=False)

    def comments(self, path):
        """The lines of a C file with everything but comments blanked."""
        return strip(self.text(path), keep_comments=True)


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


@functools.lru_cache(maxsize=None)
def strip(text, keep_comments):
    """C source with comments and strings blanked, or with only its comments; line numbers stay."""
    out, at = [], 0

    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    for match in TOKEN.finditer(text):
        between, token = text[at:match.start()], match.group(0)
        is_comment = token.startswith("/")
        out.append(blank(between) if keep_comments else between)
        if is_comment == keep_comments:
            out.append(token if is_comment else token[0] + blank(token[1:-1]) + token[-1])
        elif not keep_comments and not is_comment:
            out.append(token[0] + blank(token[1:-1]) + token[-1])
        else:
            out.append(blank(token))
        at = match.end()
    out.append(blank(text[at:]) if keep_comments else text[at:])
    return "".join(out)
