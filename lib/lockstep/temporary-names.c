/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Names of temporary files: libc takes them from random bytes, for which it asks the kernel by
 * itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/lockstep/lockstep-chance.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/system-call.h"

enum { LETTERS = 6, TRIES = 62 * 62 * 62 };	/* as many as libc */

typedef long try_fn(const char *path, int flags);

static long try_file(const char *path, int flags)
{
	return open(path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
}

static long try_directory(const char *path, int flags)
{
	(void)flags;
	return mkdir(path, 0700);
}

/* 0: nothing has the name. */
static long try_name(const char *path, int flags)
{
	struct stat st;

	(void)flags;
	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : -1;
	errno = EEXIST;
	return -1;
}

static void set_letters(char *at)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	uint64_t value;

	chance_fill(&value, sizeof(value));
	for (int i = 0; i < LETTERS; i++, value /= sizeof(letters) - 1)
		at[i] = letters[value % (sizeof(letters) - 1)];
}

/* What the try returns, or -1 with errno. */
static long try_names(char *template, int suffix, int flags, try_fn *try)
{
	size_t n = strlen(template);
	int saved = errno;
	char *at;

	if (suffix < 0 || n < (size_t)suffix + LETTERS ||
	    memcmp(at = template + n - (size_t)suffix - LETTERS, "XXXXXX", LETTERS) != 0)
		return call_result(-EINVAL);
	for (int i = 0; i < TRIES; i++) {
		long r;

		set_letters(at);
		r = try(template, flags);
		if (r >= 0) {
			errno = saved;
			return r;
		}
		if (errno != EEXIST)
			return -1;
	}
	return call_result(-EEXIST);
}

NEXT_DECLARE(mkostemps);
PUBLIC int mkostemps(char *template, int suffix, int flags)
{
	return session_is_on() ? (int)try_names(template, suffix, flags, try_file) :
				 NEXT(mkostemps)(template, suffix, flags);
}

PUBLIC int mkostemps64(char *template, int suffix, int flags)
{
	return mkostemps(template, suffix, flags);
}

PUBLIC int mkstemps(char *template, int suffix)
{
	return mkostemps(template, suffix, 0);
}

PUBLIC int mkstemps64(char *template, int suffix)
{
	return mkostemps(template, suffix, 0);
}

PUBLIC int mkostemp(char *template, int flags)
{
	return mkostemps(template, 0, flags);
}

PUBLIC int mkostemp64(char *template, int flags)
{
	return mkostemps(template, 0, flags);
}

PUBLIC int mkstemp(char *template)
{
	return mkostemps(template, 0, 0);
}

PUBLIC int mkstemp64(char *template)
{
	return mkostemps(template, 0, 0);
}

NEXT_DECLARE(mkdtemp);
PUBLIC char *mkdtemp(char *template)
{
	if (!session_is_on())
		return NEXT(mkdtemp)(template);
	return try_names(template, 0, 0, try_directory) < 0 ? NULL : template;
}

NEXT_DECLARE(mktemp);
PUBLIC char *mktemp(char *template)
{
	if (!session_is_on())
		return NEXT(mktemp)(template);
	if (try_names(template, 0, 0, try_name) < 0)
		template[0] = '\0';
	return template;
}
