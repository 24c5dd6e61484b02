# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/mad: MADs in scripts: resolved, built, compared.
libscript_la_SOURCES += \
	harness/script/mad/script-mad.h \
	harness/script/mad/script-mad-build.c \
	harness/script/mad/script-mad-compare.c \
	harness/script/mad/script-mad-term.c harness/script/mad/script-mad-term.h \
	harness/script/mad/script-packet.c harness/script/mad/script-packet.h \
	harness/script/mad/script-payload.c \
	harness/script/mad/script-resolve.c \
	harness/script/mad/script-term.c \
	harness/script/mad/script-where.c harness/script/mad/script-where.h
