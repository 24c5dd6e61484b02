/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment of a program on a fabric: see sim/programs/program-environment.h.
 */
#include "sim/programs/program-environment.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/environment-padding.h"
#include "lib/lockstep/table.h"
#include "sim/guests/guest-programs.h"

void program_libraries_clear(struct program_libraries *libraries)
{
	g_free(libraries->umad);
	g_free(libraries->raw);
	g_free(libraries->sim);
	g_free(libraries->lockstep);
	g_free(libraries->directory);
}

/* Is 'text' the path 'item', in either way? */
static bool is_item(const char *text, const char *item)
{
	return g_strcmp0(text, item) == 0 ||
	       (g_str_has_prefix(text, PROGRAM_GLIBC_ALONE) &&
		g_strcmp0(text + strlen(PROGRAM_GLIBC_ALONE), item) == 0);
}

/* Takes 'item' out of a variable that is a list; an empty one is unset. */
static char **take_out(char **env, const char *variable, const char *separators, const char *item)
{
	const char *old = g_environ_getenv(env, variable);
	g_auto(GStrv) items = g_strsplit_set(old ? old : "", separators, 0);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	g_autofree char *list = NULL;

	if (!old)
		return env;
	for (char **one = items; *one; one++) {
		if (**one && !is_item(*one, item))
			g_ptr_array_add(kept, *one);
	}
	g_ptr_array_add(kept, NULL);
	list = g_strjoinv(":", (char **)kept->pdata);
	return *list ? g_environ_setenv(env, variable, list, true) :
		       g_environ_unsetenv(env, variable);
}

static char **put_first(char **env, const char *variable, const char *value)
{
	const char *old = g_environ_getenv(env, variable);
	g_autofree char *list = old && *old ? g_strconcat(value, ":", old, NULL) :
					      g_strdup(value);

	return g_environ_setenv(env, variable, list, true);
}

/*
 * gcc's AddressSanitizer refuses to start where any library comes before its own, as ours does.
 * What it fears is one that defines functions that it intercepts, and keeps them from it:
 * libumadraw passes them on.
 */
#define ASAN_ORDER "verify_asan_link_order=0"

char **program_environment_plain(char **env, const struct program_libraries *libraries)
{
	env = take_out(env, "LD_LIBRARY_PATH", ":;", libraries->directory);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->umad);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->raw);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->lockstep);
	env = g_environ_unsetenv(env, LOCKSTEP_VARIABLE);
	if (libraries->sim)
		env = take_out(env, "LD_PRELOAD", ": ", libraries->sim);
	return take_out(env, "ASAN_OPTIONS", ":", ASAN_ORDER);
}

/*
 * The program is to be in virtual time: our library comes first of all. It prints the same local
 * times everywhere.
 */
static char **put_in_lockstep(char **env, const struct program_libraries *libraries,
			      const char *table)
{
	env = g_environ_setenv(env, LOCKSTEP_VARIABLE, table, true);
	env = g_environ_setenv(env, "TZ", "UTC0", true);
	return put_first(env, "LD_PRELOAD", libraries->lockstep);
}

static char **pad(char **env)
{
	struct environment_padding padding;
	guint count = g_strv_length(env);
	g_autofree char **roomy = g_new0(char *, count + ENVIRONMENT_PADDING_VARIABLES + 1);
	char **ret;

	memcpy(roomy, env, count * sizeof(*roomy));
	environment_pad(roomy, &padding);
	ret = g_strdupv(roomy);
	g_strfreev(env);
	return ret;
}

char **program_environment_in_guest(char **env)
{
	static const char *const meaningless[] = {
		"UMAD_BACKEND", "UMAD_TAP", "UMADRIG_HOST", LOCKSTEP_VARIABLE,
	};
	static const char *const directories[] = { "TMPDIR", "OSM_CACHE_DIR", "OSM_TMP_DIR" };

	for (size_t i = 0; i < G_N_ELEMENTS(meaningless); i++)
		env = g_environ_unsetenv(env, meaningless[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++)
		env = g_environ_setenv(env, directories[i], GUEST_TEMPORARY, true);
	env = g_environ_setenv(env, "TZ", "UTC0", true);
	return pad(env);
}

char **program_environment(char **env, const struct program_libraries *libraries,
			   const char *backend, const char *table, const char *host)
{
	env = program_environment_plain(env, libraries);
	env = g_environ_setenv(env, "UMAD_BACKEND", backend, true);
	env = put_first(env, "LD_LIBRARY_PATH", libraries->directory);
	if (host)
		env = g_environ_setenv(env, "UMADRIG_HOST", host, true);
	env = put_first(env, "LD_PRELOAD", libraries->raw);
	env = put_first(env, "LD_PRELOAD", libraries->umad);
	env = put_first(env, "ASAN_OPTIONS", ASAN_ORDER);
	return table ? put_in_lockstep(env, libraries, table) : env;
}
