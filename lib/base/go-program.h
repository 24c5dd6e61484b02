/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Is a program written in Go? Its runtime makes system calls by itself, past libc, also where it is
 * linked with libc. All such files have a section .go.buildinfo, stripped or not.
 */
#ifndef UMADRIG_LIB_BASE_GO_PROGRAM_H
#define UMADRIG_LIB_BASE_GO_PROGRAM_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* As pread(2), which may not be what a library calls. */
typedef long go_program_read_fn(int fd, void *buf, size_t size, uint64_t at);

/* 'header': of the 64-bit ELF file 'fd'. False also where it has no names of sections. */
static inline bool go_program_is_one(int fd, const Elf64_Ehdr *header, go_program_read_fn *read_at)
{
	static const char name[] = ".go.buildinfo";
	enum { OVERLAP = sizeof(name) - 1, NAMES_MAX = 1 << 20 };
	char names[1024];
	Elf64_Shdr part;
	size_t kept = 0;

	if (header->e_shnum == 0 ||
	    read_at(fd, &part, sizeof(part), header->e_shoff + (uint64_t)header->e_shstrndx *
		    header->e_shentsize) != sizeof(part) || part.sh_size > NAMES_MAX)
		return false;
	for (uint64_t at = 0; at < part.sh_size;) {
		size_t size = sizeof(names) - kept;
		long n;

		if (size > part.sh_size - at)
			size = (size_t)(part.sh_size - at);
		n = read_at(fd, names + kept, size, part.sh_offset + at);
		if (n <= 0)
			return false;
		if (memmem(names, kept + (size_t)n, name, sizeof(name)))
			return true;
		at += (uint64_t)n;
		kept += (size_t)n;
		if (kept > OVERLAP) {
			memmove(names, names + kept - OVERLAP, OVERLAP);
			kept = OVERLAP;
		}
	}
	return false;
}

#endif
