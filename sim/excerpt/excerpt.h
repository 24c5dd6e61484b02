/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Excerpts: some frames of a capture, byte by byte as they are, in a file of the same format.
 */
#ifndef UMADRIG_SIM_EXCERPT_EXCERPT_H
#define UMADRIG_SIM_EXCERPT_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Is the frame with this number, from 1, part of the excerpt? */
typedef bool excerpt_keep_fn(void *ctx, unsigned int frame);

/*
 * Writes the excerpt of the capture 'in' ("-": standard input; compressed or not) to 'out', as
 * sim/scrub/scrub.h has it: '*ret_written' frames. What is no frame, such as the interfaces of
 * pcapng, is in every excerpt. 0, or -errno with a message; there is no 'out' then. Where 'in' is
 * damaged, what is before is written, and 'reterr' says so with 0.
 */
int excerpt_write(const char *in, const char *out, excerpt_keep_fn *keep, void *ctx,
		  size_t *ret_written, char *reterr, size_t reterr_size);

/* The same from memory. False: 'data' is damaged; what is before is written. */
bool excerpt_bytes(const uint8_t *data, size_t size, FILE *to, excerpt_keep_fn *keep, void *ctx,
		   size_t *ret_written);

#endif
