/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Open files of kernel messages: see sim/server/log-file.h.
 */
#include "config.h"

#include "sim/server/log-file.h"

#include <errno.h>

#include "lib/base/handle-name.h"
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

static bool is_ready(const struct log_file *file)
{
	return file->next < kernel_message_count(file->host);
}

bool log_file_is_at_end(const struct log_file *file)
{
	return !is_ready(file) && ready_socket_has_byte(&file->ready);
}

void log_files_look(struct log_files *files)
{
	for (guint i = 0; i < files->all->len; i++) {
		const struct log_file *file = files->all->pdata[i];

		if (is_ready(file))
			ready_socket_tell(&file->ready, files->lockstep);
	}
}

/* ---- opening and closing ---- */

int log_file_open(struct log_files *files, const struct umadrig_host *host,
		  struct server_account *account, int *ret_fd)
{
	struct log_file *file = g_new0(struct log_file, 1);
	int ret = ready_socket_open(&file->ready, WATCH_LOG, files->watches, account, log_name_set,
				    ret_fd);

	if (ret < 0) {
		g_free(file);
		return ret;
	}
	file->files = files;
	file->host = host;
	file->next = kernel_message_first(host);
	g_ptr_array_add(files->all, file);
	return 0;
}

void log_file_close(struct log_file *file)
{
	ready_socket_close(&file->ready);
	g_ptr_array_remove(file->files->all, file);
	g_free(file);
}

struct log_file *log_file_find(const struct log_files *files, uint64_t token)
{
	for (guint i = 0; i < files->all->len; i++) {
		struct log_file *file = files->all->pdata[i];

		if (file->ready.token == token)
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
