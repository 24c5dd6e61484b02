/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-time.h. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "lib/stand-in/call-time.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-kept.h"
#include "lib/stand-in/foreign-memory.h"

enum { TIMERS = 64 };

/* ---- what time it is ---- */

long call_time_clock_gettime(void)
{
	struct timespec now;
	int ret = clock_gettime((clockid_t)foreign_argument(0), &now);

	return foreign_call_with(ret, foreign_argument(1), &now, sizeof(now));
}

long call_time_gettimeofday(void)
{
	struct timeval now;
	int ret = gettimeofday(&now, NULL);

	return foreign_call_with(ret, foreign_argument(0), &now, sizeof(now));
}

long call_time_time(void)
{
	time_t now = time(NULL);

	return foreign_call_with(now, foreign_argument(0), &now, sizeof(now));
}

long call_time_times(void)
{
	struct tms used;
	clock_t now = times(&used);

	return foreign_call_with(now, foreign_argument(0), &used, sizeof(used));
}

long call_time_ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* ---- setting and steering clocks ---- */

long call_time_clock_settime(void)
{
	struct timespec to;

	if (foreign_memory_get(foreign_argument(1), &to, sizeof(to)) < 0)
		return -EFAULT;
	return foreign_call_result(clock_settime((clockid_t)foreign_argument(0), &to));
}

long call_time_settimeofday(void)
{
	struct timeval to = { 0, 0 };

	if (foreign_argument(0) && foreign_memory_get(foreign_argument(0), &to, sizeof(to)) < 0)
		return -EFAULT;
	return foreign_call_result(settimeofday(&to, NULL));
}

static long steer(clockid_t id, uint64_t at)
{
	struct timex timex;

	if (foreign_memory_get(at, &timex, sizeof(timex)) < 0)
		return -EFAULT;
	return foreign_call_with(clock_adjtime(id, &timex), at, &timex, sizeof(timex));
}

long call_time_clock_adjtime(void)
{
	return steer((clockid_t)foreign_argument(0), foreign_argument(1));
}

long call_time_adjtimex(void)
{
	return steer(CLOCK_REALTIME, foreign_argument(0));
}

/* ---- sleeping ---- */

/* After a signal the rest of a sleep is the program's to sleep. */
long call_time_nanosleep(void)
{
	struct timespec time, rest = { 0, 0 };
	int ret;

	if (foreign_memory_get(foreign_argument(0), &time, sizeof(time)) < 0)
		return -EFAULT;
	ret = nanosleep(&time, &rest);
	if (ret < 0 && errno == EINTR && foreign_argument(1))
		foreign_memory_put(foreign_argument(1), &rest, sizeof(rest));
	return foreign_call_result(ret < 0 ? -1 : 0);
}

long call_time_clock_nanosleep(void)
{
	struct timespec time, rest = { 0, 0 };
	int err;

	if (foreign_memory_get(foreign_argument(2), &time, sizeof(time)) < 0)
		return -EFAULT;
	err = clock_nanosleep((clockid_t)foreign_argument(0), (int)foreign_argument(1), &time,
			      &rest);
	if (err == EINTR && foreign_argument(3) && !(foreign_argument(1) & TIMER_ABSTIME))
		foreign_memory_put(foreign_argument(3), &rest, sizeof(rest));
	return -err;
}

long call_time_sched_yield(void)
{
	return foreign_call_result(sched_yield());
}

/* ---- timers of the process ---- */

long call_time_alarm(void)
{
	return alarm((unsigned int)foreign_argument(0));
}

long call_time_setitimer(void)
{
	struct itimerval value = { .it_value = { 0, 0 } }, old;
	int ret;

	if (foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), &value, sizeof(value)) < 0)
		return -EFAULT;
	ret = setitimer((__itimer_which_t)foreign_argument(0), &value, &old);
	return foreign_call_with(ret, foreign_argument(2), &old, sizeof(old));
}

long call_time_getitimer(void)
{
	struct itimerval value;
	int ret = getitimer((__itimer_which_t)foreign_argument(0), &value);

	return foreign_call_with(ret, foreign_argument(1), &value, sizeof(value));
}

/* ---- timers that are files ---- */

long call_time_timerfd_create(void)
{
	int flags = (int)foreign_argument(1), ret;
	int fd = timerfd_create((int)foreign_argument(0), flags | TFD_CLOEXEC);

	if (fd < 0)
		return foreign_call_result(fd);
	ret = foreign_call_put_descriptor(fd, flags & TFD_CLOEXEC);
	if (ret < 0 || foreign_kept_add(fd) < 0)
		close(fd);
	return ret;
}

long call_time_timerfd_settime(void)
{
	struct foreign_descriptor descriptor;
	struct itimerspec value, old;
	int ret;

	if (foreign_memory_get(foreign_argument(2), &value, sizeof(value)) < 0)
		return -EFAULT;
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	ret = timerfd_settime(descriptor.fd, (int)foreign_argument(1), &value, &old);
	foreign_descriptor_put(&descriptor);
	return foreign_call_with(ret, foreign_argument(3), &old, sizeof(old));
}

long call_time_timerfd_gettime(void)
{
	struct foreign_descriptor descriptor;
	struct itimerspec value;
	int ret;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	ret = timerfd_gettime(descriptor.fd, &value);
	foreign_descriptor_put(&descriptor);
	return foreign_call_with(ret, foreign_argument(1), &value, sizeof(value));
}

/* ---- timers that send signals ---- */

/* The kernel's numbers are small; libc's here may be addresses. */
static struct timer {
	bool is_used;
	timer_t timer;
} timers[TIMERS];

/* A child has none of its parent's. */
static void begin_own(void)
{
	static pid_t owner;

	if (owner != getpid())
		memset(timers, 0, sizeof(timers));
	owner = getpid();
}

static struct timer *timer_of(uint64_t number)
{
	begin_own();
	return number < TIMERS && timers[number].is_used ? &timers[number] : NULL;
}

long call_time_timer_create(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	int number = 0, ret;

	begin_own();
	while (number < TIMERS && timers[number].is_used)
		number++;
	if (foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), &event, sizeof(event)) < 0)
		return -EFAULT;
	if (number == TIMERS)
		return -EAGAIN;
	if (!foreign_argument(1))
		event.sigev_value.sival_int = number;
	if (event.sigev_notify == SIGEV_THREAD)		/* to the kernel that is a signal */
		event.sigev_notify = SIGEV_SIGNAL;
	ret = timer_create((clockid_t)foreign_argument(0), &event, &timers[number].timer);
	timers[number].is_used = ret == 0;
	return foreign_call_with(ret, foreign_argument(2), &number, sizeof(number));
}

long call_time_timer_settime(void)
{
	const struct timer *timer = timer_of(foreign_argument(0));
	struct itimerspec value, old;
	int ret;

	if (!timer)
		return -EINVAL;
	if (foreign_memory_get(foreign_argument(2), &value, sizeof(value)) < 0)
		return -EFAULT;
	ret = timer_settime(timer->timer, (int)foreign_argument(1), &value, &old);
	return foreign_call_with(ret, foreign_argument(3), &old, sizeof(old));
}

long call_time_timer_gettime(void)
{
	const struct timer *timer = timer_of(foreign_argument(0));
	struct itimerspec value;

	if (!timer)
		return -EINVAL;
	return foreign_call_with(timer_gettime(timer->timer, &value), foreign_argument(1), &value,
				 sizeof(value));
}

long call_time_timer_delete(void)
{
	struct timer *timer = timer_of(foreign_argument(0));

	if (!timer)
		return -EINVAL;
	timer->is_used = false;
	return foreign_call_result(timer_delete(timer->timer));
}

long call_time_timer_getoverrun(void)
{
	const struct timer *timer = timer_of(foreign_argument(0));

	return timer ? foreign_call_result(timer_getoverrun(timer->timer)) : -EINVAL;
}

void call_time_end_timers(void)
{
	begin_own();
	for (int i = 0; i < TIMERS; i++) {
		if (timers[i].is_used)
			timer_delete(timers[i].timer);
		timers[i].is_used = false;
	}
}
