/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Asking again: see sim/ask/ask.h.
 */
#include "sim/ask/ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/replay-asker.h"
#include "sim/capture/replay-question.h"
#include "sim/dictionary/mad-change.h"
#include "sim/dictionary/mad-dictionary.h"

enum { KINDS_MAX = 1000 };	/* kinds of skipped requests that are told apart */

struct run {
	const struct ask_options *options;
	struct ask_port *port;
	struct replay_asker asker;
	const char *interface;	/* of the captured host's port; NULL: not known */
	diff_event_fn *fn;
	void *ctx;
	const char *name;
	FILE *log;
	size_t details;
	GTree *skipped;		/* "SubnSet(PortInfo)" -> how many */
	struct ask_counts counts;
};

bool ask_would_change(const uint8_t *mad)
{
	char words[MAD_CHANGE_SIZE];

	/* What a capture has as a request and is a response has not been asked for. */
	return mad[MAD_METHOD] & MAD_METHOD_RESPONSE || mad_change(mad, words);
}

/* ---- which ---- */

/* The interface at which most questions left: umadrig's captures have one for each port. */
static const char *find_interface(const struct capture *capture)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		const char *name = mad->interface_name;
		size_t count;

		if (!name || mad->direction != CAPTURE_OUTBOUND || !question_is_asked(mad->mad))
			continue;
		count = GPOINTER_TO_SIZE(g_hash_table_lookup(counts, name)) + 1;
		g_hash_table_insert(counts, (void *)name, GSIZE_TO_POINTER(count));
		if (count > most) {
			best = name;
			most = count;
		}
	}
	return best;
}

/* Did the captured host ask it? */
static bool is_own(const struct run *run, const struct conversation *conversation)
{
	const struct conversation_message *request = &conversation->request;

	if (conversation->kind == CONVERSATION_ORPHAN)
		return false;
	if (run->interface && request->interface_name)
		return strcmp(run->interface, request->interface_name) == 0;
	if (request->transport != CAPTURE_INFINIBAND)
		return run->asker.is_roce && memcmp(request->addr.sgid, run->asker.gid, 16) == 0;
	return request->bytes[MAD_CLASS] == MAD_CLASS_SUBN_DR ||
	       request->addr.slid == run->asker.lid;
}

static bool is_kept(const struct run *run, const struct conversation_message *request)
{
	struct capture_mad mad = {
		.frame = request->frame, .time_ns = request->time_ns,
		.transport = request->transport, .addr = request->addr,
	};

	if (!run->options->keep)
		return true;
	memcpy(mad.mad, request->bytes, MAD_SIZE);
	return run->options->keep(run->options->keep_ctx, &mad);
}

static void skip(struct run *run, const uint8_t *mad)
{
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE];
	g_autofree char *kind = NULL;
	uint64_t *count;

	run->counts.skipped++;
	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	kind = g_strdup_printf("%s(%s)", method, attribute);
	count = g_tree_lookup(run->skipped, kind);
	if (!count && g_tree_nnodes(run->skipped) < KINDS_MAX) {
		count = g_new0(uint64_t, 1);
		g_tree_insert(run->skipped, g_steal_pointer(&kind), count);
	}
	if (count)
		++*count;
}

/* ---- asking ---- */

/* An answer as programs get it: without what its segments have of their own. */
static struct conversation_message plain(const struct conversation_message *message)
{
	struct conversation_message whole = *message;

	whole.padded = whole.size;
	whole.headers = whole.seen = NULL;
	whole.header = whole.seen_size = 0;
	return whole;
}

/* Two conversations, of which the second was made now. */
static void compare(struct run *run, const struct conversation *captured,
		    const struct conversation *actual)
{
	const struct ignored_fields *ignored = &run->options->ignored;
	struct diff_item *a = diff_item_new(ignored, run->counts.diff.a, captured);
	struct diff_item *b = diff_item_new(ignored, run->counts.diff.b, actual);
	struct diff_event event = { .kind = DIFF_CHANGED, .a = a, .b = b };

	run->counts.diff.a++;
	run->counts.diff.b++;
	b->frames[DIFF_REQUEST] = b->frames[DIFF_ANSWER] = 0;
	if (diff_items_equal(a, b)) {
		run->counts.diff.same++;
	} else {
		run->counts.diff.changed++;
		run->counts.unanswered += captured->kind == CONVERSATION_ANSWERED &&
					  actual->kind != CONVERSATION_ANSWERED;
		if (run->details) {
			run->details--;
			run->fn(run->ctx, &event);
		}
	}
	diff_item_free(a);
	diff_item_free(b);
}

static void ask(struct run *run, const struct conversation *conversation)
{
	struct conversation captured = *conversation, actual = *conversation;
	int got;

	captured.close = actual.close = (struct conversation_message){ .frame = 0 };
	captured.retries = actual.retries = captured.losses = actual.losses = 0;
	captured.request = actual.request = plain(&conversation->request);
	captured.answer = plain(&conversation->answer);
	got = ask_port_ask(run->port, &captured.request, run->asker.own_port,
			   run->options->timeout_ms, &actual.answer);
	if (got < 0) {
		if (!run->counts.failed++ && run->log)
			fprintf(run->log, "%s: frame %u cannot be asked: %s\n", run->name,
				captured.request.frame, g_strerror(-got));
		return;
	}
	actual.kind = got ? CONVERSATION_ANSWERED : CONVERSATION_UNANSWERED;
	compare(run, &captured, &actual);
}

static void take(void *ctx, const struct conversation *conversation)
{
	struct run *run = ctx;

	if (!is_own(run, conversation))
		run->counts.others++;
	else if (!is_kept(run, &conversation->request))
		return;
	else if (ask_would_change(conversation->request.bytes) && !run->options->allow_writes)
		skip(run, conversation->request.bytes);
	else
		ask(run, conversation);
}

static gint compare_kinds(gconstpointer a, gconstpointer b, gpointer unused)
{
	(void)unused;
	return strcmp(a, b);
}

static gboolean say_skipped(gpointer key, gpointer value, gpointer data)
{
	const struct run *run = data;

	fprintf(run->log, "%s: skipped: %" PRIu64 " %s\n", run->name, *(uint64_t *)value,
		(const char *)key);
	return false;
}

struct ask_counts ask_run(struct ask_options *options, const struct capture *capture,
			  struct ask_port *port, diff_event_fn *fn, void *ctx, const char *name,
			  FILE *log)
{
	struct run run = {
		.options = options, .port = port, .fn = fn, .ctx = ctx, .name = name, .log = log,
		.details = options->details_max,
		.skipped = g_tree_new_full(compare_kinds, NULL, g_free, g_free),
	};
	struct conversations *conversations = conversations_new(take, &run);
	const char *suggestion;

	ignored_fields_add(&options->ignored, "hop_ptr", &suggestion);
	ignored_fields_add(&options->ignored, "paylen", &suggestion);
	replay_asker_find(capture, &run.asker);
	run.interface = find_interface(capture);
	for (size_t i = 0; i < capture->mad_count; i++)
		conversations_take(conversations, &capture->mads[i]);
	conversations_end(conversations);
	run.counts.diff.damaged_a = conversations_damaged(conversations);
	conversations_free(conversations);
	if (log)
		g_tree_foreach(run.skipped, say_skipped, &run);
	g_tree_unref(run.skipped);
	return run.counts;
}
