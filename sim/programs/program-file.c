/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of a program: see sim/programs/program-file.h.
 */
#include "config.h"

#include "sim/programs/program-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/programs/program-kind.h"

/* The file that is looked at, and where to say what is wrong with it. */
struct look {
	const char *path;
	int fd;
	bool cannot_load;	/* our library */
	char *reterr;
	size_t reterr_size;
};

static int refuse(const struct look *look, int err, const char *why)
{
	g_snprintf(look->reterr, look->reterr_size, "%s %s", look->path, why);
	return err;
}

static int check_elf(struct look *look)
{
	switch (program_loader_of(look->fd)) {
	case PROGRAM_LOADED:
		return 0;
	case PROGRAM_GO:
	case PROGRAM_MUSL:
	case PROGRAM_STATIC:
		look->cannot_load = true;
		return 0;
	case PROGRAM_FOREIGN:
		return refuse(look, -ENOEXEC, "is built for another architecture than umadrig");
	case PROGRAM_TRUNCATED:
		return refuse(look, -ENOEXEC, "is truncated: it cannot be executed");
	case PROGRAM_DAMAGED:
		break;
	}
	return refuse(look, -ENOEXEC, "is damaged: its program headers cannot be read");
}

static int check_rights(const struct look *look)
{
	struct stat st;

	if (fstat(look->fd, &st) < 0)
		return refuse(look, -errno, "cannot be looked at");
	if (!S_ISREG(st.st_mode) || access(look->path, X_OK) < 0)
		return refuse(look, -EACCES, "is not an executable file");
	if (program_rights_of(look->path, &st) != PROGRAM_NO_RIGHTS)
		return refuse(look, -EPERM, "gains rights when it starts: the loader preloads no "
			      "library into it; run a plain copy");
	return 0;
}

static int check_path(const char *path, unsigned int depth, struct look *look);

/* 'line': what follows "#!", terminated. "#!/usr/bin/env python3" runs the python3 in PATH. */
static int check_script(char *line, unsigned int depth, struct look *look)
{
	char *arguments;
	g_autofree char *program = program_of_script(line, &arguments);
	int ret;

	if (!*line)
		return refuse(look, -ENOEXEC, "starts with #! but names no interpreter");
	if (depth >= PROGRAM_SCRIPT_DEPTH)
		return refuse(look, -ELOOP, "has too many interpreters");
	ret = check_path(line, depth + 1, look);
	return ret == 0 && program ? check_path(program, depth + 1, look) : ret;
}

static int check_content(unsigned int depth, struct look *look)
{
	char head[PROGRAM_HEAD_SIZE + 1] = "";
	ssize_t size = pread(look->fd, head, PROGRAM_HEAD_SIZE, 0);
	int ret = check_rights(look);

	if (ret < 0)
		return ret;
	if (size < 0)
		return refuse(look, -errno, "cannot be read");
	if (program_is_elf(head, (size_t)size))
		return check_elf(look);
	return head[0] == '#' && head[1] == '!' ? check_script(head + 2, depth, look) :
	       refuse(look, -ENOEXEC, "is neither a program nor a script that names its "
		      "interpreter");
}

static int check_path(const char *path, unsigned int depth, struct look *look)
{
	struct look outer = *look;
	int ret;

	look->path = path;
	look->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ret = look->fd >= 0 ? check_content(depth, look) :
	      refuse(look, -errno, g_strerror(errno));
	if (look->fd >= 0)
		close(look->fd);
	look->path = outer.path;
	look->fd = outer.fd;
	return ret;
}

int program_file_check(const char *name, const char *directory, char **ret_foreign, char *reterr,
		       size_t reterr_size)
{
	struct look look = { .path = name, .fd = -1, .reterr = reterr,
			     .reterr_size = reterr_size };
	g_autofree char *path = strchr(name, '/') ? g_canonicalize_filename(name, directory) :
				g_find_program_in_path(name);
	int ret;

	*ret_foreign = NULL;
	if (!path)
		return refuse(&look, -ENOENT, "is not in PATH");
	ret = check_path(path, 0, &look);
	if (ret == 0 && look.cannot_load)
		*ret_foreign = g_steal_pointer(&path);
	return ret;
}
