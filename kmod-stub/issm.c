/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The issm device: while it is open the port announces an SM (linux-mad A.9).
 */
#include <assert.h>
#include <errno.h>

#include "kmod-stub/kmod-port.h"
#include "kmod-stub/trace.h"

#include "kmod-stub/stub.h"

int stub_issm_open(struct kmod_port *port)
{
	const struct kmod_host *host = port->host;
	int err;

	if (port->removed)
		return -ENXIO;
	if (port->issm_open)
		return -EAGAIN;
	err = host->ops->set_is_sm(host->ctx, port->wire, true);
	if (err)
		return err;
	port->issm_open = true;
	TRACE(port, "issm opened");
	return 0;
}

void stub_issm_close(struct kmod_port *port)
{
	const struct kmod_host *host = port->host;

	assert(port->issm_open);
	port->issm_open = false;
	TRACE(port, "issm closed");
	if (!port->removed)
		host->ops->set_is_sm(host->ctx, port->wire, false);
	port_release(port);
}
