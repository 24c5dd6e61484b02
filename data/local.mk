# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# data: what is made of the code's tables, and what makes it.
EXTRA_DIST += data/generate data/roff.py data/tables.py

# Manual pages, completion and syntax highlighting with the words that the code has now.
tables: umadrig$(EXEEXT) tests/tools/word-tables$(EXEEXT)
	$(PYTHON) -B $(srcdir)/data/generate $(srcdir) .
.PHONY: tables
