/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Large messages on their way to their readers: see sim/server/large-letter.h.
 */
#include "config.h"

#include "sim/server/large-letter.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	SLICE_SIZE = 1 << 20,	/* well below a millisecond's work */
	PIECE_SIZE = 64 << 10,
};

int large_letter_begin(struct large_letter *letter, struct kmod_file *file)
{
	int ret = 0;

	*letter = (struct large_letter){ .message = kmod_file_take(file), .memfd = -1 };
	if (!letter->message)
		return -ENOMEM;
	letter->memfd = memfd_create("umadrig", MFD_CLOEXEC);
	if (letter->memfd < 0)
		ret = -errno;
	if (ret < 0)
		large_letter_clear(letter);
	return ret;
}

void large_letter_clear(struct large_letter *letter)
{
	kmod_message_free(letter->message);
	if (letter->message && letter->memfd >= 0)
		close(letter->memfd);
	*letter = (struct large_letter){ .memfd = -1 };
}

static int put(int memfd, const uint8_t *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(memfd, bytes, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int large_letter_go_on(struct large_letter *letter, int *ret_memfd)
{
	uint8_t piece[PIECE_SIZE];
	size_t size = sizeof(piece);
	int ret = 0;

	for (size_t done = 0; done < SLICE_SIZE && size == sizeof(piece) && ret == 0;
	     done += size) {
		size = kmod_message_read(letter->message, piece, sizeof(piece));
		ret = put(letter->memfd, piece, size);
	}
	if (ret == 0 && size == sizeof(piece))
		return 1;
	if (ret == 0) {
		*ret_memfd = letter->memfd;
		letter->memfd = -1;
	}
	large_letter_clear(letter);
	return ret;
}
