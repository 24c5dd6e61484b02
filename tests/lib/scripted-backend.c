/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/lib/scripted-backend.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct script script;

static int scripted_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	(void)portnum;
	if (strcmp(ca_name, "H1") != 0)
		return -EINVAL;
	*ret_header_size = script.header_size;
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static int scripted_close(int fd)
{
	script.calls++;
	return script.close_result < 0 ? script.close_result : close(fd);
}

static int scripted_register(int fd, struct umad_backend_reg *reg)
{
	bool is_second = reg->request == UMAD_BACKEND_REGISTER_AGENT2;

	(void)fd;
	script.calls++;
	script.reg = *reg;
	script.register_requests[reg->request]++;
	if (is_second && !script.has_register2)
		return -ENOTTY;
	if (is_second && (reg->flags & ~script.supported_flags)) {
		reg->flags = script.supported_flags;
		return -EINVAL;
	}
	if (script.register_result < 0)
		return script.register_result;
	reg->id = (uint32_t)script.register_result;
	return 0;
}

static int scripted_unregister(int fd, uint32_t id)
{
	(void)fd;
	(void)id;
	script.calls++;
	script.unregisters++;
	return script.unregister_result;
}

static long scripted_send(int fd, const void *umad, size_t size)
{
	(void)fd;
	script.calls++;
	script.size = size;
	memcpy(script.message, umad, MIN(size, sizeof(script.message)));
	return script.send_result == 0 ? (long)size : script.send_result;
}

static long scripted_recv(int fd, void *umad, size_t size)
{
	(void)fd;
	script.calls++;
	script.size = size;
	if (script.recv_result > 0)
		memcpy(umad, script.message, MIN(size, (size_t)script.recv_result));
	else if (script.recv_result == -ENOSPC)
		memcpy(umad, script.message, HEADER_SIZE + MAD_SIZE);
	return script.recv_result;
}

static int scripted_poll(int fd, int timeout_ms)
{
	(void)fd;
	script.calls++;
	script.timeout_ms = timeout_ms;
	if (script.polls < G_N_ELEMENTS(script.poll_results))
		return script.poll_results[script.polls++];
	return 0;
}

long scripted_recv_wait(int fd, void *umad, size_t size, int timeout_ms)
{
	int r = scripted_poll(fd, timeout_ms);

	return r > 0 ? scripted_recv(fd, umad, size) : r == 0 ? -ETIMEDOUT : r;
}

const struct umad_backend scripted = {
	.abi = UMAD_BACKEND_ABI,
	.name = "scripted",
	.open = scripted_open,
	.close = scripted_close,
	.register_agent = scripted_register,
	.unregister_agent = scripted_unregister,
	.send = scripted_send,
	.recv = scripted_recv,
	.poll = scripted_poll,
};

int script_begin(void)
{
	int fd;

	memset(&script, 0, sizeof(script));
	script.header_size = HEADER_SIZE;
	script.has_register2 = true;
	script.supported_flags = UMAD_USER_RMPP;
	umad_backend_set(&scripted);
	fd = umad_open_port("H1", 1);
	g_assert_cmpint(fd, >=, 0);
	return fd;
}

void script_end(int fd)
{
	script.close_result = 0;
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	umad_backend_set(NULL);
}
