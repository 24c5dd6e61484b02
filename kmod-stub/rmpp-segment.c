/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A message that is sent in segments, and the bytes of each (linux-mad C.1).
 */
#include "kmod-stub/rmpp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/mad-send.h"

static uint32_t segment_room(const uint8_t *mad)
{
	return MAD_SIZE - mad_class_header_size(mad[MAD_CLASS]);
}

int rmpp_send_new(struct mad_send *send, const uint8_t *mad, size_t size, struct kmod_loan **loan)
{
	uint32_t header_size = mad_class_header_size(mad[MAD_CLASS]);
	uint32_t room = segment_room(mad);
	size_t data_size = size - header_size;
	size_t segments = data_size ? (data_size + room - 1) / room : 1;
	struct kmod_loan *lent = loan ? *loan : NULL;
	struct rmpp_send *rmpp;

	/* Linux: write(2) itself takes no more than 2 GiB. */
	if (size > INT32_MAX)
		return -ENOMEM;
	rmpp = malloc(sizeof(*rmpp) + (lent ? 0 : data_size));
	if (!rmpp)
		return -ENOMEM;
	*rmpp = (struct rmpp_send) {
		.segments = (int32_t)segments, .size = data_size, .data = rmpp->own, .loan = lent,
	};
	if (lent) {
		rmpp->data = mad + header_size;
		*loan = NULL;
	} else {
		copy_bytes(rmpp->own, mad + header_size, data_size);
	}
	copy_bytes(send->mad, mad, header_size);
	/* Linux: the user's RMPP header is not sent, not even the type. */
	memset(send->mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	send->mad[RMPP_VERSION] = 1;
	send->mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	send->mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	send->rmpp = rmpp;
	return 0;
}

void rmpp_send_free(struct rmpp_send *rmpp)
{
	if (rmpp && rmpp->loan)
		rmpp->loan->release(rmpp->loan);
	free(rmpp);
}

void rmpp_send_segment(const struct mad_send *send, uint8_t *mad)
{
	const struct rmpp_send *rmpp = send->rmpp;
	uint32_t header_size = mad_class_header_size(send->mgmt_class);
	uint32_t room = MAD_SIZE - header_size;
	size_t at = (size_t)(rmpp->sent - 1) * room;
	size_t left = rmpp->size - at;
	size_t part = left < room ? left : room;
	size_t pad = (size_t)rmpp->segments * room - rmpp->size;
	size_t length = 0;

	copy_bytes(mad, send->mad, header_size);
	copy_bytes(mad + header_size, rmpp->data + at, part);
	memset(mad + header_size + part, 0, room - part);
	/* IBA vol 1, 13.6.2.1: the class header counts as payload, once for each segment. */
	if (rmpp->sent == 1) {
		mad[RMPP_FLAGS] |= RMPP_FLAG_FIRST;
		length = (size_t)rmpp->segments * RMPP_PAYLOAD_SIZE - pad;
	}
	if (rmpp->sent == rmpp->segments) {
		mad[RMPP_FLAGS] |= RMPP_FLAG_LAST;
		length = RMPP_PAYLOAD_SIZE - pad;
	}
	put_be32(mad + RMPP_SEGMENT, (uint32_t)rmpp->sent);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, (uint32_t)length);
}
