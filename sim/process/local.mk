# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/process: processes that this one starts: their begin, their end, and what they leave behind.
libformats_la_SOURCES += \
	sim/process/descendants.c sim/process/descendants.h \
	sim/process/kernel-mapped.c sim/process/kernel-mapped.h \
	sim/process/process-loop.c sim/process/process-loop.h \
	sim/process/process-output.c sim/process/process-output.h \
	sim/process/process-reap.c sim/process/process-reap.h \
	sim/process/process-spawn.c sim/process/process-spawn.h
