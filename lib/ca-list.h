/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The CAs of a backend, in the order of libibumad. */
#ifndef UMADRIG_LIB_CA_LIST_H
#define UMADRIG_LIB_CA_LIST_H

#include "lib/backend.h"

/*
 * Names of all CAs, sorted; otherwise as list_cas, but without the subsystem there are just none.
 */
int umad_list_cas(const struct umad_backend *backend, char (**ret_names)[UMAD_BACKEND_NAME_SIZE],
		  size_t *ret_count);

#endif
