/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Received messages on their way to their readers: see sim/server/letter-queue.h.
 */
#include "config.h"

#include "sim/server/letter-queue.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/handle-name.h"
#include "lib/base/handle-token.h"
#include "lib/base/invariant.h"
#include "lib/base/socket-message.h"

struct letter {
	struct letter *next;
	int memfd;			/* the whole message, if large; -1: it is in 'record' */
	struct attach_record record;
};

/* ---- sockets ---- */

int letter_sockets(int ret_ends[2], uint64_t *ret_token)
{
	uint64_t number;	/* of the name, which anybody can read */
	int ends[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	ret = handle_token_random(&number);
	if (ret == 0)
		ret = handle_token_set(ends[1], ret_token);
	if (ret < 0) {
		close(ends[0]);
		close(ends[1]);
		return ret;
	}
	handle_name_set(ends[1], number);
	memcpy(ret_ends, ends, sizeof(ends));
	return 0;
}

void letter_fill(struct attach_record *record, uint64_t token, const uint8_t *bytes, size_t size,
		 bool is_large)
{
	*record = (struct attach_record) {
		.handle = token,
		.size = (uint32_t)MIN(size, sizeof(record->bytes)),
		.is_large = is_large,
	};
	memcpy(record->bytes, bytes, record->size);
}

int letter_write(int socket, const struct attach_record *records, size_t count, int memfd)
{
	const struct iovec part = { .iov_base = (void *)records, .iov_len = sizeof(*records) };

	if (memfd >= 0)
		return socket_message_send(socket, &part, 1, memfd, MSG_DONTWAIT);
	return send(socket, records, count * sizeof(*records), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ?
		       -errno : 0;
}

/* ---- the queue ---- */

static struct letter *new_letter(const struct attach_record *record, int memfd)
{
	struct letter *letter = g_new(struct letter, 1);

	letter->record = *record;
	letter->memfd = memfd;
	letter->next = NULL;
	return letter;
}

void letter_queue_put(struct letter_queue *queue, const struct attach_record *record, int memfd)
{
	struct letter *letter = new_letter(record, memfd);

	if (queue->last)
		queue->last->next = letter;
	else
		queue->first = letter;
	queue->last = letter;
	queue->count++;
}

void letter_queue_put_first(struct letter_queue *queue, const struct attach_record *record,
			    int memfd)
{
	struct letter *letter = new_letter(record, memfd);

	letter->next = queue->first;
	queue->first = letter;
	if (!queue->last)
		queue->last = letter;
	queue->count++;
}

/* Takes out the first one, which must exist: free it with g_free(). */
static struct letter *unlink_first(struct letter_queue *queue)
{
	struct letter *letter = queue->first;

	queue->first = letter->next;
	if (!queue->first)
		queue->last = NULL;
	queue->count--;
	return letter;
}

static void drop_first(struct letter_queue *queue)
{
	struct letter *letter = unlink_first(queue);

	if (letter->memfd >= 0)
		close(letter->memfd);
	g_free(letter);
}

bool letter_queue_take(struct letter_queue *queue, struct attach_record *ret_record,
		       int *ret_memfd)
{
	struct letter *letter;

	if (!queue->first)
		return false;
	letter = unlink_first(queue);
	*ret_record = letter->record;
	*ret_memfd = letter->memfd;
	g_free(letter);
	return true;
}

int letter_queue_flush(struct letter_queue *queue, int socket)
{
	while (queue->first) {
		if (letter_write(socket, &queue->first->record, 1, queue->first->memfd) == -EAGAIN)
			return -EAGAIN;
		drop_first(queue);
	}
	return 0;
}

void letter_queue_clear(struct letter_queue *queue)
{
	while (queue->first)
		drop_first(queue);
}

const char *letter_queue_check(const struct letter_queue *queue)
{
	const struct letter *last = NULL;
	unsigned int count = 0;

	for (const struct letter *letter = queue->first; letter; letter = letter->next) {
		MUST(count++ < queue->count, "letter queue: it counts its letters");
		MUST(letter->record.size <= sizeof(letter->record.bytes),
		     "letter queue: a record has room for its bytes");
		MUST((letter->memfd >= 0) == (letter->record.is_large != 0),
		     "letter queue: a large message, and no other, is in memory of its own");
		last = letter;
	}
	MUST(count == queue->count, "letter queue: it counts its letters");
	MUST(last == queue->last, "letter queue: 'first' leads to 'last'");
	return NULL;
}
