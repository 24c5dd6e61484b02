/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Parts of the verbs about what must hold, for those about what happens when something does.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_PROPERTY_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_PROPERTY_H

#include "sim/console/console.h"

/* Does the line only show something? If not, or if it is wrong, '*reterr' says so, to be freed. */
bool console_is_question(const char *line, char **reterr);

/* The words from 'from' up to 'end'; to be freed. */
char *console_join_quoted(const struct console_words *words, unsigned int from, unsigned int end);
/* The same without their quotes, unless they are a condition with a command. */
char *console_join(const struct console_words *words, unsigned int from, unsigned int end);

/* May the one who asks have conditions? 0, or -EPERM with an error. */
int console_may_look(struct console *console);

#endif
