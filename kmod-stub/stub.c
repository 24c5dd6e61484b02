/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kmod-stub as a kernel among others: its table of operations.
 */
#include "kmod-stub/stub.h"

#include <stddef.h>

#include "kmod-stub/kmod-host.h"
#include "kmod-stub/kmod-port.h"
#include "kmod-stub/umad-file.h"

/* kmod_kernel_of() reads it there. */
_Static_assert(offsetof(struct kmod_host, kernel) == 0, "a host begins with its kernel");
_Static_assert(offsetof(struct kmod_port, kernel) == 0, "a port begins with its kernel");
_Static_assert(offsetof(struct kmod_file, kernel) == 0, "a file begins with its kernel");

const struct kmod_kernel kmod_stub = {
	.name = "kmod-stub",
	.host_new = stub_host_new,
	.host_free = stub_host_free,
	.host_trim = stub_host_trim,
	.host_vary = stub_host_vary,
	.host_check = stub_host_check,
	.port_new = stub_port_new,
	.port_remove = stub_port_remove,
	.port_receive = stub_port_receive,
	.port_takes = stub_port_takes,
	.port_expire = stub_port_expire,
	.port_check = stub_port_check,
	.file_open = stub_file_open,
	.file_close = stub_file_close,
	.file_set_usage = stub_file_set_usage,
	.file_ioctl = stub_file_ioctl,
	.file_write = stub_file_write,
	.file_write_lent = stub_file_write_lent,
	.file_read = stub_file_read,
	.file_poll = stub_file_poll,
	.file_readable = stub_file_readable,
	.file_take = stub_file_take,
	.message_read = stub_message_read,
	.message_free = stub_message_free,
	.issm_open = stub_issm_open,
	.issm_close = stub_issm_close,
};
