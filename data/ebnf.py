# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Reads doc/scenario-grammar.ebnf: the notation of ISO/IEC 14977.

A node of a rule is a tuple: ("lit", text), ("ref", rule), ("special", text), ("seq", node, ...), ("alt", node, ...),
("opt", node), ("rep", node), and ("but", node, node): the first, unless it is the second, too.
"""
import re

GRAMMAR = "doc/scenario-grammar.ebnf"
ROOT, TOKEN = "script", "token"

SYMBOL = re.compile(r"""\s*(?:(?P<comment>\(\*.*?\*\))|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|\?(?P<special>[^?]*)\?"""
                    r"""|(?P<name>[a-z][a-z0-9 ]*[a-z0-9]|[a-z])|(?P<mark>[=;|,\-()\[\]{}]))""", re.S)

# What the special sequences of the grammar mean, as a class of characters.
SPECIAL = {
    "A to Z and a to z": "A-Za-z",
    "any character but a line feed and NUL": r"^\n\0",
    "a character of ASCII from ! to ~": "!-~",
    "tab": r"\t",
    "carriage return, at the end of a line only": r"\r",
    "line feed": r"\n",
}


class Wrong(Exception):
    """The file is no grammar; the text says where."""


class Grammar:
    """The rules by name, in their order. The rules of tokens are those from "token" on."""

    def __init__(self, text):
        self.rules = {}
        self._symbols = list(self._split(text))
        self._at = 0
        while self._at < len(self._symbols):
            name = self._take("name")
            if name in self.rules:
                raise Wrong("the rule '%s' is given twice" % name)
            self._take("mark", "=")
            self.rules[name] = self._alternatives()
            self._take("mark", ";")
        self.lexical = list(self.rules)[list(self.rules).index(TOKEN):]
        self._check()

    @staticmethod
    def _split(text):
        at, end = 0, len(text.rstrip())
        while at < end:
            match = SYMBOL.match(text, at)
            if not match:
                raise Wrong("line %d: this is no EBNF" % (text.count("\n", 0, at) + 1))
            at = match.end()
            kind = match.lastgroup
            if kind != "comment":
                yield ("lit" if kind in ("double", "single") else kind,
                       " ".join(match.group(kind).split()) if kind in ("special", "name") else match.group(kind),
                       text.count("\n", 0, match.start(kind)) + 1)

    def _peek(self, mark):
        return self._at < len(self._symbols) and self._symbols[self._at][:2] == ("mark", mark)

    def _take(self, kind, text=None):
        if self._at == len(self._symbols):
            raise Wrong("the last rule has no end")
        found, value, line = self._symbols[self._at]
        if found != kind or text not in (None, value):
            raise Wrong("line %d: expected %s, found '%s'" % (line, "'%s'" % text if text else "a " + kind, value))
        self._at += 1
        return value

    def _list(self, mark, one, kind):
        nodes = [one()]
        while self._peek(mark):
            self._at += 1
            nodes.append(one())
        return nodes[0] if len(nodes) == 1 else (kind, *nodes)

    def _alternatives(self):
        return self._list("|", lambda: self._list(",", self._term, "seq"), "alt")

    def _term(self):
        node = self._primary()
        if not self._peek("-"):
            return node
        self._at += 1
        return ("but", node, self._primary())

    def _primary(self):
        for mark, close, kind in ("(", ")", None), ("[", "]", "opt"), ("{", "}", "rep"):
            if self._peek(mark):
                self._at += 1
                node = self._alternatives()
                self._take("mark", close)
                return (kind, node) if kind else node
        if self._at == len(self._symbols):
            raise Wrong("the last rule has no end")
        kind, text, line = self._symbols[self._at]
        if kind == "mark":
            raise Wrong("line %d: expected a term, found '%s'" % (line, text))
        self._at += 1
        return ("ref" if kind == "name" else kind, text)

    def _check(self):
        used = {ROOT, "comment", "blank"}
        for name, rule in self.rules.items():
            for node in nodes(rule):
                if node[0] == "special" and node[1] not in SPECIAL:
                    raise Wrong("%s: nobody knows what '? %s ?' means" % (name, node[1]))
                if node[0] == "ref" and node[1] not in self.rules:
                    raise Wrong("%s: there is no rule '%s'" % (name, node[1]))
                used.update(node[1:] if node[0] == "ref" else ())
        unused = [name for name in self.rules if name not in used and name != TOKEN]
        if unused:
            raise Wrong("nothing uses the rule '%s'" % "', '".join(unused))

    # ---- tokens as regular expressions, as Python, JavaScript and Oniguruma know them ----

    def regex(self, name):
        return self._regex(self.rules[name])

    def _regex(self, node):
        kind, *rest = node
        if kind == "lit":
            return re.escape(rest[0])
        if kind == "special":
            return "[%s]" % SPECIAL[rest[0]]
        if kind == "ref":
            return "(?:%s)" % self.regex(rest[0])
        if kind == "seq":
            return "".join("(?:%s)" % self._regex(part) if part[0] == "alt" else self._regex(part) for part in rest)
        if kind == "alt":
            if all(part[0] == "lit" and len(part[1]) == 1 for part in rest):
                chars = "".join(re.escape(part[1]) for part in rest)
                return {"0123456789": r"\d"}.get(chars, "[%s]" % chars)
            # The longest of literals comes first.
            parts = sorted(rest, key=lambda part: -len(part[1]) if part[0] == "lit" else 0)
            return "|".join(self._regex(part) for part in parts)
        if kind == "but":
            return "(?!%s)%s" % (self._regex(rest[1]), self._regex(rest[0]))
        return "(?:%s)%s" % (self._regex(rest[0]), "?" if kind == "opt" else "*")

    # ---- words ----

    def literals(self, name):
        """The words and marks of a rule, in their order."""
        return list(dict.fromkeys(node[1] for node in nodes(self.rules[name]) if node[0] == "lit"))

    def words(self):
        """All words of the rules over tokens."""
        found = dict.fromkeys(text for name in self.rules if name not in self.lexical
                              for text in self.literals(name))
        return [text for text in found if re.fullmatch(self.regex("word"), text)]

    def openings(self, name, count=1):
        """The words or marks that sentences of a rule begin with: up to 'count' in a row, as tuples."""
        return list(dict.fromkeys(self._openings(self.rules[name], count)))

    def _openings(self, node, count):
        kind, *rest = node
        if kind == "lit":
            yield (rest[0],)
        elif kind == "ref" and rest[0] not in self.lexical:
            yield from self._openings(self.rules[rest[0]], count)
        elif kind == "alt":
            for part in rest:
                yield from self._openings(part, count)
        elif kind == "seq":
            for first in self._openings(rest[0], count):
                seconds = list(self._openings(rest[1], count - 1)) if count > 1 and len(first) < count else []
                yield from (first + second for second in seconds) if seconds else [first]


def nodes(node):
    """The node and all below it."""
    yield node
    if node[0] not in ("lit", "ref", "special"):
        for part in node[1:]:
            yield from nodes(part)


def read(path):
    with open(path, encoding="utf-8") as file:
        return Grammar(file.read())
