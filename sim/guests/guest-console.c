/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console of a guest: see sim/guests/guest-console.h.
 */
#include "config.h"

#include "sim/guests/guest-console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/kernels/found-faults.h"

#define PANIC "Kernel panic - not syncing: "

enum {
	LAST_WORDS_SIZE = 4096,
	LAST_WORDS_LINES = 24,	/* a call trace */
	LINE_MAX_SIZE = 512,	/* what is longer is cut */
	READ_SIZE = 4096,
};

int guest_console_open(struct guest_console *console, const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	console->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	console->seen = 0;
	console->line = NULL;
	console->where = NULL;
	console->complaints = 0;
	return console->fd < 0 ? -errno : 0;
}

void guest_console_close(struct guest_console *console)
{
	if (console->fd >= 0)
		close(console->fd);
	console->fd = -1;
	if (console->line)
		g_string_free(g_steal_pointer(&console->line), true);
	g_clear_pointer(&console->where, g_free);
}

static void make_printable(char *text)
{
	for (char *c = text; *c; c++)
		*c = g_ascii_isprint(*c) ? *c : '?';
}

/* ---- complaints ---- */

/* As printk() writes a line: "<4>[    0.010000] text", each part only where it is configured. */
static const char *text_of(const char *line)
{
	if (line[0] == '<' && g_ascii_isdigit(line[1]) && line[2] == '>')
		line += 3;
	if (line[0] == '[') {
		const char *at = line + 1 + strspn(line + 1, " .0123456789");

		if (*at == ']')
			line = at + 1 + (at[1] == ' ');
	}
	return line;
}

static bool is_complaint(const char *text)
{
	static const char *const beginnings[] = {
		"BUG: ",		/* KASAN, KCSAN, a bad pointer, sleep where none may */
		"WARNING: ",		/* WARN(), refcount_t, lockdep */
		"UBSAN: ",
		"Oops",
		"general protection fault",
		"kernel BUG at ",
		PANIC,
		"INFO: possible ",	/* lockdep: a recursion */
		"INFO: suspicious ",	/* lockdep: use of RCU */
		"INFO: task ",		/* hangs */
		"INFO: trying to register non-static key",
		"list_add corruption", "list_del corruption",
		"kmemleak: ",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (g_str_has_prefix(text, beginnings[i]))
			return true;
	return false;
}

static void complain(struct guest_console *console, const char *host, const char *text)
{
	bool is_panic = g_str_has_prefix(text, PANIC);
	bool says_where = console->where && is_panic;
	g_autofree char *fault = g_strconcat("the guest's console: ", text,
					     says_where ? ", in " : "",
					     says_where ? console->where : "", NULL);

	/* A panic is the last one. */
	if (console->complaints++ >= GUEST_COMPLAINTS_MAX && !is_panic) {
		if (console->complaints == GUEST_COMPLAINTS_MAX + 1)
			fprintf(stderr, "umadrig: kernel: %s: there are more faults, which are not "
				"told\n", host);
		return;
	}
	found_faults_keep(host, fault);
	fprintf(stderr, "umadrig: kernel: %s: fault: %s\n", host, fault);
}

static void take_line(struct guest_console *console, const char *host)
{
	const char *text, *where;

	make_printable(console->line->str);
	text = text_of(console->line->str);
	/* "RIP: 0033:ib_post_send_mad+0x2c/0x90" */
	where = g_str_has_prefix(text, "RIP: ") ? strrchr(text, ':') + 1 : NULL;
	if (where && *where) {
		g_free(console->where);
		console->where = g_strdup(where);
	}
	if (is_complaint(text))
		complain(console, host, text);
	g_string_truncate(console->line, 0);
}

static void take(struct guest_console *console, const char *host, const char *text, size_t size)
{
	if (!console->line)
		console->line = g_string_new(NULL);
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			take_line(console, host);
		else if (text[i] != '\r' && console->line->len < LINE_MAX_SIZE)
			g_string_append_c(console->line, text[i]);
	}
}

/* A guest that writes for ever fills no disk. While it waits nothing else is written. */
static void shorten(struct guest_console *console)
{
	char end[LAST_WORDS_SIZE];
	ssize_t size;

	if (console->seen < GUEST_CONSOLE_MAX)
		return;
	size = pread(console->fd, end, sizeof(end), console->seen - (off_t)sizeof(end));
	if (size < 0 || ftruncate(console->fd, 0) < 0)
		return;
	console->seen = MAX(write(console->fd, end, (size_t)size), 0);
}

void guest_console_look(struct guest_console *console, const char *host)
{
	char text[READ_SIZE];
	struct stat status;
	ssize_t size;

	if (console->fd < 0 || fstat(console->fd, &status) < 0 || status.st_size <= console->seen)
		return;
	while ((size = pread(console->fd, text, sizeof(text), console->seen)) > 0) {
		take(console, host, text, (size_t)size);
		console->seen += size;
	}
	shorten(console);
}

bool guest_console_floods(const struct guest_console *console)
{
	struct stat status;

	return console->fd >= 0 && fstat(console->fd, &status) == 0 &&
	       status.st_size - console->seen > GUEST_CONSOLE_TURN_MAX;
}

/* ---- the last words ---- */

static char *read_end(const struct guest_console *console)
{
	struct stat status;
	ssize_t size;
	char *text;

	if (console->fd < 0 || fstat(console->fd, &status) < 0)
		return g_strdup("");
	text = g_malloc(LAST_WORDS_SIZE + 1);
	size = pread(console->fd, text, LAST_WORDS_SIZE, MAX(status.st_size - LAST_WORDS_SIZE, 0));
	for (ssize_t i = 0; i < size; i++)
		text[i] = text[i] ? text[i] : '?';
	text[MAX(size, 0)] = '\0';
	return text;
}

char *guest_console_last_words(const struct guest_console *console, const char *before)
{
	g_autofree char *text = read_end(console);
	g_auto(GStrv) lines = g_strsplit_set(text, "\r\n", -1);
	GString *words = g_string_new(NULL);
	guint count = g_strv_length(lines), first = 0;

	for (guint i = count, seen = 0; i > 0 && seen < LAST_WORDS_LINES; i--) {
		seen += *lines[i - 1] != '\0';
		first = i - 1;
	}
	for (guint i = first; i < count; i++) {
		make_printable(lines[i]);
		if (*lines[i])
			g_string_append_printf(words, "%s%s", before, lines[i]);
	}
	return g_string_free(words, false);
}
