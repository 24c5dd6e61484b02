/*
 * Stands where replay.c will: no capture can be replayed yet.
 */
#include <errno.h>
#include <stdio.h>

#include "umadrig.h"

#define WEAK __attribute__((weak))

WEAK size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric)
{
	(void)fabric;
	return 0;
}

WEAK int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			       size_t reterr_size)
{
	(void)fabric;
	snprintf(reterr, reterr_size, "%s: captures cannot be replayed yet", capture);
	return -ENOSYS;
}
