/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters of sockets: see sim/server/event-filter.h.
 */
#include "config.h"

#include "sim/server/event-filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/backend.h"

void event_sieve_init(struct event_sieve *sieve)
{
	*sieve = (struct event_sieve){ -1, -1 };
}

void event_sieve_clear(struct event_sieve *sieve)
{
	if (sieve->in >= 0) {
		close(sieve->in);
		close(sieve->out);
	}
	event_sieve_init(sieve);
}

/* 0 or -errno. */
static int open_sieve(struct event_sieve *sieve)
{
	int ends[2];

	if (sieve->in >= 0)
		return 0;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	*sieve = (struct event_sieve){ .in = ends[0], .out = ends[1] };
	return 0;
}

/* The kernel takes the one that was there before away. 0 or -errno. */
static int put_in(const struct event_sieve *sieve, const void *code, size_t size)
{
	const struct sock_fprog program = {
		.len = (unsigned short)(size / sizeof(struct sock_filter)),
		.filter = (struct sock_filter *)code,
	};

	return setsockopt(sieve->out, SOL_SOCKET, SO_ATTACH_FILTER, &program,
			  sizeof(program)) < 0 ? -errno : 0;
}

int event_filter_attach(struct event_filter *filter, struct event_sieve *sieve, const void *code,
			size_t size)
{
	int ret = filter->is_locked ? -EPERM : open_sieve(sieve);

	if (ret == 0 && (size == 0 || size % sizeof(struct sock_filter) != 0))
		ret = -EINVAL;
	if (ret == 0)
		ret = put_in(sieve, code, size);
	if (ret < 0)
		return ret;
	g_clear_pointer(&filter->code, g_bytes_unref);
	filter->code = g_bytes_new(code, size);
	return 0;
}

int event_filter_detach(struct event_filter *filter)
{
	if (filter->is_locked)
		return -EPERM;
	if (!filter->code)
		return -ENOENT;
	g_clear_pointer(&filter->code, g_bytes_unref);
	return 0;
}

int event_filter_lock(struct event_filter *filter, bool is_locked)
{
	if (filter->is_locked && !is_locked)
		return -EPERM;
	filter->is_locked = is_locked;
	return 0;
}

void event_filter_clear(struct event_filter *filter)
{
	g_clear_pointer(&filter->code, g_bytes_unref);
}

size_t event_filter_pass(const struct event_filter *filter, const struct event_sieve *sieve,
			 const void *message, size_t size)
{
	char bytes[UMAD_BACKEND_UEVENT_MAX];
	gsize code_size;
	const void *code;
	ssize_t n;

	if (!filter->code)
		return size;
	code = g_bytes_get_data(filter->code, &code_size);
	if (put_in(sieve, code, code_size) < 0 ||
	    send(sieve->in, message, size, MSG_NOSIGNAL) < 0)
		return 0;
	n = recv(sieve->out, bytes, sizeof(bytes), 0);
	return n > 0 ? (size_t)n : 0;
}
