# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/server: one fabric for many processes.
libformats_la_SOURCES += \
	sim/server/letter-queue.c sim/server/letter-queue.h
libsim_la_SOURCES += \
	sim/server/call.c \
	sim/server/client.c \
	sim/server/console.c \
	sim/server/file.c \
	sim/server/page.c \
	sim/server/parts.h \
	sim/server/ring.c \
	sim/server/server.c sim/server/server.h \
	sim/server/sysfs-counters.c sim/server/sysfs-counters.h \
	sim/server/sysfs-view.c sim/server/sysfs-view.h
