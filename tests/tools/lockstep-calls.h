/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What calls do in virtual time: a function for each, in a file for each noun. Times are exact to
 * the nanosecond, so that a call that waits in real time, or lets others run beside it, fails its
 * row.
 */
#ifndef UMADRIG_TESTS_TOOLS_LOCKSTEP_CALLS_H
#define UMADRIG_TESTS_TOOLS_LOCKSTEP_CALLS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define S INT64_C(1000000000)

/* The rows, in the order in which they run: a row that is new goes to the end. */
#define LOCKSTEP_ROWS(_) \
	_(clock_gettime) _(gettimeofday) _(time) _(times) _(clock) _(timespec_get) _(spin) \
	_(nanosleep) _(clock_nanosleep) _(sleep) _(usleep) _(sched_yield) _(pthread_create) \
	_(pthread_cancel) _(pthread_mutex_lock) _(pthread_rwlock) _(pthread_cond_wait) \
	_(pthread_cond_timedwait) _(cancelled_cond_wait) _(sem_wait) _(sem_clockwait) _(futex) \
	_(pthread_timedjoin_np) _(thrd_create) _(mtx_lock) _(cnd_wait) _(cnd_timedwait) \
	_(pthread_once) _(call_once) _(read) _(write) _(stdio) _(poll) _(ppoll) _(select) \
	_(pselect) _(epoll_wait) _(recv) _(recvmsg) _(getpid) _(wait) _(waitid) _(execve) \
	_(bare_environment) _(vfork) _(posix_spawn) _(system) _(popen) _(daemon) _(shared_mutex) \
	_(robust_mutex) _(shared_rwlock) _(shared_cond) _(shared_sem) _(shared_futex) _(sem_open) \
	_(kill) _(sigkill) _(sigprocmask) _(handler) _(sigchld) _(sigsuspend) _(alarm) \
	_(setitimer) _(timer_create) _(timer_overrun) _(timerfd_read) _(timerfd_poll) \
	_(timerfd_epoll) _(timerfd_fork) \
	_(timerfd_many) _(sigtimedwait) _(sigwaitinfo) _(sigwait) _(signalfd) _(eventfd) \
	_(eventfd_write) _(flock) _(fcntl) _(lockf) _(send) _(sendmsg) _(sendto) _(connect) \
	_(inotify) _(pthread_kill) _(pthread_sigqueue) _(pthread_barrier_wait) _(getrandom) \
	_(stat) _(stat_old) _(changes) _(mkdir) _(utimensat) _(seen) _(processors) \
	_(sigqueue) _(process_group) _(task_numbers) _(priorities) _(pidfd) _(setown) _(fiosetown) \
	_(receive_timeout) _(send_timeout) _(sendfile) _(splice) _(tee) _(vmsplice) \
	_(mq_timedreceive) _(mq_timedsend) _(sigev_thread) \
	_(siginfo) _(siginfo_child) _(siginfo_queue) _(siginfo_timers) _(signalfd_readv) \
	_(exec_timers) \
	_(tcp_connect) _(tcp_connect_timeout) _(tcp_connect_poll) _(tcp_accept) _(tcp_burst) \
	_(tcp_bulk) _(tcp_close) _(tcp_killed) \
	_(sigio) _(sigio_wait) _(mq_notify_signal) _(mq_notify_thread) \
	_(mq_notify_by_number) \
	_(mq_notify_none) _(sigev_none) _(sigev_thread_id) _(passed_deadline) \
	_(passed_deadlines) _(shared_barrier) _(recv_waitall) _(peercred) _(scm_credentials) \
	_(looks_free) _(looks_clock) _(looks_hour) _(looks_work) _(looks_poll) _(looks_read) \
	_(looks_child) _(looks_kill) _(looks_yield) _(looks_sleep) _(looks_trylock) _(looks_futex) \
	_(looks_handed_on) _(looks_two) _(pthread_spin_lock) \
	_(dev_random) _(at_random) _(proc_random) _(proc_uptime) _(proc_stat) _(proc_loadavg) \
	_(proc_self_stat) _(sysinfo) _(getrusage) _(wait4) _(getcpu) _(mkstemp) _(syslog) \
	_(klogctl) \
	_(raw_fork) \
	_(raw_clone) _(raw_time) _(raw_waits) _(semop) _(semop_fault) _(semtimedop) _(msgsnd) \
	_(msgrcv) \
	_(ports) _(ports_taken) _(reuseport) _(recvmmsg) _(so_timestamp) _(seccomp) _(ptrace) \
	_(rings) _(clone_namespaces) _(terminal) _(terminal_end) \
	_(proc_list) _(proc_names)

#define LOCKSTEP_DECLARE(name) bool row_##name(void);
LOCKSTEP_ROWS(LOCKSTEP_DECLARE)

/* What a clock shows, in nanoseconds. */
int64_t ns_of(clockid_t id);
/* What the monotonic one shows. */
int64_t now(void);
/* What a clock will show in 'ns'. */
struct timespec in(clockid_t id, int64_t ns);
/* Has exactly so much time passed since now() was 'from'? If not, that is said. */
bool passed(int64_t from, int64_t ns);
/* The same after so many runs of sleep(1): that of newer coreutils takes a nanosecond more. */
bool passed_asleep(int64_t from, int64_t ns, int times);

/* A child that ends with 'status' in so many seconds. */
pid_t ends_after(unsigned int seconds, int status);
/* A child that does something to a pipe or socket in two seconds. */
pid_t in_two_seconds(void (*act)(int fd), int fd);
/* A child that reads all there is, in two seconds; the end to read is its own. */
pid_t reads_late(int ends[2]);
/* Waits for a child. False: it has failed. */
bool reap(pid_t pid);

/* Comes a child's byte through, when so much time has passed since now() was 'from'? */
bool byte_comes(int fd, int64_t from, int64_t ns);
/* To be called in children: ends them if it fails. */
void write_byte(int fd);

/* The signal that the handler has had last; 0: none since it was set. */
extern volatile sig_atomic_t caught;
void set_handler(int sig);

#endif
