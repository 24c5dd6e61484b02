/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/library-cache.h. */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mapping-base.h"
#include "lib/lockstep/library-cache.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

enum { NAME_SIZE = sizeof(MAPPING_BASE_CACHE) };	/* with its end */

static bool is_as_it_was(const struct lockstep_cache *cache)
{
	struct stat st;

	return CALL_4(SYS_newfstatat, AT_FDCWD, MAPPING_BASE_CACHE, &st, 0) == 0 &&
	       st.st_dev == cache->device && st.st_ino == cache->inode &&
	       (uint64_t)st.st_size == cache->size &&
	       st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec == cache->modified_ns;
}

/*
 * Any program of the session can write the table, and one of root's must not load what another
 * user's names: a copy is root's or this user's own, nobody can write it, and it is in a directory
 * where nobody else can put another file in its place.
 */
static bool is_trusted(const char *path)
{
	static const char *const folders[] = { "/dev/shm/", "/tmp/" };
	const char *name = NULL;
	struct stat st;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			name = path + strlen(folders[i]);
	}
	return name && !strchr(name, '/') &&
	       CALL_4(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && !(st.st_mode & 0222) &&
	       (st.st_uid == 0 || st.st_uid == geteuid());
}

static bool is_usable(const struct lockstep_cache *cache)
{
	return *cache->path && strnlen(cache->path, NAME_SIZE) < NAME_SIZE &&
	       is_as_it_was(cache) && is_trusted(cache->path) &&
	       CALL_3(SYS_faccessat, AT_FDCWD, cache->path, R_OK) == 0;
}

/* In a page that ld.so has read-only. */
static void replace(char *at, const char *path, int protection)
{
	uintptr_t page_size = getauxval(AT_PAGESZ), from = (uintptr_t)at & -page_size;
	uintptr_t size = ((uintptr_t)at + NAME_SIZE - 1 - from) / page_size * page_size + page_size;

	if (CALL_3(SYS_mprotect, from, size, PROT_READ | PROT_WRITE) < 0)
		return;
	memset(at, 0, NAME_SIZE);
	memcpy(at, path, strlen(path));
	CALL_3(SYS_mprotect, from, size, protection);
}

/* ld.so's constant texts are in one of its parts that nobody writes. */
static void replace_in(char *begin, size_t size, const char *path, int protection)
{
	char *at;

	while ((at = memmem(begin, size, MAPPING_BASE_CACHE, NAME_SIZE))) {
		replace(at, path, protection);
		size -= (size_t)(at + NAME_SIZE - begin);
		begin = at + NAME_SIZE;
	}
}

void library_cache_begin(void)
{
	const struct lockstep_cache cache = lockstep->cache;	/* others can write that one */
	char *base = (char *)getauxval(AT_BASE);	/* 0: somebody has called ld.so by name */
	const Elf64_Ehdr *header = (const void *)base;
	const Elf64_Phdr *part;

	if (!base || !is_usable(&cache))
		return;
	part = (const void *)(base + header->e_phoff);
	for (unsigned int i = 0; i < header->e_phnum; i++) {
		if (part[i].p_type == PT_LOAD && !(part[i].p_flags & PF_W))
			replace_in(base + part[i].p_vaddr, part[i].p_filesz, cache.path,
				   PROT_READ | (part[i].p_flags & PF_X ? PROT_EXEC : 0));
	}
}
