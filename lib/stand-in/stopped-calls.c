/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/stopped-calls.h. */
#include <stddef.h>

#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/call-files.h"
#include "lib/stand-in/call-locks.h"
#include "lib/stand-in/call-looks.h"
#include "lib/stand-in/call-machine.h"
#include "lib/stand-in/call-owners.h"
#include "lib/stand-in/call-past.h"
#include "lib/stand-in/call-priorities.h"
#include "lib/stand-in/call-processes.h"
#include "lib/stand-in/call-queues.h"
#include "lib/stand-in/call-sockets.h"
#include "lib/stand-in/call-splices.h"
#include "lib/stand-in/stopped-calls.h"
#include "lib/stand-in/call-time.h"
#include "lib/stand-in/call-transfers.h"
#include "lib/stand-in/foreign-answer.h"
#include "lib/stand-in/foreign-birth.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-end.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-image.h"
#include "lib/stand-in/foreign-robust.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-socket.h"
#include "lib/stand-in/foreign-umad.h"
#include "lib/stand-in/foreign-view.h"

#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* Those that programs make most often first: the filter compares in this order. */
const struct stopped_call stopped_calls[] = {
	/* BEGIN TABLE stopped calls */
	{ SYS_futex, 0, foreign_futex_call },
	{ SYS_read, 0, call_transfers_read },
	{ SYS_write, 0, call_transfers_write },
	{ SYS_clock_gettime, 0, call_time_clock_gettime },
	{ SYS_epoll_pwait, 0, call_looks_epoll_pwait },
	{ SYS_nanosleep, 0, call_time_nanosleep },
	{ SYS_rt_sigprocmask, 0, foreign_signals_mask },
	{ SYS_ppoll, 0, call_looks_ppoll },
	{ SYS_recvfrom, 0, call_transfers_recv },
	{ SYS_recvmsg, 0, call_transfers_recvmsg },
	{ SYS_sendto, 0, call_transfers_send },
	{ SYS_sendmsg, 0, call_transfers_sendmsg },
	{ SYS_readv, 0, call_transfers_readv },
	{ SYS_writev, 0, call_transfers_writev },
	{ SYS_pselect6, 0, call_looks_pselect },
	{ SYS_epoll_pwait2, 0, call_looks_epoll_pwait2 },
	{ SYS_gettimeofday, 0, call_time_gettimeofday },
#ifdef __x86_64__
	{ SYS_time, 0, call_time_time },
#endif
	{ SYS_times, 0, call_time_times },
	{ CALL_TICKS, 0, call_time_ticks },
	{ SYS_clock_settime, 0, call_time_clock_settime },
	{ SYS_settimeofday, 0, call_time_settimeofday },
	{ SYS_clock_adjtime, 0, call_time_clock_adjtime },
	{ SYS_adjtimex, 0, call_time_adjtimex },
	{ SYS_clock_nanosleep, 0, call_time_clock_nanosleep },
	{ SYS_sched_yield, 0, call_time_sched_yield },
#ifdef __x86_64__
	{ SYS_poll, 0, call_looks_poll },
	{ SYS_select, 0, call_looks_select },
#endif
	{ SYS_epoll_ctl, 0, call_looks_epoll_ctl },
#ifdef __x86_64__
	{ SYS_epoll_wait, 0, call_looks_epoll_wait },
#endif
	{ SYS_recvmmsg, 0, call_transfers_recvmmsg },
	{ SYS_sendmmsg, 0, call_transfers_sendmmsg },
	{ SYS_socket, 0, call_sockets_socket },
	{ SYS_connect, 0, call_sockets_connect },
	{ SYS_accept, 0, call_sockets_accept },
	{ SYS_accept4, 0, call_sockets_accept4 },
	{ SYS_sendfile, 0, call_splices_sendfile },
	{ SYS_splice, 0, call_splices_splice },
	{ SYS_tee, 0, call_splices_tee },
	{ SYS_vmsplice, 0, call_splices_vmsplice },
	{ SYS_mq_timedsend, 0, call_queues_mq_timedsend },
	{ SYS_mq_timedreceive, 0, call_queues_mq_timedreceive },
	{ SYS_semop, 0, call_queues_semop },
	{ SYS_semtimedop, 0, call_queues_semtimedop },
	{ SYS_msgsnd, 0, call_queues_msgsnd },
	{ SYS_msgrcv, 0, call_queues_msgrcv },
	{ SYS_set_robust_list, 0, foreign_robust_set_list },
#ifdef __x86_64__
	{ SYS_fork, 0, foreign_birth_fork },
	{ SYS_vfork, 0, foreign_birth_vfork },
#endif
	{ SYS_clone, 0, foreign_birth_clone },
	{ SYS_clone3, 0, foreign_birth_clone3 },
	{ CALL_BIRTH, 0, foreign_birth_begin },
	{ SYS_execve, 0, foreign_image_execute },
	{ SYS_execveat, 0, foreign_image_execute },
	{ SYS_exit, 0, foreign_end_exit },
	{ SYS_exit_group, 0, foreign_end_exit_group },
	{ SYS_wait4, 0, call_processes_wait4 },
	{ SYS_waitid, 0, call_processes_waitid },
	{ SYS_kill, 0, foreign_signals_kill },
	{ SYS_rt_sigqueueinfo, 0, foreign_signals_queue },
	{ SYS_pidfd_send_signal, 0, foreign_signals_pidfd },
	{ SYS_rt_sigaction, 0, foreign_signals_action },
	{ SYS_rt_sigpending, 0, foreign_signals_pending },
	{ SYS_tgkill, 0, foreign_signals_tgkill },
	{ SYS_tkill, 0, foreign_signals_tkill },
	{ SYS_rt_tgsigqueueinfo, 0, foreign_signals_queue_thread },
#ifdef __x86_64__
	{ SYS_pause, 0, foreign_signals_pause },
#endif
	{ SYS_rt_sigsuspend, 0, foreign_signals_suspend },
	{ SYS_rt_sigtimedwait, 0, foreign_signals_timed_wait },
#ifdef __x86_64__
	{ SYS_open, 0, call_files_open },
#endif
	{ SYS_openat, 0, call_files_openat },
	{ SYS_openat2, 0, call_files_openat2 },
#ifdef __x86_64__
	{ SYS_creat, 0, call_files_creat },
#endif
	{ SYS_flock, 0, call_locks_flock },
	{ SYS_fcntl, 0, call_owners_fcntl },
	{ SYS_getpid, 0, call_processes_getpid },
	{ SYS_getppid, 0, call_processes_getppid },
	{ SYS_gettid, 0, call_processes_gettid },
	{ SYS_set_tid_address, 0, call_processes_set_tid_address },
#ifdef __x86_64__
	{ SYS_getpgrp, 0, call_processes_getpgrp },
#endif
	{ SYS_getpgid, 0, call_processes_getpgid },
	{ SYS_setpgid, 0, call_processes_setpgid },
	{ SYS_getsid, 0, call_processes_getsid },
	{ SYS_setsid, 0, call_processes_setsid },
	{ SYS_pidfd_open, 0, call_processes_pidfd_open },
	{ SYS_capget, 0, call_processes_capget },
	{ SYS_capset, 0, call_processes_capset },
	{ SYS_prlimit64, 0, call_past_prlimit },
	{ SYS_sched_setattr, 0, call_past_of_process },
	{ SYS_sched_getattr, 0, call_past_of_process },
	{ SYS_sched_rr_get_interval, 0, call_past_of_process },
	{ SYS_get_robust_list, 0, call_past_of_process },
	{ SYS_migrate_pages, 0, call_past_of_process },
	{ SYS_move_pages, 0, call_past_of_process },
#ifdef __x86_64__
	{ SYS_alarm, 0, call_time_alarm },
#endif
	{ SYS_setitimer, 0, call_time_setitimer },
	{ SYS_getitimer, 0, call_time_getitimer },
	{ SYS_timer_create, 0, call_time_timer_create },
	{ SYS_timer_settime, 0, call_time_timer_settime },
	{ SYS_timer_gettime, 0, call_time_timer_gettime },
	{ SYS_timer_delete, 0, call_time_timer_delete },
	{ SYS_timer_getoverrun, 0, call_time_timer_getoverrun },
	{ SYS_mq_notify, 0, call_queues_mq_notify },
	{ SYS_timerfd_create, 0, call_time_timerfd_create },
	{ SYS_timerfd_settime, 0, call_time_timerfd_settime },
	{ SYS_timerfd_gettime, 0, call_time_timerfd_gettime },
#ifdef __x86_64__
	{ SYS_stat, 0, call_files_stat },
	{ SYS_lstat, 0, call_files_lstat },
#endif
	{ SYS_newfstatat, 0, call_files_fstatat },
	{ SYS_statx, 0, call_files_statx },
#ifdef __x86_64__
	{ SYS_access, 0, call_files_access },
#endif
	{ SYS_faccessat, 0, call_files_faccessat },
	{ SYS_faccessat2, 0, call_files_faccessat },
#ifdef __x86_64__
	{ SYS_readlink, 0, call_files_readlink },
#endif
	{ SYS_readlinkat, 0, call_files_readlinkat },
#ifdef __x86_64__
	{ SYS_mknod, 0, call_files_mknod },
#endif
	{ SYS_mknodat, 0, call_files_mknodat },
	{ SYS_umask, 0, call_files_umask },
	{ SYS_fstat, 0, call_files_fstat },
#ifdef __x86_64__
	{ SYS_mkdir, 0, call_changes_mkdir },
#endif
	{ SYS_mkdirat, 0, call_changes_mkdirat },
#ifdef __x86_64__
	{ SYS_symlink, 0, call_changes_symlink },
#endif
	{ SYS_symlinkat, 0, call_changes_symlinkat },
	{ SYS_truncate, 0, call_changes_truncate },
	{ SYS_ftruncate, 0, call_changes_of_descriptor },
	{ SYS_fallocate, 0, call_changes_of_descriptor },
	{ SYS_pwrite64, 0, call_changes_of_descriptor },
	{ SYS_pwritev, 0, call_changes_of_descriptor },
	{ SYS_pwritev2, 0, call_changes_of_descriptor },
	{ SYS_copy_file_range, 0, call_changes_copy_file_range },
	{ SYS_utimensat, 0, call_changes_utimensat },
#ifdef __x86_64__
	{ SYS_futimesat, 0, call_changes_futimesat },
	{ SYS_utimes, 0, call_changes_utimes },
	{ SYS_utime, 0, call_changes_utime },
#endif
	{ SYS_setuid, 0, foreign_view_changes },
	{ SYS_setreuid, 0, foreign_view_changes },
	{ SYS_setresuid, 0, foreign_view_changes },
	{ SYS_setfsuid, 0, foreign_view_changes },
	{ SYS_setgid, 0, foreign_view_changes },
	{ SYS_setregid, 0, foreign_view_changes },
	{ SYS_setresgid, 0, foreign_view_changes },
	{ SYS_setfsgid, 0, foreign_view_changes },
	{ SYS_setgroups, 0, foreign_view_changes },
	{ SYS_chroot, 0, foreign_view_changes },
	{ SYS_pivot_root, 0, foreign_view_changes },
	{ SYS_getrandom, 0, call_machine_getrandom },
	{ SYS_getrusage, 0, call_machine_getrusage },
	{ SYS_sysinfo, 0, call_machine_sysinfo },
	{ SYS_getcpu, 0, call_machine_getcpu },
	{ SYS_syslog, 0, call_machine_syslog },
	{ SYS_getpriority, 0, call_priorities_getpriority },
	{ SYS_setpriority, 0, call_priorities_setpriority },
	{ SYS_sched_setscheduler, 0, call_priorities_setscheduler },
	{ SYS_sched_getscheduler, 0, call_priorities_getscheduler },
	{ SYS_sched_setparam, 0, call_priorities_setparam },
	{ SYS_sched_getparam, 0, call_priorities_getparam },
	{ SYS_sched_getaffinity, 0, call_machine_sched_getaffinity },
	{ SYS_sched_setaffinity, 0, call_machine_sched_setaffinity },
	{ SYS_ioctl, FOREIGN_UMAD_FIRST, foreign_umad_ioctl },
	{ SYS_close, FOREIGN_UMAD_FIRST, foreign_umad_close },
	{ SYS_lseek, FOREIGN_UMAD_FIRST, foreign_umad_seek },
	{ SYS_bind, 0, foreign_socket_bind },
	{ SYS_getsockname, 0, foreign_socket_name },
	{ SYS_getpeername, 0, foreign_socket_peer },
	{ SYS_setsockopt, FOREIGN_UMAD_FIRST, foreign_socket_set },
	{ SYS_getsockopt, FOREIGN_UMAD_FIRST, foreign_socket_get },
	{ SYS_listen, 0, foreign_socket_listen },
	{ SYS_shutdown, FOREIGN_UMAD_FIRST, foreign_socket_shutdown },
	{ SYS_io_uring_setup, 0, call_past_refuse },
	{ SYS_futex_waitv, 0, call_past_go_on },
	{ SYS_io_getevents, 0, call_past_go_on },
	{ SYS_io_pgetevents, 0, call_past_go_on },
	{ SYS_io_uring_enter, 0, call_past_go_on },
	{ SYS_pidfd_getfd, 0, call_past_go_on },
	{ SYS_process_vm_readv, 0, call_past_go_on },
	{ SYS_process_vm_writev, 0, call_past_go_on },
	{ SYS_process_madvise, 0, call_past_go_on },
	{ SYS_process_mrelease, 0, call_past_go_on },
	{ SYS_kcmp, 0, call_past_go_on },
	{ SYS_ptrace, 0, call_past_go_on },
	{ SYS_perf_event_open, 0, call_past_go_on },
	{ SYS_userfaultfd, 0, call_past_go_on },
	{ SYS_fanotify_init, 0, call_past_go_on },
	{ SYS_setns, 0, call_past_go_on },
	{ SYS_ioprio_get, 0, call_past_go_on },
	{ SYS_ioprio_set, 0, call_past_go_on },
	{ SYS_bpf, 0, call_past_go_on },
	/* END TABLE */
	{ 0, 0, NULL },
};

void stopped_calls_answer(void)
{
	const struct stopped_call *row = stopped_calls;

	while (row->answer && row->number != foreign_self->call.data.nr)
		row++;
	foreign_answer(row->answer ? row->answer() : call_past_go_on());
}
