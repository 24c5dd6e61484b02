/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replaces files: see harness/cmd/replace-file.h.
 */
#include "harness/cmd/replace-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#include "harness/base/command.h"

int replace_file(const char *name, const char *path, const char *text, gsize size)
{
	char *real = realpath(path, NULL);
	g_autoptr(GError) error = NULL;
	GStatBuf status = { .st_mode = 0644 };
	bool ok;

	g_stat(path, &status);
	ok = g_file_set_contents_full(real ? real : path, text, (gssize)size,
				      G_FILE_SET_CONTENTS_CONSISTENT |
				      G_FILE_SET_CONTENTS_DURABLE, (int)status.st_mode & 07777,
				      &error);
	free(real);
	return ok ? COMMAND_OK : command_error(name, COMMAND_FAILED, "%s", error->message);
}
