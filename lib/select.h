/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The CA and port of a call that leaves one or both to the library.
 *
 * The order is the same on every run: ports of link layer InfiniBand before the others; among these
 * Active before LinkUp before the rest; then by CA name (byte order) and port number. A port that
 * is physically Disabled is not chosen. On a switch port 0 is chosen. A CA name alone or a port
 * number alone restricts the choice; both together are taken literally.
 */
#ifndef UMADRIG_LIB_SELECT_H
#define UMADRIG_LIB_SELECT_H

#include <stdbool.h>

#include "lib/backend.h"

struct umad_choice {
	char ca_name[UMAD_BACKEND_NAME_SIZE];
	unsigned int portnum;
};

/*
 * Chooses a port. 'smi_only': one with a subnet management interface. 0; -EINVAL: no such number,
 * or the named port has no SMI; -ENODEV: nothing is suitable; -ENOMEM.
 */
int umad_choose_port(const struct umad_backend *backend, const char *ca_name, int portnum,
		     bool smi_only, struct umad_choice *ret);

/*
 * Chooses a CA: the one named, else that of the port that umad_choose_port() would choose, else
 * (all ports disabled) the first. 0, -ENODEV or -ENOMEM.
 */
int umad_choose_ca(const struct umad_backend *backend, const char *ca_name,
		   char ret_name[UMAD_BACKEND_NAME_SIZE]);

/* Is the link InfiniBand (or the kernel so old that nothing else existed)? */
bool umad_port_is_ib(const struct umad_backend_port *port);

/* Has the port an SMI? Bit 10 of the capability mask, IsSMDisabled, means that it has none. */
bool umad_port_has_smi(const struct umad_backend_port *port);

/* Numbers as in PortInfo. */
enum {
	UMAD_PORT_DOWN = 1,
	UMAD_PORT_ACTIVE = 4,
	UMAD_PORT_PHYS_DISABLED = 3,
	UMAD_PORT_PHYS_LINK_UP = 5,
	UMAD_NODE_SWITCH = 2,
};

#endif
