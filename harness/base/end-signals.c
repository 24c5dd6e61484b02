/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The signals that ask a command to end: see harness/base/end-signals.h. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

#include "harness/base/end-signals.h"

const int end_signals[] = { SIGHUP, SIGINT, SIGTERM, 0 };
static struct sigaction before[G_N_ELEMENTS(end_signals) - 1];
static volatile sig_atomic_t caught;
static int wake[2] = { -1, -1 };	/* a pipe: written to by the handler */

static void catch(int sig)
{
	int err = errno;

	caught = sig;
	if (write(wake[1], "", 1) < 0)
		caught = sig;
	errno = err;
}

int end_signals_catch(void)
{
	/* Without SA_RESTART: a write that blocks must not hold up the end. */
	struct sigaction action = { .sa_handler = catch };

	caught = 0;
	if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	for (size_t i = 0; i < G_N_ELEMENTS(before); i++) {
		sigaction(end_signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(end_signals[i], &action, NULL);
	}
	return 0;
}

static void close_pipe(void)
{
	close(wake[0]);
	close(wake[1]);
	wake[0] = wake[1] = -1;
}

void end_signals_restore(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(before); i++)
		sigaction(end_signals[i], &before[i], NULL);
	close_pipe();
}

int end_signals_caught(void)
{
	return caught;
}

int end_signals_fd(void)
{
	return wake[0];
}

void end_signals_forget(void)
{
	close_pipe();
}
