/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The guard: checks that our libibumad will really be loaded into the program.
 *
 * The loader ignores LD_PRELOAD and LD_LIBRARY_PATH in programs that gain privileges (ld.so(8):
 * secure-execution mode), a static program has no loader, and sudo and the like clear the
 * environment. Each of these would talk to real devices while its user believes they are simulated.
 */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/missing-program.h"
#include "harness/exec/exec.h"

enum {
	HEAD_SIZE = 4096,
	SCRIPT_DEPTH = 5,	/* Linux follows so many interpreters, then ELOOP */
};

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
static bool check_name(const char *path, char *const *argv, GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *rest = NULL;

	if (!g_strv_contains(rights_changers, name))
		return true;
	/* To handle other arguments it would have to know the options of each program. */
	if (strcmp(name, "sudo") == 0 && argv && argv[1] && argv[1][0] != '-')
		rest = g_strjoinv(" ", (char **)argv + 1);
	return refuse(error,
		      "%s would start its program without umadrig's library, on the real devices.\n"
		      "Put it in front: %s umadrig exec ... -- %s",
		      name, name, rest ? rest : "COMMAND");
}

static bool check_rights(const char *path, const struct stat *st, GError **error)
{
	const char *what = NULL;

	if (st->st_mode & S_ISUID)
		what = "is setuid";
	else if (st->st_mode & S_ISGID)
		what = "is setgid";
	else if (getxattr(path, "security.capability", NULL, 0) > 0)
		what = "has file capabilities";
	if (!what)
		return true;
	return refuse(error,
		      "%s %s: the loader does not preload a library into such a program.\n"
		      "Run a plain copy of it (cp drops these rights); if it needs them: sudo "
		      "umadrig exec ... -- COPY", path, what);
}

static bool read_exactly(int fd, void *buf, size_t size, off_t at)
{
	return pread(fd, buf, size, at) == (ssize_t)size;
}

/* Path of the loader that the program names ("" if none), or NULL: not a complete ELF file. */
static char *elf_interpreter(int fd, const Elf64_Ehdr *header)
{
	for (unsigned int i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr part;
		g_autofree char *path = NULL;

		if (!read_exactly(fd, &part, sizeof(part),
				  (off_t)(header->e_phoff + (uint64_t)i * header->e_phentsize)))
			return NULL;
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_filesz == 0 || part.p_filesz > HEAD_SIZE)
			return NULL;
		path = g_malloc0(part.p_filesz + 1);
		if (!read_exactly(fd, path, part.p_filesz, (off_t)part.p_offset))
			return NULL;
		return g_steal_pointer(&path);
	}
	return g_strdup("");
}

static bool check_elf(const char *path, int fd, GError **error)
{
	Elf64_Ehdr own, header;
	g_autofree char *interpreter = NULL;
	g_autofree char *loader = NULL;
	int own_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool own_known = own_fd >= 0 && read_exactly(own_fd, &own, sizeof(own), 0);

	if (own_fd >= 0)
		close(own_fd);
	if (!read_exactly(fd, &header, sizeof(header), 0))
		return refuse(error, "%s is truncated: it cannot be executed", path);
	if (own_known && (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
			  header.e_ident[EI_DATA] != own.e_ident[EI_DATA] ||
			  header.e_machine != own.e_machine))
		return refuse(error,
			      "%s is built for another architecture than umadrig, and cannot load "
			      "its library.\nBuild both for the same architecture.", path);
	interpreter = elf_interpreter(fd, &header);
	if (!interpreter)
		return refuse(error, "%s is damaged: cannot read its program headers", path);
	if (!*interpreter)
		return refuse(error,
			      "%s is linked statically: no library can be preloaded into it, and "
			      "it would use the real devices.\nLink it dynamically (without "
			      "-static).", path);
	loader = g_path_get_basename(interpreter);
	if (g_str_has_prefix(loader, "ld-musl"))
		return refuse(error,
			      "%s is built for musl, and cannot load umadrig's library, which "
			      "needs glibc.\nBuild it for glibc.", path);
	return true;
}

static bool check_file(const char *path, char *const *argv, unsigned int depth, GError **error);

/* "#!/usr/bin/env python3" runs the python3 in PATH; "env -S" splits a longer line. */
static bool check_env_program(const char *argument, unsigned int depth, GError **error)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *path = NULL;

	words = g_strsplit_set(argument, " \t", -1);
	for (char **word = words; *word; word++) {
		if (!**word || **word == '-' || strchr(*word, '='))
			continue;
		path = g_find_program_in_path(*word);
		return path ? check_file(path, NULL, depth, error) : true;
	}
	return true;
}

/* 'line': what follows "#!", terminated. */
static bool check_script(const char *path, char *line, unsigned int depth, GError **error)
{
	g_autofree char *name = NULL;
	char *argument;

	line[strcspn(line, "\n")] = '\0';
	g_strstrip(line);
	argument = line + strcspn(line, " \t");
	if (*argument)
		*argument++ = '\0';
	if (!*line)
		return refuse(error, "%s starts with #! but names no interpreter", path);
	if (depth >= SCRIPT_DEPTH)
		return refuse(error, "%s: more than %d levels of interpreters", path,
			      SCRIPT_DEPTH);
	if (!check_file(line, NULL, depth + 1, error)) {
		g_prefix_error(error, "%s is a script for %s.\n", path, line);
		return false;
	}
	name = g_path_get_basename(line);
	if (strcmp(name, "env") != 0 || check_env_program(argument, depth + 1, error))
		return true;
	g_prefix_error(error, "%s is a script for %s.\n", path, g_strstrip(argument));
	return false;
}

static bool check_content(const char *path, int fd, const struct stat *st, unsigned int depth,
			      GError **error)
{
	char head[HEAD_SIZE + 1] = "";
	ssize_t size = pread(fd, head, HEAD_SIZE, 0);

	if (size < 0)
		return refuse(error, "cannot read %s: %s", path, g_strerror(errno));
	if (size >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		return check_rights(path, st, error) && check_elf(path, fd, error);
	if (size >= 2 && head[0] == '#' && head[1] == '!')
		return check_script(path, head + 2, depth, error);
	/* Linux refuses it with ENOEXEC, and execvp(3) then runs it with the shell. */
	return depth >= SCRIPT_DEPTH || check_file("/bin/sh", NULL, depth + 1, error);
}

static bool check_file(const char *path, char *const *argv, unsigned int depth, GError **error)
{
	struct stat st;
	bool ok;
	int fd;

	if (!check_name(path, argv, error))
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
	ok = check_content(path, fd, &st, depth, error);
	close(fd);
	return ok;
}

static void set_missing(const char *name, GError **error)
{
	g_autofree char *why = program_missing(name);

	g_set_error_literal(error, COMMAND_ERROR, COMMAND_NOT_FOUND, why);
}

char *exec_guard_find(char *const *argv, GError **error)
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
	return check_file(path, argv, 0, error) ? g_steal_pointer(&path) : NULL;
}
