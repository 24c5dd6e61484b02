/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: what is written to a terminal is at its master, all of it. */
#include "tests/tools/lockstep-foreign.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 200, WRITES = 40 };

/* With a newline, to which the terminal adds a carriage return. */
enum { SIZE = WRITES + 2 };

static void __attribute__((noreturn)) write_bytes(int terminal)
{
	for (int i = 0; i < WRITES; i++) {
		if (write(terminal, "x", 1) != 1)
			_exit(1);
	}
	_exit(write(terminal, "\n", 1) != 1);
}

static ssize_t read_at_once(int master, bool in_parts)
{
	char bytes[2][SIZE];
	const struct iovec parts[] = { { bytes[0], 5 }, { bytes[1], sizeof(bytes[1]) } };

	return in_parts ? readv(master, parts, 2) : read(master, bytes, sizeof(bytes));
}

void part_terminals(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, whole = 0, packets = 1;
	char byte;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		exit(1);
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	for (int i = 0; i < TURNS; i++) {
		if (fork() == 0)
			write_bytes(terminal);
		whole += read_at_once(master, i % 2) == SIZE;
		wait(NULL);
	}
	say("whole", whole);
	if (write(terminal, "abc", 3) != 3)
		exit(1);
	say("a byte", read(master, &byte, 1));
	say("is", byte);
	say("the rest", read_at_once(master, true));
	say("in packets", ioctl(master, TIOCPKT, &packets));
	if (write(terminal, "abc", 3) != 3)
		exit(1);
	say("with one more", read_at_once(master, false));
}
