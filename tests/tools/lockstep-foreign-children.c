/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: children that run side by side. */
#include "tests/tools/lockstep-foreign.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 8 };

/* COMMAND, many times at once: in which order they end. */
void part_many(void)
{
	pid_t pids[MANY];

	for (int i = 0; i < MANY; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			execl("/bin/sh", "sh", "-c", getenv("COMMAND"), (char *)NULL);
			_exit(127);
		}
	}
	for (int n = 0; n < MANY; n++) {
		int status;
		pid_t pid = wait(&status);

		for (int i = 0; i < MANY; i++) {
			if (pids[i] == pid)
				say(status == 0 ? "done" : "failed", i);
		}
	}
}
