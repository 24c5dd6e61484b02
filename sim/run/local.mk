# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/run: what makes a fabric out of a text, and runs it.
libformats_la_SOURCES += \
	sim/run/issm-pipe.c sim/run/issm-pipe.h \
	sim/run/private-directory.c sim/run/private-directory.h
libsim_la_SOURCES += \
	sim/run/options.h \
	sim/run/replay-fabric.c \
	sim/run/replay-timed.c sim/run/replay-timed.h \
	sim/run/session.c sim/run/session.h \
	sim/run/spec.c sim/run/spec.h
