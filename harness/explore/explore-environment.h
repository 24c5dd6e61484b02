/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a failure needs to be repeated: the command, and the environment in which it ran.
 *
 * What of its environment a program looks at cannot be known, so all is kept but what belongs to a
 * login or a terminal (SSH_CONNECTION and the like), which whoever repeats it has of his own, and
 * what has the name of a secret. The directories of PATH come before his. Locale and time zone are
 * as they were, also those that were not set. HOME, USER and the like are his, if he has them.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_ENVIRONMENT_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_ENVIRONMENT_H

/*
 * A script for sh(1), to be freed, which does 'command', a line that begins with "umadrig ", in
 * 'directory', with that environment ("NAME=VALUE", NULL at the end). 'program': what umadrig is;
 * where that is not there, it is looked for in PATH. NULL: it is looked for.
 */
char *explore_environment_script(char *const *environment, const char *directory,
				 const char *program, const char *command);

#endif
