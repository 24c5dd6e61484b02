/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The path of issmN: see sim/host/issm-path.h.
 *
 * There is no device, but a pipe (sim/system/issm-pipe.h). In-process it has no name, and its path
 * is under /proc/self/fd; a server has a directory to put a named one into. Code that reads
 * CapabilityMask looks at the pipe first, so that no MAD comes between an open or close, or the
 * death of the process that had it open, and its effect. A second opener has to wait, or gets
 * EAGAIN, where open(2) is ours (lib/base/issm-pipe-open.h); any other is let in, and IsSM stays
 * until the last has closed it.
 */
#include "config.h"

#include "sim/host/issm-path.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/system/issm-pipe.h"

/* A path that was requested. */
struct issm {
	int fd;			/* our end of the pipe that it leads to */
	unsigned int number;	/* of issmN in fabric->issm_directory */
	bool is_open;		/* at the last look */
};

static bool has_opener(const struct end_port *end)
{
	return end->issm_open || (end->issm && end->issm->is_open);
}

void end_port_set_is_sm(struct end_port *end)
{
	const struct node *node = end->port->node;
	bool is_open = has_opener(end);

	/* IsSM is the port's, whichever of its planes an SM has. */
	if (node->planes) {
		for (unsigned int num = 1; num <= node->planes->hca->port_count; num++)
			is_open |= has_opener(&node->planes->hca->ends[num - 1]);
	}
	end = port_speaker(end->port);
	/* Before the bit changes: the fabric's own SA may have set it at this very port. */
	if (is_open)
		fabric_sa_give_way(end->subnet);
	end_port_set_capability(end, CAP_IS_SM, is_open || fabric_sa_is_on(end));
}

int issm_path(struct end_port *end, char *path, size_t size)
{
	const char *directory = end->port->node->fabric->issm_directory;
	int length;

	if (end->no_issm)
		return -ENOENT;
	if (!end->issm) {
		g_autofree char *name = NULL;
		int fd;

		if (directory)
			name = g_strdup_printf("%s/issm%u", directory,
					       end->port->node->fabric->issm_count);
		fd = issm_pipe_make(name);
		if (fd < 0)
			return fd;
		if (end->port->node->fabric->issm_watch)
			issm_watch_add(end->port->node->fabric->issm_watch, fd);
		end->issm = g_new(struct issm, 1);
		*end->issm = (struct issm){
			.fd = fd, .number = end->port->node->fabric->issm_count++,
		};
		fabric_watch_changed(end->port->node->fabric);
	}
	length = directory ? snprintf(path, size, "%s/issm%u", directory, end->issm->number) :
			     snprintf(path, size, "/proc/self/fd/%d", end->issm->fd);
	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

void issm_path_look_now(struct end_port *end)
{
	int is_open = issm_pipe_is_open(end->issm->fd);

	if (is_open < 0)
		return;
	end->issm->is_open = is_open;
	end_port_set_is_sm(end);
}

void issm_path_close(struct end_port *end)
{
	const char *directory = end->port->node->fabric->issm_directory;

	if (!end->issm)
		return;
	close(end->issm->fd);
	if (directory) {
		g_autofree char *path = g_strdup_printf("%s/issm%u", directory, end->issm->number);

		unlink(path);
	}
	g_clear_pointer(&end->issm, g_free);
}

static void for_each_path(struct umadrig_fabric *fabric, void (*call)(struct end_port *end))
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			if (node->ports[num].end)
				call(node->ports[num].end);
		}
	}
}

void issm_paths_close(struct umadrig_fabric *fabric)
{
	for_each_path(fabric, issm_path_close);
}

static void add_watched(struct end_port *end)
{
	if (end->issm)
		issm_watch_add(end->port->node->fabric->issm_watch, end->issm->fd);
}

void issm_paths_watch(struct umadrig_fabric *fabric, const struct issm_watch *watch)
{
	fabric->issm_watch = watch;
	if (watch && fabric->issm_count > 0)
		for_each_path(fabric, add_watched);
}
