/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The filter: a program for the kernel, made of a table of traps, that stops a process's system
 * calls and passes them to a listener (seccomp(2), SECCOMP_RET_USER_NOTIF).
 *
 * It is made in the parent. The child, which may do nothing but system calls, installs it before it
 * becomes the program, and sends the listener up; all that it starts inherits the filter.
 */
#ifndef UMADRIG_HARNESS_FILTER_SECCOMP_FILTER_H
#define UMADRIG_HARNESS_FILTER_SECCOMP_FILTER_H

#include <linux/audit.h>
#include <stdbool.h>

#include "harness/filter/call-trap.h"

/* As struct seccomp_data has it; 0: this architecture has no table of traps. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define SECCOMP_FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__) && !defined(__ILP32__)
#define SECCOMP_FILTER_ARCH AUDIT_ARCH_AARCH64
#else
#define SECCOMP_FILTER_ARCH 0
#endif

struct seccomp_filter;

/* 'first_number': descriptors from here on are ours (harness/filter/call-trap.h). */
struct seccomp_filter *seccomp_filter_new(const struct trap_table *table, int first_number);
/* NULL is allowed. */
void seccomp_filter_free(struct seccomp_filter *filter);
/*
 * The child keeps the right to gain rights by setuid programs (no PR_SET_NO_NEW_PRIVS). It must
 * have CAP_SYS_ADMIN.
 */
void seccomp_filter_keep_rights(struct seccomp_filter *filter);
/* For tests: signals end the wait for an answer, as they do in Linux before 5.19. */
void seccomp_filter_wait_interruptibly(struct seccomp_filter *filter);

/*
 * For the child; async-signal-safe. Installs the filter and sends the listener to 'socket', one of
 * a pair of SOCK_SEQPACKET. 0, or -errno, which the parent gets as well; then the process is as it
 * was, but for PR_SET_NO_NEW_PRIVS.
 */
int seccomp_filter_install(const struct seccomp_filter *filter, int socket);
/*
 * For the parent: the listener, or the child's -errno. -EPIPE: the child has ended, or was stopped
 * by an error before it came to that.
 */
int seccomp_filter_receive(int socket, bool *ret_waits_killable);

#endif
