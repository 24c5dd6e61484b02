/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Functions of libc whose entry becomes a jump: see lib/lockstep/hooks.h. */
#include <dlfcn.h>
#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "lib/lockstep/hooks.h"
#include "lib/lockstep/system-call.h"

/* libc's dynamic symbols: dlsym(3) would find what other libraries define before it. */
struct symbols {
	uintptr_t base;
	const ElfW(Sym) *table;
	const char *names;
	const uint32_t *hash;	/* DT_GNU_HASH */
	uintptr_t text;		/* the pages of its functions */
	size_t text_size;
};

static void find_text(struct symbols *symbols, uintptr_t header)
{
	const ElfW(Ehdr) *elf = (const void *)header;
	const ElfW(Phdr) *part = (const void *)(header + elf->e_phoff);
	uintptr_t page = getauxval(AT_PAGESZ);

	for (unsigned int i = 0; i < elf->e_phnum; i++, part++) {
		uintptr_t at = symbols->base + part->p_vaddr;

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		symbols->text = at & ~(page - 1);
		symbols->text_size = (at + part->p_memsz - symbols->text + page - 1) & ~(page - 1);
	}
}

/* ld.so has relocated these pointers in libc's dynamic section. */
static bool find_symbols(struct symbols *ret)
{
	struct link_map *map = NULL;
	Dl_info info;

	if (!dladdr1((void *)gnu_get_libc_version, &info, (void **)&map, RTLD_DL_LINKMAP))
		return false;
	*ret = (struct symbols){ .base = map->l_addr };
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			ret->table = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRTAB)
			ret->names = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_GNU_HASH)
			ret->hash = (const void *)entry->d_un.d_ptr;
	}
	find_text(ret, (uintptr_t)info.dli_fbase);
	return ret->table && ret->names && ret->hash && ret->text_size > 0;
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

/* The function of a name, of any version: those with hooks have but one. NULL: there is none. */
static void *find_function(const struct symbols *symbols, const char *name)
{
	uint32_t buckets = symbols->hash[0], first = symbols->hash[1], words = symbols->hash[2];
	const uint32_t *bucket = symbols->hash + 4 + words * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	uint32_t h = hash_of(name), i = bucket[h % buckets];

	for (; i >= first; i++) {
		const ElfW(Sym) *symbol = &symbols->table[i];

		if ((chain[i - first] | 1) == (h | 1) && symbol->st_shndx != SHN_UNDEF &&
		    ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
		    strcmp(symbols->names + symbol->st_name, name) == 0)
			return (void *)(symbols->base + symbol->st_value);
		if (chain[i - first] & 1)
			break;
	}
	return NULL;
}

#if defined(__x86_64__)
/* jmp *0(%rip), or jmp with the distance if it is near: the shortest functions have 8 bytes. */
static size_t make_jump(uint8_t *bytes, const void *at, const void *to)
{
	static const uint8_t far[] = { 0xff, 0x25, 0, 0, 0, 0 };
	int64_t distance = (int64_t)((uintptr_t)to - (uintptr_t)at - 5);
	int32_t near = (int32_t)distance;

	if (near == distance) {
		bytes[0] = 0xe9;
		memcpy(bytes + 1, &near, sizeof(near));
		return 5;
	}
	memcpy(bytes, far, sizeof(far));
	memcpy(bytes + sizeof(far), &to, sizeof(to));
	return sizeof(far) + sizeof(to);
}
#elif defined(__aarch64__)
/* b, or ldr x16, 8; br x16; the address. */
static size_t make_jump(uint8_t *bytes, const void *at, const void *to)
{
	static const uint32_t far[] = { 0x58000050, 0xd61f0200 };
	int64_t distance = (int64_t)((uintptr_t)to - (uintptr_t)at);
	uint32_t near = 0x14000000 | ((uint32_t)(distance >> 2) & 0x03ffffff);

	if (distance >= -(1 << 27) && distance < 1 << 27) {
		memcpy(bytes, &near, sizeof(near));
		return sizeof(near);
	}
	memcpy(bytes, far, sizeof(far));
	memcpy(bytes + sizeof(far), &to, sizeof(to));
	return sizeof(far) + sizeof(to);
}
#else
static size_t make_jump(uint8_t *bytes, const void *at, const void *to)
{
	(void)bytes, (void)at, (void)to;
	return 0;
}
#endif

static bool set_hook(uint8_t *at, const void *to)
{
	uint8_t bytes[16];
	size_t size = make_jump(bytes, at, to);

	memcpy(at, bytes, size);
	__builtin___clear_cache((char *)at, (char *)at + size);
	return size > 0;
}

static bool set_hooks(const struct symbols *symbols, const struct hook *table)
{
	bool ret = true;

	for (; table->name && ret; table++) {
		uint8_t *at = find_function(symbols, table->name);

		if (at)
			ret = (uintptr_t)at - symbols->text < symbols->text_size &&
			      set_hook(at, table->to);
	}
	return ret;
}

static bool protect(const struct symbols *symbols, int protection)
{
	return CALL_3(SYS_mprotect, symbols->text, symbols->text_size, protection) == 0;
}

static const struct hook *const *all;
static size_t tables_count;

void *hooks_function(const char *name)
{
	for (size_t i = 0; i < tables_count; i++) {
		for (const struct hook *hook = all[i]; hook->name; hook++) {
			if (strcmp(hook->name, name) == 0)
				return hook->to;
		}
	}
	return NULL;
}

/*
 * All of libc's functions become writable, and are not any more: piece by piece, each piece would
 * stay a mapping of its own, which fork(2) copies.
 */
bool hooks_set(const struct hook *const *tables, size_t count)
{
	struct symbols symbols;
	bool ret = true;

	all = tables;
	tables_count = count;
	if (!find_symbols(&symbols) || !protect(&symbols, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	for (size_t i = 0; i < count && ret; i++)
		ret = set_hooks(&symbols, tables[i]);
	return protect(&symbols, PROT_READ | PROT_EXEC) && ret;
}
