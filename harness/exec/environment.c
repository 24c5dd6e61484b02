/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment of programs on a fabric: what exec gives a program, and env prints for a shell.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "sim/api/umadrig.h"
#include "sim/programs/program-environment.h"

static bool find_libraries(struct program_libraries *ret, GError **error)
{
	*ret = (struct program_libraries){
		.umad = exec_library_path((void *)umad_init, "libibumad", error),
	};
	if (ret->umad)
		ret->sim = exec_library_path((void *)umadrig_backend, "libumadrig", error);
	if (!ret->sim)
		return false;
	ret->directory = g_path_get_dirname(ret->umad);
	ret->raw = g_build_filename(ret->directory, "libumadraw.so", NULL);
	ret->lockstep = g_build_filename(ret->directory, "libumadlockstep.so", NULL);
	if (access(ret->raw, R_OK) == 0)
		return true;
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
		    "%s: %s; is umadrig installed completely?", ret->raw, g_strerror(errno));
	return false;
}

char **exec_environment(const char *backend, const char *lockstep, const char *host,
			GError **error)
{
	struct program_libraries libraries;
	char **env = NULL;

	if (find_libraries(&libraries, error))
		env = program_environment(exec_preloaded_environment(), &libraries, backend,
					  lockstep, host);
	program_libraries_clear(&libraries);
	return env;
}

/* Does our own loader find them so? */
static bool is_found(const char *library)
{
	g_autofree char *path = g_strconcat(PROGRAM_GLIBC_ALONE, library, NULL);
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

	if (handle)
		dlclose(handle);
	return handle;
}

/* Puts PROGRAM_GLIBC_ALONE before 'item' in a variable that is a list. */
static char **hide(char **env, const char *variable, const char *item)
{
	const char *old = g_environ_getenv(env, variable);
	g_auto(GStrv) items = g_strsplit(old ? old : "", ":", 0);
	g_autofree char *list = NULL;

	for (char **one = items; *one; one++) {
		if (strcmp(*one, item) != 0)
			continue;
		g_free(*one);
		*one = g_strconcat(PROGRAM_GLIBC_ALONE, item, NULL);
	}
	list = g_strjoinv(":", items);
	return old ? g_environ_setenv(env, variable, list, true) : env;
}

char **exec_environment_for_glibc(char **env)
{
	struct program_libraries libraries;

	if (!env)
		return NULL;
	if (find_libraries(&libraries, NULL) && is_found(libraries.umad)) {
		env = hide(env, "LD_LIBRARY_PATH", libraries.directory);
		env = hide(env, "LD_PRELOAD", libraries.umad);
		env = hide(env, "LD_PRELOAD", libraries.raw);
	}
	program_libraries_clear(&libraries);
	return env;
}

char **exec_environment_bare(const char *host, GError **error)
{
	const char *usual = g_getenv("UMADRIG_HOST");
	char **env = exec_environment_without(error);

	if (!host)
		host = usual;
	return env && host ? g_environ_setenv(env, "UMADRIG_HOST", host, true) : env;
}

char **exec_environment_without(GError **error)
{
	struct program_libraries libraries;
	char **env = NULL;

	if (find_libraries(&libraries, error)) {
		env = program_environment_plain(exec_preloaded_environment(), &libraries);
		env = g_environ_unsetenv(env, "UMAD_BACKEND");
		env = g_environ_unsetenv(env, "UMADRIG_HOST");
	}
	program_libraries_clear(&libraries);
	return env;
}
