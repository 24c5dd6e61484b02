/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server of a fabric of this process: see sim/api/serve.h. The server runs in a thread of its
 * own; the fabric's lock is what it shares with the other threads.
 */
#include "sim/api/serve.h"

#include <errno.h>
#include <glib.h>
#include <pthread.h>

#include "sim/api/umadrig.h"
#include "sim/fabric/entry.h"
#include "sim/server/server.h"
#include "sim/time/quiet-thread.h"

struct fabric_server {
	struct server *server;
	pthread_t thread;
};

static void *run(void *data)
{
	server_run(((struct fabric_server *)data)->server);
	return NULL;
}

static int refuse(char *reterr, size_t reterr_size, int err, const char *why)
{
	g_strlcpy(reterr, why, reterr_size);
	return err;
}

/* Can the fabric be served? 0, or -errno with a message. */
static int check(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return refuse(reterr, reterr_size, ret, "the fabric is this process's parent's");
	if (clock_is_virtual(fabric->clock))
		ret = refuse(reterr, reterr_size, -EOPNOTSUPP, "clock=virtual: programs that "
			     "come and go live in real time; leave it out, or start them with "
			     "umadrig_program_start()");
	else if (fabric->server)
		ret = refuse(reterr, reterr_size, -EALREADY, "the fabric is served already");
	else if (fabric->issm_count)
		ret = refuse(reterr, reterr_size, -EBUSY, "an issm path was given to this process, "
			     "which others could not open; serve the fabric before");
	fabric_leave(fabric);
	return ret;
}

int umadrig_serve(struct umadrig_fabric *fabric, const char *socket_path, char *reterr,
		  size_t reterr_size)
{
	int ret = check(fabric, reterr, reterr_size);
	struct fabric_server *own;

	if (ret < 0)
		return ret;
	own = g_new0(struct fabric_server, 1);
	own->server = server_new_on(fabric, socket_path, reterr, reterr_size);
	ret = own->server ? quiet_thread_start(&own->thread, NULL, run, own) : -EADDRNOTAVAIL;
	if (ret == 0) {
		fabric->server = own;
		return 0;
	}
	if (own->server)
		refuse(reterr, reterr_size, ret, g_strerror(-ret));
	server_free(own->server);
	g_free(own);
	return ret;
}

const char *umadrig_socket(struct umadrig_fabric *fabric)
{
	return fabric->server && !fabric_is_forked(fabric) ?
	       server_socket(fabric->server->server) : NULL;
}

void serve_end(struct umadrig_fabric *fabric)
{
	struct fabric_server *own = fabric->server;

	/* In a forked child there is no thread, and the sockets are the parent's. */
	if (!own || fabric_is_forked(fabric))
		return;
	server_stop(own->server);
	pthread_join(own->thread, NULL);
	server_free(own->server);
	fabric->server = NULL;
	g_free(own);
}
