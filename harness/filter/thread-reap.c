/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-reap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/words/number.h"

static long read_status(pid_t tid, const char *field)
{
	char path[32], line[256];
	uint64_t value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	file = fopen(path, "re");
	while (file && value == 0 && fgets(line, sizeof(line), file))
		if (strncmp(line, field, strlen(field)) == 0)
			number_after(line, field, 10, &value);
	if (file)
		fclose(file);
	return (long)value;
}

void thread_reap(pid_t tid)
{
	if (read_status(tid, "Tgid:") == tid && read_status(tid, "PPid:") == getpid())
		return;
	/* It was killed: this does not take long. */
	while (waitpid(tid, NULL, __WALL) < 0 && errno == EINTR)
		;
}
