/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal that says how far a command is, and goes when it prints something else.
 */
#ifndef UMADRIG_HARNESS_BASE_STATUS_LINE_H
#define UMADRIG_HARNESS_BASE_STATUS_LINE_H

#include <stdbool.h>

struct status_line;

/*
 * NULL: standard error is no terminal, or one that cannot erase a line (TERM=dumb, or not set). All
 * other functions allow NULL.
 */
struct status_line *status_line_new(void);
/* Takes it away as well. */
void status_line_free(struct status_line *line);

/* Was the line drawn a tenth of a second ago or longer? False if there is none. */
bool status_line_is_due(const struct status_line *line);
/* Draws it: 'text', as wide as the terminal; what is no UTF-8 or no character is replaced. */
void status_line_draw(struct status_line *line, const char *text);
/* Takes it away: something else is about to be printed. */
void status_line_clear(struct status_line *line);

#endif
