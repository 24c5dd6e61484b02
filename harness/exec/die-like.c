/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/exec/die-like.h. */
#include "config.h"

#include "harness/exec/die-like.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

void die_like(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t only;

	/* The program has dumped core; our core would replace it. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(sig);
	_exit(128 + sig);
}
