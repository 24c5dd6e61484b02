/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the swarm's programs write: requests, answers, segmented messages, SMPs to the node itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tests/swarm/swarm-play.h"
#include "tests/swarm/swarm-send.h"

static const uint32_t timeouts_ms[] = { 0, 0, 1, 5, 20, 100, 500, 1000, 2500, 0x80000000, };

/* Bytes that no other message has. */
static void fill(uint8_t *to, size_t size, uint64_t serial)
{
	uint64_t word = serial * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (size_t i = 0; i < size; i += 8) {
		word ^= word << 13;
		word ^= word >> 7;
		word ^= word << 17;
		memcpy(to + i, &word, size - i < 8 ? size - i : 8);
	}
}

/* What is written: 'size' bytes of MAD after the header of 'file', in the swarm's buffer. */
struct words {
	struct swarm_file *file;
	uint32_t id;
	uint32_t timeout_ms;
	uint32_t retries;
	uint16_t lid;
	uint32_t qpn;
	uint32_t size;
};

static uint8_t *words_mad(struct swarm *swarm, const struct words *words)
{
	return swarm->buffer + swarm_file_header(words->file);
}

/* A program that waits for a message does not use its TID for another. */
static uint32_t draw_tid(struct swarm *swarm, const struct swarm_agent *agent)
{
	return agent && agent->kernel_rmpp ? 1000 + swarm->unique_tid++ :
					     1 + (uint32_t)below(swarm, 12);
}

static void put_header(struct swarm *swarm, const struct words *words)
{
	uint8_t *header = swarm->buffer;
	uint16_t pkey_index = (uint16_t)below(swarm, SWARM_PKEYS);

	memset(header, 0, swarm_file_header(words->file));
	memcpy(header, &words->id, 4);
	memcpy(header + 8, &words->timeout_ms, 4);
	memcpy(header + 12, &words->retries, 4);
	put_be32(header + 20, words->qpn);
	put_be16(header + 28, words->lid);
	header[30] = (uint8_t)below(swarm, 16);
	header[31] = (uint8_t)below(swarm, 4);
	if (hits(swarm, 1, 8)) {
		const struct swarm_port *to = swarm_world_find_port(swarm, words->lid);

		header[32] = 1;
		header[33] = hits(swarm, 1, 16) ? (uint8_t)below(swarm, 3) : 0;
		header[34] = 64;
		header[35] = (uint8_t)below(swarm, 256);
		memcpy(header + 36, to ? to->gids[0] : swarm->ports[0].gids[0], 16);
		header[51] ^= hits(swarm, 1, 20);
		put_be32(header + 52, (uint32_t)below(swarm, 1 << 20));
	}
	if (words->file->wide)
		memcpy(header + 56, &pkey_index, 2);
}

/* Writes the contents of the buffer, and checks that the result is what the oracle predicts. */
static void write_buffer(struct swarm *swarm, const struct words *words)
{
	size_t count = swarm_file_header(words->file) + words->size;
	struct swarm_send *send = NULL;
	const uint8_t *mad = words_mad(swarm, words);
	struct swarm_file *file = words->file;
	unsigned int overs;
	bool unsure;
	long expected, got;

	expected = swarm_send_expect(swarm, file, swarm->buffer, count, &send, &unsure);
	overs = file->overs;
	got = kmod_file_write(file->file, swarm->buffer, count);
	/* A refused one may have ended, or never have begun. */
	if (got > 0)
		file->accepted++;
	else if (file->overs - overs <= 1)
		file->overs = overs;
	swarm_trace(swarm, "  from %u to LID %u class=0x%02x method=0x%02x TID 0x%" PRIx64
		    " size=%u timeout=%ux%u", words->id, words->lid, mad[MAD_CLASS],
		    mad[MAD_METHOD], send ? send->tid : get_be64(mad + MAD_TID), words->size,
		    words->timeout_ms, words->retries + 1);
	if (unsure && got == -EINVAL && expected == 0) {
		swarm_send_end(swarm, send);
		return;
	}
	swarm_play_check(swarm, file->port, got, expected ? expected : (long)count);
	if (unsure && !expected)
		swarm_send_accepted(swarm, send);
}

/* The header of a MAD and its payload. */
static void put_mad(struct swarm *swarm, uint8_t *mad, uint32_t size, uint8_t mgmt_class,
		    uint8_t method, uint64_t tid)
{
	fill(mad + MAD_HDR_SIZE, size > MAD_HDR_SIZE ? size - MAD_HDR_SIZE : 0, ++swarm->serial);
	memset(mad, 0, MAD_HDR_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, tid);
	mad[MAD_ATTR_ID + 1] = (uint8_t)below(swarm, 64);
	if (swarm_has_rmpp(mgmt_class))
		memset(mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	if (mgmt_class >= 0x30 && mgmt_class <= 0x4f)
		put_be24(mad + VENDOR2_OUI,
			 hits(swarm, 1, 4) ? (uint32_t)below(swarm, 13) : 0x1405);
}

static struct words draw_words(struct swarm *swarm, const struct swarm_agent *agent)
{
	struct words words = {
		.file = agent->file,
		.id = agent->id,
		.timeout_ms = timeouts_ms[below(swarm, sizeof(timeouts_ms) / sizeof(uint32_t))],
		.retries = (uint32_t)below(swarm, 4),
		.qpn = agent->qpn,
		.size = MAD_SIZE,
	};

	words.lid = swarm_pick_port(swarm)->attr.lid;
	if (hits(swarm, 1, 4))
		words.lid += (uint16_t)below(swarm, 4);
	if (hits(swarm, 1, 6))
		words.size = 36 + (uint32_t)below(swarm, MAD_SIZE - 36 + 4);
	if (hits(swarm, 1, 60))
		words.id = (uint32_t)below(swarm, 40);
	return words;
}

/* A MAD that is not in segments, or one from a program that does its own segmentation. */
void swarm_play_send(struct swarm *swarm)
{
	const struct swarm_agent *agent = swarm_pick_agent(swarm, false);
	struct words words;
	uint8_t *mad, mgmt_class, method;
	uint64_t tid;

	if (!agent)
		return;
	words = draw_words(swarm, agent);
	mgmt_class = agent->mgmt_class ? agent->mgmt_class : 3;
	if (hits(swarm, 1, 10))
		mgmt_class = (uint8_t)(hits(swarm, 1, 2) ? 3 : below(swarm, 16));
	if (mgmt_class == MAD_CLASS_SUBN_DR)
		mgmt_class = MAD_CLASS_SUBN_LID;
	method = swarm_methods[below(swarm, SWARM_METHODS)];
	tid = draw_tid(swarm, agent);
	if (hits(swarm, 1, 8)) {
		/* A response to no agent, or to some agent's number. */
		method |= 0x80;
		tid |= below(swarm, 16) << 32;
	}
	if (hits(swarm, 1, 40))
		words.qpn ^= 1;
	mad = words_mad(swarm, &words);
	put_mad(swarm, mad, MAD_SIZE + 4, mgmt_class, method, tid);
	if (hits(swarm, 1, 2))
		mad[MAD_CLASS_VERSION] = agent->class_version;
	if (!agent->kernel_rmpp && swarm_has_rmpp(mgmt_class) && hits(swarm, 1, 3)) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = (uint8_t)below(swarm, 6);
		mad[RMPP_FLAGS] = (uint8_t)(1 | below(swarm, 8));
		put_be32(mad + RMPP_SEGMENT, (uint32_t)below(swarm, 4));
		put_be32(mad + RMPP_PAYLEN_NEWWIN, (uint32_t)below(swarm, 300));
	}
	put_header(swarm, &words);
	write_buffer(swarm, &words);
}

/*
 * Bytes of a segmented answer, the same each time that it is requested; 0: it is a plain one.
 *
 * A Get gets a plain one: without an agent for an ACK of method Get, Linux returns it with status
 * 0x000c; to the requester that is an ACK of its own Get, which it answers with an ACK, and so on
 * until it times out. So does a TrapRepress: ACKs of it are responses too.
 */
static uint32_t answer_size(struct swarm *swarm, const struct swarm_agent *agent,
			    const uint8_t *mad)
{
	uint64_t tid = get_be64(mad + MAD_TID);
	uint64_t draw = tid * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	if (!agent->kernel_rmpp || !swarm->has_rmpp || !swarm_has_rmpp(mad[MAD_CLASS]) ||
	    (tid & 0xffffffff) < 1000 || mad[MAD_METHOD] <= MAD_METHOD_TRAP)
		return 0;
	if (draw % 16 == 0)
		return (uint32_t)(draw / 16 % (30 * 1024));
	return (uint32_t)(draw / 16 % 1500);
}

void swarm_play_answer(struct swarm *swarm)
{
	const struct swarm_agent *picked = swarm_pick_agent(swarm, hits(swarm, 1, 2)), *agent;
	const struct swarm_request *request;
	struct swarm_file *file;
	struct words words;
	uint32_t segments_size;
	uint8_t *mad;

	if (!picked || !picked->file->inbox_count)
		return;
	file = picked->file;
	request = &file->inbox[below(swarm, file->inbox_count < SWARM_INBOX ? file->inbox_count :
				     SWARM_INBOX)];
	agent = file->agents[request->id];
	words = (struct words){ .file = file, .id = request->id, .size = MAD_SIZE };
	if (hits(swarm, 1, 4)) {
		words.timeout_ms = timeouts_ms[below(swarm, 9)];
		words.retries = (uint32_t)below(swarm, 4);
	}
	memcpy(swarm->buffer, request->header, swarm_file_header(file));
	memcpy(swarm->buffer + 8, &words.timeout_ms, 4);
	memcpy(swarm->buffer + 12, &words.retries, 4);
	words.lid = get_be16(swarm->buffer + 28);
	mad = words_mad(swarm, &words);
	segments_size = agent ? answer_size(swarm, agent, request->mad) : 0;
	if (segments_size) {
		words.size = swarm_header_size(request->mad[MAD_CLASS]) + segments_size;
		fill(mad + MAD_HDR_SIZE, words.size - MAD_HDR_SIZE,
		     get_be64(request->mad + MAD_TID));
	} else {
		fill(mad + MAD_HDR_SIZE, MAD_SIZE - MAD_HDR_SIZE, ++swarm->serial);
	}
	memcpy(mad, request->mad, RMPP_END);
	mad[MAD_METHOD] = request->mad[MAD_METHOD] == MAD_METHOD_TRAP ? MAD_METHOD_TRAP_REPRESS :
			  request->mad[MAD_METHOD] | 0x80;
	if (swarm_has_rmpp(mad[MAD_CLASS]) &&
	    (!agent || agent->kernel_rmpp || mad[MAD_METHOD] == MAD_METHOD_TRAP_REPRESS))
		mad[RMPP_FLAGS] = segments_size ? RMPP_FLAG_ACTIVE : 0;
	if (segments_size) {
		memset(mad + MAD_STATUS, 0, MAD_TID - MAD_STATUS);
		memset(mad + MAD_ATTR_ID, 0, MAD_HDR_SIZE - MAD_ATTR_ID);
	}
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		return;
	write_buffer(swarm, &words);
}

/* A message that the kernel segments, to an agent that may take it. */
void swarm_play_message(struct swarm *swarm)
{
	const struct swarm_agent *agent = swarm_pick_agent(swarm, true);
	const struct swarm_agent *taker = swarm_pick_agent(swarm, true);
	struct words words;
	uint8_t *mad, method;

	if (!agent || !swarm->has_rmpp)
		return;
	words = draw_words(swarm, agent);
	method = swarm_methods[below(swarm, SWARM_METHODS)];
	/* ACKs would go back and forth: see answer_size(). */
	if (method <= MAD_METHOD_SET && words.timeout_ms)
		method = MAD_METHOD_GET_TABLE;
	words.lid = taker->file->port->attr.lid;
	words.qpn = 1;
	words.size = swarm_header_size(agent->mgmt_class ? agent->mgmt_class : 3) +
		     (uint32_t)below(swarm, hits(swarm, 1, 8) ? 30 * 1024 : 1500);
	mad = words_mad(swarm, &words);
	put_mad(swarm, mad, words.size, agent->mgmt_class ? agent->mgmt_class : 3,
		method, draw_tid(swarm, agent));
	mad[MAD_CLASS_VERSION] = taker->class_version ? taker->class_version : 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	if (hits(swarm, 1, 10))
		mad[MAD_METHOD] |= 0x80;
	put_header(swarm, &words);
	write_buffer(swarm, &words);
}

/* A directed route to the node itself. */
void swarm_play_local_smp(struct swarm *swarm)
{
	const struct swarm_agent *agent = swarm_pick_agent(swarm, false);
	struct words words;
	uint8_t *mad;

	if (!agent)
		return;
	words = draw_words(swarm, agent);
	words.size = MAD_SIZE;
	words.lid = LID_PERMISSIVE;
	words.qpn = 0;
	mad = words_mad(swarm, &words);
	put_mad(swarm, mad, MAD_SIZE, MAD_CLASS_SUBN_DR, MAD_METHOD_GET, draw_tid(swarm, agent));
	memset(mad + SMP_DR_SLID, 0xff, 4);
	put_header(swarm, &words);
	write_buffer(swarm, &words);
}

/* More sends in one instant than the QP takes. */
void swarm_play_burst(struct swarm *swarm)
{
	const struct swarm_agent *agent = swarm_pick_agent(swarm, false);
	struct words words;
	unsigned int count = 100 + (unsigned int)below(swarm, 100);
	uint8_t *mad;

	if (!agent || agent->qpn == 0 || !hits(swarm, 1, 8))
		return;
	words = draw_words(swarm, agent);
	words.size = MAD_SIZE;
	for (unsigned int i = 0; i < count; i++) {
		mad = words_mad(swarm, &words);
		put_mad(swarm, mad, MAD_SIZE, 3, MAD_METHOD_GET, 100000 + swarm->unique_tid++);
		put_header(swarm, &words);
		write_buffer(swarm, &words);
	}
}
