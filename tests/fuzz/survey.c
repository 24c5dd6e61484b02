/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever a capture says, the survey of it is a fabric or none: links lead both ways,
 * LIDs and GUIDs have one owner, and the file that is written of it is read again as the same
 * fabric; what it knows beside the topology does not differ from itself. What two of them differ in
 * is the same both ways round, and is printed as text without control characters and as JSON.
 *
 * A capture of any bytes has few MADs: the input is also taken as MADs themselves, 260 bytes each,
 * of which the first four say where it was captured.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show/fabric-difference.h"
#include "lib/base/wire.h"
#include "sim/facts/facts-compare.h"
#include "sim/survey/survey.h"
#include "sim/topology/load.h"
#include "sim/topology/write.h"
#include "tests/fuzz/form-check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)
#define HEAD 4
#define CHANGES_MAX 10

static unsigned int count_ends(const struct topology *topology)
{
	unsigned int ends = 0;

	for (int i = 0; i < (int)topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, i);

		for (unsigned int num = 1; num <= node->port_count; num++)
			ends += node->ports[num].peer_node >= 0;
	}
	return ends;
}

static void check_port(const struct topology *topology, int index, unsigned int num, bool *lids)
{
	const struct topology_port *port = &topology_node(topology, index)->ports[num];

	if (port->peer_node >= 0) {
		const struct topology_node *peer = topology_node(topology, port->peer_node);

		CHECK(num && port->peer_port >= 1 && port->peer_port <= peer->port_count);
		CHECK(peer->ports[port->peer_port].peer_node == index);
		CHECK(peer->ports[port->peer_port].peer_port == num);
	}
	for (unsigned int i = 0; port->lid && i < 1U << port->lmc; i++) {
		CHECK(port->lid + i <= TOPOLOGY_LID_MAX && !lids[port->lid + i]);
		lids[port->lid + i] = true;
	}
}

static void check(const struct topology *topology)
{
	static bool lids[TOPOLOGY_LID_MAX + 1];
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_autoptr(GString) out = g_string_new(NULL);
	struct topology *again;

	memset(lids, 0, sizeof(lids));
	for (int i = 0; i < (int)topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, i);

		CHECK(node->port_count >= 1 && node->port_count <= TOPOLOGY_PORT_MAX);
		CHECK(g_hash_table_add(guids, &node->node_guid));
		for (unsigned int num = 0; num <= node->port_count; num++)
			check_port(topology, i, num, lids);
	}
	g_hash_table_unref(guids);
	topology_write_ibnetdiscover(topology, out);
	again = topology_parse(out->str, out->len, "written", NULL);
	CHECK(again && again->nodes->len == topology->nodes->len);
	CHECK(count_ends(again) == count_ends(topology));
	CHECK(!topology_loss_is_great(&again->loss));
	topology_free(again);
}

/* A fabric does not differ from itself. */
static void check_facts(const struct fabric_facts *facts)
{
	struct facts_changes *changes = facts_compare(facts, facts, 10);

	CHECK(facts_changes_count(changes) == 0);
	facts_changes_free(changes);
}

static void print(const struct facts_changes *changes, bool is_json)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	CHECK(stream);
	(is_json ? fabric_difference_print_json : fabric_difference_print)(
		changes, "a.pcap", "b.pcap", CHANGES_MAX, stream);
	fclose(stream);
	(is_json ? form_check_json : form_check_text)(text, size);
	free(text);
}

static void check_two(const struct fabric_facts *a, const struct fabric_facts *b)
{
	struct facts_changes *there = facts_compare(a, b, CHANGES_MAX);
	struct facts_changes *back = facts_compare(b, a, CHANGES_MAX);

	CHECK(facts_changes_count(there) == facts_changes_count(back));
	print(there, false);
	print(there, true);
	facts_changes_free(there);
	facts_changes_free(back);
}

/* To be freed; NULL: no fabric. */
static struct fabric_facts *finish(struct survey *survey)
{
	GPtrArray *gaps = g_ptr_array_new_with_free_func(g_free);
	struct fabric_facts *facts = survey_take_facts(survey, "fuzz", gaps);

	for (guint i = 0; i < gaps->len; i++)
		CHECK(!strchr(gaps->pdata[i], '\n'));
	if (facts) {
		check(facts->topology);
		check_facts(facts);
	}
	g_ptr_array_unref(gaps);
	survey_free(survey);
	return facts;
}

static struct fabric_facts *as_capture(const uint8_t *data, size_t size)
{
	char message[512];
	struct capture *capture = capture_parse(data, size, "fuzz", message, sizeof(message));
	struct survey *survey = survey_new();

	for (size_t i = 0; capture && i < capture->mad_count; i++)
		survey_take(survey, &capture->mads[i],
			    capture_interface(capture, capture->mads[i].interface));
	capture_free(capture);
	return finish(survey);
}

static struct fabric_facts *as_mads(const uint8_t *data, size_t size)
{
	static const struct capture_interface host = { .description = "a host", .comment =
		"NodeType 1, NumPorts 1, SystemGuid 0x0000000000000c00, Guid 0x0000000000000c01, "
		"PortGuid 0x0000000000000c02, DevId 1, Revision 0, LocalPort 1, VendorId 713, "
		"Lid 7, LMC 0" };
	struct survey *survey = survey_new();

	for (; size >= HEAD + MAD_SIZE; data += HEAD + MAD_SIZE, size -= HEAD + MAD_SIZE) {
		struct capture_mad mad = {
			.addr = { .slid = get_be16(data + 2) },
			.interface = data[0] & 3,
			.direction = data[0] >> 2 & 1 ? CAPTURE_OUTBOUND :
						       CAPTURE_DIRECTION_UNKNOWN,
			.interface_name = data[0] >> 3 & 1 ? (char *)"H[1]" : NULL,
		};

		memcpy(mad.mad, data + HEAD, MAD_SIZE);
		survey_take(survey, &mad, data[0] >> 4 & 1 ? &host : NULL);
	}
	return finish(survey);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t half = size / 2 - size / 2 % (HEAD + MAD_SIZE);
	struct fabric_facts *all = as_mads(data, size), *part = as_mads(data, half);

	fabric_facts_free(as_capture(data, size));
	if (all && part)
		check_two(all, part);
	fabric_facts_free(all);
	fabric_facts_free(part);
	return 0;
}
