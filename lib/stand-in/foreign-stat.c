/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-stat.h. */
#include <stdio.h>
#include <string.h>

#include "lib/lockstep/proc-file.h"
#include "lib/stand-in/foreign-process.h"
#include "lib/stand-in/foreign-stat.h"
#include "lib/words/number.h"

enum {
	TEXT_SIZE = 1024,
	FIELDS_TO_STATUS = 49,		/* from the state up to exit_code */
};

/* What is behind the name, which may have spaces: " STATE ..."; "": there is no such thread. */
static const char *read_behind_name(pid_t tid, char *text)
{
	char path[64];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", foreign.pid, tid);
	proc_file_read(path, text, TEXT_SIZE);
	at = strrchr(text, ')');
	return at ? at + 1 : "";
}

bool foreign_stat_has_ended(pid_t tid)
{
	char text[TEXT_SIZE];
	const char *state = read_behind_name(tid, text);

	return state[0] == '\0' || state[1] == 'Z' || state[1] == 'X';
}

int foreign_stat_status(void)
{
	char text[TEXT_SIZE];
	const char *at = read_behind_name(foreign.pid, text);
	uint64_t status = 0;

	for (int i = 0; *at && i < FIELDS_TO_STATUS; i++)
		at += 1 + strcspn(at + 1, " ");
	if (*at)
		at++;
	if (number_take(&at, 10, UINT16_MAX, &status) < 0)
		return 0xff00;
	return (int)status;
}
