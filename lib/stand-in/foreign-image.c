/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-image.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

#include "lib/base/elf-strings.h"
#include "lib/lockstep/proc-file.h"
#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-time.h"
#include "lib/stand-in/foreign-birth.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-host.h"
#include "lib/stand-in/foreign-image.h"
#include "lib/stand-in/foreign-kept.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-notices.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-trace.h"

enum {
	AUXILIARY_MAX = 128,
	PARTS_MAX = 64,
	CHUNK = 1 << 16,
};

static const struct function {
	const char *name;
	int call;
} functions[] = {
#if defined(__x86_64__)
	{ "__vdso_clock_gettime", SYS_clock_gettime },
	{ "__vdso_gettimeofday", SYS_gettimeofday },
	{ "__vdso_time", SYS_time },
	{ "__vdso_getcpu", SYS_getcpu },
	{ "__vdso_clock_getres", SYS_clock_getres },
	{ "__vdso_getrandom", SYS_getrandom },
#else
	{ "__kernel_clock_gettime", SYS_clock_gettime },
	{ "__kernel_gettimeofday", SYS_gettimeofday },
	{ "__kernel_clock_getres", SYS_clock_getres },
	{ "__kernel_getrandom", SYS_getrandom },
#endif
};

/* ---- the vDSO ---- */

struct symbols {
	uintptr_t base;			/* what its addresses are from */
	const Elf64_Sym *table;
	const char *names;
	const uint32_t *hash, *gnu_hash;
};

/* Our own, which is the same file as the foreign program's. */
static bool find_symbols(struct symbols *ret)
{
	uintptr_t at = getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const void *)at;
	const Elf64_Phdr *part = at ? (const void *)(at + header->e_phoff) : NULL;
	const Elf64_Dyn *entry = NULL;

	*ret = (struct symbols){ .base = at };
	for (unsigned int i = 0; at && i < header->e_phnum; i++) {
		if (part[i].p_type == PT_DYNAMIC)
			entry = (const void *)(at + part[i].p_offset);
		else if (part[i].p_type == PT_LOAD)
			ret->base = at - part[i].p_vaddr;
	}
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		const void *to = (const void *)(ret->base + entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			ret->table = to;
		else if (entry->d_tag == DT_STRTAB)
			ret->names = to;
		else if (entry->d_tag == DT_HASH)
			ret->hash = to;
		else if (entry->d_tag == DT_GNU_HASH)
			ret->gnu_hash = to;
	}
	return ret->table && ret->names;
}

static uint32_t count_of(const struct symbols *symbols)
{
	const uint32_t *gnu = symbols->gnu_hash, *bucket, *chain;
	uint32_t last = 0;

	if (symbols->hash)
		return symbols->hash[1];
	if (!gnu)
		return 0;
	bucket = gnu + 4 + gnu[2] * 2;
	chain = bucket + gnu[0];
	for (uint32_t i = 0; i < gnu[0]; i++) {
		if (bucket[i] > last)
			last = bucket[i];
	}
	while (last >= gnu[1] && !(chain[last - gnu[1]] & 1))
		last++;
	return last + 1;
}

/* A function's code that makes the call and returns. Its size. */
static size_t make_code(uint8_t *code, int call)
{
#if defined(__x86_64__)
	const uint8_t bytes[] = { 0xb8, (uint8_t)call, (uint8_t)(call >> 8), 0, 0, 0x0f, 0x05,
				  0xc3 };
#else
	const uint32_t bytes[] = { 0xd2800008 | (uint32_t)call << 5, 0xd4000001, 0xd65f03c0 };
#endif
	memcpy(code, bytes, sizeof(bytes));
	return sizeof(bytes);
}

static bool change_vdso(int memory, uint64_t vdso)
{
	struct symbols symbols;
	uint32_t n;

	if (!vdso || !find_symbols(&symbols))
		return true;	/* the kernel has none */
	n = count_of(&symbols);
	for (uint32_t i = 0; i < n; i++) {
		const Elf64_Sym *symbol = &symbols.table[i];
		const char *name = symbols.names + symbol->st_name;

		for (size_t k = 0; k < sizeof(functions) / sizeof(*functions); k++) {
			uint64_t at = vdso + symbols.base + symbol->st_value -
				      getauxval(AT_SYSINFO_EHDR);
			uint8_t code[16];
			size_t size;

			if (strcmp(name, functions[k].name) != 0)
				continue;
			size = make_code(code, functions[k].call);
			if (CALL_4(SYS_pwrite64, memory, code, size, at) != (long)size)
				return false;
		}
	}
	return true;
}

/* ---- the processor's clock ---- */

#if defined(__x86_64__)
/*
 * What follows rdtsc and rdtscp in Go's runtime.cputicks: shl rdx,32; add (or or) rax,rdx; the
 * result to the stack; ret. The first two become a system call, whose result is theirs.
 */
static size_t find_ticks(const uint8_t *bytes, size_t size)
{
	static const uint8_t head[] = { 0x48, 0xc1, 0xe2, 0x20, 0x48 };
	static const uint8_t tail[] = { 0xd0, 0x48, 0x89, 0x44, 0x24, 0x08, 0xc3 };

	for (size_t i = 0; i + sizeof(head) + 1 + sizeof(tail) <= size; i++) {
		if (memcmp(bytes + i, head, sizeof(head)) == 0 &&
		    (bytes[i + 5] == 0x01 || bytes[i + 5] == 0x09) &&
		    memcmp(bytes + i + 6, tail, sizeof(tail)) == 0)
			return i;
	}
	return SIZE_MAX;
}

static void change_ticks_in(int memory, uint64_t at, uint64_t size)
{
	static const uint8_t code[] = {
		0xb8, CALL_TICKS & 0xff, CALL_TICKS >> 8, 0, 0, 0x0f, 0x05,
	};
	static uint8_t bytes[CHUNK + 32];

	for (uint64_t done = 0; done < size; done += CHUNK) {
		size_t part = size - done < sizeof(bytes) ? (size_t)(size - done) : sizeof(bytes);
		long n = CALL_4(SYS_pread64, memory, bytes, part, at + done);
		size_t found = n > 0 ? find_ticks(bytes, (size_t)n) : SIZE_MAX;

		if (found == SIZE_MAX)
			continue;
		CALL_4(SYS_pwrite64, memory, code, sizeof(code), at + done + found);
		return;
	}
}

static long read_at(int fd, void *buf, size_t size, uint64_t at)
{
	return CALL_4(SYS_pread64, fd, buf, size, at);
}

/* 'headers': where the program's headers are in its memory. */
static void change_ticks(int memory, uint64_t headers)
{
	char path[64];
	Elf64_Ehdr header;
	Elf64_Phdr part;
	uint64_t base = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", foreign.pid);
	fd = (int)CALL_4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (read_at(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    !elf_is_go(fd, &header, read_at))
		header.e_phnum = 0;
	for (unsigned int i = 0; i < header.e_phnum && i < PARTS_MAX; i++) {
		if (read_at(fd, &part, sizeof(part), header.e_phoff + i * sizeof(part)) !=
		    sizeof(part))
			break;
		if (part.p_type == PT_PHDR)
			base = headers - part.p_vaddr;
		if (part.p_type == PT_LOAD && part.p_flags & PF_X)
			change_ticks_in(memory, base + part.p_vaddr, part.p_filesz);
	}
	CALL_1(SYS_close, fd);
}
#else
/* A program may read CNTVCT_EL0 by itself: Go's runtime does not. */
static void change_ticks(int memory, uint64_t headers)
{
	(void)memory;
	(void)headers;
}
#endif

/* ---- all ---- */

static void change_random(uint64_t at)
{
	uint8_t bytes[16];

	if (at && getrandom(bytes, sizeof(bytes), 0) == sizeof(bytes))
		foreign_memory_put(at, bytes, sizeof(bytes));
}

void foreign_image_change(void)
{
	uint64_t entry[AUXILIARY_MAX][2], vdso = 0, random_at = 0, headers = 0;
	char path[64];
	int memory;
	long n;

	snprintf(path, sizeof(path), "/proc/%d/auxv", foreign.pid);
	n = proc_file_read(path, (char *)entry, sizeof(entry));
	for (long i = 0; i < n / (long)sizeof(*entry); i++) {
		if (entry[i][0] == AT_SYSINFO_EHDR)
			vdso = entry[i][1];
		else if (entry[i][0] == AT_RANDOM)
			random_at = entry[i][1];
		else if (entry[i][0] == AT_PHDR)
			headers = entry[i][1];
	}
	snprintf(path, sizeof(path), "/proc/%d/mem", foreign.pid);
	memory = (int)CALL_4(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (memory < 0 || !change_vdso(memory, vdso))
		dprintf(2, "umadrig: process %d tells the machine's time: its vDSO cannot be "
			"changed\n", getpid());
	change_random(random_at);
	if (memory >= 0) {
		change_ticks(memory, headers);
		CALL_1(SYS_close, memory);
	}
}

/* As the kernel calls it: by its file. */
static void set_name(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", foreign.pid);
	proc_file_read(path, foreign.name, sizeof(foreign.name));
	foreign.name[strcspn(foreign.name, "\n")] = '\0';
	if (*foreign.name)
		umadrig_session_name(foreign.name);
}

long foreign_image_execute(void)
{
	int event;

	if (foreign_trace_begin(PTRACE_O_TRACEEXEC) < 0)
		return -EPERM;
	foreign_trace_interrupt();
	foreign_call_go_on();
	event = foreign_trace_wait_program();
	if (event == PTRACE_EVENT_EXEC) {
		foreign_task_is_alone();
		set_name();
		foreign_host_take();
		foreign_image_change();
		foreign_signals_begin();
		foreign_kept_sweep();
		foreign_notices_end();
		call_time_end_timers();
		foreign_birth_let_parent_go();
	}
	foreign_trace_end();
	return CALL_ANSWERED;
}
