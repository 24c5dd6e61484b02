/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls about handles: see sim/server/handle-call.h.
 */
#include "config.h"

#include "sim/server/handle-call.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/host/device.h"
#include "sim/server/large-send.h"
#include "sim/server/memfd.h"

int call_open(const struct request *request, struct server_reply *reply)
{
	struct server_accounts *accounts = &request->clients->accounts;
	struct server_account *account;
	struct attach_port_name name;
	struct end_port *end;

	if (request_port_name(request, &name) < 0)
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

int call_register(const struct request *request, struct server_reply *reply)
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

int call_unregister(const struct request *request, struct server_reply *reply)
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

/* Is it an eventfd? Neither watching nor closing one blocks. Adding 0 to its count does nothing. */
static bool is_eventfd(int fd)
{
	uint64_t none = 0;
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == 0 &&
	       write(fd, &none, sizeof(none)) == sizeof(none);
}

/* Programs hardly say why a send has failed. */
static void report_limit(const struct request *request, size_t size)
{
	if (request->clients->has_refused_message)
		return;
	request->clients->has_refused_message = true;
	fprintf(stderr, "umadrig: a program cannot send a message of %zu bytes: the limit of the "
		"fabric server is %" PRIu64 " (umadrig serve --limit=send=NUMBER)\n", size,
		request_most(request, SERVER_LIMIT_SEND));
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
	if (size > request_most(request, SERVER_LIMIT_SEND)) {
		report_limit(request, size);
		return answer(reply, -ENOMEM);
	}
	if (size > ATTACH_COPIED_MAX)
		loan = large_send_map(request->fd, size, &bytes);
	else
		bytes = copy = memfd_read(request->fd, size);
	if (!loan && !copy)
		return -EPROTO;
	if (file)
		return answer(reply, server_file_send(file, bytes, size, false, loan));
	if (loan)
		loan->release(loan);
	return answer(reply, -EBADF);
}

int call_send(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);

	if (request->fd >= 0)
		return send_memfd(request, file, reply);
	if (!file)
		return answer(reply, -EBADF);
	return answer(reply, server_file_send(file, request->data, request->size, false, NULL));
}

int call_put_back(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);
	g_autofree uint8_t *head = NULL;
	int fd;

	if (request->fd < 0) {
		if (request->size == 0 || request->size > ATTACH_HEAD_SIZE)
			return -EPROTO;
		if (!file)
			return answer(reply, -EBADF);
		if (file->waiting.count >= request_most(request, SERVER_LIMIT_RETURNED))
			return answer(reply, -ENOBUFS);
		server_file_put_back(file, request->data, request->size, -1);
		return answer(reply, 0);
	}
	if (request->size > 0 || request->call.argument <= ATTACH_HEAD_SIZE)
		return -EPROTO;
	head = memfd_read(request->fd, ATTACH_HEAD_SIZE);
	if (!head)
		return -EPROTO;
	if (!file)
		return answer(reply, -EBADF);
	if (file->waiting.count >= request_most(request, SERVER_LIMIT_RETURNED))
		return answer(reply, -ENOBUFS);
	fd = fcntl(request->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return answer(reply, -errno);
	server_file_put_back(file, head, ATTACH_HEAD_SIZE, fd);
	return answer(reply, 0);
}

int call_ring(const struct request *request, struct server_reply *reply)
{
	struct server_client *client = request->client;
	int bell, ret;

	if (request->fd < 0 || client->ring.shared || !is_eventfd(request->fd))
		return -EPROTO;
	/*
	 * Without latency the answer is there when the send returns: whether another thread has it
	 * before the next send is an order of threads, which explore has to find.
	 */
	if (request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (client->account->rings >= request_most(request, SERVER_LIMIT_RINGS))
		return answer(reply, -EMFILE);
	bell = fcntl(request->fd, F_DUPFD_CLOEXEC, 0);
	if (bell < 0)
		return answer(reply, -errno);
	ret = server_ring_open(request->clients->rings, &client->ring, client->serial, bell,
			       &reply->fd);
	client->account->rings += ret == 0;
	return answer(reply, ret);
}

int call_page(const struct request *request, struct server_reply *reply)
{
	struct server_file *file = handle_of(request);

	if (request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (!file || !file->page.shared)
		return answer(reply, file ? -ENOMEM : -EBADF);
	reply->fd = fcntl(file->page.fd, F_DUPFD_CLOEXEC, 0);
	return answer(reply, reply->fd < 0 ? -errno : 0);
}
