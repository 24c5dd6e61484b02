/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The call about kernel messages: see sim/server/log-call.h.
 */
#include "config.h"

#include "sim/server/log-call.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/fabric/kernel-message.h"
#include "sim/server/log-file.h"
#include "sim/server/sysfs-view.h"

static struct log_files *files_of(const struct request *request)
{
	return &request->clients->served->logs;
}

/* Who prints is in the view of the host, which is made if it is not there: 0 or -errno. */
static int find_view(const struct request *request, const struct sysfs_view **ret)
{
	struct sysfs_views *views = &request->clients->served->views;
	const char *path;
	int err = sysfs_views_get(views, request->client->host, false, &path);

	*ret = err < 0 ? NULL : sysfs_views_find(views, request->client->host);
	return err;
}

static int open_file(const struct request *request, struct server_reply *reply)
{
	struct server_accounts *accounts = &request->clients->accounts;
	struct server_account *account = request->client->account;

	if (!server_account_may_open(accounts, account))
		return answer(reply, -EMFILE);
	return answer(reply, log_file_open(files_of(request), request->client->host, account,
					   &reply->fd));
}

/* With 'text', and what the caller has to know of the file. */
static int answer_of_file(const struct request *request, struct server_reply *reply,
			  const struct log_file *file, const GString *text, int64_t result)
{
	const struct attach_log_reply head = { .is_at_end = log_file_is_at_end(file) };
	g_autoptr(GString) bytes = g_string_new_len((const char *)&head, sizeof(head));
	int ret;

	if (text)
		g_string_append_len(bytes, text->str, (gssize)text->len);
	ret = answer_bytes(request, reply, bytes->str, bytes->len);
	reply->result = result;
	return ret;
}

/* Linux: one for which there is too little room is skipped. */
static int read_file(const struct request *request, struct log_file *file, uint64_t room,
		     struct server_reply *reply)
{
	g_autoptr(GString) record = g_string_new(NULL);
	const struct sysfs_view *view;
	uint64_t number;
	int ret = find_view(request, &view);

	if (ret == 0)
		ret = log_file_take(file, &number);
	if (ret < 0)
		return answer_of_file(request, reply, file, NULL, ret);
	sysfs_view_print_message(view, number, record);
	if (record->len > room)
		return answer_of_file(request, reply, file, NULL, -EINVAL);
	return answer_of_file(request, reply, file, record, (int64_t)record->len);
}

/* The latest lines since they were cleared, as many as there is room for. */
static int list(const struct request *request, uint64_t room, struct server_reply *reply)
{
	const struct umadrig_host *host = request->client->host;
	g_autoptr(GString) lines = g_string_new(NULL);
	const struct sysfs_view *view;
	int ret = find_view(request, &view);

	if (ret < 0)
		return answer(reply, ret);
	for (uint64_t i = kernel_message_cleared(host); i < kernel_message_count(host); i++)
		sysfs_view_print_line(view, i, lines);
	room = MIN(room, ATTACH_REPLY_MAX - sizeof(struct attach_reply));
	while (lines->len > room)
		g_string_erase(lines, 0, (gssize)strcspn(lines->str, "\n") + 1);
	ret = answer_bytes(request, reply, lines->str, lines->len);
	reply->result = (int64_t)lines->len;
	return ret;
}

static int seek(const struct request *request, struct log_file *file, uint64_t number,
		struct server_reply *reply)
{
	log_file_seek(file, number);
	return answer_of_file(request, reply, file, NULL, 0);
}

int call_kernel_log(const struct request *request, struct server_reply *reply)
{
	struct umadrig_host *host = request->client->host;
	struct log_file *file = log_file_find(files_of(request), request->call.handle);
	uint64_t room;

	memcpy(&room, request->data, sizeof(room));
	if (!request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	if (!file && UMAD_BACKEND_LOG_IS_OF_FILE(request->call.argument))
		return answer(reply, -EBADF);
	server_clients_note_use(request->clients, request->client->session);
	switch ((enum umad_backend_log)request->call.argument) {
	case UMAD_BACKEND_LOG_OPEN:
		return open_file(request, reply);
	case UMAD_BACKEND_LOG_READ:
		return read_file(request, file, room, reply);
	case UMAD_BACKEND_LOG_FIRST:
		return seek(request, file, kernel_message_first(host), reply);
	case UMAD_BACKEND_LOG_DATA:
		return seek(request, file, kernel_message_cleared(host), reply);
	case UMAD_BACKEND_LOG_END:
		return seek(request, file, kernel_message_count(host), reply);
	case UMAD_BACKEND_LOG_LIST:
		return list(request, room, reply);
	case UMAD_BACKEND_LOG_CLEAR:
		kernel_message_clear(host);
		return answer(reply, 0);
	}
	return -EPROTO;
}
