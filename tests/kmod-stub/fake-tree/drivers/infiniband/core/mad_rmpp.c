/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How many segments a message would have: arithmetic, and a bitmap to count in.
 */
#include <linux/slab.h>

#include <rdma/ib_mad.h>

unsigned int fake_segments(size_t size)
{
	DECLARE_BITMAP(seen, 128) = { 0 };
	unsigned int count = 0, bit;

	for (bit = 0; bit < min_t(size_t, DIV_ROUND_UP(size, FAKE_MAD_SIZE), 128); bit++)
		seen[bit / BITS_PER_LONG] |= BIT(bit % BITS_PER_LONG);
	for_each_set_bit(bit, seen, 128)
		count++;
	return count;
}
