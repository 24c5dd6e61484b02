/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs about devices of hosts. See sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/agents/device-health.h"
#include "sim/console/console.h"
#include "sim/fabric/node.h"
#include "sim/host/power.h"

static int find_with_power(struct console *console, const char *word, struct node **ret_node)
{
	int ret = console_node(console, word, ret_node);

	if (ret == 0 && (*ret_node)->removed)
		ret = console_fail(console, -EIO, "%s has no power; 'node on' turns it on",
				   (*ret_node)->id);
	return ret;
}

static int check_device(struct console *console, const struct node *node)
{
	return node->host ? 0 :
	       console_fail(console, -EINVAL, "%s is no host's device; 'node off' takes its power",
			    node->id);
}

int console_node_temperature(struct console *console, const struct console_words *words)
{
	struct node *node = NULL;
	uint64_t degrees = 0;
	int ret = find_with_power(console, words->at[0], &node);

	if (ret == 0)
		ret = console_number(console, words->at[1], "degrees Celsius", HEALTH_DEGREES_MAX,
				     &degrees);
	if (ret < 0)
		return ret;
	if (degrees == 0)
		return console_expected(console, words->at[1], "degrees Celsius, from 1 on");
	device_set_degrees(node, (unsigned int)degrees);
	return 0;
}

int console_device_fatal(struct console *console, const struct console_words *words)
{
	struct node *node = NULL;
	int ret = find_with_power(console, words->at[0], &node);

	if (ret == 0)
		ret = check_device(console, node);
	if (ret < 0)
		return ret;
	device_say_fatal(node);
	node_remove(node);
	return 0;
}

int console_device_remove(struct console *console, const struct console_words *words)
{
	struct node *node = NULL;
	int ret = console_node(console, words->at[0], &node);

	if (ret == 0)
		ret = check_device(console, node);
	if (ret == 0)
		node_remove(node);
	return ret;
}
