/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that wait while the script goes on: see harness/script/check/script-overlap.h.
 */
#include "harness/script/check/script-overlap.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "harness/script/check/script-calls.h"
#include "harness/script/check/script-checker.h"
#include "harness/script/run/script-expect.h"
#include "harness/script/parse/script-parser.h"
#include "harness/script/run/script-program.h"
#include "harness/script/run/script-verdict.h"

/* One call. Below 'entered' it is the thread's until 'done', all under the overlap's lock. */
struct started {
	struct overlap *overlap;
	const struct step *step;
	struct run_handle *handle;
	bool polls;		/* umad_poll, else umad_recv */
	int timeout_ms;
	pthread_t thread;
	bool noticed;		/* its end is known to the runner */
	bool ended;		/* a line has told of its end */
	bool entered;
	bool done;
	int64_t at_ns;
	int result, error, length;
	uint8_t *umad;
};

struct overlap {
	struct world *world;
	pthread_mutex_t lock;
	pthread_cond_t entered;
	GPtrArray *calls;	/* of struct started *, as they were started */
	int fd;
};

/* ---- parsing ---- */

/* start NAME = call(...) */
bool parse_start(struct parser *parser, struct step *step)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "a name for the call");

	step->verb = STEP_START;
	if (name == NULL || !parser_expect(parser, TOKEN_ASSIGN, "'=' and the call"))
		return false;
	step->bind = name->text;
	step->bind_place = name->place;
	if (parser_accept_word(parser, "run"))
		return parse_run(parser, step);
	if (parser_peek(parser)->kind != TOKEN_WORD ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "a call that waits, as umad_recv(fd)");
		return false;
	}
	step->call = parse_call(parser);
	return step->call != NULL;
}

/* end NAME [or NAME ...] = RESULT */
bool parse_end(struct parser *parser, struct step *step)
{
	step->verb = STEP_END;
	step->ends = script_array(parser->script);
	do {
		const struct token *name =
			parser_expect(parser, TOKEN_WORD, "the name of a call that was started");

		if (name == NULL)
			return false;
		g_ptr_array_add(step->ends, (void *)name->text);
	} while (parser_accept_word(parser, "or"));
	if (parser_peek(parser)->kind != TOKEN_ASSIGN) {
		parser_expected(parser, "'=' and what comes back");
		return false;
	}
	return parse_call_result(parser, step);
}

/* ---- checking ---- */

void check_start(struct checker *checker, struct step *step)
{
	struct call_args args;
	const struct call_kind *kind = check_call_args(checker, step, &args);

	if (kind == NULL)
		return;
	if (!kind->waits)
		check_error(checker, step->call->place,
			    "%s() comes back at once: only umad_recv() and umad_poll() are started",
			    kind->name);
	if (step->time.kind != STEP_TIME_POINT)
		check_error(checker, step->time.place,
			    "a call is started at a point in time, as +1ms");
	check_bind(checker, step->bind_place, step->bind, VAR_STARTED);
	g_ptr_array_add(checker->started, step);
}

struct step *check_find_start(struct checker *checker, const char *name)
{
	for (guint i = 0; i < checker->started->len; i++) {
		struct step *start = checker->started->pdata[i];

		if (strcmp(start->bind, name) == 0)
			return start;
	}
	return NULL;
}

void check_end(struct checker *checker, struct step *step)
{
	const struct call_kind *kind;
	const char *suggestion;

	for (guint i = 0; i < step->ends->len; i++) {
		const char *name = step->ends->pdata[i];
		const struct step *start = check_find_start(checker, name);

		if (start == NULL) {
			if (!check_is_lost(checker, name))
				check_error(checker, step->place, "no line above starts a call %s",
					    name);
			return;
		}
		if (start->verb == STEP_RUN) {
			check_program_end(checker, step, start);
			return;
		}
		if (step->call != NULL && strcmp(step->call->name, start->call->name) != 0) {
			check_error(checker, step->place, "%s is another call: %s()", name,
				    start->call->name);
			return;
		}
		step->call = start->call;
	}
	if (++checker->ended > checker->started->len) {
		check_error(checker, step->place, "more calls end than were started");
		return;
	}
	kind = call_find(step->call->name, &suggestion);
	check_result(checker, step, kind, kind->is_recv);
}

/* ---- the threads ---- */

struct overlap *overlap_new(struct world *world)
{
	struct overlap *overlap = g_new0(struct overlap, 1);

	overlap->world = world;
	overlap->calls = g_ptr_array_new();
	overlap->fd = -1;
	pthread_mutex_init(&overlap->lock, NULL);
	pthread_cond_init(&overlap->entered, NULL);
	return overlap;
}

int overlap_fd(const struct overlap *overlap)
{
	return overlap->fd;
}

static void set_entered(struct started *call)
{
	struct overlap *overlap = call->overlap;

	if (overlap->world->kind->thread_enter != NULL)
		overlap->world->kind->thread_enter(overlap->world);
	pthread_mutex_lock(&overlap->lock);
	call->entered = true;
	pthread_cond_signal(&overlap->entered);
	pthread_mutex_unlock(&overlap->lock);
}

/* Time moves no earlier than that the runner can see that the call is back, and when. */
static void set_done(struct started *call, int result, int error)
{
	struct overlap *overlap = call->overlap;
	uint64_t one = 1;
	ssize_t written;

	pthread_mutex_lock(&overlap->lock);
	call->at_ns = overlap->world->kind->now_ns(overlap->world);
	call->result = result;
	call->error = error;
	call->done = true;
	pthread_mutex_unlock(&overlap->lock);
	written = write(overlap->fd, &one, sizeof(one));
	(void)written;
	if (overlap->world->kind->thread_leave != NULL)
		overlap->world->kind->thread_leave(overlap->world);
}

static void *wait_in_call(void *data)
{
	struct started *call = data;
	int result, before;

	/* Where nothing else ends a wait it is cancelled, in poll(2) and nowhere else. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	set_entered(call);
	errno = 0;
	pthread_setcancelstate(before, NULL);
	if (call->polls)
		result = umad_poll(call->handle->fd, call->timeout_ms);
	else
		result = umad_recv(call->handle->fd, call->umad, &call->length, call->timeout_ms);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	set_done(call, result, errno);
	return NULL;
}

static int overlap_begin(struct overlap *overlap, struct started *call)
{
	int status;

	if (overlap->fd < 0)
		overlap->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (overlap->fd < 0)
		return -errno;
	status = pthread_create(&call->thread, NULL, wait_in_call, call);
	if (status != 0)
		return -status;
	g_ptr_array_add(overlap->calls, call);
	pthread_mutex_lock(&overlap->lock);
	while (!call->entered)
		pthread_cond_wait(&overlap->entered, &overlap->lock);
	pthread_mutex_unlock(&overlap->lock);
	call->handle->waiting++;
	return 0;
}

static bool is_done(struct started *call)
{
	bool done;

	pthread_mutex_lock(&call->overlap->lock);
	done = call->done;
	pthread_mutex_unlock(&call->overlap->lock);
	return done;
}

void overlap_collect(struct overlap *overlap)
{
	uint64_t count;
	ssize_t got = overlap->fd < 0 ? 0 : read(overlap->fd, &count, sizeof(count));

	(void)got;
	for (guint i = 0; i < overlap->calls->len; i++) {
		struct started *call = overlap->calls->pdata[i];

		if (call->noticed || !is_done(call))
			continue;
		call->noticed = true;
		call->handle->waiting--;
	}
}

void overlap_cancel(struct overlap *overlap)
{
	for (guint i = 0; i < overlap->calls->len; i++)
		pthread_cancel(((struct started *)overlap->calls->pdata[i])->thread);
}

static void started_free(struct started *call)
{
	g_free(call->umad);
	g_free(call);
}

void overlap_free(struct overlap *overlap)
{
	if (overlap == NULL)
		return;
	for (guint i = 0; i < overlap->calls->len; i++) {
		struct started *call = overlap->calls->pdata[i];

		pthread_join(call->thread, NULL);
		started_free(call);
	}
	g_ptr_array_unref(overlap->calls);
	if (overlap->fd >= 0)
		close(overlap->fd);
	pthread_mutex_destroy(&overlap->lock);
	pthread_cond_destroy(&overlap->entered);
	g_free(overlap);
}

/* ---- running ---- */

void run_start(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct call_args args;
	struct started *call;
	const char *suggestion;
	const struct call_kind *kind = call_find(step->call->name, &suggestion);
	const struct expr *timeout;
	g_autofree char *note = NULL;
	int status;

	call_bind_args(run->script->diagnostics, kind, step->call, &args);
	timeout = args.at[WAIT_AT_TIMEOUT];
	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	call = g_new0(struct started, 1);
	call->overlap = run->overlap;
	call->step = step;
	call->handle = call_handle(run, args.at[WAIT_AT_HANDLE]);
	call->polls = !kind->is_recv;
	call->timeout_ms = timeout != NULL ? (int)arg_ms(run, timeout) : -1;
	call->length = RECV_BUFFER_SIZE - 64;
	call->umad = g_malloc0(RECV_BUFFER_SIZE);
	status = overlap_begin(run->overlap, call);
	if (status < 0) {
		run_fail(run, step->place, "the call cannot be started: %s", g_strerror(-status));
		started_free(call);
		return;
	}
	note = g_strdup_printf("start %s = %s()", step->bind, step->call->name);
	run_note(run, run_now(run), "", note, "ok");
	/* On the simulator it has come as far as it can by then. */
	run_advance(run, run_now(run));
}

static bool is_named(const struct step *step, const char *name)
{
	for (guint i = 0; i < step->ends->len; i++) {
		if (strcmp(step->ends->pdata[i], name) == 0)
			return true;
	}
	return false;
}

/* Of the calls that the line names the one that came back first, or NULL. */
static struct started *first_back(struct run *run, const struct step *step)
{
	struct started *first = NULL;

	for (guint i = 0; i < run->overlap->calls->len; i++) {
		struct started *call = run->overlap->calls->pdata[i];

		if (call->ended || !call->noticed || !is_named(step, call->step->bind))
			continue;
		if (first == NULL || call->at_ns < first->at_ns)
			first = call;
	}
	return first;
}

static void call_instance(const struct started *call, struct mad_instance *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->result[TERM_RESULT_ERRNO] = call->error;
	ret->result[TERM_RESULT_ID] = call->result;
	if (call->polls || call->result < 0)
		return;
	memcpy(ret->umad, call->umad, sizeof(ret->umad));
	memcpy(ret->mad, call->umad + 64, MAD_SIZE);
	ret->message = call->umad + 64;
	ret->message_size = (size_t)call->length;
	ret->result[TERM_RESULT_LENGTH] = call->length;
}

void run_ended(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance;
	struct started *call;

	if (programs_end(run, step))
		return;
	/* '*': when it came back is no matter, also where that is seen later. */
	if (step->time.kind == STEP_TIME_ANY)
		due.low_ns = 0;
	run_collect(run);
	while ((call = first_back(run, step)) == NULL && !run_failed(run)) {
		if (!run_advance_once(run, due.high_ns))
			break;
	}
	if (call == NULL)
		call = first_back(run, step);
	if (run_failed(run))
		return;
	if (call == NULL) {
		fail_expected(run, step, &due);
		run_fail(run, step->place, "%s() has not come back up to %s", step->call->name,
			 say_time(due.high_ns));
		return;
	}
	call->ended = true;
	if (call->at_ns < due.low_ns || call->at_ns > due.high_ns) {
		fail_time(run, step, &due, call->at_ns, step->call->name);
		return;
	}
	call_instance(call, &instance);
	expect_value(run, step, call->result);
	expect_fields(run, step, &instance, !call->polls && call->result >= 0);
	step_done(run, step, &due, MAX(call->at_ns, run->base_ns));
	note_call(run, step, call->result);
}
