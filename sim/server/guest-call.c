/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/guest-call.h. */
#include "config.h"

#include "sim/server/guest-call.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "sim/fabric/host.h"
#include "sim/guests/guest-programs.h"
#include "sim/guests/guest-set.h"
#include "sim/server/lockstep.h"

struct guest_call {
	struct server_lockstep *lockstep;
	struct guest_program *program;		/* NULL: not yet, or not any more */
	int fd[ATTACH_GUEST_STREAMS];		/* until it runs, and the last one after that; -1 */
};

static void close_streams(struct guest_call *call, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (call->fd[i] >= 0)
			close(call->fd[i]);
		call->fd[i] = -1;
	}
}

static int answer(struct server_reply *reply, int64_t result)
{
	reply->result = result;
	return 0;
}

/* ---- its descriptors ---- */

static struct guest_call *make(void)
{
	struct guest_call *call = g_new0(struct guest_call, 1);

	for (size_t i = 0; i < ATTACH_GUEST_STREAMS; i++)
		call->fd[i] = -1;
	return call;
}

int guest_call_stream(struct guest_call **call, const struct umadrig_host *host, uint32_t stream,
		      int fd, struct server_reply *ret_reply)
{
	int copy;

	if (fd < 0 || stream >= ATTACH_GUEST_STREAMS)
		return -EPROTO;
	if (*call && ((*call)->program || (*call)->fd[stream] >= 0))
		return -EPROTO;
	if (!guest_set_find(host))
		return answer(ret_reply, -EOPNOTSUPP);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (copy < 0)
		return answer(ret_reply, -errno);
	if (!*call)
		*call = make();
	(*call)->fd[stream] = copy;
	return answer(ret_reply, 0);
}

/* ---- what becomes of it ---- */

/* Nobody's wait is ours: a descriptor without room for so few bytes is the client's fault. */
static void over(void *ctx)
{
	struct guest_call *call = ctx;
	struct pollfd pollfd = { .fd = call->fd[ATTACH_GUEST_END], .events = POLLOUT };
	int32_t status = call->program->status;

	if (poll(&pollfd, 1, 0) == 1 && !(pollfd.revents & (POLLERR | POLLHUP)) &&
	    write(pollfd.fd, &status, sizeof(status)) == sizeof(status))
		server_lockstep_wrote(call->lockstep);
	close_streams(call, ATTACH_GUEST_STREAMS);
}

static void freed(void *ctx)
{
	struct guest_call *call = ctx;

	call->program = NULL;
}

/* ---- its start ---- */

/* The texts of the message, each with its NUL; to be freed. NULL: they are none. */
static GPtrArray *texts_of(const uint8_t *bytes, size_t size)
{
	GPtrArray *texts;

	if (size == 0 || bytes[size - 1] != '\0')
		return NULL;
	texts = g_ptr_array_new();
	for (size_t at = 0; at < size; at += strlen((const char *)bytes + at) + 1)
		g_ptr_array_add(texts, (void *)(uintptr_t)(bytes + at));
	g_ptr_array_add(texts, NULL);
	return texts;
}

static int start(struct guest_call *call, struct guest *guest, const GPtrArray *texts,
		 size_t arguments)
{
	static const struct guest_program_calls calls = { over, freed };
	const char *const *words = (const char *const *)texts->pdata;
	g_autofree const char **argv = g_new0(const char *, arguments + 1);
	const struct guest_program_start wish = {
		.directory = words[0], .argv = argv, .environment = words + 1 + arguments,
		.input = MAX(call->fd[ATTACH_GUEST_INPUT], 0),
		.output = call->fd[ATTACH_GUEST_OUTPUT], .errors = call->fd[ATTACH_GUEST_ERRORS],
		.calls = &calls, .ctx = call,
	};
	int ret;

	memcpy(argv, words + 1, arguments * sizeof(*argv));
	ret = guest_program_start(guest, &wish, &call->program);
	if (ret == 0)
		close_streams(call, ATTACH_GUEST_END);
	return ret;
}

int guest_call_run(struct guest_call *call, const struct umadrig_host *host,
		   struct server_lockstep *lockstep, const uint8_t *bytes, size_t size,
		   struct server_reply *ret_reply)
{
	g_autoptr(GPtrArray) texts = NULL;
	struct attach_guest_run head;
	int ret;

	if (!call || call->program || size < sizeof(head))
		return -EPROTO;
	for (size_t i = ATTACH_GUEST_OUTPUT; i < ATTACH_GUEST_STREAMS; i++) {
		if (call->fd[i] < 0)
			return -EPROTO;
	}
	memcpy(&head, bytes, sizeof(head));
	texts = texts_of(bytes + sizeof(head), size - sizeof(head));
	/* Directory, arguments, and the NULL behind all. */
	if (!texts || head.arguments < 1 || head.arguments > texts->len - 2)
		return -EPROTO;
	call->lockstep = lockstep;
	ret = start(call, guest_set_find(host), texts, head.arguments);
	if (ret < 0) {
		ret_reply->bytes = guest_program_reason(ret);
		ret_reply->size = strlen(ret_reply->bytes);
	}
	return answer(ret_reply, ret);
}

int guest_call_signal(const struct guest_call *call, uint32_t sig, struct server_reply *ret_reply)
{
	if (!call || !call->program || call->program->is_over)
		return answer(ret_reply, -ESRCH);
	if (sig < 1 || sig >= NSIG)
		return answer(ret_reply, -EINVAL);
	guest_program_signal(call->program, (int)sig);
	return answer(ret_reply, 0);
}

/* ---- its end ---- */

void guest_call_end(struct guest_call *call)
{
	if (!call)
		return;
	if (call->program) {
		guest_program_signal(call->program, SIGKILL);
		guest_program_forget(call->program);
	}
	close_streams(call, ATTACH_GUEST_STREAMS);
	g_free(call);
}
