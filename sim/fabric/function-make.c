/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Making virtual functions: see sim/fabric/function-make.h. */
#include "sim/fabric/function-make.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/number.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/virtual-function.h"

enum { GUIDS_AT = 8 };			/* of a GID: behind its prefix */

/* PortInfo.CapabilityMask2: IsVirtualizationSupported. */
enum { CAP2_VIRTUALIZATION = 1 << 2 };

static int fail(char *reterr, size_t reterr_size, const char *format, ...) G_GNUC_PRINTF(3, 4);

static int fail(char *reterr, size_t reterr_size, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list args;

	va_start(args, format);
	why = g_strdup_vprintf(format, args);
	va_end(args);
	g_snprintf(reterr, reterr_size, "%s", why);
	return -EINVAL;
}

/*
 * The number of the chip's virtual functions, as Linux's mlx5_core knows them: one for each of the
 * first generations, and the same for all since.
 */
static uint16_t device_id_of(uint16_t pf)
{
	enum { CONNECTX_4 = 0x1013, CONNECTX_6 = 0x101b, BLUEFIELD = 0xa2d2, ANY_MLX5 = 0x101e };

	if ((pf >= CONNECTX_4 && pf <= CONNECTX_6 && pf % 2) || pf == BLUEFIELD)
		return (uint16_t)(pf + 1);
	return ANY_MLX5;
}

static struct node *function_node(struct node *pf, unsigned int index)
{
	static const struct topology_port unsaid = { .peer_node = -1 };
	struct node *node = g_new0(struct node, 1);
	struct end_port *end;

	node->fabric = pf->fabric;
	node->index = pf->index;
	node->kind = pf->kind;
	node->id = g_strdup_printf("%s VF %u", pf->id, index - 1);
	node->description = g_strdup_printf("%s VF %u", pf->description, index - 1);
	node->sys_image_guid = pf->sys_image_guid;
	node->vendor_id = pf->vendor_id;
	node->device_id = pf->vendor_id == VENDOR_MELLANOX ? device_id_of(pf->device_id) :
							      pf->device_id;
	node->revision = pf->revision;
	node->vport = (uint16_t)index;
	node->functions = pf->functions;
	node->port_count = 1;
	node->ports = g_new0(struct port, 2);
	node->ends = end = g_new0(struct end_port, 1);
	port_init(node, 0, &unsaid, NULL);
	port_init(node, 1, &unsaid, NULL);
	end_port_init(end, &node->ports[1], &unsaid);
	/* Whatever its node's is: until it is set. */
	end->guid = 0;
	put_be64(end->gids[0] + GUIDS_AT, 0);
	end->cap_mask = pf->ports[1].end->cap_mask & ~CAP_IS_SM;
	end->attr.has_smi = false;
	end->no_issm = !host_has_issm_without_qp0(pf->host);
	return node;
}

/* In a warm fabric an SM has given the LIDs. 0, or -EINVAL: there are not enough. */
static int give_lids(struct functions *functions, char *reterr, size_t reterr_size)
{
	struct umadrig_fabric *fabric = functions->pf->fabric;

	if (!functions->needs_lids || fabric->options.cold ||
	    !functions->pf->ports[1].end->attr.lid)
		return 0;
	if (fabric->lid_top + functions->count > LID_UNICAST_MAX)
		return fail(reterr, reterr_size, "no LIDs are left for %u vports of %s: make "
			    "fewer, or leave vf-lids=yes out", functions->count,
			    functions->pf->id);
	for (unsigned int i = 0; i < functions->count; i++)
		functions->at[i].lid = ++fabric->lid_top;
	return 0;
}

static const char *objection_to(const struct node *pf)
{
	if (pf->functions)
		return "has virtual functions already";
	if (pf->kind != TOPOLOGY_CA)
		return "is no HCA";
	if (pf->planes)
		return "is planarized: its ports are not one";
	if (pf->ports[1].end->attr.link_is_ethernet)
		return "is RoCE, where they have no vports";
	return NULL;
}

int functions_make(struct node *pf, unsigned int count, bool needs_lids, char *reterr,
		   size_t reterr_size)
{
	const char *objection = objection_to(pf);
	struct functions *functions;
	unsigned int next = 0;

	if (objection)
		return fail(reterr, reterr_size, "%s %s", pf->id, objection);
	functions = g_new0(struct functions, 1);
	*functions = (struct functions) {
		.pf = pf, .count = count, .enabled = count, .needs_lids = needs_lids,
		.is_enabled = !pf->fabric->options.cold,
		.at = g_new0(struct virtual_function, count),
	};
	pf->functions = functions;
	if (!pf->fabric->pfs)
		pf->fabric->pfs = g_ptr_array_new();
	g_ptr_array_add(pf->fabric->pfs, pf);
	pf->ports[1].end->cap_mask2 |= CAP2_VIRTUALIZATION;
	for (unsigned int i = 0; i < count; i++) {
		functions->at[i] = (struct virtual_function) {
			.node = function_node(pf, i + 1), .state = PORT_INIT,
		};
		host_add_function(pf->host, functions->at[i].node, &next);
	}
	functions_share(pf);
	if (give_lids(functions, reterr, reterr_size) < 0)
		return -EINVAL;
	functions_share(pf);
	return 0;
}

/* ---- power ---- */

void functions_reset(struct functions *functions)
{
	for (unsigned int i = 0; i < functions->count; i++) {
		struct virtual_function *function = &functions->at[i];

		port_clear(&function->node->ports[1]);
		function->node->node_guid = function->node->ends->guid = 0;
		end_port_reset(function->node->ends);
		function->policy = FUNCTION_DOWN;
		function->state = PORT_INIT;
		function->lid = function->lid_of = 0;
	}
	functions->is_enabled = functions->state_changed = false;
}

/* ---- the option ---- */

int functions_parse(const char *text, unsigned int *ret_count, const char **ret_where,
		    char *reterr, size_t reterr_size)
{
	const char *colon = strchr(text, ':');
	g_autofree char *number = colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
	uint64_t count;

	if (number_parse(number, 1, FUNCTIONS_MAX, &count) < 0 || (colon && !colon[1]))
		return fail(reterr, reterr_size, "vfs=%s: expected a number from 1 to %d, and "
			    "where they are, such as 4 or 4:H1", text, FUNCTIONS_MAX);
	*ret_count = (unsigned int)count;
	*ret_where = colon ? colon + 1 : NULL;
	return 0;
}

/* Of those that cannot have any, only the one that is named is an error. */
static int make_all(struct node *const *nodes, unsigned int node_count, unsigned int count,
		    char *reterr, size_t reterr_size, unsigned int *made)
{
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < node_count; i++) {
		if (nodes[i]->vport || objection_to(nodes[i]))
			continue;
		ret = functions_make(nodes[i], count, nodes[i]->fabric->options.vf_lids, reterr,
				     reterr_size);
		(*made)++;
	}
	return ret;
}

int functions_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		       size_t reterr_size)
{
	unsigned int count, made = 0;
	const char *where;
	struct umadrig_host *host;
	struct node *node;
	int ret = functions_parse(text, &count, &where, reterr, reterr_size);

	if (ret < 0)
		return ret;
	if (!where) {
		ret = make_all((struct node *const *)fabric->nodes->pdata, fabric->nodes->len,
			       count, reterr, reterr_size, &made);
	} else if ((node = fabric_find(fabric, where))) {
		ret = functions_make(node, count, fabric->options.vf_lids, reterr, reterr_size);
		made = 1;
	} else if ((host = fabric_host(fabric, where))) {
		g_autofree struct node **nodes = g_memdup2(host->nodes, host->node_count *
							   sizeof(*host->nodes));

		/* The host's list grows by those that are made. */
		ret = make_all(nodes, host->node_count, count, reterr, reterr_size, &made);
	} else {
		return fail(reterr, reterr_size, "vfs=%s: there is no node or host '%s'", text,
			    where);
	}
	if (ret < 0) {
		g_autofree char *why = g_strdup(reterr);

		return fail(reterr, reterr_size, "vfs=%s: %s", text, why);
	}
	return made ? 0 : fail(reterr, reterr_size, "vfs=%s: no HCA is there that can have them "
			       "and has none", text);
}
