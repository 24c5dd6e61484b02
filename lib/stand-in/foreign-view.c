/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-view.h. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/lockstep/proc-file.h"
#include "lib/stand-in/foreign-process.h"
#include "lib/stand-in/foreign-view.h"

enum { STATUS_SIZE = 4096 };

static bool is_elsewhere;
static bool may_have_changed;

/* A line of /proc/PID/status behind its name; of four numbers the last one. NULL: there is none. */
static const char *find_line(const char *status, const char *name, size_t *ret_length)
{
	const char *at = strstr(status, name), *end = at ? strchr(at + 1, '\n') : NULL;

	if (!end)
		return NULL;
	at += strlen(name);
	if (strcmp(name, "\nUid:") == 0 || strcmp(name, "\nGid:") == 0)
		at = memrchr(at, '\t', (size_t)(end - at));
	*ret_length = at ? (size_t)(end - at) : 0;
	return at;
}

/* The user of paths, its groups and rights. */
static bool is_same_user(const char *own, const char *other)
{
	static const char names[][10] = { "\nUid:", "\nGid:", "\nGroups:", "\nCapEff:" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t length = 0, other_length = 0;
		const char *line = find_line(own, names[i], &length);
		const char *other_line = find_line(other, names[i], &other_length);

		if (!line || !other_line || length != other_length ||
		    memcmp(line, other_line, length) != 0)
			return false;
	}
	return true;
}

static bool is_same_root(void)
{
	struct stat own, other;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root", foreign.pid);
	return CALL_4(SYS_newfstatat, AT_FDCWD, "/", &own, 0) == 0 &&
	       CALL_4(SYS_newfstatat, AT_FDCWD, path, &other, 0) == 0 &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

bool foreign_view_is_elsewhere(void)
{
	static char own[STATUS_SIZE], other[STATUS_SIZE];
	char path[64];

	if (!may_have_changed)
		return is_elsewhere;
	may_have_changed = false;
	proc_file_read("/proc/thread-self/status", own, sizeof(own));
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", foreign.pid, foreign_self->tid);
	proc_file_read(path, other, sizeof(other));
	is_elsewhere = !is_same_user(own, other) || !is_same_root();
	return is_elsewhere;
}

long foreign_view_changes(void)
{
	may_have_changed = true;
	return CALL_GOES_ON;
}
