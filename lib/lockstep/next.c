/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/next.h. */
#include <dlfcn.h>

#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"

void *next_find(void **at, const char *name)
{
	if (!*at) {
		*at = dlsym(RTLD_NEXT, name);
		/* It takes a lock of ld.so's, whose owner is the kernel's number of the thread. */
		session_wipe();
	}
	if (!*at) {
		session_say("umadrig: virtual time: libc has no %s\n", name);
		session_exit(LOCKSTEP_EXIT);
	}
	return *at;
}
