/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What libumadlockstep tells a program that stands for another one, and that it is preloaded into:
 * a stand-in (lib/stand-in/), and umadrig guest (harness/exec/in-guest.h).
 */
#ifndef UMADRIG_LIB_LOCKSTEP_STAND_IN_DOOR_H
#define UMADRIG_LIB_LOCKSTEP_STAND_IN_DOOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The session's number of a thread of this process. */
int umadrig_session_tid(pthread_t thread) __attribute__((weak));
/* The calling thread has had a call of another process's thread, by the kernel's numbers. */
void umadrig_session_has_call_of(int pid, int tid) __attribute__((weak));
/* This process is called so in messages: the name of a file, whose directory is left out. */
void umadrig_session_name(const char *path) __attribute__((weak));
/* The kernel's number of the process that a descriptor is of; 0: it is of none. */
int umadrig_session_pid_of(int pidfd) __attribute__((weak));
/*
 * The kernel's number of the session's process 'number', of the program itself and not of what
 * stands for it; 0: there is none.
 */
int umadrig_session_process(int number) __attribute__((weak));
/* The session's number of a process by the kernel's; 'pid' itself: it is not in the session. */
int umadrig_session_number_of(int pid) __attribute__((weak));
/*
 * The name of a word in memory of the process with the kernel's number 'pid', for those that wait
 * for it: its address, or, with the highest bit, a place in memory that processes share.
 */
uint64_t umadrig_session_word(int pid, uint64_t at) __attribute__((weak));
/* Does the descriptor lead out of the session? */
bool umadrig_session_leads_out(int fd) __attribute__((weak));
/* Is that a connection to the fabric's server, which answers at once? */
bool umadrig_session_leads_to_server(int fd) __attribute__((weak));
/* The other program has changed a file, now. 'flags' are those of fstatat(2). */
void umadrig_session_file_changed(int fd) __attribute__((weak));
void umadrig_session_path_changed(const char *path, int flags) __attribute__((weak));
/* The other program reads or writes what is ready: its looks are no row any more. */
void umadrig_session_transfers(void) __attribute__((weak));
/*
 * The other program connects by its descriptor 'number', of which 'fd' is a copy: what has no room
 * so far is tried again by that. 'pidfd' is its process, and stays open.
 */
void umadrig_session_connects(int fd, int pidfd, int number) __attribute__((weak));
/* What the session's clock has, in ns since its start. This is no look. */
int64_t umadrig_session_now(void) __attribute__((weak));
/*
 * After a try in vain, the first one or another: returns when something has happened, before time
 * moves. -1 with EINTR: a signal has come.
 */
int umadrig_session_await_others(bool is_first) __attribute__((weak));

#endif
