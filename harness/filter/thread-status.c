/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-status.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool thread_file_read(pid_t tid, const char *name, char *ret_text, size_t size)
{
	char path[64];
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)tid, name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	n = file < 0 ? -1 : read(file, ret_text, size - 1);
	if (file >= 0)
		close(file);
	if (n <= 0)
		return false;
	ret_text[n] = '\0';
	return true;
}

bool thread_status_read(pid_t tid, char *ret_text, size_t size)
{
	return thread_file_read(tid, "status", ret_text, size);
}
