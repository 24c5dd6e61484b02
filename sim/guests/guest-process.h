/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The process of a guest: its kernel's command line, its sockets and its console.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_PROCESS_H
#define UMADRIG_SIM_GUESTS_GUEST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct guest;

/*
 * Starts it, and waits until its time begins. 0, or -errno with a message; then there is none.
 *
 * Its command line is the same each time, because Linux takes it for entropy: sockets have names
 * that are relative to a directory of its own, where it runs.
 */
int guest_process_start(struct guest *guest, char *reterr, size_t reterr_size);
/* Kills it, and removes what it leaves. Nothing, where there is none. */
void guest_process_end(struct guest *guest);

/* Is it the process of a guest, of any fabric of this process? From any thread. */
bool guest_process_is(pid_t pid);

#endif
