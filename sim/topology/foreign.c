/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Other files from InfiniBand tools, recognized by their beginnings and lines. See
 * sim/topology/foreign.h.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/foreign.h"
#include "sim/topology/reader.h"

struct mark {
	const char *text;
	const char *what;
};

#define CAPTURE(kind) \
	"a packet capture (" kind "; 'umadrig topology --from-capture' finds its fabric)"

/* What other files begin with. */
static const struct mark beginnings[] = {
	{ "\xd4\xc3\xb2\xa1", CAPTURE("pcap") },
	{ "\xa1\xb2\xc3\xd4", CAPTURE("pcap") },
	{ "\x4d\x3c\xb2\xa1", CAPTURE("pcap") },
	{ "\xa1\xb2\x3c\x4d", CAPTURE("pcap") },
	{ "\n\r\r\n", CAPTURE("pcapng") },
	{ "\x1f\x8b", "gzip-compressed (unpack it first)" },
	{ "\xfd" "7zXZ", "xz-compressed (unpack it first)" },
	{ "\x28\xb5\x2f\xfd", "zstd-compressed (unpack it first)" },
	{ "PK\x03\x04", "a zip archive (unpack it first)" },
	{ "\x7f" "ELF", "a program" },
	{ "\xff\xfe", "UTF-16 text (save it as UTF-8)" },
	{ "\xfe\xff", "UTF-16 text (save it as UTF-8)" },
};

/* Texts that occur somewhere in the first lines of other files. */
static const struct mark occurrences[] = {
	{ "dump_ucast_routes", "OpenSM's routes (opensm.fdbs)" },
	{ "Unicast lids [", "forwarding tables (dump_lfts, ibroute)" },
	{ "Multicast mlids [", "multicast forwarding tables (dump_mfts, ibroute -M)" },
	{ "START_NODES", "ibdiagnet's database (db_csv)" },
	{ "<?xml", "XML (such as opareport writes)" },
	{ "==(", "iblinkinfo's output" },
	{ "LinkState:", "smpquery's or ibportstate's output" },
	{ "osm_opensm_init", "OpenSM's log" },
	{ "OpenSM ", "OpenSM's log" },
};

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

const char *foreign_line(struct span line)
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

const char *foreign_file(struct span text)
{
	struct span head = text;

	if (text.at == text.end)
		return "empty";
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (span_starts(text, beginnings[i].text))
			return beginnings[i].what;
	if (span_size(head) > 4096)
		head.end = head.at + 4096;
	return span_find(head, '\0') ? "binary" : NULL;
}

const char *foreign_text(struct span text)
{
	struct line_reader lines = { .rest = text };
	bool heading = false;
	struct span line;

	while (line_next(&lines, &line)) {
		const char *what = foreign_line(line);

		if (what)
			return what;
		heading |= topology_record_is_heading(line);
	}
	return heading ? "the heading of an ibnetdiscover dump without a node" :
			 "text without a node in it";
}
