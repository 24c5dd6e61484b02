/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A file as 'umadrig kernel build' makes one, without Linux: MODULE_KERNEL (kmod_stub or
 * echo_kernel) under the name of MODULE_RELEASE.
 */
#include <errno.h>
#include <stdlib.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/linux/kernel-file.h"
#include "kmod-stub/linux/kernel-layout.h"

#ifdef MODULE_ECHO
#include "tests/rig/echo-kernel.h"
#endif

#ifndef MODULE_ABI
#define MODULE_ABI KERNEL_FILE_ABI
#endif
#ifndef MODULE_LAYOUT
#define MODULE_LAYOUT KERNEL_FILE_LAYOUT
#endif

static struct kmod_kernel table;

/* Before the loader looks at the table. */
__attribute__((constructor)) static void fill_table(void)
{
	table = MODULE_KERNEL;
	table.name = "linux-" MODULE_RELEASE;
#ifdef MODULE_LACKS
	table.MODULE_LACKS = NULL;
#endif
}

static const struct kernel_services *services;

/* Once. */
static int begin(const struct kernel_services *given)
{
	if (services)
		abort();
	services = given;
#ifdef MODULE_FAILS
	return -MODULE_FAILS;
#else
	return 0;
#endif
}

static long attribute(const struct kmod_port *port, const char *name, char *buf, size_t size)
{
	(void)port;
	(void)name;
	(void)buf;
	(void)size;
	return -ENOENT;
}

static void fail_allocation(unsigned long number, char *ret_place, size_t size)
{
	(void)number;
	(void)ret_place;
	(void)size;
}

static unsigned long count_allocations(void)
{
	return 0;
}

static int at_once(struct kmod_host *host, const struct kernel_call *calls, unsigned int count)
{
	(void)host;
	if (count > KERNEL_CALLS_MAX)
		return -E2BIG;
	for (unsigned int i = 0; i < count; i++)
		calls[i].run(calls[i].ctx);
	return 0;
}

const struct kernel_file umadrig_kernel __attribute__((visibility("default")));
const struct kernel_file umadrig_kernel = {
	.abi = MODULE_ABI,
	.layout = MODULE_LAYOUT,
	.release = MODULE_RELEASE,
	.identity = "0123456789abcdef",
	.options = "",
	.kernel = &table,
	.begin = begin,
	.attribute = attribute,
	.fail_allocation = fail_allocation,
	.count_allocations = count_allocations,
	.at_once = at_once,
};
