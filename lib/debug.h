/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The debug level of umad_debug(), and what is printed on stderr at each. */
#ifndef UMADRIG_LIB_DEBUG_H
#define UMADRIG_LIB_DEBUG_H

#include <stdatomic.h>

extern atomic_int umad_debug_now __attribute__((visibility("hidden")));

/* 0 nothing, 1 a line for each call, 2 also the headers that are sent. */
static inline int umad_debug_level(void)
{
	return atomic_load_explicit(&umad_debug_now, memory_order_relaxed);
}

/* Prints "umad: [pid] function: ..." from level 1 on. */
void umad_trace_line(const char *function, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define umad_trace(...) \
	do { \
		if (umad_debug_level() > 0) \
			umad_trace_line(__func__, __VA_ARGS__); \
	} while (0)

#endif
