# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/check: from tree to points that can run.
libscript_a_SOURCES += \
	harness/script/check/changes.c harness/script/check/changes.h \
	harness/script/check/check.c harness/script/check/check.h \
	harness/script/check/console-check.c \
	harness/script/check/counter-name.c \
	harness/script/check/checker.c harness/script/check/checker.h \
	harness/script/check/expand.c harness/script/check/expand.h \
	harness/script/check/expand-expr.c harness/script/check/expand-expr.h \
	harness/script/check/expand-step.c harness/script/check/expand-step.h \
	harness/script/check/lint.c harness/script/check/lint.h \
	harness/script/check/mad.c \
	harness/script/check/name.c \
	harness/script/check/needs.c harness/script/check/needs.h \
	harness/script/check/plan.c harness/script/check/plan.h \
	harness/script/check/script-fabric.c harness/script/check/script-fabric.h \
	harness/script/check/time.c \
	harness/script/check/value.c \
	harness/script/check/vary.c harness/script/check/vary.h
