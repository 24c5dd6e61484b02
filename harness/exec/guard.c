/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The guard: checks that the program will get to the fabric.
 *
 * The loader ignores LD_PRELOAD and LD_LIBRARY_PATH in programs that gain privileges (ld.so(8):
 * secure-execution mode), a static program has no loader, and sudo and the like clear the
 * environment. Each of these would talk to real devices while its user believes they are simulated.
 * The filter sees to all of them; but no program gains privileges below it, unless root has it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/missing-program.h"
#include "harness/exec/exec.h"
#include "lib/base/umad-command.h"
#include "sim/programs/program-kind.h"

/* They start a program as another user, in a fresh environment. */
static const char *const rights_changers[] = {
	"sudo", "su", "doas", "pkexec", NULL,
};

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
	return false;
}

/* "sudo opensm -g 1" must become "sudo umadrig exec ... -- opensm -g 1". */
static bool check_name(const char *path, char *const *argv, const struct exec_means *means,
		       GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *rest = NULL;
	bool is_su;

	if (!g_strv_contains(rights_changers, name) || means->keeps_rights)
		return true;
	/* To handle other arguments it would have to know the options of each program. */
	if (strcmp(name, "sudo") == 0 && argv && argv[1] && argv[1][0] != '-')
		rest = g_strjoinv(" ", (char **)argv + 1);
	/* su has no words for the command that it starts. */
	is_su = strcmp(name, "su") == 0;
	return refuse(error,
		      "%s %s.\nPut it in front: %s %sumadrig exec ... -- %s%s",
		      name, means->filter ?
		      "gains no rights below a filter of system calls (no_new_privs)" :
		      "would start its program without umadrig's library, on the real devices",
		      name, is_su ? "-c '" : "", rest ? rest : "COMMAND", is_su ? "'" : "");
}

static bool check_rights(const char *path, const struct stat *st, const struct exec_means *means,
			 GError **error)
{
	static const char *const texts[] = {
		[PROGRAM_SETUID] = "is setuid", [PROGRAM_SETGID] = "is setgid",
		[PROGRAM_CAPABILITIES] = "has file capabilities",
	};
	const char *what = texts[program_rights_of(path, st)];

	if (!what || means->keeps_rights)
		return true;
	return refuse(error,
		      "%s %s: %s.\n"
		      "Run a plain copy of it (cp drops these rights); if it needs them: sudo "
		      "umadrig exec ... -- COPY", path, what, means->filter ?
		      "below a filter of system calls it gets no rights by that (no_new_privs)" :
		      "the loader does not preload a library into such a program");
}

/* It cannot load our library: 'why', and 'cure' for those who want it to. */
static bool check_without_library(const char *path, struct exec_means *means, const char *why,
				  const char *cure, GError **error)
{
	if (means->in_time) {
		means->has_stand_in = true;
		return true;
	}
	means->preload = false;
	if (means->filter)
		return true;
	if (means->lack)
		return refuse(error, "%s %s, and its system calls cannot be stopped: %s.\n%s.",
			      path, why, means->lack, cure);
	if (means->is_inner)
		return refuse(error, "%s %s, and it would be on the fabric of the outer 'umadrig "
			      "exec'.\n%s, or start that one with --how preload and this one "
			      "without.", path, why, cure);
	return refuse(error, "%s %s, and it would use the real devices.\n%s, or use --how filter.",
		      path, why, cure);
}

static bool check_elf(const char *path, int fd, struct exec_means *means, GError **error)
{
	means->meets_verbs |= program_loads_verbs(fd);
	switch (program_loader_of(fd)) {
	case PROGRAM_LOADED:
		return true;
	case PROGRAM_GO:
		means->has_stand_in = means->in_time;
		return true;
	case PROGRAM_MUSL:
		return check_without_library(path, means, "is built for musl: it cannot load "
					     "umadrig's library, which needs glibc",
					     "Build it for glibc", error);
	case PROGRAM_STATIC:
		return check_without_library(path, means, "is linked statically: no library can be "
					     "preloaded into it", "Link it dynamically (without "
					     "-static)", error);
	case PROGRAM_FOREIGN:
		return refuse(error,
			      "%s is built for another architecture than umadrig, and cannot load "
			      "its library.\nBuild both for the same architecture.", path);
	case PROGRAM_TRUNCATED:
		return refuse(error, "%s is truncated: it cannot be executed", path);
	case PROGRAM_DAMAGED:
		break;
	}
	return refuse(error, "%s is damaged: cannot read its program headers", path);
}

static bool check_file(const char *path, char *const *argv, struct exec_means *means,
		       unsigned int depth, GError **error);

/* 'line': what follows "#!", terminated. */
static bool check_script(const char *path, char *line, struct exec_means *means, unsigned int depth,
			 GError **error)
{
	char *arguments;
	g_autofree char *program = program_of_script(line, &arguments);

	if (!*line)
		return refuse(error, "%s starts with #! but names no interpreter", path);
	if (depth >= PROGRAM_SCRIPT_DEPTH)
		return refuse(error, "%s: more than %d levels of interpreters", path,
			      PROGRAM_SCRIPT_DEPTH);
	if (!check_file(line, NULL, means, depth + 1, error)) {
		g_prefix_error(error, "%s is a script for %s.\n", path, line);
		return false;
	}
	if (!program || check_file(program, NULL, means, depth + 1, error))
		return true;
	g_prefix_error(error, "%s is a script for %s.\n", path, arguments);
	return false;
}

static bool check_content(const char *path, int fd, const struct stat *st,
			  struct exec_means *means, unsigned int depth, GError **error)
{
	char head[PROGRAM_HEAD_SIZE + 1] = "";
	ssize_t size = pread(fd, head, PROGRAM_HEAD_SIZE, 0);

	if (size < 0)
		return refuse(error, "cannot read %s: %s", path, g_strerror(errno));
	if (program_is_elf(head, (size_t)size))
		return check_rights(path, st, means, error) && check_elf(path, fd, means, error);
	if (size >= 2 && head[0] == '#' && head[1] == '!')
		return check_script(path, head + 2, means, depth, error);
	/* Linux refuses it with ENOEXEC, and execvp(3) then runs it with the shell. */
	return depth >= PROGRAM_SCRIPT_DEPTH ||
	       check_file("/bin/sh", NULL, means, depth + 1, error);
}

static bool check_file(const char *path, char *const *argv, struct exec_means *means,
		       unsigned int depth, GError **error)
{
	struct stat st;
	bool ok;
	int fd;

	if (!check_name(path, argv, means, error))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0) {
		int reason = errno;

		if (fd >= 0)
			close(fd);
		return refuse(error,
			      "cannot read %s (%s), and so cannot tell whether it would load "
			      "umadrig's library.\nMake it readable (chmod a+r), or run a copy.",
			      path, g_strerror(reason));
	}
	ok = check_content(path, fd, &st, means, depth, error);
	close(fd);
	return ok;
}

static void set_missing(const char *name, GError **error)
{
	g_autofree char *why = program_missing(name);

	g_set_error_literal(error, COMMAND_ERROR, COMMAND_NOT_FOUND, why);
}

char *exec_guard_find(char *const *argv, struct exec_means *means, GError **error)
{
	g_autofree char *path = NULL;

	if (strchr(argv[0], '/')) {
		if (access(argv[0], F_OK) < 0) {
			set_missing(argv[0], error);
			return NULL;
		}
		if (access(argv[0], X_OK) < 0 || g_file_test(argv[0], G_FILE_TEST_IS_DIR)) {
			g_set_error(error, COMMAND_ERROR, COMMAND_CANNOT_RUN,
				    "%s is not an executable file", argv[0]);
			return NULL;
		}
		path = g_strdup(argv[0]);
	} else {
		path = g_find_program_in_path(argv[0]);
		if (!path) {
			set_missing(argv[0], error);
			return NULL;
		}
	}
	return check_file(path, argv, means, 0, error) ? g_steal_pointer(&path) : NULL;
}

static char *find_from(char *const *argv, const char *directory, struct exec_means *means,
		       GError **error)
{
	g_autofree char *absolute = strchr(argv[0], '/') ?
				    g_canonicalize_filename(argv[0], directory) : NULL;
	char *const meant[] = { absolute ? absolute : argv[0], NULL };

	return exec_guard_find(meant, means, error);
}

bool exec_guard_loads_library(char *const *argv, const char *directory)
{
	/* With all means nothing is refused for want of one. */
	struct exec_means means = { .preload = true, .filter = true, .keeps_rights = true };
	g_autofree char *path = find_from(argv, directory, &means, NULL);

	return !path || means.preload;
}

bool exec_guard_check_in_time(char *const *argv, const char *directory, char **ret_foreign,
			      GError **error)
{
	struct exec_means means = {
		.preload = true, .in_time = true,
	};
	g_autofree char *path = find_from(argv, directory, &means, error);

	/* A program that is not there is in no time. */
	if (!path && error && (*error)->code == COMMAND_REFUSED) {
		g_autofree char *message = g_steal_pointer(&(*error)->message);

		(*error)->message = g_strconcat(message, g_str_has_suffix(message, ".") ? "" : ".",
						" Or have the scenario in real time "
						"('clock real').", NULL);
	}
	*ret_foreign = path && means.has_stand_in ? g_strdup(path) : NULL;
	return path;
}

/* ---- what it inherits ---- */

/* The name of a real device that is open as descriptor 'name' of this process, or NULL. */
static char *real_device(const char *name)
{
	enum { MINORS = 128 };	/* of umad and issm */
	g_autofree char *path = g_build_filename("/proc/self/fd", name, NULL);
	g_autofree char *target = g_file_read_link(path, NULL);
	struct stat st;

	if (!target || stat(path, &st) < 0)
		return NULL;
	if (g_str_has_prefix(target, "/dev/infiniband/umad") ||
	    g_str_has_prefix(target, "/dev/infiniband/issm") ||
	    (S_ISCHR(st.st_mode) && major(st.st_rdev) == UMAD_MAJOR && minor(st.st_rdev) < MINORS))
		return g_steal_pointer(&target);
	return NULL;
}

bool exec_guard_check_inherited(GError **error)
{
	GDir *open_files = g_dir_open("/proc/self/fd", 0, NULL);
	const char *name;
	bool ok = true;

	while (ok && open_files && (name = g_dir_read_name(open_files))) {
		g_autofree char *device = real_device(name);

		if (device)
			ok = refuse(error, "descriptor %s is %s, a real device, which the program "
				    "would inherit.\nClose it first: in a shell, %s<&-", name,
				    device, name);
	}
	if (open_files)
		g_dir_close(open_files);
	return ok;
}
