/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Node records of ibsim's and ibnetdiscover's files: what precedes a header, and the header.
 * sim/topology/port.c reads the port lines below it.
 *
 *	vendid=0x2c9
 *	switchguid=0x2c903007b78b0(2c903007b78b0)
 *	Switch	36 "S-0002c903007b78b0"		# "leaf 1" enhanced port 0 lid 19 lmc 0
 *	[1]	"S-b8599f0300fc6de4"[3]		# "spine 1" lid 13 4xFDR
 */
#include "config.h"

#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

/* Is it the rest of "Switch36 "S-...", a header that has lost its tab? It can mean nothing else. */
static bool is_glued(struct span rest)
{
	struct span id;
	long ports;

	if (rest.at == rest.end || !g_ascii_isdigit(*rest.at) || !cursor_number(&rest, &ports))
		return false;
	cursor_skip_blanks(&rest);
	return cursor_quoted(&rest, &id);
}

bool topology_record_keyword(struct span *line, enum topology_kind *ret_kind)
{
	static const struct {
		const char *word;
		enum topology_kind kind;
	} words[] = {
		{ "Switch", TOPOLOGY_SWITCH }, { "Ca", TOPOLOGY_CA }, { "Hca", TOPOLOGY_CA },
		{ "Rt", TOPOLOGY_ROUTER },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		struct span rest = *line;

		if (cursor_skip(&rest, words[i].word) && rest.at < rest.end &&
		    (*rest.at == '\t' || *rest.at == ' ' || is_glued(rest))) {
			*line = rest;
			*ret_kind = words[i].kind;
			return true;
		}
	}
	return false;
}

bool topology_record_is_header(struct span line, bool *ret_guid_id)
{
	enum topology_kind kind;
	struct span id;
	long ports;

	if (!topology_record_keyword(&line, &kind))
		return false;
	cursor_skip_blanks(&line);
	if (!cursor_number(&line, &ports))
		return false;
	cursor_skip_blanks(&line);
	if (!cursor_quoted(&line, &id))
		return false;
	*ret_guid_id = span_size(id) == 18 && id.at[1] == '-' && strchr("SHR?", id.at[0]);
	return true;
}

bool topology_record_id_guid(struct span id, uint64_t *ret_guid)
{
	return span_size(id) == 18 && id.at[1] == '-' &&
	       span_hex((struct span){ id.at + 2, id.end }, ret_guid);
}

bool topology_record_is_heading(struct span line)
{
	return span_starts(line, "# Topology file: generated") ||
	       span_starts(line, "# Initiated from node");
}

/* The next node's GUID: "=0x2c9...", "=0x2c9...(2c9...)", ibsim's "=+3". */
static void preamble_guid(struct topology_reader *reader, enum topology_kind kind,
			  struct span value)
{
	struct span digits = value, port = value;
	const char *open = span_find(value, '('), *close = span_find(value, ')');
	bool relative = reader->format->counts_guids && cursor_skip(&digits, "+");
	uint64_t guid, port_guid = 0;
	bool port_bad = false;

	if (open && close && close > open) {
		digits.end = open;
		port.at = open + 1;
		port.end = close;
		port_bad = !span_hex(port, &port_guid);
	} else {
		/* ibsim: text after the number is ignored; mostly it is a comment. */
		cursor_word(&(struct span){ digits.at, value.end }, &digits);
	}
	if (!span_hex(span_trim(digits), &guid) || (!guid && !relative)) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "GUID '%.*s' is not a hexadecimal number other than 0; the node "
				  "gets another one; write 1 to 16 hexadecimal digits",
				  SHOWN(value));
		reader->next.guid_said[kind] = false;
		return;
	}
	if (port_bad)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "port GUID '%.*s' is not hexadecimal; the node's GUID is used; "
				  "write 1 to 16 hexadecimal digits",
				  SHOWN(port));
	if (relative)
		guid += reader->guid_base[kind];
	else
		reader->guid_base[kind] = guid;
	reader->next.guid[kind] = guid;
	reader->next.guid_said[kind] = true;
	reader->next.port0_guid = port_guid;
}

static void preamble_number(struct topology_reader *reader, const char *key, struct span value)
{
	uint64_t number, max = strcmp(key, "sysimgguid") == 0 ? UINT64_MAX :
			       strcmp(key, "devid") == 0 ? UINT16_MAX :
			       strcmp(key, "vendid") == 0 ? 0xffffff : UINT32_MAX;
	struct span word = value;

	cursor_word(&word, &value);
	if (!span_hex(value, &number) || number > max) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "%s '%.*s' is not a hexadecimal number up to "
				  GUID_FORMAT "; ignored",
				  key, SHOWN(value), max);
		return;
	}
	if (max == UINT64_MAX)
		reader->next.sys_image_guid = number;
	else if (max == UINT16_MAX)
		reader->next.device_id = (uint16_t)number;
	else if (max == UINT32_MAX)
		reader->next.revision = (uint32_t)number;
	else
		reader->next.vendor_id = (uint32_t)number;
}

/* "planes=4": the ports of the next CA, of which there are so many, are the planes of one port. */
static void preamble_planes(struct topology_reader *reader, struct span value)
{
	struct span word = value;
	long number;

	cursor_word(&word, &value);
	word = value;
	if (!cursor_number(&word, &number) || word.at != word.end || number < 2 ||
	    number > TOPOLOGY_PORT_MAX) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "planes '%.*s' is not a number from 2 to %d; ignored",
				  SHOWN(value), TOPOLOGY_PORT_MAX);
		return;
	}
	reader->next.planes = (unsigned int)number;
	reader->next.planes_line = reader->line;
}

/* Each plane is a port of the node. */
static bool takes_planes(struct topology_reader *reader, const struct topology_node *node)
{
	const struct topology_preamble *next = &reader->next;

	if (!next->planes)
		return false;
	if (node->kind == TOPOLOGY_CA && node->port_count == next->planes)
		return true;
	topology_diagnose(reader, TOPOLOGY_WARNING, next->planes_line,
			  "planes=%u, and '%s' is %s with %u port%s; ignored; each plane is a port "
			  "of a CA: write Ca %u", next->planes, node->id,
			  node->kind == TOPOLOGY_CA ? "a CA" : "no CA, but a node",
			  node->port_count, node->port_count == 1 ? "" : "s", next->planes);
	return false;
}

/* "vfs=4": the next CA has so many virtual functions. */
static void preamble_vfs(struct topology_reader *reader, struct span value)
{
	struct span word = value;
	long number;

	cursor_word(&word, &value);
	word = value;
	if (!cursor_number(&word, &number) || word.at != word.end || number < 1 ||
	    number > TOPOLOGY_VFS_MAX) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "vfs '%.*s' is not a number from 1 to %d; ignored",
				  SHOWN(value), TOPOLOGY_VFS_MAX);
		return;
	}
	reader->next.vfs = (unsigned int)number;
	reader->next.vfs_line = reader->line;
}

static uint16_t take_vfs(struct topology_reader *reader, const struct topology_node *node)
{
	const struct topology_preamble *next = &reader->next;

	if (!next->vfs || (node->kind == TOPOLOGY_CA && !node->planarized))
		return (uint16_t)next->vfs;
	topology_diagnose(reader, TOPOLOGY_WARNING, next->vfs_line,
			  "vfs=%u, and '%s' is %s; ignored; only a CA with one plane has virtual "
			  "functions", next->vfs, node->id,
			  node->planarized ? "planarized" : "no CA");
	return 0;
}

/* The value after the '=', without a comment, before which a tab may be lost. */
static struct span preamble_value(struct span rest)
{
	const char *comment = span_find(rest, '#');

	if (comment)
		rest.end = comment;
	return span_trim(rest);
}

bool topology_record_preamble(struct topology_reader *reader, struct span line)
{
	static const struct {
		const char *key;
		enum topology_kind kind;	/* 0: not a node's GUID */
	} keys[] = {
		{ "vendid", 0 }, { "devid", 0 }, { "sysimgguid", 0 }, { "revision", 0 },
		{ "planes", 0 }, { "vfs", 0 },
		{ "switchguids", TOPOLOGY_SWITCH }, { "switchguid", TOPOLOGY_SWITCH },
		{ "hcaguids", TOPOLOGY_CA }, { "hcaguid", TOPOLOGY_CA }, { "caguid", TOPOLOGY_CA },
		{ "rtguids", TOPOLOGY_ROUTER }, { "rtguid", TOPOLOGY_ROUTER },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct span rest = line;

		if (!cursor_skip(&rest, keys[i].key))
			continue;
		cursor_skip_blanks(&rest);
		if (!cursor_skip(&rest, "="))
			continue;
		rest = preamble_value(rest);
		reader->node = -1;
		reader->skipping = false;
		if (strcmp(keys[i].key, "planes") == 0)
			preamble_planes(reader, rest);
		else if (strcmp(keys[i].key, "vfs") == 0)
			preamble_vfs(reader, rest);
		else if (keys[i].kind)
			preamble_guid(reader, keys[i].kind, rest);
		else
			preamble_number(reader, keys[i].key, rest);
		return true;
	}
	return false;
}

const char *topology_record_key(struct topology_reader *reader, struct span name)
{
	GStringChunk *strings = reader->topology->strings;
	char *text = g_strndup(name.at, span_size(name)), *joined = NULL;

	/* ibsim: "mod#id" and "mod@alias" name their module, other ids are in the current one. */
	if (reader->module && *text == '@')
		joined = g_strconcat(reader->module, text, NULL);
	else if (reader->module && !strpbrk(text, "#@"))
		joined = g_strconcat(reader->module, "#", text, NULL);

	const char *key = g_string_chunk_insert_const(strings, joined ? joined : text);

	g_free(joined);
	g_free(text);
	return key;
}

char *topology_record_description(struct topology_reader *reader, struct span text)
{
	if (span_size(text) > TOPOLOGY_DESCRIPTION_MAX) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "description of %zu bytes; cut to %d, the size of a "
				  "NodeDescription",
				  span_size(text), TOPOLOGY_DESCRIPTION_MAX);
		text.end = text.at + TOPOLOGY_DESCRIPTION_MAX;
	}
	if (memchr(text.at, '\0', span_size(text))) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "description with a zero byte; cut there");
		text.end = memchr(text.at, '\0', span_size(text));
	}
	if (!g_utf8_validate(text.at, (gssize)span_size(text), NULL))
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "description is not UTF-8; kept byte for byte");
	return g_string_chunk_insert_len(reader->topology->strings, text.at,
					 (gssize)span_size(text));
}

char *topology_record_device_name(struct topology_reader *reader, const char *description)
{
	struct span rest = { description, description + strlen(description) }, word, last = { 0 };

	while (cursor_word(&rest, &word))
		last = word;
	if (!last.at || last.at == description || span_size(last) >= 60 ||
	    (!span_starts(last, "mlx") && !span_starts(last, "hfi")))
		return NULL;
	for (const char *c = last.at; c < last.end; c++)
		if (!g_ascii_isalnum(*c) && *c != '_')
			return NULL;
	return g_string_chunk_insert_len(reader->topology->strings, last.at,
					 (gssize)span_size(last));
}

/*
 * The GUID of the next node: as given; ibsim counts up from there; ibnetdiscover has it in the id.
 */
static uint64_t node_guid(struct topology_reader *reader, enum topology_kind kind, struct span id,
			  uint8_t port_count)
{
	struct topology_preamble *next = &reader->next;
	uint64_t guid = next->guid[kind];

	if (reader->format->counts_guids) {
		next->guid[kind] += kind == TOPOLOGY_SWITCH ? 1 : (uint64_t)port_count + 1;
		return guid;
	}
	if (next->guid_said[kind])
		return guid;
	return topology_record_id_guid(id, &guid) ? guid : 0;
}

/* What is given before a node applies to that node only; ibsim keeps the device's id. */
static void preamble_reset(struct topology_reader *reader)
{
	struct topology_preamble *next = &reader->next;

	next->vendor_id = 0;
	next->sys_image_guid = 0;
	next->port0_guid = 0;
	next->planes = next->vfs = 0;
	if (reader->format->counts_guids)
		return;
	next->device_id = 0;
	next->revision = 0;
	memset(next->guid_said, 0, sizeof(next->guid_said));
}

static void header_refuse(struct topology_reader *reader)
{
	reader->skipping = true;
	reader->topology->loss.nodes.lost++;
	topology_lose_line(reader);
	preamble_reset(reader);
}

/* A header whose id is known: the same node again (ibnetdiscover -g), or a mistake. */
static void header_repeated(struct topology_reader *reader, enum topology_kind kind, int index,
			    long port_count)
{
	const struct topology_node *node = topology_node(reader->topology, index);

	if (node->kind != kind || node->port_count != port_count) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "'%s' is already the node of line %u, of another kind or with "
				  "another number of ports; left out with its port lines; give it "
				  "another id",
				  node->id, node->line);
		header_refuse(reader);
		return;
	}
	if (!reader->grouped || kind != TOPOLOGY_SWITCH)
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "'%s' is already the node of line %u; its port lines were added "
				  "to that one; give it another id if it is another node",
				  node->id, node->line);
	reader->node = index;
	reader->repeated = true;
	preamble_reset(reader);
}

struct topology_node *topology_record_node(struct topology_reader *reader, enum topology_kind kind,
					   const char *id, uint8_t port_count)
{
	struct topology *topology = reader->topology;
	struct topology_node *node = g_new0(struct topology_node, 1);

	node->kind = kind;
	node->id = (char *)id;
	node->port_count = port_count;
	node->ports = g_new0(struct topology_port, (size_t)port_count + 1);
	for (unsigned int i = 0; i <= port_count; i++) {
		node->ports[i].peer_node = -1;
		node->ports[i].width_enabled = reader->width;
		node->ports[i].speed_enabled = reader->speed;
		node->ports[i].speed_ext_enabled = reader->speed_ext;
	}
	node->file_number = reader->file_number;
	node->line = reader->line;
	g_ptr_array_add(topology->nodes, node);
	g_ptr_array_add(reader->claims_by_port, g_new0(uint32_t, (size_t)port_count + 1));
	reader->node = (int)topology->nodes->len - 1;
	g_hash_table_insert(reader->ids, (void *)id, GUINT_TO_POINTER(topology->nodes->len));
	return node;
}

static void header_comment(struct topology_reader *reader, struct topology_node *node,
			   struct span id, struct span rest)
{
	struct topology_comment comment = { 0 };
	bool there = topology_comment_split(rest, &comment);

	if (there && !comment.quoted)
		topology_comment_unquoted(&comment);
	node->description = topology_record_description(reader, there && (comment.quoted ||
					     span_size(comment.description)) ?
					     comment.description : id);
	if (node->kind == TOPOLOGY_CA)
		node->device_name = topology_record_device_name(reader, node->description);
	if (node->kind != TOPOLOGY_SWITCH)
		return;
	node->ports[0].line = reader->line;
	if (!there)
		return;
	node->enhanced_port0 = span_find_text(comment.after, "enhanced port 0") != NULL;
	topology_comment_lids(reader, comment.after, &node->ports[0]);
}

void topology_record_header(struct topology_reader *reader, enum topology_kind kind,
			    struct span rest)
{
	struct span line = rest, id;
	long port_count;

	reader->topology->loss.nodes.said++;
	if (g_ascii_isdigit(*rest.at) && !reader->glued_count++)
		reader->glued_line = reader->line;
	reader->node = -1;
	reader->skipping = reader->closed = reader->repeated = false;
	cursor_skip_blanks(&rest);
	bool counted = cursor_number(&rest, &port_count);
	cursor_skip_blanks(&rest);
	if (!counted || !cursor_quoted(&rest, &id) || span_size(id) == 0 ||
	    memchr(id.at, '\0', span_size(id))) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "header '%.*s' not understood; the node was left out with its "
				  "port lines; write: Switch|Ca|Rt PORTS \"ID\"  # \"DESCRIPTION\"",
				  SHOWN(span_trim(line)));
		header_refuse(reader);
		return;
	}
	if (port_count < 1) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "node '%.*s' with %ld ports; left out with its port lines; write "
				  "1 to %d",
				  SHOWN(id), port_count, TOPOLOGY_PORT_MAX);
		header_refuse(reader);
		return;
	}
	if (port_count > TOPOLOGY_PORT_MAX) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "node '%.*s' with %ld ports; it gets %d, the maximum",
				  SHOWN(id), port_count, TOPOLOGY_PORT_MAX);
		port_count = TOPOLOGY_PORT_MAX;
	}

	const char *key = topology_record_key(reader, id);
	unsigned int known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->ids, key));
	uint64_t guid = node_guid(reader, kind, id, (uint8_t)port_count);

	if (known) {
		header_repeated(reader, kind, (int)known - 1, port_count);
		return;
	}

	struct topology_node *node = topology_record_node(reader, kind, key, (uint8_t)port_count);

	node->node_guid = guid;
	node->sys_image_guid = reader->next.sys_image_guid;
	node->vendor_id = reader->next.vendor_id;
	node->device_id = reader->next.device_id;
	node->revision = reader->next.revision;
	node->planarized = takes_planes(reader, node);
	node->vfs = take_vfs(reader, node);
	if (kind == TOPOLOGY_SWITCH)
		node->ports[0].guid = reader->next.port0_guid ? reader->next.port0_guid : guid;
	preamble_reset(reader);
	header_comment(reader, node, id, rest);
}

void topology_record_close(struct topology_reader *reader)
{
	reader->closed = true;
}
