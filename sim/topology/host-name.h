/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Names of hosts: what the descriptions of their HCAs begin with, as in "node7 mlx5_0". */
#ifndef UMADRIG_SIM_TOPOLOGY_HOST_NAME_H
#define UMADRIG_SIM_TOPOLOGY_HOST_NAME_H

#include <stddef.h>

/*
 * The length in bytes of the host's name in an HCA's NodeDescription: the part before the blank and
 * the device (" HCA-", as Linux's first drivers wrote it, " mlx", " hfi"). 0: there is no device in
 * it, and the HCA is a host by itself.
 */
size_t host_name_length(const char *description);

#endif
