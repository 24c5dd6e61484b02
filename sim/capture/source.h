/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the bytes of a capture come from: a file, standard input, a pipe that still grows, or
 * memory; as they are, or compressed by gzip or zstd, as their first bytes show.
 *
 * What has been read and not yet taken is in one buffer, so memory does not grow with the file.
 */
#ifndef UMADRIG_SIM_CAPTURE_SOURCE_H
#define UMADRIG_SIM_CAPTURE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture_source;

/* Called before a read that may have to wait for another process to write. */
typedef void capture_wait_fn(void *ctx);

/*
 * Opens 'path', "-" for standard input. NULL with a message if it cannot be opened, or is
 * compressed in a way that is not read here; the message names the cure.
 */
struct capture_source *capture_source_open(const char *path, char *reterr, size_t reterr_size);
/* The same from memory, which must outlive it; 'name' is its name in messages. */
struct capture_source *capture_source_memory(const uint8_t *data, size_t size, const char *name,
					     char *reterr, size_t reterr_size);
/*
 * Of a compressed source at most so many bytes are unpacked (0: any number); what follows is a
 * failure, and capture_source_is_too_large() is true then.
 */
void capture_source_limit(struct capture_source *source, uint64_t size_max);
bool capture_source_is_too_large(const struct capture_source *source);

/* The source ends after so many further bytes, even if the file has more: they are a part of it. */
void capture_source_end_after(struct capture_source *source, uint64_t size);

/* NULL is allowed. */
void capture_source_free(struct capture_source *source);

/* 'fn' may be NULL. Nothing is called for regular files and memory. */
void capture_source_on_wait(struct capture_source *source, capture_wait_fn *fn, void *ctx);

/*
 * The next bytes, at least 'want' of them unless the source ends before; '*ret_size' becomes their
 * number. They are valid until the next call, and are returned again until they are taken. Waits
 * for 'want' bytes and no longer.
 */
const uint8_t *capture_source_peek(struct capture_source *source, size_t want, size_t *ret_size);

/* Has everything been taken, and is there no more? May wait. */
bool capture_source_ended(struct capture_source *source);

/* Takes 'size' of the bytes that were peeked at. */
void capture_source_take(struct capture_source *source, size_t size);

/* Takes 'size' bytes without looking at them. False: the source ends before. */
bool capture_source_skip(struct capture_source *source, uint64_t size);

/* Is it gzip or zstd? */
bool capture_source_is_compressed(const struct capture_source *source);

/* How many bytes have been taken, after they were decompressed. */
uint64_t capture_source_at(const struct capture_source *source);

/* Why the source ended early, as text: an error, or truncated compressed data; else NULL. */
const char *capture_source_failure(const struct capture_source *source);

#endif
