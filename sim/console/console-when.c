/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines for when something happens: see sim/console/console-when.h; and signals to programs.
 */
#include "sim/console/console-when.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "sim/console/console-entry.h"
#include "sim/console/console-json.h"
#include "sim/console/console-property.h"
#include "sim/console/console-schedule.h"
#include "sim/console/console.h"
#include "sim/fabric/fabric-programs.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/property/property-condition.h"
#include "sim/property/property.h"

struct trigger {
	struct console_entry entry;	/* first */
	struct umadrig_fabric *fabric;
	int rule, property;	/* what tells: one of them, the other is 0 */
	char *event, *line;
	uint64_t times;		/* so far */
	console_run_fn *run;
	bool is_guest;
};

/* A packet is on its way: the line comes behind it. */
static void happened(void *ctx)
{
	struct trigger *trigger = ctx;
	struct console console = {
		.fabric = trigger->fabric, .run = trigger->run, .is_guest = trigger->is_guest,
	};

	trigger->times++;
	schedule_add(&console, trigger->line, 0, 0, 0, 0);
}

static void trigger_free(struct console_entry *entry)
{
	struct trigger *trigger = (struct trigger *)entry;

	if (trigger->rule > 0)
		fault_remove(trigger->fabric, trigger->rule);
	if (trigger->property > 0)
		property_remove(trigger->fabric, trigger->property);
	g_free(trigger->event);
	g_free(trigger->line);
	g_free(trigger);
}

void triggers_clear(struct umadrig_fabric *fabric)
{
	console_entries_clear(&fabric->triggers, trigger_free);
}

/* ---- what is waited for ---- */

static bool is_condition(const char *event)
{
	size_t length = strcspn(event, " ");

	if (strstr(event, " = "))
		return true;
	for (const struct condition_kind *kind = condition_kinds; kind->name; kind++) {
		if (strlen(kind->name) == length && strncmp(kind->name, event, length) == 0)
			return true;
	}
	return false;
}

static int wait_for_condition(struct console *console, struct trigger *trigger)
{
	const struct property_order order = {
		.kind = PROPERTY_SOMETIMES, .condition = trigger->event, .within_ns = -1,
		.ask = console->ask, .met = happened, .ctx = trigger,
	};
	g_autofree char *why = NULL;

	trigger->property = property_add(console->fabric, &order, &why);
	return trigger->property < 0 ?
	       console_fail(console, trigger->property, "%s", why) : 0;
}

/* The words of a rule behind its action: it is read as that of one that drops. */
static int wait_for_mad(struct console *console, struct trigger *trigger)
{
	g_autofree char *rule = g_strconcat("drop ", trigger->event, NULL);
	g_autofree char *before = g_strdup_printf("fault=%s: ", rule);
	struct umadrig_fault fault;
	char why[512];

	if (fault_text_parse(rule, &fault, why, sizeof(why)) < 0)
		return console_fail(console, -EINVAL, "when %s: %s", trigger->event,
				    g_str_has_prefix(why, before) ? why + strlen(before) : why);
	trigger->rule = fault_watch(console->fabric, &fault, happened, trigger, why, sizeof(why));
	fault_text_clear(&fault);
	return trigger->rule < 0 ? console_fail(console, trigger->rule, "%s", why) : 0;
}

/* ---- verbs ---- */

static unsigned int find_do(const struct console_words *words)
{
	unsigned int at = 0;

	while (at < words->count && strcmp(words->at[at], "do") != 0)
		at++;
	return at;
}

int console_when(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	unsigned int at = find_do(words);
	struct trigger *trigger;
	char *line;
	int ret;

	/* A line for each packet is as much as whoever runs the server may ask of it. */
	if (console_may_look(console) < 0)
		return -EPERM;
	if (at == 0 || at + 1 >= words->count)
		return console_fail(console, -EINVAL, "expected: when EVENT do COMMAND");
	line = schedule_line(console, words, at + 1);
	if (!line)
		return -EINVAL;
	trigger = g_new0(struct trigger, 1);
	*trigger = (struct trigger){
		.entry.id = fabric->trigger_last_id + 1, .fabric = fabric, .line = line,
		.event = console_join(words, 0, at), .run = console->run,
		.is_guest = console->is_guest,
	};
	ret = is_condition(trigger->event) ? wait_for_condition(console, trigger) :
	      wait_for_mad(console, trigger);
	if (ret < 0) {
		trigger_free(&trigger->entry);
		return ret;
	}
	console_entries_add(&fabric->triggers, &trigger->entry);
	fabric->trigger_last_id = trigger->entry.id;
	return console_answer_id(console, trigger->entry.id);
}

static void list_one(struct console *console, const struct trigger *trigger)
{
	int64_t matched = trigger->rule > 0 ? fault_seen(trigger->fabric, trigger->rule) : -1;

	if (!console->json) {
		g_string_append_printf(console->out, "%d\t%s\t%s\t%" PRIu64 " times",
				       trigger->entry.id, trigger->event, trigger->line,
				       trigger->times);
		if (matched >= 0)
			g_string_append_printf(console->out, "\tof %" PRId64, matched);
		g_string_append_c(console->out, '\n');
		return;
	}
	json_open(console->json, '{');
	json_unsigned(json_name(console->json, "id"), (uint64_t)trigger->entry.id);
	json_string(json_name(console->json, "event"), trigger->event);
	json_string(json_name(console->json, "line"), trigger->line);
	json_unsigned(json_name(console->json, "times"), trigger->times);
	if (matched >= 0)
		json_unsigned(json_name(console->json, "matched"), (uint64_t)matched);
	json_close(console->json, '}');
}

int console_when_list(struct console *console, const struct console_words *words)
{
	(void)words;
	if (console->json)
		json_open(console->json, '[');
	for (const struct console_entry *at = console->fabric->triggers; at; at = at->next)
		list_one(console, (const struct trigger *)at);
	if (console->json)
		json_close(console->json, ']');
	return 0;
}

int console_when_remove(struct console *console, const struct console_words *words)
{
	return console_entries_remove(console, &console->fabric->triggers, words->at[0],
				      "when list", trigger_free);
}

/* ---- signals ---- */

static int parse_signal(const char *word)
{
	static const struct { const char *name; int sig; } names[] = {
		{ "KILL", SIGKILL }, { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "INT", SIGINT },
		{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "QUIT", SIGQUIT },
		{ "ABRT", SIGABRT }, { "SEGV", SIGSEGV }, { "ALRM", SIGALRM },
		{ "STOP", SIGSTOP }, { "CONT", SIGCONT },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(word, names[i].name) == 0)
			return names[i].sig;
	}
	return 0;
}

/*
 * By the schedule: then all programs wait. One who asks over a server's socket may do so while some
 * program runs.
 */
int console_signal(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *line = NULL;
	int ret, sig = parse_signal(words->at[1]);

	if (sig == 0)
		return console_expected(console, words->at[1], "KILL, TERM, HUP, STOP, CONT, INT, "
					"QUIT, USR1, USR2, ALRM, ABRT or SEGV");
	if (console->is_guest)
		return console_fail(console, -EPERM, "only the server's own user may send signals");
	if (!fabric->programs_known)
		return console_fail(console, -EOPNOTSUPP, "this fabric knows of no programs: "
				    "'umadrig exec' and 'umadrig explore' do");
	if (console->server) {
		line = g_strdup_printf("signal %s %s", words->at[0], words->at[1]);
		schedule_add(console, line, 0, 0, 0, 0);
		return 0;
	}
	ret = fabric->programs_known->signal(fabric->programs_known_ctx, words->at[0], sig, why);
	return ret < 0 ? console_fail(console, ret, "%s", why->str) : 0;
}
