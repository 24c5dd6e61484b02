/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-symbol.h. */
#include "harness/explore/explore-symbol.h"

#include <glib.h>
#include <string.h>

#include "sim/process/process-output.h"

static GHashTable *known;	/* "MODULE+OFFSET" -> the function, or "" */
static bool lacks_gdb;

/*
 * What gdb says: "NAME + 12 in section .text", "NAME in section .text"; or "No symbol matches".
 * What a compiler adds to the name of a copy of a function, ".constprop.0", is not of the name.
 */
static char *take_name(const char *said)
{
	static const char *const ends[] = {
		" in section ", " + ", ".cold", ".constprop", ".isra", ".llvm", ".lto_priv",
		".part",
	};
	g_autofree char *name = g_strndup(said, strcspn(said, "\n"));

	if (!strstr(name, ends[0]))
		return g_strdup("");
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *end = strstr(name, ends[i]);

		if (end)
			*end = '\0';
	}
	return g_steal_pointer(&name);
}

static char *ask(const char *gdb, const char *module, uint64_t offset)
{
	g_autofree char *question = g_strdup_printf("info symbol 0x%" G_GINT64_MODIFIER "x",
						    offset);
	char *const argv[] = {
		(char *)gdb, (char *)"-nx", (char *)"-batch", (char *)"-iex",
		(char *)"set auto-load off", (char *)"-iex", (char *)"set debuginfod enabled off",
		(char *)"-ex", question, (char *)module, NULL,
	};
	struct spawn spawn = { .argv = argv, .input = SPAWN_NULL };
	struct output output;
	char *name;

	if (output_take(&spawn, &output) < 0)
		return g_strdup("");
	name = take_name(output.printed);
	output_clear(&output);
	return name;
}

const char *explore_symbol_find(const char *module, uint64_t offset)
{
	g_autofree char *place = g_strdup_printf("%s+%" G_GUINT64_FORMAT, module, offset);
	g_autofree char *gdb = NULL;
	const char *name;

	if (!known)
		known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	name = g_hash_table_lookup(known, place);
	if (!name) {
		gdb = g_find_program_in_path("gdb");
		lacks_gdb |= !gdb;
		name = gdb ? ask(gdb, module, offset) : g_strdup("");
		g_hash_table_insert(known, g_steal_pointer(&place), (char *)name);
	}
	return *name ? name : NULL;
}

bool explore_symbol_needs_gdb(void)
{
	return lacks_gdb;
}
