/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a file is, found by looking at its lines.
 *
 * ibsim reads what ibnetdiscover prints, so the two are told apart by what only one of them has:
 * ibsim its directives, its "Hca" and its free ids; ibnetdiscover its heading and ids made of a
 * letter and a GUID. Other files of the trade are recognized to be refused by their name.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/reader.h"

/* Lines that only an ibsim net file has. */
static const char *const ibsim_starts[] = {
	"Hca\t", "Hca ", "module", "include", "do ", "hcaguid", "switchguids", "width=", "width =",
	"speed=", "speed =", "extspeed", "pdebug", "@[",
};

struct mark {
	const char *text;
	const char *what;
};

/* What other files begin with. */
static const struct mark beginnings[] = {
	{ "\xd4\xc3\xb2\xa1", "a packet capture (pcap)" },
	{ "\xa1\xb2\xc3\xd4", "a packet capture (pcap)" },
	{ "\x4d\x3c\xb2\xa1", "a packet capture (pcap)" },
	{ "\xa1\xb2\x3c\x4d", "a packet capture (pcap)" },
	{ "\n\r\r\n", "a packet capture (pcapng)" },
	{ "\x1f\x8b", "gzip-compressed (unpack it first)" },
	{ "\xfd" "7zXZ", "xz-compressed (unpack it first)" },
	{ "\x28\xb5\x2f\xfd", "zstd-compressed (unpack it first)" },
	{ "PK\x03\x04", "a zip archive (unpack it first)" },
	{ "\x7f" "ELF", "a program" },
	{ "\xff\xfe", "UTF-16 text (save it as UTF-8)" },
	{ "\xfe\xff", "UTF-16 text (save it as UTF-8)" },
};

/* What occurs somewhere in the first lines of other files. */
static const struct mark occurrences[] = {
	{ "dump_ucast_routes", "OpenSM's routes (opensm.fdbs)" },
	{ "Unicast lids [", "forwarding tables (dump_lfts, ibroute)" },
	{ "Multicast mlids [", "multicast forwarding tables (dump_mfts, ibroute -M)" },
	{ "START_NODES", "ibdiagnet's database (db_csv)" },
	{ "<?xml", "XML (opareport writes such)" },
	{ "==(", "iblinkinfo's output" },
	{ "LinkState:", "smpquery's or ibportstate's output" },
	{ "osm_opensm_init", "OpenSM's log" },
	{ "OpenSM ", "OpenSM's log" },
};

/* A line of an OpenSM subnet list: { CA Ports:02 SystemGUID:... } { ... } PHY=4x ... */
static bool is_subnet_list(struct span line)
{
	return span_starts(line, "{") && span_find_text(line, "NodeGUID:");
}

/* ibdm: indented "P1 -4x-5G-> MTS2400 leaf3 P7". */
static bool is_ibdm(struct span line)
{
	return (span_starts(line, " ") || span_starts(line, "\t")) && span_find_text(line, "->");
}

/* ibswitches and friends: Switch<TAB>: 0x... ports 36 "...". */
static bool is_node_list(struct span line)
{
	enum topology_kind kind;

	if (!topology_record_keyword(&line, &kind))
		return false;
	cursor_skip_blanks(&line);
	return span_starts(line, ":");
}

static bool is_diff(struct span line)
{
	return span_starts(line, "< ") || span_starts(line, "> ");
}

/* ibnetdiscover -p: "CA   5  1 0x...". */
static bool is_port_report(struct span line)
{
	struct span word;
	long number;

	if (!cursor_word(&line, &word) || (!span_equals(word, "CA") && !span_equals(word, "SW")))
		return false;
	for (int i = 0; i < 2; i++) {
		cursor_skip_blanks(&line);
		if (!cursor_number(&line, &number))
			return false;
	}
	cursor_skip_blanks(&line);
	return span_starts(line, "0x");
}

static const char *other_line(struct span line)
{
	if (is_node_list(line))
		return "a list of nodes (ibnetdiscover -l, ibswitches, ibhosts)";
	if (is_diff(line))
		return "the output of ibnetdiscover --diff";
	if (is_port_report(line))
		return "a ports report (ibnetdiscover -p)";
	for (size_t i = 0; i < G_N_ELEMENTS(occurrences); i++)
		if (span_find_text(line, occurrences[i].text))
			return occurrences[i].what;
	return NULL;
}

/* A header has "Switch 36 "id""; 'ret_guid_id': the id is one as ibnetdiscover makes them. */
static bool is_header(struct span line, bool *ret_guid_id)
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

static bool is_ibsim_line(struct span line)
{
	for (size_t i = 0; i < G_N_ELEMENTS(ibsim_starts); i++)
		if (span_starts(line, ibsim_starts[i]))
			return true;
	return false;
}

enum topology_format topology_detect(struct span text, const char **ret_what)
{
	struct line_reader lines = { .rest = text };
	struct span head = text, line;
	bool guid_id = false, heading = false, header = false, list = false, ibdm = false;
	const char *other = NULL;

	if (text.at == text.end) {
		*ret_what = "empty";
		return TOPOLOGY_FORMAT_OTHER;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		if (span_starts(text, beginnings[i].text)) {
			*ret_what = beginnings[i].what;
			return TOPOLOGY_FORMAT_OTHER;
		}
	}
	if (span_size(head) > 4096)
		head.end = head.at + 4096;
	if (span_find(head, '\0')) {
		*ret_what = "binary";
		return TOPOLOGY_FORMAT_OTHER;
	}

	/* A directive may come late, and the whole text is no more than a read of it. */
	while (line_next(&lines, &line)) {
		bool this_guid_id = false;

		if (is_ibsim_line(line))
			return TOPOLOGY_FORMAT_IBSIM;
		if (span_starts(line, "# Topology file: generated") ||
		    span_starts(line, "# Initiated from node"))
			heading = true;
		if (is_header(line, &this_guid_id)) {
			guid_id |= !header && this_guid_id;
			header = true;
		} else if (!other && !header) {
			list |= is_subnet_list(line);
			ibdm |= is_ibdm(line);
			other = other_line(line);
		}
	}
	if (header)
		return guid_id || heading ? TOPOLOGY_FORMAT_IBNETDISCOVER : TOPOLOGY_FORMAT_IBSIM;
	if (list)
		return TOPOLOGY_FORMAT_SUBNET_LIST;
	if (ibdm && !other)
		return TOPOLOGY_FORMAT_IBDM;
	*ret_what = other ? other : heading ? "the heading of an ibnetdiscover dump without a node"
					    : "text without a node in it";
	return TOPOLOGY_FORMAT_OTHER;
}
