/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults of a built kernel as the exit status of a command that simulates hosts for programs.
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_FAULTS_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_FAULTS_H

/*
 * To be called when a kernel was loaded: where it finds that it cannot go on, this process ends
 * with COMMAND_KERNEL_FAULT (a sanitizer's report ends it so, too: kernel_sanitizer_begin()).
 */
void kernel_faults_begin(void);

/*
 * To be called when the hosts have gone, as leaks are found then. Returns COMMAND_KERNEL_FAULT, and
 * says so as command 'name', if the checks of a kernel have found something since the last call;
 * otherwise 'status'.
 */
int kernel_faults_status(const char *name, int status);

#endif
