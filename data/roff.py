# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The generated parts of umadrig-scenario(5) and umadrig-formats(5), and what other pages must have."""
import re

import ebnf
import syntax as highlighting
import tables

# Where the sentences of doc/scenario-language.md refer to the rest of that page.
ELSEWHERE = re.compile(r": see (?:below|above)")


def escape(text):
    """Text that is no markup: so that troff prints it as it is."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga") \
        .replace('"', "\\(dq")


def words(text):
    """Plain text of a sentence: only what troff would take for a request or an escape."""
    return text.replace("\\", "\\e").replace(" -", " \\-")


def inline(markdown):
    """A sentence of a Markdown table."""
    parts = re.split(r"`([^`]*)`", ELSEWHERE.sub("", markdown))
    out = []
    for at, part in enumerate(parts):
        if at % 2:
            out.append("\\fB%s\\fR" % escape(part))
        else:
            out.append(re.sub(r"\*\*(.*?)\*\*", r"\\fB\1\\fR", words(part)))
    text = "".join(out)
    return "\\&" + text if text[:1] in ".'" else text


def syntax(markdown):
    """The first column: words of the language in bold, what stands for others in italics."""
    code = " or ".join(re.findall(r"`([^`]*)`", markdown)) or markdown
    out = []
    for part in re.split(r"([A-Z][A-Z]+|\b[A-Z]\b)", code):
        out.append("\\fI%s\\fR" % part if re.fullmatch(r"[A-Z]+", part) else
                   "\\fB%s\\fR" % escape(part) if part else "")
    return "".join(out)


def sentence(text):
    if not text.startswith("umadrig"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", ".)")) else text + "."


def paragraph(head, text):
    return [".TP", head, sentence(text)]


def first_words(row):
    """The words that the lines of a row begin with, after their times."""
    found = []
    for code in re.findall(r"`([^`]*)`", row.syntax):
        code = re.sub(r"^(?:TIME|FROM~TO) ", "", code)
        found.append(code.split())
    return found


def is_of(row, word, second):
    for code in first_words(row):
        if code[:1] == [word] and (not second or code[1:2] == [second]):
            return True
    return False


# ---- umadrig-scenario(5) ----

def events(known):
    rows = known.manual_rows("Events", "event")
    for word, second in known.verbs():
        if not any(is_of(row, word, second) for row in rows):
            raise tables.Missing("doc/scenario-language.md: the table of events lacks '%s'" %
                                 " ".join(filter(None, (word, second))))
    return [line for row in rows for line in paragraph(syntax(row.syntax), inline(row.meaning))]


def directives(known):
    rows = known.manual_rows("Directives", "directive")
    for word in known.words("data"):
        if not any(row.syntax.startswith("`data ") and "%s(" % word in row.syntax for row in rows):
            raise tables.Missing("doc/scenario-language.md: the table of directives lacks 'data NAME = %s(...)'" % word)
    for word in known.words("directive"):
        if not any(is_of(row, word, "") for row in rows) and "`%s " % word not in known.manual:
            raise tables.Missing("doc/scenario-language.md: the table of directives lacks '%s'" % word)
    return [line for row in rows for line in paragraph(syntax(row.syntax), inline(row.meaning))]


# What the words of 'needs' mean: they are too short to explain themselves.
NEEDS = {
    "sim": "a simulated fabric",
    "hw": "real ports",
    "peer": "a peer of the port under test",
    "ib": "ports with LIDs",
    "wire": "umadrig as the wire between the ports: any simulator, or \\fBrun \\-\\-wire\\fR",
    "ib_umad": "the kernel's ib_umad",
    "root": "root",
    "ports": "that many ports",
    "program": "the program of this name, where programs are looked for",
    "module": "the kernel module of this name, loaded",
    "kernel": "a kernel at least as new; the simulator's is that of \\fBprofile\\fR",
}


def needs(known):
    out = []
    for word, takes in known.rows["need"]:
        if word not in NEEDS:
            raise tables.Missing("data/roff.py: NEEDS lacks '%s'" % word)
        match = re.match(r"(\W*)(\w*)$", takes)
        out += paragraph("\\fB%s%s\\fI%s\\fR" % (escape(word), match.group(1), match.group(2)), NEEDS[word])
    return out


def units(known):
    return ["The units are", *listed(known.words("unit"))]


def listed(names, conjunction="and"):
    """.BR lines: A, B and C."""
    out = []
    for at, name in enumerate(names):
        word = '"%s"' % escape(name) if " " in name else escape(name)
        if at + 1 == len(names):
            out += [conjunction, ".BR %s ." % word] if out else [".BR %s ." % word]
        else:
            out.append((".B %s" if at + 2 == len(names) else ".BR %s ,") % word)
    return out


PARAMETERS = {
    "handle": "a handle of \\fBumad_open_port\\fR()",
    "file": "a file of \\fBfile.open\\fR()",
    "agent": "an agent, or its number",
    "number": "a number",
    "time": "a time; without a unit, the value of the field",
    "methods": "a set of methods: \\fB{Get, Set}\\fR",
    "port": "\\fBself\\fR, \\fBpeer\\fR, \\fB$CA\\fR, or a device in quotes",
    "MAD": "a MAD",
    "buffer": "a buffer of \\fBumad_alloc\\fR()",
    "text": "a text in quotes",
    "data": "the name of \\fBdata\\fR",
    "word": "a number, or one of",
}


WHERE = {"": "", "sim": ": simulator only", "wire": ": only where umadrig is the wire"}


def calls(known):
    out = [".PP"]
    kinds = []
    for call in known.calls():
        shown = []
        for param in call.params:
            kinds.append((param.name, param.kind))
            name = "\\fI%s\\fR" % escape(param.name)
            shown.append(name if param.required == "required" else "[%s]" % name)
        out += [".br"] if len(out) > 1 else []
        out.append("\\fB%s\\fR(%s)%s" % (escape(call.name), ", ".join(shown), WHERE[call.where]))
    out += [".PP", "Of these arguments, by name:"]
    for kind in tables.unique(kind for _, kind in kinds):
        if kind not in PARAMETERS:
            raise tables.Missing("data/roff.py: PARAMETERS lacks '%s'" % kind)
        names = tables.unique(name for name, of in kinds if of == kind)
        out += [".TP", ", ".join("\\fI%s\\fR" % escape(name) for name in names),
                *([sentence(PARAMETERS[kind])] if kind != "word" else
                  [PARAMETERS[kind].capitalize(), *listed(known.words("request"), "or")])]
    return out


USES = [
    ("h", "Beside the value of a call (before the MAD of a result)"),
    ("s", "Of a MAD that is sent"),
    ("w", "Of packets (\\fB<\\fR, \\fB>\\fR)"),
]


def field_text(field):
    text = "\\fB%s\\fR" % escape(field.name)
    if field.words:
        text += " (%s)" % ", ".join("\\fB%s\\fR" % escape(word) for word in field.words)
    return text


def fields(known):
    everywhere = [field for field in known.fields() if field.uses == "swrh"]
    out = [".TP", "Of every MAD", ", ".join(field_text(field) for field in everywhere) + "."]
    for use, head in USES:
        chosen = [field for field in known.fields() if use in field.uses and field.uses != "swrh"]
        out += [".TP", head, ", ".join(field_text(field) for field in chosen) + "."]
    out += [".PP", "Their names in Wireshark, and the last words of these, are other names of the same fields:"]
    for field in known.fields():
        if field.alias:
            out += [".br", "\\fB%s\\fR: %s" % (escape(field.name), escape(field.alias))]
    return out


def faults(known):
    out = []
    for word, takes, text, _, _ in known.rows["fault"]:
        time = {"time": " by \\fIT\\fR", "[time]": " [\\fBby\\fR \\fIT\\fR]", "about": " \\fIWHAT\\fR", "": ""}[takes]
        out += [".TP", "\\fB%s\\fR%s" % (word, time.replace(" by ", " \\fBby\\fR ", 1)
                                         if takes == "time" else time), text]
    return out


def fault_rules(known):
    """The same with all that there is to say."""
    heads = {"time": ".BI \"%s by\" \" TIME\"", "[time]": ".BR %s \" [by \\fITIME\\fR]\"", "about": ".BI %s \" WHAT\"",
             "": ".B %s"}
    out = []
    for word, takes, text, more, _ in known.rows["fault"]:
        out += [".TP", heads[takes] % word, text, *([inline(more)] if more else [])]
    return out


def lie_kinds(known):
    return [line for word, text in known.rows["lie"] for line in (".TP", ".B " + word, inline(text))]


def fault_commands(known):
    names = ['"fault %s"' % word for word in known.words("fault")]
    return [".TP", ".BR %s \" [\\fIWORD\\fR...]\"" % ' ", " '.join(names)]


def errors(known):
    return listed(known.words("errno"))


def profiles(known):
    return ["The kernels are", *listed(known.words("profile"))]


def commands(known):
    names = tables.unique(name for name, _, _ in known.rows["command"])
    return ["The commands of", ".B do", "are", *listed(names)]


# ---- umadrig-formats(5) ----

def topologies(known):
    names = [name for _, name in known.rows["topology"]]
    return ["A file is recognised by its contents, in this order: %s and %s." %
            (", ".join(names[:-1]), names[-1])]


def link_types(known):
    out = []
    for number, name in known.rows["link-type"]:
        if name:
            out.append([name, number])
        else:
            out[-1].append(number)
    texts = ["%s (%s)" % (row[0], ", ".join(row[1:])) for row in out]
    return ["Link types: %s and %s." % (", ".join(texts[:-1]), texts[-1])]


def causes(known):
    out = []
    for kind, head in (("other", "Frames that carry no MAD:"),
                       ("damaged", "Frames that carry a MAD that cannot be read, or may carry one:"),
                       ("mad", "MADs that are shown all the same, and that no port would take:")):
        out += [".PP", head]
        for word, of, text in known.rows["cause"]:
            if of == kind and word != "mad":
                out += paragraph("\\fB%s\\fR" % escape(word), words(text))
    return out


def limits(known):
    return listed(known.words("limit"))


def quirks(known):
    out = []
    for word, text, more in known.rows["quirk"]:
        out += [*paragraph(".B %s" % escape(word), inline(text)), *([inline(more)] if more else [])]
    return out


PAGES = {
    "man/umadrig-scenario.5": {
        "units": units, "events": events, "directives": directives, "needs": needs,
        "profiles": profiles, "calls": calls, "fields": fields, "faults": faults, "errors": errors,
        "commands": commands,
    },
    "man/umadrig-formats.5": {
        "topologies": topologies, "link types": link_types, "causes": causes, "faults": fault_rules,
        "lie kinds": lie_kinds,
        "quirks": quirks,
    },
    "man/umadrig-ctl.1": {"fault commands": fault_commands},
}


# ---- what is written by hand, and has to name all there is ----

def plain(text):
    return re.sub(r"\\f[BIRP]|\\&", "", text).replace("\\-", "-")


def heads(text, section):
    """The lines after .TP of a section."""
    part = re.search(r"^\.SH %s\n(.*?)(?=^\.SH |\Z)" % section, text, re.S | re.M).group(1)
    return [plain(line) for line in re.findall(r"^\.TP\n(.*)$", part, re.M)]


def check_options(known, read):
    """Each option of a fabric has a paragraph in umadrig-formats(5), and no other has one."""
    found = set()
    for head in heads(read("man/umadrig-formats.5"), "FABRIC OPTIONS"):
        found.update(re.findall(r"([a-z-]+)=", head))
    yield from differences("umadrig-formats(5), FABRIC OPTIONS", found, known.words("option"))


def check_shapes(known, read):
    """So has each shape that is generated."""
    text = re.search(r"^\.SS Generated fabrics\n(.*?)^\.S[HS] ", read("man/umadrig-formats.5"), re.S | re.M).group(1)
    found = {plain(head).split(":")[0] + ":" for head in re.findall(r"^\.TP\n\.BI (.*)$", text, re.M)}
    yield from differences("umadrig-formats(5), Generated fabrics", found, known.shapes())


def check_shape_options(known, read):
    """And each option of theirs."""
    text = re.search(r"^\.SS Options of generated fabrics\n(.*?)^\.S[HS] ", read("man/umadrig-formats.5"),
                     re.S | re.M).group(1)
    found = set(re.findall(r"^\.TP\n\.B[IR] ([a-z]+)=", text, re.M))
    yield from differences("umadrig-formats(5), Options of generated fabrics", found, known.words("shape-option"))


def check_programs(known, read):
    """doc/programs.md says of each quirk what programs make of it."""
    found = set(re.findall(r"^\| ([a-z0-9-]+) \|", read("doc/programs.md"), re.M))
    for word in known.words("quirk"):
        if word not in found:
            yield "doc/programs.md has no row for the quirk '%s'" % word


def check_profiles(known, read):
    text = plain(read("man/umadrig-formats.5"))
    found = set(re.findall(r"^\.B (linux-[0-9.]+)", text, re.M))
    yield from differences("umadrig-formats(5), profile=", found, known.words("profile"))


def check_commands(known, read):
    """umadrig-ctl(1) has each command of the console."""
    text = " ".join(heads(read("man/umadrig-ctl.1"), "COMMANDS"))
    text = re.sub(r'[",]|\.B[IR]* ', " ", text)
    text = " %s " % re.sub(r" +", " ", text).lower()
    for name, _, _ in known.rows["command"]:
        if " %s " % name.lower() not in text:
            yield "umadrig-ctl(1) lacks the command '%s'" % name


def check_limits(known, read):
    text = re.search(r"\.B \\-\\-limit\nchanges(.*?)\.PP", read("man/umadrig-serve.1"), re.S).group(1)
    yield from differences("umadrig-serve(1), --limit", set(re.findall(r'^\.BR (\w+) " \(', text, re.M)),
                           known.words("limit"))


def check_news(known, read):
    text = " ".join(read("NEWS").split())
    for word in known.words("fault"):
        if "fault %s" % word not in text:
            yield "NEWS lacks 'fault %s'" % word
    for word in known.words("quirk"):
        if word not in text:
            yield "NEWS lacks the quirk '%s'" % word


def differences(where, found, wanted):
    for word in wanted:
        if word not in found:
            yield "%s lacks '%s'" % (where, word)
    for word in sorted(found - set(wanted)):
        yield "%s has '%s', which the code does not know" % (where, word)


def check_grammar(known, read):
    """The grammar has each word that the parser's tables have, and that the code of the parser asks for."""
    grammar = known.grammar
    for rule, found, table in (
            ("directive", set(highlighting.line_words(grammar)), known.words("directive")),
            ("action", set(highlighting.verbs(grammar)), [" ".join(filter(None, verb)) for verb in known.verbs()]),
            ("need", {opening[0] for opening in grammar.openings("need")}, known.words("need")),
            ("bytes", {opening[0] for opening in grammar.openings("bytes")}, known.words("data")),
            ("unit", set(grammar.literals("unit")), known.words("unit"))):
        yield from differences("%s, %s," % (ebnf.GRAMMAR, rule), found, table)
    yield from ("%s lacks '%s'" % (ebnf.GRAMMAR, word) for word in (*known.asked(), *known.words("reply"))
                if word not in grammar.words())


CHECKS = [check_grammar, check_options, check_shapes, check_shape_options, check_programs, check_profiles, check_commands, check_limits,
          check_news]
