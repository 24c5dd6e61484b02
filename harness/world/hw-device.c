/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Real devices that come and go: only those of soft RoCE can be removed and added at will.
 */
#include "config.h"

#include "harness/world/hw-world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

int hw_read_gid(const char *ca, int port, uint8_t ret_gid[16])
{
	g_autofree char *path =
		g_strdup_printf("/sys/class/infiniband/%s/ports/%d/gids/0", ca, port);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return -ENOENT;
	return inet_pton(AF_INET6, g_strstrip(text), ret_gid) == 1 ? 0 : -EINVAL;
}

/* rdma(8): link ... */
static int rdma_link(const char *const words[])
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct spawn spawn = { .input = SPAWN_NULL };
	struct spawn_failure failure;
	pid_t pid;

	g_ptr_array_add(argv, (char *)"rdma");
	g_ptr_array_add(argv, (char *)"link");
	for (size_t i = 0; words[i]; i++)
		g_ptr_array_add(argv, (char *)words[i]);
	g_ptr_array_add(argv, NULL);
	spawn.argv = (char **)argv->pdata;
	pid = spawn_program(&spawn, &failure);
	if (pid < 0)
		return -ENOENT;
	return reap(pid) == 0 ? 0 : -EIO;
}

/* Only soft RoCE devices can be removed and added at will. */
int hw_port_remove(struct world *world, enum world_end end)
{
	g_autofree char *path = g_build_filename("/sys/class/infiniband", world->ca[end], "parent",
						 NULL);
	char *interface;
	int status;

	if (!g_file_get_contents(path, &interface, NULL, NULL))
		return -EOPNOTSUPP;
	status = rdma_link((const char *const[]){ "delete", world->ca[end], NULL });
	if (status < 0)
		g_free(interface);
	else
		hw_of(world)->removed[end] = g_strstrip(interface);
	return status;
}

static bool port_is_back(const char *ca, int port)
{
	static const uint8_t none[16];
	uint8_t gid[16];
	umad_port_t attr;

	if (hw_read_gid(ca, port, gid) < 0 || memcmp(gid, none, sizeof(none)) == 0 ||
	    umad_get_port(ca, port, &attr) < 0)
		return false;
	umad_release_port(&attr);
	return true;
}

void hw_port_restore(struct world *world, enum world_end end)
{
	char *interface = g_steal_pointer(&hw_of(world)->removed[end]);
	int tries = 100;

	if (!interface)
		return;
	rdma_link((const char *const[]){ "add", world->ca[end], "type", "rxe", "netdev", interface,
					 NULL });
	while (!port_is_back(world->ca[end], world->port[end]) && --tries > 0)
		g_usleep(20000);
	g_free(interface);
}
