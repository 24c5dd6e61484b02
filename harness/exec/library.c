/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Our libibumad: finds its file, and puts it in place of the distribution's.
 *
 * The environment does not reach every program: "env -i" clears it, and dlopen(3) of a full path
 * bypasses LD_PRELOAD. In a mount namespace our library is bound over each libibumad that ld.so
 * knows. A program that has the environment then finds the fabric, whatever path it uses; one that
 * has lost it asks for real devices, which harness/exec/hide.c has hidden.
 */
#include "config.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "sim/process/process-output.h"

#define SONAME "libibumad.so.3"

char *exec_library_path(const void *symbol, const char *what, GError **error)
{
	g_autofree char *path = NULL;
	Dl_info info;

	if (!dladdr(symbol, &info) || !info.dli_fname) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "cannot find the file of %s", what);
		return NULL;
	}
	path = g_canonicalize_filename(info.dli_fname, NULL);
	/* ld.so(8): LD_PRELOAD is a list with spaces and colons between. */
	if (strpbrk(path, " :")) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "%s: a path with a space or a colon cannot be in LD_PRELOAD; install "
			    "umadrig elsewhere", path);
		return NULL;
	}
	return g_steal_pointer(&path);
}

/*
 * The libraries that ldconfig(8) lists, one line "NAME (KIND) => PATH" each; "" if it cannot be
 * run.
 */
static char *read_cache(void)
{
	static const char *const programs[] = { "/sbin/ldconfig", "/usr/sbin/ldconfig" };

	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		char *argv[] = { (char *)programs[i], (char *)"-p", NULL };
		const struct spawn spawn = { .argv = argv, .input = SPAWN_NULL,
					     .errors = SPAWN_NULL };
		struct output output;

		if (output_take(&spawn, &output) < 0)
			continue;
		g_free(output.errors);
		return output.printed;
	}
	return g_strdup("");
}

/*
 * Where ld.so would find a libibumad without our environment: the cache, then its own directories.
 */
static GPtrArray *list_usual(void)
{
	static const char *const directories[] = { "/lib64", "/usr/lib64", "/lib", "/usr/lib" };
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *cache = read_cache();
	g_auto(GStrv) lines = g_strsplit(cache, "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *arrow = strstr(*line, " => ");

		if (arrow && g_str_has_prefix(*line, "\t" SONAME " "))
			g_ptr_array_add(paths, g_strdup(arrow + strlen(" => ")));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++)
		g_ptr_array_add(paths, g_build_filename(directories[i], SONAME, NULL));
	return paths;
}

/* Are these two different files, both libraries for the same kind of processor? */
static bool may_replace(const char *usual, const char *ours)
{
	const char *paths[] = { usual, ours };
	Elf64_Ehdr heads[2];
	struct stat st[2];

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		bool ok = fd >= 0 && fstat(fd, &st[i]) == 0 &&
			      read(fd, &heads[i], sizeof(heads[i])) == sizeof(heads[i]);

		if (fd >= 0)
			close(fd);
		if (!ok)
			return false;
	}
	return memcmp(heads[0].e_ident, heads[1].e_ident, EI_VERSION) == 0 &&
	       heads[0].e_machine == heads[1].e_machine &&
	       (st[0].st_dev != st[1].st_dev || st[0].st_ino != st[1].st_ino);
}

void exec_replace_library(struct exec_mounts *mounts, const char *ours)
{
	g_autoptr(GPtrArray) paths = list_usual();

	for (guint i = 0; i < paths->len; i++) {
		if (may_replace(paths->pdata[i], ours))
			exec_mounts_replace(mounts, ours, paths->pdata[i]);
	}
}
