/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fake guest's time: see tests/tools/fake-guest.h.
 */
#include "tests/tools/fake-guest.h"

int fake_time_fd;
int64_t fake_now;
int64_t fake_free_until;

void fake_acknowledge(const struct time_message *message)
{
	const struct time_message answer = { ACK, message->sequence, 0 };

	if (message->op == FREE_UNTIL)
		fake_free_until = (int64_t)message->time;
	fake_put(fake_time_fd, &answer, sizeof(answer));
}

uint64_t fake_say(uint32_t op, int64_t time)
{
	static uint32_t sequence;
	struct time_message message = { op, ++sequence, (uint64_t)time };

	fake_put(fake_time_fd, &message, sizeof(message));
	for (;;) {
		struct time_message answer;

		fake_get(fake_time_fd, &answer, sizeof(answer));
		if (answer.op == ACK && answer.sequence == message.sequence)
			return answer.time;
		fake_acknowledge(&answer);
	}
}
