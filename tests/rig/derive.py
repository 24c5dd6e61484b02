# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Is a text a sentence of doc/scenario-grammar.ebnf? And which sentences has it?

The recogniser knows where each rule may end that begins at a token: all of the places, so that no
order of alternatives matters. No rule begins with itself.
"""
import random
import re

SHELL = ("run", "do", "load", "counter")
REPLY = ("lines=", "prints=")
WORD = re.compile(r"\w", re.A)
GRAPHIC = re.compile(r"[!-~]*")
# Kinds of tokens that a text of the kind is one of, too.
INCLUDED = {"name": "word", "zero": "number"}


class NoToken(Exception):
    """The text has something that is no token; says in which line."""


class Token:
    __slots__ = ("kind", "text", "line")

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


class Lexer:
    """What the comment at the head of the grammar says of tokens."""

    KINDS = ("word", "number", "decimal", "time", "percent", "ratio", "string", "use", "capture",
             "mark")

    def __init__(self, grammar):
        self.regex = {name: re.compile(grammar.regex(name), re.A)
                      for name in (*self.KINDS, "name", "zero", "blank", "comment")}

    def longest(self, text, at):
        found = None, at
        for kind in self.KINDS:
            match = self.regex[kind].match(text, at)
            if match and match.end() > found[1]:
                found = kind, match.end()
        kind, end = found
        glued = kind in ("number", "decimal", "time") and WORD.match(text, end)
        return (None, end) if glued else found

    def shell(self, text, at):
        """One of the words that follow "run"; or None: there are no more."""
        lone = text[at] == "=" and text[at + 1:at + 2] in ("", " ", "\t", "\r", "\n")
        if text[at] in "\n#" or lone or text.startswith(REPLY, at):
            return None
        use = self.regex["use"].match(text, at)
        if use:
            return "use", use.end()
        string = self.regex["string"].match(text, at) if text[at] == '"' else None
        match = GRAPHIC.match(text, string.end() if string else at)
        if match.end() == at or (text[at] == '"' and not string):
            raise NoToken(text.count("\n", 0, at) + 1)
        return "shell word", match.end()

    def takes_shell(self, tokens, text, at):
        if tokens[-1].text not in SHELL or tokens[-1].kind != "word":
            return False
        if text[at:at + 1] not in (" ", "\t"):
            return False
        before = tokens[-4:-1]
        if len(before) == 3 and before[2].text == "=" and before[1].kind == "word":
            return before[0].text == "start" and before[0].kind == "word"
        at = len(tokens) - 1
        while at > 0 and self.is_in_time(tokens[at - 1]):
            at -= 1
        if at == len(tokens) - 1 or (at > 0 and tokens[at - 1].text not in ("\n", "{")):
            return False
        last = tokens[-2]
        if last.kind != "mark":
            return True
        return last.text == ")" or (last.text == "*" and at == len(tokens) - 2)

    @staticmethod
    def is_in_time(token):
        return token.kind in ("time", "number", "use") or \
            (token.kind == "mark" and token.text in ("(", ")", "+", "-", "*", "~"))

    def tokens(self, text):
        """All tokens of a text, with all newlines."""
        tokens, at, line, shell = [], 0, 1, False
        while at < len(text):
            blank = self.regex["blank"].match(text, at)
            if blank and (text[at] != "\r" or text[at + 1:at + 2] in ("", "\n")):
                at = blank.end()
                continue
            if shell and text[at] not in "#\n":
                found = self.shell(text, at)
                shell = bool(found)
                if found:
                    tokens.append(Token(found[0], text[at:found[1]], line))
                    at = found[1]
                    continue
            if text[at] == "#":
                at = self.regex["comment"].match(text, at).end()
                continue
            if text[at] == "\n":
                tokens.append(Token("newline", "\n", line))
                at, line, shell = at + 1, line + 1, False
                continue
            kind, end = self.longest(text, at)
            if not kind:
                raise NoToken(line)
            tokens.append(Token(kind, text[at:end], line))
            at = end
            shell = self.takes_shell(tokens, text, at)
        tokens.append(Token("newline", "\n", line))
        return tokens

    @staticmethod
    def opens_block(tokens, at, first):
        """Is the "{" at this place that of a block or of rows? Its line begins at 'first'."""
        line = [token.text if token.kind in ("word", "mark") else "" for token in tokens[first:at]]
        if line[:1] == ["}"]:
            line = line[1:]
        return line == ["do"] or line in (["on", "sim"], ["on", "hw"]) or \
            (line[:1] == ["each"] and line[-1:] == [")"])

    def meaningful(self, tokens):
        """Without the newlines that are blanks."""
        out, depth, first = [], 0, 0
        for at, token in enumerate(tokens):
            if token.kind == "newline":
                behind_with = out[-1:] and out[-1].text == "{" and depth == 1 and \
                    len(out) > 1 and out[-2].text == "with" and out[-2].kind == "word"
                if depth == 0 or behind_with:
                    out.append(token)
                if depth == 0:
                    first = at + 1
                continue
            out.append(token)
            if token.kind != "mark":
                continue
            if token.text == "{" and depth == 0 and self.opens_block(tokens, at, first):
                first = at + 1
            elif token.text == "}" and depth == 0:
                first = at
            elif token.text in "([{":
                depth += 1
            elif token.text in ")]}" and depth:
                depth -= 1
        return out

    def __call__(self, text):
        return self.meaningful(self.tokens(text))


class Recogniser:
    def __init__(self, grammar):
        self.grammar = grammar
        self.lexer = Lexer(grammar)
        self.kinds = set(Lexer.KINDS) - {"mark"} | {"name", "zero", "newline", "shell word"}
        self.first = {}
        self.compiled = {}
        self.furthest = 0

    # ---- what may come first: texts and kinds; None: nothing need come ----

    def first_of(self, node):
        key = id(node)
        if key not in self.first:
            self.first[key] = self._first_of(node)
        return self.first[key]

    def _first_of(self, node):
        kind, *rest = node
        if kind == "lit":
            return frozenset(["'" + rest[0]])
        if kind == "ref":
            name = rest[0]
            if name not in self.kinds:
                return self.first_of(self.grammar.rules[name])
            return frozenset([name])
        if kind == "but":
            return self.first_of(rest[0])
        if kind == "alt":
            return frozenset().union(*(self.first_of(part) for part in rest))
        if kind in ("opt", "rep"):
            return self.first_of(rest[0]) | {None}
        out = set()
        for part in rest:
            out |= self.first_of(part)
            if None not in self.first_of(part):
                return frozenset(out - {None})
        return frozenset(out)

    def may_begin(self, node, at):
        first = self.first_of(node)
        return None in first or not first.isdisjoint(self.names[at])

    # ---- where it may end ----

    def ends(self, node, at):
        kind = node[0]
        if kind == "ref":
            name = node[1]
            if name in self.kinds:
                return self.token(name in self.names[at], at)
            key = name, at
            if key not in self.memo:
                rule = self.grammar.rules[name]
                self.memo[key] = self.ends(rule, at) if self.may_begin(rule, at) else ()
            return self.memo[key]
        if kind == "lit":
            return self.token("'" + node[1] in self.names[at], at)
        if kind == "but":
            return self.ends(node[1], at) if not self.ends(node[2], at) else ()
        if kind == "alt":
            found = set()
            for part in node[1:]:
                if self.may_begin(part, at):
                    found.update(self.ends(part, at))
            return found
        if kind == "seq":
            found = {at}
            for part in node[1:]:
                found = {end for begin in found for end in self.ends(part, begin)}
                if not found:
                    break
            return found
        found = {at}
        new = self.ends(node[1], at) if self.may_begin(node[1], at) else ()
        if kind == "rep":
            new = set(new)
            while new:
                found |= new
                new = {end for begin in new if self.may_begin(node[1], begin)
                       for end in self.ends(node[1], begin)} - found
        return found.union(new)

    def token(self, fits, at):
        self.furthest = max(self.furthest, at)
        return (at + 1,) if fits else ()

    def names_of(self, token):
        names = {token.kind}
        if token.kind in ("word", "mark"):
            names.add("'" + token.text)
        if token.kind == "shell word" and token.text.strip('"') == "on":
            names.add("'on")
        for part, whole in INCLUDED.items():
            if token.kind == whole and self.lexer.regex[part].fullmatch(token.text):
                names.add(part)
        return names

    def objection(self, tokens, rule="script"):
        """None, or why these tokens are no sentence."""
        self.names = [self.names_of(token) for token in tokens] + [set()]
        self.memo, self.furthest = {}, 0
        if len(tokens) in self.ends(self.grammar.rules[rule], 0):
            return None
        if self.furthest == len(tokens):
            return "the text ends too early"
        token = tokens[self.furthest]
        return "line %d: '%s' cannot stand here" % (token.line, token.text)

    def objection_to(self, text):
        try:
            return self.objection(self.lexer(text))
        except NoToken as wrong:
            return "line %s: something is no token" % wrong


class Maker:
    """Makes sentences, of the choices first those that have been made least."""

    DEEP = 9
    FILES = ("include", "replay", "replay ask", "wire")

    def __init__(self, grammar, samples, seed):
        self.grammar = grammar
        self.samples = samples
        self.random = random.Random(seed)
        self.used = {}
        self.cost = {}
        self.serial = 0
        self.rule = None
        self._costs()

    def _costs(self):
        """How deep a rule is at least."""
        changed = True
        while changed:
            changed = False
            for name, rule in self.grammar.rules.items():
                cost = 0 if name in self.samples else self.cost_of(rule) + 1
                if cost < self.cost.get(name, 1000):
                    self.cost[name] = cost
                    changed = True

    def cost_of(self, node):
        kind, *rest = node
        if kind == "ref":
            return self.cost.get(rest[0], 1000)
        if kind == "seq":
            return max(self.cost_of(part) for part in rest)
        if kind == "alt":
            return min(self.cost_of(part) for part in rest)
        return self.cost_of(rest[0]) if kind == "but" else 0

    def choices(self):
        """Every choice that there is: an alternative, or to take or leave what is optional."""
        for name, rule in self.grammar.rules.items():
            if name not in self.grammar.lexical:
                for node, picked in self._choices_of(rule):
                    yield name, node, picked

    def _choices_of(self, node):
        kind = node[0]
        if kind in ("opt", "rep"):
            yield id(node), False
            yield id(node), True
        if kind == "alt":
            yield from ((id(node), at) for at in range(len(node) - 1))
        if kind in ("opt", "rep", "alt", "seq"):
            for part in node[1:]:
                yield from self._choices_of(part)

    def unused(self):
        return [name for name, node, picked in self.choices() if (node, picked) not in self.used]

    def pending(self, node):
        """Is there a choice at the node, or below it, that no sentence before this one made?"""
        key = id(node)
        if key not in self.open:
            self.open[key] = False		# for rules that contain themselves
            kind = node[0]
            both = False, True
            picks = {"opt": both, "rep": both, "alt": range(len(node) - 1)}.get(kind, ())
            below = node[1:] if kind in ("opt", "rep", "alt", "seq") else ()
            if kind == "ref" and node[1] not in self.samples:
                below = (self.grammar.rules[node[1]],)
            self.open[key] = any((key, at) not in self.used for at in picks) or \
                any(self.pending(part) for part in below)
        return self.open[key]

    def choose(self, node, among):
        if self.random.random() < 0.7:
            wanted = [at for at in among if (at is not False if node[0] != "alt" else True) and
                      self.pending(node[1 + at] if node[0] == "alt" else node[1])]
            among = wanted or among
        least = min(self.used.get((id(node), at), 0) for at in among)
        picked = self.random.choice([at for at in among
                                     if self.used.get((id(node), at), 0) <= least + 1])
        self.used[id(node), picked] = self.used.get((id(node), picked), 0) + 1
        return picked

    def make(self, node, depth=0):
        """A list of the tokens' texts."""
        kind, *rest = node
        if kind == "lit":
            return [("lit", rest[0])]
        if kind == "ref":
            name = rest[0]
            if name in self.samples:
                return [(name, self.sample(name))]
            outer, self.rule = self.rule, name
            made = self.make(self.grammar.rules[name], depth + 1)
            self.rule = outer
            return made
        if kind == "but":
            refused = [part[1] for part in (rest[1][1:] if rest[1][0] == "alt" else rest[1:])]
            while True:
                made = self.make(rest[0], depth)
                if made[0][1] not in refused:
                    return made
        if kind == "seq":
            return [token for part in rest for token in self.make(part, depth)]
        if kind == "alt":
            among = range(len(rest))
            if depth > self.DEEP:
                least = min(self.cost_of(part) for part in rest)
                among = [at for at in among if self.cost_of(rest[at]) <= least]
            return self.make(rest[self.choose(node, list(among))], depth)
        out = []
        while self.choose(node, [False] if depth > self.DEEP + 8 else [False, True]):
            out += self.make(rest[0], depth)
            if kind == "opt" or len(out) > 60 or self.random.random() < 0.5:
                break
        return out

    def sample(self, name):
        """Strings name scenarios and files; each scenario has a name of its own."""
        if name == "string" and self.rule in self.FILES:
            return '"empty"'
        if name == "string" and self.random.random() < 0.8:
            self.serial += 1
            return '"s%d"' % self.serial
        if name in ("word", "name") and self.random.random() < 0.5:
            self.serial += 1
            return "w%d" % self.serial
        return self.random.choice(self.samples[name])

    def sentence(self, rule="script"):
        self.open = {}
        return self.make(self.grammar.rules[rule])

    def text(self, tokens):
        """With blanks as somebody writes them, or not."""
        out, depth, previous, shell = "", 0, ("newline", "\n"), False
        for token in tokens:
            kind, text = token
            tight = kind == "lit" and text in ("=", "(", "[") and \
                (previous[0] in ("word", "name") or previous[1] in ("lines", "prints"))
            if previous[0] in ("newline",) or tight:
                blank = ""
            elif shell and text == "}":
                blank = "\n"		# or it would be one of the shell words
            else:
                blank = self.random.choice([" ", " ", " ", "  ", "\t"])
                if depth and self.random.random() < 0.03 and previous[1] != "{":
                    blank = self.random.choice(["\n ", " # comment\n\t"])
            out += blank + text
            if kind == "lit" and text in "([":
                depth += 1
            elif kind == "lit" and text in ")]":
                depth = max(depth - 1, 0)
            elif kind == "newline":
                depth = 0
            shell = kind == "shell word" or \
                (previous[1] in SHELL or shell) and (kind == "use" or text == "on")
            previous = token
        return out
