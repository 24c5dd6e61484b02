/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Port lines: which port of the node leads to which port of which peer, at what rate.
 *
 *	[1]	"S-b8599f0300fc6de4"[3]		# "spine 1" lid 13 4xFDR
 *	[1](c42a103008b40d0) 	"S-0002c903007b78b0"[8]		# lid 9 lmc 0 "leaf 1" lid 19 4xFDR
 *	[1]	"Switch1"[4]	w=2 s=4
 */
#include "config.h"

#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

/* "(2c903007b78b1)" anywhere in 'text'. 'ret_bad' is the text if that is no GUID. */
static uint64_t guid_in_parentheses(struct span text, struct span *ret_bad)
{
	const char *open = span_find(text, '(');
	uint64_t guid = 0;

	if (!open)
		return 0;
	struct span inside = { open + 1, text.end };
	const char *close = span_find(inside, ')');
	if (!close)
		return 0;
	inside.end = close;
	if (!span_hex(inside, &guid))
		*ret_bad = inside;
	return guid;
}

/*
 * "lid 13 4xFDR s=4": the peer's LID and this port's rate; 'strict': no comment is expected there.
 */
static void port_tail(struct topology_reader *reader, struct span text, struct topology_port *port,
		      struct topology_claim *claim, bool strict)
{
	struct span word;
	bool missing;

	while (cursor_word(&text, &word)) {
		if (span_equals(word, "lid")) {
			long lid = topology_word_number(&text, &missing);

			if (missing || lid < 0 || lid > TOPOLOGY_LID_MAX)
				topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
						  "the peer's LID is missing or not a unicast LID; "
						  "the one in its own record is used; write 1 to "
						  "%u",
						  TOPOLOGY_LID_MAX);
			else
				claim->peer_lid = lid;
		} else if (!topology_rate_option(reader, word, port) &&
			   !topology_rate_parse(reader, word, port) && strict) {
			topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
					  "'%.*s' not understood; skipped; start comments with #",
					  SHOWN(word));
		}
	}
}

/* After the peer: "[3]", "[ext 7]", "(guid)", options, then the comment. */
static void port_rest(struct topology_reader *reader, const struct topology_node *node,
		      struct span rest, struct topology_port *port, struct topology_claim *claim)
{
	struct topology_comment comment;
	const char *hash = span_find(rest, '#');
	struct span plain = { rest.at, hash ? hash : rest.end }, ignored = { 0 };

	claim->peer_guid = guid_in_parentheses(plain, &ignored);
	while (plain.at < plain.end && (*plain.at == '(' || *plain.at == '[')) {
		const char *close = span_find(plain, *plain.at == '(' ? ')' : ']');

		plain.at = close ? close + 1 : plain.end;
		cursor_skip_blanks(&plain);
	}
	port_tail(reader, plain, port, claim, true);
	if (!topology_comment_split(rest, &comment))
		return;
	if (node->kind != TOPOLOGY_SWITCH)
		topology_comment_lids(reader, comment.before, port);
	/* Without a description a switch's line has only the peer's LID, a CA's its own. */
	if (comment.quoted || node->kind == TOPOLOGY_SWITCH)
		port_tail(reader, comment.quoted ? comment.after : comment.before, port, claim,
			  false);
}

/* "[3]" at the start; false after a diagnostic if that is no port of the node. */
static bool port_number(struct topology_reader *reader, const struct topology_node *node,
			struct span *line, uint8_t *ret_num)
{
	long num;

	cursor_skip(line, "[");
	cursor_skip_blanks(line);
	if (!cursor_number(line, &num) || !cursor_skip(line, "]")) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "port line not understood; left out; write: [PORT] "
				  "\"PEER\"[PEER'S PORT]");
		return false;
	}
	if (num < 1 || num > node->port_count) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "port %ld of '%s', which has ports 1 to %u; left out; correct it "
				  "here or the number of ports in line %u",
				  num, node->id, node->port_count, node->line);
		return false;
	}
	*ret_num = (uint8_t)num;
	return true;
}

static struct topology_node *port_node(struct topology_reader *reader, struct span line)
{
	if (reader->skipping)
		return NULL;
	if (reader->node < 0) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "port line '%.*s' belongs to no node; left out; put it "
				  "below its node's header",
				  SHOWN(line));
		return NULL;
	}
	struct topology_node *node = topology_node(reader->topology, reader->node);

	if (reader->closed) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "port line after the end of a record; added to '%s' (line "
				  "%u); remove the lines between",
				  node->id, node->line);
		reader->closed = false;
	}
	return node;
}

/* The peer: "S-0002c903007b78b0"[3]. */
static bool port_peer(struct topology_reader *reader, struct span *line,
		      struct topology_claim *claim)
{
	struct span name;
	const char *quote = span_find(*line, '"');

	if (!quote)
		goto bad;
	line->at = quote;
	if (!cursor_quoted(line, &name) || !span_size(name) ||
	    memchr(name.at, '\0', span_size(name)))
		goto bad;
	claim->peer = topology_record_key(reader, name);

	bool apart = cursor_skip_blanks(line);
	struct span at = *line;

	claim->peer_port = 1;
	if (!cursor_skip(&at, "[") || !cursor_number(&at, &claim->peer_port) ||
	    !cursor_skip(&at, "]"))
		return true;
	*line = at;
	if (apart && reader->format->strict_peers && claim->peer_port != 1)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "a blank before [%ld], read as the peer's port; ibsim would read "
				  "port 1: remove the blank",
				  claim->peer_port);
	return true;
bad:
	topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
			  "port line without a peer in quotes; left out; write: [PORT] "
			  "\"PEER\"[PORT]");
	return false;
}

static bool claim_same(const struct topology_claim *a, const struct topology_claim *b)
{
	return strcmp(a->peer, b->peer) == 0 && a->peer_port == b->peer_port;
}

/* Counts an end of a link that is lost. */
static void port_lose(struct topology_reader *reader)
{
	reader->topology->loss.ends.said++;
	reader->topology->loss.ends.lost++;
	topology_lose_line(reader);
}

/* A port may have only one line. */
bool topology_port_claim(struct topology_reader *reader, const struct topology_claim *claim)
{
	uint32_t *slot = (uint32_t *)reader->claims_by_port->pdata[claim->node] + claim->port;

	if (!*slot) {
		g_array_append_val(reader->claims, *claim);
		*slot = reader->claims->len;
		return true;
	}

	const struct topology_claim *first =
		&g_array_index(reader->claims, struct topology_claim, *slot - 1);

	if (!claim_same(first, claim)) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "port %u already leads to '%s' (line %u); this line was left "
				  "out; remove one of the two",
				  claim->port, first->peer, first->line);
		port_lose(reader);
	} else if (!reader->repeated) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "the same as line %u; left out; remove one of the two",
				  first->line);
	}
	return false;
}

void topology_port_line(struct topology_reader *reader, struct span line)
{
	struct topology_node *node = port_node(reader, line);
	struct topology_claim claim = { .node = reader->node,
					.file_number = reader->file_number, .line = reader->line,
					.peer_node = -1 };
	struct span bad = { 0 }, start = line;

	if (!node || !port_number(reader, node, &line, &claim.port)) {
		port_lose(reader);
		return;
	}

	const char *quote = span_find(line, '"');
	uint64_t guid =
		guid_in_parentheses((struct span){ line.at, quote ? quote : line.end }, &bad);

	if (bad.at)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "port GUID '%.*s' is not hexadecimal; the port gets another one; "
				  "write 1 to 16 hexadecimal digits",
				  SHOWN(bad));
	if (!port_peer(reader, &line, &claim)) {
		port_lose(reader);
		return;
	}
	if (reader->format->wants_tabs && !span_find(start, '\t'))
		reader->saw_blanks_for_tabs = true;

	struct topology_port port = node->ports[claim.port];

	port.line = reader->line;
	if (guid)
		port.guid = guid;
	port_rest(reader, node, line, &port, &claim);
	if (topology_port_claim(reader, &claim))
		node->ports[claim.port] = port;
}

void topology_port_alias(struct topology_reader *reader, struct span line)
{
	struct topology_node *node = port_node(reader, line);
	struct span name;
	uint8_t num;

	cursor_skip(&line, "@");
	if (!node || !port_number(reader, node, &line, &num))
		return;

	const char *quote = span_find(line, '"');

	line.at = quote ? quote : line.end;
	if (!cursor_quoted(&line, &name) || !span_size(name) ||
	    memchr(name.at, '\0', span_size(name))) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "alias without a name in quotes; left out; write: @[PORT] "
				  "\"NAME\"");
		return;
	}

	char *text = g_strdup_printf("@%.*s", (int)MIN(span_size(name), 1000), name.at);
	const char *key = topology_record_key(reader,
					      (struct span){ text, text + strlen(text) });

	g_free(text);
	if (g_hash_table_contains(reader->aliases, key))
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "alias '%s' is already used; left out; choose another name", key);
	else
		g_hash_table_insert(reader->aliases, (void *)key,
				    GSIZE_TO_POINTER(((gsize)reader->node << 8 | num) + 1));
}
