/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Names of hosts: see sim/topology/host-name.h. */
#include "config.h"

#include "sim/topology/host-name.h"

#include <glib.h>
#include <string.h>

size_t host_name_length(const char *description)
{
	static const char *const marks[] = { " HCA-", " mlx", " hfi" };

	for (size_t length = strlen(description); length > 0; length--) {
		const char *at = description + length;

		for (size_t i = 0; *at == ' ' && i < G_N_ELEMENTS(marks); i++) {
			if (g_str_has_prefix(at, marks[i]))
				return length;
		}
	}
	return 0;
}
