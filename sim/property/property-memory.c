/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "memory-bounded": programs that do not grow. See sim/property/property-condition.h.
 */
#include "sim/property/property-condition.h"

#include "lib/words/size.h"
#include "sim/fabric/fabric-programs.h"

struct memory {
	uint64_t bytes;
};

bool condition_memory_begin(struct condition *condition, const char *words, char **reterr)
{
	struct memory *memory;
	uint64_t bytes;

	if (size_parse(words, &bytes) < 0) {
		*reterr = g_strdup_printf("'%s': expected " SIZE_WANTED, words);
		return false;
	}
	if (!condition->fabric->programs_known) {
		*reterr = g_strdup("this fabric knows of no programs: 'umadrig exec' with "
				   "clock=virtual and 'umadrig explore' do");
		return false;
	}
	memory = condition->data = g_new0(struct memory, 1);
	memory->bytes = bytes;
	return true;
}

void condition_memory_end(struct condition *condition)
{
	g_clear_pointer(&condition->data, g_free);
}

bool condition_memory_bounded(struct condition *condition, GString *why)
{
	const struct umadrig_fabric *fabric = condition->fabric;
	const struct memory *memory = condition->data;

	return fabric->programs_known->are_small(fabric->programs_known_ctx, memory->bytes, why);
}
