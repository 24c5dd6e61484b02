# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What Sphinx has to know of the pages that make-site writes."""
from pygments.lexer import RegexLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Text

project = "umadrig"
author = "The umadrig authors"
project_copyright = author
extensions = ["myst_parser"]
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


def setup(app):
    """Called by Sphinx."""
    app.add_lexer("transcript", TranscriptLexer)
    app.add_lexer("mad", ScenarioLexer)
