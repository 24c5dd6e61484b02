# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/check: from tree to points that can run.
libscript_la_SOURCES += \
	harness/script/check/script-call-table.h \
	harness/script/check/script-calls.c harness/script/check/script-calls.h \
	harness/script/check/script-calls-file.c \
	harness/script/check/script-calls-umad.c \
	harness/script/check/script-check.c \
	harness/script/check/script-check-mad.c \
	harness/script/check/script-check-time.c \
	harness/script/check/script-checker.h \
	harness/script/check/script-expand.c \
	harness/script/check/script-needs.c \
	harness/script/check/script-overlap.c harness/script/check/script-overlap.h \
	harness/script/check/script-vary.c harness/script/check/script-vary.h
