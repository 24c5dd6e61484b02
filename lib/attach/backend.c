/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * backend.c: a fabric in a server, which many processes share (lib/attach/protocol.h).
 *
 * A handle is a socket into which the server writes MADs as read(2) would return them
 * (lib/attach/receive.c). Sends go through the process's ring if possible (lib/attach/ring.c);
 * everything else is a call (lib/attach/call.c). Sends and receives do not allocate memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/attach/attach-device.h"
#include "lib/attach/attach-handle.h"
#include "lib/attach/attach-kernel.h"
#include "lib/attach/attach-spec.h"
#include "lib/attach/receive.h"
#include "lib/attach/ring.h"
#include "lib/backend-list.h"
#include "lib/base/wire.h"

static char banner_text[ATTACH_BANNER_SIZE];
static bool is_announced;	/* umadrig exec prints the banner for us */

/* ---- start ---- */

static int attach_start(const char *text, char *reterr, size_t reterr_size)
{
	struct attach_spec spec;
	int r = attach_spec_parse(text, &spec);

	if (r == 0)
		r = attach_call_setup(spec.path, spec.host, spec.session);
	if (r < 0) {
		snprintf(reterr, reterr_size, "%s: expected attach:SOCKET[,host=NODE]",
			 r == -EINVAL ? "a socket is missing" : strerror(-r));
		return r;
	}
	r = attach_call_connect(banner_text, sizeof(banner_text));
	if (r < 0)
		snprintf(reterr, reterr_size, "%s", banner_text);
	is_announced = r == ATTACH_ANNOUNCED;
	return r < 0 ? r : 0;
}

static const char *attach_banner(void)
{
	return is_announced ? NULL : banner_text;
}

/* ---- handles ---- */

static int attach_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	struct attach_port_name name;
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_OPEN, .argument = attach_call_program() },
		.data = &name,
		.size = sizeof(name),
		.fd = -1,
	};
	long r;

	if (attach_set_port_name(&name, ca_name, portnum, 0) < 0)
		return -EINVAL;
	attach_ring_check();
	r = attach_call(&exchange);
	if (r >= 0 && exchange.reply_fd < 0)
		r = -EMFILE;	/* the kernel had no descriptor for us */
	if (r < 0)
		return (int)r;
	attach_handle_changed();
	*ret_header_size = ATTACH_HEADER_SIZE;
	return exchange.reply_fd;
}

static int attach_close(int fd)
{
	uint64_t token;

	if (attach_handle_token(fd, &token) == 0)
		attach_ring_forget(token);
	attach_handle_changed();
	/* The server notices when the last copy is closed; see "Order" in lib/attach/protocol.h. */
	return close(fd) < 0 && errno == EBADF ? -EBADF : 0;
}

static int attach_register_agent(int fd, struct umad_backend_reg *reg)
{
	struct attach_reg packed = {
		.method_mask = { reg->method_mask[0], reg->method_mask[1] },
		.request = reg->request,
		.qpn = reg->qpn,
		.flags = reg->flags,
		.oui = reg->oui,
		.mgmt_class = reg->mgmt_class,
		.mgmt_class_version = reg->mgmt_class_version,
		.rmpp_version = reg->rmpp_version,
	};
	struct attach_exchange exchange = {
		.call.op = ATTACH_REGISTER,
		.data = &packed,
		.size = sizeof(packed),
		.fd = -1,
		.reply = &packed,
		.reply_room = sizeof(packed),
	};
	long r = attach_handle_token(fd, &exchange.call.handle);

	if (r < 0)
		return (int)r;
	if (reg->rmpp_version != 0)
		attach_receive_large();
	r = attach_call(&exchange);
	if (exchange.reply_size == sizeof(packed)) {
		reg->id = r == 0 ? packed.id : reg->id;
		reg->flags = r == -EINVAL ? packed.flags : reg->flags;
	}
	return (int)r;
}

static int attach_unregister_agent(int fd, uint32_t id)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_UNREGISTER, .argument = id },
		.fd = -1,
	};
	int r = attach_handle_token(fd, &exchange.call.handle);

	return r < 0 ? r : (int)attach_call(&exchange);
}

/* ---- send ---- */

/* Makes a memfd with the message in it. */
static int make_memfd(const uint8_t *bytes, size_t size, int *ret_fd)
{
	int fd = memfd_create("umad", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < size) {
		ssize_t n = write(fd, bytes + done, size - done);

		if (n < 0 && errno != EINTR) {
			int err = errno;

			close(fd);
			return -err;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
	*ret_fd = fd;
	return 0;
}

/* Sends through the handle of a token. */
static long send_through(uint64_t token, const void *umad, size_t size)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_SEND, .handle = token },
		.data = umad,
		.size = size,
		.fd = -1,
	};
	long r = attach_ring_send(token, umad, size);

	if (r > 0)
		return r;
	if (size <= ATTACH_INLINE_MAX)
		return attach_call(&exchange);
	if (size > UINT32_MAX)
		return -EINVAL;
	r = make_memfd(umad, size, &exchange.fd);
	if (r < 0)
		return -ENOMEM;
	exchange.size = 0;
	exchange.call.argument = (uint32_t)size;
	r = attach_call(&exchange);
	close(exchange.fd);
	return r;
}

static long attach_send(int fd, const void *umad, size_t size)
{
	uint64_t token = attach_handle_to_send(fd);
	long r = token ? send_through(token, umad, size) : -EBADF;

	/* Has the descriptor become another handle's without this library? */
	if (r == -EBADF) {
		r = attach_handle_token(fd, &token);
		if (r == 0) {
			r = send_through(token, umad, size);
			attach_handle_told(fd, token);
			attach_handle_to_send(fd);	/* used up by this send */
		}
	}
	return r;
}

const struct umad_backend umad_backend_attach = {
	.abi = UMAD_BACKEND_ABI,
	.name = "attach",
	.start = attach_start,
	.banner = attach_banner,
	.host_enter = attach_call_enter,
	.list_cas = attach_list_cas,
	.get_ca = attach_get_ca,
	.get_port = attach_get_port,
	.issm_path = attach_issm_path,
	.issm_changed = attach_issm_changed,
	.sysfs = attach_sysfs,
	.kernel_log = attach_kernel_log,
	.uevent = attach_uevent,
	.open = attach_open,
	.close = attach_close,
	.register_agent = attach_register_agent,
	.unregister_agent = attach_unregister_agent,
	.send = attach_send,
	.recv = attach_recv,
	.poll = attach_poll,
	.recv_wait = attach_recv_wait,
	.recv_soon = attach_recv_soon,
};
