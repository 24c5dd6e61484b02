/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tables of strings of a 64-bit ELF file say of it: a program in Go, or one that loads a
 * library. Nothing is known of a file that has no sections.
 */
#ifndef UMADRIG_LIB_BASE_ELF_STRINGS_H
#define UMADRIG_LIB_BASE_ELF_STRINGS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* As pread(2), which may not be what a library calls. */
typedef long elf_read_fn(int fd, void *buf, size_t size, uint64_t at);

/* Section 'number' of the file. */
static inline bool elf_section(int fd, const Elf64_Ehdr *header, uint64_t number, Elf64_Shdr *ret,
			       elf_read_fn *read_at)
{
	return number < header->e_shnum &&
	       read_at(fd, ret, sizeof(*ret), header->e_shoff + number * header->e_shentsize) ==
		       sizeof(*ret);
}

/* Has this table of strings one that ends with 'text', of 'size' bytes with its 0? */
static inline bool elf_strings_have(int fd, const Elf64_Shdr *table, const char *text, size_t size,
				    elf_read_fn *read_at)
{
	enum { TABLE_MAX = 1 << 22 };
	char bytes[1024];
	size_t kept = 0;

	if (table->sh_size > TABLE_MAX)
		return false;
	for (uint64_t at = 0; at < table->sh_size;) {
		size_t room = sizeof(bytes) - kept;
		long n;

		if (room > table->sh_size - at)
			room = (size_t)(table->sh_size - at);
		n = read_at(fd, bytes + kept, room, table->sh_offset + at);
		if (n <= 0)
			return false;
		if (memmem(bytes, kept + (size_t)n, text, size))
			return true;
		at += (uint64_t)n;
		kept += (size_t)n;
		if (kept >= size) {
			memmove(bytes, bytes + kept - (size - 1), size - 1);
			kept = size - 1;
		}
	}
	return false;
}

/*
 * Go's runtime makes system calls by itself, past libc, also where it is linked with libc. All such
 * files have a section of this name, stripped or not.
 */
static inline bool elf_is_go(int fd, const Elf64_Ehdr *header, elf_read_fn *read_at)
{
	static const char name[] = ".go.buildinfo";
	Elf64_Shdr names;

	return elf_section(fd, header, header->e_shstrndx, &names, read_at) &&
	       elf_strings_have(fd, &names, name, sizeof(name), read_at);
}

#endif
