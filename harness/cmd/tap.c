/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * TAP 13 on stdout.
 */
#include "harness/cmd/tap.h"

#include <stdio.h>
#include <string.h>

static unsigned int points;

static char safe(char c)
{
	return c == '#' ? '/' : (unsigned char)c < ' ' ? ' ' : c;
}

static void print_safe(const char *text)
{
	for (; *text != '\0'; text++)
		putchar(safe(*text));
}

char *tap_name(const char *name)
{
	char *printed = g_strdup(name);

	for (char *at = printed; *at != '\0'; at++)
		*at = safe(*at);
	return printed;
}

void tap_begin(void)
{
	points = 0;
	puts("TAP version 13");
}

void tap_plan(unsigned int count)
{
	printf("1..%u\n", count);
	fflush(stdout);
}

void tap_plan_empty(const char *reason)
{
	fputs("1..0 # SKIP ", stdout);
	print_safe(reason);
	putchar('\n');
}

void tap_comment(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		if (line[0][0] != '\0' || line[1])
			printf("#%s%s\n", line[0][0] != '\0' ? " " : "", *line);
	}
	fflush(stdout);
}

static void print_point(const char *verdict, const char *name)
{
	printf("%s %u - ", verdict, ++points);
	print_safe(name);
}

void tap_ok(const char *name)
{
	print_point("ok", name);
	putchar('\n');
	fflush(stdout);
}

/* "VERDICT 3 - NAME", the directive, the reason. */
static void print_directive(const char *verdict, const char *name, const char *directive,
			    const char *reason)
{
	print_point(verdict, name);
	fputs(directive, stdout);
	/* Only the first '#' of a line means anything. */
	for (const char *p = reason; *p != '\0'; p++)
		putchar((unsigned char)*p < ' ' ? ' ' : *p);
	putchar('\n');
	fflush(stdout);
}

void tap_skip(const char *name, const char *reason)
{
	print_directive("ok", name, " # SKIP ", reason);
}

void tap_todo(const char *name, const char *issue)
{
	print_directive("not ok", name, " # TODO ", issue);
}

void tap_not_ok(const char *name)
{
	print_point("not ok", name);
	putchar('\n');
	fflush(stdout);
}

void tap_yaml_begin(void)
{
	puts("  ---");
}

void tap_yaml(const char *key, const char *value)
{
	printf("  %s: %s\n", key, value);
}

static void put_quoted(char c)
{
	if (c == '"' || c == '\\')
		printf("\\%c", c);
	else if (c == '\n')
		fputs("\\n", stdout);
	else if ((unsigned char)c < ' ')
		printf("\\x%02x", (unsigned char)c);
	else
		putchar(c);
}

void tap_yaml_quoted(const char *key, const char *value)
{
	printf("  %s: \"", key);
	for (const char *p = value; *p != '\0'; p++)
		put_quoted(*p);
	puts("\"");
}

/* YAML reads it as itself: no line end, no "# ", no ": ", no sign of another kind in front. */
static bool is_plain(const char *value)
{
	static const char first[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._/";
	static const char others[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._/:@,+~%=-";

	return strspn(value, first) > 0 && value[strspn(value, others)] == '\0' &&
	       !g_str_has_suffix(value, ":");
}

void tap_yaml_place(const char *key, const char *value)
{
	if (is_plain(value))
		tap_yaml(key, value);
	else
		tap_yaml_quoted(key, value);
}

void tap_yaml_end(void)
{
	puts("  ...");
	fflush(stdout);
}

void tap_bail_out(const char *reason)
{
	fputs("Bail out! ", stdout);
	print_safe(reason);
	putchar('\n');
	fflush(stdout);
}
