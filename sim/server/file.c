/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The handles of a server: see sim/server/parts.h.
 *
 * A handle is a socket pair. What the file has to be read is read here and written into our end, as
 * long as that takes it; the rest stays in the file's own queue.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/api/device.h"
#include "sim/server/parts.h"

enum { USER_LENGTH = 16 };	/* offset in struct ib_user_mad: bytes of header and MAD */

/* ---- messages ---- */

/* The whole of a message too large for a socket, read into a memfd. -EAGAIN: it is lost. */
static int read_large(struct kmod_file *file, struct attach_record *record, int *ret_memfd)
{
	uint32_t size;
	long n = -ENOMEM;
	uint8_t *bytes;
	int fd;

	memcpy(&size, record->bytes + USER_LENGTH, sizeof(size));
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
	record->size = ATTACH_HEAD_SIZE;
	record->is_large = 1;
	*ret_memfd = fd;
	return fd < 0 ? -EAGAIN : 0;
}

/* The next message of the file: 0, -EAGAIN: none, -EIO: the device is gone. */
static int read_record(struct kmod_file *file, struct attach_record *record, int *ret_memfd)
{
	for (;;) {
		long n = kmod_file_read(file, record->bytes, sizeof(record->bytes));

		*ret_memfd = -1;
		record->size = n > 0 ? (uint32_t)n : 0;
		record->is_large = 0;
		if (n > 0)
			return 0;
		if (n != -ENOSPC)
			return (int)n;
		if (read_large(file, record, ret_memfd) == 0)
			return 0;
	}
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
	server_page_written(file);
}

/* The next record, of those that wait or of the file: as read_record(). */
static int next_record(struct server_file *file, struct attach_record *record, int *ret_memfd)
{
	if (letter_queue_take(&file->waiting, record, ret_memfd))
		return 0;
	return read_record(file->handle.file, record, ret_memfd);
}

/*
 * What goes in one system call: plain ones, or one with its memfd. Their number; '*ret_rest' is 0
 * where there may be more, else as of read_record().
 */
static unsigned int gather(struct server_file *file, struct attach_record *records, int *ret_memfd,
			   int *ret_rest)
{
	unsigned int count = 0;

	*ret_memfd = -1;
	*ret_rest = 0;
	while (count < SERVER_RECORDS) {
		int memfd;

		*ret_rest = next_record(file, &records[count], &memfd);
		if (*ret_rest < 0)
			break;
		records[count].handle = file->cookie;
		if (memfd >= 0 && count > 0) {
			letter_queue_put_first(&file->waiting, &records[count], memfd);
			break;
		}
		count++;
		if (memfd >= 0) {
			*ret_memfd = memfd;
			break;
		}
	}
	return count;
}

/*
 * Hands out what was gathered: one by itself perhaps to who waits for it, several into the socket,
 * where they are read without another wait. -EAGAIN: that is full, and they wait for room.
 */
static int hand_out(struct server_file *file, const struct attach_record *records,
		    unsigned int count, int memfd)
{
	int ret;

	if (count == 1 && memfd < 0 && server_page_post(file, &records[0]))
		return 0;
	ret = letter_write(file->watch.fd, records, count, memfd);
	server_page_written(file);
	if (ret == -EAGAIN) {
		while (count-- > 0)
			letter_queue_put_first(&file->waiting, &records[count], memfd);
		block(file, true);
		return ret;
	}
	/* Any other error: nobody is there to read it, and epoll says so next. */
	if (memfd >= 0)
		close(memfd);
	return 0;
}

/* Writes until the socket is full or nothing is left. */
static void flush_file(struct server_file *file)
{
	struct attach_record *records = file->server->records;
	int rest, memfd;

	do {
		unsigned int count = gather(file, records, &memfd, &rest);

		if (count > 0 && hand_out(file, records, count, memfd) < 0)
			return;
	} while (rest == 0);
	if (rest == -EIO)
		end_file(file);
	block(file, false);
}

static struct server_file *file_of(struct handle *handle)
{
	return container_of(handle, struct server_file, handle);
}

static void settle(struct handle *handle)
{
	struct server_file *file = file_of(handle);

	if (kmod_file_poll(handle->file) & POLLERR)
		server_page_set_closed(file);
	if (!file->is_blocked && !file->is_ended)
		flush_file(file);
}

static void put_back(struct server_file *file, const struct attach_record *record, int memfd)
{
	letter_queue_put_first(&file->waiting, record, memfd);
	if (!file->is_blocked && !file->is_ended)
		flush_file(file);
}

void server_file_put_back(struct server_file *file, const uint8_t *bytes, size_t size, int memfd)
{
	struct attach_record record;

	letter_fill(&record, file->cookie, bytes, size, memfd >= 0);
	put_back(file, &record, memfd);
}

void server_files_take_back(struct server *server, uint64_t serial)
{
	struct attach_record record;

	for (struct server_file *file = server->first_file; file; file = file->next) {
		if (server_page_take_back(file, serial, &record))
			put_back(file, &record, -1);
	}
}

/* ---- opening and closing ---- */

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

	if (ret == 0)
		ret = letter_sockets(ends, &file->cookie);
	if (ret == 0)
		ret = kmod_file_open(port, &file->handle, &file->handle.file);
	file->server = server;
	file->watch = (struct watch){ .kind = WATCH_FILE, .fd = ends[0] };
	file->opener = client->serial;
	file->end = end;
	file->handle.fd = ends[0];
	file->handle.fabric = server->fabric;
	file->handle.settle = settle;
	file->handle.send_over = server_page_send_over;
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
	server_page_open(file);
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
	server_page_close(file);
	server_unwatch(server, &file->watch);
	letter_queue_clear(&file->waiting);
	g_free(file);
}

void server_file_event(struct server *server, struct server_file *file, uint32_t events)
{
	if (events & (EPOLLHUP | EPOLLERR)) {
		server_rings_send_for(server, file);
		server_file_close(server, file);
	} else if (events & EPOLLIN) {
		fprintf(stderr, "umadrig: a program has written to a umad handle by itself, not by "
			"umad_send(): a simulated one cannot be used so, and is closed\n");
		server_file_close(server, file);
	} else if (events & EPOLLOUT) {
		flush_file(file);
	}
}
