/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that the audit names: see lib/lockstep/audit-calls.h. */
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/audit-calls.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/system-call.h"

/* Newer than the headers of some systems; the numbers are the same everywhere. */
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static bool is_stream(int fd)
{
	return descriptors_may_wait(fd) && !advance_leads_to_server(fd);
}

static bool is_fifo(int directory, const char *path, long flags)
{
	struct stat st;

	return !(flags & (O_NONBLOCK | O_PATH)) && (flags & O_ACCMODE) != O_RDWR &&
	       !advance_is_beside_server(path) &&
	       CALL_4(SYS_newfstatat, directory, path, &st, 0) == 0 && S_ISFIFO(st.st_mode);
}

/* Of a stream: datagrams have nobody to wait for. */
static bool connect_waits(int fd, const void *address, size_t address_size)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return descriptors_may_wait(fd) && !advance_is_server(address, address_size) &&
	       CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type != SOCK_DGRAM;
}

static bool futex_waits(long op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	}
	return false;
}

static bool has_time(const struct timespec *timeout)
{
	return !timeout || timeout->tv_sec != 0 || timeout->tv_nsec != 0;
}

/* On descriptors. */
static bool waits_for_data(long number, const long *a)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_accept:
	case SYS_accept4:
	case SYS_vmsplice:
	case SYS_sendfile:
		return is_stream((int)a[0]);
	case SYS_splice:
		return is_stream((int)a[0]) || is_stream((int)a[2]);
	case SYS_tee:
		return is_stream((int)a[0]) || is_stream((int)a[1]);
	case SYS_connect:
		return connect_waits((int)a[0], (const void *)a[1], (size_t)a[2]);
	case SYS_recvfrom:
	case SYS_sendto:
	case SYS_recvmmsg:
	case SYS_sendmmsg:
		return !(a[3] & MSG_DONTWAIT) && is_stream((int)a[0]);
	case SYS_recvmsg:
	case SYS_sendmsg:
		return !(a[2] & MSG_DONTWAIT) && is_stream((int)a[0]);
	case SYS_flock:
		return !(a[1] & (LOCK_NB | LOCK_UN));
	case SYS_fcntl:
		return a[1] == F_SETLKW || a[1] == F_OFD_SETLKW;
	case SYS_openat:
		return is_fifo((int)a[0], (const char *)a[1], a[2]);
#ifdef SYS_open
	case SYS_open:
		return is_fifo(AT_FDCWD, (const char *)a[0], a[1]);
	case SYS_poll:
		return a[2] != 0;
	case SYS_select:
		return !a[4] || ((const long *)a[4])[0] != 0 || ((const long *)a[4])[1] != 0;
	case SYS_epoll_wait:
		return a[3] != 0;
#endif
	case SYS_ppoll:
		return has_time((const struct timespec *)a[2]);
	case SYS_pselect6:
		return has_time((const struct timespec *)a[4]);
	case SYS_epoll_pwait:
		return a[3] != 0;
	case SYS_epoll_pwait2:
		return has_time((const struct timespec *)a[3]);
	}
	return false;
}

bool audit_calls_bypass(long number, const long *a)
{
	switch (number) {
	case SYS_clock_gettime:
	case SYS_gettimeofday:
	case SYS_clock_settime:
	case SYS_settimeofday:
	case SYS_adjtimex:
	case SYS_clock_adjtime:
	case SYS_times:
	case SYS_getrusage:
	case SYS_getcpu:
	case SYS_sysinfo:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_setitimer:
	case SYS_getitimer:
	case SYS_timer_create:
	case SYS_timer_settime:
	case SYS_timer_gettime:
	case SYS_timerfd_create:
	case SYS_timerfd_settime:
	case SYS_timerfd_gettime:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_sched_yield:
	case SYS_mq_timedsend:
	case SYS_mq_timedreceive:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_io_getevents:
	case SYS_futex_waitv:
	case SYS_clone:
	case SYS_clone3:
#ifdef SYS_pause
	case SYS_fork:
	case SYS_vfork:
	case SYS_pause:
	case SYS_time:
	case SYS_alarm:
#endif
		return true;
	case SYS_futex:
		return futex_waits(a[1]);
	case SYS_wait4:
		return !(a[2] & WNOHANG);
	case SYS_waitid:
		return !(a[3] & WNOHANG);
	case SYS_msgsnd:
		return !(a[3] & IPC_NOWAIT);
	case SYS_msgrcv:
		return !(a[4] & IPC_NOWAIT);
	}
	return waits_for_data(number, a);
}
