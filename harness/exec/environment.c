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
#include "lib/lockstep/table.h"
#include "sim/api/umadrig.h"
#include "sim/system/session.h"

/* Our libraries. */
struct libraries {
	char *umad, *raw, *sim, *lockstep;	/* their files */
	char *directory;	/* of libibumad and libumadraw */
};

static bool find_libraries(struct libraries *ret, GError **error)
{
	*ret = (struct libraries){ .umad = exec_library_path((void *)umad_init, "libibumad",
							     error) };
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

static void libraries_clear(struct libraries *libraries)
{
	g_free(libraries->umad);
	g_free(libraries->raw);
	g_free(libraries->sim);
	g_free(libraries->lockstep);
	g_free(libraries->directory);
}

/*
 * Stands before an absolute path: there is such a directory where glibc is installed, and from it
 * the way leads back to the root. Loaders that know no $LIB find nothing there; musl's would not
 * start a program with a library that needs glibc.
 */
#define GLIBC_ALONE "/usr/$LIB/../../../../../../../.."

/* Is 'text' the path 'item', in either way? */
static bool is_item(const char *text, const char *item)
{
	return g_strcmp0(text, item) == 0 ||
	       (g_str_has_prefix(text, GLIBC_ALONE) &&
		g_strcmp0(text + strlen(GLIBC_ALONE), item) == 0);
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

static char **take_out_libraries(char **env, const struct libraries *libraries)
{
	env = take_out(env, "LD_LIBRARY_PATH", ":;", libraries->directory);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->umad);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->raw);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->lockstep);
	env = g_environ_unsetenv(env, LOCKSTEP_VARIABLE);
	env = take_out(env, "LD_PRELOAD", ": ", libraries->sim);
	return take_out(env, "ASAN_OPTIONS", ":", ASAN_ORDER);
}

/*
 * Where a program's stack begins depends on the size of its environment: padded, that is the same
 * wherever the program is started.
 */
static char **pad(char **env)
{
	enum { PADDED = 32768 };
	static const char variable[] = "UMADRIG_PADDING";
	size_t size = sizeof(char *) + sizeof(variable) + 1;
	g_autofree char *padding = NULL;

	env = g_environ_unsetenv(env, variable);
	for (char **one = env; *one; one++)
		size += sizeof(char *) + strlen(*one) + 1;
	padding = g_strnfill(size < PADDED ? PADDED - size : 0, '-');
	return g_environ_setenv(env, variable, padding, true);
}

/* The program is to be in virtual time: our library comes first of all. */
static char **put_in_lockstep(char **env, const struct libraries *libraries, const char *table)
{
	env = g_environ_setenv(env, LOCKSTEP_VARIABLE, table, true);
	env = put_first(env, "LD_PRELOAD", libraries->lockstep);
	return pad(env);
}

char **exec_environment(const char *backend, const char *lockstep, const char *host,
			GError **error)
{
	struct libraries libraries;
	char **env = NULL;

	if (find_libraries(&libraries, error)) {
		env = take_out_libraries(exec_preloaded_environment(), &libraries);
		env = g_environ_setenv(env, "UMAD_BACKEND", backend, true);
		env = g_environ_unsetenv(env, SESSION_VARIABLE);
		env = put_first(env, "LD_LIBRARY_PATH", libraries.directory);
		if (host)
			env = g_environ_setenv(env, "UMADRIG_HOST", host, true);
		env = put_first(env, "LD_PRELOAD", libraries.raw);
		env = put_first(env, "LD_PRELOAD", libraries.umad);
		env = put_first(env, "ASAN_OPTIONS", ASAN_ORDER);
		if (lockstep)
			env = put_in_lockstep(env, &libraries, lockstep);
	}
	libraries_clear(&libraries);
	return env;
}

/* Does our own loader find them so? */
static bool is_found(const char *library)
{
	g_autofree char *path = g_strconcat(GLIBC_ALONE, library, NULL);
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

	if (handle)
		dlclose(handle);
	return handle;
}

/* Puts GLIBC_ALONE before 'item' in a variable that is a list. */
static char **hide(char **env, const char *variable, const char *item)
{
	const char *old = g_environ_getenv(env, variable);
	g_auto(GStrv) items = g_strsplit(old ? old : "", ":", 0);
	g_autofree char *list = NULL;

	for (char **one = items; *one; one++) {
		if (strcmp(*one, item) != 0)
			continue;
		g_free(*one);
		*one = g_strconcat(GLIBC_ALONE, item, NULL);
	}
	list = g_strjoinv(":", items);
	return old ? g_environ_setenv(env, variable, list, true) : env;
}

char **exec_environment_for_glibc(char **env)
{
	struct libraries libraries;

	if (!env)
		return NULL;
	if (find_libraries(&libraries, NULL) && is_found(libraries.umad)) {
		env = hide(env, "LD_LIBRARY_PATH", libraries.directory);
		env = hide(env, "LD_PRELOAD", libraries.umad);
		env = hide(env, "LD_PRELOAD", libraries.raw);
	}
	libraries_clear(&libraries);
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
	struct libraries libraries;
	char **env = NULL;

	if (find_libraries(&libraries, error)) {
		env = take_out_libraries(exec_preloaded_environment(), &libraries);
		env = g_environ_unsetenv(env, "UMAD_BACKEND");
		env = g_environ_unsetenv(env, "UMADRIG_HOST");
		env = g_environ_unsetenv(env, SESSION_VARIABLE);
	}
	libraries_clear(&libraries);
	return env;
}
