/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "log-has": lines of a file that programs write. See sim/property/property-condition.h.
 *
 * What has been read stays read: a file is taken up where it ended, and one that has become shorter
 * from its beginning. A line counts once it has its end.
 */
#include "sim/property/property-condition.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PIECE = 65536,
	LINE_MAX_SIZE = 1 << 20,	/* of what is kept of a line that does not end */
	LINE_SHOWN = 200,
};

struct log {
	off_t at;		/* how far it has been read */
	GString *line;		/* the beginning of the next one */
	char *found;		/* the line that has matched */
};

/* "opensm.log ERR .*": a name without blanks. */
bool condition_log_begin(struct condition *condition, const char *words, char **reterr)
{
	size_t length = strcspn(words, " ");
	const char *pattern = words + length + strspn(words + length, " ");
	const char *directory = getenv("UMADRIG_RUN");
	g_autofree char *name = g_strndup(words, length);
	g_autoptr(GError) error = NULL;
	struct log *log;

	if (!*pattern) {
		*reterr = g_strdup_printf("expected: %s %s", condition->kind->name,
					  condition->kind->arguments);
		return false;
	}
	condition->pattern = g_regex_new(pattern, G_REGEX_RAW, 0, &error);
	if (!condition->pattern) {
		*reterr = g_strdup_printf("'%s': %s", pattern, error->message);
		return false;
	}
	condition->line = g_path_is_absolute(name) || !directory ? g_steal_pointer(&name) :
			  g_build_filename(directory, name, NULL);
	log = condition->data = g_new0(struct log, 1);
	log->line = g_string_new(NULL);
	return true;
}

void condition_log_end(struct condition *condition)
{
	struct log *log = condition->data;

	if (!log)
		return;
	g_string_free(log->line, true);
	g_free(log->found);
	g_clear_pointer(&condition->data, g_free);
}

static void take_line(const struct condition *condition, struct log *log)
{
	g_autofree char *shown = NULL;

	if (!log->found && g_regex_match_full(condition->pattern, log->line->str,
					      (gssize)log->line->len, 0, 0, NULL, NULL)) {
		shown = g_strndup(log->line->str, LINE_SHOWN);
		log->found = g_utf8_make_valid(shown, -1);
	}
	g_string_truncate(log->line, 0);
}

static void take(const struct condition *condition, struct log *log, const char *text, size_t size)
{
	while (size > 0) {
		const char *end = memchr(text, '\n', size);
		size_t length = end ? (size_t)(end - text) : size;

		if (log->line->len < LINE_MAX_SIZE)
			g_string_append_len(log->line, text, (gssize)length);
		if (!end)
			return;
		take_line(condition, log);
		text += length + 1;
		size -= length + 1;
	}
}

/* A pipe or a device is no log: it could keep the fabric waiting. */
static void read_more(const struct condition *condition, struct log *log)
{
	int fd = open(condition->line, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char text[PIECE];
	struct stat stat;
	ssize_t n;

	if (fd < 0)
		return;
	if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode)) {
		if (stat.st_size < log->at) {
			log->at = 0;
			g_string_truncate(log->line, 0);
		}
		while (!log->found && (n = pread(fd, text, sizeof(text), log->at)) > 0) {
			log->at += n;
			take(condition, log, text, (size_t)n);
		}
	}
	close(fd);
}

bool condition_log_has(struct condition *condition, GString *why)
{
	struct log *log = condition->data;
	g_autofree char *name = g_path_get_basename(condition->line);

	if (!log->found)
		read_more(condition, log);
	if (why && log->found)
		g_string_append_printf(why, "%s: %s", name, log->found);
	else if (why)
		g_string_append_printf(why, "%s has no such line", name);
	return log->found;
}
