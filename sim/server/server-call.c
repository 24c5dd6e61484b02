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
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/fabric/host.h"
#include "sim/host/device.h"
#include "sim/host/issm-path.h"
#include "sim/server/errand-call.h"
#include "sim/server/guest-call.h"
#include "sim/server/large-send.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/server-console.h"
#include "sim/server/sysfs-view.h"
#include "sim/server/view-reader.h"
#include "sim/time/clock.h"

/* A message, taken apart. */
struct request {
	struct server_clients *clients;
	struct server_client *client;
	struct attach_call call;
	const uint8_t *data;
	size_t size;
	int fd;
};

static uint64_t most(const struct request *request, enum server_limit limit)
{
	return request->clients->accounts.limits.most[limit];
}

typedef int call_fn(const struct request *request, struct server_reply *reply);

static int answer(struct server_reply *reply, int64_t result)
{
	reply->result = result;
	return 0;
}

/* The reply's bytes are in the server's buffer, and overwrite the message there. */
static int answer_bytes(const struct request *request, struct server_reply *reply,
			const void *bytes, size_t size)
{
	if (size > ATTACH_REPLY_MAX - sizeof(struct attach_reply))
		return answer(reply, -EOVERFLOW);
	memmove(request->clients->buffer, bytes, size);
	reply->bytes = request->clients->buffer;
	reply->size = size;
	return answer(reply, 0);
}

static bool is_terminated(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

/* ---- hello ---- */

/* A program has looked at devices: does a client wait for that from its session? */
static void note_use(struct server_clients *clients, const char *session)
{
	if (!*session || strcmp(clients->disregarded_session, session) != 0)
		clients->was_used = true;
	if (g_hash_table_contains(clients->expected_sessions, session))
		g_hash_table_replace(clients->expected_sessions, g_strdup(session),
				     GINT_TO_POINTER(true));
	for (struct server_client *client = *session ? clients->first : NULL; client;
	     client = client->next) {
		if (strcmp(client->watched_session, session) == 0)
			client->session_was_used = true;
	}
}

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

/* ---- devices ---- */

static int call_list_cas(const struct request *request, struct server_reply *reply)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;
	int ret = device_list(request->client->host, &names, &count);

	if (ret < 0)
		return answer(reply, ret);
	ret = answer_bytes(request, reply, names ? (void *)names : "", count * sizeof(*names));
	free(names);
	return ret;
}

/* Takes the name apart: -EPROTO if its text is not terminated. */
static int port_name(const struct request *request, struct attach_port_name *ret_name)
{
	memcpy(ret_name, request->data, sizeof(*ret_name));
	return is_terminated(ret_name->ca_name, sizeof(ret_name->ca_name)) ? 0 : -EPROTO;
}

static int call_get_ca(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	struct umad_backend_ca ca;
	struct attach_ca packed = { .node_type = 0 };
	g_autoptr(GByteArray) bytes = NULL;
	struct node *node;
	int ret;

	if (port_name(request, &name) < 0)
		return -EPROTO;
	node = host_device(request->client->host, name.ca_name);
	ret = node ? device_describe(node, &ca) : -ENOENT;
	if (ret < 0)
		return answer(reply, ret);
	memcpy(packed.name, ca.name, sizeof(packed.name));
	memcpy(packed.fw_ver, ca.fw_ver, sizeof(packed.fw_ver));
	memcpy(packed.hw_rev, ca.hw_rev, sizeof(packed.hw_rev));
	memcpy(packed.hca_type, ca.hca_type, sizeof(packed.hca_type));
	packed.node_guid = ca.node_guid;
	packed.sys_image_guid = ca.sys_image_guid;
	packed.node_type = ca.node_type;
	packed.port_count = (uint32_t)ca.port_count;
	bytes = g_byte_array_new();
	g_byte_array_append(bytes, (const guint8 *)&packed, sizeof(packed));
	g_byte_array_append(bytes, (const guint8 *)ca.port_nums,
			    (guint)(ca.port_count * sizeof(*ca.port_nums)));
	free(ca.port_nums);
	return answer_bytes(request, reply, bytes->data, bytes->len);
}

static int call_get_port(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	struct umad_backend_port port;
	g_autoptr(GByteArray) bytes = NULL;
	struct end_port *end;
	int ret;

	if (port_name(request, &name) < 0)
		return -EPROTO;
	end = device_port(request->client->host, name.ca_name, name.portnum);
	ret = end ? device_describe_port(end, name.parts, &port) : -ENOENT;
	if (ret < 0)
		return answer(reply, ret);
	bytes = g_byte_array_new();
	g_byte_array_append(bytes, (const guint8 *)&port.attr, sizeof(port.attr));
	g_byte_array_append(bytes, (const guint8 *)port.pkeys,
			    (guint)(port.pkey_count * sizeof(*port.pkeys)));
	free(port.pkeys);
	return answer_bytes(request, reply, bytes->data, bytes->len);
}

static int call_issm_path(const struct request *request, struct server_reply *reply)
{
	struct attach_port_name name;
	char path[PATH_MAX];
	struct end_port *end;
	int ret;

	if (port_name(request, &name) < 0)
		return -EPROTO;
	end = device_port(request->client->host, name.ca_name, name.portnum);
	ret = end ? issm_path(end, path, sizeof(path)) : -EINVAL;
	if (ret < 0)
		return answer(reply, ret);
	/*
	 * For a program that does not see the path. It leads nowhere but to the pipe, and does not
	 * count as opened; without it (descriptors have run out) most programs do as well.
	 */
	reply->fd = open(path, O_PATH | O_CLOEXEC);
	return answer_bytes(request, reply, path, strlen(path));
}

static int call_issm_look(const struct request *request, struct server_reply *reply)
{
	struct sysfs_views *views = &request->clients->served->views;
	const struct sysfs_view *view = sysfs_views_find(views, request->client->host);

	sysfs_views_look_at_issm(views);
	sysfs_views_refresh(views);
	return answer(reply, view ? (int64_t)sysfs_view_last_change(view) : 0);
}

static int call_sysfs(const struct request *request, struct server_reply *reply)
{
	struct served_fabric *served = request->clients->served;
	bool is_unseen = request->call.argument == ATTACH_SYSFS_UNSEEN;
	const char *path;
	int ret;

	if (is_unseen && !served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (is_unseen && served->views.are_mounted)
		return answer(reply, -EEXIST);
	if (is_unseen)
		note_use(request->clients, request->client->session);
	/* One that has the path may end before its children do. */
	ret = sysfs_views_get(&served->views, request->client->host, is_unseen, &path);
	if (ret < 0)
		return answer(reply, ret);
	if (!is_unseen)
		reply->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return answer_bytes(request, reply, path, strlen(path));
}

static int call_sysfs_changes(const struct request *request, struct server_reply *reply)
{
	uint64_t since;

	memcpy(&since, request->data, sizeof(since));
	return view_reader_ask(request->clients, request->client, since, reply);
}

/* ---- handles ---- */

static int call_open(const struct request *request, struct server_reply *reply)
{
	struct server_accounts *accounts = &request->clients->accounts;
	struct server_account *account;
	struct attach_port_name name;
	struct end_port *end;

	if (port_name(request, &name) < 0)
		return -EPROTO;
	end = device_port(request->client->host, name.ca_name, name.portnum);
	if (!end)
		return answer(reply, -EINVAL);
	account = server_account_for(accounts, request->client->account, request->call.argument);
	if (!server_account_may_open(accounts, account))
		return answer(reply, -EMFILE);
	return answer(reply, server_file_open(&request->clients->served->files, end,
					      request->client->serial, account, &reply->fd));
}

static struct server_file *handle_of(const struct request *request)
{
	return server_file_find(&request->clients->served->files, request->call.handle);
}

static int call_register(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);
	struct umad_backend_reg reg;
	struct attach_reg packed;
	int64_t result;
	int ret;

	memcpy(&packed, request->data, sizeof(packed));
	if (packed.request < UMAD_BACKEND_REGISTER_AGENT ||
	    packed.request > UMAD_BACKEND_ENABLE_PKEY)
		return -EPROTO;
	if (!file)
		return answer(reply, -EBADF);
	reg = (struct umad_backend_reg) {
		.request = (enum umad_backend_request)packed.request,
		.qpn = packed.qpn,
		.mgmt_class = packed.mgmt_class,
		.mgmt_class_version = packed.mgmt_class_version,
		.rmpp_version = packed.rmpp_version,
		.flags = packed.flags,
		.oui = packed.oui,
		.method_mask = { packed.method_mask[0], packed.method_mask[1] },
	};
	result = device_file_register(file->handle.file, &reg);
	if (result == 0 && reg.request != UMAD_BACKEND_ENABLE_PKEY)
		server_page_set_agent(&file->page, reg.id, reg.rmpp_version ? ATTACH_AGENT_RMPP :
						    ATTACH_AGENT_PLAIN);
	packed.id = reg.id;
	packed.flags = reg.flags;
	ret = answer_bytes(request, reply, &packed, sizeof(packed));
	reply->result = result;
	return ret;
}

static int call_unregister(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);
	int ret;

	if (!file)
		return answer(reply, -EBADF);
	ret = device_file_unregister(file->handle.file, request->call.argument);
	if (ret == 0)
		server_page_set_agent(&file->page, request->call.argument, ATTACH_AGENT_NONE);
	return answer(reply, ret);
}

/*
 * Is it a memfd (or a file of tmpfs)? Only for such files is it certain that a read does not block.
 */
static bool is_memfd(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fcntl(fd, F_GET_SEALS) >= 0;
}

/* Is it an eventfd? Neither watching nor closing one blocks. Adding 0 to its count does nothing. */
static bool is_eventfd(int fd)
{
	uint64_t none = 0;
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == 0 &&
	       write(fd, &none, sizeof(none)) == sizeof(none);
}

/* Reads 'size' bytes of the memfd that came along; NULL: it has fewer. */
static uint8_t *read_memfd(int fd, size_t size)
{
	uint8_t *bytes;

	if (!is_memfd(fd))
		return NULL;
	bytes = g_try_malloc(size);
	if (bytes && pread(fd, bytes, size, 0) != (ssize_t)size)
		g_clear_pointer(&bytes, g_free);
	return bytes;
}

/* Programs hardly say why a send has failed. */
static void report_limit(const struct request *request, size_t size)
{
	if (request->clients->has_refused_message)
		return;
	request->clients->has_refused_message = true;
	fprintf(stderr, "umadrig: a program cannot send a message of %zu bytes: the limit of the "
		"fabric server is %" PRIu64 " (umadrig serve --limit=send=NUMBER)\n", size,
		most(request, SERVER_LIMIT_SEND));
}

/* A message in a memfd: copied, or mapped if that would take long. */
static int send_memfd(const struct request *request, struct server_file *file,
		      struct server_reply *reply)
{
	size_t size = request->call.argument;
	g_autofree uint8_t *copy = NULL;
	struct kmod_loan *loan = NULL;
	const uint8_t *bytes;

	if (request->size > 0)
		return -EPROTO;
	if (size > most(request, SERVER_LIMIT_SEND)) {
		report_limit(request, size);
		return answer(reply, -ENOMEM);
	}
	if (size > ATTACH_COPIED_MAX)
		loan = large_send_map(request->fd, size, &bytes);
	else
		bytes = copy = read_memfd(request->fd, size);
	if (!loan && !copy)
		return -EPROTO;
	if (file)
		return answer(reply, server_file_send(file, bytes, size, false, loan));
	if (loan)
		loan->release(loan);
	return answer(reply, -EBADF);
}

static int call_send(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);

	if (request->fd >= 0)
		return send_memfd(request, file, reply);
	if (!file)
		return answer(reply, -EBADF);
	return answer(reply, server_file_send(file, request->data, request->size, false, NULL));
}

static int call_put_back(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);
	g_autofree uint8_t *head = NULL;
	int fd;

	if (request->fd < 0) {
		if (request->size == 0 || request->size > ATTACH_HEAD_SIZE)
			return -EPROTO;
		if (!file)
			return answer(reply, -EBADF);
		if (file->waiting.count >= most(request, SERVER_LIMIT_RETURNED))
			return answer(reply, -ENOBUFS);
		server_file_put_back(file, request->data, request->size, -1);
		return answer(reply, 0);
	}
	if (request->size > 0 || request->call.argument <= ATTACH_HEAD_SIZE)
		return -EPROTO;
	head = read_memfd(request->fd, ATTACH_HEAD_SIZE);
	if (!head)
		return -EPROTO;
	if (!file)
		return answer(reply, -EBADF);
	if (file->waiting.count >= most(request, SERVER_LIMIT_RETURNED))
		return answer(reply, -ENOBUFS);
	fd = fcntl(request->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return answer(reply, -errno);
	server_file_put_back(file, head, ATTACH_HEAD_SIZE, fd);
	return answer(reply, 0);
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

	note_use(request->clients, client->session);
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
	copy = read_memfd(request->fd, size);
	return copy ? run_in_guest(request, copy, size, reply) : -EPROTO;
}

static int call_guest_signal(const struct request *request, struct server_reply *reply)
{
	return guest_call_signal(request->client->guest_call, request->call.argument, reply);
}

/* ---- shared memory ---- */

static int call_ring(const struct request *request, struct server_reply *reply)
{
	struct server_client *client = request->client;
	int bell, ret;

	if (request->fd < 0 || client->ring.shared || !is_eventfd(request->fd))
		return -EPROTO;
	if (request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (client->account->rings >= most(request, SERVER_LIMIT_RINGS))
		return answer(reply, -EMFILE);
	bell = fcntl(request->fd, F_DUPFD_CLOEXEC, 0);
	if (bell < 0)
		return answer(reply, -errno);
	ret = server_ring_open(request->clients->rings, &client->ring, client->serial, bell,
			       &reply->fd);
	client->account->rings += ret == 0;
	return answer(reply, ret);
}

static int call_page(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);

	if (request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (!file || !file->page.shared)
		return answer(reply, file ? -ENOMEM : -EBADF);
	reply->fd = fcntl(file->page.fd, F_DUPFD_CLOEXEC, 0);
	return answer(reply, reply->fd < 0 ? -errno : 0);
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
		note_use(clients, client->session);
	return row->call(&request, ret_reply);
}
