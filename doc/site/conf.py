# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What Sphinx has to know of the pages that make-site writes."""
import os
import sys

from pygments.lexer import RegexLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Text

project = "umadrig"
author = "The umadrig authors"
project_copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc"]
# The module umadrig, and what makes text of its docstrings: make-site says where they are.
sys.path[:0] = [os.path.join(os.environ["UMADRIG_TOP"], "python"),
                os.path.join(os.environ["UMADRIG_TOP"], "doc/site")]
import reference    # noqa: E402 pylint: disable=wrong-import-position
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
# Types of libc, of the library's inside, and of Python that have no page here.
nitpick_ignore_regex = [("c:identifier", r"u?int\d+_t|size_t|va_list|umad\w*|sockaddr\w*|pid_t"),
                        ("py:.*", r".*")]
DONE = ".. said plainly"
# A definition comes before what only mentions it.
html_search_scorer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scorer.js")
source_suffix = {".md": "markdown"}
master_doc = "index"
html_theme = "furo"
html_title = "umadrig"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_permalinks_icon = "#"
html_last_updated_fmt = None
smartquotes = False
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "monokai"
myst_heading_anchors = 4


class ScenarioLexer(RegexLexer):
    """Scenarios: enough to see times, directions and names."""
    name = "umadrig scenario"
    aliases = ["mad"]
    tokens = {
        "root": [
            (r"#.*$", Comment),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"^(\s*)([+*]?[\d.]*(?:ns|us|ms|s)?(?:~\+?[\d.]+(?:ns|us|ms|s)?)?)(\s+)([<>])(?=\s)",
             lambda lexer, match, ctx=None: lexer.event(match)),
            (r"^[a-z][a-z-]*(?=\s)", Keyword),
            (r"\$\w+|\?\w+", Name.Variable),
            (r"0x[0-9a-f]+|\d[\d.]*(?:ns|us|ms|s)?\b", Number),
            (r"[A-Z]\w*(?=\()", Name.Function),
            (r"\bumad_\w+", Name.Builtin),
            (r"\w+", Text),
            (r"[-=+*(){}\[\],~<>|]", Operator),
            (r"\s+", Text),
            (r".", Text),
        ],
    }

    @staticmethod
    def event(match):
        """The beginning of a line with a packet."""
        for group, kind in enumerate((Text, Number, Text, Keyword), 1):
            if match[group]:
                yield match.start(group), kind, match[group]


class TranscriptLexer(RegexLexer):
    """Commands after '$', which go on after '>' or a backslash, and what they print."""
    name = "umadrig transcript"
    aliases = ["transcript"]
    tokens = {
        "root": [
            (r"^(?:\$|>(?= ))", Generic.Prompt, "command"),
            (r".*\n", Generic.Output),
        ],
        "command": [
            (r"\\\n", Text),
            (r"\n", Text, "#pop"),
            (r"[^\\\n]+|\\", Text),
        ],
    }


def say_plainly(_app, _what, _name, _thing, _options, lines):
    """Docstrings are plain text, and no markup; autodoc may come here with one a second time."""
    if DONE not in lines:
        lines[:] = reference.markup("\n".join(lines)).split("\n") + ["", DONE, ""]


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", say_plainly)
    app.add_lexer("transcript", TranscriptLexer)
    app.add_lexer("mad", ScenarioLexer)
