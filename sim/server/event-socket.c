/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Netlink sockets of uevents: see sim/server/event-socket.h.
 */
#include "config.h"

#include "sim/server/event-socket.h"

#include <errno.h>
#include <linux/netlink.h>

#include "lib/base/handle-name.h"
#include "lib/base/kernel-ring.h"
#include "sim/server/sysfs-view.h"

enum {
	ROOM = 212992,			/* Linux: net.core.rmem_default */
	ROOM_MIN = 2304,		/* SOCK_MIN_RCVBUF */
	ROOM_MAX = 1 << 28,
	LETTERS_MAX = 2 * KERNEL_RING_SLOTS,	/* some megabytes, whatever the room is */
	/* Linux 6.1: struct sk_buff, struct skb_shared_info, and the least that is allocated */
	BUFFER_HEAD = 256, BUFFER_INFO = 320, BUFFER_MIN = 512,
	SECOND_NUMBER = -4097,		/* the first that netlink_autobind() tries then */
};

/* ---- what comes ---- */

/* What a message takes of a receive buffer: the kernel allocates powers of two (truesize). */
static uint32_t cost_of(size_t size)
{
	uint32_t block = BUFFER_MIN;

	while (block < size + BUFFER_INFO)
		block *= 2;
	return BUFFER_HEAD + block;
}

/* Linux: netlink_overrun(). */
static void lose(struct event_socket *socket)
{
	if (socket->options & 1U << NETLINK_NO_ENOBUFS || socket->is_congested)
		return;
	socket->is_congested = true;
	socket->has_lost = true;
}

static void deliver(struct event_socket *socket, GBytes *record, bool is_udev, const char *bytes,
		    size_t size)
{
	struct event_letter letter = { .is_udev = is_udev, .cost = cost_of(size) };

	/* Linux: what has no number of its own hears nothing from the kernel, whose number is 0. */
	if (!(socket->groups & (is_udev ? EVENT_GROUP_UDEV : EVENT_GROUP_KERNEL)) ||
	    (!is_udev && socket->number == 0))
		return;
	letter.size = (uint32_t)event_filter_pass(&socket->filter, &socket->sockets->sieve, bytes,
						  size);
	if (letter.size == 0)
		return;
	if (socket->used > socket->room || socket->is_congested ||
	    socket->letters->len >= LETTERS_MAX) {
		lose(socket);
		return;
	}
	letter.record = g_bytes_ref(record);
	g_array_append_val(socket->letters, letter);
	socket->used += letter.cost;
}

static bool split(GBytes *record, struct kernel_event *ret)
{
	gsize size = 0;
	const void *bytes = record ? g_bytes_get_data(record, &size) : NULL;

	return bytes && kernel_event_split(bytes, size, ret);
}

static void look(struct event_socket *socket, const struct sysfs_view *view)
{
	uint64_t count = sysfs_view_event_count(view);
	struct kernel_event event;

	for (; socket->seen < count; socket->seen++) {
		GBytes *record = sysfs_view_event(view, socket->seen);

		if (!split(record, &event)) {
			lose(socket);
			continue;
		}
		deliver(socket, record, false, event.kernel, event.kernel_size);
		deliver(socket, record, true, event.udev, event.udev_size);
	}
}

static bool is_ready(const struct event_socket *socket)
{
	return socket->letters->len > 0 || socket->has_lost;
}

bool event_socket_is_at_end(const struct event_socket *socket)
{
	return !is_ready(socket) && ready_socket_has_byte(&socket->ready);
}

void event_sockets_look(struct event_sockets *sockets)
{
	for (guint i = 0; i < sockets->all->len; i++) {
		struct event_socket *socket = sockets->all->pdata[i];
		const struct sysfs_view *view = sysfs_views_find(sockets->views, socket->host);

		if (view)
			look(socket, view);
		if (is_ready(socket))
			ready_socket_tell(&socket->ready, sockets->lockstep);
	}
}

/* ---- receiving ---- */

/* Linux: netlink_rcv_wake(), at the end of each recvmsg(2). */
static void wake(struct event_socket *socket)
{
	if (socket->letters->len == 0)
		socket->is_congested = false;
}

int event_socket_take_error(struct event_socket *socket)
{
	int ret = socket->has_lost ? ENOBUFS : 0;

	socket->has_lost = false;
	return ret;
}

void event_socket_forget_losses(struct event_socket *socket)
{
	socket->is_congested = false;
}

static void clear_letter(void *letter)
{
	g_bytes_unref(((struct event_letter *)letter)->record);
}

static void drop_first(struct event_socket *socket)
{
	socket->used -= g_array_index(socket->letters, struct event_letter, 0).cost;
	g_array_remove_index(socket->letters, 0);
}

static int take(struct event_socket *socket, bool stays, GByteArray *bytes, bool *ret_is_udev)
{
	const struct event_letter *letter;
	struct kernel_event event;

	if (event_socket_take_error(socket))
		return -ENOBUFS;
	if (socket->letters->len == 0)
		return -EAGAIN;
	letter = &g_array_index(socket->letters, struct event_letter, 0);
	if (!split(letter->record, &event))
		return -EAGAIN;		/* which deliver() has seen to */
	g_byte_array_append(bytes, (const guint8 *)(letter->is_udev ? event.udev : event.kernel),
			    letter->size);
	*ret_is_udev = letter->is_udev;
	if (!stays)
		drop_first(socket);
	return 0;
}

int event_socket_receive(struct event_socket *socket, bool stays, GByteArray *bytes,
			 bool *ret_is_udev)
{
	int ret = take(socket, stays, bytes, ret_is_udev);

	wake(socket);
	return ret;
}

/* Linux: twice as much as is asked for. */
void event_socket_set_room(struct event_socket *socket, uint32_t asked)
{
	socket->room = MAX(MIN(asked, ROOM_MAX / 2) * 2, ROOM_MIN);
}

/* ---- names ---- */

static bool is_taken(const struct event_sockets *sockets, const struct umadrig_host *host,
		     uint32_t number)
{
	for (guint i = 0; i < sockets->all->len; i++) {
		const struct event_socket *socket = sockets->all->pdata[i];

		if (socket->host == host && socket->is_bound && socket->number == number)
			return true;
	}
	return false;
}

/* Linux: netlink_insert() and netlink_autobind(). 0 or -EADDRINUSE. */
static int give_number(struct event_socket *socket, uint32_t process, uint32_t number)
{
	const struct event_sockets *sockets = socket->sockets;
	uint32_t next = (uint32_t)SECOND_NUMBER;

	if (number && is_taken(sockets, socket->host, number))
		return -EADDRINUSE;
	if (!number && !is_taken(sockets, socket->host, process))
		number = process;
	while (!number) {
		if (!is_taken(sockets, socket->host, next))
			number = next;
		next--;
	}
	socket->number = number;
	socket->is_bound = true;
	return 0;
}

int event_socket_bind(struct event_socket *socket, uint32_t process, uint32_t number,
		      uint32_t groups)
{
	int ret = 0;

	if (!socket->is_bound)
		ret = give_number(socket, process, number);
	else if (number != socket->number)
		ret = -EINVAL;
	if (ret < 0)
		return ret;
	socket->groups = groups;
	socket->has_groups |= groups != 0;
	return 0;
}

int event_socket_connect(struct event_socket *socket, uint32_t process, uint32_t number,
			 uint32_t groups)
{
	int ret = socket->is_bound ? 0 : give_number(socket, process, 0);

	if (ret < 0)
		return ret;
	/* Linux: of the groups the first counts. */
	socket->peer_number = number;
	socket->peer_groups = groups & -groups;
	return 0;
}

/* ---- opening and closing ---- */

int event_socket_open(struct event_sockets *sockets, struct umadrig_host *host,
		      struct server_account *account, uint32_t type, int *ret_fd)
{
	struct event_socket *socket;
	struct sysfs_view *view;
	const char *path;
	int ret;

	/* It stays, and goes on counting its uevents, when nobody listens. */
	ret = sysfs_views_get(sockets->views, host, true, &path);
	if (ret < 0)
		return ret;
	socket = g_new0(struct event_socket, 1);
	ret = ready_socket_open(&socket->ready, WATCH_EVENT, sockets->watches, account,
				uevent_name_set, ret_fd);
	if (ret < 0) {
		g_free(socket);
		return ret;
	}
	view = sysfs_views_find(sockets->views, host);
	sysfs_view_keep_events(view);
	socket->sockets = sockets;
	socket->host = host;
	socket->cookie = ++sockets->opened;
	socket->type = type;
	socket->seen = sysfs_view_event_count(view);
	socket->room = ROOM;
	socket->letters = g_array_new(false, false, sizeof(struct event_letter));
	g_array_set_clear_func(socket->letters, clear_letter);
	g_ptr_array_add(sockets->all, socket);
	return 0;
}

void event_socket_close(struct event_socket *socket)
{
	ready_socket_close(&socket->ready);
	g_ptr_array_remove(socket->sockets->all, socket);
	event_filter_clear(&socket->filter);
	g_array_unref(socket->letters);
	g_free(socket);
}

struct event_socket *event_socket_find(const struct event_sockets *sockets, uint64_t token)
{
	for (guint i = 0; i < sockets->all->len; i++) {
		struct event_socket *socket = sockets->all->pdata[i];

		if (socket->ready.token == token)
			return socket;
	}
	return NULL;
}

void event_sockets_init(struct event_sockets *sockets, struct watch_set *watches,
			struct sysfs_views *views)
{
	*sockets = (struct event_sockets){
		.watches = watches, .views = views, .all = g_ptr_array_new(),
	};
	event_sieve_init(&sockets->sieve);
}

void event_sockets_clear(struct event_sockets *sockets)
{
	while (sockets->all->len > 0)
		event_socket_close(sockets->all->pdata[sockets->all->len - 1]);
	g_ptr_array_unref(sockets->all);
	event_sieve_clear(&sockets->sieve);
}
