/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of a view that can be written: see sim/server/sysfs-store.h.
 */
#include "config.h"

#include "sim/server/sysfs-store.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/number.h"
#include "sim/fabric/node.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/power.h"
#include "sim/server/sysfs-functions.h"
#include "sim/server/sysfs-hw-counters.h"
#include "sim/server/sysfs-view.h"

/*
 * As Linux's kstrtou16(text, 0): octal after 0, hexadecimal after 0x, a plus before it and a
 * newline behind it.
 */
static int take_number(const char *text, unsigned int base, uint64_t max, uint64_t *ret)
{
	uint64_t value = 0;

	text += *text == '+';
	if (base == 0 && text[0] == '0' && text[1] >= '0' && text[1] <= '7')
		base = 8;
	if (number_take(&text, base, max, &value) < 0)
		return -EINVAL;
	text += *text == '\n';
	if (*text)
		return -EINVAL;
	*ret = value;
	return 0;
}

/* Linux: sriov_numvfs_store(). */
static int store_count(struct functions *functions, const char *text)
{
	uint64_t wanted;
	int ret = take_number(text, 0, UINT16_MAX, &wanted);

	return ret < 0 ? ret : functions_set_enabled(functions, (unsigned int)wanted);
}

/* ---- a virtual function ---- */

/* "00:11:22:33:44:55:66:77", of which each part has one or two digits. */
static int take_guid(const char *text, uint64_t *ret)
{
	enum { PARTS = 8, PART_BITS = 8 };
	uint64_t guid = 0;

	for (int i = 0; i < PARTS; i++) {
		uint64_t part = 0;

		if ((i > 0 && *text++ != ':') || number_take(&text, 16, UINT8_MAX, &part) < 0)
			return -EINVAL;
		guid = guid << PART_BITS | part;
	}
	*ret = guid;
	return 0;
}

static int store_guid(struct virtual_function *function, const char *text,
		      void (*set)(struct virtual_function *function, uint64_t guid))
{
	uint64_t guid;
	int ret = take_guid(text, &guid);

	if (ret == 0)
		set(function, guid);
	return ret;
}

static int store_policy(struct virtual_function *function, const char *text)
{
	g_autofree char *word = g_strndup(text, strcspn(text, "\n"));

	for (unsigned int i = 0; sysfs_functions_policy(i); i++) {
		if (strcmp(word, sysfs_functions_policy(i)) != 0)
			continue;
		function_set_policy(function, (enum function_policy)i);
		return 0;
	}
	return -EINVAL;
}

/* "3/port". */
static int store_function(struct functions *functions, const char *rest, const char *text)
{
	struct virtual_function *function;
	uint64_t number;

	if (number_take(&rest, 10, UINT16_MAX, &number) < 0 || *rest++ != '/' ||
	    number >= functions->enabled)
		return -EACCES;
	function = &functions->at[number];
	if (strcmp(rest, "node") == 0)
		return store_guid(function, text, function_set_node_guid);
	if (strcmp(rest, "port") == 0)
		return store_guid(function, text, function_set_port_guid);
	return strcmp(rest, "policy") == 0 ? store_policy(function, text) : -EACCES;
}

/* ---- all ---- */

/* Linux: set_stats_lifespan(). A minus is no more than another mistake there. */
static int store_lifespan(struct sysfs_view *view, const char *path, const char *text)
{
	uint64_t wanted;
	int ret = take_number(text, 10, SYSFS_HW_LIFESPAN_MAX_MS, &wanted);

	return ret < 0 ? ret : sysfs_view_set_lifespan(view, path, (unsigned int)wanted);
}

int sysfs_store(struct sysfs_view *view, const char *path, const char *text)
{
	const char *rest = NULL;
	const struct node *node = sysfs_view_card(view, path, &rest);

	if (g_str_has_suffix(path, "/hw_counters/" SYSFS_HW_LIFESPAN))
		return store_lifespan(view, path, text);
	if (!node || !node->functions || node->vport || node->removed)
		return -EACCES;
	if (strcmp(rest, "sriov_numvfs") == 0)
		return store_count(node->functions, text);
	if (g_str_has_prefix(rest, "sriov/"))
		return store_function(node->functions, rest + strlen("sriov/"), text);
	return -EACCES;
}
