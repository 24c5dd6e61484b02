# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# data: what is made of the code's tables, and what makes it.
EXTRA_DIST += data/calls.py data/calls.toml data/completion.py data/ebnf.py data/faults.py \
	data/generate data/roff.py data/syntax.py data/tables.py data/tools.py

# Completion, where bash-completion and zsh look for that of packages.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = data/completion/umadrig
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = data/completion/_umadrig

# For Vim, in its directory for files of packages, and for VS Code.
vimdir = $(datadir)/vim/vimfiles
vimsyntaxdir = $(vimdir)/syntax
dist_vimsyntax_DATA = data/vim/syntax/umadrig.vim
vimdetectdir = $(vimdir)/ftdetect
dist_vimdetect_DATA = data/vim/ftdetect/umadrig.vim
vimpluginsdir = $(vimdir)/ftplugin
dist_vimplugins_DATA = data/vim/ftplugin/umadrig.vim
vscodedir = $(pkgdatadir)/vscode
dist_vscode_DATA = data/vscode/language-configuration.json data/vscode/package.json
vscodesyntaxdir = $(vscodedir)/syntaxes
dist_vscodesyntax_DATA = data/vscode/syntaxes/umadrig.tmLanguage.json

# Manual pages, completion and syntax highlighting with the words that the code has now.
tables: umadrig$(EXEEXT) tests/tools/word-tables$(EXEEXT)
	$(PYTHON) -B $(srcdir)/data/generate $(srcdir) .
.PHONY: tables
