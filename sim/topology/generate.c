/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Made fabrics: their words, their nodes and cables. The shapes are in topology-generate-*.c. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "sim/topology/generate.h"
#include "sim/topology/reader.h"

#define VENDOR_ID 0x2c9			/* the makes below are Mellanox's */
#define SWITCH_DEVICE_ID 0xd2f0		/* Quantum */
#define HOST_DEVICE_ID 0x101b		/* ConnectX-6 */
#define SWITCH_GUID UINT64_C(0x0002c90200000000)
#define HOST_GUID UINT64_C(0x0002c90300000000)
#define HOST_GUID_STEP 16

struct shape {
	const char *name;
	const char *wanted;
	unsigned int min, max;		/* so many numbers */
	bool sizes;			/* the first is one to three numbers: 4x4x2 */
	int (*generate)(struct topology *topology, const struct generate_numbers *numbers,
			char **reterr);
};

static const struct shape shapes[] = {
	{ "fat-tree", "HCAS[,RADIX[,LEVELS]]", 1, 3, false, topology_generate_fat_tree },
	{ "torus", "XxYxZ,HOSTS", 4, 4, true, topology_generate_torus },
	{ "dragonfly+", "GROUPS,LEAVES,SPINES,HOSTS[,CABLES]", 4, 5, false,
	  topology_generate_dragonfly },
};

/* ---- nodes and cables ---- */

static int node_new(struct topology *topology, enum topology_kind kind, unsigned int port_count,
		    uint64_t guid, const char *description)
{
	struct topology_node *node = g_new0(struct topology_node, 1);
	char id[24];

	g_snprintf(id, sizeof(id), "%c-%016" G_GINT64_MODIFIER "x",
		   kind == TOPOLOGY_SWITCH ? 'S' : 'H', guid);
	node->kind = kind;
	node->id = g_string_chunk_insert(topology->strings, id);
	node->description = g_string_chunk_insert(topology->strings, description);
	node->node_guid = node->sys_image_guid = guid;
	node->vendor_id = VENDOR_ID;
	node->port_count = (uint8_t)port_count;
	node->ports = g_new0(struct topology_port, (size_t)port_count + 1);
	for (unsigned int num = 0; num <= port_count; num++)
		node->ports[num].peer_node = -1;
	g_ptr_array_add(topology->nodes, node);
	return (int)topology->nodes->len - 1;
}

int generate_switch(struct topology *topology, unsigned int port_count, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *description = g_strdup_vprintf(format, args);
	va_end(args);

	int index = node_new(topology, TOPOLOGY_SWITCH, port_count,
			     SWITCH_GUID + topology->nodes->len, description);
	struct topology_node *node = topology_node(topology, index);

	node->device_id = SWITCH_DEVICE_ID;
	node->enhanced_port0 = true;
	node->ports[0].guid = node->node_guid;
	g_free(description);
	return index;
}

int generate_host(struct topology *topology, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *name = g_strdup_vprintf(format, args);
	va_end(args);

	char *description = g_strconcat(name, " HCA-1", NULL);
	int index = node_new(topology, TOPOLOGY_CA, 1,
			     HOST_GUID + topology->nodes->len * HOST_GUID_STEP, description);
	struct topology_node *node = topology_node(topology, index);

	node->device_id = HOST_DEVICE_ID;
	/* As on all adapters since ConnectX-4: the only port has the node's GUID. */
	node->ports[1].guid = node->node_guid;
	g_free(description);
	g_free(name);
	return index;
}

static void plug(struct topology_port *port, int peer_node, unsigned int peer_port)
{
	g_assert(port->peer_node < 0);
	port->peer_node = peer_node;
	port->peer_port = (uint8_t)peer_port;
	port->width_active = 2;		/* 4xHDR, which shows as QDR to those who know no better */
	port->speed_active = 4;
	port->speed_ext_active = 4;
}

void generate_cable(struct topology *topology, int a, unsigned int a_port, int b,
		    unsigned int b_port)
{
	plug(&topology_node(topology, a)->ports[a_port], b, b_port);
	plug(&topology_node(topology, b)->ports[b_port], a, a_port);
}

int generate_check_size(uint64_t switches, uint64_t hosts, uint64_t ports, char **reterr)
{
	if (ports > TOPOLOGY_PORT_MAX) {
		*reterr = g_strdup_printf("its switches need %" G_GUINT64_FORMAT
					  " ports, and %d is the most that can be", ports,
					  TOPOLOGY_PORT_MAX);
		return -EINVAL;
	}
	if (switches + hosts > TOPOLOGY_LID_MAX) {
		*reterr = g_strdup_printf("%" G_GUINT64_FORMAT " switches and %" G_GUINT64_FORMAT
					  " hosts are more than the %u LIDs of a subnet", switches,
					  hosts, TOPOLOGY_LID_MAX);
		return -EINVAL;
	}
	return 0;
}

/* ---- words ---- */

/* Numbers above this are no fabric of one subnet, and their products fit in 64 bits. */
static bool parse_number(const char *text, struct generate_numbers *numbers)
{
	guint64 number;

	if (numbers->count == GENERATE_NUMBERS_MAX ||
	    !g_ascii_string_to_unsigned(text, 10, 0, UINT16_MAX, &number, NULL))
		return false;
	numbers->at[numbers->count++] = (unsigned int)number;
	return true;
}

/* "4x4x2": always three numbers, 1 where one is not said. */
static bool parse_sizes(const char *text, struct generate_numbers *numbers)
{
	char **words = g_strsplit(text, "x", -1);
	bool good = g_strv_length(words) >= 1 && g_strv_length(words) <= 3;

	for (char **word = words; good && *word; word++)
		good = parse_number(*word, numbers);
	while (good && numbers->count < 3)
		numbers->at[numbers->count++] = 1;
	g_strfreev(words);
	return good;
}

static bool parse_numbers(const struct shape *shape, const char *text,
			  struct generate_numbers *numbers)
{
	char **words = g_strsplit(text, ",", -1);
	bool good = true;

	for (char **word = words; good && *word; word++)
		good = shape->sizes && word == words ? parse_sizes(*word, numbers)
						     : parse_number(*word, numbers);
	g_strfreev(words);
	return good && numbers->count >= shape->min && numbers->count <= shape->max;
}

static char *wanted(void)
{
	GString *text = g_string_new("write");

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++)
		g_string_append_printf(text, "%s %s:%s", i ? " or" : "", shapes[i].name,
				       shapes[i].wanted);
	return g_string_free(text, FALSE);
}

int topology_generate(struct topology *topology, const char *spec, char **reterr)
{
	size_t size = strcspn(spec, ":");

	for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
		const struct shape *shape = &shapes[i];
		struct generate_numbers numbers = { 0 };

		if (strlen(shape->name) != size || strncmp(shape->name, spec, size) != 0)
			continue;
		if (!spec[size] || !parse_numbers(shape, spec + size + 1, &numbers)) {
			*reterr = g_strdup_printf("write %s:%s, all of them numbers up to %u",
						  shape->name, shape->wanted, UINT16_MAX);
			return -EINVAL;
		}

		int ret = shape->generate(topology, &numbers, reterr);

		if (ret == 0)
			topology_assign_lids(topology);
		return ret;
	}

	char *text = wanted();

	*reterr = g_strdup_printf("no such shape '%.*s'; %s", (int)MIN(size, 80), spec, text);
	g_free(text);
	return -EINVAL;
}
