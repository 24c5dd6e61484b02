/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: the counters of edges, a file of the host's that a guest maps. Each is a byte,
 * which stays at 255. For the kernel, for the part of it that is a program of the host, and for
 * what reads the file.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_HCA_HCA_EDGES_H
#define UMADRIG_KMOD_STUB_LINUX_HCA_HCA_EDGES_H

#define UMADRIG_EDGE_BITS	17
#define UMADRIG_EDGES		(1 << UMADRIG_EDGE_BITS)	/* bytes of the file */

/* The file's name is in this variable of the environment of the kernel's process. */
#define UMADRIG_EDGES_VARIABLE	"UMADRIG_GUEST_EDGES"

/* NULL: nobody asks. */
extern unsigned char *umadrig_edges;

#endif
