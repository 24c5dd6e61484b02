# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/console: commands to a fabric.
libformats_la_SOURCES += sim/console/console-line.c sim/console/console-line.h
libsim_la_SOURCES += \
	sim/console/console.c sim/console/console.h \
	sim/console/console-counters.c sim/console/console-counters.h \
	sim/console/console-device.c \
	sim/console/console-entry.c sim/console/console-entry.h \
	sim/console/console-json.c sim/console/console-json.h \
	sim/console/console-motion.c \
	sim/console/console-property.c sim/console/console-property.h \
	sim/console/console-sa.c \
	sim/console/console-schedule.c sim/console/console-schedule.h \
	sim/console/console-start.c \
	sim/console/console-vf.c \
	sim/console/console-when.c sim/console/console-when.h \
	sim/console/console-words.c \
	sim/console/link.c \
	sim/console/set.c \
	sim/console/show.c \
	sim/console/tables.c \
	sim/console/topology.c
