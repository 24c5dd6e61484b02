/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that a script names: others that it includes, captures, topologies.
 */
#include "harness/script/parse/script-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

enum { INCLUDE_DEPTH_MAX = 8 };

/* Resolves the name of a file in the script at 'place', relative to the script's directory. */
const char *parser_beside(struct parser *parser, const struct token *name)
{
	g_autofree char *dir = NULL;
	g_autofree char *path = NULL;

	if (g_path_is_absolute(name->text))
		return name->text;
	dir = g_path_get_dirname(name->place.source->name);
	path = strcmp(dir, ".") == 0 ? g_strdup(name->text) :
				       g_build_filename(dir, name->text, NULL);
	return arena_text(parser->arena, path, strlen(path));
}

const char *parser_existing(struct parser *parser, const struct token *name)
{
	const char *path = parser_beside(parser, name);

	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return path;
	parser_refuse(parser, name->place, "%s: no such file", path);
	return NULL;
}

struct source *script_read(struct script *script, const char *path, const char *name,
			   char **reterr)
{
	g_autoptr(GError) error = NULL;
	GStatBuf status;
	bool is_there = g_stat(path, &status) == 0;
	char *text;
	gsize size;
	struct source *source;

	/* Neither a directory nor something without an end: /dev/zero, a FIFO. */
	if (is_there && !S_ISREG(status.st_mode)) {
		*reterr = g_strdup(S_ISDIR(status.st_mode) ? "is a directory, not a script" :
				   "is not a regular file");
		return NULL;
	}
	/* It may have grown when it has been read. */
	if (is_there && status.st_size > SCRIPT_SIZE_MAX) {
		*reterr = g_strdup("is larger than 1 MiB");
		return NULL;
	}
	if (!g_file_get_contents(path, &text, &size, &error)) {
		*reterr = g_strdup(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ?
				   "no such file" : error->message);
		return NULL;
	}
	if (size > SCRIPT_SIZE_MAX) {
		g_free(text);
		*reterr = g_strdup("is larger than 1 MiB");
		return NULL;
	}
	source = source_new(name, text, size);
	g_ptr_array_add(script->sources, source);
	return source;
}

void parser_take_file(struct parser *parser, const struct source *source)
{
	char *real = realpath(source->name, NULL);
	const struct include include = { parser->include, source->name, real };

	parser->include = &include;
	parser_take_source(parser, source);
	parser->include = include.by;
	free(real);
}

static void append_circle(GString *out, const struct include *include, const struct include *from)
{
	if (include != from)
		append_circle(out, include->by, from);
	g_string_append_printf(out, "%s -> ", include->shown);
}

/* Would including 'path' go on for ever? Then that is diagnosed at 'place', with the circle. */
static bool is_circle(struct parser *parser, struct place place, const char *path)
{
	char *real = realpath(path, NULL);
	const struct include *from = parser->include;
	g_autoptr(GString) text = g_string_new(NULL);

	while (real && from && !(from->real && strcmp(from->real, real) == 0))
		from = from->by;
	free(real);
	if (!real || !from)
		return false;
	append_circle(text, parser->include, from);
	if (from == parser->include)
		parser_refuse(parser, place, "%s includes itself", path);
	else
		parser_refuse(parser, place, "files include each other in a circle: %s%s",
			     text->str, from->shown);
	return true;
}

bool parse_include(struct parser *parser)
{
	const struct token *file = parser_expect(parser, TOKEN_STRING, "the file's name in quotes");
	struct place place;
	const char *path;
	g_autofree char *reterr = NULL;
	struct source *source;

	if (!file)
		return false;
	place = file->place;
	path = parser_beside(parser, file);
	if (is_circle(parser, place, path))
		return false;
	if (parser->include_depth >= INCLUDE_DEPTH_MAX) {
		parser_refuse(parser, place, "files include each other more than %d deep",
			     INCLUDE_DEPTH_MAX);
		return false;
	}
	source = script_read(parser->script, path, path, &reterr);
	if (!source) {
		parser_refuse(parser, place, "%s: %s", path, reterr);
		return false;
	}
	/* An empty file counts too. */
	parser->taken++;
	if (parser->taken + source->size > SCRIPT_TOTAL_MAX) {
		parser_refuse(parser, place, "the script is too large with what it includes: more "
			     "than %u MiB", SCRIPT_TOTAL_MAX >> 20);
		return false;
	}
	parser->include_depth++;
	parser_take_file(parser, source);
	parser->include_depth--;
	return true;
}
