/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Where a program's libraries lie: see lib/lockstep/mappings.h. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lib/base/mapping-base.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/mappings.h"
#include "lib/lockstep/system-call.h"

void mappings_raise(void)
{
	struct rlimit limit;
	struct stat st;

	if (CALL_4(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) < 0 ||
	    !mapping_base_applies(limit.rlim_cur, limit.rlim_max))
		return;
	if (CALL_4(SYS_newfstatat, AT_FDCWD, MAPPING_BASE_CACHE, &st, 0) < 0)
		st.st_size = 0;
	limit.rlim_cur = mapping_base_limit((uint64_t)st.st_size, lockstep->kernel_mapped,
					    getauxval(AT_PAGESZ));
	CALL_4(SYS_prlimit64, 0, RLIMIT_STACK, &limit, NULL);
}

bool mappings_lower(void)
{
	struct rlimit limit;

	if (CALL_4(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) < 0 ||
	    !mapping_base_is_raised(limit.rlim_cur))
		return false;
	limit.rlim_cur = MAPPING_BASE_STACK;
	return CALL_4(SYS_prlimit64, 0, RLIMIT_STACK, &limit, NULL) == 0;
}

/*
 * Where ld.so had its cache there is a hole, which the kernel would put something else into: it is
 * filled. The stacks of threads have been sized by what the limit was.
 */
void mappings_settle(void)
{
	struct stat st;
	pthread_attr_t attr;

	if (!mappings_lower())
		return;
	if (CALL_4(SYS_newfstatat, AT_FDCWD, MAPPING_BASE_CACHE, &st, 0) == 0 && st.st_size > 0)
		mmap(NULL, (size_t)st.st_size, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pthread_attr_init(&attr) != 0)
		return;
	if (pthread_attr_setstacksize(&attr, MAPPING_BASE_STACK) == 0)
		pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}
