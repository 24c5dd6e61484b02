/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/words/schedule-switch.h. */
#include "lib/words/schedule-switch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/words/number.h"

static int take_sign(const char **at, char sign)
{
	if (**at != sign)
		return -EINVAL;
	++*at;
	return 0;
}

/* "1001.1" */
static int take_thread(const char **at, uint32_t *ret_pid, uint32_t *ret_thread)
{
	uint64_t pid, thread;
	int err = number_take(at, 10, UINT32_MAX, &pid);

	if (err == 0)
		err = take_sign(at, '.');
	if (err == 0)
		err = number_take(at, 10, UINT32_MAX, &thread);
	if (err < 0)
		return err;
	*ret_pid = (uint32_t)pid;
	*ret_thread = (uint32_t)thread;
	return 0;
}

int schedule_switch_take(const char **at, struct schedule_switch *ret)
{
	struct schedule_switch one;
	const char *here = *at;
	int err = take_thread(&here, &one.pid, &one.thread);

	if (err == 0)
		err = take_sign(&here, '@');
	if (err == 0)
		err = number_take(&here, 10, UINT64_MAX, &one.choice);
	if (err == 0)
		err = take_sign(&here, ':');
	if (err == 0)
		err = take_thread(&here, &one.next_pid, &one.next_thread);
	if (err == 0 && *here && (take_sign(&here, '+') < 0 || !*here))
		err = -EINVAL;
	if (err < 0)
		return err;
	*at = here;
	*ret = one;
	return 0;
}

const char *schedule_switch_text(const struct schedule_switch *one,
				 char text[SCHEDULE_SWITCH_SIZE])
{
	snprintf(text, SCHEDULE_SWITCH_SIZE, "%" PRIu32 ".%" PRIu32 "@%" PRIu64 ":%" PRIu32
		 ".%" PRIu32, one->pid, one->thread, one->choice, one->next_pid,
		 one->next_thread);
	return text;
}
