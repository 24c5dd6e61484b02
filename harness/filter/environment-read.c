/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment of another process: see harness/filter/environment-read.h.
 */
#include "config.h"

#include "harness/filter/environment-read.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "harness/filter/supervisor-turn.h"

int environment_read(pid_t tid, const char *name, char *value, size_t size)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/environ", (int)tid);
	g_autofree char *all = NULL;
	size_t length = strlen(name);
	gsize all_size;
	bool is_read;

	/* The kernel bounds it: what execve(2) takes. It ends in '\0', and g_file_ adds another. */
	turn_outside_begin();
	is_read = g_file_get_contents(path, &all, &all_size, NULL);
	turn_outside_end();
	if (!is_read)
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
