/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See harness/script/tree/console-word.h.
 */
#include "harness/script/tree/console-word.h"

#include <string.h>

#include "lib/words/node-place.h"

void console_line_append(GString *line, const char *word)
{
	struct node_place place;
	const char *port;

	if (line->len)
		g_string_append_c(line, ' ');
	if (strchr(word, '"') || !strpbrk(word, " \t")) {
		g_string_append(line, word);
		return;
	}
	port = word + (node_place_parse(word, &place) == 0 ? place.name_size : strlen(word));
	g_string_append_printf(line, "\"%.*s\"%s", (int)(port - word), word, port);
}
