/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* debug.c: the debug level and its trace lines. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/debug.h"

atomic_int umad_debug_now;

int umad_debug(int level)
{
	if (level >= 0)
		atomic_store_explicit(&umad_debug_now, level, memory_order_relaxed);
	return umad_debug_level();
}

void umad_trace_line(const char *function, const char *format, ...)
{
	int saved_errno = errno;
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "umad: [%d] %s: %s\n", (int)getpid(), function, line);
	errno = saved_errno;
}
