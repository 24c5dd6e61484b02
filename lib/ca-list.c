/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/ca-list.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ca-list.h"

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

int umad_list_cas(const struct umad_backend *backend, char (**ret_names)[UMAD_BACKEND_NAME_SIZE],
		  size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE] = NULL;
	size_t count = 0;
	int r;

	r = backend->list_cas(&names, &count);
	if (r < 0 && r != -ENOENT)
		return r;
	if (count > 1)
		qsort(names, count, sizeof(*names), compare_names);
	*ret_names = names;
	*ret_count = count;
	return 0;
}
