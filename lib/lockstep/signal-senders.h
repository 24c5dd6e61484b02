/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a signal says of its sender: handlers with SA_SIGINFO, sigwaitinfo(2) and signalfd(2) see
 * the number that programs know it by. The kernel has no other than its own.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SIGNAL_SENDERS_H
#define UMADRIG_LIB_LOCKSTEP_SIGNAL_SENDERS_H

#include <signal.h>
#include <sys/uio.h>

/* The timer of alarm(3) and setitimer(2) in si_timerid: its signals are to be the kernel's. */
enum { SIGNAL_SENDERS_ALARM = -1 };

/*
 * As the kernel says it in, as programs see it out. A sender that is no process of the session, or
 * is long gone, is 0.
 */
void signal_senders_translate(siginfo_t *info);

/*
 * The same for the 'size' bytes that a read of 'fd' has put into these parts, if it is a signalfd.
 */
void signal_senders_translate_file(int fd, const struct iovec *parts, int count, size_t size);

#endif
