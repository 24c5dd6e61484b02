/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A topology: making and freeing it, its diagnostics, finding nodes. */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "sim/topology/topology.h"

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

void topology_tell_va(struct topology *topology, enum topology_severity severity,
		      unsigned int file_number, unsigned int line, const char *format, va_list args)
{
	topology->told[severity]++;
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

void topology_tell(struct topology *topology, enum topology_severity severity,
		   unsigned int file_number, unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	topology_tell_va(topology, severity, file_number, line, format, args);
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

/* By file, then line. GLib's sort of arrays is stable. */
static int diagnostic_compare(gconstpointer a, gconstpointer b)
{
	const struct topology_diagnostic *x = a, *y = b;

	if (x->file_number != y->file_number)
		return x->file_number < y->file_number ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static void diagnose_left_out(struct topology *topology)
{
	struct topology_diagnostic diagnostic = {
		.severity = TOPOLOGY_WARNING,
		.file = g_strdup(topology->file),
		.message = g_strdup_printf("%u more are not shown; correct the first ones",
					   topology->diagnostics_left_out),
	};

	g_array_append_val(topology->diagnostics, diagnostic);
}

void topology_sort_diagnostics(struct topology *topology)
{
	g_array_sort(topology->diagnostics, diagnostic_compare);
	if (topology->diagnostics_left_out)
		diagnose_left_out(topology);
}

/* ---- making and freeing ---- */

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
	topology->diagnostics = g_array_new(false, false, sizeof(struct topology_diagnostic));
	g_array_set_clear_func(topology->diagnostics, diagnostic_clear);
	topology->commands = g_array_new(false, false, sizeof(struct topology_command));
	topology->strings = g_string_chunk_new(4096);
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

/* The line of the first error, else of the first warning. */
static unsigned int first_line(const struct topology *topology)
{
	unsigned int line = 0;

	for (unsigned int i = 0; i < topology->diagnostics->len; i++) {
		const struct topology_diagnostic *diagnostic =
			&g_array_index(topology->diagnostics, struct topology_diagnostic, i);

		if (diagnostic->severity == TOPOLOGY_ERROR)
			return diagnostic->line;
		line = line ? line : diagnostic->line;
	}
	return line;
}

char *topology_objection(const struct topology *topology)
{
	g_autofree char *lost = NULL;

	if (!topology_loss_is_great(&topology->loss))
		return NULL;
	lost = topology_loss_format(&topology->loss);
	return g_strdup_printf("%s:%u: too much of the file is lost: %s (%u errors); "
			       "'umadrig topology --check %s' lists what to correct; with the "
			       "option partial=yes the rest is used",
			       topology->file, first_line(topology), lost,
			       topology->told[TOPOLOGY_ERROR], topology->file);
}
