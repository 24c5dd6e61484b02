/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-reap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long read_status(pid_t tid, const char *field)
{
	char path[32], line[256];
	long value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	file = fopen(path, "re");
	while (file && value == 0 && fgets(line, sizeof(line), file))
		if (strncmp(line, field, strlen(field)) == 0)
			value = strtol(line + strlen(field), NULL, 10);
	if (file)
		fclose(file);
	return value;
}

void thread_reap(pid_t tid)
{
	if (read_status(tid, "Tgid:") == tid && read_status(tid, "PPid:") == getpid())
		return;
	/* It was killed: this does not take long. */
	while (waitpid(tid, NULL, __WALL) < 0 && errno == EINTR)
		;
}
