/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines for later: see sim/console/console-schedule.h.
 */
#include "sim/console/console-schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/duration.h"
#include "sim/console/console-entry.h"
#include "sim/console/console-json.h"
#include "sim/fabric/fabric-programs.h"
#include "sim/fabric/fabric.h"

struct scheduled {
	struct console_entry entry;	/* first */
	struct event event;
	struct umadrig_fabric *fabric;
	char *line;
	int64_t every_ns;
	uint64_t left;			/* 0: without an end */
	console_run_fn *run;
	bool is_guest;
};

static void scheduled_free(struct console_entry *entry)
{
	struct scheduled *at = (struct scheduled *)entry;

	event_queue_disarm(&at->fabric->queue, &at->event);
	g_free(at->line);
	g_free(at);
}

/* It is armed again before the line is carried out, which may end it. */
static void scheduled_fire(struct event *event)
{
	struct scheduled *at = container_of(event, struct scheduled, event);
	struct console console = { .fabric = at->fabric, .is_guest = at->is_guest };
	int64_t now_ns = at->fabric->queue.now_ns;
	g_autofree char *line = g_strdup(at->line);
	console_run_fn *run = at->run;

	if (at->every_ns && at->left != 1) {
		at->left -= at->left > 0;
		event_queue_arm(&at->fabric->queue, &at->event, now_ns + at->every_ns);
	} else {
		console_entries_take(&at->fabric->scheduled, &at->entry);
		scheduled_free(&at->entry);
	}
	console.out = g_string_new(NULL);
	if (run(&console, line) < 0)
		fprintf(stderr, "umadrig: at %.3fs: %s: %s\n", (double)now_ns / NS_PER_S, line,
			console.error);
	g_string_free(console.out, true);
	g_free(console.error);
}

int schedule_add(struct console *console, const char *line, int64_t first_ns, int64_t every_ns,
		 uint64_t times, int id)
{
	struct umadrig_fabric *fabric = console->fabric;
	struct scheduled *at = g_new0(struct scheduled, 1);

	*at = (struct scheduled) {
		.entry.id = id ? id : ++fabric->scheduled_last_id,
		.event = { .kind = EVENT_TIMER, .fire = scheduled_fire },
		.fabric = fabric,
		.line = g_strdup(line),
		.every_ns = every_ns,
		.left = times,
		.run = console->run,
		.is_guest = console->is_guest,
	};
	console_entries_add(&fabric->scheduled, &at->entry);
	event_queue_arm(&fabric->queue, &at->event, fabric->queue.now_ns + first_ns);
	return at->entry.id;
}

void schedule_end_repeated(struct umadrig_fabric *fabric)
{
	for (struct console_entry *at = fabric->scheduled, *next; at; at = next) {
		next = at->next;
		if (((const struct scheduled *)at)->every_ns == 0)
			continue;
		console_entries_take(&fabric->scheduled, at);
		scheduled_free(at);
	}
}

void schedule_clear(struct umadrig_fabric *fabric)
{
	console_entries_clear(&fabric->scheduled, scheduled_free);
}

/* ---- verbs ---- */

/* Those that wait, make entries, end the server, or are about the one who asks. */
static bool is_for_now(enum console_verb_id id)
{
	switch ((int)id) {
	case CONSOLE_DO_WAIT:
	case CONSOLE_DO_AFTER:
	case CONSOLE_DO_EVERY:
	case CONSOLE_DO_LINK_FLAP:
	case CONSOLE_DO_WHEN:
	case CONSOLE_DO_JSON:
	case CONSOLE_DO_ATTACHED:
	case CONSOLE_DO_DISCONNECT:
	case CONSOLE_DO_QUIT:
		return true;
	}
	return false;
}

int schedule_expect_start(struct console *console)
{
	const struct umadrig_fabric *fabric = console->fabric;
	g_autoptr(GString) why = g_string_new(NULL);
	int ret;

	if (console->is_guest)
		return console_fail(console, -EPERM, "only the server's own user may start "
				    "programs");
	if (!fabric->programs_known)
		return console_fail(console, -EOPNOTSUPP, "this fabric knows of no programs: "
				    "'umadrig exec' with clock=virtual and 'umadrig explore' do");
	ret = fabric->programs_known->expect(fabric->programs_known_ctx, why);
	return ret < 0 ? console_fail(console, ret, "%s", why->str) : 0;
}

char *schedule_line(struct console *console, const struct console_words *words, unsigned int from)
{
	struct console_words rest = { 0 };
	const struct console_verb *verb;
	GString *line = g_string_new(NULL);
	char *why = NULL;
	unsigned int used;

	for (unsigned int i = from; i < words->count; i++) {
		rest.at[rest.count++] = words->at[i];
		g_string_append_printf(line, "%s%s", i > from ? " " : "", words->at[i]);
	}
	verb = console_verb_find(&rest, &used, &why);
	if (!verb) {
		console_fail(console, -EINVAL, "%s", why);
		g_free(why);
	} else if (is_for_now(verb->id)) {
		console_fail(console, -EINVAL, "'%s' cannot be done later", verb->name);
	} else if (verb->id != CONSOLE_DO_START || rest.count == used ||
		   schedule_expect_start(console) == 0) {
		return g_string_free(line, false);
	}
	g_string_free(line, true);
	return NULL;
}

static int parse_time(struct console *console, const char *word, int64_t *ret_ns)
{
	int err = duration_parse(word, ret_ns);

	if (err == 0 && *ret_ns > 0)
		return 0;
	return console_expected(console, word, duration_expected(err, "a time, such as 60s"));
}

/* More often, and a server has no time for anything else. */
static int parse_every(struct console *console, const char *word, int64_t *ret_ns)
{
	int err = duration_parse(word, ret_ns);

	if (err == 0 && *ret_ns >= NS_PER_MS)
		return 0;
	return console_expected(console, word,
				duration_expected(err, "a time of 1ms or more, such as 60s"));
}

int console_after(struct console *console, const struct console_words *words)
{
	g_autofree char *line = NULL;
	int64_t time_ns;
	int ret = parse_time(console, words->at[0], &time_ns);

	if (ret < 0)
		return ret;
	line = schedule_line(console, words, 1);
	if (!line)
		return -EINVAL;
	return console_answer_id(console, schedule_add(console, line, time_ns, 0, 0, 0));
}

int console_every(struct console *console, const struct console_words *words)
{
	g_autofree char *line = NULL;
	int64_t time_ns;
	int ret = parse_every(console, words->at[0], &time_ns);

	if (ret < 0)
		return ret;
	line = schedule_line(console, words, 1);
	if (!line)
		return -EINVAL;
	return console_answer_id(console, schedule_add(console, line, time_ns, time_ns, 0, 0));
}

/* NODE[PORT] down TIME every TIME [times N] */
int console_link_flap(struct console *console, const struct console_words *words)
{
	g_autofree char *down = g_strdup_printf("link down %s", words->at[0]);
	g_autofree char *up = g_strdup_printf("link up %s", words->at[0]);
	int64_t down_ns, every_ns;
	uint64_t times = 0;
	struct port *port;
	int id, ret = console_port(console, words->at[0], &port);

	if (ret == 0 && (strcmp(words->at[1], "down") != 0 || strcmp(words->at[3], "every") != 0 ||
			 words->count == 6 || (words->count == 7 && strcmp(words->at[5], "times"))))
		ret = console_expected(console, words->at[1], "down TIME every TIME [times N]");
	if (ret == 0)
		ret = parse_time(console, words->at[2], &down_ns);
	if (ret == 0)
		ret = parse_every(console, words->at[4], &every_ns);
	if (ret == 0 && words->count == 7)
		ret = console_number(console, words->at[6], "how often", UINT32_MAX, &times);
	if (ret < 0)
		return ret;
	if (down_ns >= every_ns)
		return console_fail(console, -EINVAL, "the link is down for %s, and that is not "
				    "less than %s", words->at[2], words->at[4]);
	id = schedule_add(console, down, every_ns, every_ns, times, 0);
	schedule_add(console, up, every_ns + down_ns, every_ns, times, id);
	return console_answer_id(console, id);
}

static void list_one(struct console *console, const struct scheduled *at)
{
	double due_s = (double)at->event.at_ns / NS_PER_S;

	if (console->json) {
		json_open(console->json, '{');
		json_unsigned(json_name(console->json, "id"), (uint64_t)at->entry.id);
		json_string(json_name(console->json, "line"), at->line);
		json_unsigned(json_name(console->json, "due_ns"), (uint64_t)at->event.at_ns);
		json_unsigned(json_name(console->json, "every_ns"), (uint64_t)at->every_ns);
		json_unsigned(json_name(console->json, "left"), at->every_ns ? at->left : 1);
		json_close(console->json, '}');
		return;
	}
	g_string_append_printf(console->out, "%d\t%s\tat %.3fs", at->entry.id, at->line,
			       due_s);
	if (at->every_ns)
		g_string_append_printf(console->out, ", every %.3fs",
				       (double)at->every_ns / NS_PER_S);
	if (at->left)
		g_string_append_printf(console->out, ", %" PRIu64 " times", at->left);
	g_string_append_c(console->out, '\n');
}

int console_schedule_list(struct console *console, const struct console_words *words)
{
	(void)words;
	if (console->json)
		json_open(console->json, '[');
	for (const struct console_entry *at = console->fabric->scheduled; at; at = at->next)
		list_one(console, (const struct scheduled *)at);
	if (console->json)
		json_close(console->json, ']');
	return 0;
}

int console_schedule_remove(struct console *console, const struct console_words *words)
{
	return console_entries_remove(console, &console->fabric->scheduled, words->at[0],
				      "schedule list", scheduled_free);
}
