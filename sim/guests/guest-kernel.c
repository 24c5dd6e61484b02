/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest as a kernel among others: its table of operations. See sim/guests/guest-kernel.h.
 */
#include "sim/guests/guest-kernel.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>

#include "kmod-stub/kmod.h"
#include "sim/fabric/host.h"
#include "sim/fabric/port.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/guest.h"

static struct guest_port *of_kmod(const struct kmod_port *port)
{
	return (struct guest_port *)(uintptr_t)port;
}

static struct kmod_host *host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				  void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	struct guest_host *host = g_new0(struct guest_host, 1);

	(void)profile;
	(void)first_hi_tid;
	*host = (struct guest_host){ kernel, guest_of_kernel(kernel), ops, ctx };
	return (struct kmod_host *)host;
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

static uint8_t hca_of(const struct umadrig_host *host, const struct node *node)
{
	unsigned int i = 0;

	while (host->nodes[i] != node)
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
	port->hca = hca_of(host->guest->host, port->end->port->node);
	host->guest->hca[port->hca].port[port->num ? port->num - 1 : 0] = port;
	guest_hca_add(host->guest, port->hca);
	return (struct kmod_port *)port;
}

static void port_remove(struct kmod_port *kmod)
{
	struct guest_port *port = of_kmod(kmod);
	struct guest *guest = port->host->guest;
	struct guest_hca *hca = &guest->hca[port->hca];
	const struct umadrig_hca_header header = { .type = UMADRIG_HCA_REMOVE, .hca = port->hca };

	hca->port[port->num ? port->num - 1 : 0] = NULL;
	if (hca->state == GUEST_HCA_COMES || hca->state == GUEST_HCA_THERE) {
		hca->state = GUEST_HCA_GOES;
		guest_send(guest, &header, NULL, 0);
	}
	g_free(port);
}

static void port_receive(struct kmod_port *port, struct packet *packet)
{
	guest_port_receive(of_kmod(port), packet);
}

static bool port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	(void)mad;
	/* Who has registered for what is known in there alone. */
	return guest_port_is_there(of_kmod(port));
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

/* The files are the guest's: a program out here has the wrong kernel. */
static int refuse(const struct guest_port *port)
{
	fprintf(stderr, "umadrig: %s has a kernel of its own (kernel=uml): its devices are in "
		"there, for the programs that are started on it\n", port->host->guest->host->name);
	return -ENXIO;
}

static int file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	(void)owner;
	(void)ret_file;
	return refuse(of_kmod(port));
}

static int issm_open(struct kmod_port *port)
{
	return refuse(of_kmod(port));
}

static void issm_close(struct kmod_port *kmod)
{
	const struct guest_port *port = of_kmod(kmod);

	port->host->ops->set_is_sm(port->host->ctx, port->end, false);
}

/* No file is ever open: nothing of a file, or of a message of one, is called. */
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
	.issm_open = issm_open,
	.issm_close = issm_close,
};
