/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Virtual functions as files: see sim/server/sysfs-functions.h. */
#include "sim/server/sysfs-functions.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/virtual-function.h"
#include "sim/server/sysfs-card.h"

/* What the files of one say. Compared as bytes, too. */
struct function_values {
	uint64_t node_guid, port_guid;
	uint64_t policy;
};

struct function_shown {
	unsigned int enabled;		/* sriov_numvfs */
	struct function_values at[];
};

static struct function_values values_of(const struct virtual_function *function)
{
	return (struct function_values) {
		.node_guid = function->node->node_guid,
		.port_guid = function->node->ends->guid,
		.policy = function->policy,
	};
}

static void put_guid(struct sysfs_tree *tree, const char *path, const char *name, uint64_t guid)
{
	uint8_t at[8];

	put_be64(at, guid);
	sysfs_tree_put_writable(tree, path, name,
				"%02x:%02x:%02x:%02x:%02x:%02x:%02x:%02x\n", at[0], at[1], at[2],
				at[3], at[4], at[5], at[6], at[7]);
}

const char *sysfs_functions_policy(unsigned int policy)
{
	static const char *const policies[] = {
		[FUNCTION_DOWN] = "Down", [FUNCTION_UP] = "Up", [FUNCTION_FOLLOW] = "Follow",
	};

	return policy < G_N_ELEMENTS(policies) ? policies[policy] : NULL;
}

static void put_values(struct sysfs_tree *tree, unsigned int card, unsigned int number,
		       const struct function_values *values)
{
	g_autofree char *device = sysfs_card_path(card);
	g_autofree char *path = g_strdup_printf("%s/sriov/%u", device, number);

	put_guid(tree, path, "node", values->node_guid);
	put_guid(tree, path, "port", values->port_guid);
	sysfs_tree_put_writable(tree, path, "policy", "%s\n",
				sysfs_functions_policy((unsigned int)values->policy));
}

/* How far the addresses of two adapters are apart, as PCI counts functions. */
static unsigned int distance(unsigned int from, unsigned int to)
{
	return sysfs_card_routing_id(to) - sysfs_card_routing_id(from);
}

static void put_pci(struct sysfs_tree *tree, const struct functions *functions, unsigned int card,
		    unsigned int first)
{
	g_autofree char *path = sysfs_card_path(card);

	sysfs_tree_put(tree, path, "sriov_totalvfs", "%u\n", functions->count);
	sysfs_tree_put(tree, path, "sriov_offset", "%u\n", distance(card, first));
	sysfs_tree_put(tree, path, "sriov_stride", "%u\n", distance(first, first + 1));
	sysfs_tree_put(tree, path, "sriov_vf_device", "%x\n", functions->at[0].node->device_id);
	sysfs_tree_put(tree, path, "sriov_drivers_autoprobe", "1\n");
}

/* The directory of each that is there, and how many those are. */
static void put_enabled(struct sysfs_tree *tree, const struct functions *functions,
			unsigned int card, struct function_shown *shown)
{
	g_autofree char *path = sysfs_card_path(card), *all = g_build_filename(path, "sriov", NULL);

	sysfs_tree_directory(tree, all);
	for (unsigned int i = functions->enabled; i < shown->enabled; i++) {
		g_autofree char *gone = g_strdup_printf("%s/%u", all, i);

		sysfs_tree_take_away(tree, gone);
	}
	for (unsigned int i = shown->enabled; i < functions->enabled; i++) {
		shown->at[i] = values_of(&functions->at[i]);
		put_values(tree, card, i, &shown->at[i]);
	}
	shown->enabled = functions->enabled;
	sysfs_tree_put_writable(tree, path, "sriov_numvfs", "%u\n", shown->enabled);
}

struct function_shown *sysfs_functions_put(struct sysfs_tree *tree, const struct node *pf,
					   unsigned int card, unsigned int first)
{
	const struct functions *functions = pf->functions;
	struct function_shown *shown =
		g_malloc0(sizeof(*shown) + functions->count * sizeof(*shown->at));

	put_pci(tree, functions, card, first);
	put_enabled(tree, functions, card, shown);
	return shown;
}

void sysfs_functions_refresh(struct sysfs_tree *tree, const struct node *pf, unsigned int card,
			     struct function_shown *shown)
{
	if (shown->enabled != pf->functions->enabled)
		put_enabled(tree, pf->functions, card, shown);
	for (unsigned int i = 0; i < shown->enabled; i++) {
		struct function_values values = values_of(&pf->functions->at[i]);

		if (memcmp(&values, &shown->at[i], sizeof(values)) == 0)
			continue;
		shown->at[i] = values;
		put_values(tree, card, i, &values);
	}
}

void sysfs_functions_link(struct sysfs_tree *tree, unsigned int number, unsigned int card,
			  unsigned int pf_card)
{
	g_autofree char *path = sysfs_card_path(card), *pf = sysfs_card_path(pf_card);
	g_autofree char *name = g_strdup_printf("virtfn%u", number);

	sysfs_tree_link(tree, path, "physfn", pf);
	sysfs_tree_link(tree, pf, name, path);
}

void sysfs_functions_unlink(struct sysfs_tree *tree, unsigned int number, unsigned int pf_card)
{
	g_autofree char *pf = sysfs_card_path(pf_card);
	g_autofree char *link = g_strdup_printf("%s/virtfn%u", pf, number);

	sysfs_tree_take_away(tree, link);
}
