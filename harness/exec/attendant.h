/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The attendant of a session in virtual time: starts programs in it when the fabric wants that
 * (sim/server/errands.h).
 *
 *	keeper --- umadrig attendant PROGRAM ...   becomes the program
 *	   '------ attendant --- sh -c COMMAND     what it has started
 *
 * It is a program of the session, as what it starts is, and in lock-step from the beginning: so it
 * is the keeper's, and not the program's, which does not expect children. Sessions in which nothing
 * is to be started have none.
 */
#ifndef UMADRIG_HARNESS_EXEC_ATTENDANT_H
#define UMADRIG_HARNESS_EXEC_ATTENDANT_H

/* umadrig is called so by a keeper, and by nobody else: no help names it. */
#define ATTENDANT_COMMAND "attendant"

/*
 * The command line that is to be launched in place of 'argv' of the program at 'path': it makes the
 * attendant first. To be freed with g_free(); the words are not.
 */
char **attendant_words(const char *path, char *const *argv);

/* Is that command: 'argv' is from ATTENDANT_COMMAND on. Its status if there is no program. */
int attendant_main(int argc, char **argv);

#endif
