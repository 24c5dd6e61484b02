/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * OpenSM's subnet list (opensm-subnet.lst, ibdiagnet's .lst): a line for each end of each cable.
 *
 *	{ SW Ports:24 SystemGUID:8f1040 NodeGUID:8f1041 PortGUID:8f1041 VenID:0008F1 DevID:5A3A
 *	  Rev:000000A1 {leaf 1} LID:0003 PN:07 } { CA-SM Ports:02 ... } PHY=4x LOG=ACT SPD=10
 *
 * (one line; hexadecimal without 0x). A node is described again in each of its lines and in those
 * of its peers, where some versions leave something out: the first of its own lines is the one that
 * counts.
 *
 * Some files call every node a CA. Each port of a CA has a GUID and LID of its own (IBA vol 1,
 * 14.2.5.3: only on a switch does NodeInfo.PortGUID mean all ports), so a "CA" with the same port
 * GUID and LID at several ports is a switch, and so is every "CA" of the same make.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/foreign.h"
#include "sim/topology/format.h"
#include "sim/topology/reader.h"

/* No adapter has more ports: a diagnostic, if nothing shows that it is a switch. */
#define ADAPTER_PORTS_MAX 4

/* What one pair of braces says. */
struct block {
	enum topology_kind kind;
	uint64_t port_count, system_guid, node_guid, port_guid;
	uint64_t vendor_id, device_id, revision, lid, port;
	struct span description;
};

/* What is known about a node in addition to the topology. */
struct sighting {
	bool own_line;		/* not only seen as a peer */
	bool shared;		/* one port GUID and LID at several ports */
};

struct list_reader {
	struct topology_reader *reader;
	GHashTable *guids;	/* node GUID -> index in nodes + 1 */
	GArray *sightings;	/* of struct sighting, by node */
};

/* ---- one line ---- */

static bool kind_parse(struct span word, enum topology_kind *ret)
{
	static const struct {
		const char *name;
		enum topology_kind kind;
	} kinds[] = {
		{ "CA", TOPOLOGY_CA }, { "SW", TOPOLOGY_SWITCH },
		{ "Rt", TOPOLOGY_ROUTER }, { "RT", TOPOLOGY_ROUTER },
	};
	const char *dash = span_find(word, '-');

	/* "-SM": the subnet manager was on this node. */
	if (dash)
		word.end = dash;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!span_equals(word, kinds[i].name))
			continue;
		*ret = kinds[i].kind;
		return true;
	}
	return false;
}

/* Parses "Ports:18" and the like into the block; false if it is another word or has no number. */
static bool field_parse(struct span word, struct block *block)
{
	const struct {
		const char *key;
		uint64_t *value;
	} fields[] = {
		{ "Ports:", &block->port_count }, { "SystemGUID:", &block->system_guid },
		{ "NodeGUID:", &block->node_guid }, { "PortGUID:", &block->port_guid },
		{ "VenID:", &block->vendor_id }, { "DevID:", &block->device_id },
		{ "Rev:", &block->revision }, { "LID:", &block->lid }, { "PN:", &block->port },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (cursor_skip(&word, fields[i].key))
			return span_hex(word, fields[i].value);
	return false;
}

/* Parses fields up to 'end', and moves the cursor past it. */
static bool fields_parse(struct span *cursor, const char *end, struct block *block)
{
	struct span word;

	for (;;) {
		cursor_skip_blanks(cursor);
		if (cursor_skip(cursor, end))
			return true;
		if (!cursor_word(cursor, &word) || !field_parse(word, block))
			return false;
	}
}

/* "{ SW Ports:.. {description} LID:.. PN:.. }" */
static bool block_parse(struct span *cursor, struct block *ret)
{
	struct block block = { 0 };
	struct span word;

	cursor_skip_blanks(cursor);
	if (!cursor_skip(cursor, "{") || !cursor_word(cursor, &word) ||
	    !kind_parse(word, &block.kind) || !fields_parse(cursor, "{", &block))
		return false;

	/* Descriptions may have braces: the description ends where its LID follows. */
	const char *end = span_find_text(*cursor, "} LID:");

	if (!end)
		return false;
	block.description = (struct span){ cursor->at, end };
	cursor->at = end + 1;
	if (!fields_parse(cursor, "}", &block) || !block.node_guid)
		return false;
	*ret = block;
	return true;
}

/* "PHY=4x LOG=ACT SPD=2.5"; the link's state is not taken over, it is up to the SM. */
static void rate_parse(struct topology_reader *reader, struct span rest, struct topology_port *port)
{
	struct span word;

	while (cursor_word(&rest, &word)) {
		struct span value = word;

		if (cursor_skip(&value, "LOG=") ||
		    (cursor_skip(&value, "SPD=") && topology_lane_speed_parse(value, port)))
			continue;
		value = word;
		if (cursor_skip(&value, "PHY=") && topology_width_parse(value, port))
			continue;
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "'%.*s' not understood; skipped; after the braces come PHY=4x "
				  "LOG=ACT SPD=2.5 (5 10 FDR10 14 25 50 100 200)", SHOWN(word));
	}
}

/* ---- nodes ---- */

/* Some files have the id shifted left by 16 bits: 5A440000. */
static uint16_t device_id(struct topology_reader *reader, const struct block *block)
{
	if (block->device_id <= UINT16_MAX)
		return (uint16_t)block->device_id;
	if (block->device_id <= UINT32_MAX && !(block->device_id & UINT16_MAX))
		return (uint16_t)(block->device_id >> 16);
	topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
			  "DevID " GUID_FORMAT " has more than 4 digits; ignored",
			  block->device_id);
	return 0;
}

static void node_describe(struct topology_reader *reader, struct topology_node *node,
			  const struct block *block)
{
	node->sys_image_guid = block->system_guid;
	node->device_id = device_id(reader, block);
	node->revision = (uint32_t)block->revision;
	node->vendor_id = (uint32_t)block->vendor_id & 0xffffff;
	node->description = topology_record_description(reader, block->description);
	if (node->kind == TOPOLOGY_CA)
		node->device_name = topology_record_device_name(reader, node->description);
	node->line = reader->line;
}

/* The node that 'block' describes, new or known; -1 after a diagnostic. */
static int node_take(struct list_reader *list, const struct block *block, bool own_line)
{
	struct topology_reader *reader = list->reader;
	unsigned int known = GPOINTER_TO_UINT(g_hash_table_lookup(list->guids, &block->node_guid));
	struct topology_node *node;
	char guid[20];

	if (block->port_count < 1 || block->port_count > TOPOLOGY_PORT_MAX) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "a node with " GUID_FORMAT " ports; the line was left out; write "
				  "1 to %x", block->port_count, TOPOLOGY_PORT_MAX);
		return -1;
	}
	if (!known) {
		g_snprintf(guid, sizeof(guid), "%016" G_GINT64_MODIFIER "x", block->node_guid);
		node = topology_record_node(reader, block->kind,
					    g_string_chunk_insert(reader->topology->strings, guid),
					    (uint8_t)block->port_count);
		node->node_guid = block->node_guid;
		g_hash_table_insert(list->guids, &node->node_guid,
				    GUINT_TO_POINTER(reader->topology->nodes->len));
		g_array_set_size(list->sightings, reader->topology->nodes->len);
		known = reader->topology->nodes->len;
		node_describe(reader, node, block);
	}
	node = topology_node(reader->topology, (int)known - 1);
	if (node->kind != block->kind || node->port_count != block->port_count) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "node %s has another kind or number of ports in line %u; this "
				  "line was left out; correct one of them", node->id, node->line);
		return -1;
	}

	struct sighting *sighting = &g_array_index(list->sightings, struct sighting, known - 1);

	if (own_line && !sighting->own_line) {
		node_describe(reader, node, block);
		sighting->own_line = true;
	}
	return (int)known - 1;
}

/*
 * Stores port GUID and LID with the port, also of a switch: what they mean is seen when all lines
 * have been read.
 */
static void port_take(struct topology_reader *reader, int index, const struct block *block)
{
	struct topology_port *port = &topology_node(reader->topology, index)->ports[block->port];

	port->line = reader->line;
	port->guid = block->port_guid;
	if (block->lid <= TOPOLOGY_LID_MAX) {
		port->lid = (uint16_t)block->lid;
		return;
	}
	topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
			  "LID " GUID_FORMAT " is not a unicast LID; the port gets a free one; "
			  "write 1 to %x", block->lid, TOPOLOGY_LID_MAX);
}

static bool port_exists(struct topology_reader *reader, int index, const struct block *block)
{
	const struct topology_node *node = topology_node(reader->topology, index);

	if (block->port >= 1 && block->port <= node->port_count)
		return true;
	topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
			  "port " GUID_FORMAT " of %s, which has ports 1 to %x; the line was left "
			  "out; correct PN: or Ports:", block->port, node->id, node->port_count);
	return false;
}

/* False after a diagnostic: it was left out. */
static bool read_cable(struct list_reader *list, const struct block *own, const struct block *peer,
		       struct span rest)
{
	struct topology_reader *reader = list->reader;
	int node = node_take(list, own, true), peer_node = node_take(list, peer, false);

	if (node < 0 || peer_node < 0 || !port_exists(reader, node, own) ||
	    !port_exists(reader, peer_node, peer))
		return false;

	struct topology_claim claim = {
		.node = node, .port = (uint8_t)own->port,
		.peer = topology_node(reader->topology, peer_node)->id,
		.peer_port = (long)peer->port, .peer_guid = peer->port_guid,
		.peer_lid = peer->lid <= TOPOLOGY_LID_MAX ? (long)peer->lid : 0,
		.file_number = reader->file_number,
		.line = reader->line, .peer_node = -1,
	};

	if (!topology_port_claim(reader, &claim))
		return true;
	port_take(reader, node, own);
	rate_parse(reader, rest, &topology_node(reader->topology, node)->ports[own->port]);

	/* A line of the peer's own, before this one or after it, takes precedence. */
	if (!topology_node(reader->topology, peer_node)->ports[peer->port].line)
		port_take(reader, peer_node, peer);
	return true;
}

static void read_line(struct list_reader *list, struct span line)
{
	struct topology_reader *reader = list->reader;
	struct block own, peer;
	struct span rest = line = span_trim(line);

	if (line.at == line.end || *line.at == '#')
		return;
	if (*line.at != '{') {
		if (!reader->saw_prompt)
			reader->prompt_line = reader->line;
		reader->saw_prompt = true;
		return;
	}
	topology_count_line(reader);
	if (block_parse(&rest, &own) && block_parse(&rest, &peer)) {
		if (!read_cable(list, &own, &peer, rest))
			topology_lose_line(reader);
		return;
	}
	topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
			  "'%.*s...' not understood; left out; write: { SW|CA|Rt Ports:NN "
			  "SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. "
			  "{DESCRIPTION} LID:.. PN:.. } { the same of its peer } PHY=4x "
			  "LOG=ACT SPD=2.5", SHOWN(line));
	topology_lose_line(reader);
}

/* ---- after the last line ---- */

/* Do two ports or more have the same port GUID and LID? */
static bool ports_share(const struct topology_node *node)
{
	const struct topology_port *first = NULL;
	bool shared = false;

	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];

		if (!port->line || !port->guid)
			continue;
		if (first && (first->guid != port->guid || first->lid != port->lid))
			return false;
		shared |= first != NULL;
		first = first ? first : port;
	}
	return shared;
}

/* A make, to look up; 0: not known. */
static uint64_t make_of(const struct topology_node *node)
{
	return node->device_id ? (uint64_t)node->vendor_id << 16 | node->device_id : 0;
}

static void find_switches(struct list_reader *list)
{
	struct topology_reader *reader = list->reader;
	GPtrArray *nodes = reader->topology->nodes;
	GHashTable *makes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	unsigned int found = 0, line = 0;

	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];
		uint64_t make = make_of(node);

		if (node->kind != TOPOLOGY_CA || !ports_share(node))
			continue;
		g_array_index(list->sightings, struct sighting, i).shared = true;
		if (make)
			g_hash_table_add(makes, g_memdup2(&make, sizeof(make)));
	}
	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];
		uint64_t make = make_of(node);

		if (node->kind != TOPOLOGY_CA)
			continue;
		if (g_array_index(list->sightings, struct sighting, i).shared ||
		    (node->port_count > 1 && g_hash_table_contains(makes, &make))) {
			node->kind = TOPOLOGY_SWITCH;
			line = found++ ? line : node->line;
		} else if (node->port_count > ADAPTER_PORTS_MAX) {
			topology_diagnose(reader, TOPOLOGY_WARNING, node->line,
					  "%s is given as a CA with %u ports; kept as one; if "
					  "it is a switch, write SW", node->id, node->port_count);
		}
	}
	if (found)
		topology_diagnose(reader, TOPOLOGY_WARNING, line,
				  "%u node%s given as CAs share one port GUID among their ports, "
				  "as only switches do, or are of the same make as one that does; "
				  "read as switches; write SW", found, found == 1 ? "" : "s");
	g_hash_table_unref(makes);
}

/* Moves the GUID and LID given at a switch's ports to port 0. */
static void gather_port0(struct topology_reader *reader, struct topology_node *node)
{
	struct topology_port *end = &node->ports[0];

	for (unsigned int num = 1; num <= node->port_count; num++) {
		struct topology_port *port = &node->ports[num];

		if (port->line && !end->line) {
			end->line = port->line;
			end->guid = port->guid;
			end->lid = port->lid;
		} else if (port->line && (end->guid != port->guid || end->lid != port->lid)) {
			topology_diagnose(reader, TOPOLOGY_WARNING, port->line,
					  "switch %s has another port GUID or LID in line %u; that "
					  "one is used; correct one of them", node->id, end->line);
		}
		port->guid = 0;
		port->lid = 0;
	}
	if (!end->guid)
		end->guid = node->node_guid;
}

/* Gives nodes ids like ibnetdiscover's, now that kinds are known; claims follow. */
static void name_nodes(struct topology_reader *reader)
{
	GPtrArray *nodes = reader->topology->nodes;

	g_hash_table_remove_all(reader->ids);
	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];
		char letter = node->kind == TOPOLOGY_SWITCH ? 'S' :
			      node->kind == TOPOLOGY_CA ? 'H' : 'R';
		char *id = g_strdup_printf("%c-%s", letter, node->id);

		/* A claim finds its peer by the id that it had when it was read. */
		g_hash_table_insert(reader->ids, node->id, GUINT_TO_POINTER(i + 1));
		node->id = g_string_chunk_insert(reader->topology->strings, id);
		g_free(id);
	}
	for (unsigned int i = 0; i < reader->claims->len; i++) {
		struct topology_claim *claim = &g_array_index(reader->claims,
							      struct topology_claim, i);
		unsigned int peer = GPOINTER_TO_UINT(g_hash_table_lookup(reader->ids, claim->peer));

		claim->peer = topology_node(reader->topology, (int)peer - 1)->id;
	}
	g_hash_table_remove_all(reader->ids);
	for (unsigned int i = 0; i < nodes->len; i++)
		g_hash_table_insert(reader->ids, topology_node(reader->topology, (int)i)->id,
				    GUINT_TO_POINTER(i + 1));
}

static void read_list(struct topology_reader *reader, struct span text)
{
	struct list_reader list = {
		.reader = reader,
		.guids = g_hash_table_new(g_int64_hash, g_int64_equal),
		.sightings = g_array_new(false, true, sizeof(struct sighting)),
	};
	struct line_reader lines = { .rest = text };
	struct span line;

	while (reader_next_line(reader, &lines, &line))
		read_line(&list, line);
	find_switches(&list);
	for (unsigned int i = 0; i < reader->topology->nodes->len; i++)
		if (topology_node(reader->topology, (int)i)->kind == TOPOLOGY_SWITCH)
			gather_port0(reader, topology_node(reader->topology, (int)i));
	name_nodes(reader);
	g_array_unref(list.sightings);
	g_hash_table_unref(list.guids);
}

/* A line of an OpenSM subnet list: { CA Ports:02 SystemGUID:... } { ... } PHY=4x ... */
static bool is_list_line(struct span line)
{
	return span_starts(line, "{") && span_find_text(line, "NodeGUID:");
}

static bool detect(struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line;

	while (line_next(&lines, &line)) {
		if (is_list_line(line))
			return true;
		if (foreign_line(line))
			return false;
	}
	return false;
}

const struct topology_format topology_format_subnet_list = {
	.name = "OpenSM subnet lists",
	.detect = detect,
	.read = read_list,
	.clean = "save the file as plain text",
};
