/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * user_mad.c, and a door into it: see user-mad-door.h. Compiled with the headers of the kernel's
 * tree.
 *
 * The handlers that user_mad.c registers for its agents are called by way of two here, which tell
 * linux-umad.h what a file gets and what of its sends is over.
 */
#include <rdma/ib_mad.h>

#include "kmod-stub/linux/linux-umad.h"
#include "kmod-stub/linux/user-mad-door.h"
#include "lib/base/wire.h"

static void door_send(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc);
static void door_recv(struct ib_mad_agent *agent, struct ib_mad_send_buf *send,
		      struct ib_mad_recv_wc *wc);
static ib_mad_send_handler user_send;
static ib_mad_recv_handler user_recv;

#define ib_register_mad_agent(device, port, type, request, version, send, recv, context, flags) \
	(user_send = (send), user_recv = (recv), \
	 ib_register_mad_agent(device, port, type, request, version, door_send, door_recv, \
			       context, flags))
#include <user_mad.c>
#undef ib_register_mad_agent

static struct kmod_file *file_of(const struct ib_mad_agent *agent)
{
	return ((const struct ib_umad_file *)agent->context)->recv_wait.file;
}

static void door_send(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	const struct ib_mad_hdr *hdr = wc->send_buf->mad;
	size_t size = (size_t)wc->send_buf->hdr_len + (size_t)wc->send_buf->data_len;
	struct kmod_file *file = file_of(agent);
	u64 tid = be64_to_cpu(hdr->tid);
	u8 mgmt_class = hdr->mgmt_class;
	struct linux_umad_receipt receipt;

	/* user_mad_door_expire() has ended it. */
	if (wc->send_buf->context[1] && wc->status == IB_WC_WR_FLUSH_ERR)
		wc->status = IB_WC_RESP_TIMEOUT_ERR;
	linux_umad_receiving(&receipt, file, IB_MGMT_MAD_HDR);
	user_send(agent, wc);
	linux_umad_received(&receipt);
	linux_umad_sent(file, size, tid, mgmt_class);
}

static void door_recv(struct ib_mad_agent *agent, struct ib_mad_send_buf *send,
		      struct ib_mad_recv_wc *wc)
{
	struct kmod_file *file = file_of(agent);
	struct linux_umad_receipt receipt;

	if (!linux_umad_may_receive(file)) {
		ib_free_recv_mad(wc);
		return;
	}
	linux_umad_receiving(&receipt, file, (size_t)wc->mad_len);
	user_recv(agent, send, wc);
	linux_umad_received(&receipt);
}

/* ---- what is in a file's queue ---- */

static const struct ib_umad_packet *first_packet(const struct ib_umad_file *file)
{
	if (file->agents_dead)
		return NULL;
	return list_first_entry_or_null(&file->recv_list, const struct ib_umad_packet, list);
}

enum user_mad_next user_mad_door_next(const void *private)
{
	const struct ib_umad_packet *packet = first_packet(private);

	if (!packet)
		return USER_MAD_NOTHING;
	return packet->recv_wc ? USER_MAD_MESSAGE : USER_MAD_REPORT;
}

size_t user_mad_door_next_size(const void *private)
{
	return user_mad_door_header_size(private) + (size_t)first_packet(private)->length;
}

size_t user_mad_door_header_size(const void *private)
{
	return (size_t)hdr_size((struct ib_umad_file *)(uintptr_t)private);
}

/* ---- the end of requests ---- */

typedef void (*cancel_by_agent)(struct ib_mad_agent *agent, struct ib_mad_send_buf *send);
typedef void (*cancel_alone)(struct ib_mad_send_buf *send);

/* Linux: since 5.18 it finds the agent itself. */
static void cancel(struct ib_mad_send_buf *send)
{
	void (*any)(void) = (void (*)(void))ib_cancel_mad;

	_Generic(&ib_cancel_mad,
		 cancel_alone: ((cancel_alone)any)(send),
		 cancel_by_agent: ((cancel_by_agent)any)(send->mad_agent, send));
}

/* For an answer, or for acknowledgements of its segments: without either it ends by itself. */
static bool waits(const struct ib_mad_send_buf *send)
{
	const u8 *mad = send->mad;

	return send->timeout_ms != 0 || (ib_mad_kernel_rmpp_agent(send->mad_agent) &&
					 mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

unsigned int user_mad_door_expire(void *private, uint64_t tid, uint8_t mgmt_class)
{
	struct ib_umad_file *file = private;
	struct ib_umad_packet *packet;
	unsigned int count = 0;

	list_for_each_entry(packet, &file->send_list, list) {
		const struct ib_mad_hdr *hdr = packet->msg->mad;

		if (be64_to_cpu(hdr->tid) != tid || hdr->mgmt_class != mgmt_class ||
		    ib_response_mad(hdr) || !waits(packet->msg) || packet->msg->context[1])
			continue;
		packet->msg->context[1] = packet;
		cancel(packet->msg);
		count++;
	}
	return count;
}
