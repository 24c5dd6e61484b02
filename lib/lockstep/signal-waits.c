/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for signals without handlers: see lib/lockstep/signal-waits.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/signal-senders.h"
#include "lib/lockstep/signal-waits.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/turn.h"

/* Takes one that is pending; -EAGAIN: none is. */
static long take(const sigset_t *set, siginfo_t *info)
{
	struct timespec none = { 0, 0 };
	long sig = CALL_4(SYS_rt_sigtimedwait, set, info, &none, 8);

	if (sig > 0)
		signal_senders_translate(info);
	return sig;
}

static long wait_until(const sigset_t *set, siginfo_t *info, int64_t deadline)
{
	long sig;

	for (;;) {
		enum turn_end end;

		pthread_testcancel();
		sig = take(set, info);
		if (sig == -EAGAIN && deadline <= lockstep->now)
			looks_count(LOOK_IN_VAIN);
		if (sig != -EAGAIN || deadline <= lockstep->now)
			return sig;
		lockstep_self->awaited = delivery_bits(set);
		end = turn_wait(LOCKSTEP_SIGNAL, 0, deadline);
		lockstep_self->awaited = 0;
		if (end == TURN_TIMED_OUT)
			return take(set, info);
		if (end == TURN_INTERRUPTED || end == TURN_RESTARTS)
			return -EINTR;
	}
}

static int hooked_sigtimedwait(const sigset_t *set, siginfo_t *info,
			       const struct timespec *timeout)
{
	siginfo_t own;
	long sig;

	if (!session_is_on())
		return (int)call_result(CALL_4(SYS_rt_sigtimedwait, set, info, timeout, 8));
	if (timeout && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 ||
			timeout->tv_nsec >= NS_PER_SECOND))
		return (int)call_result(-EINVAL);
	sig = wait_until(set, &own, timeout ? turn_after(clocks_ns(timeout)) : LOCKSTEP_NEVER);
	if (sig > 0 && info)
		*info = own;
	return (int)call_result(sig);
}

static int hooked_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return hooked_sigtimedwait(set, info, NULL);
}

/* Goes on after handlers. */
static int hooked_sigwait(const sigset_t *set, int *ret)
{
	int saved = errno, sig, error;

	do
		sig = hooked_sigtimedwait(set, NULL, NULL);
	while (sig < 0 && errno == EINTR);
	error = errno;
	errno = saved;
	if (sig < 0)
		return error;
	*ret = sig;
	return 0;
}

const struct hook signal_waits_hooks[] = {
	{ "sigtimedwait", hooked_sigtimedwait },
	{ "sigwaitinfo", hooked_sigwaitinfo },
	{ "sigwait", hooked_sigwait },
	{ NULL, NULL },
};
