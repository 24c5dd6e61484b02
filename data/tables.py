# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the generators know: the tables of the code, the commands' options, the manual's sentences.

The words are the code's: tests/tools/word-tables prints the tables that the parser and the checker use,
`umadrig COMMAND --help` the options, `umadrig fields --json` the MAD dictionary. The sentences about the
lines of a scenario are those of doc/scenario-language.md, whose tables are read here.
"""
import collections
import json
import os
import re
import subprocess

import ebnf


class Missing(Exception):
    """A word of the code that a document lacks, or the other way round; the text says what to do."""


Option = collections.namedtuple("Option", "short long value help")
Call = collections.namedtuple("Call", "name where params")
Param = collections.namedtuple("Param", "name kind required")
Field = collections.namedtuple("Field", "name uses width words alias")
Row = collections.namedtuple("Row", "syntax meaning")

MANUAL = "doc/scenario-language.md"

# The words that a parser of a line asks for, in the code of the parser and of the verbs: the grammar has them.
ASKED = re.compile(r'parser_(?:accept|at)_word\(parser, "([a-z_]+)"')


class Tables:
    def __init__(self, top, umadrig, word_tables):
        self.top = top
        self.umadrig = umadrig
        self.rows = collections.defaultdict(list)
        for line in run(word_tables).splitlines():
            name, *rest = line.split("\t")
            self.rows[name].append(rest)
        self.dictionary = json.loads(run(umadrig, "fields", "--json"))
        self.commands = self._commands()
        self.help = {name: run(umadrig, name, "--help") for name, _ in self.commands}
        self.options = {name: self._options(name) for name, _ in self.commands}
        self.manual = read(os.path.join(top, MANUAL))
        self.grammar_text, self.grammar = None, None    # take_grammar()

    def take_grammar(self, text):
        self.grammar_text = text
        try:
            self.grammar = ebnf.Grammar(text)
        except ebnf.Wrong as wrong:
            raise Missing("%s: %s" % (ebnf.GRAMMAR, wrong))

    # ---- the language ----

    def words(self, table):
        return [row[0] for row in self.rows[table]]

    def verbs(self):
        """(word, second) of each verb that has a word."""
        return [tuple(row) for row in self.rows["verb"]]

    def calls(self):
        return [Call(name, where, [Param(*text.split(":")) for text in params])
                for name, where, *params in self.rows["call"]]

    def fields(self):
        return [Field(name, uses, int(width), words.split(), alias)
                for name, uses, width, words, alias in self.rows["field"]]

    def asked(self):
        """The words inside lines, which the parsers of verbs and directives ask for one by one."""
        found = set()
        for folder in "parse", "verb":
            path = os.path.join(self.top, "harness", "script", folder)
            for name in sorted(os.listdir(path)):
                if name.endswith(".c"):
                    found.update(ASKED.findall(read(os.path.join(path, name))))
        return sorted(found)

    def values(self):
        """The words for the values of header fields."""
        return unique(word for field in self.fields() for word in field.words)

    # ---- the dictionary ----

    def methods(self):
        """SubnGet, VendTrapRepress: each method of each class, as scripts write it."""
        return unique(method["name"] for item in self.dictionary["classes"]
                      for method in item["methods"])

    def classes(self):
        return unique(item["name"] for item in self.dictionary["classes"])

    def attributes(self):
        return unique(attribute["name"] for item in self.dictionary["classes"]
                      for attribute in item["attributes"])

    def attribute_fields(self):
        return unique(field["name"] for item in self.dictionary["classes"]
                      for attribute in item["attributes"] for field in attribute["fields"])

    def dictionary_names(self):
        """What `umadrig fields` takes."""
        return (unique(item["name"] for item in self.dictionary["headers"]) + self.attributes() +
                unique(name for item in self.dictionary["classes"]
                       for name in (item["name"], item["prefix"])))

    # ---- commands ----

    def _commands(self):
        return re.findall(r"^  ([a-z]+) +(.*)$", run(self.umadrig, "--help"), re.M)

    def _options(self, command):
        match = re.search(r"^Application Options:\n(.*?)(?:\n\n|\Z)", self.help[command], re.S | re.M)
        options = []
        text = match.group(1) if match else ""
        # What an option means may begin, or go on, in the next line.
        text = re.sub(r"^(  (?:-., )?--\S+)\n {20,}", r"\1  ", text, flags=re.M)
        for line in re.sub(r"\n {20,}", " ", text).splitlines():
            found = re.match(r"  (?:-(.), )?--([a-z-]+)(?:=(\S+))?  +(.*)$", line)
            if not found:
                raise Missing("umadrig %s --help has a line that is no option: %s" % (command, line))
            options.append(Option(*found.groups()))
        return options + [Option("h", "help", None, "Show help options")]

    def shapes(self):
        """The fabrics that --generate makes: its --help lists them."""
        return re.findall(r"^  ([a-z+-]+:)[A-Z]", self.help["topology"], re.M)

    # ---- the sentences of doc/scenario-language.md ----

    def manual_rows(self, heading, first):
        """The rows of the table below '### heading' whose first column is called 'first'."""
        part = re.search(r"^##+ %s\n(.*?)(?=^##+ |\Z)" % heading, self.manual, re.S | re.M)
        table = part and re.search(r"^\| %s \| .*\n\|---.*\n((?:\|.*\n)+)" % first, part.group(1), re.M)
        if not table:
            raise Missing("doc/scenario-language.md has no table '%s' below '%s'" % (first, heading))
        rows = []
        for line in table.group(1).splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
            rows.append(Row(*(cell.replace("\\|", "|") for cell in cells)))
        return rows


def run(*command):
    environment = dict(os.environ, LC_ALL="C")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment,
                          universal_newlines=True).stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def unique(words):
    return list(dict.fromkeys(words))
