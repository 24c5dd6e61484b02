/*
 * Which scenarios are meant by tags, and lists of them on stdout: umadrig run --list.
 */
#ifndef UMADRIG_RUN_LIST_H
#define UMADRIG_RUN_LIST_H

#include "script.h"

/* Has the scenario one of 'tags' (NULL: all have), "X:7" for "X" too? */
bool scenario_has_tag(const struct scenario *scenario, char **tags);

/*
 * Prints the points of 'scripts' (of struct script *, checked) in the world 'on_sim' says, a line each.
 * With one tag that has numbers: what covers each number.
 */
void run_list(const GPtrArray *scripts, bool on_sim, char **tags);

#endif
