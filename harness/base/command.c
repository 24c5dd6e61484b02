/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What all commands share: errors about the command line, and where umadrig's own arguments end.
 */
#include "harness/base/command.h"

#include <errno.h>
#include <stdarg.h>
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

/* "OPTION VALUE" -> "FILE:LINE: "; look-up only */
static GHashTable *places;

void command_say_at(const char *option, const char *value, const char *place)
{
	if (!places)
		places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_hash_table_insert(places, g_strconcat(option, " ", value, NULL),
			    g_strconcat(place, ": ", NULL));
}

const char *command_said_at(const char *words)
{
	const char *place = places ? g_hash_table_lookup(places, words) : NULL;

	return place ? place : "";
}

int command_bad_value(const char *name, const char *option, const char *value,
		      const char *expected)
{
	g_autofree char *words = g_strconcat(option + strspn(option, "-"), " ", value, NULL);

	return command_usage(name, "%s%s %s: expected %s", command_said_at(words), option, value,
			     expected);
}

/* Ends the text with an option whose values have blanks? */
static bool has_blanks(const char *fabric)
{
	static const char *const names[] = { ",fault=", ",load=", ",quirk=" };
	const char *last = fabric ? strrchr(fabric, ',') : NULL;

	for (size_t i = 0; last && i < G_N_ELEMENTS(names); i++) {
		if (g_str_has_prefix(last, names[i]))
			return true;
	}
	return false;
}

int command_unexpected(const char *name, char *const *args, const char *fabric,
		       char *const *command, const char *advice)
{
	g_autofree char *rest = g_strjoinv(" ", (char **)args);

	if (has_blanks(fabric))
		return command_usage(name, "unexpected argument '%s': the shell has cut --fabric "
				     "off at a blank; put it in quotes: --fabric '%s %s'",
				     args[0], fabric, rest);
	if (command && !fabric && !args[1])
		return command_usage(name, "unexpected argument '%s' before --: a fabric is named "
				     "by an option, as in '%s --fabric %s -- %s'", args[0], name,
				     args[0], command[0]);
	return command_usage(name, "unexpected argument '%s': %s", args[0], advice);
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
