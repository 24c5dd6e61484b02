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

/* NULL: the table has none of it. */
static const struct lockstep_slot *slot_of_holder(const struct lockstep_table *table)
{
	uint32_t count = lockstep_count(table);

	for (uint32_t i = 0; i < count; i++) {
		const struct lockstep_slot *slot = &table->slot[i];

		if (slot->state != LOCKSTEP_FREE && slot->pid == table->holder &&
		    (slot->tid ? slot->tid == table->holder_tid : slot->is_main))
			return slot;
	}
	return NULL;
}

/* A thread of another process, for which it makes calls; 0: there is none. */
static int other_of(const struct lockstep_table *table)
{
	const struct lockstep_slot *slot = slot_of_holder(table);

	return slot ? slot->stands_for : 0;
}

bool lockstep_holder_is_foreign(const struct lockstep_table *table)
{
	return other_of(table) != 0;
}

uint64_t lockstep_holder_calls(const struct lockstep_table *table)
{
	const struct lockstep_slot *slot = slot_of_holder(table);

	return slot ? slot->calls : 0;
}

/* The first words of a file of a thread in /proc, or "". */
static void read_about(int pid, int tid, const char *name, char *text, size_t size)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%d/%s", pid, tid ? tid : pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;

	if (fd >= 0)
		close(fd);
	text[MAX(n, 0)] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static enum lockstep_holder_state describe(int pid, int tid, char *text, size_t size)
{
	char call[128], stat[512];
	const char *state;
	uint64_t number;
	char letter;

	read_about(pid, tid, "syscall", call, sizeof(call));
	read_about(pid, tid, "stat", stat, sizeof(stat));
	state = strrchr(stat, ')');
	letter = state && state[1] ? state[2] : '\0';
	if (letter == 'T' || letter == 't') {
		g_snprintf(text, size, "is stopped%s", letter == 't' ? " by a debugger" : "");
		return letter == 'T' ? LOCKSTEP_HOLDER_IS_STOPPED : LOCKSTEP_HOLDER_RUNS;
	}
	if (number_after(call, "", 10, &number) < 0) {
		g_strlcpy(text, "computes", size);
		return LOCKSTEP_HOLDER_RUNS;
	}
	g_snprintf(text, size, "is in %s (%ld)", call_name((long)number), (long)number);
	return letter == 'S' ? LOCKSTEP_HOLDER_SLEEPS : LOCKSTEP_HOLDER_RUNS;
}

/* A stand-in sleeps while the thread that it stands for runs: that one counts. */
enum lockstep_holder_state lockstep_holder_describe(const struct lockstep_table *table,
						    char *text, size_t size)
{
	int other = other_of(table);
	enum lockstep_holder_state state = describe(table->holder, table->holder_tid, text, size);

	return other && state != LOCKSTEP_HOLDER_RUNS ? describe(other, other, text, size) : state;
}

static int64_t processor_ns_of(int pid, int tid)
{
	char text[128];
	uint64_t ns = 0;

	read_about(pid, tid, "schedstat", text, sizeof(text));
	return number_after(text, "", 10, &ns) == 0 && ns <= INT64_MAX / 2 ? (int64_t)ns : 0;
}

int64_t lockstep_holder_processor_ns(const struct lockstep_table *table)
{
	int other = other_of(table);

	return processor_ns_of(table->holder, table->holder_tid) +
	       (other ? processor_ns_of(other, other) : 0);
}
