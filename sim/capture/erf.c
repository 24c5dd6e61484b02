/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ERF records (link type 197), as ibdump writes them: 16 bytes of header, extension headers, the
 * packet.
 */
#include <glib.h>

#include "sim/capture/frame.h"
#include "kmod-stub/event.h"

enum {
	ERF_MORE_HEADERS = 0x80,
	ERF_INTERFACE_MASK = 3,
	ERF_RX_ERROR = 0x10,
	ERF_EXTENSION_SIZE = 8,
	ERF_EXTENSIONS_MAX = 16,	/* of the few in use, none occurs twice */
	ERF_ETHERNET_PAD = 2,
};

/*
 * Offset of the packet, after all extension headers: the top bit of the first byte of each says
 * that another follows. 0 if they do not end.
 */
static size_t packet_at(const uint8_t *bytes, size_t captured)
{
	size_t at = ERF_HEADER_SIZE;
	bool more = bytes[ERF_TYPE_AT] & ERF_MORE_HEADERS;

	for (unsigned int i = 0; more; i++) {
		if (i == ERF_EXTENSIONS_MAX || captured < at + ERF_EXTENSION_SIZE)
			return 0;
		more = bytes[at] & ERF_MORE_HEADERS;
		at += ERF_EXTENSION_SIZE;
	}
	return at;
}

/* Little-endian seconds since 1970, 32.32 fixed point, to the nearest nanosecond. */
static int64_t erf_time_ns(const uint8_t *bytes)
{
	uint64_t fraction = __builtin_bswap32(get_be32(bytes));
	uint64_t seconds = __builtin_bswap32(get_be32(bytes + 4));

	return (int64_t)(seconds * (uint64_t)NS_PER_S +
			 ((fraction * (uint64_t)NS_PER_S + (UINT64_C(1) << 31)) >> 32));
}

enum capture_cause frame_read_erf(const struct capture_frame *frame, struct frame_result *result)
{
	const uint8_t *bytes = frame->bytes;
	enum capture_cause cause;
	size_t at, captured, wire;
	unsigned int type;

	if (frame->captured < ERF_HEADER_SIZE) {
		frame_say(result->why, "an ERF record has at least 16 bytes, this has %zu",
			  frame->captured);
		return CAUSE_ERF_RECORD;
	}
	/* As Wireshark: of pcap's two times this is the finer; in pcapng the block's own counts. */
	if (frame->interface < 0) {
		result->epoch_ns = erf_time_ns(bytes);
		result->mad.interface = bytes[ERF_FLAGS_AT] & ERF_INTERFACE_MASK;
	}
	type = bytes[ERF_TYPE_AT] & ERF_TYPE_MASK;
	if (type != ERF_TYPE_INFINIBAND && type != ERF_TYPE_ETHERNET)
		return type == ERF_TYPE_LINK ? CAUSE_FLOW_CONTROL : CAUSE_ERF_TYPE;
	at = packet_at(bytes, frame->captured);
	if (!at) {
		frame_say(result->why, "the extension headers of the ERF record do not end");
		return CAUSE_ERF_RECORD;
	}
	if (type == ERF_TYPE_ETHERNET)
		at += ERF_ETHERNET_PAD;
	/* wlen counts the packet on the wire; the rest of the record is padding. */
	wire = get_be16(bytes + ERF_WLEN_AT);
	captured = frame->captured > at ? MIN(frame->captured - at, wire) : 0;
	if (!wire && frame->captured > at) {
		frame_say(result->why, "the ERF record says that its packet is empty, and has "
			  "%zu bytes of it", frame->captured - at);
		return CAUSE_ERF_RECORD;
	}
	if (type == ERF_TYPE_ETHERNET)
		return frame_read_ethernet(bytes + at, captured, wire, result);
	cause = frame_read_infiniband(bytes + at, captured, wire, result);
	if (cause == CAUSE_NONE && (bytes[ERF_FLAGS_AT] & ERF_RX_ERROR)) {
		if (!*result->why)
			frame_say(result->why, "marked as received with an error");
		return CAUSE_RX_ERROR;
	}
	return cause;
}
