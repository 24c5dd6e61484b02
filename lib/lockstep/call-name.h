/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The names of system calls that wait or tell the time, for messages.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CALL_NAME_H
#define UMADRIG_LIB_LOCKSTEP_CALL_NAME_H

#include <stddef.h>
#include <sys/syscall.h>

/* Of the kernel's number; "system call": of any other. */
static inline const char *call_name(long number)
{
#define CALL(name) { SYS_##name, #name }
	static const struct {
		long number;
		const char *name;
	} calls[] = {
		CALL(read), CALL(readv), CALL(write), CALL(writev), CALL(futex), CALL(ppoll),
		CALL(pselect6), CALL(clock_nanosleep), CALL(nanosleep), CALL(epoll_pwait),
		CALL(recvfrom), CALL(recvmsg), CALL(recvmmsg), CALL(sendto), CALL(sendmsg),
		CALL(sendmmsg), CALL(connect), CALL(accept), CALL(accept4), CALL(wait4),
		CALL(waitid), CALL(flock), CALL(fcntl), CALL(openat), CALL(ioctl),
		CALL(rt_sigtimedwait), CALL(rt_sigsuspend), CALL(sched_yield), CALL(msgsnd),
		CALL(msgrcv), CALL(semop), CALL(semtimedop), CALL(mq_timedsend),
		CALL(mq_timedreceive), CALL(io_getevents), CALL(splice), CALL(tee), CALL(vmsplice),
		CALL(sendfile), CALL(clock_gettime), CALL(gettimeofday), CALL(times),
		CALL(getrusage), CALL(sysinfo), CALL(getcpu), CALL(setitimer), CALL(timer_create),
		CALL(timer_settime),
		CALL(timerfd_create), CALL(timerfd_settime), CALL(clone), CALL(clone3),
		CALL(getitimer), CALL(timer_gettime), CALL(timerfd_gettime),
#ifdef SYS_poll
		CALL(poll), CALL(select), CALL(epoll_wait), CALL(pause), CALL(time), CALL(alarm),
		CALL(open), CALL(fork), CALL(vfork),
#endif
	};
#undef CALL

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (calls[i].number == number)
			return calls[i].name;
	}
	return "system call";
}

#endif
