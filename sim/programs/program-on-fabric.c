/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program on a fabric of this process: see sim/programs/program-on-fabric.h.
 */
#include "config.h"

#include "sim/programs/program-on-fabric.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "sim/programs/program-environment.h"
#include "sim/programs/program-file.h"
#include "sim/programs/program-stand-in.h"

/* ---- our libraries ---- */

/* The directory of the file that an address is in; NULL: it is in none. */
static char *directory_of(const void *address)
{
	g_autofree char *path = NULL;
	Dl_info info;

	if (!address || !dladdr(address, &info) || !info.dli_fname)
		return NULL;
	path = g_canonicalize_filename(info.dli_fname, NULL);
	return g_path_get_dirname(path);
}

static bool has_libraries(const char *directory)
{
	g_autofree char *path = NULL;

	if (!directory)
		return false;
	path = g_build_filename(directory, "libumadlockstep.so", NULL);
	return access(path, R_OK) == 0;
}

/* Below this library, as installed; or beside it or libibumad, as in a build tree. */
static char *find_directory(void)
{
	g_autofree char *own = directory_of((const void *)find_directory);
	g_autofree char *umad = directory_of(dlsym(RTLD_DEFAULT, "umad_init"));
	g_autofree char *below = own ? g_build_filename(own, "umadrig", NULL) : NULL;

	if (has_libraries(below))
		return g_steal_pointer(&below);
	if (has_libraries(own))
		return g_steal_pointer(&own);
	return has_libraries(umad) ? g_steal_pointer(&umad) : NULL;
}

static int find_libraries(struct program_libraries *ret, char *reterr, size_t reterr_size)
{
	char *directory = find_directory();

	*ret = (struct program_libraries){ .directory = directory };
	if (!directory) {
		g_strlcpy(reterr, "there is no libumadlockstep.so below or beside libumadrig.so: "
			  "is umadrig installed completely?", reterr_size);
		return -ENOENT;
	}
	/* ld.so(8): LD_PRELOAD is a list with spaces and colons between. */
	if (strpbrk(directory, " :")) {
		g_snprintf(reterr, reterr_size, "%s: a path with a space or a colon cannot be in "
			   "LD_PRELOAD", directory);
		return -EINVAL;
	}
	ret->umad = g_build_filename(directory, "libibumad.so.3", NULL);
	ret->raw = g_build_filename(directory, "libumadraw.so", NULL);
	ret->lockstep = g_build_filename(directory, "libumadlockstep.so", NULL);
	return 0;
}

/* ---- its environment ---- */

/* OpenSM keeps files in its cache and its log's directory; they must not be another instance's. */
static char **keep_apart(char **env, const char *cache)
{
	env = g_environ_setenv(env, "OSM_CACHE_DIR", cache, false);
	return g_environ_setenv(env, "OSM_TMP_DIR", cache, false);
}

static char **make_environment(const struct program_start *start, const struct program_place *place,
			       const struct program_libraries *libraries)
{
	g_autofree char *backend = g_strdup_printf("attach:%s,host=%s", place->socket,
						   place->host);
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, place->seed);
	char **env = start->environment ? g_strdupv((char **)start->environment) :
					  g_get_environ();

	env = keep_apart(env, place->cache);
	env = g_environ_setenv(env, PROGRAM_SEED_VARIABLE, seed, true);
	return program_environment(env, libraries, backend, place->table, place->host);
}

int program_on_fabric_start(struct program_child *child, const struct program_start *start,
			    const struct program_place *place, char *reterr, size_t reterr_size)
{
	struct program_start placed = *start;
	struct program_libraries libraries;
	g_autofree char *foreign = NULL;
	int ret = find_libraries(&libraries, reterr, reterr_size);

	if (ret == 0)
		ret = program_file_check(start->argv[0], start->directory, &foreign, reterr,
					 reterr_size);
	if (ret == 0) {
		g_auto(GStrv) env = make_environment(start, place, &libraries);
		g_auto(GStrv) words = foreign ? program_stand_in_words(env, foreign,
						(char *const *)start->argv) : NULL;

		if (words)
			placed.argv = (const char *const *)words;
		placed.environment = (const char *const *)env;
		placed.same_addresses = true;
		ret = program_child_start(child, &placed, reterr, reterr_size);
	}
	program_libraries_clear(&libraries);
	return ret;
}
