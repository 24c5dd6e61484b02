/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of a program: see sim/programs/program-file.h.
 */
#include "config.h"

#include "sim/programs/program-file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
	HEAD_SIZE = 4096,
	SCRIPT_DEPTH = 5,	/* Linux follows so many interpreters, then ELOOP */
};

/* The file that is looked at, and where to say what is wrong with it. */
struct look {
	const char *path;
	int fd;
	char *reterr;
	size_t reterr_size;
};

static int refuse(const struct look *look, int err, const char *why)
{
	g_snprintf(look->reterr, look->reterr_size, "%s %s", look->path, why);
	return err;
}

static bool read_exactly(int fd, void *buf, size_t size, uint64_t at)
{
	return pread(fd, buf, size, (off_t)at) == (ssize_t)size;
}

static int check_loader(const struct look *look, const Elf64_Phdr *part)
{
	char name[HEAD_SIZE + 1] = "";
	const char *slash;

	if (part->p_filesz > HEAD_SIZE ||
	    !read_exactly(look->fd, name, part->p_filesz, part->p_offset))
		return refuse(look, -ENOEXEC, "is damaged: its program headers cannot be read");
	slash = strrchr(name, '/');
	if (g_str_has_prefix(slash ? slash + 1 : name, "ld-musl"))
		return refuse(look, -ENOEXEC, "is built for musl: it cannot load umadrig's "
			      "library, which keeps its time and needs glibc");
	return 0;
}

static int check_elf(const struct look *look)
{
	Elf64_Ehdr own, header;
	Elf64_Phdr part;
	int own_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool own_known = own_fd >= 0 && read_exactly(own_fd, &own, sizeof(own), 0);

	if (own_fd >= 0)
		close(own_fd);
	if (!read_exactly(look->fd, &header, sizeof(header), 0))
		return refuse(look, -ENOEXEC, "is truncated: it cannot be executed");
	if (own_known && (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
			  header.e_machine != own.e_machine))
		return refuse(look, -ENOEXEC, "is built for another architecture than umadrig");
	for (uint64_t i = 0; i < header.e_phnum; i++) {
		if (!read_exactly(look->fd, &part, sizeof(part),
				  header.e_phoff + i * header.e_phentsize))
			return refuse(look, -ENOEXEC, "is damaged: its program headers cannot be "
				      "read");
		if (part.p_type == PT_INTERP)
			return check_loader(look, &part);
	}
	return refuse(look, -ENOEXEC, "is linked statically: it cannot load umadrig's library, "
		      "which keeps its time");
}

static int check_rights(const struct look *look)
{
	struct stat st;

	if (fstat(look->fd, &st) < 0)
		return refuse(look, -errno, "cannot be looked at");
	if (!S_ISREG(st.st_mode) || access(look->path, X_OK) < 0)
		return refuse(look, -EACCES, "is not an executable file");
	if (st.st_mode & (S_ISUID | S_ISGID) ||
	    getxattr(look->path, "security.capability", NULL, 0) > 0)
		return refuse(look, -EPERM, "gains rights when it starts: the loader preloads no "
			      "library into it; run a plain copy");
	return 0;
}

static int check_path(const char *path, unsigned int depth, struct look *look);

/* 'line': what follows "#!", terminated. "#!/usr/bin/env python3" runs the python3 in PATH. */
static int check_script(char *line, unsigned int depth, struct look *look)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *base = NULL, *found = NULL;
	unsigned int i = 0;
	int ret;

	line[strcspn(line, "\n")] = '\0';
	words = g_strsplit_set(g_strstrip(line), " \t", -1);
	if (!words[0] || !*words[0])
		return refuse(look, -ENOEXEC, "starts with #! but names no interpreter");
	if (depth >= SCRIPT_DEPTH)
		return refuse(look, -ELOOP, "has too many interpreters");
	ret = check_path(words[0], depth + 1, look);
	base = g_path_get_basename(words[0]);
	if (ret < 0 || strcmp(base, "env") != 0)
		return ret;
	do
		i++;
	while (words[i] && (!*words[i] || *words[i] == '-' || strchr(words[i], '=')));
	found = words[i] ? g_find_program_in_path(words[i]) : NULL;
	return found ? check_path(found, depth + 1, look) : 0;
}

static int check_content(unsigned int depth, struct look *look)
{
	char head[HEAD_SIZE + 1] = "";
	ssize_t size = pread(look->fd, head, HEAD_SIZE, 0);
	int ret = check_rights(look);

	if (ret < 0)
		return ret;
	if (size < 0)
		return refuse(look, -errno, "cannot be read");
	if (size >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
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

int program_file_check(const char *name, const char *directory, char *reterr, size_t reterr_size)
{
	struct look look = { .path = name, .fd = -1, .reterr = reterr,
			     .reterr_size = reterr_size };
	g_autofree char *path = strchr(name, '/') ? g_canonicalize_filename(name, directory) :
				g_find_program_in_path(name);

	if (!path)
		return refuse(&look, -ENOENT, "is not in PATH");
	return check_path(path, 0, &look);
}
