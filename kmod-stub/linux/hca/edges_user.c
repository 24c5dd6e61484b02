/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: the file of counters of hca-edges.c. This file is a part of the program that the
 * kernel is to its host, and is compiled with the host's headers.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <init.h>

#include "hca-edges.h"

unsigned char *umadrig_edges;

/* Before the kernel begins. Without the file there is nothing to be counted. */
static int map_edges(void)
{
	const char *path = getenv(UMADRIG_EDGES_VARIABLE);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *map;

	if (fd < 0)
		return 0;
	map = mmap(NULL, UMADRIG_EDGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map != MAP_FAILED)
		umadrig_edges = map;
	return 0;
}

__uml_postsetup(map_edges);
