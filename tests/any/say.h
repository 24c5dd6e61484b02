/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a call has returned, printed: the same for each libc. */
#ifndef UMADRIG_TESTS_ANY_SAY_H
#define UMADRIG_TESTS_ANY_SAY_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* (musl has no such function.) */
static const char *name_of(int err)
{
	static const struct {
		int err;
		const char *name;
	} names[] = {
#define NAME(err) { err, #err }
		NAME(EACCES), NAME(EADDRINUSE), NAME(EAGAIN), NAME(EBADF), NAME(EFAULT),
		NAME(EINVAL), NAME(EMFILE), NAME(EMSGSIZE), NAME(ENOBUFS), NAME(ENOENT),
		NAME(ENOPROTOOPT), NAME(ENOTDIR), NAME(ENOTSOCK), NAME(ENOTTY),
		NAME(EOPNOTSUPP), NAME(EPERM), NAME(EPIPE), NAME(EPROTONOSUPPORT),
		NAME(ESOCKTNOSUPPORT), NAME(ESPIPE),
#undef NAME
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].err == err)
			return names[i].name;
	return strerror(err);
}

/* 'ret', or the name of errno. */
static void say(const char *what, long ret)
{
	if (ret < 0)
		printf("%s: %s\n", what, name_of(errno));
	else
		printf("%s: %ld\n", what, ret);
}

#endif
