/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-signal.h"

#include <stdint.h>

#include "harness/filter/thread-status.h"
#include "lib/words/number.h"

static uint64_t signals(const char *status, const char *name)
{
	uint64_t set = 0;

	number_after(status, name, 16, &set);
	return set;
}

/*
 * The kernel wakes the first thread of a process for what is sent to the process, unless that has
 * blocked it.
 */
enum thread_signal thread_signal_of(pid_t tid)
{
	char text[THREAD_STATUS_SIZE];
	uint64_t process = 0, open_to;

	if (!thread_status_read(tid, text, sizeof(text)))
		return THREAD_SIGNAL_NONE;
	number_after(text, "\nTgid:", 10, &process);
	open_to = ~(signals(text, "\nSigBlk:") | signals(text, "\nSigIgn:"));
	if (signals(text, "\nSigPnd:") & open_to)
		return THREAD_SIGNAL_OWN;
	if (signals(text, "\nShdPnd:") & open_to)
		return (pid_t)process == tid ? THREAD_SIGNAL_OWN : THREAD_SIGNAL_ANY;
	return THREAD_SIGNAL_NONE;
}
