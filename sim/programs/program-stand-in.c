/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/programs/program-stand-in.h. */
#include "sim/programs/program-stand-in.h"

#include <glib.h>
#include <stdbool.h>
#include <unistd.h>

#define PROGRAM "umadrig-stand-in"
#define LIBRARY "libumadlockstep.so"

/* ld.so(8): spaces and colons are between. */
static char *directory_of_library(char *const *env)
{
	const char *list = g_environ_getenv((char **)env, "LD_PRELOAD");
	g_auto(GStrv) libraries = g_strsplit_set(list ? list : "", ": ", 0);

	for (char **library = libraries; *library; library++) {
		if (g_str_has_suffix(*library, "/" LIBRARY))
			return g_path_get_dirname(*library);
	}
	return NULL;
}

/* Beside the library, or one directory above, as in a build tree. */
static char *find(char *const *env)
{
	g_autofree char *directory = directory_of_library(env);
	g_autofree char *beside = NULL;

	if (!directory)
		return NULL;
	beside = g_build_filename(directory, PROGRAM, NULL);
	if (access(beside, X_OK) == 0)
		return g_steal_pointer(&beside);
	return g_build_filename(directory, "..", PROGRAM, NULL);
}

char **program_stand_in_words(char *const *env, const char *path, char *const *argv)
{
	char *program = find(env);
	GPtrArray *words;

	if (!program)
		return NULL;
	words = g_ptr_array_new();
	g_ptr_array_add(words, program);
	g_ptr_array_add(words, g_strdup(path));
	for (; *argv; argv++)
		g_ptr_array_add(words, g_strdup(*argv));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, false);
}
