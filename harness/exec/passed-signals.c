/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signals that are meant for the program: see harness/exec/passed-signals.h. */
#include "config.h"

#include <glib.h>
#include <stdbool.h>

#include "harness/exec/passed-signals.h"

static const int passed_on[] = {
	SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT,
	/* The terminal sends these to the program as well; the keeper knows what to do. */
	SIGINT, SIGQUIT,
};

static sigset_t mask_before;	/* while they are held */
static bool are_held;

void passed_signals_set(void (*handler)(int sig))
{
	struct sigaction pass = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++) {
		if (sigaction(passed_on[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &pass, NULL);
	}
}

void passed_signals_hold(void)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++)
		sigaddset(&held, passed_on[i]);
	sigprocmask(SIG_BLOCK, &held, &mask_before);
	are_held = true;
}

void passed_signals_release(void)
{
	if (are_held)
		sigprocmask(SIG_SETMASK, &mask_before, NULL);
	are_held = false;
}

void passed_signals_mask(sigset_t *mask)
{
	if (are_held)
		*mask = mask_before;
}
