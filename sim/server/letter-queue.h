/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Letters: received messages on their way into a handle's socket, as struct attach_record of
 * lib/attach/protocol.h. Whole records are written, as many as the socket takes; the rest waits in
 * a queue, and what a reader puts back goes to its head. Nothing here blocks or knows of fabrics:
 * the server and the near end of a bridge both use it.
 */
#ifndef UMADRIG_SIM_SERVER_LETTER_QUEUE_H
#define UMADRIG_SIM_SERVER_LETTER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/attach/protocol.h"

struct letter;

/* Zeros: empty. */
struct letter_queue {
	struct letter *first, *last;
	unsigned int count;
};

/*
 * Makes the two ends of a handle: 'ret_ends[0]' is the server's, 'ret_ends[1]' the program's, whose
 * token is '*ret_token'. 0 or -errno.
 */
int letter_sockets(int ret_ends[2], uint64_t *ret_token);

/*
 * Fills in the record of a message of 'size' bytes for the handle of 'token': all of it, or with
 * 'is_large' its first ATTACH_HEAD_SIZE bytes (a memfd then holds the whole).
 */
void letter_fill(struct attach_record *record, uint64_t token, const uint8_t *bytes, size_t size,
		 bool is_large);

/* Writes whole records, all or none; 'memfd' (-1: none) goes with a single one. 0 or -errno. */
int letter_write(int socket, const struct attach_record *records, size_t count, int memfd);

/* Appends a record, or puts it first. Takes over 'memfd' (-1: none). */
void letter_queue_put(struct letter_queue *queue, const struct attach_record *record, int memfd);
void letter_queue_put_first(struct letter_queue *queue, const struct attach_record *record,
			    int memfd);
/* Takes the first one out, and its memfd (the caller's now; -1: none). False: it is empty. */
bool letter_queue_take(struct letter_queue *queue, struct attach_record *ret_record,
		       int *ret_memfd);
/*
 * Writes until the socket is full (-EAGAIN) or nothing is left (0). If there is no reader any more,
 * the rest is dropped: epoll or poll will report that.
 */
int letter_queue_flush(struct letter_queue *queue, int socket);
/* Its invariants: lib/base/invariant.h. */
const char *letter_queue_check(const struct letter_queue *queue);
/* Drops what is left. */
void letter_queue_clear(struct letter_queue *queue);

#endif
