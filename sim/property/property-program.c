/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "program": a command of the user's that says whether the condition is true, by its exit status.
 * See sim/property/property-condition.h.
 *
 * It runs among the session's programs, in their time: it may ask the fabric by MADs, or its
 * console. So there is no answer at the instant of the question. What it has said last counts, and
 * it is not asked again before it has ended.
 */
#include "sim/property/property-condition.h"

#include <string.h>
#include <sys/wait.h>

#include "lib/words/duration.h"
#include "sim/fabric/fabric-programs.h"
#include "sim/time/event-queue.h"

static const int64_t usual_every_ns = INT64_C(10) * NS_PER_S;

enum { SAID_SHOWN = 200 };

struct program {
	struct condition *condition;
	struct event tick;
	int64_t every_ns;
	int64_t number;		/* of the one that runs; 0: none does */
	int status;		/* of the last one */
	char *said;
};

/* ---- its words ---- */

/* Cuts "every TIME" off the end. False: it is no time. */
static bool take_every(char *text, int64_t *ret_ns, char **reterr)
{
	static const char word[] = " every ";
	char *at = g_strrstr(text, word);
	int err;

	/* It is one of the command's. */
	if (!at || strpbrk(at + strlen(word), " '\""))
		return true;
	err = duration_parse(at + strlen(word), ret_ns);
	if (err < 0 || *ret_ns < NS_PER_MS) {
		*reterr = g_strdup_printf("'%s': expected %s", at + strlen(word),
					  duration_expected(err, "a time of 1ms or more, such as "
							    "10s"));
		return false;
	}
	*at = '\0';
	return true;
}

/* 'a b' is a b. NULL: it is no command. */
static char *command_of(char *text)
{
	size_t length = strlen(g_strstrip(text));

	if (text[0] != '\'')
		return length ? g_strdup(text) : NULL;
	return length > 2 && text[length - 1] == '\'' ? g_strndup(text + 1, length - 2) : NULL;
}

/* ---- its life ---- */

static void tick_fire(struct event *event)
{
	struct program *program = container_of(event, struct program, tick);
	struct condition *condition = program->condition;

	if (condition->is_over)
		return;
	event_queue_arm(&condition->fabric->queue, event,
			condition->fabric->queue.now_ns + program->every_ns);
	if (!condition->is_asked)
		condition_program_ask(condition);
}

bool condition_program_begin(struct condition *condition, const char *words, char **reterr)
{
	const struct umadrig_fabric *fabric = condition->fabric;
	g_autofree char *text = g_strdup(words);
	g_autoptr(GString) why = g_string_new(NULL);
	int64_t every_ns = usual_every_ns;
	struct program *program;

	if (!take_every(text, &every_ns, reterr))
		return false;
	condition->line = command_of(text);
	if (!condition->line) {
		*reterr = g_strdup_printf("expected: %s %s", condition->kind->name,
					  condition->kind->arguments);
		return false;
	}
	if (!fabric->programs_known)
		g_string_append(why, "this fabric knows of no programs: 'umadrig exec' with "
				"clock=virtual and 'umadrig explore' do");
	else
		fabric->programs_known->expect(fabric->programs_known_ctx, why);
	if (why->len > 0) {
		*reterr = g_strdup(why->str);
		return false;
	}
	program = condition->data = g_new0(struct program, 1);
	*program = (struct program){
		.condition = condition, .tick = { .kind = EVENT_USER, .fire = tick_fire },
		.every_ns = every_ns,
	};
	condition->is_unknown = true;
	event_queue_arm(&condition->fabric->queue, &program->tick,
			fabric->queue.now_ns + every_ns);
	return true;
}

static void forget(struct program *program)
{
	const struct umadrig_fabric *fabric = program->condition->fabric;

	if (program->number > 0 && fabric->programs_known)
		fabric->programs_known->forget(fabric->programs_known_ctx, program->number);
	program->number = 0;
}

void condition_program_end(struct condition *condition)
{
	struct program *program = condition->data;

	if (!program)
		return;
	event_queue_disarm(&condition->fabric->queue, &program->tick);
	forget(program);
	g_free(program->said);
	g_clear_pointer(&condition->data, g_free);
}

/* ---- asking ---- */

static void told(void *ctx, int status, const char *said)
{
	struct program *program = ctx;
	struct condition *condition = program->condition;

	program->number = 0;
	program->status = status;
	g_free(program->said);
	program->said = g_utf8_substring(said, 0, MIN(g_utf8_strlen(said, -1), SAID_SHOWN));
	condition->is_asked = condition->is_unknown = false;
	if (condition->changed)
		condition->changed(condition->fabric);
}

/* One that runs was asked too early to count. */
void condition_program_ask(struct condition *condition)
{
	const struct umadrig_fabric *fabric = condition->fabric;
	struct program *program = condition->data;
	g_autoptr(GString) why = g_string_new(NULL);
	int64_t number;

	forget(program);
	number = fabric->programs_known->start(fabric->programs_known_ctx, condition->line, told,
					       program, why);
	/* At the session's end nobody is there any more; what was said last counts. */
	program->number = MAX(number, 0);
	condition->is_asked = number > 0;
}

/* ---- the condition ---- */

bool condition_program(struct condition *condition, GString *why)
{
	const struct program *program = condition->data;
	bool has_exited = WIFEXITED(program->status);

	if (condition->is_unknown) {
		if (why)
			g_string_append(why, "it has not been asked");
		return false;
	}
	if (why)
		g_string_append_printf(why, has_exited ? "it exits with %d" : "signal %d ends it",
				       has_exited ? WEXITSTATUS(program->status) :
				       WTERMSIG(program->status));
	if (why && *program->said)
		g_string_append_printf(why, " (%s)", program->said);
	return has_exited && WEXITSTATUS(program->status) == 0;
}
