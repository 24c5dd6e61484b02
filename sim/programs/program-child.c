/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program as a process of ours: see sim/programs/program-child.h.
 */
#include "config.h"

#include "sim/programs/program-child.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/programs/program-environment.h"
#include "sim/programs/program-file.h"

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

static char **make_environment(const struct program_start *start,
			       const struct program_libraries *libraries)
{
	g_autofree char *backend = g_strdup_printf("attach:%s,host=%s", start->socket,
						   start->host);
	char **env = start->environment ? g_strdupv((char **)start->environment) :
					  g_get_environ();

	env = keep_apart(env, start->cache);
	return program_environment(env, libraries, backend, start->table, start->host);
}

/* ---- its life ---- */

/* In the child, between fork and exec: system calls only. */
static void begin(void *data)
{
	const struct program_start *start = data;
	int now = personality(0xffffffff);

	if (now >= 0)
		personality((unsigned long)now | ADDR_NO_RANDOMIZE);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigprocmask(SIG_SETMASK, &start->mask, NULL);
}

static int spawn(struct program_child *child, const struct program_start *start, char **env,
		 char *reterr, size_t reterr_size)
{
	g_autoptr(GError) error = NULL;
	GPid pid;

	if (!g_spawn_async_with_fds(start->directory, (char **)start->argv, env,
				    G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, begin,
				    (void *)start, &pid, start->input > 0 ? start->input : -1,
				    start->output > 0 ? start->output : -1,
				    start->errors > 0 ? start->errors : -1, &error)) {
		g_strlcpy(reterr, error->message, reterr_size);
		return g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_CHDIR) ? -ENOTDIR :
		       g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK) ? -EAGAIN :
		       -ENOEXEC;
	}
	setpgid(pid, pid);
	*child = (struct program_child){ .pid = pid };
	return 0;
}

int program_child_start(struct program_child *child, const struct program_start *start,
			char *reterr, size_t reterr_size)
{
	struct program_libraries libraries;
	g_auto(GStrv) env = NULL;
	int ret = find_libraries(&libraries, reterr, reterr_size);

	if (ret == 0)
		ret = program_file_check(start->argv[0], start->directory, reterr, reterr_size);
	if (ret == 0) {
		env = make_environment(start, &libraries);
		ret = spawn(child, start, env, reterr, reterr_size);
	}
	program_libraries_clear(&libraries);
	return ret;
}

static bool reap(struct program_child *child, int flags)
{
	pid_t pid;

	if (child->is_over)
		return true;
	do
		pid = waitpid(child->pid, &child->status, flags);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		child->status = -ECHILD;
	child->is_over = pid != 0;
	return child->is_over;
}

bool program_child_is_over(struct program_child *child)
{
	return reap(child, WNOHANG);
}

void program_child_await(struct program_child *child)
{
	reap(child, 0);
}
