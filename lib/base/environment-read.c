/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The environment of another process: see lib/base/environment-read.h. */
#include "lib/base/environment-read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value, if 'variable' is "NAME=VALUE"; else NULL. */
static const char *value_of(const char *variable, const char *name)
{
	size_t length = strlen(name);

	return strncmp(variable, name, length) == 0 && variable[length] == '=' ?
	       variable + length + 1 : NULL;
}

int environment_read(pid_t tid, const char *name, char *value, size_t size)
{
	const char *found = NULL;
	char path[32], *variable = NULL;
	size_t room = 0;
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)tid);
	file = fopen(path, "re");
	if (!file)
		return -EIO;
	while (!found && getdelim(&variable, &room, '\0', file) >= 0)
		found = value_of(variable, name);
	ret = found ? 0 : feof(file) ? -ENOENT : -EIO;
	fclose(file);
	if (found && strlen(found) >= size)
		ret = -ENAMETOOLONG;
	else if (found)
		strcpy(value, found);
	free(variable);
	return ret;
}
