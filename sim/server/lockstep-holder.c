/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the thread that has the baton does: see sim/server/lockstep-holder.h. */
#include "config.h"

#include "sim/server/lockstep-holder.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "lib/lockstep/call-name.h"
#include "lib/words/number.h"

/* The first words of a file of the thread in /proc, or "". */
static void read_about(const struct lockstep_table *table, const char *name, char *text,
		       size_t size)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%d/%s", table->holder,
						table->holder_tid ? table->holder_tid :
						table->holder, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;

	if (fd >= 0)
		close(fd);
	text[MAX(n, 0)] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

bool lockstep_holder_describe(const struct lockstep_table *table, char *text, size_t size)
{
	char call[128], stat[512];
	const char *state;
	uint64_t number;
	char letter;

	read_about(table, "syscall", call, sizeof(call));
	read_about(table, "stat", stat, sizeof(stat));
	state = strrchr(stat, ')');
	letter = state && state[1] ? state[2] : '\0';
	if (letter == 'T' || letter == 't') {
		g_snprintf(text, size, "is stopped%s", letter == 't' ? " by a debugger" : "");
		return letter == 'T';
	}
	if (number_after(call, "", 10, &number) < 0) {
		g_strlcpy(text, "computes", size);
		return false;
	}
	g_snprintf(text, size, "is in %s (%ld)", call_name((long)number), (long)number);
	return letter == 'S';
}

int64_t lockstep_holder_processor_ns(const struct lockstep_table *table)
{
	char text[128];
	uint64_t ns = 0;

	read_about(table, "schedstat", text, sizeof(text));
	return number_after(text, "", 10, &ns) == 0 && ns <= INT64_MAX ? (int64_t)ns : 0;
}
