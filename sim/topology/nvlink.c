/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* NVLink switches: see sim/topology/nvlink.h. */
#include "config.h"

#include "sim/topology/nvlink.h"

#include <string.h>

#include "lib/words/node-place.h"
#include "sim/topology/host-name.h"
#include "sim/topology/topology-subnet.h"

#define VENDOR_ID 0x2c9
#define GUID_FIRST UINT64_C(0x200000)	/* as made up for the switches of files (guid.c) */
#define GUID_FORMAT "S-%016" G_GINT64_MODIFIER "x"

/* A host while its HCAs are counted. */
struct board {
	char *host;
	unsigned int hcas;
	int bridges[NVLINK_BRIDGES];
};

static void board_free(gpointer data)
{
	struct board *board = data;

	g_free(board->host);
	g_free(board);
}

/* ---- switches ---- */

static bool is_guid_taken(const struct topology *topology, uint64_t guid)
{
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);
		unsigned int first = node->kind == TOPOLOGY_SWITCH ? 0 : 1;

		if (node->node_guid == guid || node->ports[first].guid == guid)
			return true;
	}
	return false;
}

/* Neither the GUID nor the id that it makes is another node's. */
static uint64_t free_guid(const struct topology *topology, char id[static 24])
{
	uint64_t guid = GUID_FIRST + topology->nodes->len;

	for (;; guid++) {
		g_snprintf(id, 24, GUID_FORMAT, guid);
		if (!is_guid_taken(topology, guid) && topology_find(topology, id) < 0)
			return guid;
	}
}

static int add_switch(struct topology *topology, const char *description, unsigned int port_count)
{
	struct topology_node *node = g_new0(struct topology_node, 1);
	char id[24];

	node->kind = TOPOLOGY_SWITCH;
	node->node_guid = node->sys_image_guid = free_guid(topology, id);
	node->id = g_string_chunk_insert(topology->strings, id);
	node->description = g_string_chunk_insert(topology->strings, description);
	node->vendor_id = VENDOR_ID;
	node->enhanced_port0 = true;
	node->port_count = (uint8_t)port_count;
	node->ports = g_new0(struct topology_port, port_count + 1);
	for (unsigned int num = 0; num <= port_count; num++)
		node->ports[num].peer_node = -1;
	node->ports[0].guid = node->node_guid;
	g_ptr_array_add(topology->nodes, node);
	return (int)topology->nodes->len - 1;
}

/* ---- cables ---- */

static void copy_speed(struct topology_port *port, const struct topology_port *from)
{
	port->width_active = from->width_active;
	port->speed_active = from->speed_active;
	port->speed_ext_active = from->speed_ext_active;
	port->fdr10 = from->fdr10;
}

static void unplug(struct topology *topology, const struct topology_port *port)
{
	static const struct topology_port bare;
	struct topology_port *peer;

	if (port->peer_node < 0)
		return;
	peer = &topology_node(topology, port->peer_node)->ports[port->peer_port];
	peer->peer_node = -1;
	peer->peer_port = 0;
	copy_speed(peer, &bare);
}

/* A port of a switch, to what gives the cable its speed. */
static void plug(struct topology *topology, int at_switch, unsigned int num, int peer,
		 unsigned int peer_num)
{
	struct topology_port *port = &topology_node(topology, at_switch)->ports[num];
	struct topology_port *peer_port = &topology_node(topology, peer)->ports[peer_num];

	copy_speed(port, peer_port);
	port->peer_node = peer;
	port->peer_port = (uint8_t)peer_num;
	peer_port->peer_node = at_switch;
	peer_port->peer_port = (uint8_t)num;
}

/* Its LID was another subnet's. */
static void move_port(struct topology *topology, int bridge, unsigned int num, int at_switch,
		      unsigned int switch_num)
{
	struct topology_port *port = &topology_node(topology, bridge)->ports[num];

	unplug(topology, port);
	port->lid = 0;
	plug(topology, at_switch, switch_num, bridge, num);
}

/* The ports that a switch has bridges at. */
static unsigned int bridge_ports(const struct topology *topology, const struct board *board,
				 unsigned int number)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < NVLINK_BRIDGES_EACH; i++)
		count += topology_node(topology, board->bridges[number * NVLINK_BRIDGES_EACH + i])->
			 port_count;
	return count;
}

/* A switch with its bridges, and a port behind theirs. */
static int make_switch(struct topology *topology, const struct board *board, unsigned int number)
{
	const int *bridges = &board->bridges[number * NVLINK_BRIDGES_EACH];
	unsigned int ports = bridge_ports(topology, board, number), next = 1;
	g_autofree char *description = g_strdup_printf("%.48s NVSwitch-%u", board->host, number);
	int at_switch = add_switch(topology, description, ports + 1);

	for (unsigned int i = 0; i < NVLINK_BRIDGES_EACH; i++) {
		unsigned int port_count = topology_node(topology, bridges[i])->port_count;

		for (unsigned int num = 1; num <= port_count; num++)
			move_port(topology, bridges[i], num, at_switch, next++);
	}
	return at_switch;
}

static bool is_nvlink_switch(const struct topology *topology, int node)
{
	return node >= 0 && strstr(topology_node(topology, node)->description, " NVSwitch-");
}

/* Has the host HCAs enough, of ports that a switch has room for, and no switch yet? */
static bool takes_board(const struct topology *topology, const struct board *board)
{
	for (unsigned int i = 0; i < NVLINK_SWITCHES; i++) {
		if (board->hcas < NVLINK_HCAS_LEAST ||
		    bridge_ports(topology, board, i) >= TOPOLOGY_PORT_MAX)
			return false;
	}
	return !is_nvlink_switch(topology, topology_node(topology, board->bridges[0])->
				 ports[1].peer_node);
}

static void add_board(struct topology *topology, const struct board *board)
{
	int first = make_switch(topology, board, 0), second = make_switch(topology, board, 1);
	unsigned int first_port = topology_node(topology, first)->port_count;
	unsigned int second_port = topology_node(topology, second)->port_count;

	copy_speed(&topology_node(topology, second)->ports[second_port],
		   &topology_node(topology, second)->ports[1]);
	plug(topology, first, first_port, second, second_port);
}

/* ---- hosts ---- */

/* The host's name in a node's description, or NULL. */
static char *host_of(const struct topology_node *node)
{
	size_t length = node->kind == TOPOLOGY_CA ? host_name_length(node->description) : 0;

	return length ? g_strndup(node->description, length) : NULL;
}

/* "HOST", "NODE", "NODE[2]": the host; NULL: the node has none. */
static char *host_at(const struct topology *topology, const char *where)
{
	g_autofree char *name = NULL;
	struct node_place place;
	int node;

	if (node_place_parse(where, &place) < 0)
		return NULL;
	name = g_strndup(place.name, place.name_size);
	node = topology_find(topology, name);
	return node < 0 ? g_steal_pointer(&name) : host_of(topology_node(topology, node));
}

/* The boards of all hosts, or of one, in the order of their first HCAs. */
static GPtrArray *find_boards(const struct topology *topology, const char *host)
{
	g_autoptr(GHashTable) by_host = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *boards = g_ptr_array_new_with_free_func(board_free);

	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		g_autofree char *name = host_of(topology_node(topology, (int)i));
		struct board *board;

		if (!name || (host && strcmp(name, host) != 0))
			continue;
		board = g_hash_table_lookup(by_host, name);
		if (!board) {
			board = g_new0(struct board, 1);
			board->host = g_steal_pointer(&name);
			g_hash_table_insert(by_host, board->host, board);
			g_ptr_array_add(boards, board);
		}
		if (board->hcas < NVLINK_BRIDGES)
			board->bridges[board->hcas] = (int)i;
		board->hcas++;
	}
	return boards;
}

void topology_add_nvlink(struct topology *topology, const char *where)
{
	g_autofree char *host = where ? host_at(topology, where) : NULL;
	g_autoptr(GPtrArray) boards = NULL;
	struct topology_subnets subnets;

	if (where && !host)
		return;
	boards = find_boards(topology, host);
	for (unsigned int i = 0; i < boards->len; i++) {
		if (takes_board(topology, boards->pdata[i]))
			add_board(topology, boards->pdata[i]);
	}
	topology_subnets_find(topology, &subnets);
	topology_subnets_clear(&subnets);
}
