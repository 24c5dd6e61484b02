/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * backend-release.c: frees what backends fill in (lib/backend.h), for every backend.
 */
#include <stdlib.h>

#include "lib/backend.h"

void umad_backend_ca_release(struct umad_backend_ca *ca)
{
	free(ca->port_nums);
	ca->port_nums = NULL;
	ca->port_count = 0;
}

void umad_backend_port_release(struct umad_backend_port *port)
{
	free(port->pkeys);
	port->pkeys = NULL;
	port->pkey_count = 0;
}
