# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/parse: from text to tree.
libscript_a_SOURCES += \
	harness/script/parse/block.c \
	harness/script/parse/call-expr.c \
	harness/script/parse/data.c \
	harness/script/parse/directive.c harness/script/parse/directive.h \
	harness/script/parse/expr.c harness/script/parse/expr.h \
	harness/script/parse/lex.c harness/script/parse/lex.h \
	harness/script/parse/mad-expr.c harness/script/parse/mad-expr.h \
	harness/script/parse/parse.c harness/script/parse/parse.h \
	harness/script/parse/parser.c harness/script/parse/parser.h \
	harness/script/parse/replay.c \
	harness/script/parse/script-file.c harness/script/parse/script-file.h \
	harness/script/parse/script-format.c harness/script/parse/script-format.h \
	harness/script/parse/tag.c \
	harness/script/parse/text-check.c harness/script/parse/text-check.h \
	harness/script/parse/vary.c \
	harness/script/parse/where.c
