/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a job says to its fabric before the program starts, and which properties of it have not held
 * by the end (sim/property/property.h).
 */
#ifndef UMADRIG_HARNESS_EXEC_PROPERTIES_H
#define UMADRIG_HARNESS_EXEC_PROPERTIES_H

#include <glib.h>
#include <stdbool.h>

struct server;

/* Lines of the console, NULL-terminated; before the server runs. COMMAND_REFUSED: one fails. */
bool exec_say_lines(struct server *server, char *const *lines, GError **error);

/*
 * It is the end: judges what is left, and says how many were broken, each of which has been said
 * when it broke. Once the server does not run. True: there are some.
 */
bool exec_are_broken(struct server *server, const char *name);

#endif
