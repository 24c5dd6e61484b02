/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a session of exec or explore is told before its command starts: what must hold
 * (sim/property/property.h), when everything is well again, and other lines of the console.
 */
#ifndef UMADRIG_HARNESS_BASE_SESSION_LINES_H
#define UMADRIG_HARNESS_BASE_SESSION_LINES_H

#include <glib.h>
#include <stdint.h>

/* What the command line says: conditions and lines, NULL-terminated; each may be NULL. */
struct session_lines {
	char **always, **never, **sometimes, **finally;
	char **when;		/* "EVENT do COMMAND" */
	char *heal;		/* a time */
	char **lines;
};

/*
 * Adds the options of both commands to 'all', of GOptionEntry. 'sometimes': for help, what that one
 * means, which is not the same in one session and in many.
 */
void session_lines_add_options(GArray *all, struct session_lines *lines, const char *sometimes);

void session_lines_clear(struct session_lines *lines);

/* All of it as lines of the console, NULL-terminated, to be freed; NULL: there are none. */
char **session_lines_all(const struct session_lines *lines);

/*
 * The first condition of "sometimes" from number '*at' on, counted from 0, that is not among
 * 'met', as of explore_verdict_met(); '*at' becomes the next one's. NULL: there is none.
 */
const char *session_lines_unmet(const struct session_lines *lines, uint64_t met, unsigned int *at);

#endif
