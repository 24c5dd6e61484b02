/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ibdm's system topologies (.topo, ibdm-topo-file(1)): boxes and the cables between them.
 *
 *	MTS9600 SW1 CFG: leaf3=R	a box of this model, called SW1; its board leaf3 is removed
 *	   L1/P1 -4x-5G-> MT23108 H1 P1	its socket L1/P1 leads to socket P1 of H1
 *
 * The file has only boxes. The devices in a box and their wiring are in its model
 * (sim/topology/ibnl.h). A box of one device becomes a node with the box's name; otherwise the
 * devices are called BOX/BOARD/DEVICE. A cable may be listed at either end, or at both.
 */
#include "config.h"

#include <string.h>

#include "lib/words/number.h"
#include "sim/topology/foreign.h"
#include "sim/topology/format.h"
#include "sim/topology/ibnl.h"

#define DEPTH_MAX 8		/* boards on boards */
#define DEVICES_MAX 65536	/* more than there are LIDs: the limit of models that multiply */
#define BOARDS_MAX 65536
#define MELLANOX 0x2c9		/* the vendor of the systems that ibdm knows */

/* Where a connector finally leads: a port of a node. */
struct socket {
	int node;
	uint8_t port;
	struct topology_port rate;	/* what the wires specify, the innermost first */
};

/* A box. */
struct box {
	const char *name;
	const struct ibnl_model *model;
	GHashTable *config;		/* "leaf3" -> "R" */
	GHashTable *sockets;		/* "L1/P1" -> struct socket *; NULL: not unpacked yet */
	unsigned int line;
};

struct ibdm_reader {
	struct topology_reader *reader;
	struct ibnl_library *library;
	GHashTable *boxes;		/* name -> struct box * */
	GHashTable *unknown;		/* models that were reported as unknown */
	GPtrArray *headers;		/* of struct box *, NULL for refused ones */
	unsigned int boards;		/* unpacked so far */
	bool too_many;
};

static const char *keep(struct ibdm_reader *ibdm, struct span text)
{
	return g_string_chunk_insert_len(ibdm->reader->topology->strings, text.at,
					 (gssize)span_size(text));
}

static const char *keep_joined(struct ibdm_reader *ibdm, const char *a, const char *b)
{
	char *text = *a ? g_strconcat(a, "/", b, NULL) : g_strdup(b);
	const char *kept = g_string_chunk_insert(ibdm->reader->topology->strings, text);

	g_free(text);
	return kept;
}

/* ---- cables ---- */

/* Fills in what is still missing: a model's innermost wire takes precedence over its outer ones. */
static void rate_complete(struct topology_port *rate, const struct topology_port *other)
{
	if (!rate->width_active)
		rate->width_active = other->width_active;
	if (rate->speed_active)
		return;
	rate->speed_active = other->speed_active;
	rate->speed_ext_active = other->speed_ext_active;
	rate->fdr10 = other->fdr10;
}

/*
 * 'from' leads to 'to', according to this line of this file; the rate of either end applies to
 * both.
 */
static void cable(struct ibdm_reader *ibdm, const struct socket *from, const struct socket *to,
		  const struct topology_port *said, unsigned int file_number, unsigned int line)
{
	struct topology_reader *reader = ibdm->reader;
	struct topology_port *ends[] = {
		&topology_node(reader->topology, from->node)->ports[from->port],
		&topology_node(reader->topology, to->node)->ports[to->port],
	};
	struct topology_claim claim = {
		.node = from->node, .port = from->port,
		.peer = topology_node(reader->topology, to->node)->id, .peer_port = to->port,
		.file_number = file_number, .line = line, .peer_node = -1,
	};
	struct topology_port rate = from->rate;
	unsigned int was_file = reader->file_number, was_line = reader->line;

	reader->file_number = file_number;
	reader->line = line;
	if (topology_port_claim(reader, &claim)) {
		rate_complete(&rate, &to->rate);
		rate_complete(&rate, said);
		for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
			rate_complete(ends[i], &rate);
			ends[i]->line = line;
		}
	}
	reader->file_number = was_file;
	reader->line = was_line;
}

/* ---- unpacking a box ---- */

static GHashTable *board_unpack(struct ibdm_reader *ibdm, struct box *box,
				const struct ibnl_board *board, const char *path,
				unsigned int depth);

static GHashTable *sockets_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
}

static void socket_add(GHashTable *sockets, const char *name, const struct socket *socket)
{
	if (!g_hash_table_contains(sockets, name))
		g_hash_table_insert(sockets, (void *)name, g_memdup2(socket, sizeof(*socket)));
}

/* A box's only device has the box's name. */
static const char *device_name(struct ibdm_reader *ibdm, const struct box *box,
			       const struct ibnl_part *part, const char *path)
{
	const struct ibnl_board *top = box->model->top;

	if (!*path && top->parts->len == 1)
		return box->name;
	return keep_joined(ibdm, box->name, keep_joined(ibdm, path, part->name));
}

/* "MT47396" is device 47396. */
static uint16_t device_id(const char *make)
{
	uint64_t number;

	if (g_str_has_prefix(make, "MT") &&
	    number_parse_decimal(make + 2, 0, UINT16_MAX, &number) == 0)
		return (uint16_t)number;
	return 0;
}

/* A node for the device; its sockets are its ports, by number. */
static GHashTable *device_unpack(struct ibdm_reader *ibdm, const struct box *box,
				 const struct ibnl_part *part, const char *path)
{
	struct topology_reader *reader = ibdm->reader;
	const char *name = device_name(ibdm, box, part, path);
	struct topology_node *node;
	GHashTable *sockets = sockets_new();

	if (reader->topology->nodes->len >= DEVICES_MAX) {
		ibdm->too_many = true;
		return sockets;
	}
	node = topology_record_node(reader, part->kind, name, part->port_count);
	node->description = topology_record_description(reader, (struct span){
			name, name + strlen(name) });
	node->vendor_id = MELLANOX;
	node->device_id = device_id(part->model);
	node->line = box->line;
	for (unsigned int num = 1; num <= part->port_count; num++) {
		struct socket socket = { .node = reader->node, .port = (uint8_t)num };
		char *text = g_strdup_printf("%u", num);

		socket_add(sockets, g_string_chunk_insert_const(reader->topology->strings, text),
			   &socket);
		g_free(text);
	}
	return sockets;
}

/* The board that 'part' is in the box's configuration; NULL: it has been removed. */
static const struct ibnl_board *part_board(struct ibdm_reader *ibdm, struct box *box,
					   const struct ibnl_part *part, const char *path)
{
	const char *variant = g_hash_table_lookup(box->config, path);
	const struct ibnl_board *board;
	char *name;

	if (variant && strcmp(variant, "R") == 0)
		return NULL;
	name = variant ? g_strconcat(part->model, ":", variant, NULL) : g_strdup(part->model);
	board = g_hash_table_lookup(box->model->by_name, name);
	if (!board)
		topology_diagnose_at(ibdm->reader, TOPOLOGY_ERROR,
				     variant ? 0 : box->model->file_number,
				     variant ? box->line : part->line,
				     "there is no board %s for %s of '%s'; left out; %s", name,
				     path, box->name,
				     variant ? "correct CFG:, or remove the board with =R" :
					       "add SYSTEM and that name");
	g_free(name);
	return board;
}

static GHashTable *part_unpack(struct ibdm_reader *ibdm, struct box *box,
			       const struct ibnl_part *part, const char *path, unsigned int depth)
{
	const char *part_path;
	const struct ibnl_board *board;

	if (part->is_device)
		return device_unpack(ibdm, box, part, path);
	part_path = keep_joined(ibdm, path, part->name);
	board = part_board(ibdm, box, part, part_path);
	if (!board)
		return NULL;
	if (depth >= DEPTH_MAX || ++ibdm->boards >= BOARDS_MAX) {
		ibdm->too_many = true;
		return NULL;
	}
	return board_unpack(ibdm, box, board, part_path, depth + 1);
}

static void wire_error(struct ibdm_reader *ibdm, const struct box *box,
		       const struct ibnl_wire *wire, const char *name)
{
	topology_diagnose_at(ibdm->reader, TOPOLOGY_ERROR, box->model->file_number, wire->line,
			     "there is no '%s'; the wire was left out; correct the name", name);
}

/*
 * One wire: a cable, or a connector of the board. A wire to a connector that a variant of a board
 * does not have, or to a board that is not there, is silently left out: models are written so
 * (ibdm-ibnl-file(1), note 1).
 */
static void wire_lay(struct ibdm_reader *ibdm, const struct box *box,
		     const struct ibnl_board *board, const struct ibnl_part *part,
		     const struct ibnl_wire *wire, GHashTable *parts, GHashTable *connectors)
{
	GHashTable *own = g_hash_table_lookup(parts, part->name);
	const struct socket *from = own ? g_hash_table_lookup(own, wire->port) : NULL;

	if (!from) {
		if (part->is_device && !ibdm->too_many)
			wire_error(ibdm, box, wire, wire->port);
		return;
	}
	if (!wire->to_port) {
		struct socket socket = *from;

		rate_complete(&socket.rate, &wire->rate);
		socket_add(connectors, wire->to, &socket);
		return;
	}

	const struct ibnl_part *other = g_hash_table_lookup(board->by_name, wire->to);
	GHashTable *others = g_hash_table_lookup(parts, wire->to);
	const struct socket *to = others ? g_hash_table_lookup(others, wire->to_port) : NULL;

	if (to)
		cable(ibdm, from, to, &wire->rate, box->model->file_number, wire->line);
	else if (!other)
		wire_error(ibdm, box, wire, wire->to);
	else if (other->is_device && !ibdm->too_many)
		wire_error(ibdm, box, wire, wire->to_port);
}

static void free_sockets(gpointer sockets)
{
	if (sockets)
		g_hash_table_unref(sockets);
}

/* Makes its nodes and inner cables; returns its connectors. */
static GHashTable *board_unpack(struct ibdm_reader *ibdm, struct box *box,
				const struct ibnl_board *board, const char *path,
				unsigned int depth)
{
	GHashTable *parts = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_sockets);
	GHashTable *connectors = sockets_new();

	for (unsigned int i = 0; i < board->parts->len && !ibdm->too_many; i++) {
		const struct ibnl_part *part = board->parts->pdata[i];

		g_hash_table_insert(parts, (void *)part->name,
				    part_unpack(ibdm, box, part, path, depth));
	}
	for (unsigned int i = 0; i < board->parts->len && !ibdm->too_many; i++) {
		const struct ibnl_part *part = board->parts->pdata[i];

		for (unsigned int j = 0; j < part->wires->len; j++)
			wire_lay(ibdm, box, board, part,
				 &g_array_index(part->wires, struct ibnl_wire, j), parts,
				 connectors);
	}
	g_hash_table_unref(parts);
	return connectors;
}

static void box_unpack(struct ibdm_reader *ibdm, struct box *box)
{
	if (box->sockets)
		return;
	box->sockets = board_unpack(ibdm, box, box->model->top, "", 0);
	if (ibdm->too_many)
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, box->line,
				  "'%s' nests boards without end, or the file has more than %u "
				  "devices; the rest was left out; correct the model",
				  box->name, DEVICES_MAX);
	/* The nesting of this box must not affect the other boxes. */
	ibdm->too_many = ibdm->boards >= BOARDS_MAX ||
			 ibdm->reader->topology->nodes->len >= DEVICES_MAX;
}

/* ---- boxes ---- */

static void box_free(gpointer data)
{
	struct box *box = data;

	g_hash_table_unref(box->config);
	if (box->sockets)
		g_hash_table_unref(box->sockets);
	g_free(box);
}

static const struct ibnl_model *model_of(struct ibdm_reader *ibdm, const char *type)
{
	const struct ibnl_model *model = ibnl_find(ibdm->library, type);

	if (!model && g_hash_table_add(ibdm->unknown, (void *)type))
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
				  "unknown system '%s'; all systems of this model were left out; "
				  "put the .ibnl file with TOPSYSTEM %s beside this file, or add "
				  "its directory to UMADRIG_IBNL, or install ibutils",
				  type, type);
	return model;
}

/* The box of this name, new or known; NULL after a diagnostic. */
static struct box *box_of(struct ibdm_reader *ibdm, struct span type, struct span name)
{
	const char *type_name = g_string_chunk_insert_const(
		ibdm->reader->topology->strings, keep(ibdm, type));
	const char *key = keep(ibdm, name);
	const struct ibnl_model *model = model_of(ibdm, type_name);
	struct box *box = g_hash_table_lookup(ibdm->boxes, key);

	if (!model)
		return NULL;
	if (box && box->model != model) {
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
				  "'%s' is another kind of system in line %u; this line was left "
				  "out; correct one of them", box->name, box->line);
		return NULL;
	}
	if (!box) {
		box = g_new0(struct box, 1);
		box->name = key;
		box->model = model;
		box->config = g_hash_table_new(g_str_hash, g_str_equal);
		box->line = ibdm->reader->line;
		g_hash_table_insert(ibdm->boxes, (void *)key, box);
	}
	return box;
}

/* "leaf3=R, leaf5=12x" */
static void read_config(struct ibdm_reader *ibdm, struct box *box, struct span rest)
{
	while (rest.at < rest.end) {
		const char *comma = span_find(rest, ',');
		struct span item = span_trim((struct span){ rest.at, comma ? comma : rest.end });
		const char *equals = span_find(item, '=');

		rest.at = comma ? comma + 1 : rest.end;
		if (!span_size(item))
			continue;
		if (!equals) {
			topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
					  "'%.*s' names no board; left out; "
					  "write BOARD=VARIANT, or BOARD=R to remove it",
					  SHOWN(item));
			continue;
		}
		g_hash_table_insert(box->config,
				    (void *)keep(ibdm, span_trim((struct span){ item.at, equals })),
				    (void *)keep(ibdm, span_trim((struct span){ equals + 1,
										 item.end })));
	}
}

/* ---- lines ---- */

static bool is_cable(struct span line)
{
	return span_find_text(line, "->") != NULL;
}

/* "MTS9600 SW1 CFG: leaf3=R": the box, or NULL after a diagnostic. */
static struct box *read_box(struct ibdm_reader *ibdm, struct span line)
{
	struct span rest = line, type, name;
	struct box *box;

	topology_count_line(ibdm->reader);
	if (!cursor_word(&rest, &type) || !cursor_word(&rest, &name)) {
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
				  "'%.*s' not understood; left out; write: MODEL NAME "
				  "[CFG: BOARD=VARIANT,...]", SHOWN(line));
		topology_lose_line(ibdm->reader);
		return NULL;
	}
	box = box_of(ibdm, type, name);
	if (!box)
		topology_lose_line(ibdm->reader);
	cursor_skip_blanks(&rest);
	if (box && cursor_skip(&rest, "CFG:"))
		read_config(ibdm, box, rest);
	return box;
}

/* The socket of a box, or NULL after a diagnostic. */
static const struct socket *socket_of(struct ibdm_reader *ibdm, struct box *box, struct span name)
{
	const char *key = keep(ibdm, name);
	const struct socket *socket;

	box_unpack(ibdm, box);
	socket = g_hash_table_lookup(box->sockets, key);
	if (!socket)
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
				  "'%s' has no socket %s; the cable was left out; correct the "
				  "name, or the boards of the system (CFG:)", box->name, key);
	return socket;
}

/* "L1/P1 -4x-5G-> MT23108 H1 P1" */
static void read_cable(struct ibdm_reader *ibdm, struct box *box, struct span line)
{
	struct topology_port rate = { 0 };
	struct span rest = line, port, type, name, peer_port;

	if (!ibnl_arrow(&rest, &port, &rate) || !cursor_word(&rest, &type) ||
	    !cursor_word(&rest, &name) || !cursor_word(&rest, &peer_port)) {
		topology_diagnose(ibdm->reader, TOPOLOGY_ERROR, ibdm->reader->line,
				  "'%.*s' not understood; left out; write: SOCKET "
				  "-4x-5G-> MODEL NAME SOCKET", SHOWN(line));
		topology_lose_line(ibdm->reader);
		return;
	}

	struct box *peer = box_of(ibdm, type, name);
	const struct socket *from = box ? socket_of(ibdm, box, port) : NULL;
	const struct socket *to = peer ? socket_of(ibdm, peer, peer_port) : NULL;

	if (from && to)
		cable(ibdm, from, to, &rate, 0, ibdm->reader->line);
	else
		topology_lose_line(ibdm->reader);
}

/* The next line that is not blank, without its comment; false at the end. */
static bool next_line(struct topology_reader *reader, struct line_reader *lines,
		      struct span *ret_line)
{
	while (reader_next_line(reader, lines, ret_line)) {
		const char *comment = span_find(*ret_line, '#');

		if (comment)
			ret_line->end = comment;
		*ret_line = span_trim(*ret_line);
		if (ret_line->at < ret_line->end)
			return true;
	}
	return false;
}

/* Reads all boxes first: the boards of one (CFG:) may be listed after the first cable to it. */
static void read_boxes(struct ibdm_reader *ibdm, struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line;

	while (next_line(ibdm->reader, &lines, &line))
		if (!is_cable(line))
			g_ptr_array_add(ibdm->headers, read_box(ibdm, line));
}

static void read_cables(struct ibdm_reader *ibdm, struct span text)
{
	struct line_reader lines = { .rest = text };
	struct box *box = NULL;		/* whose cables follow; NULL: no box's */
	unsigned int headers = 0;
	struct span line;

	while (next_line(ibdm->reader, &lines, &line)) {
		if (is_cable(line)) {
			topology_count_line(ibdm->reader);
			read_cable(ibdm, box, line);
			continue;
		}
		box = ibdm->headers->pdata[headers++];
		if (box)
			box_unpack(ibdm, box);
	}
}

static void read_boxes_and_cables(struct topology_reader *reader, struct span text)
{
	struct ibdm_reader ibdm = {
		.reader = reader,
		.library = ibnl_library_new(reader),
		.headers = g_ptr_array_new(),
		.boxes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, box_free),
		.unknown = g_hash_table_new(g_str_hash, g_str_equal),
	};

	read_boxes(&ibdm, text);
	read_cables(&ibdm, text);
	g_ptr_array_unref(ibdm.headers);
	g_hash_table_unref(ibdm.unknown);
	g_hash_table_unref(ibdm.boxes);
	ibnl_library_free(ibdm.library);
}

/* Indented "P1 -4x-5G-> MTS2400 leaf3 P7". */
static bool is_indented_cable(struct span line)
{
	return (span_starts(line, " ") || span_starts(line, "\t")) && span_find_text(line, "->");
}

static bool detect(struct span text)
{
	struct line_reader lines = { .rest = text };
	bool found = false;
	struct span line;

	while (line_next(&lines, &line)) {
		found |= is_indented_cable(line);
		if (foreign_line(line))
			return false;
	}
	return found;
}

const struct topology_format topology_format_ibdm = {
	.name = "ibdm topologies",
	.detect = detect,
	.read = read_boxes_and_cables,
	.clean = "save the file as plain text",
	.links_once = true,
};
