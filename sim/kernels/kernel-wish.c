/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which hosts are to run on which kernel: see sim/kernels/kernel-wish.h.
 */
#include "sim/kernels/kernel-wish.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "lib/words/list.h"

/* "H1", or H1 without the quotes. */
static char *unquoted(const char *text, size_t size)
{
	bool is_quoted = size > 2 && text[0] == '"' && text[size - 1] == '"';

	return g_strndup(text + is_quoted, size - 2 * (size_t)is_quoted);
}

int kernel_wish_parse(const char *text, struct kernel_wish *ret, char *reterr, size_t reterr_size)
{
	/* "uml:6.12" is one name, and "H1:uml:6.12" has the host's before it. */
	bool is_file = text[0] == '/' || text[0] == '.' || g_str_has_prefix(text, "uml:");
	size_t size = is_file ? strlen(text) : list_word_size(text, ":");
	const char *kernel = text[size] ? text + size + 1 : text;

	if (!*kernel || (text[size] && size == 0)) {
		g_snprintf(reterr, reterr_size, "kernel=%s: expected KERNEL or HOST:KERNEL, where "
			   "KERNEL is a release, such as 6.12, a file with its directory, "
			   "kmod-stub, or uml: and one of the first two for a guest", text);
		return -EINVAL;
	}
	*ret = (struct kernel_wish) {
		.host = text[size] ? unquoted(text, size) : NULL,
		.kernel = g_strdup(kernel),
	};
	return 0;
}

void kernel_wish_clear(struct kernel_wish *wish)
{
	g_clear_pointer(&wish->host, g_free);
	g_clear_pointer(&wish->kernel, g_free);
}

int kernel_wish_find(const struct kernel_wish *wish, const struct built_kernel **ret, char *reterr,
		     size_t reterr_size)
{
	const struct built_kernel *built;

	if (strcmp(wish->kernel, kmod_stub.name) == 0) {
		*ret = NULL;
		return 0;
	}
	built = built_kernel_find(wish->kernel, reterr, reterr_size);
	if (!built)
		return -ENOENT;
	*ret = built;
	return 0;
}
