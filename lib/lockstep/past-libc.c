/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/past-libc.h. */
#include "lib/lockstep/past-libc.h"

#include <link.h>
#include <string.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/stand-ins.h"

/* gcc's libraries for OpenMP and for transactions. (clang's for OpenMP waits by libc.) */
static const char *const libraries[] = { "libgomp.so", "libitm.so" };

static int is_past_libc(struct dl_phdr_info *info, size_t size, void *ret)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
			*(bool *)ret = true;
	}
	return *(bool *)ret;
}

bool past_libc_are_all(void)
{
	return lockstep->all_are_foreign;
}

bool past_libc_is_this(void)
{
	bool ret = past_libc_are_all();

	/* Those of ours that take part in the session. */
	if (stand_ins_are_this() || strcmp(lockstep_self->name, "umadrig") == 0)
		return false;
	dl_iterate_phdr(is_past_libc, &ret);
	return ret;
}
