# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/run: runs points and judges them.
libscript_a_SOURCES += \
	harness/script/run/amend.c harness/script/run/amend.h \
	harness/script/run/cancel.c harness/script/run/cancel.h \
	harness/script/run/candidate.c harness/script/run/candidate.h \
	harness/script/run/expect.c harness/script/run/expect.h \
	harness/script/run/missing.c \
	harness/script/run/names.c \
	harness/script/run/overlap.c harness/script/run/overlap.h \
	harness/script/run/peer.c harness/script/run/peer.h \
	harness/script/run/programs.c harness/script/run/programs.h \
	harness/script/run/run.c harness/script/run/run.h \
	harness/script/run/run-ladder.c harness/script/run/run-ladder.h \
	harness/script/run/timeline.c harness/script/run/timeline.h \
	harness/script/run/verdict.c harness/script/run/verdict.h
