# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/parse: from text to tree.
libscript_la_SOURCES += \
	harness/script/parse/script-block.c \
	harness/script/parse/script-directive.c \
	harness/script/parse/script-lex.c harness/script/parse/script-lex.h \
	harness/script/parse/script-parse.c \
	harness/script/parse/script-parse-expr.c \
	harness/script/parse/script-parser.h
