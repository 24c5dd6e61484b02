/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The oracle: which agent gets which MAD, and what read and poll must return.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "tests/swarm/swarm-send.h"

/* One entry of a receive queue that the oracle expects. */
struct swarm_expected {
	struct swarm_expected *next;
	int64_t since_ns;
	bool unsure;			/* or it may be missing */
	uint32_t size;
	uint8_t header[SWARM_HEADER];
	uint8_t mad[MAD_SIZE];
};

/* ---- facts ---- */

bool swarm_is_response(const uint8_t *mad)
{
	return mad[MAD_METHOD] >= 0x80 || mad[MAD_METHOD] == 0x07 ||
	       (mad[MAD_CLASS] == 0x05 && mad[MAD_ATTR_MOD + 3] & 1);
}

bool swarm_has_rmpp(uint8_t mgmt_class)
{
	return mgmt_class == 0x03 || mgmt_class == 0x06 || mgmt_class == 0x10 ||
	       mgmt_class == 0x12 || (mgmt_class >= 0x30 && mgmt_class <= 0x4f);
}

unsigned int swarm_header_size(uint8_t mgmt_class)
{
	if (!swarm_has_rmpp(mgmt_class))
		return 24;
	return mgmt_class == 0x03 ? 56 : mgmt_class >= 0x30 ? 40 : 64;
}

/* ---- registration ---- */

/* A vendor's slot in a port's table: there are 8 for each version and class. */
struct swarm_place {
	struct swarm_place *next;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint32_t oui;
};

/* Would the two receive the same requests, apart from the methods? */
static bool same_place(const struct swarm_agent *a, const struct swarm_agent *b)
{
	return a->file->port == b->file->port && a->mgmt_class && b->mgmt_class &&
	       a->mgmt_class == b->mgmt_class && a->class_version == b->class_version;
}

static bool is_vendor2(uint8_t mgmt_class)
{
	return mgmt_class >= 0x30 && mgmt_class <= 0x4f;
}

static struct swarm_place **find_place(const struct swarm_agent *asked, unsigned int *ret_count)
{
	struct swarm_place **link = &asked->file->port->places, **found = NULL;

	*ret_count = 0;
	for (; *link; link = &(*link)->next) {
		const struct swarm_place *place = *link;

		if (place->mgmt_class != asked->mgmt_class ||
		    place->class_version != asked->class_version)
			continue;
		++*ret_count;
		if (place->oui == asked->oui)
			found = link;
	}
	return found;
}

static void take_place(struct swarm *swarm, const struct swarm_agent *agent)
{
	struct swarm_place *place;
	unsigned int count;

	if (!is_vendor2(agent->mgmt_class) || find_place(agent, &count))
		return;
	place = swarm_alloc(swarm, sizeof(*place));
	place->mgmt_class = agent->mgmt_class;
	place->class_version = agent->class_version;
	place->oui = agent->oui;
	place->next = agent->file->port->places;
	agent->file->port->places = place;
}

/* Does one of them want a method in 'mask' for the same requests as 'asked'? */
static bool any_wants(struct swarm *swarm, const struct swarm_agent *asked, const uint64_t mask[2])
{
	for (unsigned int f = 0; f < SWARM_FILES_MAX; f++) {
		for (unsigned int i = 0; i < SWARM_AGENTS; i++) {
			const struct swarm_agent *agent = swarm->files[f].agents[i];

			if (agent && same_place(agent, asked) &&
			    (!is_vendor2(asked->mgmt_class) || agent->oui == asked->oui) &&
			    ((agent->methods[0] & mask[0]) || (agent->methods[1] & mask[1])))
				return true;
		}
	}
	return false;
}

/* Linux: with the last method of an OUI its slot is free, even if agents without methods remain. */
static void leave_place(struct swarm *swarm, const struct swarm_agent *agent)
{
	static const uint64_t all[2] = { UINT64_MAX, UINT64_MAX };
	struct swarm_place **place = NULL;
	unsigned int count;

	if (is_vendor2(agent->mgmt_class))
		place = find_place(agent, &count);
	if (place && !any_wants(swarm, agent, all))
		*place = (*place)->next;
}

/* The result from the port's tables for an agent with valid arguments. */
static int expect_place(struct swarm *swarm, const struct swarm_agent *asked)
{
	unsigned int count;

	if (is_vendor2(asked->mgmt_class) && !find_place(asked, &count) && count == 8)
		return -ENOMEM;
	return any_wants(swarm, asked, asked->methods) ? -EINVAL : 0;
}

static unsigned int flow_limit(const struct swarm_agent *agent)
{
	enum kmod_profile profile = agent->file->port->host->profile;

	if (profile != KMOD_LINUX_6_17 && profile != KMOD_LINUX_7_2)
		return 0;
	switch (agent->mgmt_class) {
	case 0x03:
		return 16;
	case 0x00: case 0x01: case 0x07: case 0x81:
		return 128;
	default:
		return 0;
	}
}

static int expect_words(const struct swarm_agent *asked, bool user_rmpp)
{
	bool is_smp = asked->mgmt_class == 0x01 || asked->mgmt_class == 0x81;

	if (asked->qpn == 0 && !asked->file->port->attr.has_smi)
		return -EPROTONOSUPPORT;
	if (asked->rmpp_version > 1)
		return -EINVAL;
	if (!asked->mgmt_class)
		return user_rmpp ? -EINVAL : 0;
	if (asked->class_version >= 0x83 || (asked->mgmt_class >= 0x50 && !is_smp))
		return -EINVAL;
	if (is_vendor2(asked->mgmt_class) && asked->oui == 0)
		return -EINVAL;
	if (asked->rmpp_version && !swarm_has_rmpp(asked->mgmt_class))
		return -EINVAL;
	return is_smp != (asked->qpn == 0) ? -EINVAL : 0;
}

/* The number that the next registration with valid arguments gets, or wastes. */
static uint32_t next_number(struct swarm *swarm, struct swarm_host *host)
{
	uint32_t number = host->next_hi_tid;

	while (swarm_find_number(swarm, host, number))
		number = number + 1 < 1u << 24 ? number + 1 : 1;
	host->next_hi_tid = number + 1 < 1u << 24 ? number + 1 : 1;
	return number;
}

int swarm_oracle_register(struct swarm *swarm, struct swarm_file *file,
			  const struct swarm_agent *asked, bool user_rmpp, bool version2,
			  struct swarm_agent **ret_agent)
{
	struct swarm_agent agent = *asked;
	unsigned int id = 0;
	int err;

	if (file->dead)
		return -EPIPE;
	if (asked->qpn > 1)
		return -EINVAL;
	while (id < SWARM_AGENTS && file->agents[id])
		id++;
	if (id == SWARM_AGENTS)
		return -ENOMEM;
	err = expect_words(asked, user_rmpp);
	if (err)
		return err;
	agent.hi_tid = next_number(swarm, file->port->host);
	err = agent.mgmt_class ? expect_place(swarm, asked) : 0;
	if (err)
		return err;
	agent.id = (uint8_t)id;
	agent.kernel_rmpp = agent.rmpp_version && !user_rmpp;
	agent.flow_limit = flow_limit(&agent);
	take_place(swarm, &agent);
	*ret_agent = swarm_alloc(swarm, sizeof(agent));
	**ret_agent = agent;
	file->agents[id] = *ret_agent;
	swarm->agent_count++;
	file->eager |= agent.kernel_rmpp;
	if (!file->registered && version2)
		file->wide = true;
	file->registered = true;
	return 0;
}

void swarm_oracle_unregister(struct swarm *swarm, struct swarm_agent *agent)
{
	swarm_send_flush_agent(swarm, agent);
	agent->file->agents[agent->id] = NULL;
	leave_place(swarm, agent);
	swarm->agent_count--;
}

void swarm_oracle_close(struct swarm *swarm, struct swarm_file *file, bool dead)
{
	for (unsigned int id = 0; id < SWARM_AGENTS; id++)
		if (file->agents[id])
			swarm_oracle_unregister(swarm, file->agents[id]);
	if (dead) {
		file->dead = true;
		return;
	}
	file->file = NULL;
}

/* ---- which agent gets it ---- */

struct swarm_agent *swarm_find_number(struct swarm *swarm, const struct swarm_host *host,
				      uint32_t hi_tid)
{
	for (unsigned int f = 0; f < SWARM_FILES_MAX; f++)
		for (unsigned int i = 0; swarm->files[f].file && i < SWARM_AGENTS; i++)
			if (swarm->files[f].agents[i] && swarm->files[f].port->host == host &&
			    swarm->files[f].agents[i]->hi_tid == hi_tid)
				return swarm->files[f].agents[i];
	return NULL;
}

struct swarm_agent *swarm_find_agent(struct swarm *swarm, const struct swarm_port *port,
				     const uint8_t *mad)
{
	/* Linux keeps class 0x81 in the slot of class 0. */
	uint8_t mgmt_class = mad[MAD_CLASS] ? mad[MAD_CLASS] : 0x81;
	unsigned int method = mad[MAD_METHOD] & 0x7f;

	if (swarm_is_response(mad))
		return swarm_find_number(swarm, port->host, get_be32(mad + MAD_TID));
	for (unsigned int f = 0; f < SWARM_FILES_MAX; f++) {
		for (unsigned int i = 0; swarm->files[f].file && i < SWARM_AGENTS; i++) {
			struct swarm_agent *agent = swarm->files[f].agents[i];

			if (agent && agent->file->port == port &&
			    agent->mgmt_class == mgmt_class &&
			    agent->class_version == mad[MAD_CLASS_VERSION] &&
			    agent->methods[method / 64] >> method % 64 & 1 &&
			    (!is_vendor2(mgmt_class) || agent->oui == get_be24(mad + VENDOR2_OUI)))
				return agent;
		}
	}
	return NULL;
}

/* ---- arrival ---- */

void swarm_expect(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
		  const uint8_t *mad, uint32_t size)
{
	struct swarm_expected *expected = swarm_alloc(swarm, sizeof(*expected));

	expected->since_ns = swarm_now_ns(swarm);
	expected->size = size;
	memcpy(expected->header, header, SWARM_HEADER);
	memcpy(expected->mad, mad, size);
	*file->expected_end = expected;
	file->expected_end = &expected->next;
}

/* A header as read, for a MAD that came with 'addr' to 'port', which need not be the agent's. */
static void received_header(const struct swarm_agent *agent, const struct swarm_port *port,
			    const struct packet_addr *addr, uint8_t header[SWARM_HEADER])
{
	uint32_t id = agent->id, length = swarm_file_header(agent->file) + MAD_SIZE;
	uint16_t pkey_index = 0;

	memset(header, 0, SWARM_HEADER);
	while (addr->dest_qp && pkey_index < SWARM_PKEYS && port->pkeys[pkey_index] != addr->pkey)
		pkey_index++;
	memcpy(header, &id, 4);
	memcpy(header + 16, &length, 4);
	put_be32(header + 20, addr->src_qp);
	put_be16(header + 28, addr->slid);
	header[30] = addr->sl;
	header[31] = (uint8_t)(addr->dlid & ((1u << port->attr.lmc) - 1));
	if (addr->has_grh) {
		header[32] = 1;
		header[34] = 0xff;
		header[35] = addr->traffic_class;
		memcpy(header + 36, addr->sgid, 16);
		put_be32(header + 52, addr->flow_label);
	}
	memcpy(header + 56, &pkey_index, 2);
}

/* Is the packet's GRH addressed to another port? Linux then cannot determine where it came from. */
static bool is_misled(const struct swarm_port *port, const struct packet_addr *addr)
{
	return addr->has_grh && memcmp(addr->dgid, port->gids[0], 16) != 0;
}

static void deliver(struct swarm *swarm, struct swarm_port *port, struct swarm_agent *agent,
		    const uint8_t *mad, const struct packet_addr *addr)
{
	struct swarm_expected **end = agent->file->expected_end;
	uint8_t header[SWARM_HEADER];
	struct swarm_send *send = NULL;
	bool unsure = false;

	if (agent->kernel_rmpp && swarm_is_active(mad)) {
		if (swarm->has_rmpp)
			swarm_rmpp_arrives(swarm, agent, mad, addr);
		return;
	}
	if (swarm_is_response(mad)) {
		send = swarm_send_match(swarm, agent, mad, addr, &unsure);
		if (!send && !swarm_is_active(mad))
			return;
	}
	/* Even if it has arrived at another port of the host. */
	if (!is_misled(agent->file->port, addr)) {
		received_header(agent, port, addr, header);
		swarm_expect(swarm, agent->file, header, mad, MAD_SIZE);
		(*end)->unsure = unsure;
	}
	if (send && !unsure)
		swarm_send_end(swarm, send);
	else if (send)
		send->message->may_be_gone = true;
}

static void expect_reply(struct swarm *swarm, struct swarm_port *port,
			 const struct packet_addr *addr, const uint8_t *mad)
{
	struct swarm_reply *reply;

	if (is_misled(port, addr))
		return;
	reply = swarm_alloc(swarm, sizeof(*reply));
	reply->dlid = addr->slid;
	memcpy(reply->mad, mad, MAD_SIZE);
	reply->next = port->replies;
	port->replies = reply;
}

static bool is_looked_at(const struct swarm_port *port, const uint8_t *mad,
			 const struct packet_addr *addr)
{
	bool is_smp = mad[MAD_CLASS] == 0x01 || mad[MAD_CLASS] == 0x81;

	if (mad[MAD_BASE_VERSION] != 1 || is_smp != (addr->dest_qp == 0) ||
	    (is_smp && !port->attr.has_smi))
		return false;
	return mad[MAD_CLASS] != 0x07 || get_be16(mad + MAD_ATTR_ID) == 1 ||
	       mad[MAD_METHOD] == MAD_METHOD_SEND;
}

void swarm_oracle_arrives(struct swarm *swarm, struct swarm_port *port, struct packet *packet)
{
	const uint8_t *mad = packet_mad(packet);
	struct packet_addr addr;
	struct swarm_agent *agent;
	uint8_t reply[MAD_SIZE];

	packet_parse(packet, packet_size(packet), &addr);
	if (!is_looked_at(port, mad, &addr))
		return;
	if (swarm_world_driver(mad, reply) & KMOD_MAD_REPLY) {
		expect_reply(swarm, port, &addr, reply);
		return;
	}
	agent = swarm_find_agent(swarm, port, mad);
	if (agent) {
		deliver(swarm, port, agent, mad, &addr);
	} else if (mad[MAD_METHOD] == MAD_METHOD_GET || mad[MAD_METHOD] == MAD_METHOD_SET) {
		memcpy(reply, mad, MAD_SIZE);
		reply[MAD_METHOD] = 0x81;
		put_be16(reply + MAD_STATUS, 0x000c);
		expect_reply(swarm, port, &addr, reply);
	}
}

/* ---- the end of an instant ---- */

void swarm_oracle_instant(struct swarm *swarm)
{
	swarm_send_instant(swarm);
	for (unsigned int i = 0; i < swarm->port_count; i++) {
		const struct swarm_reply *reply = swarm->ports[i].replies;

		if (reply)
			swarm_fail(swarm, SWARM_DUE, "%s did not answer TID 0x%" PRIx64,
				   swarm->ports[i].name, get_be64(reply->mad + MAD_TID));
	}
	swarm_oracle_read_eager(swarm);
}

/* An unexpected MAD shows best by itself what is wrong. */
static void read_unexpected(struct swarm *swarm)
{
	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++) {
		struct swarm_file *file = &swarm->files[i];

		if (file->file && !swarm_file_fails(file) && !file->expected &&
		    kmod_file_readable(file->file))
			swarm_oracle_read(swarm, file, sizeof(swarm->buffer));
	}
}

void swarm_oracle_poll(struct swarm *swarm)
{
	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++) {
		struct swarm_file *file = &swarm->files[i];
		unsigned int expected = POLLOUT | POLLWRNORM;
		bool readable, blind = swarm->bug == SWARM_BUG_BLIND_POLL;

		if (!file->file)
			continue;
		if (file->expected && !blind)
			expected |= POLLIN | POLLRDNORM;
		if (swarm_file_fails(file))
			expected = POLLERR;
		readable = swarm_file_fails(file) || file->expected;
		if (kmod_file_poll(file->file) != expected ||
		    kmod_file_readable(file->file) != readable) {
			read_unexpected(swarm);
			swarm_fail(swarm, SWARM_POLL, "file %u on %s: poll says 0x%x and readable "
				   "%d, not 0x%x and %d; expected is TID 0x%" PRIx64, i,
				   file->port->name, kmod_file_poll(file->file),
				   kmod_file_readable(file->file), expected, readable,
				   file->expected ? get_be64(file->expected->mad + MAD_TID) : 0);
		}
		if (readable && !file->was_readable && file->wakes == file->wakes_seen)
			swarm_fail(swarm, SWARM_POLL, "file %u on %s has become readable and "
				   "nobody was woken", i, file->port->name);
		file->was_readable = readable;
		file->wakes_seen = file->wakes;
	}
}

/* ---- read ---- */

static bool is_same(const struct swarm_file *file, const struct swarm_expected *expected,
		    const uint8_t *header, const uint8_t *mad, uint32_t size)
{
	return expected->size == size && memcmp(expected->mad, mad, size) == 0 &&
	       memcmp(expected->header, header, swarm_file_header(file)) == 0;
}

/* Removes what was read from what is expected now: first in, first out, except at equal times. */
static bool take_expected(struct swarm_file *file, const uint8_t *header, const uint8_t *mad,
			  uint32_t size)
{
	struct swarm_expected **link = &file->expected;
	int64_t since_ns = TIME_NEVER;

	for (; *link; link = &(*link)->next) {
		struct swarm_expected *expected = *link;

		if (expected->since_ns > since_ns)
			return false;
		if (!expected->unsure && since_ns == TIME_NEVER)
			since_ns = expected->since_ns;
		if (!is_same(file, expected, header, mad, size))
			continue;
		*link = expected->next;
		if (!*link)
			file->expected_end = link;
		return true;
	}
	return false;
}

/* Finds out whose it is, and what is wrong with it. */
static void fail_unexpected(struct swarm *swarm, const struct swarm_file *file,
			    const uint8_t *header, const uint8_t *mad, uint32_t size)
{
	uint32_t status;

	for (unsigned int f = 0; f < SWARM_FILES_MAX; f++) {
		const struct swarm_expected *e = swarm->files[f].expected;

		for (; e && swarm->files[f].file; e = e->next)
			if (e->size == size && size > MAD_HDR_SIZE &&
			    memcmp(e->mad + MAD_HDR_SIZE, mad + MAD_HDR_SIZE,
				   size - MAD_HDR_SIZE) == 0 &&
			    (&swarm->files[f] != file || memcmp(e->header, header, 4) != 0))
				swarm_fail(swarm, SWARM_OWN, "agent %u of a file on %s has got "
					   "TID 0x%" PRIx64 ", which is another agent's",
					   header[0], file->port->name, get_be64(mad + MAD_TID));
	}
	memcpy(&status, header + 4, 4);
	if (status == ETIMEDOUT)
		swarm_fail(swarm, SWARM_ENDS, "agent %u of a file on %s is told that TID 0x%" PRIx64
			   " had no answer, which is not so", header[0], file->port->name,
			   get_be64(mad + MAD_TID));
	swarm_fail(swarm, SWARM_WHOLE, "agent %u of a file on %s has got TID 0x%" PRIx64 " class "
		   "0x%02x method 0x%02x, %u bytes, which nobody sent like this", header[0],
		   file->port->name, get_be64(mad + MAD_TID), mad[MAD_CLASS], mad[MAD_METHOD],
		   size);
}

static void take_read(struct swarm *swarm, struct swarm_file *file, const uint8_t *buf, long got)
{
	uint32_t header_size = swarm_file_header(file), status;
	uint32_t size = (uint32_t)got - header_size;
	const uint8_t *mad = buf + header_size;
	struct swarm_request *request;

	memcpy(&status, buf + 4, 4);
	if (take_expected(file, buf, mad, size)) {
		/* Everything matches. */
	} else if (file->eager && status == ETIMEDOUT && size == MAD_HDR_SIZE) {
		swarm_send_reported(swarm, file, buf, mad);
	} else if (file->eager && swarm->has_rmpp && status == 0 && swarm_is_active(mad) &&
		   buf[0] < SWARM_AGENTS && file->agents[buf[0]] &&
		   file->agents[buf[0]]->kernel_rmpp) {
		swarm_rmpp_read(swarm, file, buf, mad, size);
	} else {
		fail_unexpected(swarm, file, buf, mad, size);
	}
	if (status && swarm_bug_strikes(swarm, SWARM_BUG_END_TWICE))
		take_read(swarm, file, buf, got);
	if (status || swarm_is_response(mad) || size < 36)
		return;
	request = &file->inbox[file->inbox_count++ % SWARM_INBOX];
	request->id = buf[0];
	memcpy(request->header, buf, header_size);
	memcpy(request->mad, mad, size < MAD_SIZE ? size : MAD_SIZE);
}

/* What a read with too little room must have returned, now that the whole message is known. */
static int expect_short(uint32_t header_size, uint32_t size, size_t count)
{
	uint32_t first = size < MAD_SIZE ? size : MAD_SIZE;

	if (count < header_size + first)
		return -EINVAL;
	return count < header_size + size ? -ENOSPC : 0;
}

static void check_error(struct swarm *swarm, const struct swarm_file *file, size_t count,
			long got, int expected)
{
	if (got != expected)
		swarm_fail(swarm, SWARM_ERRNO, "read of %zu bytes on %s returns %ld, not %d", count,
			   file->port->name, got, expected);
}

long swarm_oracle_read(struct swarm *swarm, struct swarm_file *file, size_t count)
{
	uint32_t header_size = swarm_file_header(file);
	uint8_t *buf = swarm->buffer;
	long first, got;

	first = kmod_file_read(file->file, buf, count);
	if (first > 0) {
		if ((size_t)first > count)
			swarm_fail(swarm, SWARM_ERRNO, "read of %zu bytes gives %ld", count, first);
		take_read(swarm, file, buf, first);
		return first;
	}
	if (count < header_size || swarm_file_fails(file)) {
		check_error(swarm, file, count, first, count < header_size ? -EINVAL : -EIO);
		return first;
	}
	if (first == -EAGAIN && !file->expected)
		return first;
	/* A read with too little room loses nothing. */
	got = kmod_file_read(file->file, buf, sizeof(swarm->buffer));
	if (got < (long)header_size + MAD_HDR_SIZE)
		swarm_fail(swarm, SWARM_ERRNO, "read on %s returns %ld, then %ld; expected is %s",
			   file->port->name, first, got, file->expected ? "a MAD" : "nothing");
	check_error(swarm, file, count, first,
		    expect_short(header_size, (uint32_t)got - header_size, count));
	take_read(swarm, file, buf, got);
	return first;
}

void swarm_oracle_read_eager(struct swarm *swarm)
{
	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++) {
		struct swarm_file *file = &swarm->files[i];

		if (!file->file || !file->eager || swarm_file_fails(file))
			continue;
		while (kmod_file_readable(file->file)) {
			size_t count = sizeof(swarm->buffer);

			if (chance_hits(&swarm->play, 1, 4))
				count = chance_below(&swarm->play, 700);
			swarm_oracle_read(swarm, file, count);
		}
		/* A MAD that was not certain to come has not come. */
		while (file->expected && file->expected->unsure)
			file->expected = file->expected->next;
		if (!file->expected)
			file->expected_end = &file->expected;
	}
}
