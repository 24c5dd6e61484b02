/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/look-row.h. */
#include "lib/lockstep/look-row.h"

SESSION_THREAD struct look_row look_row;

void look_row_end(void)
{
	look_row.before += look_row.looks[LOOK_AT_CLOCK] + LOOKS_IN_VAIN_WEIGH *
			   (look_row.looks[LOOK_IN_VAIN] + look_row.looks[LOOK_AT_OTHERS]);
	look_row.takes_time = false;
	for (int i = 0; i < LOOK_KINDS; i++)
		look_row.looks[i] = look_row.before > LOOKS_AT_INSTANT ? LOOKS_FREE : 0;
}

void look_row_waited(bool has_moved)
{
	look_row_end();
	if (has_moved)
		look_row = (struct look_row){ .before = 0 };
}
