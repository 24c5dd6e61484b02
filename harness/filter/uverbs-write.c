/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * uverbs-write.c: write(2) of a verbs device: a command behind a header that says, in words of 4
 * bytes, how long it is and how much room there is for its answer. That of an extended command has
 * words of 8 bytes, and tells the driver's parts from the core's.
 */
#include "config.h"

#include <errno.h>
#include <rdma/ib_user_verbs.h>

#include "harness/filter/file-buffer.h"
#include "harness/filter/memory.h"
#include "harness/filter/uverbs-call.h"
#include "harness/filter/uverbs-command.h"

enum { WORD = 4, LONG_WORD = 8 };

struct written {
	const struct uverbs_command_kind *kind;
	struct ib_uverbs_cmd_hdr head;
	struct ib_uverbs_ex_cmd_hdr extended;
	uint64_t at;		/* what follows the headers, and its size */
	size_t size;
};

/* ---- headers ---- */

static int check_usual(const struct written *written)
{
	if (written->head.in_words * (size_t)WORD != written->size + sizeof(written->head))
		return -EINVAL;
	if (written->size < written->kind->in_size ||
	    written->head.out_words * (size_t)WORD < written->kind->out_size)
		return -ENOSPC;
	return 0;
}

static int check_extended(const struct written *written)
{
	const struct ib_uverbs_ex_cmd_hdr *extended = &written->extended;
	size_t in = written->head.in_words, out = written->head.out_words;
	size_t room = (out + extended->provider_out_words) * LONG_WORD, checked;

	if ((in + extended->provider_in_words) * LONG_WORD != written->size)
		return -EINVAL;
	if (in * LONG_WORD < written->kind->in_size)
		return -ENOSPC;
	if (extended->cmd_hdr_reserved || (extended->response != 0) != (room != 0))
		return -EINVAL;
	if (room && out * LONG_WORD < written->kind->out_size)
		return -ENOSPC;
	return file_check_buffer(extended->response, room, &checked);
}

/* ---- parts ---- */

static int set_usual(const struct written *written, struct uverbs_command *command)
{
	const struct uverbs_command_kind *kind = written->kind;
	size_t room = written->head.out_words * (size_t)WORD;
	uint64_t response = 0;
	int r = 0;

	/* All that have an answer begin with where it goes. */
	if (kind->out_size)
		r = memory_read((pid_t)command->call->pid, written->at, &response,
				sizeof(response));
	command->in = (struct uverbs_part){ written->at, written->size };
	command->out = (struct uverbs_part){ response, kind->out_size ? room : 0 };
	if (!kind->has_driver_part)
		return r;
	command->in.size = kind->in_size;
	command->out.size = kind->out_size;
	command->driver_in = (struct uverbs_part){
		written->at + kind->in_size, written->size - kind->in_size,
	};
	command->driver_out = (struct uverbs_part){
		response + kind->out_size, room - kind->out_size,
	};
	return r;
}

static void set_extended(const struct written *written, struct uverbs_command *command)
{
	const struct ib_uverbs_ex_cmd_hdr *extended = &written->extended;
	size_t in = written->head.in_words * (size_t)LONG_WORD;
	size_t out = written->head.out_words * (size_t)LONG_WORD;

	command->in = (struct uverbs_part){ written->at, in };
	command->out = (struct uverbs_part){ extended->response, out };
	command->driver_in = (struct uverbs_part){
		written->at + in, extended->provider_in_words * (size_t)LONG_WORD,
	};
	command->driver_out = (struct uverbs_part){
		extended->response + out, extended->provider_out_words * (size_t)LONG_WORD,
	};
}

/* ---- all ---- */

/* Takes the second header, of an extended command. */
static int take_extended(struct written *written, pid_t tid)
{
	int r;

	if (written->size < sizeof(written->extended))
		return -EINVAL;
	r = memory_read(tid, written->at, &written->extended, sizeof(written->extended));
	written->at += sizeof(written->extended);
	written->size -= sizeof(written->extended);
	return r < 0 ? r : check_extended(written);
}

long uverbs_write(struct uverbs_file *file, const struct seccomp_notif *call, uint64_t at,
		  size_t size)
{
	struct uverbs_command command = { .file = file, .call = call };
	struct written written = { .at = at + sizeof(written.head) };
	pid_t tid = (pid_t)call->pid;
	long r;
	int err;

	if (size < sizeof(written.head))
		return -EINVAL;
	written.size = size - sizeof(written.head);
	r = memory_read(tid, at, &written.head, sizeof(written.head));
	if (r < 0)
		return r;
	written.kind = uverbs_command_find(written.head.command, &err);
	if (!written.kind)
		return err;
	if (written.head.command & IB_USER_VERBS_CMD_FLAG_EXTENDED) {
		r = take_extended(&written, tid);
		set_extended(&written, &command);
	} else {
		r = check_usual(&written);
		if (r == 0)
			r = set_usual(&written, &command);
	}
	if (r == 0)
		r = uverbs_command_do(&command, written.kind);
	return r == 0 ? (long)size : r;
}
