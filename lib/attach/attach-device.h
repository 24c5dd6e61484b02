/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Devices and ports of a fabric server: struct umad_backend's functions of these names, and what
 * they share with opening a port.
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_DEVICE_H
#define UMADRIG_LIB_ATTACH_ATTACH_DEVICE_H

#include "lib/attach/protocol.h"

/* Fills in 'name' for a call. 0, or -ENAMETOOLONG: no device can have this name. */
int attach_set_port_name(struct attach_port_name *name, const char *ca_name, unsigned int portnum,
			 unsigned int parts);

int attach_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count);
int attach_get_ca(const char *ca_name, struct umad_backend_ca *ret);
int attach_get_port(const char *ca_name, unsigned int portnum, unsigned int parts,
		    struct umad_backend_port *ret);
int attach_issm_path(const char *ca_name, unsigned int portnum, char *path, size_t size);
void attach_issm_changed(void);
int attach_sysfs(char *path, size_t size);

#endif
