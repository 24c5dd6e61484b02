/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console: their words, and the table of verbs. Neither needs a fabric, so that lines
 * can be checked before there is one; sim/console/console.h carries them out.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_LINE_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_LINE_H

#include <stddef.h>

enum { CONSOLE_WORDS_MAX = 32 };

/* A line's words; or those after the verb. */
struct console_words {
	unsigned int count;
	char *at[CONSOLE_WORDS_MAX];
};

enum console_verb_id {
	CONSOLE_DO_START,
	CONSOLE_DO_DUMP,
	CONSOLE_DO_ROUTE,
	CONSOLE_DO_LINK,
	CONSOLE_DO_RELINK,
	CONSOLE_DO_UNLINK,
	CONSOLE_DO_CLEAR_PORT,
	CONSOLE_DO_GUID,
	CONSOLE_DO_ERROR,
	CONSOLE_DO_PERFORMANCE_SET,
	CONSOLE_DO_BASELID,
	CONSOLE_DO_VERBOSE,
	CONSOLE_DO_WAIT,
	CONSOLE_DO_ATTACHED,
	CONSOLE_DO_DISCONNECT,
	CONSOLE_DO_HELP,
	CONSOLE_DO_QUIT,
	CONSOLE_DO_LINK_DOWN,
	CONSOLE_DO_LINK_UP,
	CONSOLE_DO_LINK_FLAP,
	CONSOLE_DO_LINK_DEGRADE,
	CONSOLE_DO_LINK_RESTORE,
	CONSOLE_DO_LINK_ERROR,
	CONSOLE_DO_CAPABILITY_SET,
	CONSOLE_DO_CAPABILITY_CLEAR,
	CONSOLE_DO_NODE_OFF,
	CONSOLE_DO_NODE_ON,
	CONSOLE_DO_NODE_TEMPERATURE,
	CONSOLE_DO_DEVICE_REMOVE,
	CONSOLE_DO_DEVICE_FATAL,
	CONSOLE_DO_SM_OFF,
	CONSOLE_DO_VF_LIST,
	CONSOLE_DO_VF_NODE,
	CONSOLE_DO_VF_POLICY,
	CONSOLE_DO_VF_COUNT,
	CONSOLE_DO_VF_PORT,
	CONSOLE_DO_SA,
	CONSOLE_DO_FAULT_ADD,
	CONSOLE_DO_FAULT_ACT,
	CONSOLE_DO_FAULT_LIST,
	CONSOLE_DO_FAULT_REMOVE,
	CONSOLE_DO_LOAD_ADD,
	CONSOLE_DO_LOAD_LIST,
	CONSOLE_DO_LOAD_REMOVE,
	CONSOLE_DO_COUNTER,
	CONSOLE_DO_COUNTERS,
	CONSOLE_DO_AFTER,
	CONSOLE_DO_EVERY,
	CONSOLE_DO_SCHEDULE_LIST,
	CONSOLE_DO_SCHEDULE_REMOVE,
	CONSOLE_DO_WHEN,
	CONSOLE_DO_WHEN_LIST,
	CONSOLE_DO_WHEN_REMOVE,
	CONSOLE_DO_SIGNAL,
	CONSOLE_DO_ALWAYS,
	CONSOLE_DO_NEVER,
	CONSOLE_DO_SOMETIMES,
	CONSOLE_DO_FINALLY,
	CONSOLE_DO_PROPERTY_LIST,
	CONSOLE_DO_PROPERTY_END,
	CONSOLE_DO_PROPERTY_REMOVE,
	CONSOLE_DO_HEAL,
	CONSOLE_DO_CAPTURE_START,
	CONSOLE_DO_CAPTURE_STOP,
	CONSOLE_DO_REPORT,
	CONSOLE_DO_MULTICAST,
	CONSOLE_DO_TOPOLOGY,
	CONSOLE_DO_TABLES,
	CONSOLE_DO_JSON,
	CONSOLE_VERBS,
};

struct console_verb {
	const char *name;		/* one word or two; any case */
	/*
	 * For help, a word for each argument: "NODE" with [PORT] is a port, with [[PORT]] a node or
	 * a port; in brackets it is optional. NULL: another spelling of the verb above.
	 */
	const char *arguments;
	const char *summary;
	unsigned int min, max;		/* words after it */
	enum console_verb_id id;
};

/* All verbs, ended by one without a name. ibsim's first, in its order and spelling. */
extern const struct console_verb console_verbs[];

/*
 * Splits a line; "a b"[3] is one word, with its quotes; a remark ('#') ends it. 0, and the words
 * are to be freed with console_words_clear(); or -EINVAL, and '*reterr' says why, to be freed.
 */
int console_split(const char *line, struct console_words *ret_words, char **reterr);
void console_words_clear(struct console_words *words);

/*
 * The verb of a line, and how many of its words are the verb's name. NULL: there is none, or it
 * takes more or fewer words; '*reterr' says what is meant or possible, to be freed.
 */
const struct console_verb *console_verb_find(const struct console_words *words,
					     unsigned int *ret_used, char **reterr);

/* Why there is no verb that 'words' begin with: to be freed. */
char *console_verb_unknown(const struct console_words *words);

/* A word without the double quotes in it, to be freed. */
char *console_unquote(const char *word);

#endif
