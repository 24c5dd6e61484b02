/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-answer.h. */
#include "lib/stand-in/foreign-answer.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-process.h"
#include "lib/stand-in/foreign-trace.h"

/* False: there is no signal whose sender is to be shown, or the thread has ended. */
static bool begin_signals(void)
{
	if (foreign_told.count == 0 || foreign_self->is_seized)
		return false;
	if (foreign_trace_begin(0) < 0) {
		foreign_told.count = 0;
		return false;
	}
	foreign_trace_interrupt();
	return true;
}

static void end_signals(void)
{
	struct foreign_told told = foreign_told;

	foreign_told.count = 0;
	foreign_trace_take_signals(&told);
}

void foreign_answer(long answer)
{
	bool takes_signals;

	if (answer == CALL_ANSWERED)
		return;
	takes_signals = begin_signals();
	if (answer == CALL_GOES_ON)
		foreign_call_go_on();
	else
		foreign_call_answer(answer);
	if (takes_signals)
		end_signals();
}
