/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about umad files and issmN, as programs get them from the kernel.
 */
#include <errno.h>
#include <glib.h>

#include "sim/api/inside.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/entry.h"
#include "sim/host/kernel.h"

struct umadrig_file {
	struct umadrig_fabric *fabric;
	struct kmod_file *file;
};

int umadrig_file_open(struct umadrig_port *port, struct umadrig_file **ret_file)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	struct kmod_file *kmod_file;
	struct kmod_port *kmod;
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	kmod = end_port_kmod(inside(port));
	ret = kmod ? kmod_file_open(kmod, NULL, &kmod_file) : -ENXIO;
	fabric_leave(fabric);
	if (ret < 0)
		return ret;
	*ret_file = g_new(struct umadrig_file, 1);
	**ret_file = (struct umadrig_file){ .fabric = fabric, .file = kmod_file };
	return 0;
}

int umadrig_file_ioctl(struct umadrig_file *file, unsigned long request, void *arg)
{
	int ret = fabric_enter(file->fabric);

	if (ret < 0)
		return ret;
	ret = kmod_file_ioctl(file->file, request, arg);
	fabric_leave(file->fabric);
	return ret;
}

long umadrig_file_write(struct umadrig_file *file, const void *buf, size_t count)
{
	long ret = fabric_enter_quick(file->fabric);

	if (ret < 0)
		return ret;
	ret = kmod_file_write(file->file, buf, count);
	fabric_leave(file->fabric);
	return ret;
}

long umadrig_file_read(struct umadrig_file *file, void *buf, size_t count)
{
	long ret = fabric_enter_quick(file->fabric);

	if (ret < 0)
		return ret;
	clock_settle(file->fabric->clock);
	ret = kmod_file_read(file->file, buf, count);
	fabric_leave(file->fabric);
	return ret;
}

unsigned int umadrig_file_poll(struct umadrig_file *file)
{
	unsigned int events;

	if (fabric_enter_quick(file->fabric) < 0)
		return 0;
	clock_settle(file->fabric->clock);
	events = kmod_file_poll(file->file);
	fabric_leave(file->fabric);
	return events;
}

void umadrig_file_close(struct umadrig_file *file)
{
	if (!file)
		return;
	if (fabric_enter(file->fabric) == 0) {
		kmod_file_close(file->file);
		fabric_leave(file->fabric);
	}
	g_free(file);
}

int umadrig_issm_open(struct umadrig_port *port)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	struct kmod_port *kmod;
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	kmod = end_port_kmod(inside(port));
	ret = kmod ? kmod_issm_open(kmod) : -ENXIO;
	fabric_leave(fabric);
	return ret;
}

void umadrig_issm_close(struct umadrig_port *port)
{
	if (fabric_enter(fabric_of(port)) < 0)
		return;
	if (inside(port)->issm_open)
		kmod_issm_close(inside(port)->kmod);
	fabric_leave(fabric_of(port));
}
