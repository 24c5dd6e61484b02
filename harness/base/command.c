/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What all commands share: errors about the command line, and where umadrig's own arguments end.
 */
#include "harness/base/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

GQuark command_error_quark(void)
{
	return g_quark_from_static_string("umadrig-command");
}

int command_error(const char *name, int status, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

int command_usage(const char *name, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry '%s --help'.\n", name);
	return COMMAND_USAGE;
}

int command_bad_value(const char *name, const char *option, const char *value,
		      const char *expected)
{
	return command_usage(name, "%s %s: expected %s", option, value, expected);
}

int command_finish_output(const char *name, int status)
{
	int failure = status == COMMAND_OK ? COMMAND_FAILED : status;

	if (fflush(stdout) != 0)
		return command_error(name, failure, "cannot write the output: %s", strerror(errno));
	if (ferror(stdout))
		return command_error(name, failure, "cannot write the output");
	return status;
}

bool command_parse(GOptionContext *context, int *argc, char ***argv, GError **error)
{
	const char *description = g_option_context_get_description(context);
	g_autofree char *page = g_strdelimit(g_strdup((*argv)[0]), " ", '-');
	g_autofree char *whole = g_strdup_printf("%s%sSee %s(1).", description ? description : "",
						 description ? "\n\n" : "", page);

	g_option_context_set_description(context, whole);
	return g_option_context_parse(context, argc, argv, error);
}

char **command_split(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		argv[i] = NULL;
		*argc = i;
		return argv[i + 1] ? argv + i + 1 : NULL;
	}
	return NULL;
}
