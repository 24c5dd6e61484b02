/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The session of "umadrig exec": see sim/system/session.h.
 */
#include "config.h"

#include "sim/system/session.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMAND_LENGTH = 200 };

/* The process that has entered the session; a fork of it is another process. */
static pid_t entered;

/* "opensm -g 1", as this process was started. */
static void own_command(char *command, size_t size)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd >= 0 ? read(fd, command, size - 1) : 0;

	if (fd >= 0)
		close(fd);
	if (length <= 0) {
		g_strlcpy(command, "?", size);
		return;
	}
	for (ssize_t i = 0; i < length - 1; i++) {
		if (command[i] == '\0' || g_ascii_iscntrl(command[i]))
			command[i] = ' ';
	}
	command[length] = '\0';
}

/* Writes the whole record under a name of its own. 0 or -errno. */
static int write_record(const char *path)
{
	char command[COMMAND_LENGTH];
	g_autofree char *text = NULL;
	ssize_t written;
	int fd, ret = 0;

	own_command(command, sizeof(command));
	text = g_strdup_printf("%d %s\n", (int)getpid(), command);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	written = write(fd, text, strlen(text));
	if (written != (ssize_t)strlen(text))
		ret = written < 0 ? -errno : -ENOSPC;
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

static void say_owner(const char *owner, char *reterr, size_t reterr_size)
{
	g_autofree char *text = NULL;
	char *command;

	if (!g_file_get_contents(owner, &text, NULL, NULL))
		text = g_strdup("? ?");
	g_strchomp(text);
	command = strchr(text, ' ');
	if (command)
		*command++ = '\0';
	g_snprintf(reterr, reterr_size,
		   "the fabric belongs to process %s (%s) already: with clock=virtual processes "
		   "cannot share one; leave that out, or give each its own 'umadrig exec'", text,
		   command ? command : "?");
}

int session_enter(char *reterr, size_t reterr_size)
{
	const char *directory = secure_getenv(SESSION_VARIABLE);
	g_autofree char *owner = NULL, *record = NULL;
	int ret;

	if (!directory || !*directory || entered == getpid())
		return 0;
	owner = g_build_filename(directory, SESSION_OWNER, NULL);
	record = g_strdup_printf("%s.%d", owner, (int)getpid());
	ret = write_record(record);
	/* link(2) succeeds in only one process, and no process ever sees half a record. */
	if (ret == 0 && link(record, owner) < 0)
		ret = -errno;
	unlink(record);
	switch (ret) {
	case 0:
		entered = getpid();
		return 0;
	case -EEXIST:
		say_owner(owner, reterr, reterr_size);
		return -EBUSY;
	case -ENOENT:
		g_snprintf(reterr, reterr_size, "the 'umadrig exec' that this process belonged to "
			   "has ended (%s is gone)", directory);
		return ret;
	default:
		g_snprintf(reterr, reterr_size, "%s: %s (%s is for umadrig exec alone: unset it)",
			   record, g_strerror(-ret), SESSION_VARIABLE);
		return ret;
	}
}

void session_incomplete(void)
{
	const char *directory = secure_getenv(SESSION_VARIABLE);
	g_autofree char *mark = NULL;
	int fd;

	if (!directory || !*directory || entered != getpid())
		return;
	mark = g_build_filename(directory, SESSION_INCOMPLETE, NULL);
	fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	/* What cannot be marked has been said on stderr. */
	if (fd >= 0)
		close(fd);
}

void session_leave(void)
{
	const char *directory = secure_getenv(SESSION_VARIABLE);
	g_autofree char *owner = NULL;

	if (!directory || !*directory || entered != getpid())
		return;
	owner = g_build_filename(directory, SESSION_OWNER, NULL);
	unlink(owner);
	entered = 0;
}
