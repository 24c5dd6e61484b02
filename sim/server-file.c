/*
 * The handles of a server: see server-parts.h.
 *
 * A handle is a socket pair. What the file has to be read is read here and written into our end, as
 * long as that takes it; the rest stays in the file's own queue.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device.h"
#include "server-parts.h"

enum { USER_LENGTH = 16 };	/* offset in struct ib_user_mad: bytes of header and MAD */

/* ---- messages ---- */

static void message_free(struct server_message *message)
{
	if (message->memfd >= 0)
		close(message->memfd);
	g_free(message);
}

/* The whole of a message too large for a socket, read into a memfd. -EAGAIN: it is lost. */
static int read_large(struct kmod_file *file, struct server_message *message)
{
	uint32_t size;
	long n = -ENOMEM;
	uint8_t *bytes;
	int fd;

	memcpy(&size, message->bytes + USER_LENGTH, sizeof(size));
	bytes = g_malloc(size);
	n = kmod_file_read(file, bytes, size);
	fd = n > 0 ? memfd_create("umad", MFD_CLOEXEC) : -1;
	if (fd < 0 || write(fd, bytes, (size_t)n) != n) {
		fprintf(stderr, "umadrig: a MAD of %u bytes is lost: %s\n", size,
			g_strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	g_free(bytes);
	message->memfd = fd;
	message->size = ATTACH_HEAD_SIZE;
	return fd < 0 ? -EAGAIN : 0;
}

/* The next message of the file: 0, -EAGAIN: none, -EIO: the device is gone. */
static int read_message(struct kmod_file *file, struct server_message *ret_message)
{
	for (;;) {
		long n = kmod_file_read(file, ret_message->bytes, sizeof(ret_message->bytes));

		ret_message->memfd = -1;
		ret_message->size = n > 0 ? (uint32_t)n : 0;
		if (n > 0)
			return 0;
		if (n != -ENOSPC)
			return (int)n;
		if (read_large(file, ret_message) == 0)
			return 0;
	}
}

static int write_message(int socket, const struct server_message *message)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec part = { .iov_base = (void *)message->bytes, .iov_len = message->size };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

	if (message->memfd >= 0) {
		header.msg_control = control.bytes;
		header.msg_controllen = sizeof(control.bytes);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &message->memfd, sizeof(int));
	}
	return sendmsg(socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* ---- flow ---- */

static void block(struct server_file *file, bool is_blocked)
{
	if (file->is_blocked == is_blocked)
		return;
	file->is_blocked = is_blocked;
	server_watch_for(file->server, &file->watch, EPOLLIN | (is_blocked ? EPOLLOUT : 0U));
}

/* The device is gone: readers find the end behind what they have not read. */
static void end_file(struct server_file *file)
{
	if (!file->is_ended)
		shutdown(file->watch.fd, SHUT_WR);
	file->is_ended = true;
}

static void wait_for_room(struct server_file *file, const struct server_message *message)
{
	struct server_message *copy = g_new(struct server_message, 1);

	*copy = *message;
	copy->next = file->waiting;
	file->waiting = copy;
}

/* Writes until the socket is full or nothing is left. */
static void flush_file(struct server_file *file)
{
	struct server_message next;
	int ret;

	for (;;) {
		struct server_message *message = file->waiting;

		if (!message) {
			ret = read_message(file->handle.file, &next);
			if (ret == -EIO)
				end_file(file);
			if (ret < 0)
				break;
			message = &next;
		}
		ret = write_message(file->watch.fd, message);
		if (ret == -EAGAIN) {
			if (message == &next)
				wait_for_room(file, message);
			block(file, true);
			return;
		}
		/* Any other error: nobody is there to read it, and epoll says so next. */
		if (message == &next) {
			if (next.memfd >= 0)
				close(next.memfd);
		} else {
			file->waiting = message->next;
			message_free(message);
		}
	}
	block(file, false);
}

static struct server_file *file_of(struct handle *handle)
{
	return container_of(handle, struct server_file, handle);
}

static void settle(struct handle *handle)
{
	struct server_file *file = file_of(handle);

	if (!file->is_blocked && !file->is_ended)
		flush_file(file);
}

void server_file_put_back(struct server_file *file, const uint8_t *bytes, size_t size, int memfd)
{
	struct server_message message = { .memfd = memfd, .size = (uint32_t)size };

	g_assert(size <= sizeof(message.bytes));
	memcpy(message.bytes, bytes, size);
	wait_for_room(file, &message);
	if (!file->is_blocked && !file->is_ended)
		flush_file(file);
}

/* ---- opening and closing ---- */

static int cookie_of(int socket, uint64_t *ret_cookie)
{
	socklen_t size = sizeof(*ret_cookie);

	return getsockopt(socket, SOL_SOCKET, SO_COOKIE, ret_cookie, &size) < 0 ? -errno : 0;
}

static void list_file(struct server *server, struct server_file *file)
{
	file->next = server->first_file;
	file->link = &server->first_file;
	if (file->next)
		file->next->link = &file->next;
	server->first_file = file;
	server->file_count++;
	g_hash_table_insert(server->files, &file->cookie, file);
}

static void unlist_file(struct server *server, struct server_file *file)
{
	*file->link = file->next;
	if (file->next)
		file->next->link = file->link;
	server->file_count--;
	g_hash_table_remove(server->files, &file->cookie);
}

int server_file_open(struct server *server, struct end_port *end,
		     const struct server_client *client, int *ret_fd)
{
	struct kmod_port *port = end_port_kmod(end);
	struct server_file *file = g_new0(struct server_file, 1);
	int ends[2] = { -1, -1 };
	int ret = port ? 0 : -ENXIO;

	if (ret == 0 &&
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
		ret = -errno;
	if (ret == 0)
		ret = cookie_of(ends[1], &file->cookie);
	if (ret == 0)
		ret = kmod_file_open(port, &file->handle, &file->handle.file);
	file->server = server;
	file->watch = (struct watch){ .kind = WATCH_FILE, .fd = ends[0] };
	file->opener = client->serial;
	file->handle.fd = ends[0];
	file->handle.fabric = server->fabric;
	file->handle.settle = settle;
	if (ret == 0)
		ret = server_watch(server, &file->watch, EPOLLIN);
	if (ret < 0) {
		kmod_file_close(file->handle.file);
		for (int i = 0; i < 2; i++) {
			if (ends[i] >= 0)
				close(ends[i]);
		}
		g_free(file);
		return ret;
	}
	device_file_enable_pkey(file->handle.file);
	list_file(server, file);
	*ret_fd = ends[1];
	return 0;
}

struct server_file *server_file_find(const struct server *server, uint64_t cookie)
{
	return g_hash_table_lookup(server->files, &cookie);
}

void server_file_close(struct server *server, struct server_file *file)
{
	unlist_file(server, file);
	handle_forget(&file->handle);
	kmod_file_close(file->handle.file);
	server_unwatch(server, &file->watch);
	while (file->waiting) {
		struct server_message *message = file->waiting;

		file->waiting = message->next;
		message_free(message);
	}
	g_free(file);
}

void server_file_event(struct server *server, struct server_file *file, uint32_t events)
{
	if (events & (EPOLLHUP | EPOLLERR)) {
		server_file_close(server, file);
	} else if (events & EPOLLIN) {
		fprintf(stderr, "umadrig: a program has written to a umad handle by itself, not by "
			"umad_send(): a simulated one cannot be used so, and is closed\n");
		server_file_close(server, file);
	} else if (events & EPOLLOUT) {
		flush_file(file);
	}
}
