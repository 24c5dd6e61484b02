/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* port.c: umad_get_port() and the paths of a port's devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/backend-list.h"
#include "lib/debug.h"
#include "lib/fail.h"
#include "lib/umad-port.h"
#include "lib/select.h"

void umad_copy_name(char *to, size_t size, const char *from)
{
	size_t length = strnlen(from, size - 1);

	memset(to, 0, size);
	memcpy(to, from, length);
}

void umad_fill_port(const char *ca_name, struct umad_backend_port *port, umad_port_t *ret)
{
	memset(ret, 0, sizeof(*ret));
	umad_copy_name(ret->ca_name, sizeof(ret->ca_name), ca_name);
	umad_copy_name(ret->link_layer, sizeof(ret->link_layer), port->attr.link_layer);
	ret->portnum = (int)port->attr.portnum;
	ret->base_lid = port->attr.lid;
	ret->lmc = port->attr.lmc;
	ret->sm_lid = port->attr.sm_lid;
	ret->sm_sl = port->attr.sm_sl;
	ret->state = port->attr.state;
	ret->phys_state = port->attr.phys_state;
	ret->rate = port_attr_rate(&port->attr);
	ret->capmask = htobe32(port->attr.cap_mask);
	ret->gid_prefix = htobe64(port->attr.gid_prefix);
	ret->port_guid = htobe64(port->attr.port_guid);
	ret->pkeys = port->pkeys;
	ret->pkeys_size = (unsigned int)port->pkey_count;
	port->pkeys = NULL;
	port->pkey_count = 0;
}

int umad_get_port(const char *ca_name, int portnum, umad_port_t *port)
{
	const struct umad_backend *backend = umad_backend_get();
	struct umad_backend_port from;
	struct umad_choice choice;
	int r;

	if (!port)
		return umad_fail(-EINVAL);
	if (!backend)
		return -errno;
	r = umad_choose_port(backend, ca_name, portnum, false, &choice);
	if (r < 0)
		return umad_fail(r);
	r = backend->get_port(choice.ca_name, choice.portnum,
			      UMAD_BACKEND_PORT_STATE | UMAD_BACKEND_PORT_PKEYS, &from);
	umad_trace("%s port %u: %d", choice.ca_name, choice.portnum, r);
	if (r < 0) {
		errno = -r;
		return r == -ENOMEM ? r : -EIO;
	}
	umad_fill_port(choice.ca_name, &from, port);
	return 0;
}

int umad_release_port(umad_port_t *port)
{
	if (!port)
		return umad_fail(-ENODEV);
	free(port->pkeys);
	port->pkeys = NULL;
	port->pkeys_size = 0;
	return 0;
}

int umad_get_issm_path(const char *ca_name, int portnum, char path[], int max)
{
	const struct umad_backend *backend = umad_backend_get();
	struct umad_choice choice;
	int r;

	if (!path || max <= 0)
		return umad_fail(-EINVAL);
	if (!backend)
		return -errno;
	r = umad_choose_port(backend, ca_name, portnum, false, &choice);
	if (r == 0) {
		/* -ENODEV and -EINVAL are documented; a truncated path would be another file's. */
		r = backend->issm_path(choice.ca_name, choice.portnum, path, (size_t)max);
		if (r < 0) {
			errno = -r;
			return -EINVAL;
		}
	}
	return umad_fail(r);
}
