/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * script-parse: what the parser says of scripts on standard input, which a byte 0x1e separates; for
 * tests/harness/grammar.sh. A line for each: "ok"; "malformed MESSAGE" if no sentence of the
 * language has this form; "refused MESSAGE" if the form is right, but it cannot be (a file is not
 * there, a name is given twice). Nothing is checked behind the parser.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

enum { SEPARATOR = 0x1e };

static GString *read_all(FILE *file)
{
	GString *text = g_string_new(NULL);
	char buffer[4096];
	size_t size;

	while ((size = fread(buffer, 1, sizeof(buffer), file)) > 0)
		g_string_append_len(text, buffer, (gssize)size);
	return text;
}

static void say(const char *text, size_t size)
{
	struct script *script = script_parse(text, size, "sentence.mad", script_verbs);
	const struct diagnostics *diagnostics = script->diagnostics;
	const struct diagnostic *first = diagnostics->errors > 0 ? diagnostics->list->pdata[0] :
					 NULL;

	if (!first)
		puts("ok");
	/* A name in it may have a newline. */
	else
		g_strdelimit(first->message, "\n", ' ');
	if (first)
		printf("%s %u: %s\n", diagnostics->malformed ? "malformed" : "refused",
		       first->place.line, first->message);
	script_free(script);
}

int main(void)
{
	g_autoptr(GString) text = read_all(stdin);
	size_t end;

	for (size_t from = 0; from < text->len; from = end + 1) {
		const char *separator = memchr(text->str + from, SEPARATOR, text->len - from);

		end = separator ? (size_t)(separator - text->str) : text->len;
		say(text->str + from, end - from);
	}
	return ferror(stdin) || ferror(stdout) ? 99 : 0;
}
