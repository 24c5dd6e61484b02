/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Open files of kernel messages: see sim/server/log-file.h.
 */
#include "config.h"

#include "sim/server/log-file.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/handle-name.h"
#include "lib/base/handle-token.h"
#include "sim/fabric/kernel-message.h"

/* ---- reading ---- */

int log_file_take(struct log_file *file, uint64_t *ret_number)
{
	uint64_t first = kernel_message_first(file->host);

	if (file->next >= kernel_message_count(file->host))
		return -EAGAIN;
	if (file->next < first) {
		file->next = first;
		return -EPIPE;
	}
	*ret_number = file->next++;
	return 0;
}

void log_file_seek(struct log_file *file, uint64_t number)
{
	file->next = number;
}

static bool has_unread(const struct log_file *file)
{
	int unread = 0;

	return ioctl(file->watch.fd, SIOCOUTQ, &unread) == 0 && unread > 0;
}

static bool is_ready(const struct log_file *file)
{
	return file->next < kernel_message_count(file->host);
}

bool log_file_is_at_end(const struct log_file *file)
{
	return !is_ready(file) && has_unread(file);
}

void log_files_look(struct log_files *files)
{
	for (guint i = 0; i < files->all->len; i++) {
		const struct log_file *file = files->all->pdata[i];

		if (!is_ready(file) || has_unread(file))
			continue;
		send(file->watch.fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
		server_lockstep_wrote(files->lockstep);
	}
}

/* ---- opening and closing ---- */

static int make_ends(int ret_ends[2], uint64_t *ret_token)
{
	uint64_t number;	/* of the name, which anybody can read */
	int ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ret_ends) < 0)
		return -errno;
	ret = handle_token_random(&number);
	if (ret == 0)
		ret = handle_token_set(ret_ends[1], ret_token);
	if (ret < 0) {
		close(ret_ends[0]);
		close(ret_ends[1]);
		return ret;
	}
	log_name_set(ret_ends[1], number);
	return 0;
}

int log_file_open(struct log_files *files, const struct umadrig_host *host,
		  struct server_account *account, int *ret_fd)
{
	struct log_file *file;
	uint64_t token;
	int ends[2];
	int ret = make_ends(ends, &token);

	if (ret < 0)
		return ret;
	file = g_new0(struct log_file, 1);
	*file = (struct log_file){
		.watch = { WATCH_LOG, ends[0] }, .files = files, .token = token,
		.account = account, .host = host, .next = kernel_message_first(host),
	};
	ret = watch_add(files->watches, &file->watch, EPOLLIN);
	if (ret < 0) {
		close(ends[0]);
		close(ends[1]);
		g_free(file);
		return ret;
	}
	account->handles++;
	g_ptr_array_add(files->all, file);
	*ret_fd = ends[1];
	return 0;
}

/* What a program has written there is still in it, descriptors too. */
void log_file_close(struct log_file *file)
{
	file->account->handles--;
	watch_close_socket(file->files->watches, &file->watch);
	g_ptr_array_remove(file->files->all, file);
	g_free(file);
}

struct log_file *log_file_find(const struct log_files *files, uint64_t token)
{
	for (guint i = 0; i < files->all->len; i++) {
		struct log_file *file = files->all->pdata[i];

		if (file->token == token)
			return file;
	}
	return NULL;
}

void log_files_init(struct log_files *files, struct watch_set *watches)
{
	*files = (struct log_files){ .watches = watches, .all = g_ptr_array_new() };
}

void log_files_clear(struct log_files *files)
{
	while (files->all->len > 0)
		log_file_close(files->all->pdata[files->all->len - 1]);
	g_ptr_array_unref(files->all);
}
