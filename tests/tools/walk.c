/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reads a fabric with directed-route SMPs, many at a time. See tests/tools/walk.h.
 */
#include "tests/tools/walk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum {
	ATTR_NODE_DESCRIPTION = 0x10,
	ATTR_NODE_INFO = 0x11,
	ATTR_SWITCH_INFO = 0x12,
	ATTR_PORT_INFO = 0x15,
	ATTR_PKEY_TABLE = 0x16,
	ATTR_LFT = 0x19,
	ATTR_MFT = 0x1b,
	OUTSTANDING_MAX = 32,
};

struct question {
	struct walk_port *port;		/* what it is about; NULL: a NodeInfo of a new port */
	struct walk_port *from;		/* of a NodeInfo: the port it left by; NULL: none */
	struct walk_path path;
	uint16_t attribute;
	uint32_t modifier;
	uint16_t lid;			/* 0: by the path */
};

struct asker {
	struct walk *walk;
	GArray *questions;		/* of struct question: sent up to 'asked' */
	guint asked, answered;
	unsigned int right;		/* walk_round_trips() */
	int fd, directed, routed;	/* the port and its agents */
	uint8_t *umad;
};

const char *walk_name(const struct walk_port *port, char *buf, size_t size)
{
	snprintf(buf, size, "%s[%u]", port->node->description, port->num);
	return buf;
}

void walk_wrong(struct walk *walk, const char *format, ...)
{
	va_list args;

	if (walk->wrong++ >= walk->wrong_max)
		return;
	va_start(args, format);
	printf("wrong: ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

/* ---- questions ---- */

static void ask(struct asker *asker, struct walk_port *port, const struct walk_path *path,
		uint16_t attribute, uint32_t modifier)
{
	struct question question = { .port = port, .path = *path, .attribute = attribute,
				     .modifier = modifier };

	g_array_append_val(asker->questions, question);
}

static void ask_who(struct asker *asker, struct walk_port *from)
{
	struct question question = { .from = from, .attribute = ATTR_NODE_INFO };

	if (from) {
		question.path = from->path;
		if (question.path.hops >= WALK_HOPS_MAX)
			return;
		question.path.ports[++question.path.hops] = from->num;
	}
	g_array_append_val(asker->questions, question);
}

static int send_question(struct asker *asker, guint number)
{
	const struct question *question = &g_array_index(asker->questions, struct question, number);
	uint8_t *mad = umad_get_mad(asker->umad);
	bool directed = question->lid == 0;

	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = directed ? MAD_CLASS_SUBN_DR : MAD_CLASS_SUBN_LID;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	put_be64(mad + MAD_TID, number);
	put_be16(mad + MAD_ATTR_ID, question->attribute);
	put_be32(mad + MAD_ATTR_MOD, question->modifier);
	if (directed) {
		mad[SMP_HOP_CNT] = question->path.hops;
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		memcpy(mad + SMP_INITIAL_PATH, question->path.ports, sizeof(question->path.ports));
	}
	umad_set_addr(asker->umad, directed ? LID_PERMISSIVE : question->lid, 0, 0, 0);
	return umad_send(asker->fd, directed ? asker->directed : asker->routed, asker->umad,
			 MAD_SIZE, (int)asker->walk->timeout_ms, (int)asker->walk->retries);
}

/* ---- answers ---- */

static struct walk_node *add_node(struct walk *walk, const uint8_t *info)
{
	struct walk_node *node = g_new0(struct walk_node, 1);

	node->guid = get_be64(info + 12);
	node->type = info[2];
	node->port_count = info[3];
	node->index = walk->nodes->len;
	node->ports = g_new0(struct walk_port, node->port_count + 1U);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		node->ports[num].node = node;
		node->ports[num].num = (uint8_t)num;
	}
	g_ptr_array_add(walk->nodes, node);
	g_hash_table_insert(walk->by_guid, &node->guid, node);
	if (node->type == WALK_SWITCH) {
		node->switch_index = walk->switches->len;
		g_ptr_array_add(walk->switches, node);
	}
	return node;
}

static void ask_end(struct asker *asker, struct walk_port *end, const struct walk_path *path)
{
	end->is_end = true;
	end->path = *path;
	g_ptr_array_add(asker->walk->ends, end);
	ask(asker, end, path, ATTR_PORT_INFO, end->num);
	ask(asker, end, path, ATTR_PKEY_TABLE, 0);
	ask(asker, end, path, ATTR_NODE_DESCRIPTION, 0);
}

static void ask_switch(struct asker *asker, struct walk_node *node, const struct walk_path *path)
{
	ask_end(asker, &node->ports[0], path);
	ask(asker, &node->ports[0], path, ATTR_SWITCH_INFO, 0);
	for (unsigned int num = 1; num <= node->port_count; num++) {
		node->ports[num].path = *path;
		ask(asker, &node->ports[num], path, ATTR_PORT_INFO, num);
	}
}

static void join(struct walk *walk, struct walk_port *from, struct walk_port *to)
{
	char a[96], b[96];

	if (!from)
		return;
	if ((from->peer && from->peer != to) || (to->peer && to->peer != from))
		walk_wrong(walk, "%s and %s: one of them has another cable",
			   walk_name(from, a, sizeof(a)), walk_name(to, b, sizeof(b)));
	from->peer = to;
	to->peer = from;
}

static void take_node(struct asker *asker, const struct question *question, const uint8_t *info)
{
	struct walk *walk = asker->walk;
	uint64_t guid = get_be64(info + 12);
	struct walk_node *node = g_hash_table_lookup(walk->by_guid, &guid);
	unsigned int num = info[36];
	bool is_new = !node;
	struct walk_port *port;

	if (is_new)
		node = add_node(walk, info);
	if (num > node->port_count) {
		walk_wrong(walk, "LocalPortNum %u of %u", num, node->port_count);
		return;
	}
	port = &node->ports[num];
	join(walk, question->from, port);
	if (!question->from)
		walk->own = node->type == WALK_SWITCH ? &node->ports[0] : port;
	if (node->type == WALK_SWITCH) {
		node->ports[0].guid = get_be64(info + 20);
		if (is_new)
			ask_switch(asker, node, &question->path);
	} else if (!port->is_end) {
		port->guid = get_be64(info + 20);
		ask_end(asker, port, &question->path);
		/* Goes on from the local node, and from switches; other CAs do not forward. */
		if (!question->from)
			ask_who(asker, port);
	}
}

static void take_port(struct asker *asker, const struct question *question, const uint8_t *info)
{
	struct walk_port *port = question->port;

	port->gid_prefix = get_be64(info + 8);
	port->lid = get_be16(info + 16);
	port->sm_lid = get_be16(info + 18);
	port->cap_mask = get_be32(info + 20);
	port->state = info[32] & 0xf;
	port->phys_state = info[33] >> 4;
	port->lmc = info[34] & 7;
	port->mtu = info[36] >> 4;
	port->vl_cap = info[37] >> 4;
	port->mtu_cap = info[41] & 0xf;
	port->vls = info[43] >> 4;
	if (port->node->type == WALK_SWITCH && port->num && port->state >= WALK_INIT)
		ask_who(asker, port);
}

static void take_switch(struct asker *asker, const struct question *question, const uint8_t *info)
{
	struct walk_node *node = question->port->node;
	unsigned int top = get_be16(info + 6), top_mlid = get_be16(info + 18);

	node->lft_size = top + 1;
	node->lft = g_malloc0((node->lft_size + 63) / 64 * 64);
	for (uint32_t block = 0; block < (node->lft_size + 63) / 64; block++)
		ask(asker, question->port, &question->path, ATTR_LFT, block);
	/* A top of 0: the switch has none, and its whole table counts. */
	if (top_mlid == 0)
		top_mlid = WALK_MLID_FIRST + get_be16(info + 4) - 1U;
	top_mlid = MIN(top_mlid, asker->walk->top_mlid);
	if (top_mlid < WALK_MLID_FIRST)
		return;
	node->mft_size = (top_mlid - WALK_MLID_FIRST + 1U + 31) / 32 * 32;
	node->mft = g_new0(uint16_t, node->mft_size * WALK_TABLE_PORTS);
	for (uint32_t block = 0; block < node->mft_size / 32; block++) {
		for (uint32_t part = 0; part <= node->port_count / 16U; part++)
			ask(asker, question->port, &question->path, ATTR_MFT, part << 28 | block);
	}
}

static void take_mft(const struct question *question, const uint8_t *data)
{
	struct walk_node *node = question->port->node;
	uint32_t block = question->modifier & 0x1ff, part = question->modifier >> 28;

	for (uint32_t i = 0; i < 32; i++)
		node->mft[(block * 32 + i) * WALK_TABLE_PORTS + part] = get_be16(data + 2 * i);
}

/* For requests by LID: does the response come from the port with that LID? */
static void take_round_trip(struct asker *asker, const struct question *question,
			    const uint8_t *info)
{
	char name[96];

	if (get_be64(info + 20) == question->port->guid)
		asker->right++;
	else
		walk_wrong(asker->walk, "LID %u: 0x%016" G_GINT64_MODIFIER "x answers, not %s",
			   question->lid, get_be64(info + 20),
			   walk_name(question->port, name, sizeof(name)));
}

static void take(struct asker *asker, const struct question *question, const uint8_t *mad)
{
	const uint8_t *data = mad + SMP_DATA;

	switch (question->attribute) {
	case ATTR_NODE_INFO:
		if (question->lid)
			take_round_trip(asker, question, data);
		else
			take_node(asker, question, data);
		break;
	case ATTR_NODE_DESCRIPTION:
		memcpy(question->port->node->description, data, 64);
		break;
	case ATTR_PORT_INFO:
		take_port(asker, question, data);
		break;
	case ATTR_SWITCH_INFO:
		take_switch(asker, question, data);
		break;
	case ATTR_PKEY_TABLE:
		for (unsigned int i = 0; i < 32; i++)
			question->port->pkeys[i] = get_be16(data + 2 * i);
		break;
	case ATTR_LFT:
		memcpy(question->port->node->lft + (size_t)question->modifier * 64, data, 64);
		break;
	case ATTR_MFT:
		take_mft(question, data);
		break;
	}
}

static void take_failure(struct asker *asker, const struct question *question, int status)
{
	const struct walk_port *port = question->port ? question->port : question->from;
	char name[96];

	walk_wrong(asker->walk, "attribute 0x%04x modifier 0x%x %s %s, LID %u: %s 0x%x",
		   question->attribute, question->modifier, question->port ? "of" : "beyond",
		   port ? walk_name(port, name, sizeof(name)) : "here", question->lid,
		   status == ETIMEDOUT ? "no answer," : "status", (unsigned int)status);
}

/* False: the port returns nothing any more. */
static bool take_next(struct asker *asker)
{
	uint8_t *mad = umad_get_mad(asker->umad);
	struct question question;
	uint32_t number;
	int length = MAD_SIZE;

	if (umad_recv(asker->fd, asker->umad, &length, -1) < 0)
		return false;
	number = get_be32(mad + MAD_TID + 4);
	if (number >= asker->asked)
		return true;
	asker->answered++;
	question = g_array_index(asker->questions, struct question, number);
	if (umad_status(asker->umad))
		take_failure(asker, &question, umad_status(asker->umad));
	else if (get_be16(mad + MAD_STATUS) & 0x7fff)
		take_failure(asker, &question, get_be16(mad + MAD_STATUS));
	else
		take(asker, &question, mad);
	return true;
}

/* Runs until everything has been requested and answered. */
static bool ask_all(struct asker *asker)
{
	while (asker->answered < asker->questions->len) {
		while (asker->asked < asker->questions->len &&
		       asker->asked - asker->answered < OUTSTANDING_MAX) {
			if (send_question(asker, asker->asked) < 0)
				return false;
			asker->asked++;
		}
		if (!take_next(asker))
			return false;
	}
	return true;
}

static bool asker_open(struct asker *asker, struct walk *walk, const char *ca, int num)
{
	*asker = (struct asker){ .walk = walk };
	asker->fd = umad_open_port(ca, num);
	if (asker->fd < 0) {
		fprintf(stderr, "umad_open_port: %s\n", strerror(-asker->fd));
		return false;
	}
	asker->directed = umad_register(asker->fd, MAD_CLASS_SUBN_DR, 1, 0, NULL);
	asker->routed = umad_register(asker->fd, MAD_CLASS_SUBN_LID, 1, 0, NULL);
	asker->umad = umad_alloc(1, umad_size() + MAD_SIZE);
	asker->questions = g_array_new(false, false, sizeof(struct question));
	return asker->directed >= 0 && asker->routed >= 0 && asker->umad;
}

static bool asker_run(struct asker *asker)
{
	bool good = ask_all(asker);

	if (!good)
		fprintf(stderr, "the port has stopped working\n");
	umad_close_port(asker->fd);
	umad_free(asker->umad);
	g_array_free(asker->questions, true);
	return good;
}

/* ---- the whole ---- */

bool walk_read(struct walk *walk, const char *ca, int num)
{
	struct asker asker;

	walk->nodes = g_ptr_array_new();
	walk->switches = g_ptr_array_new();
	walk->ends = g_ptr_array_new();
	walk->by_guid = g_hash_table_new(g_int64_hash, g_int64_equal);
	walk->by_lid = g_new0(struct walk_port *, LID_UNICAST_MAX + 1);
	if (!asker_open(&asker, walk, ca, num))
		return false;
	ask_who(&asker, NULL);
	return asker_run(&asker) && walk->own;
}

unsigned int walk_round_trips(struct walk *walk, const char *ca, int num)
{
	struct asker asker;

	if (!asker_open(&asker, walk, ca, num))
		return 0;
	for (unsigned int lid = 1; lid <= LID_UNICAST_MAX; lid++) {
		struct question question = { .port = walk->by_lid[lid], .lid = (uint16_t)lid,
					     .attribute = ATTR_NODE_INFO };

		if (question.port)
			g_array_append_val(asker.questions, question);
	}
	asker_run(&asker);
	return asker.right;
}

void walk_clear(struct walk *walk)
{
	for (guint i = 0; i < walk->nodes->len; i++) {
		struct walk_node *node = g_ptr_array_index(walk->nodes, i);

		g_free(node->ports);
		g_free(node->lft);
		g_free(node->mft);
		g_free(node);
	}
	g_ptr_array_unref(walk->nodes);
	g_ptr_array_unref(walk->switches);
	g_ptr_array_unref(walk->ends);
	g_hash_table_unref(walk->by_guid);
	g_free(walk->by_lid);
}
