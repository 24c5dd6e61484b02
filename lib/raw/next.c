/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the functions of libumadraw have in common: see lib/raw/raw.h. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/raw.h"

void *raw_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

long raw_result(long n)
{
	if (n >= 0)
		return n;
	errno = (int)-n;
	return -1;
}

int raw_fstat(int fd, struct stat *ret)
{
#ifdef __LP64__
	/* Ours is in front of libc's there, which does the same: lib/raw/uninterrupted.c. */
	return (int)syscall(SYS_fstat, fd, ret);
#else
	return fstat(fd, ret);
#endif
}
