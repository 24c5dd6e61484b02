/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/rig/trees.h"

#include <glib.h>

static char *below(const char *variable, const char *built_from, const char *path)
{
	const char *top = g_getenv(variable);

	return g_build_filename(top ? top : built_from, path, NULL);
}

char *source_path(const char *path)
{
	return below("top_srcdir", TOP_SRCDIR, path);
}

char *build_path(const char *path)
{
	return below("top_builddir", TOP_BUILDDIR, path);
}
