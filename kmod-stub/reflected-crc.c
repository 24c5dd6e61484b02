/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * CRCs of many bytes at a time: see reflected-crc.h.
 */
#include "kmod-stub/reflected-crc.h"

#include <string.h>

#ifdef __x86_64__
#include <wmmintrin.h>
#endif

enum {
	SLICE = 8,		/* bytes that go through the tables at once */
	BLOCK = 16,		/* bytes that are folded at once */
	FOLD_SIZE_MIN = 4 * BLOCK,
};

/* The register times x: moves it by one bit. */
static uint32_t times_x(const struct reflected_crc *crc, uint32_t value)
{
	return value & 1 ? value >> 1 ^ crc->polynomial : value >> 1;
}

/* x to the power of 'exponent' modulo the polynomial. */
static uint32_t power_of_x(const struct reflected_crc *crc, unsigned int exponent)
{
	uint32_t value = UINT32_C(1) << 31;

	while (exponent-- > 0)
		value = times_x(crc, value);
	return value;
}

void reflected_crc_prepare(struct reflected_crc *crc)
{
	for (unsigned int byte = 0; byte < 256; byte++) {
		uint32_t value = byte;

		for (unsigned int bit = 0; bit < 8; bit++)
			value = times_x(crc, value);
		crc->table[0][byte] = value;
	}
	for (unsigned int slice = 1; slice < SLICE; slice++)
		for (unsigned int byte = 0; byte < 256; byte++) {
			uint32_t value = crc->table[slice - 1][byte];

			crc->table[slice][byte] = crc->table[0][value & 0xff] ^ value >> 8;
		}
	/*
	 * A move by sixteen bytes is x^128; the first eight of them are x^64 above the last eight.
	 * The product of two reflected words is one place too low, hence one power less.
	 */
	crc->fold[0] = (uint64_t)power_of_x(crc, 8 * BLOCK + 64 - 1) << 32;
	crc->fold[1] = (uint64_t)power_of_x(crc, 8 * BLOCK - 1) << 32;
	crc->fold_four[0] = (uint64_t)power_of_x(crc, 4 * 8 * BLOCK + 64 - 1) << 32;
	crc->fold_four[1] = (uint64_t)power_of_x(crc, 4 * 8 * BLOCK - 1) << 32;
	atomic_store_explicit(&crc->ready, true, memory_order_release);
}

static void make_ready(struct reflected_crc *crc)
{
	if (!atomic_load_explicit(&crc->ready, memory_order_acquire))
		pthread_once(&crc->once, crc->prepare);
}

static uint32_t by_table(const struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
			 size_t size)
{
	const uint32_t (*table)[256] = crc->table;

	for (; size >= SLICE; size -= SLICE, bytes += SLICE) {
		uint64_t word;

		/* Little-endian, as lib/base/wire.h requires: the first byte is the lowest. */
		memcpy(&word, bytes, sizeof(word));
		word ^= value;
		value = table[7][word & 0xff] ^ table[6][word >> 8 & 0xff] ^
			table[5][word >> 16 & 0xff] ^ table[4][word >> 24 & 0xff] ^
			table[3][word >> 32 & 0xff] ^ table[2][word >> 40 & 0xff] ^
			table[1][word >> 48 & 0xff] ^ table[0][word >> 56];
	}
	if (size >= SLICE / 2) {
		uint32_t word;

		memcpy(&word, bytes, sizeof(word));
		word ^= value;
		value = table[3][word & 0xff] ^ table[2][word >> 8 & 0xff] ^
			table[1][word >> 16 & 0xff] ^ table[0][word >> 24];
		size -= sizeof(word);
		bytes += sizeof(word);
	}
	for (; size > 0; size--)
		value = table[0][(value ^ *bytes++) & 0xff] ^ value >> 8;
	return value;
}

#ifdef __x86_64__
bool reflected_crc_folds(void)
{
	return __builtin_cpu_supports("pclmul");
}

static inline __m128i load_block(const void *bytes)
{
	return _mm_loadu_si128((const __m128i *)bytes);
}

/* Folds 'folded' into 'block', at the distance of 'factors'. */
__attribute__((target("sse2,pclmul")))
static inline __m128i fold(__m128i folded, __m128i factors, __m128i block)
{
	__m128i first = _mm_clmulepi64_si128(folded, factors, 0x00);
	__m128i last = _mm_clmulepi64_si128(folded, factors, 0x11);

	return _mm_xor_si128(block, _mm_xor_si128(first, last));
}

/*
 * Takes at least four blocks. A multiplication takes several cycles, and the next one need not wait
 * for it if four blocks are folded into the next four.
 */
__attribute__((target("sse2,pclmul")))
static uint32_t by_folding(const struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
			   size_t size)
{
	const __m128i far = load_block(crc->fold_four), near = load_block(crc->fold);
	__m128i a = load_block(bytes), b = load_block(bytes + BLOCK);
	__m128i c = load_block(bytes + 2 * BLOCK), d = load_block(bytes + 3 * BLOCK);
	uint8_t left[BLOCK];

	a = _mm_xor_si128(a, _mm_cvtsi32_si128((int)value));
	for (bytes += 4 * BLOCK, size -= 4 * BLOCK; size >= 4 * BLOCK;
	     bytes += 4 * BLOCK, size -= 4 * BLOCK) {
		a = fold(a, far, load_block(bytes));
		b = fold(b, far, load_block(bytes + BLOCK));
		c = fold(c, far, load_block(bytes + 2 * BLOCK));
		d = fold(d, far, load_block(bytes + 3 * BLOCK));
	}
	d = fold(fold(fold(a, near, b), near, c), near, d);
	for (; size >= BLOCK; bytes += BLOCK, size -= BLOCK)
		d = fold(d, near, load_block(bytes));
	_mm_storeu_si128((__m128i *)(void *)left, d);
	return by_table(crc, by_table(crc, 0, left, sizeof(left)), bytes, size);
}
#else
bool reflected_crc_folds(void)
{
	return false;
}

static uint32_t by_folding(const struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
			   size_t size)
{
	return by_table(crc, value, bytes, size);
}
#endif

uint32_t reflected_crc_by_table(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
				size_t size)
{
	make_ready(crc);
	return by_table(crc, value, bytes, size);
}

uint32_t reflected_crc_by_folding(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
				  size_t size)
{
	make_ready(crc);
	if (size < FOLD_SIZE_MIN || !reflected_crc_folds())
		return by_table(crc, value, bytes, size);
	return by_folding(crc, value, bytes, size);
}

uint32_t reflected_crc_update(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
			      size_t size)
{
	return reflected_crc_by_folding(crc, value, bytes, size);
}
