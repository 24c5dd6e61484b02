/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory that a process has, and the most that it has had.
 */
#ifndef UMADRIG_TESTS_RIG_PEAK_MEMORY_H
#define UMADRIG_TESTS_RIG_PEAK_MEMORY_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "lib/words/number.h"

/* With AddressSanitizer memory is not what it is. */
#ifdef __SANITIZE_ADDRESS__
enum { PEAK_MEMORY_MEANS_NOTHING = true };
#else
enum { PEAK_MEMORY_MEANS_NOTHING = false };
#endif

/* Of the calling process so far, in bytes: resident memory. */
static inline size_t peak_memory(void)
{
	struct rusage usage;

	g_assert_cmpint(getrusage(RUSAGE_SELF, &usage), ==, 0);
	return (size_t)usage.ru_maxrss * 1024;
}

/* Of the calling process now, in kB: resident memory; 0: unknown. */
static inline long rss_kb(void)
{
	g_autofree char *status = NULL;
	uint64_t kb;

	if (!g_file_get_contents("/proc/self/status", &status, NULL, NULL) ||
	    number_after(status, "VmRSS:", 10, &kb) < 0)
		return 0;
	return (long)kb;
}

/*
 * The body of a test: runs 'process' in a process of its own, which has had no other memory. The
 * test is skipped where memory means nothing.
 */
static inline void peak_memory_test(void (*process)(void))
{
	if (PEAK_MEMORY_MEANS_NOTHING) {
		g_test_skip("with AddressSanitizer memory is not what it is");
		return;
	}
	if (g_test_subprocess()) {
		process();
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
}

#endif
