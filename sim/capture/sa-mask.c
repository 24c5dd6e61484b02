/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The components of SA attributes as their masks number them: see sim/capture/sa-mask.h.
 */
#include "sim/capture/sa-mask.h"

#include <string.h>

#include "sim/dictionary/sa-component.h"

static void copy_bits(const uint8_t *from, uint8_t *to, unsigned int bit, unsigned int width)
{
	for (; width; bit++, width--)
		to[bit / 8] |= (uint8_t)(from[bit / 8] & (0x80 >> bit % 8));
}

void sa_mask_data(uint16_t attr_id, uint64_t mask, const uint8_t *data, uint8_t *ret_data)
{
	const uint16_t *width = sa_component_widths(attr_id);
	unsigned int bit = 0;

	memset(ret_data, 0, SA_DATA_SIZE);
	for (; *width; width++, mask >>= 1) {
		if (mask & 1)
			copy_bits(data, ret_data, bit, *width);
		bit += *width;
	}
	if (mask)
		copy_bits(data, ret_data, bit, SA_DATA_SIZE * 8 - bit);
}
