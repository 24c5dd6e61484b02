/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-children.h. */
#include <signal.h>
#include <stdlib.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/foreign-children.h"
#include "lib/stand-in/foreign-process.h"

static struct child {
	int number;
	pid_t pid;
} *children;
static size_t count, room;

void foreign_children_add(int number, pid_t pid)
{
	if (count == room) {
		size_t more = room ? 2 * room : 16;
		struct child *longer = realloc(children, more * sizeof(*children));

		if (!longer)
			return;
		children = longer;
		room = more;
	}
	children[count++] = (struct child){ .number = number, .pid = pid };
}

void foreign_children_ended(int number)
{
	for (size_t i = 0; i < count; i++) {
		if (children[i].number != number)
			continue;
		CALL_2(SYS_kill, children[i].pid, SIGKILL);
		children[i] = children[--count];
		return;
	}
}

void foreign_children_forget(void)
{
	count = 0;
}

bool foreign_children_are_there(void)
{
	return count > 0;
}

int foreign_children_of_pidfd(int fd)
{
	int pid = fd < 0 ? 0 : umadrig_session_pid_of(fd);

	for (size_t i = 0; pid > 0 && i < count; i++) {
		if (children[i].pid == pid)
			return children[i].number;
	}
	return 0;
}
