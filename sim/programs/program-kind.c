/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program's file says of how it starts: see sim/programs/program-kind.h.
 */
#include "config.h"

#include "sim/programs/program-kind.h"

#include <elf.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/base/elf-strings.h"

static bool read_exactly(int fd, void *buf, size_t size, uint64_t at)
{
	return pread(fd, buf, size, (off_t)at) == (ssize_t)size;
}

bool program_is_elf(const char *head, size_t size)
{
	return size >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0;
}

static bool is_foreign(const Elf64_Ehdr *header)
{
	Elf64_Ehdr own;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool is_known = fd >= 0 && read_exactly(fd, &own, sizeof(own), 0);

	if (fd >= 0)
		close(fd);
	return is_known && (header->e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
			    header->e_ident[EI_DATA] != own.e_ident[EI_DATA] ||
			    header->e_machine != own.e_machine);
}

static enum program_loader loader_in(int fd, const Elf64_Phdr *part)
{
	char path[PROGRAM_HEAD_SIZE + 1] = "";
	g_autofree char *name = NULL;

	if (part->p_filesz == 0 || part->p_filesz > PROGRAM_HEAD_SIZE ||
	    !read_exactly(fd, path, part->p_filesz, part->p_offset))
		return PROGRAM_DAMAGED;
	if (!*path)
		return PROGRAM_STATIC;
	name = g_path_get_basename(path);
	return g_str_has_prefix(name, "ld-musl") ? PROGRAM_MUSL : PROGRAM_LOADED;
}

static long read_at(int fd, void *buf, size_t size, uint64_t at)
{
	return pread(fd, buf, size, (off_t)at);
}

enum program_loader program_loader_of(int fd)
{
	enum program_loader loader;
	Elf64_Ehdr header;
	Elf64_Phdr part;

	if (!read_exactly(fd, &header, sizeof(header), 0))
		return PROGRAM_TRUNCATED;
	if (is_foreign(&header))
		return PROGRAM_FOREIGN;
	for (uint64_t i = 0; i < header.e_phnum; i++) {
		if (!read_exactly(fd, &part, sizeof(part),
				  header.e_phoff + i * header.e_phentsize))
			return PROGRAM_DAMAGED;
		if (part.p_type != PT_INTERP)
			continue;
		loader = loader_in(fd, &part);
		return loader == PROGRAM_LOADED && elf_is_go(fd, &header, read_at) ?
			       PROGRAM_GO : loader;
	}
	return PROGRAM_STATIC;
}

bool program_loads_verbs(int fd)
{
	static const char verbs[] = "libibverbs.so.1";
	Elf64_Ehdr header;
	Elf64_Shdr part;

	if (!read_exactly(fd, &header, sizeof(header), 0) || is_foreign(&header))
		return false;
	for (uint64_t i = 0; elf_section(fd, &header, i, &part, read_at); i++) {
		if (part.sh_type == SHT_STRTAB && (part.sh_flags & SHF_ALLOC) &&
		    elf_strings_have(fd, &part, verbs, sizeof(verbs), read_at))
			return true;
	}
	return false;
}

enum program_rights program_rights_of(const char *path, const struct stat *st)
{
	if (st->st_mode & S_ISUID)
		return PROGRAM_SETUID;
	if (st->st_mode & S_ISGID)
		return PROGRAM_SETGID;
	return getxattr(path, "security.capability", NULL, 0) > 0 ? PROGRAM_CAPABILITIES :
	       PROGRAM_NO_RIGHTS;
}

static char *program_of_env(const char *arguments)
{
	g_auto(GStrv) words = g_strsplit_set(arguments, " \t", -1);

	for (char **word = words; *word; word++) {
		if (**word && **word != '-' && !strchr(*word, '='))
			return g_find_program_in_path(*word);
	}
	return NULL;
}

char *program_of_script(char *line, char **ret_arguments)
{
	g_autofree char *name = NULL;
	char *arguments;

	line[strcspn(line, "\n")] = '\0';
	g_strstrip(line);
	arguments = line + strcspn(line, " \t");
	if (*arguments)
		*arguments++ = '\0';
	*ret_arguments = g_strstrip(arguments);
	name = g_path_get_basename(line);
	return strcmp(name, "env") == 0 ? program_of_env(arguments) : NULL;
}
