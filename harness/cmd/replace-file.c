/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replaces files: see harness/cmd/replace-file.h.
 */
#include "harness/cmd/replace-file.h"

#include "harness/base/command.h"
#include "harness/base/whole-file.h"

int replace_file(const char *name, const char *path, const char *text, gsize size)
{
	g_autoptr(GError) error = NULL;

	if (whole_file_write(path, text, size, 0666, &error))
		return COMMAND_OK;
	return command_error(name, COMMAND_FAILED, "%s", error->message);
}
