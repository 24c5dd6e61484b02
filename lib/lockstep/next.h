/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a PUBLIC function passes on to: the next definition of its name, a sanitizer's or libc's.
 *
 * 	NEXT_DECLARE(pthread_join);
 * 	... NEXT(pthread_join)(thread, ret) ...
 */
#ifndef UMADRIG_LIB_LOCKSTEP_NEXT_H
#define UMADRIG_LIB_LOCKSTEP_NEXT_H

#define NEXT_DECLARE(name) static void *next_##name
#define NEXT(name) \
	((__typeof__(&name))(next_##name ? next_##name : next_find(&next_##name, #name)))

/* Finds it once. Ends the process if there is none. */
void *next_find(void **at, const char *name);

#endif
