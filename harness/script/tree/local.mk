# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/tree: the syntax tree of a script, and what all its stages share.
libscript_a_SOURCES += \
	harness/script/tree/arena.c harness/script/tree/arena.h \
	harness/script/tree/console-word.c harness/script/tree/console-word.h \
	harness/script/tree/diagnostic.c harness/script/tree/diagnostic.h \
	harness/script/tree/expr-text.c harness/script/tree/expr-text.h \
	harness/script/tree/filter-word.c harness/script/tree/filter-word.h \
	harness/script/tree/script.h \
	harness/script/tree/value.c harness/script/tree/value.h \
	harness/script/tree/verb.h
