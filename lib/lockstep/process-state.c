/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Processes that end, stop and go on: see lib/lockstep/process-state.h. */
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-file.h"
#include "lib/lockstep/process-state.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-end.h"
#include "lib/words/number.h"

void process_state_await_end(int pid)
{
	int fd = (int)CALL_2(SYS_pidfd_open, pid, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };

	if (fd < 0)
		return;
	while (CALL_5(SYS_ppoll, &end, 1, NULL, NULL, 0) < 0)
		continue;
	CALL_1(SYS_close, fd);
	/*
	 * Linux wakes those that poll before it has sent SIGCHLD, under a lock that kill(2) of a
	 * process group takes as well: of one that is not there it only waits.
	 */
	CALL_2(SYS_kill, -INT_MAX, 0);
	tcp_end_settle_death();
}

/* ---- stopping ---- */

/* How often it has gone to sleep by itself; 0: it is gone. */
static uint64_t sleeps_in(const char *status)
{
	uint64_t count = 0;

	number_after(status, "\nvoluntary_ctxt_switches:", 10, &count);
	return count;
}

static bool is_thread_of(const struct lockstep_slot *slot, int pid)
{
	return slot->pid == pid && slot->tid != 0 && lockstep_is_thread(slot);
}

void process_state_expect_stop(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (is_thread_of(slot, pid))
			slot->sleeps = sleeps_in(proc_file_status(slot->tid));
	}
}

/*
 * Is the thread as 'is_stopped' says, or gone? Linux says that one is stopped before it sends
 * SIGCHLD, and only then puts it to sleep.
 */
static bool is_so(const struct lockstep_slot *slot, bool is_stopped)
{
	static const char name[] = "\nState:\t";
	const char *status = proc_file_status(slot->tid), *state = strstr(status, name);
	char letter = state ? state[sizeof(name) - 1] : 'X';

	if (letter == 'Z' || letter == 'X')
		return true;
	if (is_stopped)
		return letter == 'T' && sleeps_in(status) > slot->sleeps;
	return letter != 'T' && letter != 'R';
}

void process_state_await_stop(int pid, bool is_stopped)
{
	enum { TRIES = 5000 };	/* of 100 us: one that a debugger holds is not waited for */
	const struct timespec pause = { .tv_nsec = 100000 };

	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (!is_thread_of(slot, pid))
			continue;
		for (int try = 0; try < TRIES && !is_so(slot, is_stopped); try++)
			CALL_2(SYS_nanosleep, &pause, NULL);
	}
}
