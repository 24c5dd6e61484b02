/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory of programs: see sim/server/program-memory.h.
 */
#include "config.h"

#include "sim/server/program-memory.h"

#include <string.h>

#include "lib/lockstep/table.h"
#include "lib/words/number.h"
#include "sim/server/descent.h"
#include "sim/server/lockstep.h"

enum { KIB = 1024 };

/* "VmData:\t    1234 kB"; 0: it has ended. */
static uint64_t memory_of(int pid)
{
	static const char name[] = "\nVmData:";
	g_autofree char *path = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *text = NULL, *word = NULL;
	const char *found;
	uint64_t kib = 0;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	found = strstr(text, name);
	if (!found)
		return 0;
	found += strlen(name);
	found += strspn(found, " \t");
	word = g_strndup(found, strcspn(found, " \n"));
	return number_parse(word, 0, UINT64_MAX / KIB, &kib) < 0 ? 0 : kib * KIB;
}

/* The table can be written by programs: it may name any process, but only ours are meant. */
static bool is_process(const struct lockstep_slot *slot)
{
	return slot->is_main && lockstep_is_thread(slot) && slot->pid > 1 && descent_of(slot->pid);
}

bool program_memory_is_small(const struct server_lockstep *lockstep, uint64_t bytes, GString *why)
{
	const struct lockstep_table *table = server_lockstep_map(lockstep);

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		const struct lockstep_slot *slot = &table->slot[i];
		g_autofree char *name = g_strndup(slot->name, LOCKSTEP_NAME_SIZE - 1);

		if (!is_process(slot) || memory_of(slot->pid) <= bytes)
			continue;
		if (why)
			g_string_append_printf(why, "%s (%u) has more", name, slot->virtual_pid);
		return false;
	}
	return true;
}
