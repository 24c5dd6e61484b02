/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-environment.h. */
#include "harness/explore/explore-environment.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Whether a variable is in the script, and how. */
enum keeping {
	KEPT,
	LEFT,		/* of a login or a terminal */
	USUAL,		/* the same, but many programs cannot do without */
	BEFORE,		/* a list that comes before another one */
	SECRET,
};

struct rule {
	const char *name;	/* "X*": all that begin so */
	enum keeping keeping;
};

static const struct rule rules[] = {
	{ "_", LEFT }, { "PWD", LEFT }, { "OLDPWD", LEFT }, { "SHLVL", LEFT }, { "MAIL", LEFT },
	{ "TMPDIR", LEFT }, { "HOSTNAME", LEFT }, { "COLUMNS", LEFT }, { "LINES", LEFT },
	{ "LS_COLORS", LEFT }, { "COLORTERM", LEFT }, { "TERM_*", LEFT }, { "VTE_*", LEFT },
	{ "DISPLAY", LEFT }, { "WAYLAND_*", LEFT }, { "WINDOWID", LEFT }, { "XAUTHORITY", LEFT },
	{ "XDG_RUNTIME_DIR", LEFT }, { "XDG_SEAT", LEFT }, { "XDG_SESSION_*", LEFT },
	{ "XDG_VTNR", LEFT }, { "SSH_*", LEFT }, { "DBUS_*", LEFT }, { "GPG_*", LEFT },
	{ "HOME", USUAL }, { "USER", USUAL }, { "LOGNAME", USUAL }, { "SHELL", USUAL },
	{ "TERM", USUAL }, { "PATH", BEFORE },
};

static const char *const secrets[] = {
	"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY",
};

static const char *const locale[] = {
	"LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
	"LC_NUMERIC", "LC_TIME", "TZ",
};

static bool matches(const char *rule, const char *name)
{
	size_t size = strcspn(rule, "*");

	return rule[size] ? strncmp(rule, name, size) == 0 : strcmp(rule, name) == 0;
}

static enum keeping keeping_of(const char *name)
{
	g_autofree char *upper = g_ascii_strup(name, -1);

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		if (matches(rules[i].name, name))
			return rules[i].keeping;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(secrets); i++) {
		if (strstr(upper, secrets[i]))
			return SECRET;
	}
	return KEPT;
}

/* A line for each variable; those of 'KEPT' are words for env(1), for sh(1) knows not all names. */
static void append_variables(GString *text, char *const *environment, enum keeping wanted)
{
	for (; *environment; environment++) {
		size_t size = strcspn(*environment, "=");
		g_autofree char *name = g_strndup(*environment, size);
		g_autofree char *word = g_shell_quote(*environment);
		g_autofree char *quoted = NULL;

		if (!(*environment)[size] || keeping_of(name) != wanted)
			continue;
		quoted = g_shell_quote(*environment + size + 1);
		switch (wanted) {
		case KEPT:
			g_string_append_printf(text, "\t%s \\\n", word);
			break;
		case BEFORE:
			g_string_append_printf(text, "%s=%s${%s:+:$%s}\nexport %s\n", name, quoted,
					       name, name, name);
			break;
		case USUAL:
			g_string_append_printf(text, "[ \"${%s+set}\" ] || %s=%s\nexport %s\n",
					       name, name, quoted, name);
			break;
		case SECRET:
			g_string_append_printf(text, "# Not kept, for its name: %s\n", name);
			break;
		case LEFT:
			break;
		}
	}
}

char *explore_environment_script(char *const *environment, const char *directory,
				 const char *program, const char *command)
{
	GString *text = g_string_new("#!/bin/sh\n# Repeats a failure of umadrig explore, in the "
				     "environment that it had.\n");
	g_autofree char *there = g_shell_quote(directory);
	g_autofree char *umadrig = g_shell_quote(program ? program : "umadrig");

	append_variables(text, environment, SECRET);
	g_string_append_printf(text, "cd %s || echo \"$0: goes on in $PWD\" >&2\n", there);
	g_string_append(text, "unset");
	for (size_t i = 0; i < G_N_ELEMENTS(locale); i++)
		g_string_append_printf(text, " %s", locale[i]);
	g_string_append_c(text, '\n');
	append_variables(text, environment, BEFORE);
	append_variables(text, environment, USUAL);
	g_string_append_printf(text, "umadrig=%s\n[ -x \"$umadrig\" ] || umadrig=umadrig\n",
			       umadrig);
	g_string_append(text, "exec env \\\n");
	append_variables(text, environment, KEPT);
	g_string_append_printf(text, "\t\"$umadrig\" %s\n", command + strlen("umadrig "));
	return g_string_free(text, false);
}
