/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Watched descriptors: see sim/server/watch.h.
 */
#include "config.h"

#include "sim/server/watch.h"

#include <errno.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/server/closer.h"

int watch_set_init(struct watch_set *set)
{
	int ret;

	*set = (struct watch_set) {
		.closer = closer_new(),
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.stop = { WATCH_STOP, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) },
	};
	ret = set->epoll < 0 || set->stop.fd < 0 ? -errno : watch_add(set, &set->stop, EPOLLIN);
	if (ret < 0)
		watch_set_clear(set);
	return ret;
}

void watch_set_clear(struct watch_set *set)
{
	if (set->stop.fd >= 0)
		close(set->stop.fd);
	if (set->epoll >= 0)
		close(set->epoll);
	set->stop.fd = set->epoll = -1;
	closer_free(set->closer);
	set->closer = NULL;
}

void watch_set_stop(const struct watch_set *set)
{
	uint64_t one = 1;
	ssize_t ret = write(set->stop.fd, &one, sizeof(one));

	(void)ret;	/* fails only if it is readable already */
}

int watch_add(struct watch_set *set, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	if (epoll_ctl(set->epoll, EPOLL_CTL_ADD, watch->fd, &event) < 0)
		return -errno;
	set->count++;
	return 0;
}

int watch_change(struct watch_set *set, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(set->epoll, EPOLL_CTL_MOD, watch->fd, &event) < 0 ? -errno : 0;
}

void watch_remove(struct watch_set *set, struct watch *watch)
{
	if (epoll_ctl(set->epoll, EPOLL_CTL_DEL, watch->fd, NULL) == 0)
		set->count--;
}

void watch_close(struct watch_set *set, struct watch *watch)
{
	/*
	 * A descriptor of which other processes have copies would stay watched, so closing is not
	 * enough.
	 */
	watch_remove(set, watch);
	close(watch->fd);
	watch->fd = -1;
	set->closed_count++;
}

void watch_close_socket(struct watch_set *set, struct watch *watch)
{
	watch_remove(set, watch);
	shutdown(watch->fd, SHUT_RDWR);
	closer_close(set->closer, watch->fd);
	watch->fd = -1;
	set->closed_count++;
}
