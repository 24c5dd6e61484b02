# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/tree: the syntax tree of a script, and what all its stages share.
libscript_la_SOURCES += \
	harness/script/tree/console-word.c harness/script/tree/console-word.h \
	harness/script/tree/diagnostic.c harness/script/tree/diagnostic.h \
	harness/script/tree/script.h \
	harness/script/tree/script-value.c \
	harness/script/tree/script-words.c harness/script/tree/script-words.h
