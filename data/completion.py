# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Completion for bash and zsh: commands, options, and what completes their values."""
import re

import tables

BASH = "data/completion/umadrig"
ZSH = "data/completion/_umadrig"

# What completes a value, by the name that --help has for it. The kinds are functions of both files;
# 'words' is followed by the words.
KINDS = {
    "A=DEV/N": "ports A= B=",
    "BUNDLE": "files",
    "CA/PORT": "ports",
    "CA/PORT|LID|GID": "ports",
    "CAPTURE": "captures",
    "COMMAND": "programs",
    "COMMAND=PATTERN": "none",
    "CONDITION": "words alive all-active every-request-ends every-way-leads log-has memory-bounded no-credit-loop one-master program unique-lids",
    "DEV/N": "ports",
    "DIR": "directories",
    "FABRIC[,OPTION=VALUE...]": "fabric",
    "FIELD,...": "fields",
    "FILE": "files",
    "FILTER": "filter",
    "HOST[,...]": "hosts",
    "I/N": "none",
    "IF,IF": "interfaces",
    "LINE": "none",
    "N": "none",
    "N[.N]": "none",
    "NODE": "hosts",
    "NODE|LID|ADDRESS": "hosts",
    "PATH": "files",
    "PATTERN": "none",
    "PORT,...": "none",
    "KERNEL|SOURCE": "files",
    "SECONDS": "none",
    "SECRET": "none",
    "[SEED]": "none",
    "SIZE": "none",
    "SOCKET": "files",
    "SOCKET|ssh:HOST:SOCKET": "files",
    "TAG": "tags",
    "TIME": "none",
    "attribute|class|requester|responder": "words attribute class requester responder",
    "relative|delta|absolute|epoch": "words relative delta absolute epoch",
    "TOLERANCE": "none",
    "USER[,...]": "users",
    "[A=]PORT": "hosts",
    "[REASON]": "none",
    "REASON": "none",
}

# What completes arguments that are no options; several kinds have ';' between them. What follows '--' is a program.
ARGUMENTS = {
    "run": "scenarios",
    "lint": "scenarios",
    "format": "scenarios",
    "exec": "words --",
    "explore": "words merge --",
    "serve": "none",
    "doctor": "none",
    "guest": "words --",
    "kernel": "words build list remove;files",
    "env": "none",
    "ctl": "console",
    "bridge": "none",
    "record": "words --",
    "replay": "captures",
    "show": "captures;filter",
    "diff": "captures",
    "report": "captures",
    "scrub": "captures",
    "fields": "dictionary",
    "topology": "files",
}


def only_words(text):
    """'first, last or a time' -> first, last: what is a word, and no description."""
    found = [part for part in re.split(r", (?:or )?| or |\|", text) if re.fullmatch(r"[a-z][a-z0-9._=-]*|.*=N", part)]
    return [re.sub(r"=N$", "=", word) for word in found]


def option_kind(known, command, option):
    """What completes the value of an option; None: it has none."""
    if option.value is None:
        return None
    if (command, option.long) == ("run", "backend"):
        return "words sim ib_umad"
    if option.value == "FORMAT":
        shown = [arguments for name, arguments, _ in known.rows["command"] if name == "topology"]
        return "words " + " ".join(only_words(shown[0].strip("[]")))
    if option.value == "KERNEL":
        return "words " + " ".join(known.words("profile"))
    if option.value == "NAME=NUMBER[,...]":
        return "words " + " ".join(name + "=" for name in known.words("limit"))
    if option.value == "SPEC":
        return "words " + " ".join(known.shapes())
    if option.value in KINDS:
        return KINDS[option.value]
    words = only_words(option.value)
    # BUNDLE|FILE.mad, NODE[N]: any of them will do.
    others = [KINDS[part] for part in re.split(r"\.[a-z]+|[|\[\]]", option.value) if part in KINDS]
    if others and not words:
        return others[0]
    if not words:
        raise tables.Missing("data/completion.py: KINDS does not say what completes %s of umadrig %s --%s" %
                             (option.value, command, option.long))
    return "words " + " ".join(words)


def argument_kind(command):
    if command not in ARGUMENTS:
        raise tables.Missing("data/completion.py: ARGUMENTS does not say what completes umadrig %s" % command)
    return ARGUMENTS[command]


def console(known):
    """(command of the console, what completes each of its arguments)."""
    for name, arguments, _ in known.rows["command"]:
        if name[0].isalpha():
            yield name, [console_kind(argument) for argument in arguments.split()]


def console_kind(argument):
    bare = argument.strip("[]")
    if "NODE" in argument:
        return "nodes"
    if bare == "FILE":
        return "files"
    if "RULE" in argument:
        return "rules"
    if bare in ("COMMAND...", "VERB"):
        return "verbs"
    words = only_words(bare) if "|" in bare else []
    return "words " + " ".join(words) if words else "none"


def console_steps(known):
    """What may follow the words typed so far: {"fault": [kind...], "link up": ..., "link *": ...}."""
    steps, seconds = {}, {}
    # 'Link NODE NODE' and 'link up NODE' begin with the same word: the longer name comes first.
    for name, kinds in sorted(console(known), key=lambda row: (-len(row[0].split()), row[0].lower())):
        name = name.lower()
        if " " in name:
            first, second = name.split()
            seconds.setdefault(first, []).append(second)
        for at, kind in enumerate(kinds):
            steps.setdefault(name + " *" * at, []).append(kind)
    for first, words in seconds.items():
        steps.setdefault(first, []).insert(0, "words " + " ".join(words))
    return steps


def fabric_options(known, table="option"):
    """(option of a fabric, what completes its value)."""
    for name, wanted in known.rows[table]:
        words = only_words(wanted)
        yield name, ("files" if "file" in wanted else "hosts" if name == "host" else
                     "rules" if name == "fault" else "words " + " ".join(known.words("quirk"))
                     if name == "quirk" else "words " + " ".join(words) if words else "none")


def field_names(known):
    return tables.unique(field.name for field in known.fields())


# ---- the parts that both shells read ----

def wrapped(name, words, quote="'"):
    """A shell's variable with words between blanks, on as many lines as it needs."""
    lines, line = [], "%s=%s" % (name, quote)
    for word in words:
        if len(line) + len(word) + 2 > 100:
            lines.append(line)
            line = ""
        line += (" " if line and not line.endswith(quote) else "") + word
    return lines + [line + quote]


def shared(known):
    """Plain assignments and functions, in the words of both shells."""
    out = []
    out += wrapped("_umadrig_faults", known.words("fault"))
    out += wrapped("_umadrig_field_names", field_names(known))
    out += wrapped("_umadrig_methods", known.methods())
    out += wrapped("_umadrig_attributes", known.attributes())
    out += wrapped("_umadrig_dictionary", known.dictionary_names())
    out += wrapped("_umadrig_shapes", known.shapes())
    out += wrapped("_umadrig_fabric_options", [name + "=" for name, _ in fabric_options(known)])
    out += wrapped("_umadrig_shape_options",
                   [name + "=" for name, _ in fabric_options(known, "shape-option")])
    out += ["# The value of an option of the fabric $2.", "_umadrig_fabric_kind()", "{"]
    out += ["\t[[ $2 == generate:* ]] && case $1 in"]
    out += ["\t%s) kind='%s'; return ;;" % row for row in fabric_options(known, "shape-option")]
    out += ["\tesac", "\tcase $1 in"]
    out += ["\t%s) kind='%s' ;;" % row for row in fabric_options(known)]
    out += ["\t*) kind=none ;;", "\tesac", "}"]
    out += wrapped("_umadrig_console_words", tables.unique(name.split()[0] for name, _ in console(known)))
    out += ["# What may follow the words of a command of the console that were typed.",
            "_umadrig_console_kind()", "{", "\tcase $1 in"]
    for typed, kinds in sorted(console_steps(known).items(), key=lambda row: (-len(row[0].split()), "*" in row[0])):
        if kinds == ["none"]:
            continue
        pattern = "'%s'" % typed if not typed.endswith("*") else "'%s'*" % typed[:-1]
        out.append("\t%s) kind='%s' ;;" % (pattern, ";".join(kinds)))
    return out + ["\t*) kind=none ;;", "\tesac", "}"]


# ---- bash ----

def bash(known):
    out = wrapped("_umadrig_commands", [name for name, _ in known.commands])
    out += ["# The options of a command; those with a value end in '='.", "_umadrig_options()", "{", "\tcase $1 in"]
    for command, _ in known.commands:
        names = ["--%s%s" % (option.long, "=" if option.value and option.value[0] != "[" else "")
                 for option in known.options[command]]
        lines = wrapped("options", names)
        out += ["\t%s)" % command] + ["\t\t" + line for line in lines] + ["\t\t;;"]
    out += ["\t*) options= ;;", "\tesac", "}"]
    out += ["# What completes the value of an option; empty: it has none.",
            "_umadrig_option_kind()", "{", "\tcase $1:$2 in"]
    for command, _ in known.commands:
        for option in known.options[command]:
            kind = option_kind(known, command, option)
            if kind:
                short = "%s:-%s | " % (command, option.short) if option.short else ""
                out.append("\t%s%s:--%s) kind='%s' ;;" % (short, command, option.long, kind))
    out += ["\t*) kind= ;;", "\tesac", "}"]
    out += ["# What completes its other arguments.", "_umadrig_argument_kind()", "{", "\tcase $1 in"]
    out += ["\t%s) kind='%s' ;;" % (command, argument_kind(command)) for command, _ in known.commands]
    return out + ["\t*) kind=none ;;", "\tesac", "}"] + shared(known)


# ---- zsh ----

def quoted(text):
    return "'%s'" % text.replace("'", "'\\''")


def described(text):
    return text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(known):
    out = ["_umadrig_commands=("]
    out += ["\t" + quoted("%s:%s" % (name, summary)) for name, summary in known.commands]
    out += [")", "# The options of a command, for _arguments.", "_umadrig_options()", "{", "\tcase $1 in"]
    for command, _ in known.commands:
        out += ["\t%s)" % command, "\t\toptions=("]
        for option in known.options[command]:
            kind = option_kind(known, command, option)
            names = ["--" + option.long + ("=" if kind and option.value[0] != "[" else "=-" if kind else "")]
            if option.short:
                names.append("-" + option.short + ("+" if kind else ""))
            text = "[%s]" % described(option.help)
            if kind:
                text += ':%s: _umadrig_value "%s"' % (described(option.value.strip("[]")), described(kind))
            for name in names:
                out.append("\t\t\t" + quoted("*" + name + text))
        out += ["\t\t)", "\t\t;;"]
    out += ["\tesac", "}"]
    out += ["# What completes its other arguments.", "_umadrig_argument_kind()", "{", "\tcase $1 in"]
    out += ["\t%s) kind='%s' ;;" % (command, argument_kind(command)) for command, _ in known.commands]
    return out + ["\t*) kind=none ;;", "\tesac", "}"] + shared(known)
