/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a line "fault" says: see harness/script/verb/fault-line.h.
 */
#include "harness/script/verb/fault-line.h"

#include <string.h>

const struct expr *fault_argument(const struct fault_step *line, const char *name)
{
	for (guint i = 0; i < line->call->args->len; i++) {
		const struct call_arg *arg = line->call->args->pdata[i];

		if (strcmp(arg->name, name) == 0)
			return arg->value;
	}
	return NULL;
}

const char *const fault_ways[] = { "from", "to", "on", NULL };

bool fault_is_way(const char *name)
{
	return g_strv_contains(fault_ways, name);
}

bool fault_has_way(const struct fault_step *line)
{
	for (size_t i = 0; fault_ways[i]; i++) {
		if (fault_argument(line, fault_ways[i]))
			return true;
	}
	return false;
}

char *fault_lie_text(const struct fault_step *line, uint64_t number, bool has_number)
{
	const struct expr *about = fault_argument(line, "lie");
	bool is_less = line->lie && g_str_has_suffix(line->lie, "-");

	if (has_number)
		return g_strdup_printf("%s%" G_GUINT64_FORMAT, line->lie ? line->lie : "",
				       is_less ? -number : number);
	return about->kind == EXPR_WORD ?
	       g_strconcat(line->lie ? line->lie : "", about->text, NULL) : NULL;
}

uint8_t fault_class_of(const struct fault_plan *plan)
{
	return plan->mad && plan->mad->class_info ? plan->mad->class_info->mgmt_class : 0;
}
