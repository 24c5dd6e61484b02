/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a step does to a kernel: calls of its files, MADs that are written or arrive, devices.
 */
#include <string.h>

#include "tests/kernels/duel-play.h"

/* ---- steps of files ---- */

static void open_file(struct duel_play *play, struct duel_side_file *file)
{
	struct duel_side_port *port = &play->ports[file - play->files >= DUEL_FILES / 2];
	struct rig_file *opened;
	int err;

	if (file->file || !port->at->port)
		return;
	opened = g_new0(struct rig_file, 1);
	opened->at = port->at;
	err = kmod_file_open(port->at->port, opened, &opened->file);
	duel_say(play, port->at, "open: %d", err);
	if (err) {
		g_free(opened);
		return;
	}
	*file = (struct duel_side_file){ .file = opened, .eager = play->numbers[DUEL_EAGER] };
}

void duel_close(struct duel_side_file *file)
{
	kmod_file_close(file->file->file);
	g_free(file->file);
	file->file = NULL;
}

static uint8_t rmpp_of(const uint32_t *n)
{
	return n[DUEL_RMPP] == DUEL_OF_THE_CLASS ? mad_class_has_rmpp(n[DUEL_CLASS]) :
						   (uint8_t)n[DUEL_RMPP];
}

static void register_v1(struct duel_play *play, struct duel_side_file *file)
{
	const uint32_t *n = play->numbers;
	struct ib_user_mad_reg_req req = {
		.method_mask = { n[DUEL_METHODS] },
		.qpn = (uint8_t)n[DUEL_QPN],
		.mgmt_class = (uint8_t)n[DUEL_CLASS],
		.mgmt_class_version = (uint8_t)n[DUEL_CLASS_VERSION],
		.rmpp_version = rmpp_of(n),
	};
	int err;

	if (n[DUEL_QPN] == DUEL_OF_THE_CLASS)
		req.qpn = !mad_class_is_smp(n[DUEL_CLASS]);
	put_be24(req.oui, n[DUEL_OUI]);
	err = kmod_file_ioctl(file->file->file, UMAD_COMMAND_REGISTER_AGENT, &req);
	duel_say(play, file->file->at, "register: %d id=%u", err, req.id);
	file->registered |= err == 0;
}

static void register_v2(struct duel_play *play, struct duel_side_file *file)
{
	const uint32_t *n = play->numbers;
	struct ib_user_mad_reg_req2 req = {
		.method_mask = { n[DUEL_METHODS] },
		.qpn = n[DUEL_QPN],
		.mgmt_class = (uint8_t)n[DUEL_CLASS],
		.mgmt_class_version = (uint8_t)n[DUEL_CLASS_VERSION],
		.flags = n[DUEL_FLAGS],
		.oui = n[DUEL_OUI],
		.rmpp_version = rmpp_of(n),
	};
	int err;

	if (n[DUEL_QPN] == DUEL_OF_THE_CLASS)
		req.qpn = !mad_class_is_smp(n[DUEL_CLASS]);
	err = kmod_file_ioctl(file->file->file, UMAD_COMMAND_REGISTER_AGENT2, &req);
	duel_say(play, file->file->at, "register: %d id=%u flags=0x%x", err, req.id, req.flags);
	/* linux-mad A.4: it enables P_Keys. */
	file->wide |= err == 0 && !file->registered;
	file->registered |= err == 0;
}

/* See waits(): whatever else happens is said before what it returns. */
static void unregister(struct duel_play *play, struct duel_side_file *file)
{
	uint32_t id = play->numbers[DUEL_ID];
	int err = kmod_file_ioctl(file->file->file, UMAD_COMMAND_UNREGISTER_AGENT, &id);

	duel_run(play, play->rig->queue.now_ns);
	duel_look(play);
	duel_say(play, file->file->at, "unregister: %d", err);
}

static void enable_pkey(struct duel_play *play, struct duel_side_file *file)
{
	int err = kmod_file_ioctl(file->file->file, UMAD_COMMAND_ENABLE_PKEY, NULL);

	duel_say(play, file->file->at, "enable P_Keys: %d", err);
	file->wide |= err == 0;
}

/* ---- MADs ---- */

static void put_rmpp(const uint32_t *n, uint32_t segment, uint8_t mad[MAD_SIZE])
{
	mad[RMPP_VERSION] = (uint8_t)n[DUEL_RMPP_VERSION];
	mad[RMPP_TYPE] = (uint8_t)n[DUEL_RMPP_TYPE];
	mad[RMPP_FLAGS] = (uint8_t)n[DUEL_RMPP_FLAGS];
	mad[RMPP_STATUS] = (uint8_t)n[DUEL_RMPP_STATUS];
	put_be32(mad + RMPP_SEGMENT, segment);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, n[DUEL_LENGTH]);
}

static void put_mad(const uint32_t *n, uint8_t mad[MAD_SIZE])
{
	uint32_t segment = n[DUEL_SEGMENT] == DUEL_NEXT ? 1 : n[DUEL_SEGMENT];

	memset(mad, 0, MAD_SIZE);
	for (unsigned int i = RMPP_END; i < MAD_SIZE; i++)
		mad[i] = rig_data_byte(i + segment * 4);
	mad[MAD_BASE_VERSION] = (uint8_t)n[DUEL_BASE_VERSION];
	mad[MAD_CLASS] = (uint8_t)n[DUEL_CLASS];
	mad[MAD_CLASS_VERSION] = (uint8_t)n[DUEL_CLASS_VERSION];
	mad[MAD_METHOD] = (uint8_t)n[DUEL_METHOD];
	put_be16(mad + MAD_STATUS, (uint16_t)n[DUEL_STATUS]);
	put_be32(mad + MAD_TID, n[DUEL_HI]);
	put_be32(mad + MAD_TID + 4, n[DUEL_TID]);
	put_be16(mad + MAD_ATTR_ID, (uint16_t)n[DUEL_ATTRIBUTE]);
	put_be32(mad + MAD_ATTR_MOD, n[DUEL_MODIFIER]);
	if (n[DUEL_RMPP_FLAGS])
		put_rmpp(n, segment, mad);
	if (mad_class_is_vendor2(n[DUEL_CLASS]))
		put_be24(mad + VENDOR2_OUI, n[DUEL_OUI]);
	if (n[DUEL_CLASS] == MAD_CLASS_SUBN_DR) {
		memset(mad + MAD_HDR_SIZE, 0, MAD_SIZE - MAD_HDR_SIZE);
		mad[SMP_HOP_PTR] = (uint8_t)n[DUEL_HOP_POINTER];
		mad[SMP_HOP_CNT] = (uint8_t)n[DUEL_HOP_COUNT];
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		memset(mad + SMP_INITIAL_PATH, 1, SMP_PATH_SIZE);
		memset(mad + SMP_RETURN_PATH, 1, SMP_PATH_SIZE);
	}
}

static uint16_t lid_of(const uint32_t *n, const struct rig_port *at)
{
	if (n[DUEL_LID] == DUEL_OTHER_PORT)
		return at->name == 'A' ? at->rig->b.attr.lid : at->rig->a.attr.lid;
	return n[DUEL_LID] == DUEL_OWN_PORT ? at->attr.lid : (uint16_t)n[DUEL_LID];
}

static struct rig_route route_of(const uint32_t *n, const struct rig_port *at)
{
	return (struct rig_route){
		.lid = lid_of(n, at),
		.path_bits = (uint8_t)n[DUEL_PATH_BITS],
		.grh = n[DUEL_GRH],
		.gid_index = (uint8_t)n[DUEL_GID_INDEX],
		.qpn = (uint8_t)n[DUEL_QPN],
		.qpn_set = n[DUEL_QPN] != DUEL_OF_THE_CLASS,
		.timeout_ms = n[DUEL_TIMEOUT_MS],
		.retries = n[DUEL_RETRIES],
	};
}

/* Offsets in the header of a write (linux-mad A.2) that the rig leaves at 0. */
enum { HEADER_QKEY = 24, HEADER_LID = 28, HEADER_SL = 30, HEADER_GRH = 32, HEADER_HOP_LIMIT = 34,
       HEADER_TRAFFIC_CLASS = 35, HEADER_FLOW_LABEL = 52, HEADER_PKEY_INDEX = 56 };

static void put_header(const uint32_t *n, const struct rig_file *file, uint8_t *header)
{
	const struct rig_route route = route_of(n, file->at);
	uint16_t pkey_index = (uint16_t)n[DUEL_PKEY_INDEX];

	rig_header_bytes(file, n[DUEL_ID], &route, (uint8_t)n[DUEL_CLASS], header);
	put_be32(header + HEADER_QKEY, n[DUEL_QKEY]);
	put_be16(header + HEADER_LID, route.lid);
	header[HEADER_SL] = 3;
	header[HEADER_GRH] = (uint8_t)n[DUEL_GRH];
	if (n[DUEL_GRH]) {
		header[HEADER_HOP_LIMIT] = 7;
		header[HEADER_TRAFFIC_CLASS] = 9;
		put_be32(header + HEADER_FLOW_LABEL, 0x54321);
	}
	memcpy(header + HEADER_PKEY_INDEX, &pkey_index, sizeof(pkey_index));
}

/* Writes 'size' bytes of MAD, which follow the header of 64 in the buffer. */
static void write_file(struct duel_play *play, struct duel_side_file *file, size_t size)
{
	unsigned int header = file->wide ? 64 : 56;
	uint8_t *from = play->buffer + RIG_HEADER_SIZE - header;
	long written;

	memmove(from, play->buffer, header);
	written = kmod_file_write(file->file->file, from, header + size);
	duel_say(play, file->file->at, "write of %zu: %ld", header + size, written);
}

static void send_mad(struct duel_play *play, struct duel_side_file *file)
{
	uint8_t *mad = play->buffer + RIG_HEADER_SIZE;

	for (uint32_t i = 0; i < play->numbers[DUEL_TIMES]; i++) {
		memset(mad, 0, 2000);
		put_header(play->numbers, file->file, play->buffer);
		put_mad(play->numbers, mad);
		put_be32(mad + MAD_TID + 4, play->numbers[DUEL_TID] + i);
		write_file(play, file, play->numbers[DUEL_SIZE]);
	}
}

static size_t put_data(struct duel_play *play, uint8_t *mad)
{
	size_t header = mad_class_header_size(mad[MAD_CLASS]), size = play->numbers[DUEL_DATA];

	for (size_t i = 0; i < size; i++)
		mad[header + i] = rig_data_byte(i);
	return header + size;
}

static void send_message(struct duel_play *play, struct duel_side_file *file)
{
	uint8_t *mad = play->buffer + RIG_HEADER_SIZE;

	put_header(play->numbers, file->file, play->buffer);
	put_mad(play->numbers, mad);
	mad[RMPP_FLAGS] |= RMPP_FLAG_ACTIVE;
	write_file(play, file, put_data(play, mad));
}

/* As programs do it: the header is what was read. */
static void reply(struct duel_play *play, struct duel_side_file *file)
{
	const uint32_t *n = play->numbers;
	uint8_t *mad = play->buffer + RIG_HEADER_SIZE;
	size_t size = MAD_SIZE, header = file->wide ? 64 : 56;

	if (!file->has_last)
		return;
	memset(play->buffer, 0, RIG_HEADER_SIZE);
	memcpy(play->buffer, file->last, header);
	memcpy(mad, file->last + header, MAD_SIZE);
	memset(play->buffer + 4, 0, 4);
	memcpy(play->buffer + 8, &n[DUEL_TIMEOUT_MS], 4);
	memcpy(play->buffer + 12, &n[DUEL_RETRIES], 4);
	mad[MAD_METHOD] ^= MAD_METHOD_RESPONSE;
	if (n[DUEL_RMPP_FLAGS] && mad_class_has_rmpp(mad[MAD_CLASS])) {
		memset(mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = RMPP_TYPE_DATA;
		mad[RMPP_FLAGS] = (uint8_t)n[DUEL_RMPP_FLAGS];
		size = put_data(play, mad);
	}
	write_file(play, file, size);
}

static void play_file_step(struct duel_play *play, enum duel_kind kind, struct duel_side_file *file)
{
	if (kind == DUEL_OPEN)
		open_file(play, file);
	else if (!file->file)
		return;
	else if (kind == DUEL_CLOSE)
		duel_close(file);
	else if (kind == DUEL_ENABLE_PKEY)
		enable_pkey(play, file);
	else if (kind == DUEL_REGISTER && play->numbers[DUEL_ABI] == 1)
		register_v1(play, file);
	else if (kind == DUEL_REGISTER)
		register_v2(play, file);
	else if (kind == DUEL_UNREGISTER)
		unregister(play, file);
	else if (kind == DUEL_SEND)
		send_mad(play, file);
	else if (kind == DUEL_MESSAGE)
		send_message(play, file);
	else if (kind == DUEL_REPLY)
		reply(play, file);
	else
		duel_read(play, file, play->numbers[DUEL_COUNT]);
}

/* ---- steps of ports ---- */

static void arrive(struct duel_play *play, struct duel_side_port *port, const uint8_t *mad)
{
	struct rig_route route = route_of(play->numbers, port->at);
	unsigned int pkey_index = play->numbers[DUEL_PKEY_INDEX];

	route.gid_index %= G_N_ELEMENTS(port->at->gids);
	route.pkey = port->at->pkeys[pkey_index % G_N_ELEMENTS(port->at->pkeys)];
	rig_inject_bytes(port->at, mad, &route);
}

/* Of an answer. */
static uint32_t next_segment(const uint32_t *n, struct duel_side_port *port)
{
	if (n[DUEL_RMPP_TYPE] != RMPP_TYPE_DATA)
		return n[DUEL_SEGMENT] == DUEL_NEXT ? get_be32(port->last + RMPP_SEGMENT) :
						      n[DUEL_SEGMENT];
	if (n[DUEL_SEGMENT] != DUEL_NEXT)
		port->segment = n[DUEL_SEGMENT];
	else if (n[DUEL_RMPP_FLAGS] & RMPP_FLAG_FIRST)
		port->segment = 1;
	else
		port->segment++;
	return port->segment;
}

static void answer(struct duel_play *play, struct duel_side_port *port)
{
	const uint32_t *n = play->numbers;
	uint8_t mad[MAD_SIZE];

	if (!port->has_last)
		return;
	memcpy(mad, port->last, MAD_SIZE);
	mad[MAD_METHOD] ^= MAD_METHOD_RESPONSE;
	put_be16(mad + MAD_STATUS, (uint16_t)n[DUEL_STATUS]);
	if (n[DUEL_RMPP_FLAGS])
		put_rmpp(n, next_segment(n, port), mad);
	arrive(play, port, mad);
}

static void again(struct duel_play *play, struct duel_side_port *port)
{
	const struct duel_side_port *other = &play->ports[port == &play->ports[0]];

	if (other->has_last)
		rig_inject_bytes(port->at, other->last, &(struct rig_route){ 0 });
}

static void plug(struct duel_play *play, struct duel_side_port *port)
{
	const char name[] = { port->at->name, '[', '1', ']', '\0' };

	port->at->attr.has_smi = play->numbers[DUEL_SMI];
	port->at->port = kmod_port_new(port->at->host, &port->at->attr, port->at, name);
}

static void remove_port(struct duel_play *play, struct duel_side_port *port)
{
	struct kmod_port *going = port->at->port;

	(void)play;
	port->at->port = NULL;
	kmod_port_remove(going);
}

static void issm(struct duel_play *play, struct duel_side_port *port, bool opens)
{
	if (!opens && port->issm) {
		kmod_issm_close(port->issm);
		port->issm = NULL;
	} else if (opens && (!port->issm || port->issm == port->at->port)) {
		int err = kmod_issm_open(port->at->port);

		duel_say(play, port->at, "issm open: %d", err);
		if (err == 0)
			port->issm = port->at->port;
	}
}

static void expire(struct duel_play *play, struct duel_side_port *port)
{
	const uint32_t *n = play->numbers;

	/*
	 * Linux has no such function: what is in the QP at this instant may count as waiting, or
	 * not yet.
	 */
	duel_run(play, play->rig->queue.now_ns);
	duel_say(play, port->at, "expire: %u",
		 kmod_port_expire(port->at->port, (uint64_t)n[DUEL_HI] << 32 | n[DUEL_TID],
				  (uint8_t)n[DUEL_CLASS]));
}

static void play_port_step(struct duel_play *play, enum duel_kind kind, struct duel_side_port *port)
{
	uint8_t mad[MAD_SIZE];

	if (kind == DUEL_ISSM_CLOSE) {
		issm(play, port, false);
	} else if (!port->at->port) {
		if (kind == DUEL_PLUG)
			plug(play, port);
	} else if (kind == DUEL_ARRIVE) {
		put_mad(play->numbers, mad);
		arrive(play, port, mad);
	} else if (kind == DUEL_ANSWER) {
		answer(play, port);
	} else if (kind == DUEL_AGAIN) {
		again(play, port);
	} else if (kind == DUEL_LOSE) {
		port->skips = play->numbers[DUEL_SKIP];
		port->loses = play->numbers[DUEL_PACKETS];
	} else if (kind == DUEL_EXPIRE) {
		expire(play, port);
	} else if (kind == DUEL_ISSM_OPEN) {
		issm(play, port, true);
	} else if (kind == DUEL_REMOVE) {
		remove_port(play, port);
	}
}

/*
 * In Linux the call returns when the sends that are in the QP have come back, which here happens in
 * this instant; a kernel behind kmod-stub/kmod.h may wait for it, or return before it.
 */
static bool waits(enum duel_kind kind)
{
	return kind == DUEL_CLOSE || kind == DUEL_UNREGISTER || kind == DUEL_REMOVE;
}

void duel_play_step(struct duel_play *play, const struct duel_step *step)
{
	const uint32_t *n = step->numbers;
	int64_t now_ns = play->rig->queue.now_ns;

	play->numbers = n;
	switch (step->kind) {
	case DUEL_OPEN:
	case DUEL_CLOSE:
	case DUEL_ENABLE_PKEY:
	case DUEL_REGISTER:
	case DUEL_UNREGISTER:
	case DUEL_SEND:
	case DUEL_MESSAGE:
	case DUEL_REPLY:
	case DUEL_READ:
		play_file_step(play, step->kind, &play->files[n[DUEL_FILE]]);
		break;
	case DUEL_ARRIVE:
	case DUEL_ANSWER:
	case DUEL_AGAIN:
	case DUEL_LOSE:
	case DUEL_EXPIRE:
	case DUEL_ISSM_OPEN:
	case DUEL_ISSM_CLOSE:
	case DUEL_REMOVE:
	case DUEL_PLUG:
		play_port_step(play, step->kind, &play->ports[n[DUEL_PORT]]);
		break;
	case DUEL_TIME:
		duel_run(play, now_ns + n[DUEL_MS] * NS_PER_MS);
		break;
	case DUEL_KIND_COUNT:
		break;
	}
	if (waits(step->kind))
		duel_run(play, now_ns);
	duel_look(play);
}
