/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment of another process: see harness/filter/environment-read.h.
 */
#include "config.h"

#include "harness/filter/environment-read.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

int environment_read(pid_t tid, const char *name, char *value, size_t size)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/environ", (int)tid);
	g_autofree char *all = NULL;
	size_t length = strlen(name);
	gsize all_size;

	/* The kernel bounds it: what execve(2) takes. It ends in '\0', and g_file_ adds another. */
	if (!g_file_get_contents(path, &all, &all_size, NULL))
		return -EIO;
	for (const char *at = all; at < all + all_size; at += strlen(at) + 1) {
		if (strncmp(at, name, length) != 0 || at[length] != '=')
			continue;
		at += length + 1;
		if (strlen(at) >= size)
			return -ENAMETOOLONG;
		strcpy(value, at);
		return 0;
	}
	return -ENOENT;
}
