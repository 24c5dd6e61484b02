/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See harness/script/tree/console-word.h.
 */
#include "harness/script/tree/console-word.h"

#include <string.h>

void console_line_append(GString *line, const char *word)
{
	const char *port = strrchr(word, '[');

	if (line->len)
		g_string_append_c(line, ' ');
	if (strchr(word, '"') || !strpbrk(word, " \t")) {
		g_string_append(line, word);
		return;
	}
	if (!port || word[strlen(word) - 1] != ']')
		port = word + strlen(word);
	g_string_append_printf(line, "\"%.*s\"%s", (int)(port - word), word, port);
}
