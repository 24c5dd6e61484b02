/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * near-issm.c: see harness/bridge/near-issm.h.
 */
#include "config.h"

#include "harness/bridge/near-issm.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"
#include "sim/system/private-directory.h"

struct issm_at {
	uint32_t id;
	int fd;			/* the pipe's writing end */
	bool is_open;	/* the far end's number */
	char *path;
};

static void free_pipe(void *data)
{
	struct issm_at *at = data;

	close(at->fd);
	g_unlink(at->path);
	g_free(at->path);
	g_free(at);
}

void near_issm_init(struct near_issm *issm, const struct private_directory *directory)
{
	issm->directory = directory;
	issm->watch = (struct issm_watch){ -1, -1 };
	issm->pipes = g_ptr_array_new_with_free_func(free_pipe);
}

void near_issm_clear(struct near_issm *issm)
{
	g_ptr_array_unref(issm->pipes);
	issm_watch_close(&issm->watch);
}

static int watch(struct near_issm *issm)
{
	return issm->watch.fd >= 0 ? 0 : issm_watch_open(&issm->watch, issm->directory->path);
}

static int add_pipe(struct near_issm *issm, uint32_t id)
{
	g_autofree char *path = g_strdup_printf("%s/issm%u", issm->directory->path, id);
	struct issm_at *at;
	int ret = watch(issm);

	if (ret == 0)
		ret = issm_pipe_make(path);
	if (ret < 0)
		return ret;
	issm_watch_add(&issm->watch, ret);
	at = g_new0(struct issm_at, 1);
	at->id = id;
	at->fd = ret;
	at->path = g_steal_pointer(&path);
	g_ptr_array_add(issm->pipes, at);
	return 0;
}

static const char *find_path(const struct near_issm *issm, uint32_t id)
{
	for (guint i = 0; i < issm->pipes->len; i++) {
		const struct issm_at *at = g_ptr_array_index(issm->pipes, i);

		if (at->id == id)
			return at->path;
	}
	return NULL;
}

int near_issm_path(struct near_issm *issm, uint32_t id, const char **ret_path)
{
	int ret = find_path(issm, id) ? 0 : add_pipe(issm, id);

	if (ret == 0)
		*ret_path = find_path(issm, id);
	return ret;
}

void near_issm_look(struct near_issm *issm, struct bridge_stream *stream)
{
	if (issm->watch.fd >= 0)
		issm_watch_drain(&issm->watch);
	for (guint i = 0; i < issm->pipes->len; i++) {
		struct issm_at *at = g_ptr_array_index(issm->pipes, i);
		int is_open = issm_pipe_is_open(at->fd);
		uint8_t byte = is_open == 1;

		if (is_open < 0 || is_open == at->is_open)
			continue;
		at->is_open = is_open;
		bridge_stream_put(stream, BRIDGE_ISSM, at->id, &byte, 1, NULL, 0);
	}
}
