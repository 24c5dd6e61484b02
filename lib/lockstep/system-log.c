/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs say to the system's log: a session that has a directory of its own (UMADRIG_RUN,
 * of each run of umadrig explore) has a log there, in the file "syslog". The machine's would have
 * lines of a fabric that is none, at times that never were; where no daemon takes them, libc writes
 * them to the console, which may take longer than all else that the program does.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/system-call.h"

enum { LINE_SIZE = 2048 };

static const char *ident;	/* as openlog() has it: the caller's */
static int options;

/* Opens the session's log; -1: it has none. */
static int open_log(void)
{
	const char *directory = session_is_on() ? getenv("UMADRIG_RUN") : NULL;
	char path[PATH_MAX];

	if (!directory || snprintf(path, sizeof(path), "%s/syslog", directory) >= PATH_MAX)
		return -1;
	return (int)call_result(CALL_4(SYS_openat, AT_FDCWD, path,
				       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

/* "Nov 14 22:13:20 opensm[1000]: ", as log daemons write it. How long it is. */
static size_t begin_line(char line[LINE_SIZE])
{
	const char *name = ident ? ident : program_invocation_short_name;
	char at[32] = "";
	time_t now = time(NULL);
	struct tm tm;
	int length;

	if (gmtime_r(&now, &tm))
		strftime(at, sizeof(at), "%b %e %T", &tm);
	length = options & LOG_PID ?
		 snprintf(line, LINE_SIZE, "%s %.200s[%d]: ", at, name, (int)getpid()) :
		 snprintf(line, LINE_SIZE, "%s %.200s: ", at, name);
	return length > 0 ? (size_t)length : 0;
}

static void write_line(int fd, const char *line, size_t size)
{
	/* On a full disk there is no log, as elsewhere. */
	CALL_3(SYS_write, fd, line, size);
	CALL_1(SYS_close, fd);
}

__attribute__((format(printf, 1, 0))) static bool log_here(const char *format, va_list args)
{
	char line[LINE_SIZE + 1];
	int saved = errno, fd = open_log(), length;
	size_t begin;

	errno = saved;
	if (fd < 0)
		return false;
	begin = begin_line(line);
	errno = saved;	/* of %m */
	length = vsnprintf(line + begin, LINE_SIZE - begin, format, args);
	length = length < 0 ? 0 : length;
	if ((size_t)length >= LINE_SIZE - begin)
		length = (int)(LINE_SIZE - begin) - 1;
	begin += (size_t)length;
	while (begin > 0 && line[begin - 1] == '\n')
		begin--;
	line[begin++] = '\n';
	if (options & LOG_PERROR)
		CALL_3(SYS_write, STDERR_FILENO, line, begin);
	write_line(fd, line, begin);
	errno = saved;
	return true;
}

NEXT_DECLARE(setlogmask);
static bool is_masked(int priority)
{
	return !(NEXT(setlogmask)(0) & LOG_MASK(LOG_PRI(priority)));
}

NEXT_DECLARE(openlog);
PUBLIC void openlog(const char *name, int option, int facility)
{
	ident = name;
	options = option;
	/* It connects with the first message: here with none. */
	NEXT(openlog)(name, option & ~LOG_NDELAY, facility);
}

NEXT_DECLARE(vsyslog);
PUBLIC void vsyslog(int priority, const char *format, va_list args)
{
	va_list copy;
	bool is_here;

	va_copy(copy, args);
	is_here = is_masked(priority) || log_here(format, copy);
	va_end(copy);
	if (!is_here)
		NEXT(vsyslog)(priority, format, args);
}

PUBLIC void syslog(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsyslog(priority, format, args);
	va_end(args);
}

/* Those of programs that were built with _FORTIFY_SOURCE. */
PUBLIC void __vsyslog_chk(int priority, int flag, const char *format, va_list args);
PUBLIC void __vsyslog_chk(int priority, int flag, const char *format, va_list args)
{
	(void)flag;
	vsyslog(priority, format, args);
}

PUBLIC void __syslog_chk(int priority, int flag, const char *format, ...);
PUBLIC void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list args;

	(void)flag;
	va_start(args, format);
	vsyslog(priority, format, args);
	va_end(args);
}
