/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ibsim's net files: node records (sim/topology/record.c) and directives.
 *
 *	module="leaf1"		ids of the nodes below become leaf1#ID
 *	include "leaf.net"	read here, looked for beside the file that names it
 *	switchguid=0x1000, +3	GUIDs, then counted up; relative to the last absolute one
 *	width=2 speed=4		enabled masks for the nodes that follow
 *	do COMMAND		of the console (sim/console/console.h), when the fabric is made
 *
 * ibsim stops at the first error; this reader reports it and goes on.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/reader.h"
#include "sim/topology/text-file.h"

#define INCLUDE_DEPTH_MAX 8		/* as many levels as ibsim has room for */
#define INCLUDE_COUNT_MAX 1000		/* a limit for files that include each other many times */
#define INCLUDE_BYTES_MAX (64 << 20)

static void read_text(struct topology_reader *reader, struct span text);

/* ---- include ---- */

/* Relative to the directory of the including file, else to the current one. */
static char *include_path(const struct topology_reader *reader, const char *name)
{
	if (g_path_is_absolute(name))
		return g_strdup(name);

	char *directory = g_path_get_dirname(reader->topology->files->pdata[reader->file_number]);
	char *path = g_build_filename(directory, name, NULL);

	g_free(directory);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	g_free(path);
	return g_strdup(name);
}

static bool include_allowed(struct topology_reader *reader, const char *path)
{
	if (reader->include_depth >= INCLUDE_DEPTH_MAX)
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "includes are nested more than %d deep at '%s'; left out; does "
				  "it include itself?",
				  INCLUDE_DEPTH_MAX, path);
	else if (reader->topology->files->len > INCLUDE_COUNT_MAX)
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "more than %d files are included; '%s' was left out; join some "
				  "of them",
				  INCLUDE_COUNT_MAX, path);
	else if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "no file '%s'; left out; write its path relative to this file",
				  path);
	else
		return true;
	return false;
}

static void include_read(struct topology_reader *reader, const char *path)
{
	char *text;
	gsize size;
	GError *error = NULL;

	if (!include_allowed(reader, path))
		return;
	if (!text_file_read(path, TEXT_FILE_MAX, &text, &size, &error)) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line, "%s; left out",
				  error->message);
		g_error_free(error);
		return;
	}

	unsigned int file_number = reader->file_number, line = reader->line;

	if (size > INCLUDE_BYTES_MAX) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "'%s' has %" G_GSIZE_FORMAT " bytes; at most %d can be included; "
				  "left out",
				  path, size, INCLUDE_BYTES_MAX);
		g_free(text);
		return;
	}
	g_ptr_array_add(reader->topology->files, g_strdup(path));
	reader->file_number = reader->topology->files->len - 1;
	reader->include_depth++;
	read_text(reader, (struct span){ text, text + size });
	reader->include_depth--;
	reader->file_number = file_number;
	reader->line = line;
	g_free(text);
}

static void include_line(struct topology_reader *reader, struct span rest)
{
	struct span name;

	cursor_skip_blanks(&rest);
	if (!cursor_quoted(&rest, &name) || !span_size(name) ||
	    memchr(name.at, '\0', span_size(name))) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "include without a file name in quotes; left out; write: include "
				  "\"FILE\"");
		return;
	}

	char *text = g_strndup(name.at, span_size(name));
	char *path = include_path(reader, text);

	include_read(reader, path);
	g_free(path);
	g_free(text);
}

/* ---- other directives ---- */

static void module_line(struct topology_reader *reader, struct span rest)
{
	struct span name;

	cursor_skip_blanks(&rest);
	cursor_skip(&rest, "=");
	cursor_skip_blanks(&rest);
	if (!cursor_quoted(&rest, &name) || memchr(name.at, '\0', span_size(name))) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "module without a name in quotes; left out; write: "
				  "module=\"NAME\"");
		return;
	}
	reader->module = span_size(name) ?
		g_string_chunk_insert_len(reader->topology->strings, name.at,
					  (gssize)span_size(name)) : NULL;
}

/* "width=2": what the ports of the following nodes have enabled. */
static void enabled_line(struct topology_reader *reader, const char *name, char letter,
			 struct span rest)
{
	struct topology_port port = { .width_enabled = reader->width,
				      .speed_enabled = reader->speed,
				      .speed_ext_enabled = reader->speed_ext };
	struct span number;
	char text[24];

	cursor_skip_blanks(&rest);
	if (!cursor_skip(&rest, "=") || !cursor_word(&rest, &number)) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "'%s' without a number; left out; write: %s=MASK", name, name);
		return;
	}
	/* The same limits as on a port line, with the same diagnostics. */
	int size = g_snprintf(text, sizeof(text), "%c=%.*s", letter,
			      (int)MIN(span_size(number), 20), number.at);
	topology_rate_option(reader, (struct span){ text, text + MIN((size_t)size, strlen(text)) },
			     &port);
	reader->width = port.width_enabled;
	reader->speed = port.speed_enabled;
	reader->speed_ext = port.speed_ext_enabled;
}

/* With or without quotes around it. Whether it can be done is found out when there is a fabric. */
static void command_line(struct topology_reader *reader, struct span rest)
{
	struct topology_command command = {
		.file_number = reader->file_number, .line = reader->line,
	};

	if (span_size(rest) >= 2 && rest.at[0] == '"' && rest.end[-1] == '"') {
		rest.at++;
		rest.end--;
	}
	if (span_size(rest) == 0 || memchr(rest.at, '\0', span_size(rest))) {
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "do without a command; left out; 'umadrig ctl --help' lists "
				  "them");
		return;
	}
	command.text = g_string_chunk_insert_len(reader->topology->strings, rest.at,
						 (gssize)span_size(rest));
	g_array_append_val(reader->topology->commands, command);
}

static bool directive(struct topology_reader *reader, struct span line)
{
	struct span rest = line;

	if (cursor_skip(&rest, "include")) {
		include_line(reader, rest);
	} else if (cursor_skip(&rest, "module")) {
		module_line(reader, rest);
	} else if (cursor_skip(&rest, "width")) {
		enabled_line(reader, "width", 'w', rest);
	} else if (cursor_skip(&rest, "speed")) {
		enabled_line(reader, "speed", 's', rest);
	} else if (cursor_skip(&rest, "extspeed")) {
		enabled_line(reader, "extspeed", 'e', rest);
	} else if (cursor_skip(&rest, "do") && cursor_skip_blanks(&rest)) {
		command_line(reader, span_trim(rest));
	} else {
		rest = line;
		return cursor_skip(&rest, "pdebug");	/* how verbose ibsim is: nothing to do */
	}
	return true;
}

/* ---- lines ---- */

static void other_line(struct topology_reader *reader, struct span line)
{
	if (topology_is_prompt(line)) {
		if (!reader->saw_prompt)
			reader->prompt_line = reader->line;
		reader->saw_prompt = true;
		return;
	}
	/* Lines of ibnetdiscover -g, in dumps that were turned into net files. */
	if (span_starts(line, "Chassis ") || span_starts(line, "Non-Chassis Nodes"))
		return;
	topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
			  "'%.*s' not understood; skipped, as ibsim does; start comments with #",
			  SHOWN(line));
	topology_lose_line(reader);
}

static void read_line(struct topology_reader *reader, struct span line)
{
	enum topology_kind kind;

	topology_check_length(reader, line);
	if (span_starts(line, "[") && !topology_is_prompt(line)) {
		topology_count_line(reader);
		topology_port_line(reader, line);
		return;
	}
	if (span_starts(line, "@[")) {
		topology_port_alias(reader, line);
		return;
	}
	if (span_starts(line, "#"))
		return;
	topology_record_close(reader);
	line = span_trim(line);
	if (line.at == line.end)
		return;
	topology_count_line(reader);
	if (topology_record_keyword(&line, &kind))
		topology_record_header(reader, kind, line);
	else if (!topology_record_preamble(reader, line) && !directive(reader, line))
		other_line(reader, line);
}

static void read_text(struct topology_reader *reader, struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line;

	while (reader_next_line(reader, &lines, &line))
		read_line(reader, line);
}

static void read_net(struct topology_reader *reader, struct span text)
{
	/* Where ibsim begins to count; its routers begin at 0, which is no GUID. */
	static const uint64_t first[TOPOLOGY_KIND_COUNT] = {
		[TOPOLOGY_CA] = 0x100000,
		[TOPOLOGY_SWITCH] = 0x200000,
		[TOPOLOGY_ROUTER] = 0x300000,
	};

	memcpy(reader->next.guid, first, sizeof(first));
	memcpy(reader->guid_base, first, sizeof(first));
	read_text(reader, text);
}

/* Lines that only an ibsim net file has. */
static const char *const ibsim_starts[] = {
	"Hca\t", "Hca ", "module", "include", "do ", "hcaguid", "switchguids", "width=", "width =",
	"speed=", "speed =", "extspeed", "pdebug", "@[",
};

static bool is_ibsim_line(struct span line)
{
	bool guid_id;

	for (size_t i = 0; i < G_N_ELEMENTS(ibsim_starts); i++)
		if (span_starts(line, ibsim_starts[i]))
			return true;
	return span_starts(line, "Hca") && topology_record_is_header(line, &guid_id);
}

/*
 * ibsim reads what ibnetdiscover prints, so the two are told apart by what only one of them has:
 * ibsim has directives, which may come late, "Hca", and ids of any form; ibnetdiscover has its
 * heading, and ids made of a letter and a GUID.
 */
static bool detect(struct span text)
{
	struct line_reader lines = { .rest = text };
	bool header = false, guid_id = false, heading = false;
	struct span line;

	while (line_next(&lines, &line)) {
		if (is_ibsim_line(line))
			return true;
		heading |= topology_record_is_heading(line);
		if (!header)
			header = topology_record_is_header(line, &guid_id);
	}
	return header && !guid_id && !heading;
}

const struct topology_format topology_format_ibsim = {
	.name = "ibsim net files",
	.detect = detect,
	.read = read_net,
	.clean = "save the file as plain text",
	.counts_guids = true,
	.has_aliases = true,
	.strict_peers = true,
	.sets_enabled = true,
};
