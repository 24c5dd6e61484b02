/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of /sys that programs write, such as sriov_numvfs: the fabric server stores what is
 * written (sim/server/sysfs-store.h), and says what the kernel would.
 *
 * The descriptor is one of the file itself, at a high number, which can only be read: so what is
 * written by a way that nobody sees fails, with EBADF. A shell that redirects a command has made it
 * its standard output; of that one short writes are seen, too.
 */
#ifndef UMADRIG_HARNESS_FILTER_STORE_FILE_H
#define UMADRIG_HARNESS_FILTER_STORE_FILE_H

#include "harness/filter/call-trap.h"
#include "harness/filter/supervisor.h"

/* A program has opened one for writing. */
void store_file_note(struct supervisor *supervisor);

/* write or writev on one. CALL_OF_ANOTHER: the call is about another file. */
supervisor_call_fn store_file_on_call;

#endif
