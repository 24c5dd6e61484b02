/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Every test process must end with the descriptors that it began with: call leak_begin() first in
 * main() and return leak_end(g_test_run()). (LeakSanitizer checks memory.)
 */
#ifndef UMADRIG_TESTS_RIG_LEAK_H
#define UMADRIG_TESTS_RIG_LEAK_H

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>

#define LEAK_FD_MAX 1024

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
void __asan_unpoison_memory_region(const volatile void *at, size_t size);
#endif

/*
 * For pthread_cleanup_push() in a thread that is cancelled: it leaves its functions without notice
 * to AddressSanitizer, which would take later uses of that stack for errors.
 */
static inline void leak_cancelled(void *data)
{
	(void)data;
#ifdef __SANITIZE_ADDRESS__
	/* Not __asan_handle_no_return(): gcc's version fails on these frames itself. */
	enum { MUCH = 1 << 17 };

	__asan_unpoison_memory_region((char *)__builtin_frame_address(0) - MUCH, MUCH);
#endif
}

static unsigned char leak_open_before[LEAK_FD_MAX];

static inline void leak_begin(void)
{
	for (int fd = 0; fd < LEAK_FD_MAX; fd++)
		leak_open_before[fd] = fcntl(fd, F_GETFD) >= 0;
}

/* The descriptors below LEAK_FD_MAX that are open now. */
static inline unsigned int leak_count(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < LEAK_FD_MAX; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Returns 'status', or 1 after printing a line on stdout for each descriptor that was left open. */
static inline int leak_end(int status)
{
	for (int fd = 0; fd < LEAK_FD_MAX; fd++) {
		if (leak_open_before[fd] || fcntl(fd, F_GETFD) < 0)
			continue;
		printf("# descriptor %d was left open\n", fd);
		printf("Bail out! a test leaks descriptors\n");
		status = 1;
	}
	return status;
}

#endif
