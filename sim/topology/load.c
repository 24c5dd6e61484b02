/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Loading a topology: finds its format, and does afterwards what all formats need. */
#include "config.h"

#include <string.h>

#include "sim/topology/foreign.h"
#include "sim/topology/format.h"
#include "sim/topology/generate.h"
#include "sim/topology/load.h"
#include "sim/topology/planes.h"
#include "sim/topology/text-file.h"

#define BOM "\xef\xbb\xbf"

static const struct topology_format *const formats[] = {
#define ROW(name) &topology_format_##name,
	TOPOLOGY_FORMATS(ROW)
#undef ROW
};

static void fatal(struct topology *topology, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void fatal(struct topology *topology, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	topology_tell_va(topology, TOPOLOGY_FATAL, 0, 0, format, args);
	va_end(args);
}

/* "ibsim net files, ... and ibdm topologies", to be freed with g_free(). */
static char *format_names(void)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		g_string_append_printf(text, "%s%s", !i ? "" :
				       i + 1 < G_N_ELEMENTS(formats) ? ", " : " and ",
				       formats[i]->name);
	return g_string_free(text, false);
}

/* The first format that recognizes the text; NULL: none. */
static const struct topology_format *find_format(struct span text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		if (formats[i]->detect(text))
			return formats[i];
	return NULL;
}

/* False after a diagnostic: there is no fabric in it. */
static bool read_all(struct topology_reader *reader, struct span text)
{
	bool bom = cursor_skip(&text, BOM);
	const char *what = foreign_file(text);

	reader->format = what ? NULL : find_format(text);
	if (!reader->format) {
		char *names = format_names();

		fatal(reader->topology, "no fabric found: it is %s; %s can be read",
		      what ? what : foreign_text(text), names);
		g_free(names);
		return false;
	}
	reader->saw_bom = bom;
	reader->format->read(reader, text);
	topology_find_planes(reader);
	topology_finish_guids(reader);
	topology_finish_links(reader);
	topology_finish_lids(reader);
	reader_tell_traces(reader);
	return true;
}

/* Hands over the diagnostics, and the topology unless nothing was loaded. */
static struct topology *topology_finish(struct topology *topology, bool loaded,
					GArray **ret_diagnostics)
{
	topology_sort_diagnostics(topology);
	if (loaded && !topology->nodes->len) {
		char *names = format_names();

		fatal(topology, "no node is left; %s can be read", names);
		g_free(names);
		loaded = false;
	}
	if (ret_diagnostics)
		*ret_diagnostics = g_array_ref(topology->diagnostics);
	if (loaded)
		return topology;
	topology_free(topology);
	return NULL;
}

struct topology *topology_parse(const char *text, size_t size, const char *name,
				GArray **ret_diagnostics)
{
	struct topology *topology = topology_new(name);
	struct topology_reader reader;

	reader_init(&reader, topology);

	bool loaded = read_all(&reader, (struct span){ text, text + size });

	reader_done(&reader);
	return topology_finish(topology, loaded, ret_diagnostics);
}

static struct topology *load_generated(const char *name, GArray **ret_diagnostics)
{
	struct topology *topology = topology_new(name);
	char *message;
	int ret = topology_generate(topology, name + strlen(TOPOLOGY_GENERATE), &message);

	if (ret < 0) {
		fatal(topology, "%s", message);
		g_free(message);
	}
	return topology_finish(topology, ret == 0, ret_diagnostics);
}

struct topology *topology_load(const char *path, GArray **ret_diagnostics)
{
	char *text;
	gsize size;
	GError *error = NULL;

	if (g_str_has_prefix(path, TOPOLOGY_GENERATE))
		return load_generated(path, ret_diagnostics);
	if (!text_file_read(path, TEXT_FILE_MAX, &text, &size, &error)) {
		struct topology *topology = topology_new(path);

		fatal(topology, "%s", error->message);
		g_error_free(error);
		return topology_finish(topology, false, ret_diagnostics);
	}

	struct topology *topology = topology_parse(text, size, path, ret_diagnostics);

	g_free(text);
	return topology;
}
