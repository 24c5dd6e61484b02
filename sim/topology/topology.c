/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A topology: loading and freeing, diagnostics, finding nodes. */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "sim/topology/generate.h"
#include "sim/topology/reader.h"

#define FORMATS \
	"ibnetdiscover dumps, ibsim net files, OpenSM subnet lists and ibdm topologies are read"
#define BOM "\xef\xbb\xbf"

struct topology_node *topology_node(const struct topology *topology, int index)
{
	return topology->nodes->pdata[index];
}

/* ---- diagnostics ---- */

static void diagnostic_clear(gpointer data)
{
	struct topology_diagnostic *diagnostic = data;

	g_free(diagnostic->file);
	g_free(diagnostic->message);
}

/* One line of text, whatever a file's names contain. */
static char *one_line(char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	g_free(text);
	for (char *c = valid; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return valid;
}

static void diagnose_va(struct topology *topology, enum topology_severity severity,
			unsigned int file_number, unsigned int line, const char *format,
			va_list args) G_GNUC_PRINTF(5, 0);

static void diagnose_va(struct topology *topology, enum topology_severity severity,
			unsigned int file_number, unsigned int line, const char *format,
			va_list args)
{
	if (topology->diagnostics->len >= TOPOLOGY_DIAGNOSTICS_MAX && severity != TOPOLOGY_FATAL) {
		topology->diagnostics_left_out++;
		return;
	}

	struct topology_diagnostic diagnostic = {
		.severity = severity,
		.file = g_strdup(topology->files->pdata[file_number]),
		.file_number = file_number,
		.line = line,
		.message = one_line(g_strdup_vprintf(format, args)),
	};

	g_array_append_val(topology->diagnostics, diagnostic);
}

void topology_diagnose(struct topology_reader *reader, enum topology_severity severity,
		       unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(reader->topology, severity, reader->file_number, line, format, args);
	va_end(args);
}

void topology_diagnose_at(struct topology_reader *reader, enum topology_severity severity,
			  unsigned int file_number, unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(reader->topology, severity, file_number, line, format, args);
	va_end(args);
}

void topology_complain(const struct topology *topology, unsigned int file_number,
		       unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va((struct topology *)topology, TOPOLOGY_ERROR, file_number, line, format, args);
	va_end(args);
}

static void fatal(struct topology *topology, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void fatal(struct topology *topology, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(topology, TOPOLOGY_FATAL, 0, 0, format, args);
	va_end(args);
}

char *topology_diagnostic_format(const struct topology_diagnostic *diagnostic)
{
	static const char *const severities[] = {
		[TOPOLOGY_WARNING] = "warning",
		[TOPOLOGY_ERROR] = "error",
		[TOPOLOGY_FATAL] = "fatal",
	};

	if (!diagnostic->line)
		return g_strdup_printf("%s: %s: %s", diagnostic->file,
				       severities[diagnostic->severity], diagnostic->message);
	return g_strdup_printf("%s:%u: %s: %s", diagnostic->file, diagnostic->line,
			       severities[diagnostic->severity], diagnostic->message);
}

/* By file, then line. GLib's sort of arrays keeps equals in order. */
static int diagnostic_compare(gconstpointer a, gconstpointer b)
{
	const struct topology_diagnostic *x = a, *y = b;

	if (x->file_number != y->file_number)
		return x->file_number < y->file_number ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* What a terminal or an editor did to the file: harmless, so one line tells all of it. */
static void diagnose_traces(struct topology_reader *reader)
{
	GString *traces = g_string_new(NULL);
	const struct {
		bool seen;
		const char *name;
	} all[] = {
		{ reader->saw_bom, "a byte order mark" },
		{ reader->saw_prompt, "a shell prompt or banner" },
		{ reader->saw_cr, "CR LF line ends" },
		{ reader->saw_blanks_for_tabs, "blanks for tabs" },
		{ reader->saw_cut, "no newline at the end" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (all[i].seen)
			g_string_append_printf(traces, "%s%s", traces->len ? ", " : "",
					       all[i].name);
	if (traces->len)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, 0, reader->prompt_line,
				     "traces of a terminal or an editor: %s; read as if they were "
				     "not there; %s",
				     traces->str,
				     reader->format == TOPOLOGY_FORMAT_IBNETDISCOVER
					     ? "to be rid of them write the file with "
					       "'ibnetdiscover > FILE'"
					     : "save the file as plain text to be rid of them");
	g_string_free(traces, TRUE);
}

static void diagnose_left_out(struct topology *topology)
{
	struct topology_diagnostic diagnostic = {
		.severity = TOPOLOGY_WARNING,
		.file = g_strdup(topology->file),
		.message = g_strdup_printf("%u more like these are not shown; mend the first ones",
					   topology->diagnostics_left_out),
	};

	g_array_append_val(topology->diagnostics, diagnostic);
}

/* ---- loading ---- */

static void node_free(gpointer data)
{
	struct topology_node *node = data;

	g_free(node->ports);
	g_free(node);
}

struct topology *topology_new(const char *name)
{
	struct topology *topology = g_new0(struct topology, 1);

	topology->file = g_strdup(name);
	topology->files = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(topology->files, g_strdup(name));
	topology->nodes = g_ptr_array_new_with_free_func(node_free);
	topology->diagnostics = g_array_new(FALSE, FALSE, sizeof(struct topology_diagnostic));
	g_array_set_clear_func(topology->diagnostics, diagnostic_clear);
	topology->commands = g_array_new(FALSE, FALSE, sizeof(struct topology_command));
	topology->strings = g_string_chunk_new(4096);
	return topology;
}

static void reader_init(struct topology_reader *reader, struct topology *topology)
{
	*reader = (struct topology_reader){
		.topology = topology,
		.node = -1,
		.ids = g_hash_table_new(g_str_hash, g_str_equal),
		.aliases = g_hash_table_new(g_str_hash, g_str_equal),
		.claims = g_array_new(FALSE, FALSE, sizeof(struct topology_claim)),
		.claims_by_port = g_ptr_array_new_with_free_func(g_free),
	};
}

static void reader_done(struct topology_reader *reader)
{
	g_hash_table_unref(reader->ids);
	g_hash_table_unref(reader->aliases);
	g_array_unref(reader->claims);
	g_ptr_array_unref(reader->claims_by_port);
}

static void read_all(struct topology_reader *reader, struct span text)
{
	const char *what = NULL;

	reader->saw_bom = cursor_skip(&text, BOM);
	reader->format = topology_detect(text, &what);
	switch (reader->format) {
	case TOPOLOGY_FORMAT_IBNETDISCOVER:
		topology_read_ibnetdiscover(reader, text);
		break;
	case TOPOLOGY_FORMAT_IBSIM:
		topology_read_ibsim(reader, text);
		break;
	case TOPOLOGY_FORMAT_SUBNET_LIST:
		topology_read_subnet_list(reader, text);
		break;
	case TOPOLOGY_FORMAT_IBDM:
		topology_read_ibdm(reader, text);
		break;
	case TOPOLOGY_FORMAT_OTHER:
		fatal(reader->topology, "no fabric in it: it is %s; " FORMATS, what);
		return;
	}
	topology_finish_guids(reader);
	topology_finish_links(reader);
	topology_finish_lids(reader);
	diagnose_traces(reader);
}

/* Hands the diagnostics over, and the topology unless nothing was loaded. */
static struct topology *topology_finish(struct topology *topology, bool loaded,
					GArray **ret_diagnostics)
{
	g_array_sort(topology->diagnostics, diagnostic_compare);
	if (topology->diagnostics_left_out)
		diagnose_left_out(topology);
	if (loaded && !topology->nodes->len) {
		fatal(topology, "no node was left of it; " FORMATS);
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
	read_all(&reader, (struct span){ text, text + size });
	reader_done(&reader);
	return topology_finish(topology, reader.format != TOPOLOGY_FORMAT_OTHER, ret_diagnostics);
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
	if (!g_file_get_contents(path, &text, &size, &error)) {
		struct topology *topology = topology_new(path);

		fatal(topology, "%s", error->message);
		g_error_free(error);
		return topology_finish(topology, false, ret_diagnostics);
	}

	struct topology *topology = topology_parse(text, size, path, ret_diagnostics);

	g_free(text);
	return topology;
}

void topology_free(struct topology *topology)
{
	if (!topology)
		return;
	g_ptr_array_unref(topology->nodes);
	g_array_unref(topology->commands);
	g_ptr_array_unref(topology->files);
	g_array_unref(topology->diagnostics);
	g_string_chunk_free(topology->strings);
	g_free(topology->file);
	g_free(topology);
}

void topology_diagnostics_free(GArray *diagnostics)
{
	if (diagnostics)
		g_array_unref(diagnostics);
}

/* ---- finding ---- */

int topology_find(const struct topology *topology, const char *name)
{
	int found = -1;

	for (unsigned int i = 0; i < topology->nodes->len; i++)
		if (strcmp(topology_node(topology, (int)i)->id, name) == 0)
			return (int)i;
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		if (strcmp(topology_node(topology, (int)i)->description, name) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}
