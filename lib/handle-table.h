/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles: what lib remembers of the descriptors that it opened.
 *
 * A handle is bad if it is negative, or was closed through us and not opened again, or the call
 * itself says EBADF. A descriptor that we did not open (dup, inherited) is unknown here and taken
 * for good. No system call is added to those of a good handle.
 *
 * Everything may be called from any thread; only umad_handle_add() and umad_handle_close()
 * allocate.
 */
#ifndef UMADRIG_LIB_HANDLE_TABLE_H
#define UMADRIG_LIB_HANDLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Remembers 'fd' as just opened. 0, -ENOMEM, or -EMFILE for a descriptor of a million and more. */
int umad_handle_add(int fd, size_t header_size);

/*
 * Marks 'fd' closed; false where it was bad already. To be called before close(2), after which
 * another thread may be given the same number.
 */
bool umad_handle_close(int fd);

/* Forgets that 'fd' was closed: it is of somebody else now. */
void umad_handle_forget(int fd);

/* 64, or 56 where we opened 'fd' on a kernel without ENABLE_PKEY; 0: it is bad. */
size_t umad_handle_header_size(int fd);

/* Remembers that agent 'id' of 'fd' is registered, or no longer. */
void umad_handle_set_agent(int fd, uint32_t id, bool registered);

/* False only where we know it: 'fd' is ours and no agent 'id' was registered through us. */
bool umad_handle_may_have_agent(int fd, uint32_t id);

/* Does the file behind 'fd' know REGISTER_AGENT2? Known once it has taken one. */
void umad_handle_set_register2(int fd);
bool umad_handle_has_register2(int fd);

#endif
