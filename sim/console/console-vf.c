/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs about virtual functions: what a host does by the files of its PF
 * (sriov_numvfs, sriov/N) or by ip link. See sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <inttypes.h>

#include "lib/words/number.h"
#include "sim/console/console.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/power.h"

static const char *const policies[] = {
	[FUNCTION_DOWN] = "Down",
	[FUNCTION_UP] = "Up",
	[FUNCTION_FOLLOW] = "Follow",
};

/* ---- which one ---- */

/* An HCA that has virtual functions. */
static int find_pf(struct console *console, const char *word, struct node **ret)
{
	struct console_place place;
	int ret_place = console_place(console, word, &place);

	if (ret_place < 0)
		return ret_place;
	if (!place.node->functions || place.node->vport)
		return console_fail(console, -EINVAL, "%s has no virtual functions: the fabric's "
				    "option vfs=N:NODE makes some", place.node->id);
	*ret = place.node;
	return 0;
}

/* "H1 0": as sysfs counts them, from 0. */
static int find_function(struct console *console, const struct console_words *words,
			 struct virtual_function **ret)
{
	struct node *pf = NULL;
	uint64_t number;
	int err = find_pf(console, words->at[0], &pf);

	if (err < 0)
		return err;
	if (number_parse(words->at[1], 0, pf->functions->count - 1, &number) < 0) {
		g_autofree char *wanted = g_strdup_printf("the number of a virtual function, from "
							  "0 to %u", pf->functions->count - 1);

		return console_expected(console, words->at[1], wanted);
	}
	*ret = &pf->functions->at[number];
	return 0;
}

/* ---- changing ---- */

static int set_guid(struct console *console, const struct console_words *words,
		    void (*set)(struct virtual_function *function, uint64_t guid))
{
	struct virtual_function *function = NULL;
	uint64_t guid;
	int ret = find_function(console, words, &function);

	if (ret < 0)
		return ret;
	if (number_parse_hex(words->at[2], 0, UINT64_MAX, &guid) < 0)
		return console_expected(console, words->at[2],
					"a GUID, up to 16 hexadecimal digits");
	set(function, guid);
	return 0;
}

int console_vf_port(struct console *console, const struct console_words *words)
{
	return set_guid(console, words, function_set_port_guid);
}

int console_vf_node(struct console *console, const struct console_words *words)
{
	return set_guid(console, words, function_set_node_guid);
}

int console_vf_count(struct console *console, const struct console_words *words)
{
	struct node *pf = NULL;
	uint64_t count;
	int ret = find_pf(console, words->at[0], &pf);

	if (ret < 0)
		return ret;
	if (number_parse(words->at[1], 0, pf->functions->count, &count) < 0) {
		g_autofree char *wanted = g_strdup_printf("how many virtual functions, up to %u",
							  pf->functions->count);

		return console_expected(console, words->at[1], wanted);
	}
	ret = functions_set_enabled(pf->functions, (unsigned int)count);
	return ret == 0 ? 0 : console_fail(console, ret, "%s has %u virtual functions: 'vf count "
					   "%s 0' has to come first", pf->id,
					   pf->functions->enabled, pf->id);
}

int console_vf_policy(struct console *console, const struct console_words *words)
{
	struct virtual_function *function = NULL;
	int ret = find_function(console, words, &function);

	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < G_N_ELEMENTS(policies); i++) {
		if (g_ascii_strcasecmp(words->at[2], policies[i]) != 0)
			continue;
		function_set_policy(function, (enum function_policy)i);
		return 0;
	}
	return console_expected(console, words->at[2], "down, up or follow");
}

/* ---- showing ---- */

static const char *state_name(const struct virtual_function *function)
{
	static const char *const names[] = {
		[PORT_DOWN] = "Down", [PORT_INIT] = "Init", [PORT_ARMED] = "Armed",
		[PORT_ACTIVE] = "Active",
	};

	return names[function_state(function)];
}

static void list_json(struct json_writer *json, const struct virtual_function *function)
{
	const struct node *node = function->node;

	json_open(json, '{');
	json_string(json_name(json, "node"), node->functions->pf->id);
	json_unsigned(json_name(json, "vf"), node->vport - 1U);
	json_string(json_name(json, "device"), node->device_name);
	json_hex(json_name(json, "node_guid"), node->node_guid, 16);
	json_hex(json_name(json, "port_guid"), node->ends->guid, 16);
	json_string(json_name(json, "policy"), policies[function->policy]);
	json_string(json_name(json, "state"), state_name(function));
	json_unsigned(json_name(json, "lid"), node->ends->attr.lid);
	json_close(json, '}');
}

static void list(struct console *console, const struct node *pf)
{
	for (unsigned int i = 0; i < pf->functions->enabled; i++) {
		const struct virtual_function *function = &pf->functions->at[i];
		const struct node *node = function->node;

		if (console->json)
			list_json(console->json, function);
		else
			g_string_append_printf(console->out, "%s\tvf %u\t%s\tnode 0x%016" PRIx64
					       "\tport 0x%016" PRIx64 "\tpolicy %s\t%s\tlid %u\n",
					       pf->id, i, node->device_name, node->node_guid,
					       node->ends->guid, policies[function->policy],
					       state_name(function), node->ends->attr.lid);
	}
}

int console_vf_list(struct console *console, const struct console_words *words)
{
	const GPtrArray *pfs = console->fabric->pfs;
	struct node *pf = NULL;
	int ret = words->count ? find_pf(console, words->at[0], &pf) : 0;

	if (ret < 0)
		return ret;
	if (console->json)
		json_open(console->json, '[');
	for (guint i = 0; pfs && i < pfs->len; i++) {
		if (!pf || pf == g_ptr_array_index(pfs, i))
			list(console, g_ptr_array_index(pfs, i));
	}
	if (console->json)
		json_close(console->json, ']');
	return 0;
}
