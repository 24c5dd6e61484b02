/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-answer.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "harness/filter/host-view.h"
#include "harness/filter/memory.h"

enum { PIECE = 4096 };

/* ---- the program's memory ---- */

/* Is all of the part from 'from' on zero? */
static int check_zeros(pid_t tid, const struct uverbs_part *part, size_t from)
{
	static const uint8_t zeros[PIECE];
	uint8_t bytes[PIECE];

	for (size_t at = from; at < part->size; at += PIECE) {
		size_t n = MIN(part->size - at, (size_t)PIECE);
		int r = memory_read(tid, part->at + at, bytes, n);

		if (r < 0)
			return r;
		if (memcmp(bytes, zeros, n) != 0)
			return -EOPNOTSUPP;
	}
	return 0;
}

int uverbs_take(const struct uverbs_command *command, void *to, size_t size)
{
	const struct uverbs_part *in = &command->in;
	pid_t tid = (pid_t)command->call->pid;
	int r;

	memset(to, 0, size);
	r = memory_read(tid, in->at, to, MIN(size, in->size));
	return r < 0 || in->size <= size ? r : check_zeros(tid, in, size);
}

int uverbs_give_to(const struct uverbs_command *command, const struct uverbs_part *part,
		   const void *from, size_t size)
{
	static const uint8_t zeros[PIECE];
	pid_t tid = (pid_t)command->call->pid;
	int r = memory_write(tid, part->at, from, MIN(size, part->size));

	for (size_t at = size; r == 0 && at < part->size; at += PIECE)
		r = memory_write(tid, part->at + at, zeros, MIN(part->size - at, (size_t)PIECE));
	return r;
}

int uverbs_give(const struct uverbs_command *command, const void *from, size_t size)
{
	return uverbs_give_to(command, &command->out, from, size);
}

int uverbs_values_of(const struct uverbs_file *file)
{
	int shown = file->is_dead ? -1 : view_file_values(&file->common);

	if (!file->has_context)
		return -EINVAL;
	return shown < 0 ? -EIO : shown;
}
