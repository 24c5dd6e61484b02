/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * near-handle.c: see harness/bridge/near-handle.h.
 */
#include "config.h"

#include "harness/bridge/near-handle.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"
#include "sim/process/process-loop.h"

struct near_handle *near_handle_new(uint32_t id, uint32_t opener, int *ret_fd)
{
	struct near_handle *handle;
	uint64_t token;
	int ends[2];
	int ret = letter_sockets(ends, &token);

	if (ret < 0) {
		*ret_fd = ret;
		return NULL;
	}
	handle = g_new0(struct near_handle, 1);
	handle->id = id;
	handle->opener = opener;
	handle->fd = ends[0];
	handle->token = token;
	*ret_fd = ends[1];
	return handle;
}

void near_handle_free(void *data)
{
	struct near_handle *handle = data;

	loop_remove(handle->hears);
	close(handle->fd);
	letter_queue_clear(&handle->letters);
	g_free(handle);
}

void near_handle_flush(struct near_handle *handle)
{
	if (letter_queue_flush(&handle->letters, handle->fd) == 0 && handle->is_ended)
		shutdown(handle->fd, SHUT_WR);
}

int near_handle_deliver(struct near_handle *handle, const uint8_t *bytes, size_t size,
			bool is_large)
{
	int memfd = is_large ? bridge_memfd(bytes, size) : -1;
	struct attach_record record;

	if (is_large && memfd < 0)
		return memfd;
	letter_fill(&record, handle->token, bytes, size, is_large);
	letter_queue_put(&handle->letters, &record, memfd);
	near_handle_flush(handle);
	return 0;
}

int near_handle_put_back(struct near_handle *handle, const struct attach_call *call,
			 const uint8_t *bytes, size_t size, int memfd)
{
	g_autofree uint8_t *head = NULL;
	struct attach_record record;
	int copy = -1;

	if (memfd >= 0) {
		head = call->argument > ATTACH_HEAD_SIZE ?
			       bridge_memfd_read(memfd, ATTACH_HEAD_SIZE) : NULL;
		copy = head ? fcntl(memfd, F_DUPFD_CLOEXEC, 0) : -1;
		if (copy < 0)
			return head ? -errno : -EPROTO;
		bytes = head;
		size = ATTACH_HEAD_SIZE;
	}
	if (size == 0 || size > ATTACH_HEAD_SIZE)
		return -EPROTO;
	letter_fill(&record, handle->token, bytes, size, copy >= 0);
	letter_queue_put_first(&handle->letters, &record, copy);
	near_handle_flush(handle);
	return 0;
}

void near_handle_end(struct near_handle *handle)
{
	handle->is_ended = true;
	near_handle_flush(handle);
}
