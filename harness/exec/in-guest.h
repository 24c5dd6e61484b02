/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program of a session that runs in a guest (sim/guests/guest.h): on a host with a kernel of its
 * own.
 *
 *	umadrig guest COMMAND ...	a program of the session, in virtual time
 *	   its fabric's server
 *	      COMMAND ...		a program of the guest's kernel
 *
 * The first stands for the second: it has its input and output, passes on the signals that it gets,
 * ends as it ends, and ends it with itself. So whoever starts, waits for or kills programs need not
 * know that there are guests.
 */
#ifndef UMADRIG_HARNESS_EXEC_IN_GUEST_H
#define UMADRIG_HARNESS_EXEC_IN_GUEST_H

/* The command of umadrig that does so. */
#define IN_GUEST_COMMAND "guest"

/*
 * The command line that stands for 'argv'; its first word is umadrig's path. To be freed with
 * g_strfreev().
 */
char **in_guest_words(char *const *argv);

/*
 * Runs 'argv' on 'host' of the server that UMAD_BACKEND names (NULL: on the host that it or
 * UMADRIG_HOST names) and returns its status, or after a message as 'name' COMMAND_REFUSED. If a
 * signal ended the program, this process ends by the same signal.
 */
int in_guest_run(const char *name, const char *host, char *const *argv);

#endif
