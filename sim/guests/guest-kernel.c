/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest as a kernel among others: its table of operations. See sim/guests/guest-kernel.h.
 */
#include "sim/guests/guest-kernel.h"

#include <glib.h>
#include <poll.h>

#include "kmod-stub/kmod.h"
#include "sim/fabric/host.h"
#include "sim/fabric/port.h"
#include "sim/guests/guest-file.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/guest.h"

static struct guest_port *of_kmod(const struct kmod_port *port)
{
	return (struct guest_port *)(uintptr_t)port;
}

struct kmod_host *guest_host_new(const struct kmod_kernel *kernel, struct hca_driver *driver,
				 const struct kmod_ops *ops, void *ctx)
{
	struct guest_host *host = g_new0(struct guest_host, 1);

	*host = (struct guest_host){ kernel, driver, ops, ctx };
	return (struct kmod_host *)host;
}

static struct kmod_host *host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				  void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	(void)profile;
	(void)first_hi_tid;
	return guest_host_new(kernel, &guest_of_kernel(kernel)->driver, ops, ctx);
}

static void host_free(struct kmod_host *host)
{
	g_free(host);
}

static void host_trim(struct kmod_host *host)
{
	(void)host;
}

static void host_vary(struct kmod_host *host, const struct kmod_variant *variant)
{
	(void)host;
	(void)variant;
}

static const char *check_host(const struct kmod_host *host, size_t *work)
{
	(void)host;
	(*work)++;
	return NULL;
}

static uint8_t hca_of(const struct hca_driver *driver, const struct node *node)
{
	unsigned int i = 0;

	while (driver->hca[i].node != node)
		i++;
	return (uint8_t)i;
}

static struct kmod_port *port_new(struct kmod_host *kmod, const struct kmod_port_attr *attr,
				  void *wire, const char *name)
{
	struct guest_host *host = (struct guest_host *)kmod;
	struct guest_port *port = g_new0(struct guest_port, 1);

	(void)name;
	port->kernel = host->kernel;
	port->host = host;
	port->attr = attr;
	port->end = wire;
	port->num = port->end->port->num;
	port->end->takes_datagrams = true;
	port->hca = hca_of(host->driver, port->end->port->node);
	host->driver->hca[port->hca].port[port->num ? port->num - 1 : 0] = port;
	hca_driver_add(host->driver, port->hca);
	return (struct kmod_port *)port;
}

static void port_remove(struct kmod_port *kmod)
{
	struct guest_port *port = of_kmod(kmod);
	struct hca_driver *driver = port->host->driver;
	struct hca_slot *hca = &driver->hca[port->hca];

	hca->port[port->num ? port->num - 1 : 0] = NULL;
	if (hca->state == HCA_COMES || hca->state == HCA_THERE)
		hca_driver_remove(driver, port->hca);
	port->is_removed = true;
	if (port->files > 0)
		guest_files_removed(port);
	guest_port_release(port);
}

static void port_receive(struct kmod_port *port, struct packet *packet)
{
	guest_port_receive(of_kmod(port), packet);
}

static bool port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	/*
	 * Who has registered for what is known in there alone. It is asked for what the fabric's
	 * own SA would take, which an SM ends by IsSM, wherever it is; nobody else answers for one.
	 */
	(void)port;
	(void)mad;
	return false;
}

static unsigned int port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class)
{
	(void)port;
	(void)tid;
	(void)mgmt_class;
	return 0;
}

static const char *check_port(const struct kmod_port *port, size_t *work)
{
	(void)port;
	(*work)++;
	return NULL;
}

/* ---- files ---- */

static struct guest_file *file_of_kmod(const struct kmod_file *file)
{
	return (struct guest_file *)(uintptr_t)file;
}

static int file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	struct guest_file *file;
	int ret = guest_file_open(of_kmod(port), UMADRIG_GUEST_FILE_UMAD, owner, &file);

	if (ret == 0)
		*ret_file = (struct kmod_file *)file;
	return ret;
}

static void file_close(struct kmod_file *file)
{
	guest_file_close(file_of_kmod(file));
}

/* The guest's memory is its own. */
static void file_set_usage(struct kmod_file *file, struct kmod_usage *usage)
{
	(void)file;
	(void)usage;
}

static int file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	return guest_file_ioctl(file_of_kmod(file), request, arg);
}

static long file_write(struct kmod_file *file, const void *buf, size_t count)
{
	return guest_file_write(file_of_kmod(file), buf, count);
}

static long file_write_lent(struct kmod_file *file, const void *buf, size_t count,
			    struct kmod_loan *loan)
{
	long ret = guest_file_write(file_of_kmod(file), buf, count);

	if (loan)
		loan->release(loan);
	return ret;
}

static long file_read(struct kmod_file *file, void *buf, size_t count)
{
	return guest_file_read(file_of_kmod(file), buf, count);
}

static unsigned int file_poll(const struct kmod_file *file)
{
	return guest_file_poll(file_of_kmod(file));
}

static bool file_readable(const struct kmod_file *file)
{
	return guest_file_poll(file_of_kmod(file)) & (POLLIN | POLLERR);
}

static struct kmod_message *file_take(struct kmod_file *file)
{
	return guest_file_take(file_of_kmod(file));
}

static int issm_open(struct kmod_port *kmod)
{
	struct guest_port *port = of_kmod(kmod);
	struct guest_file *file;
	int ret = guest_file_open(port, UMADRIG_GUEST_FILE_ISSM, NULL, &file);

	if (ret == 0)
		port->issm = file;
	return ret;
}

static void issm_close(struct kmod_port *kmod)
{
	struct guest_port *port = of_kmod(kmod);

	g_clear_pointer(&port->issm, guest_file_close);
}

const struct kmod_kernel guest_kernel = {
	.name = "uml",
	.host_new = host_new,
	.host_free = host_free,
	.host_trim = host_trim,
	.host_vary = host_vary,
	.host_check = check_host,
	.port_new = port_new,
	.port_remove = port_remove,
	.port_receive = port_receive,
	.port_takes = port_takes,
	.port_expire = port_expire,
	.port_check = check_port,
	.file_open = file_open,
	.file_close = file_close,
	.file_set_usage = file_set_usage,
	.file_ioctl = file_ioctl,
	.file_write = file_write,
	.file_write_lent = file_write_lent,
	.file_read = file_read,
	.file_poll = file_poll,
	.file_readable = file_readable,
	.file_take = file_take,
	.message_read = guest_message_read,
	.message_free = guest_message_free,
	.issm_open = issm_open,
	.issm_close = issm_close,
};
