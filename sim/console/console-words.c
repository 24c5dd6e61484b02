/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of verbs: nodes, ports, numbers, and errors that say how to mend a line. See
 * sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/node-place.h"
#include "lib/words/number.h"
#include "sim/console/console.h"
#include "sim/console/console-json.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"

int console_fail(struct console *console, int err, const char *format, ...)
{
	va_list args;

	g_free(console->error);
	va_start(args, format);
	console->error = g_strdup_vprintf(format, args);
	va_end(args);
	return err;
}

int console_answer_id(struct console *console, int id)
{
	if (console->json) {
		json_open(console->json, '{');
		json_unsigned(json_name(console->json, "id"), (uint64_t)id);
		json_close(console->json, '}');
	} else {
		g_string_append_printf(console->out, "%d\n", id);
	}
	return 0;
}

int console_expected(struct console *console, const char *word, const char *what)
{
	return console_fail(console, -EINVAL, "'%s': expected %s", word, what);
}

static struct node *find_node(struct console *console, const char *name)
{
	struct node *node = fabric_node(console->fabric, name);

	if (!node)
		console_fail(console, -ENOENT, "there is no node '%s'; Dump lists them", name);
	return node;
}

/* As node_place_parse(), but "S1[3]" in quotes is the node that is called so, if there is one. */
static int parse_place(struct umadrig_fabric *fabric, const char *word,
		       struct node_place *ret)
{
	size_t size = strlen(word);
	g_autofree char *whole = size > 2 && word[0] == '"' && word[size - 1] == '"' ?
				 g_strndup(word + 1, size - 2) : NULL;

	if (!whole || !fabric_node(fabric, whole))
		return node_place_parse(word, ret);
	*ret = (struct node_place){ .name = word + 1, .name_size = size - 2 };
	return 0;
}

int console_place(struct console *console, const char *word, struct console_place *ret_place)
{
	g_autofree char *name = NULL;
	struct node_place place;
	struct node *node;
	int err = parse_place(console->fabric, word, &place);

	if (err < 0)
		return console_expected(console, word, node_place_expected(err));
	name = g_strndup(place.name, place.name_size);
	node = find_node(console, name);
	if (!node)
		return -ENOENT;
	if (place.has_port && (place.port > node->port_count || (place.port == 0 && !node->sw)))
		return console_fail(console, -ENOENT, "there is no port %s[%u]; it has %s%u",
				    node->id, place.port, node->sw ? "0 to " : "1 to ",
				    node->port_count);
	*ret_place = (struct console_place){
		node, place.has_port ? &node->ports[place.port] : NULL
	};
	return 0;
}

int console_node(struct console *console, const char *word, struct node **ret_node)
{
	struct console_place place;
	int ret = console_place(console, word, &place);

	if (ret < 0)
		return ret;
	if (place.port)
		return console_expected(console, word, "a node, without a port");
	*ret_node = place.node;
	return 0;
}

int console_port(struct console *console, const char *word, struct port **ret_port)
{
	struct console_place place;
	int ret = console_place(console, word, &place);

	if (ret < 0)
		return ret;
	if (!place.port && !place.node->sw && place.node->port_count == 1)
		place.port = &place.node->ports[1];
	if (!place.port)
		return console_fail(console, -EINVAL, "which port of %s? Write \"%s\"[PORT]",
				    place.node->id, place.node->id);
	*ret_port = place.port;
	return 0;
}

int console_number(struct console *console, const char *word, const char *what, uint64_t max,
		   uint64_t *ret)
{
	if (number_parse(word, 0, max, ret) == 0)
		return 0;
	return console_fail(console, -EINVAL, "'%s': expected %s, a number up to "
			    "%" G_GUINT64_FORMAT, word, what, max);
}

int console_entry(struct console *console, const char *word, const char *what, bool *ret_all,
		  uint64_t *ret_id)
{
	g_autofree char *wanted = g_strdup_printf("the number of %s, or 'all'", what);

	*ret_all = g_ascii_strcasecmp(word, "all") == 0;
	*ret_id = 0;
	return *ret_all ? 0 : console_number(console, word, wanted, INT32_MAX, ret_id);
}

int console_no_entry(struct console *console, const char *what, const char *word,
		     const char *list)
{
	return console_fail(console, -ENOENT, "there is no %s %s; '%s' has them", what, word, list);
}
