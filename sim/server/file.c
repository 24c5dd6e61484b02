/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The open handles of a server: see sim/server/file.h.
 */
#include "config.h"

#include "sim/server/file.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/handle-token.h"
#include "lib/base/invariant.h"
#include "sim/host/device.h"
#include "sim/host/kernel.h"
#include "sim/server/closer.h"

/* ---- messages ---- */

/*
 * The next slice of a large message; with 'all', what is left of it. 0: '*ret_memfd' has the whole;
 * -EAGAIN: there is more, or the message is lost.
 */
static int read_large(struct server_file *file, bool all, int *ret_memfd)
{
	int ret;

	do
		ret = large_letter_go_on(&file->large, ret_memfd);
	while (ret > 0 && all);
	if (ret < 0)
		fprintf(stderr, "umadrig: a MAD of %u bytes is lost: %s\n",
			file->large_size, g_strerror(-ret));
	file->files->large -= ret <= 0;
	return ret == 0 ? 0 : -EAGAIN;
}

/*
 * The first message does not fit into a record, whose bytes are its head: begins to read it. As
 * read_large().
 */
static int begin_large(struct server_file *file, struct attach_record *record, int *ret_memfd)
{
	int ret;

	memcpy(&file->large_size, record->bytes + USER_LENGTH, sizeof(file->large_size));
	record->size = ATTACH_HEAD_SIZE;
	record->is_large = 1;
	file->large_head = *record;
	ret = large_letter_begin(&file->large, file->handle.file);
	if (ret < 0) {
		fprintf(stderr, "umadrig: a MAD of %u bytes is lost: %s\n",
			file->large_size, g_strerror(-ret));
		return -ENOSPC;
	}
	file->files->large++;
	return read_large(file, !file->files->slices, ret_memfd);
}

/* The next message of the file: 0, -EAGAIN: none now, -EIO: the device is gone. */
static int read_record(struct server_file *file, struct attach_record *record, int *ret_memfd)
{
	long n = -ENOSPC;

	*ret_memfd = -1;
	if (large_letter_is_there(&file->large))
		return -EAGAIN;
	while (n == -ENOSPC) {
		n = kmod_file_read(file->handle.file, record->bytes, sizeof(record->bytes));
		record->size = n > 0 ? (uint32_t)n : 0;
		record->is_large = 0;
		handle_show(&file->handle, FILE_READ, record->bytes,
			    n == -ENOSPC ? ATTACH_HEAD_SIZE : n);
		if (n == -ENOSPC)
			n = begin_large(file, record, ret_memfd);
	}
	return n > 0 ? 0 : (int)n;
}

/* ---- flow ---- */

static void block(struct server_file *file, bool is_blocked)
{
	if (file->is_blocked == is_blocked)
		return;
	file->is_blocked = is_blocked;
	watch_change(file->files->watches, &file->watch, EPOLLIN | (is_blocked ? EPOLLOUT : 0U));
}

/* The device is gone: readers find the end of file after what they have not read. */
static void end_file(struct server_file *file)
{
	if (!file->is_ended)
		shutdown(file->watch.fd, SHUT_WR);
	file->is_ended = true;
	server_page_written(&file->page);
	server_lockstep_written(file->files->lockstep, file->cookie);
}

/* The next record, from the waiting ones or from the file: as read_record(). */
static int next_record(struct server_file *file, struct attach_record *record, int *ret_memfd)
{
	if (letter_queue_take(&file->waiting, record, ret_memfd))
		return 0;
	return read_record(file, record, ret_memfd);
}

/*
 * Gathers the records for one system call: plain ones, or one with its memfd. Returns their number;
 * '*ret_rest' is 0 if there may be more, else what read_record() returned.
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
		records[count].handle = file->token;
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
 * Hands out what was gathered: a single record goes to a thread that waits in the mailbox, if there
 * is one; several go into the socket, where they are read without another wait. -EAGAIN: the socket
 * is full, and they wait for room.
 */
static int hand_out(struct server_file *file, const struct attach_record *records,
		    unsigned int count, int memfd)
{
	int ret;

	if (count == 1 && memfd < 0 && server_page_post(&file->page, &records[0]))
		return 0;
	ret = letter_write(file->watch.fd, records, count, memfd);
	server_page_written(&file->page);
	server_lockstep_written(file->files->lockstep, file->cookie);
	if (ret == -EAGAIN) {
		while (count-- > 0)
			letter_queue_put_first(&file->waiting, &records[count], memfd);
		block(file, true);
		return ret;
	}
	/* Any other error: there is no reader any more, and epoll will report that next. */
	if (memfd >= 0)
		closer_close(file->files->watches->closer, memfd);
	return 0;
}

/* Writes until the socket is full or nothing is left. */
void server_file_flush(struct server_file *file)
{
	struct attach_record *records = file->files->records;
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

void server_files_go_on(struct server_files *files)
{
	struct server_file *next;
	int memfd;

	for (struct server_file *file = files->large ? files->first : NULL; file; file = next) {
		next = file->next;
		if (!large_letter_is_there(&file->large) || read_large(file, false, &memfd) < 0)
			continue;
		letter_queue_put(&file->waiting, &file->large_head, memfd);
		if (!file->is_blocked && !file->is_ended)
			server_file_flush(file);
	}
}

static struct server_file *file_of(struct handle *handle)
{
	return container_of(handle, struct server_file, handle);
}

static void settle(struct handle *handle)
{
	struct server_file *file = file_of(handle);

	if (kmod_file_poll(handle->file) & POLLERR)
		server_page_set_closed(&file->page);
	if (!file->is_blocked && !file->is_ended)
		server_file_flush(file);
}

static void put_back(struct server_file *file, const struct attach_record *record, int memfd)
{
	letter_queue_put_first(&file->waiting, record, memfd);
	if (!file->is_blocked && !file->is_ended)
		server_file_flush(file);
}

void server_file_put_back(struct server_file *file, const uint8_t *bytes, size_t size, int memfd)
{
	struct attach_record record;

	letter_fill(&record, file->token, bytes, size, memfd >= 0);
	put_back(file, &record, memfd);
}

void server_files_take_back(struct server_files *files, uint64_t serial)
{
	struct attach_record record;

	for (struct server_file *file = files->first; file; file = file->next) {
		if (server_page_take_back(&file->page, serial, &record))
			put_back(file, &record, -1);
	}
}

/* ---- sends ---- */

/*
 * Near its limit a program sends by calls alone, so that it learns of each send that is refused:
 * what is in its ring by then still has room.
 */
static void look_at_limit(struct server_file *file)
{
	enum { RINGFUL = ATTACH_RING_ENTRIES * 1024 };
	struct server_account *account = file->account;
	bool is_near = account->usage.sending + RINGFUL > account->usage.sending_max;

	if (is_near == account->is_near_limit)
		return;
	account->is_near_limit = is_near;
	for (struct server_file *one = file->files->first; one; one = one->next) {
		if (one->account == account)
			server_page_set_near_limit(&one->page, is_near);
	}
}

/* Programs hardly say why a send has failed. */
static void say_limit(struct server_account *account)
{
	if (account->has_said_limit)
		return;
	account->has_said_limit = true;
	fprintf(stderr, "umadrig: process %d has sends of %zu bytes that are not over, and gets "
		"ENOMEM for more (limit: %s)\n",
		account->program ? (int)account->program : (int)account->pid,
		account->usage.sending, server_limit_name(SERVER_LIMIT_SENDING));
}

long server_file_send(struct server_file *file, const uint8_t *umad, size_t size, bool is_counted,
		      struct kmod_loan *loan)
{
	long n = server_page_send(&file->page, file->handle.file, umad, size, is_counted,
				  loan);

	handle_show(&file->handle, FILE_WRITTEN, umad, n);
	if (n == -ENOMEM)
		say_limit(file->account);
	look_at_limit(file);
	return n;
}

static void send_over(struct handle *handle, uint64_t tid, uint8_t mgmt_class)
{
	server_page_send_over(&file_of(handle)->page, (uint32_t)tid, mgmt_class);
}

void server_files_update_pages(struct server_files *files)
{
	for (struct server_file *file = files->first; file; file = file->next)
		server_page_update(&file->page);
}

/* ---- opening and closing ---- */

static void list_file(struct server_file *file)
{
	struct server_files *files = file->files;

	file->next = files->first;
	file->link = &files->first;
	if (file->next)
		file->next->link = &file->next;
	files->first = file;
	files->count++;
	g_hash_table_insert(files->by_token, &file->token, file);
	server_lockstep_opened(files->lockstep, file->cookie);
}

static void unlist_file(struct server_file *file)
{
	*file->link = file->next;
	if (file->next)
		file->next->link = file->link;
	file->files->count--;
	server_lockstep_closed(file->files->lockstep, file->cookie);
	g_hash_table_remove(file->files->by_token, &file->token);
}

static int cookie_of(int fd, uint64_t *ret_cookie)
{
	socklen_t size = sizeof(*ret_cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, ret_cookie, &size) < 0 ? -errno : 0;
}

int server_file_open(struct server_files *files, struct end_port *end, uint64_t opener,
		     struct server_account *account, int *ret_fd)
{
	struct kmod_port *port = end_port_kmod(end);
	struct server_file *file = g_new0(struct server_file, 1);
	int ends[2] = { -1, -1 };
	int ret = port ? 0 : -ENXIO;

	if (ret == 0)
		ret = letter_sockets(ends, &file->token);
	while (ret == 0 && server_file_find(files, file->token))
		ret = handle_token_set(ends[1], &file->token);
	if (ret == 0)
		ret = cookie_of(ends[1], &file->cookie);
	if (ret == 0)
		ret = kmod_file_open(port, &file->handle, &file->handle.file);
	file->files = files;
	file->watch = (struct watch){ .kind = WATCH_FILE, .fd = ends[0] };
	file->opener = opener;
	file->account = account;
	file->handle.fd = ends[0];
	file->handle.fabric = files->fabric;
	file->handle.end = end;
	file->handle.settle = settle;
	file->handle.send_over = send_over;
	kernels_tell_sends_over(files->fabric);
	if (ret == 0)
		ret = watch_add(files->watches, &file->watch, EPOLLIN);
	if (ret < 0) {
		kmod_file_close(file->handle.file);
		for (int i = 0; i < 2; i++) {
			if (ends[i] >= 0)
				close(ends[i]);
		}
		g_free(file);
		return ret;
	}
	account->handles++;
	kmod_file_set_usage(file->handle.file, &account->usage);
	device_file_enable_pkey(file->handle.file);
	server_page_open(&file->page, end);
	server_page_set_near_limit(&file->page, account->is_near_limit);
	list_file(file);
	look_at_limit(file);
	fabric_say_opened(files->fabric);
	*ret_fd = ends[1];
	return 0;
}

struct server_file *server_file_find(const struct server_files *files, uint64_t token)
{
	return g_hash_table_lookup(files->by_token, &token);
}

/*
 * The server never reads from the socket, so whatever a program wrote into it, even descriptors, is
 * still queued.
 */
static void close_socket(struct server_file *file)
{
	int unread = 0;

	shutdown(file->watch.fd, SHUT_RDWR);
	if (ioctl(file->watch.fd, SIOCINQ, &unread) < 0 || unread > 0)
		watch_close_socket(file->files->watches, &file->watch);
	else
		watch_close(file->files->watches, &file->watch);
}

/* Memory that nobody else has is not freed in a moment. */
static void drop_letters(struct server_file *file)
{
	struct attach_record record;
	int memfd;

	while (letter_queue_take(&file->waiting, &record, &memfd)) {
		if (memfd >= 0)
			closer_close(file->files->watches->closer, memfd);
	}
}

void server_file_close(struct server_file *file)
{
	struct server_files *files = file->files;

	unlist_file(file);
	file->account->handles--;
	handle_show_closed(&file->handle);
	handle_forget(&file->handle);
	kmod_file_close(file->handle.file);
	server_page_close(&file->page);
	close_socket(file);
	files->large -= large_letter_is_there(&file->large);
	large_letter_clear(&file->large);
	drop_letters(file);
	g_free(file);
}

void server_files_close_of(struct server_files *files, uint64_t opener)
{
	struct server_file *next;

	for (struct server_file *file = files->first; file; file = next) {
		next = file->next;
		if (file->opener == opener)
			server_file_close(file);
	}
}

void server_files_init(struct server_files *files, struct umadrig_fabric *fabric,
		       struct watch_set *watches)
{
	files->fabric = fabric;
	files->watches = watches;
	files->by_token = g_hash_table_new(g_int64_hash, g_int64_equal);
}

void server_files_clear(struct server_files *files)
{
	while (files->first)
		server_file_close(files->first);
	g_clear_pointer(&files->by_token, g_hash_table_unref);
}

/* ---- invariants ---- */

static const char *file_check(const struct server_files *files, const struct server_file *file)
{
	MUST(file->files == files, "file: it is one of its server's");
	MUST(server_file_find(files, file->token) == file, "file: it is found by its token");
	MUST(file->handle.file && file->handle.fabric == files->fabric,
	     "file: its handle is of the server's fabric");
	MUST(file->handle.fd == file->watch.fd,
	     "file: its handle is the server's end of the socket");
	NEVER(file->waiting.count && !file->is_blocked && !file->is_ended,
	      "file: never does a letter wait while there is room");
	NEVER(file->is_blocked && !file->waiting.count,
	      "file: never is room awaited that nothing waits for");
	NEVER(file->account->handles == 0, "file: never without being counted for its process");
	return letter_queue_check(&file->waiting);
}

const char *server_files_check(const struct server_files *files)
{
	struct server_file *const *link = &files->first;
	unsigned int count = 0, large = 0;

	for (const struct server_file *file = *link; file; file = *link) {
		MUST(count++ < files->count, "files: they are counted");
		MUST(file->link == link, "file: it knows what leads to it");
		MUST_HOLD(file_check(files, file));
		large += large_letter_is_there(&file->large);
		link = &file->next;
	}
	MUST(count == files->count && count == g_hash_table_size(files->by_token),
	     "files: they are counted");
	MUST(large == files->large, "files: those with a large message are counted");
	return NULL;
}
