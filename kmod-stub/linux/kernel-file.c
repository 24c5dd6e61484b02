/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the file exports: see kernel-file.h. The build defines KERNEL_RELEASE, KERNEL_IDENTITY and
 * KERNEL_OPTIONS.
 */
#include "kmod-stub/linux/kernel-file.h"

#include "kmod-stub/kmod-kernel.h"
#include "kmod-stub/linux/kernel-layout.h"
#include "kmod-stub/linux/linux-attributes.h"
#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-umad.h"
#include "kmod-stub/linux/linux-wire.h"
#include "kmod-stub/linux/services.h"

static const struct kmod_kernel kernel = {
	.name = "linux-" KERNEL_RELEASE,
	.host_new = linux_host_new,
	.host_free = linux_host_free,
	.host_trim = linux_host_trim,
	.host_vary = linux_host_vary,
	.host_check = linux_host_check,
	.port_new = linux_port_new,
	.port_remove = linux_port_remove,
	.port_receive = linux_port_receive,
	.port_takes = linux_port_takes,
	.port_expire = linux_port_expire,
	.port_check = linux_port_check,
	.file_open = linux_file_open,
	.file_close = linux_file_close,
	.file_set_usage = linux_file_set_usage,
	.file_ioctl = linux_file_ioctl,
	.file_write = linux_file_write,
	.file_write_lent = linux_file_write_lent,
	.file_read = linux_file_read,
	.file_poll = linux_file_poll,
	.file_readable = linux_file_readable,
	.file_take = linux_file_take,
	.message_read = linux_message_read,
	.message_free = linux_message_free,
	.issm_open = linux_issm_open,
	.issm_close = linux_issm_close,
};

static int begin(const struct kernel_services *services)
{
	linux_services = services;
	return linux_host_begin();
}

__attribute__((visibility("default"))) const struct kernel_file umadrig_kernel = {
	.abi = KERNEL_FILE_ABI,
	.layout = KERNEL_FILE_LAYOUT,
	.release = KERNEL_RELEASE,
	.identity = KERNEL_IDENTITY,
	.options = KERNEL_OPTIONS,
	.kernel = &kernel,
	.begin = begin,
	.attribute = linux_attribute,
	.fail_allocation = linux_alloc_fail,
	.count_allocations = linux_alloc_count,
	.at_once = linux_host_at_once,
};
