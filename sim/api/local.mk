# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/api: the public functions, and the door to libibumad.
libsim_la_SOURCES += \
	sim/api/attach.c sim/api/attach.h \
	sim/api/attribute.c \
	sim/api/cable.c \
	sim/api/capture.c \
	sim/api/console.c \
	sim/api/counter.c \
	sim/api/door.c \
	sim/api/fault.c \
	sim/api/file.c \
	sim/api/inside.h \
	sim/api/kernel.c \
	sim/api/load.c \
	sim/api/node.c \
	sim/api/port.c \
	sim/api/program.c \
	sim/api/replay.c \
	sim/api/replay-ask.c \
	sim/api/serve.c sim/api/serve.h \
	sim/api/umadrig.c sim/api/umadrig.h
