/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is left to chance: see lib/lockstep/lockstep-chance.h. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "lib/base/mix64.h"
#include "lib/lockstep/lockstep-chance.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

enum { STACK_SIZE = 96 * 1024 };	/* below the constructor: what ld.so has used, and more */

static uint64_t state;
static uint32_t state_of;	/* the process that it belongs to: a child has its own */

static void __attribute__((noinline)) wipe(void)
{
	volatile char below[STACK_SIZE];

	for (size_t i = 0; i < sizeof(below); i++)
		below[i] = 0;
}

#if defined(__aarch64__)
/* A variable of ld.so's, which it has made read-only by now. */
static void set_guard(const char *name, uint64_t value)
{
	uintptr_t page_size = getauxval(AT_PAGESZ);
	uint64_t *guard = dlsym(RTLD_DEFAULT, name);
	void *page = (void *)((uintptr_t)guard & -page_size);

	if (!guard || mprotect(page, page_size, PROT_READ | PROT_WRITE) < 0)
		return;
	*guard = value;
	mprotect(page, page_size, PROT_READ);
}
#endif

/* The kernel's 16 bytes, which programs seed with, too: ld.so has taken the two above from them. */
static void set_bytes(uint64_t seed)
{
	uint8_t *bytes = (uint8_t *)getauxval(AT_RANDOM);

	for (uint8_t i = 0; bytes && i < 16; i++)
		bytes[i] = (uint8_t)((uint8_t)(i * 37 + 11) ^ seed >> i % 8 * 8);
}

/* Of the session's seed; 0 for seed 1, the usual one. */
static uint64_t seed_bits(void)
{
	return mix64((lockstep->seed - 1) * MIX64_STEP);
}

void chance_begin(void)
{
	const uint64_t canary = 0x1122334455667700, guard = 0x123456789abcdef0;

#if defined(__x86_64__)
	__asm__ volatile("movq %0, %%fs:0x28" : : "r"(canary));
	__asm__ volatile("movq %0, %%fs:0x30" : : "r"(guard));
#elif defined(__aarch64__)
	set_guard("__stack_chk_guard", canary);
	set_guard("__pointer_chk_guard", guard);
#else
	(void)canary, (void)guard;
#endif
	set_bytes(0);
	wipe();
}

void chance_seed(void)
{
	set_bytes(seed_bits());
}

void chance_fill(void *ret, size_t size)
{
	uint8_t *bytes = ret;

	if (state_of != lockstep_self->virtual_pid) {
		state_of = lockstep_self->virtual_pid;
		state = (state_of * MIX64_STEP + 1) ^ seed_bits();
		/* There xorshift64 would stay. */
		if (state == 0)
			state = 1;
	}
	for (size_t i = 0; i < size; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bytes[i] = (uint8_t)(state >> 32);
	}
}

static ssize_t hooked_getrandom(void *bytes, size_t size, unsigned int flags)
{
	if (!session_is_on())
		return call_result(CALL_3(SYS_getrandom, bytes, size, flags));
	chance_fill(bytes, size);
	return (ssize_t)size;
}

static int hooked_getentropy(void *bytes, size_t size)
{
	if (size > 256)
		return (int)call_result(-EIO);
	return hooked_getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

static void hooked_arc4random_buf(void *bytes, size_t size)
{
	hooked_getrandom(bytes, size, 0);
}

static uint32_t hooked_arc4random(void)
{
	uint32_t ret = 0;

	hooked_getrandom(&ret, sizeof(ret), 0);
	return ret;
}

const struct hook chance_hooks[] = {
	{ "getrandom", hooked_getrandom },
	{ "getentropy", hooked_getentropy },
	{ "arc4random_buf", hooked_arc4random_buf },
	{ "arc4random", hooked_arc4random },
	{ NULL, NULL },
};
