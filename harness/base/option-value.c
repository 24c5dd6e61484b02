/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See harness/base/option-value.h.
 */
#include "harness/base/option-value.h"

#include <errno.h>

#include "harness/base/command.h"
#include "kmod-stub/event.h"
#include "lib/words/duration.h"
#include "lib/words/number.h"

static const int64_t SECONDS_MAX = INT64_C(10) * 365 * 24 * 3600;

bool option_number(const char *command, const char *option, const char *text, uint64_t min,
		   uint64_t max, const char *expected, uint64_t *ret)
{
	if (!text || number_parse(text, min, max, ret) == 0)
		return true;
	command_bad_value(command, option, text, expected);
	return false;
}

bool option_time(const char *command, const char *option, const char *text, const char *expected,
		 int64_t *ret_ns)
{
	int err = text ? duration_parse(text, ret_ns) : 0;

	if (err < 0)
		command_bad_value(command, option, text, duration_expected(err, expected));
	return err == 0;
}

bool option_seconds(const char *command, const char *option, const char *text, int64_t *ret_ns)
{
	int64_t ns;
	int err;

	if (!text)
		return true;
	err = duration_parse_seconds(text, &ns);
	if (err == 0 && ns <= SECONDS_MAX * NS_PER_S) {
		*ret_ns = ns;
		return true;
	}
	command_bad_value(command, option, text, err == -EDOM ? duration_expected(err, NULL) :
			  "a number of seconds");
	return false;
}
