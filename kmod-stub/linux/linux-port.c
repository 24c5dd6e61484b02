/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port: see linux-port.h.
 */
#include "kmod-stub/linux/linux-port.h"

#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-addresses.h"
#include "kmod-stub/linux/linux-drop.h"
#include "kmod-stub/linux/mad-door.h"

_Static_assert(offsetof(struct kmod_port, kernel) == 0, "a port begins with its kernel");

void linux_trace(const struct kmod_port *port, const char *format, ...)
{
	const struct kmod_host *host = port->host;
	va_list args;

	if (!host->ops->trace)
		return;
	va_start(args, format);
	host->ops->trace(host->ctx, port->name, format, args);
	va_end(args);
}

struct cdev *linux_port_cdev(const struct kmod_port *port, const char *begins)
{
	struct cdev *cdev;

	list_for_each_entry(cdev, &port->cdevs, entry)
		if (strncmp(dev_name(cdev->device), begins, strlen(begins)) == 0)
			return cdev;
	return NULL;
}

/* ---- what the driver does ---- */

static int process_mad(struct ib_device *device, int flags, u32 number, const struct ib_wc *wc,
		       const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index)
{
	const struct kmod_port *port = device->port;
	const struct kmod_host *host = port->host;
	struct kmod_source source = {
		.slid = (uint16_t)wc->slid,
		.src_qp = wc->src_qp,
		.sl = wc->sl,
		.path_bits = wc->dlid_path_bits,
		.pkey_index = wc->pkey_index,
		.has_grh = wc->wc_flags & IB_WC_GRH,
	};
	unsigned int result = host->ops->process_mad(host->ctx, port->wire, &source,
						     (const uint8_t *)in, (uint8_t *)out);

	(void)flags, (void)number, (void)grh, (void)out_size, (void)out_pkey_index;
	if (result & (KMOD_MAD_REPLY | KMOD_MAD_CONSUMED))
		linux_drop_used();
	else if (!(result & KMOD_MAD_SUCCESS))
		linux_drop_because("refused by the driver, no agent for it");
	return (int)result;
}

bool linux_has_qp(const struct ib_device *device, unsigned int qpn)
{
	const struct kmod_port_attr *attr = device->port->attr;

	return qpn == 0 ? attr->has_smi : !attr->no_gsi;
}

bool linux_is_switch(const struct ib_device *device)
{
	return device->port->attr->is_switch;
}

int ib_modify_port(struct ib_device *device, u32 number, int mask, struct ib_port_modify *modify)
{
	const struct kmod_port *port = device->port;
	const struct kmod_host *host = port->host;

	(void)number, (void)mask;
	if (!((modify->set_port_cap_mask | modify->clr_port_cap_mask) & LINUX_PORT_IS_SM))
		return 0;
	return host->ops->set_is_sm(host->ctx, port->wire,
				    modify->set_port_cap_mask & LINUX_PORT_IS_SM);
}

/* ---- come and go ---- */

static struct ib_device *device_new(struct kmod_port *port)
{
	const struct kmod_host *host = port->host;
	struct ib_device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->port = port;
	device->port_num = port->attr->is_switch ? 0 : port->attr->port_num;
	device->phys_port_cnt = port->attr->port_count;
	device_initialize(&device->dev);
	device->dev.parent = &port->hardware;
	dev_set_name(&device->dev, "%s", host->ops->device_name ?
		     host->ops->device_name(host->ctx, port->wire) : port->name);
	if (host->ops->process_mad)
		device->ops.process_mad = process_mad;
	return device;
}

/* The kernel has its parameters once for all hosts, and reads them when a device comes. */
static void add_device(struct ib_device *device, const struct kmod_ops *ops)
{
	const struct {
		int *parameter;
		unsigned int size;
	} queues[] = {
		{ mad_door_parameter("send_queue_size"), ops->send_queue_size },
		{ mad_door_parameter("recv_queue_size"), ops->recv_queue_size },
	};
	int before[2];

	for (size_t i = 0; i < 2; i++) {
		before[i] = *queues[i].parameter;
		if (queues[i].size > 0)
			*queues[i].parameter = (int)queues[i].size;
	}
	linux_clients_add(device);
	for (size_t i = 0; i < 2; i++)
		*queues[i].parameter = before[i];
}

struct kmod_port *linux_port_new(struct kmod_host *host, const struct kmod_port_attr *attr,
				 void *wire, const char *name)
{
	struct kmod_port *port = calloc(1, sizeof(*port));
	struct linux_entry entry;

	if (!port)
		return NULL;
	port->kernel = host->kernel;
	port->host = host;
	port->attr = attr;
	port->wire = wire;
	port->name = strdup(name);
	INIT_LIST_HEAD(&port->cdevs);
	INIT_LIST_HEAD(&port->files);
	port->device = port->name ? device_new(port) : NULL;
	if (!port->device) {
		free(port->name);
		free(port);
		return NULL;
	}
	entry = linux_enter(host);
	host->port_count++;
	host->adding = port;
	linux_processors_begin(host, NULL, NULL);
	add_device(port->device, host->ops);
	host->adding = NULL;
	linux_leave(entry);
	return port;
}

void linux_port_release(struct kmod_port *port)
{
	if (port->device || !list_empty(&port->files) || port->issm)
		return;
	port->host->port_count--;
	free(port->name);
	free(port);
}

void linux_port_remove(struct kmod_port *port)
{
	struct linux_entry entry = linux_enter(port->host);

	linux_trace(port, "port removed");
	linux_processors_begin(port->host, NULL, NULL);
	linux_clients_remove(port->device);
	linux_processors_drain();
	free(port->device);
	port->device = NULL;
	linux_port_release(port);
	linux_leave(entry);
}

bool linux_port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	struct linux_entry entry;
	bool takes;

	if (!port->device || mad_door_is_response(mad))
		return false;
	entry = linux_enter(port->host);
	takes = mad_door_agent(port->device, mad) >= 0;
	linux_leave(entry);
	return takes;
}

const char *linux_port_check(const struct kmod_port *port, size_t *work)
{
	++*work;
	if (!port->device && !list_empty(&port->cdevs))
		return "a kernel's port: removed, but it has a device that can be opened";
	if (port->issm && !port->issm_inode.i_cdev)
		return "a kernel's port: its issm is open, but not of any device";
	return NULL;
}

/* ---- issm ---- */

int linux_issm_open(struct kmod_port *port)
{
	struct linux_entry entry = linux_enter(port->host);
	struct cdev *cdev = linux_port_cdev(port, "issm");
	struct inode inode = { cdev };
	struct file file = { .f_flags = O_RDONLY | O_NONBLOCK };
	int err = cdev ? cdev->ops->open(&inode, &file) : -ENXIO;

	if (!err) {
		port->issm = get_device(cdev->device);
		port->issm_inode = inode;
		port->issm_file = file;
	}
	linux_leave(entry);
	return err;
}

void linux_issm_close(struct kmod_port *port)
{
	struct linux_entry entry = linux_enter(port->host);
	struct device *device = port->issm;

	port->issm_inode.i_cdev->ops->release(&port->issm_inode, &port->issm_file);
	port->issm = NULL;
	put_device(device);
	linux_port_release(port);
	linux_leave(entry);
}
