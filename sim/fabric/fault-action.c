/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The actions of faults, in words. See sim/fabric/fault-action.h. */
#include "sim/fabric/fault-action.h"

#include <glib.h>
#include <string.h>

static const struct fault_action actions[] = {
#define ROW(name, word, needs, takes, help, more) [UMADRIG_FAULT_##name] = \
	{ #word, UMADRIG_FAULT_##name, needs, (needs) | (takes), help, more },
	FAULT_ACTIONS(ROW)
#undef ROW
};

static const struct fault_part parts[] = {
#define ROW(word, argument, example) { #word, argument, example },
	FAULT_PARTS(ROW)
#undef ROW
};

const struct fault_action *fault_action_at(unsigned int at)
{
	return at < G_N_ELEMENTS(actions) ? &actions[at] : NULL;
}

const struct fault_part *fault_part_at(unsigned int at)
{
	return at < G_N_ELEMENTS(parts) ? &parts[at] : NULL;
}

const struct fault_action *fault_action_find(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
		if (strcmp(actions[i].word, word) == 0)
			return &actions[i];
	return NULL;
}

const struct fault_action *fault_action_of(enum umadrig_fault_act act)
{
	/* The compiler finds an enumerator without a row. */
	switch (act) {
#define ROW(name, ...) case UMADRIG_FAULT_##name:
	FAULT_ACTIONS(ROW)
#undef ROW
		return &actions[act];
	}
	return NULL;
}

char *fault_action_words(unsigned int takes, const char *conjunction)
{
	const char *words[G_N_ELEMENTS(actions)];
	GString *text = g_string_new(NULL);
	size_t count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
		if (!takes || (actions[i].takes & takes))
			words[count++] = actions[i].word;
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && i + 1 == count)
			g_string_append_printf(text, " %s ", conjunction);
		else if (i > 0)
			g_string_append(text, ", ");
		g_string_append(text, words[i]);
	}
	return g_string_free(text, false);
}
