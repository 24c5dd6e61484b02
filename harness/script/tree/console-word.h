/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console (sim/console/console.h), made from words whose quotes a shell or the lexer
 * of scripts has removed.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_CONSOLE_WORD_H
#define UMADRIG_HARNESS_SCRIPT_TREE_CONSOLE_WORD_H

#include <glib.h>

/*
 * Appends 'word', preceded by a blank unless it is the first; a name with blanks gets quotes again.
 */
void console_line_append(GString *line, const char *word);

#endif
