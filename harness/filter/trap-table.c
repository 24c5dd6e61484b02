/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/trap-table.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/filter/file-call.h"

/*
 * Architectures that came late lack the older calls (open, stat ...): put #ifdef SYS_name around
 * a row for one of those. Each call has one row.
 */
static const struct trap traps[] = {
	{ SYS_read, TRAP_HIGH, .handle = file_on_read },
	{ SYS_write, TRAP_HIGH, .handle = file_on_write, .is_once = true },
	{ SYS_ioctl, TRAP_UMAD_COMMAND, .handle = file_on_ioctl, .is_once = true },
	{ SYS_fcntl, TRAP_HIGH_DUP, .handle = file_on_fcntl },
	{ SYS_dup, TRAP_HIGH, .handle = file_on_dup },
	{ SYS_readv, TRAP_HIGH, .handle = file_on_readv },
	{ SYS_writev, TRAP_HIGH, .handle = file_on_writev, .is_once = true },
	/* As on a host without RDMA: no module serves the protocol. */
	{ SYS_socket, TRAP_REFUSE_RDMA, .refusal = EPROTONOSUPPORT },
	/* What goes through a ring is not seen by any filter. */
	{ SYS_io_uring_setup, TRAP_REFUSE, .refusal = ENOSYS },
	{ SYS_io_uring_enter, TRAP_REFUSE, .refusal = ENOSYS },
	{ SYS_io_uring_register, TRAP_REFUSE, .refusal = ENOSYS },
	/* Doors to a device that need no path to it. Both need rights that few programs have. */
	{ SYS_open_by_handle_at, TRAP_REFUSE, .refusal = EPERM },
#ifdef SYS_mknod
	{ SYS_mknod, TRAP_REFUSE_NODE, .refusal = EPERM },
#endif
	{ SYS_mknodat, TRAP_REFUSE_NODE, .refusal = EPERM },
};

const struct trap_table trap_table = { traps, sizeof(traps) / sizeof(*traps) };
