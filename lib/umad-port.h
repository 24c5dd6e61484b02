/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Ports and CAs in the form of the public structs. */
#ifndef UMADRIG_LIB_UMAD_PORT_H
#define UMADRIG_LIB_UMAD_PORT_H

#include <infiniband/umad.h>

#include "lib/backend.h"

/* Copies a string into a fixed array, truncated if it is too long, and always terminated. */
void umad_copy_name(char *to, size_t size, const char *from);

/* Fills 'ret' in; the P_Keys change hands from 'port' to it. */
void umad_fill_port(const char *ca_name, struct umad_backend_port *port, umad_port_t *ret);

#endif
