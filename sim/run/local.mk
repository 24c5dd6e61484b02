# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/run: makes a fabric of a text, and runs it.
libsim_la_SOURCES += \
	sim/run/assembly.c sim/run/assembly.h \
	sim/run/host-kernels.c sim/run/host-kernels.h \
	sim/run/open.c sim/run/open.h \
	sim/run/replay-end.c sim/run/replay-end.h \
	sim/run/replay-fabric.c sim/run/replay-fabric.h \
	sim/run/replay-expiry.c sim/run/replay-expiry.h \
	sim/run/replay-sender.c sim/run/replay-sender.h \
	sim/run/replay-words.c sim/run/replay-words.h \
	sim/run/replay-timed.c sim/run/replay-timed.h \
	sim/run/spec.c sim/run/spec.h
