/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of verbs: nodes, ports, numbers, and errors that say how to mend a line. See
 * sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

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
		answer_open(console->json, NULL, '{');
		answer_unsigned(console->json, "id", (uint64_t)id);
		answer_close(console->json, '}');
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

/* The name at the start of 'word', without its quotes; '*ret_rest' is "[PORT]" or nothing. */
static char *take_name(const char *word, const char **ret_rest)
{
	const char *end;

	if (word[0] == '"' && (end = strrchr(word + 1, '"'))) {
		*ret_rest = end + 1;
		return g_strndup(word + 1, (gsize)(end - word) - 1);
	}
	end = word[0] && word[strlen(word) - 1] == ']' ? strrchr(word, '[') : NULL;
	*ret_rest = end ? end : word + strlen(word);
	return g_strndup(word, (gsize)(*ret_rest - word));
}

/* "S1[3]" is S1[3], unless a node is called so. Otherwise the word as it is; to be freed. */
static char *unquote_port(struct umadrig_fabric *fabric, const char *word)
{
	size_t size = strlen(word);
	g_autofree char *whole = size > 3 && word[0] == '"' && g_str_has_suffix(word, "]\"") ?
				 g_strndup(word + 1, size - 2) : NULL;
	const char *open = whole ? strrchr(whole, '[') : NULL;

	if (!open || fabric_node(fabric, whole))
		return g_strdup(word);
	return g_strdup_printf("\"%.*s\"%s", (int)(open - whole), whole, open);
}

int console_place(struct console *console, const char *given, struct console_place *ret_place)
{
	g_autofree char *word = unquote_port(console->fabric, given);
	const char *rest;
	g_autofree char *name = take_name(word, &rest);
	struct node *node = find_node(console, name);
	char *end;
	unsigned long num;

	if (!node)
		return -ENOENT;
	if (!*rest) {
		*ret_place = (struct console_place){ node, NULL };
		return 0;
	}
	num = strtoul(rest + 1, &end, 10);
	if (rest[0] != '[' || !g_ascii_isdigit(rest[1]) || strcmp(end, "]") != 0)
		return console_expected(console, word, "a node, such as \"S1\", or a port, such as "
					"\"S1\"[3]");
	if (num > node->port_count || (num == 0 && !node->sw))
		return console_fail(console, -ENOENT, "there is no port %s[%lu]; it has %s%u",
				    node->id, num, node->sw ? "0 to " : "1 to ", node->port_count);
	*ret_place = (struct console_place){ node, &node->ports[num] };
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
	bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');

	if (g_ascii_string_to_unsigned(hex ? word + 2 : word, hex ? 16 : 10, 0, max, ret, NULL))
		return 0;
	return console_fail(console, -EINVAL, "'%s': expected %s, a number up to "
			    "%" G_GUINT64_FORMAT, word, what, max);
}
