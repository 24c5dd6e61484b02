/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A CRC of at most 32 bits whose register is shifted to the right, computed many bytes at a time.
 *
 * By tables: eight bytes are looked up in eight tables at once, one for each distance to the end of
 * the eight. By folding: the processor multiplies polynomials (PCLMULQDQ), which replaces 16 bytes
 * by a change to 16 later ones, until 16 are left for the tables.
 *
 * A CRC of fewer than 32 bits is kept in the register's low bits: its polynomial times a power of x
 * has 32 bits, and nothing else changes.
 */
#ifndef UMADRIG_KMOD_STUB_REFLECTED_CRC_H
#define UMADRIG_KMOD_STUB_REFLECTED_CRC_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reflected_crc {
	uint32_t polynomial;		/* without x^32; bit 0 is x^31, bit 31 is 1 */
	pthread_once_t once;
	void (*prepare)(void);		/* calls reflected_crc_prepare() for this CRC */
	atomic_bool ready;		/* the following members have been computed */
	uint32_t table[8][256];
	uint64_t fold[2];		/* by 16 bytes: for the first 8, for the last 8 */
	uint64_t fold_four[2];		/* by 64 bytes */
};

/* Computes tables and factors of 'crc'. Called once, by the CRC's own 'prepare'. */
void reflected_crc_prepare(struct reflected_crc *crc);

/*
 * The register, which was 'value', after 'size' bytes (0 is allowed). It is not inverted, which is
 * up to the caller. Any thread may call this; the first one computes the tables.
 */
uint32_t reflected_crc_update(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
			      size_t size);

/* The same in one way or the other, for tests. They compute the tables if necessary. */
uint32_t reflected_crc_by_table(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
				size_t size);
uint32_t reflected_crc_by_folding(struct reflected_crc *crc, uint32_t value, const uint8_t *bytes,
				  size_t size);

/* Can this processor fold? If not, reflected_crc_by_folding() uses the tables. */
bool reflected_crc_folds(void);

#endif
