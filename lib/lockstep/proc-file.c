/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Small files of /proc: see lib/lockstep/proc-file.h. */
#include <fcntl.h>
#include <stdio.h>

#include "lib/lockstep/proc-file.h"
#include "lib/lockstep/system-call.h"

long proc_file_read(const char *path, char *text, size_t size)
{
	long fd = CALL_4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), n = fd;

	if (fd >= 0) {
		n = CALL_3(SYS_read, fd, text, size - 1);
		CALL_1(SYS_close, fd);
	}
	text[n > 0 ? n : 0] = '\0';
	return n;
}

const char *proc_file_status(int tid)
{
	static char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	proc_file_read(path, text, sizeof(text));
	return text;
}
