# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The pages of reference: umadrig.h, of its comments, and the module umadrig, of its docstrings.

Sphinx makes both, by its domain of C and by autodoc, so that each name has a place, an entry in the
index, and the first one among what a search finds. The comments are plain text: what is indented
further is code, and 'name' in quotes or name() is one of C's.
"""
import os
import re
import sys
import textwrap

# A comment at the beginning of a line, and the declarations right below it.
BLOCK = re.compile(r"^(?:(?P<comment>/\*.*?\*/)\n)?"
                   r"(?P<code>(?:^(?!/\*|\n)(?:[^{};]*\{.*?\n\};|[^;{]*;)[^\n]*\n)*)", re.S | re.M)
DECLARATION = re.compile(r"\s*(?:(struct|enum)\s*(\w*)\s*\{.*?\n\};|(typedef)\s[^;]*;|[^;{]*;)",
                         re.S)
HEADED = re.compile(r"---- (.*) ----\n")
# What is code in a text: `x`, 'name', name(), UMAD_BACKEND=sim:@, umadrig_step.
CODE = re.compile(r"(`[^`\n]+`|'[\w=,.:*-]+'|\b\w+\(\)|\b[A-Z]+_[A-Z_0-9]+(?:=[\w:@,]+|\b)|"
                  r"\bumad(?:rig)?_\w+)")


def plain(comment):
    """The text of a comment of C, without its stars."""
    lines = comment.strip()[2:-2].split("\n")
    lines = [re.sub(r"^ \* ?", "", line) for line in lines]
    return textwrap.dedent("\n".join(line.rstrip() for line in lines[1:])) if not lines[0].strip() \
        else "\n".join([lines[0].strip()] + lines[1:])


def escape(text):
    """Nothing of plain text is markup, but names of C and what is in backquotes."""
    pieces = re.split(CODE, text)
    for at in range(0, len(pieces), 2):
        pieces[at] = re.sub(r"([\\*_`|])", r"\\\1", pieces[at])
    pieces[1::2] = ["``%s``" % piece.strip("`'") for piece in pieces[1::2]]
    return "".join(pieces[:1] + [("\\ " if at % 2 and pieces[at - 1][-1:].isalnum() else "") + piece
                                 for at, piece in enumerate(pieces) if at])


def is_table(lines):
    """Words in columns are shown as they are."""
    return len(lines) > 1 and sum(bool(re.search(r"\S {2,}\S", line)) for line in lines) > 1


def markup(text):
    """Plain text as reStructuredText: paragraphs, and blocks of code where lines are indented."""
    out = []
    for part in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = part.expandtabs().split("\n")
        table = is_table(lines)
        runs = []    # of lines that are code, and of others
        for line in lines:
            code = table or line.startswith("    ")
            if runs and runs[-1][0] == code:
                runs[-1][1].append(line)
            else:
                runs.append((code, [line]))
        for code, run in runs:
            whole = "\n".join(run)
            out.append("::\n\n" + textwrap.indent(textwrap.dedent(whole), "    ") if code
                       else escape(whole))
    return "\n\n".join(out)


# ---- C ----

def signature(code):
    """A declaration on one line, as Sphinx reads it."""
    text = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    text = re.sub(r"\s*G_GNUC\w+(\([^()]*\))?", "", text)
    return " ".join(text.split()).rstrip(";").strip()


def declarations(code):
    """The directives of what a block of code declares: [(kind, [signature], text of the code)]."""
    found = []
    rest = code
    while rest.strip():
        whole = DECLARATION.match(rest)
        if not whole:
            break
        text, rest = whole[0].strip("\n"), rest[whole.end():]
        if whole[1]:
            found.append((whole[1], [whole[2]], text))
        elif whole[3]:
            name = re.search(r"\b(\w+)\(", text)
            found.append(("type", [name[1] if name else text.split()[-1].rstrip(";")], text))
        elif "(" in text and found and found[-1][0] == "function":
            found[-1][1].append(signature(text))
        elif "(" in text:
            found.append(("function", [signature(text)], text))
    return found


def directive(kind, names, code, comment):
    """A declaration for Sphinx, in Markdown."""
    body = markup(plain(comment)) if comment else ""
    if kind != "function":
        body += "\n\n.. code-block:: c\n\n" + textwrap.indent(code.expandtabs(8), "    ")
    if names == [""]:
        return "```{eval-rst}\n%s\n```\n" % body.strip()
    if names[0] == code.split()[1].rstrip(";") and "{" not in code:
        return ""    # declared, and no more is to be known of it
    if kind.startswith("rubric:"):
        return "```{eval-rst}\n.. rubric:: %s %s\n\n%s\n```\n" % (kind[7:], names[0], body.strip())
    head = ".. c:%s:: %s\n" % (kind, ("\n" + " " * (len(kind) + 8)).join(names))
    return "```{eval-rst}\n%s\n%s\n```\n" % (head, textwrap.indent(body.strip(), "   "))


def c_page(top):
    """umadrig.h, section by section."""
    with open(os.path.join(top, "sim/api/umadrig.h"), encoding="utf-8") as file:
        text = file.read()
    first = re.search(r"^/\*\n( \* umadrig\.h.*?)\*/\n", text, re.S | re.M)
    parts = ["# umadrig.h\n\n```{eval-rst}\n%s\n```\n\n## Fabrics\n" % markup(plain(first[0]))]
    text = text[text.index('extern "C" {'):]
    text = text[text.index("#endif\n") + 7:text.rindex("#ifdef __cplusplus")]
    functions = set(re.findall(r"\b(\w+)\((?!\*)", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))
    for comment, code in blocks(text):
        if not code:
            parts.append(prose(comment))
        for number, (kind, names, declared) in enumerate(declarations(code)):
            # A struct and a function of one name are one name to Sphinx: the function has it.
            if kind in ("struct", "enum") and names[0] in functions:
                kind = "rubric:" + kind
            parts.append(directive(kind, names, declared, "" if number else comment))
    return "\n".join(parts)


def blocks(text):
    """(comment, code) of what begins a line: code is "" where a comment stands alone."""
    for block in BLOCK.finditer(text):
        if block[0]:
            yield block["comment"] or "", block["code"]


def prose(comment):
    """A comment of no declaration: a heading, or text that may begin with one."""
    text = plain(comment)
    headed = HEADED.match(text + "\n")
    head = "## %s\n\n" % (headed[1][0].upper() + headed[1][1:]) if headed else ""
    text = text[headed.end():] if headed else text
    return head + ("```{eval-rst}\n%s\n```\n" % markup(text) if text.strip() else "")


# ---- Python ----

def python_page(top):
    """What `import umadrig` has, by kind."""
    sys.path.insert(0, os.path.join(top, "python"))
    module = __import__("umadrig")
    names = module.__all__
    kinds = [("A fabric", ["Fabric"], True),
             ("Ports and MADs", ["UmadPort", "Mad", "Message", "Address", "Port", "PortAttributes",
                                 "PortState"], False)]
    errors = [name for name in names if isinstance(getattr(module, name), type) and
              issubclass(getattr(module, name), BaseException)]
    functions = [name for name in names if not isinstance(getattr(module, name), type)]
    named = {name for kind in kinds for name in kind[1]} | set(errors) | set(functions)
    kinds.append(("What a fabric gives", [name for name in names if name not in named], False))
    parts = ["# The module umadrig\n\n[umadrig for Python](../doc/python.md) is an introduction.\n"]
    for title, members, inherits in kinds:
        parts.append("## %s\n" % title)
        parts += ["```{eval-rst}\n.. autoclass:: umadrig.%s\n   :members:\n%s```\n" %
                  (name, "   :inherited-members:\n" if inherits else "") for name in members]
    parts.append("## Functions\n")
    parts += ["```{eval-rst}\n.. autodata:: umadrig.%s\n```\n" % name
              if not callable(getattr(module, name)) else
              "```{eval-rst}\n.. autofunction:: umadrig.%s\n```\n" % name for name in functions]
    parts.append("## Exceptions\n")
    parts += ["```{eval-rst}\n.. autoexception:: umadrig.%s\n```\n" % name for name in errors]
    parts.append("## pytest\n\n```{eval-rst}\n.. automodule:: umadrig.pytest_plugin\n```\n")
    return "\n".join(parts)
