# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/run: runs points and judges them.
libscript_la_SOURCES += \
	harness/script/run/script-console.c harness/script/run/script-console.h \
	harness/script/run/script-counter.c harness/script/run/script-counter.h \
	harness/script/run/script-expect.c harness/script/run/script-expect.h \
	harness/script/run/script-fault.c harness/script/run/script-fault.h \
	harness/script/run/script-peer.c harness/script/run/script-peer.h \
	harness/script/run/script-program.c harness/script/run/script-program.h \
	harness/script/run/script-replay.c \
	harness/script/run/script-run.c harness/script/run/script-run.h \
	harness/script/run/script-timeline.c harness/script/run/script-timeline.h \
	harness/script/run/script-verdict.c harness/script/run/script-verdict.h \
	harness/script/run/script-wire.c harness/script/run/script-wire.h \
	harness/script/run/script-wire-capture.c
