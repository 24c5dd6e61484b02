/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A made-up /sys/class/infiniband, /sys/class/infiniband_mad and /dev/infiniband in a temporary
 * directory, which the ib_umad backend of this process then uses.
 */
#ifndef UMADRIG_TESTS_RIG_UMAD_TREE_H
#define UMADRIG_TESTS_RIG_UMAD_TREE_H

#include <stdint.h>

/* Makes the directories, with ABI version 5 and no device, and points the backend there. */
void umad_tree_begin(void);

/* Removes them all. */
void umad_tree_end(void);

/* Writes a file below the root, and makes the directories that it needs. */
void umad_tree_put(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes a file below the root, or a directory with all that is in it. */
void umad_tree_remove(const char *path);

/* The whole path of something below the root; valid until the next call. */
const char *umad_tree_path(const char *path);

/*
 * Adds a CA, its ports and their umad devices from a terse line, and more separated by blanks:
 *
 *	NAME[=NODE-TYPE]/PORT:STATE,PHYS,LINK-LAYER[,CAPMASK]	"mlx5_0/1:4,5,IB" "sw=2/0:4,5,IB"
 *
 * LINK-LAYER is IB (InfiniBand), Eth (Ethernet), or none (no such file). A port has GUID
 * 0x<n>0<port> where n is the CA's place, LID n*16+port, P_Keys 0xffff and 0x8001, and a umad
 * device (a FIFO) with the next number. Returns the number of ports added.
 */
unsigned int umad_tree_add(const char *ports);

#endif
