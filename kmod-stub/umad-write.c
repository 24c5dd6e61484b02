/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * write(2) of a umad file: a MAD of the user's, checked and posted (linux-mad A.5).
 */
#include <errno.h>
#include <string.h>

#include "kmod-stub/mad-send.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/send-packet.h"
#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"

#include "kmod-stub/stub.h"

enum { WRITE_MAD_MIN = RMPP_END };	/* Linux: a MAD header and room for an RMPP header */

/* Do two sends go to the same place, as far as Linux compares them? */
static bool same_destination(const struct mad_address *a, const struct mad_address *b)
{
	if (a->has_grh != b->has_grh)
		return false;
	return a->has_grh ? memcmp(a->gid, b->gid, 16) == 0 : a->lid == b->lid;
}

/*
 * Is a send with this TID and class still outstanding on the file? A second request is refused
 * whatever its destination, because the answers could not be distinguished; a response only to the
 * same one.
 */
static bool is_duplicate(const struct kmod_file *file, const struct mad_send *send)
{
	const struct send_table *table = &file->port->host->sends;
	uint64_t tid = get_be64(send->mad + MAD_TID);
	struct mad_send *other = NULL;

	if (send_table_is_empty(table))
		return false;
	while ((other = send_table_find(table, tid, send->mad[MAD_CLASS], other))) {
		if (other->agent->file != file || other->is_response != send->is_response)
			continue;
		if (!send->is_response || same_destination(&other->to, &send->to))
			return true;
	}
	return false;
}

/* Checks the size of what was written, and copies it: the MADs are then as they will be sent. */
static int take_mad(struct mad_send *send, const uint8_t *mad, size_t size, struct kmod_loan **loan)
{
	const struct agent *agent = send->agent;
	bool kernel_rmpp = agent->kernel_rmpp && mad_class_has_rmpp(mad[MAD_CLASS]);

	if (size < MAD_SIZE && size < mad_class_header_size(mad[MAD_CLASS]))
		return -EINVAL;
	if (kernel_rmpp && mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) {
		int err = rmpp_send_new(send, mad, size, loan);

		if (err)
			return err;
	} else {
		if (size > MAD_SIZE)
			return -EINVAL;
		copy_bytes(send->mad, mad, size);
		if (size < MAD_SIZE)
			memset(send->mad + size, 0, MAD_SIZE - size);
		/* Linux: the user's RMPP header is not sent. */
		if (kernel_rmpp)
			memset(send->mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	}
	send->is_response = mad_is_response(send->mad);
	if (!send->is_response)
		put_be32(send->mad + MAD_TID, agent->hi_tid);
	return 0;
}

/*
 * Fills in the send from the address on, with all checks that Linux makes once it knows the agent.
 */
static int fill_send(const struct kmod_file *file, struct mad_send *send, const uint8_t *buf,
		     size_t count, struct kmod_loan **loan)
{
	uint32_t header_size = file->header_size;
	const uint8_t *mad;
	int err;

	user_header_copy(send->header, buf, header_size);
	if (header_size < USER_HEADER_SIZE)
		memset(send->header + header_size, 0, USER_HEADER_SIZE - header_size);
	user_header_get_address(send->header, &send->to);
	send->timeout_ms = user_header_get(send->header, USER_TIMEOUT_MS);
	send->retries = user_header_get(send->header, USER_RETRIES);
	send->qpn = send->agent->qpn;
	err = send_packet_check_address(file->port, &send->to);
	if (err)
		return err;
	err = take_mad(send, buf + header_size, count - header_size, loan);
	if (err)
		return err;
	mad = send->mad;
	send->hop_ptr = mad[SMP_HOP_PTR];
	/* Linux: segments of RMPP by the user share a TID, so they are not compared. */
	if (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE && !send->agent->kernel_rmpp &&
	    mad_class_has_rmpp(mad[MAD_CLASS]))
		return 0;
	return is_duplicate(file, send) ? -EINVAL : 0;
}

static int count_send(const struct kmod_file *file, struct mad_send *send, size_t size)
{
	struct kmod_usage *usage = file->usage;
	size_t cost = sizeof(*send) + size;

	if (usage->sending + cost > usage->sending_max)
		return -ENOMEM;
	usage->sending += cost;
	if (usage->sending > usage->peak)
		usage->peak = usage->sending;
	send->usage = usage;
	send->cost = cost;
	return 0;
}

/* A loan that is not taken stays in '*loan'; NULL: there is none. */
static long file_write(struct kmod_file *file, const void *buf, size_t count,
		       struct kmod_loan **loan)
{
	struct kmod_host *host = file->port->host;
	struct mad_send *send;
	uint32_t id;
	int err;

	if (count < file->header_size + WRITE_MAD_MIN)
		return -EINVAL;
	if (!buf)
		return -EFAULT;
	id = user_header_get(buf, USER_ID);
	if (id >= FILE_AGENT_COUNT)
		return -EINVAL;
	if (file->dead || !file->agents[id])
		return host->profile->dead_file_fails ? -EIO : -EINVAL;
	send = mad_send_new(host);
	if (!send)
		return -ENOMEM;
	send->agent = file->agents[id];
	err = file->usage ? count_send(file, send, count) : 0;
	if (!err)
		err = fill_send(file, send, buf, count, loan);
	if (!err)
		err = mad_send_post(file->port, send);
	if (err) {
		mad_send_free(host, send);
		return err;
	}
	return (long)count;
}

long stub_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
			  struct kmod_loan *loan)
{
	long n = file_write(file, buf, count, &loan);

	if (loan)
		loan->release(loan);
	return n;
}

long stub_file_write(struct kmod_file *file, const void *buf, size_t count)
{
	return file_write(file, buf, count, NULL);
}
