/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What clients of a server call: see sim/server/server-call.h.
 *
 * Nothing in a message is trusted: sizes are checked first, then texts, then the rest. A malformed
 * message is -EPROTO, and ends its client; a well-formed one that cannot be carried out gets a
 * reply with an errno.
 */
#include "config.h"

#include "sim/server/server-call.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/server/device-call.h"
#include "sim/server/errand-call.h"
#include "sim/server/event-call.h"
#include "sim/server/guest-call.h"
#include "sim/server/handle-call.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/log-call.h"
#include "sim/server/memfd.h"
#include "sim/server/server-console.h"
#include "sim/time/clock.h"

/* ---- hello ---- */

/* Is the umadrig exec that began the session still there, and has it printed the banner? */
static bool is_announced(const struct server_clients *clients, const char *session)
{
	const struct server_client *client = clients->first;

	if (!*session || strcmp(clients->announced_session, session) == 0)
		return *session;
	while (client && strcmp(client->watched_session, session) != 0)
		client = client->next;
	return client;
}

/* Refuses HELLO, with the reason. */
static int refuse(const struct request *request, struct server_reply *reply, int err,
		  const char *text)
{
	int ret = answer_bytes(request, reply, text, strlen(text));

	reply->result = err;
	return ret;
}

/* What to do where program and server are of different releases. */
static void say_versions(uint32_t version, char *text, size_t size)
{
	g_snprintf(text, size, "the program's libibumad is of %s version of umadrig than the "
		   "fabric server (protocol %u, not %u): %s",
		   version < ATTACH_VERSION ? "an older" : "a newer", version, ATTACH_VERSION,
		   version < ATTACH_VERSION ? "use the libibumad of the server's version" :
		   "start the server again");
}

static int call_hello(const struct request *request, struct server_reply *reply)
{
	struct umadrig_host *host;
	struct attach_hello hello;
	char text[ATTACH_BANNER_SIZE];
	int ret;

	memcpy(&hello, request->data, sizeof(hello));
	if (hello.magic != ATTACH_MAGIC || !is_terminated(hello.host, sizeof(hello.host)) ||
	    !is_terminated(hello.session, sizeof(hello.session)))
		return -EPROTO;
	if (hello.version != ATTACH_VERSION) {
		say_versions(hello.version, text, sizeof(text));
		return refuse(request, reply, -EPROTONOSUPPORT, text);
	}
	host = served_fabric_host(request->clients->served, hello.host, text, sizeof(text));
	if (!host)
		return refuse(request, reply, -ENOENT, text);
	request->client->host = host;
	memcpy(request->client->session, hello.session, sizeof(hello.session));
	ret = answer_bytes(request, reply, text, strlen(text));
	reply->result = is_announced(request->clients, hello.session) ? ATTACH_ANNOUNCED : 0;
	return ret;
}

static int call_watch(const struct request *request, struct server_reply *reply)
{
	struct server_client *client = request->client;
	bool was_used = client->session_was_used;

	if (request->size == 0 || request->size >= sizeof(client->watched_session))
		return -EPROTO;
	memset(client->watched_session, 0, sizeof(client->watched_session));
	memcpy(client->watched_session, request->data, request->size);
	return answer(reply, was_used);
}

static int call_console(const struct request *request, struct server_reply *reply)
{
	g_autofree char *line = g_strndup((const char *)request->data, request->size);

	server_console(request->clients, request->client, line, reply);
	return 0;
}

/* ---- virtual time ---- */

/*
 * Guests do much that no program sees: as many steps in one go, until a program can run. No more,
 * for what comes from outside has to be heard.
 */
static int64_t advance(struct served_fabric *served, int64_t deadline)
{
	enum { STEPS = 256 };
	int64_t now_ns;
	int steps = 0;

	do {
		now_ns = server_lockstep_advance(served->lockstep, served->fabric, deadline);
		if (!served->fabric->guests || now_ns < 0)
			return now_ns;
		served_fabric_settle(served);
	} while (now_ns < deadline && ++steps < STEPS &&
		 !server_lockstep_can_run(served->lockstep));
	return now_ns;
}

static int call_advance(const struct request *request, struct server_reply *reply)
{
	struct served_fabric *served = request->clients->served;
	int64_t deadline;

	memcpy(&deadline, request->data, sizeof(deadline));
	if (!served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (served->owner) {
		lockstep_owner_asked(served->owner, request->client, deadline);
		return 1;
	}
	return answer(reply, advance(served, deadline));
}

static int call_signal(const struct request *request, struct server_reply *reply)
{
	const struct server_lockstep *lockstep = request->clients->served->lockstep;
	struct attach_signal signal;

	memcpy(&signal, request->data, sizeof(signal));
	if (!lockstep)
		return answer(reply, -EOPNOTSUPP);
	return answer(reply, server_lockstep_signal(lockstep, (int)request->call.argument,
						    &signal));
}

/* ---- errands ---- */

static int call_errand(const struct request *request, struct server_reply *reply)
{
	return errand_call_next(request->clients, request->client, reply);
}

static int call_errand_end(const struct request *request, struct server_reply *reply)
{
	return errand_call_end(request->clients, request->client, request->data, request->size,
			       reply);
}

/* ---- programs in guests ---- */

static int call_guest_stream(const struct request *request, struct server_reply *reply)
{
	struct server_client *client = request->client;

	if (server_client_is_guest(client))
		return answer(reply, -EPERM);
	return guest_call_stream(&client->guest_call, client->host, request->call.argument,
				 request->fd, reply);
}

static int run_in_guest(const struct request *request, const uint8_t *bytes, size_t size,
			struct server_reply *reply)
{
	struct server_client *client = request->client;

	server_clients_note_use(request->clients, client->session);
	return guest_call_run(client->guest_call, client->host, request->clients->served->lockstep,
			      bytes, size, reply);
}

/* (One of another user has no descriptors there.) */
static int call_guest_run(const struct request *request, struct server_reply *reply)
{
	size_t size = request->call.argument;
	g_autofree uint8_t *copy = NULL;

	if (request->fd < 0)
		return run_in_guest(request, request->data, request->size, reply);
	if (request->size > 0)
		return -EPROTO;
	if (size > sizeof(struct attach_guest_run) + UMADRIG_GUEST_RUN_MAX)
		return answer(reply, -E2BIG);
	copy = memfd_read(request->fd, size);
	return copy ? run_in_guest(request, copy, size, reply) : -EPROTO;
}

static int call_guest_signal(const struct request *request, struct server_reply *reply)
{
	return guest_call_signal(request->client->guest_call, request->call.argument, reply);
}

/* ---- dispatch ---- */

/*
 * Does the call mean that its program uses the fabric? HELLO alone does not: umad_init() sends it.
 */
static bool looks_at_devices(uint32_t op)
{
	return op >= ATTACH_LIST_CAS && op <= ATTACH_OPEN;
}

/*
 * Those that only wait for time to pass move nothing, nor does an SM that comes and goes, nor the
 * attendant.
 */
static bool may_move_counters(uint32_t op)
{
	return op != ATTACH_ADVANCE && op != ATTACH_ISSM_LOOK && op < ATTACH_ERRAND;
}

struct call_row {
	call_fn *call;
	size_t size;		/* of what follows the call; ANY_SIZE: the function checks */
	bool is_first;		/* may come before HELLO */
	bool may_have_fd;
};

#define ANY_SIZE SIZE_MAX

static const struct call_row rows[] = {
	[ATTACH_HELLO] = { call_hello, sizeof(struct attach_hello), true, false },
	[ATTACH_LIST_CAS] = { call_list_cas, 0, false, false },
	[ATTACH_GET_CA] = { call_get_ca, sizeof(struct attach_port_name), false, false },
	[ATTACH_GET_PORT] = { call_get_port, sizeof(struct attach_port_name), false, false },
	[ATTACH_ISSM_PATH] = { call_issm_path, sizeof(struct attach_port_name), false, false },
	[ATTACH_OPEN] = { call_open, sizeof(struct attach_port_name), false, false },
	[ATTACH_REGISTER] = { call_register, sizeof(struct attach_reg), false, false },
	[ATTACH_UNREGISTER] = { call_unregister, 0, false, false },
	[ATTACH_SEND] = { call_send, ANY_SIZE, false, true },
	[ATTACH_PUT_BACK] = { call_put_back, ANY_SIZE, false, true },
	[ATTACH_WATCH] = { call_watch, ANY_SIZE, true, false },
	[ATTACH_RING] = { call_ring, 0, true, true },
	[ATTACH_PAGE] = { call_page, 0, true, false },
	[ATTACH_SYSFS] = { call_sysfs, 0, false, false },
	[ATTACH_CONSOLE] = { call_console, ANY_SIZE, true, false },
	[ATTACH_ADVANCE] = { call_advance, sizeof(int64_t), true, false },
	[ATTACH_SIGNAL] = { call_signal, sizeof(struct attach_signal), true, false },
	[ATTACH_SYSFS_CHANGES] = { call_sysfs_changes, sizeof(uint64_t), false, false },
	[ATTACH_ISSM_LOOK] = { call_issm_look, 0, false, false },
	[ATTACH_ERRAND] = { call_errand, 0, true, false },
	[ATTACH_ERRAND_END] = { call_errand_end, ANY_SIZE, true, false },
	[ATTACH_GUEST_STREAM] = { call_guest_stream, 0, false, true },
	[ATTACH_GUEST_RUN] = { call_guest_run, ANY_SIZE, false, true },
	[ATTACH_SYSFS_STORE] = { call_sysfs_store, ANY_SIZE, false, false },
	[ATTACH_KERNEL_LOG] = { call_kernel_log, sizeof(uint64_t), false, false },
	[ATTACH_UEVENT] = { call_uevent, ANY_SIZE, false, false },
	[ATTACH_GUEST_SIGNAL] = { call_guest_signal, 0, false, false },
};

int server_call(struct server_clients *clients, struct server_client *client,
		const uint8_t *message, size_t size, int fd, struct server_reply *ret_reply)
{
	struct request request = { .clients = clients, .client = client, .fd = fd };
	const struct call_row *row;

	*ret_reply = (struct server_reply){ .fd = -1 };
	if (size < sizeof(request.call))
		return -EPROTO;
	memcpy(&request.call, message, sizeof(request.call));
	request.data = message + sizeof(request.call);
	request.size = size - sizeof(request.call);
	if (request.call.op >= G_N_ELEMENTS(rows))
		return -EPROTO;
	row = &rows[request.call.op];
	if (client->awaits_changes)
		return -EPROTO;
	if (!row->call || (row->size != ANY_SIZE && row->size != request.size) ||
	    (fd >= 0 && !row->may_have_fd) || (!client->host && !row->is_first))
		return -EPROTO;
	clients->served->views.calls += may_move_counters(request.call.op);
	if (looks_at_devices(request.call.op))
		server_clients_note_use(clients, client->session);
	return row->call(&request, ret_reply);
}
