# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Syntax highlighting of scenarios: the words in Vim's syntax file, and VS Code's grammar.

The words and the tokens are those of doc/scenario-grammar.ebnf; the names that a sentence may use (calls, fields,
methods ...) are those of the code.
"""
import json
import re

import tables

VIM = "data/vim/syntax/umadrig.vim"
GRAMMAR = "data/vscode/syntaxes/umadrig.tmLanguage.json"
COLUMNS = 100


class Words:
    """The words of a kind, each in one kind only."""

    def __init__(self, known):
        grammar = known.grammar
        self.directives = line_words(grammar)
        self.verbs = verbs(grammar)
        self.calls = [call.name for call in known.calls()]
        self.fields = tables.unique([field.name for field in known.fields()] +
                                    [param.name for call in known.calls() for param in call.params] +
                                   ["lines", "prints", "fabric"])
        self.aliases = tables.unique(field.alias for field in known.fields() if field.alias)
        self.methods = known.methods()
        self.attributes = known.attributes()
        self.attribute_fields = [name for name in known.attribute_fields()
                                 if re.fullmatch(r"[A-Za-z_]\w*", name) and name not in self.attributes]
        self.values = known.values() + known.words("request")
        self.classes = [name for name in known.classes() if name not in self.attributes]
        self.data = [opening[0] for opening in grammar.openings("bytes")]
        self.errors = known.words("errno")
        self.needs = [opening[0] for opening in grammar.openings("need")]
        self.profiles = known.words("profile")
        self.faults = grammar.literals("fault action")
        self.commands = [name for name in tables.unique(known.words("command")) if name[0].isalpha()]
        self.units = grammar.literals("unit")
        self.asked = self._asked(grammar)
        self.tokens = {name: grammar.regex(name) for name in ("comment", "string", "use", "capture", "number",
                                                              "time")}

    def _asked(self, grammar):
        """Words within lines, which have no kind of their own."""
        others = {"self", "peer", "lines", "prints", "fabric", *self.directives, *self.data, *self.faults,
                  *(word for verb in self.verbs for word in verb.split()), *self.only_needs(grammar)} - {"nothing"}
        return sorted(word for word in grammar.words() if word not in others)

    @staticmethod
    def only_needs(grammar):
        elsewhere = {word for name in grammar.rules if name not in ("need", *grammar.lexical)
                     for word in grammar.literals(name)}
        return set(grammar.literals("need")) - elsewhere


def line_words(grammar):
    """What a line without a time begins with."""
    return [opening[0] for rule in ("scenario", "directive", "on", "each") for opening in grammar.openings(rule)]


def verbs(grammar):
    """What an event begins with behind its time: a second word only where several share the first."""
    pairs = grammar.openings("action", 2)
    firsts = [pair[0] for pair in pairs]
    return tables.unique(" ".join(pair) if pair[0] in ("peer", ">") else pair[0] for pair in pairs) + \
        [">"] * (">" in firsts)


def longest_first(words):
    """An alternation takes the first that fits: 'tid.low' has to precede 'tid'."""
    return sorted(words, key=lambda word: (-len(word), word))


# ---- Vim ----

def wrapped(first, words):
    """':syn keyword' lines, continued."""
    lines = [first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append("\t\\")
        lines[-1] += " " + word
    return lines


def vim_pattern(words):
    escaped = [re.sub(r"([.*~\[\]\\/^$])", r"\\\1", word).replace(" ", "\\s\\+")
               for word in longest_first(words)]
    return r"\%%(%s\)" % r"\|".join(escaped)


def vim_match(group, before, words, after, more=""):
    """A ':syn match' line; the pattern is continued where it would be too long."""
    line = 'syn match %s "%s%s%s"%s' % (group, before, vim_pattern(words), after, more)
    lines = []
    while len(line) > COLUMNS:
        at = line.rfind(r"\|", 0, COLUMNS - 1)
        lines.append(line[:at])
        line = "\t\\" + line[at:]
    return lines + [line]


def vim(known):
    words = Words(known)
    return [
        *vim_match("umadrigDirective", r"^\s*\zs", words.directives, r"\>\%(\s*=\)\@!"),
        *vim_match("umadrigVerb", "", words.verbs, r"\%(\s\|$\)\@=",
                   " contained nextgroup=umadrigFault,umadrigCommand,umadrigPacket skipwhite"),
        *vim_match("umadrigWord", r"\<", words.asked, r"\>"),
        *vim_match("umadrigNeed", r"\<", words.needs, r"\>", " contained"),
        *vim_match("umadrigProfile", r"\<", words.profiles, r"\>"),
        *vim_match("umadrigFault", r"\<", words.faults, r"\>", " contained"),
        *vim_match("umadrigCommand", r"\c\<", words.commands, r"\>", " contained"),
        *vim_match("umadrigCall", r"\<", words.calls, r"\s*(\@="),
        *vim_match("umadrigField", r"\<", words.fields,
                   r"\%(\[[^]]*\]\)\=\%([=:]\|\s*\%([<>]\|[=!]=\)\)\@="),
        *vim_match("umadrigField", r"\<", words.aliases, r"\%([=:]\|\s*\%([<>]\|[=!]=\)\)\@="),
        *vim_match("umadrigTime", r"\<\d\+\%(\.\d\+\)\=", words.units, r"\>"),
        *vim_match("umadrigCall", r"\<", words.data, r"\s*(\@="),
        *wrapped("syn keyword umadrigValue", words.values),
        *wrapped("syn keyword umadrigClass", words.classes),
        *wrapped("syn keyword umadrigErrno", words.errors),
        *wrapped("syn keyword umadrigMethod", words.methods),
        *wrapped("syn keyword umadrigAttribute", words.attributes),
        *wrapped("syn keyword umadrigAttributeField", words.attribute_fields),
    ]


# ---- VS Code ----

def alternatives(words):
    return "|".join(re.escape(word).replace("\\ ", r"\s+").replace("\\-", "-") for word in longest_first(words))


def rule(name, match, *captures):
    out = {"match": match}
    if captures:
        out["captures"] = {str(at): {"name": scope + ".umadrig"} for at, scope in enumerate(captures, 1)}
    else:
        out["name"] = name + ".umadrig"
    return out


def grammar(known):
    words = Words(known)
    time = r"(?:[+*$]|\d)\S*"
    patterns = [
        rule("comment.line.number-sign", words.tokens["comment"]),
        rule("string.quoted.double", words.tokens["string"]),
        rule("", r"^\s*(needs)\b", "keyword.control.directive"),
        rule("", r"^\s*(%s)\b(?!\s*=)" % alternatives(words.directives), "keyword.control.directive"),
        rule("", r"^\s*(%s)\s+(fault)\s+(%s)\b" % (time, alternatives(words.faults)),
             "constant.numeric.time", "keyword.control.verb", "support.function.fault"),
        rule("", r"^\s*(%s)\s+(do)\s+(?i:(%s))\b" % (time, alternatives(words.commands)),
             "constant.numeric.time", "keyword.control.verb", "support.function.command"),
        rule("", r"^\s*(%s)\s+(%s)(?=\s|$)" % (time, alternatives(words.verbs)),
             "constant.numeric.time", "keyword.control.verb"),
        rule("", r"^\s*(%s)(?=\s)" % time, "constant.numeric.time"),
        rule("variable.other", "%s|%s" % (words.tokens["use"], words.tokens["capture"])),
        rule("constant.other.profile", r"\b(?:%s)(?![\w.])" % alternatives(words.profiles)),
        rule("entity.name.function.call", r"\b(?:%s)(?=\s*\()" % alternatives(words.calls)),
        rule("entity.name.function.data", r"\b(?:%s)(?=\s*\()" % alternatives(words.data)),
        rule("entity.name.type.method", r"\b(?:%s)\b" % alternatives(words.methods)),
        rule("variable.parameter.field",
             r"\b(?:%s)(?=(?:\[[^\]]*\])?(?:[=:]|\s*(?:[<>]|[=!]=)))" % alternatives(words.aliases + words.fields)),
        rule("variable.parameter", r"\b[A-Za-z_]\w*(?==(?!=))"),
        rule("support.type.attribute", r"\b(?:%s)\b(?!\.)" % alternatives(words.attributes)),
        rule("support.variable.attribute-field", r"\b(?:%s)\b" % alternatives(words.attribute_fields)),
        rule("constant.language.errno", r"\b(?:%s)\b" % alternatives(words.errors)),
        rule("constant.language.class", r"\b(?:%s)\b" % alternatives(words.classes)),
        rule("constant.language.value", r"\b(?:%s)\b" % alternatives(words.values)),
        rule("constant.numeric.time", r"\b%s\b" % words.tokens["time"]),
        rule("constant.numeric", r"\b(?:%s)(?:\.\d+)?%%?" % words.tokens["number"]),
        rule("keyword.other", r"\b(?:%s)\b(?![\w.]*\s*=)" % alternatives(words.asked)),
        rule("constant.language.role", r"\b(?:self|peer|sm)\b"),
    ]
    # A line of conditions has words of its own.
    needs = {
        "begin": r"^\s*(needs)\b",
        "beginCaptures": {"1": {"name": "keyword.control.directive.umadrig"}},
        "end": "$",
        "patterns": [
            rule("comment.line.number-sign", words.tokens["comment"]),
            rule("", r"\b(program|module)\s+([\w.+-]+)", "support.constant.need", "string.unquoted.program"),
            rule("support.constant.need", r"\b(?:%s)\b" % alternatives(words.needs)),
            rule("constant.numeric", r"\b\d+(?:\.\d+)*\b"),
        ],
    }
    patterns[2] = needs
    return json.dumps({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "umadrig scenario",
        "scopeName": "source.umadrig",
        "comment": "Made by data/generate ('make tables').",
        "patterns": patterns,
    }, indent="\t") + "\n"
