/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Scenarios made of captures: see harness/script/draft/draft.h.
 */
#include "harness/script/draft/draft.h"

#include <string.h>

#include "harness/script/draft/draft-address.h"
#include "harness/script/draft/draft-event.h"
#include "harness/script/mad/mad-write.h"
#include "kmod-stub/event.h"

enum {
	DEFAULT_TIMEOUT_MS = 1000,	/* of a request of which the capture does not say it */
	HEX_BYTES = 32,			/* of data, in a line */
	COLUMNS = 100,
};

#define INDENT "             "	/* of what continues an event */

struct drafter {
	const struct draft *draft;
	struct draft_events *events;
	GString *out;
	GPtrArray *agents;	/* of char *: what was registered, as "CLASS/VERSION/OUI" */
	const struct draft_ask *last_left;	/* whose request left last; NULL: something else */
	int64_t captured_ns;	/* the time of the last event, in the capture */
	int64_t now_ns;		/* and in the script */
};

/* ---- times ---- */

static int64_t whole_ms(int64_t ns)
{
	return ns - ns % NS_PER_MS;
}

/*
 * The timeout that a program gave, of how long after one another its attempts left: it was a
 * round number, and a real clock makes it longer, by as much as the tolerances of scenarios.
 */
static int64_t round_timeout(int64_t gap_ns)
{
	static const int64_t steps_ms[] = { 1000, 500, 250, 100, 50, 20, 10, 5, 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(steps_ms); i++) {
		int64_t step_ns = steps_ms[i] * NS_PER_MS, rounded_ns = gap_ns - gap_ns % step_ns;

		if (rounded_ns > 0 && gap_ns - rounded_ns <= gap_ns / 8)
			return rounded_ns;
	}
	return MAX(whole_ms(gap_ns), NS_PER_MS);
}

static int64_t timeout_ns(const struct draft_ask *ask)
{
	int64_t timeout = DEFAULT_TIMEOUT_MS * NS_PER_MS;

	if (ask->sends > 1)
		return round_timeout(ask->gap_ns);
	/* An answer that no agent of the fabric gives comes when it came. */
	while (ask->is_answered && ask->is_foreign && timeout <= ask->answered_ns - ask->first_ns)
		timeout *= 2;
	return timeout;
}

/* Begins an event at 'at_ns' of the script's time, or at once if that is over. */
static void begin_line(struct drafter *drafter, int64_t at_ns)
{
	int64_t delay_ns = MAX(at_ns - drafter->now_ns, 0);
	char buf[32];
	g_autofree char *time = g_strdup_printf("+%s", delay_ns == 0 ? "0" :
						time_format(delay_ns, buf, sizeof(buf)));

	g_string_append_printf(drafter->out, "%-8s ", time);
	drafter->now_ns += delay_ns;
}

/* ---- agents ---- */

/* Does one agent send, or get, both? */
static bool same_agent(const uint8_t *left, const uint8_t *right)
{
	return left[MAD_CLASS] == right[MAD_CLASS] &&
	       (!mad_class_is_vendor2(left[MAD_CLASS]) ||
		get_be24(left + VENDOR2_OUI) == get_be24(right + VENDOR2_OUI));
}

/* The name of the agent that sends such requests: "dr", "c32". To be freed. */
static char *agent_name(const uint8_t *mad)
{
	uint8_t mgmt_class = mad[MAD_CLASS];
	GString *name = g_string_new(NULL);

	if (mgmt_class == MAD_CLASS_SUBN_DR)
		g_string_append(name, "dr");
	else if (mgmt_class == MAD_CLASS_SUBN_LID)
		g_string_append(name, "smp");
	else if (mgmt_class == MAD_CLASS_SUBN_ADM)
		g_string_append(name, "sa");
	else if (mgmt_class == MAD_CLASS_PERF)
		g_string_append(name, "perf");
	else
		g_string_append_printf(name, "c%02x", mgmt_class);
	if (mad_class_is_vendor2(mgmt_class) && get_be24(mad + VENDOR2_OUI) != 0x001405)
		g_string_append_printf(name, "_%06x", get_be24(mad + VENDOR2_OUI));
	return g_string_free(name, false);
}

static void write_agent(struct drafter *drafter, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	g_autofree char *name = agent_name(mad);

	for (guint i = 0; i < drafter->agents->len; i++) {
		if (strcmp(drafter->agents->pdata[i], name) == 0)
			return;
	}
	begin_line(drafter, drafter->now_ns);
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		g_string_append_printf(drafter->out, "%s = umad_register_oui(fd, class=0x%02x, "
				       "oui=0x%06x)\n", name, mad[MAD_CLASS],
				       get_be24(mad + VENDOR2_OUI));
	else if (!info || info->mgmt_class != info->last)
		g_string_append_printf(drafter->out, "%s = umad_register(fd, class=0x%02x, "
				       "version=%u)\n", name, mad[MAD_CLASS],
				       mad[MAD_CLASS_VERSION]);
	else
		g_string_append_printf(drafter->out, "%s = umad_register(fd, class=%s%s)\n", name,
				       info->name, mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM ?
				       ", rmpp=1" : "");
	g_ptr_array_add(drafter->agents, g_steal_pointer(&name));
}

/* ---- events ---- */

/* Is the TID of the request used below the line that captures it? */
static bool uses_tid(const struct draft_ask *ask)
{
	return ask->is_answered || ask->sends > 1 || ask->sent;
}

/*
 * The piece of 'data', of the exchange's answer ('d') or request ('s'), that the segment carries.
 * NULL: it is none, or has other bytes. To be freed.
 */
static char *piece_of(const struct draft_event *event, const GByteArray *data, char prefix)
{
	unsigned int at = mad_class_header_size(event->bytes[MAD_CLASS]), most = MAD_SIZE - at;
	uint32_t number = get_be32(event->bytes + RMPP_SEGMENT);
	uint8_t bytes[MAD_SIZE] = { 0 };
	size_t from = (number - 1) * (size_t)most;

	if (!data || !draft_is_segment(event->bytes) || number == 0 || from >= data->len)
		return NULL;
	memcpy(bytes, data->data + from, MIN(most, data->len - from));
	return memcmp(bytes, event->bytes + at, most) == 0 ?
	       g_strdup_printf("%c%u[%u]", prefix, event->ask->number, number) : NULL;
}

static void write_ask(struct drafter *drafter, const struct draft_event *event)
{
	struct draft_ask *ask = event->ask;
	g_autofree char *agent = agent_name(event->bytes), *tid = NULL, *piece = NULL;
	g_autofree char *sent = draft_sent_address(drafter->draft, event->mad, false);
	g_autofree char *left = draft_sent_address(drafter->draft, event->mad, true);
	int64_t timeout = uses_tid(ask) ? timeout_ns(ask) : 0;
	uint8_t mad[MAD_SIZE];
	char buf[32];

	/* The hop pointer, the TID and what is said of segments are the kernel's. */
	memcpy(mad, event->bytes, MAD_SIZE);
	if (ask->sent) {
		memset(mad + RMPP_SEGMENT, 0, MAD_SIZE - RMPP_SEGMENT);
		memcpy(mad + RMPP_END, event->bytes + RMPP_END,
		       mad_class_header_size(mad[MAD_CLASS]) - RMPP_END);
		mad[RMPP_FLAGS] = (mad[RMPP_FLAGS] & ~0x07) | RMPP_FLAG_ACTIVE;
	}
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		mad[SMP_HOP_PTR] = 0;
	if (!uses_tid(ask))
		g_string_append(drafter->out, "# Nothing has answered this one.\n");
	begin_line(drafter, drafter->now_ns + whole_ms(event->mad->time_ns - drafter->captured_ns));
	g_string_append_printf(drafter->out, "umad_send(fd, %s, timeout=%s, retries=%u,\n" INDENT,
			       agent, timeout == 0 ? "0" : time_format(timeout, buf, sizeof(buf)),
			       ask->sends - 1);
	mad_write(drafter->out, mad, &(struct mad_writing) {
		.tid = "", .address = sent, .indent = INDENT,
	});
	if (ask->sent)
		g_string_append_printf(drafter->out, ",\n" INDENT "data=s%u", ask->number);
	g_string_append(drafter->out, ") = 0\n");
	begin_line(drafter, drafter->now_ns);
	tid = g_strdup_printf("?t%u", ask->number);
	piece = piece_of(event, ask->sent, 's');
	g_string_append(drafter->out, "> ");
	mad_write(drafter->out, event->bytes, &(struct mad_writing) {
		.tid = uses_tid(ask) ? tid : "", .address = left, .data = piece, .indent = INDENT,
	});
	g_string_append(drafter->out, " exact\n");
	drafter->last_left = ask;
	ask->left = ask->sends - 1;
	ask->due_ns = timeout > 0 ? drafter->now_ns + timeout : -1;
}

static void write_again(struct drafter *drafter, const struct draft_event *event)
{
	struct draft_ask *ask = event->ask;
	g_autofree char *tid = g_strdup_printf("$t%u", ask->number);

	begin_line(drafter, ask->due_ns);
	g_string_append(drafter->out, "> ");
	if (drafter->last_left == ask) {
		g_string_append(drafter->out, "same\n");
	} else {
		mad_write(drafter->out, event->bytes, &(struct mad_writing) {
			.tid = tid, .indent = INDENT,
		});
		g_string_append(drafter->out, " exact\n");
	}
	drafter->last_left = ask;
	ask->left--;
	ask->due_ns = drafter->now_ns + timeout_ns(ask);
}

/* The MAD that a program reads: the answer to 'ask'. */
static void write_recv(struct drafter *drafter, const struct draft_event *event)
{
	const struct draft_ask *ask = event->ask;
	g_autofree char *agent = agent_name(ask->request);
	g_autofree char *tid = g_strdup_printf("$t%u", ask->number);
	uint8_t mad[MAD_SIZE];

	begin_line(drafter, drafter->now_ns);
	g_string_append_printf(drafter->out, "umad_recv(fd) = %s, status=0 ", agent);
	if (ask->data) {
		g_string_append_printf(drafter->out, "data=d%u tid=%s\n", ask->number, tid);
		return;
	}
	memcpy(mad, event->bytes, MAD_SIZE);
	/* The kernel has counted it down to the end. */
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		mad[SMP_HOP_PTR] = 0;
	mad_write(drafter->out, mad, &(struct mad_writing) { .tid = tid, .indent = INDENT });
	g_string_append(drafter->out, " exact\n");
}

static void write_foreign(struct drafter *drafter, const struct draft_event *event)
{
	g_autofree char *tid = g_strdup_printf("$t%u", event->ask->number);
	g_autofree char *from = draft_got_address(drafter->draft, event->mad);
	g_autofree char *piece = piece_of(event, event->ask->data, 'd');

	begin_line(drafter, drafter->now_ns + whole_ms(event->mad->time_ns - drafter->captured_ns));
	g_string_append(drafter->out, "< ");
	mad_write(drafter->out, event->bytes, &(struct mad_writing) {
		.tid = tid, .address = from, .data = piece, .indent = INDENT,
	});
	g_string_append_c(drafter->out, '\n');
	if (event->is_end)
		write_recv(drafter, event);
}

/* What leaves by itself: made by the kernel, or a segment that the window lets go. */
static void write_own(struct drafter *drafter, const struct draft_event *event)
{
	g_autofree char *to = draft_sent_address(drafter->draft, event->mad, true);
	g_autofree char *tid = event->ask ? g_strdup_printf("$t%u", event->ask->number) : NULL;
	g_autofree char *piece = event->ask ? piece_of(event, event->ask->sent, 's') : NULL;

	begin_line(drafter, drafter->now_ns);
	g_string_append(drafter->out, "> ");
	mad_write(drafter->out, event->bytes, &(struct mad_writing) {
		.tid = tid, .address = to, .data = piece, .indent = INDENT,
	});
	g_string_append(drafter->out, " exact\n");
	drafter->last_left = NULL;
}

static void write_arrives(struct drafter *drafter, const struct draft_event *event)
{
	g_autofree char *from = draft_got_address(drafter->draft, event->mad);
	g_autofree char *tid = event->ask ? g_strdup_printf("$t%u", event->ask->number) : NULL;

	begin_line(drafter, drafter->now_ns + whole_ms(event->mad->time_ns - drafter->captured_ns));
	g_string_append(drafter->out, "< ");
	mad_write(drafter->out, event->bytes, &(struct mad_writing) {
		.tid = tid, .address = from, .indent = INDENT,
	});
	g_string_append_c(drafter->out, '\n');
}

/* The requests whose last attempt is over by 'until_ns' come back, the earliest first. */
static void write_timeouts(struct drafter *drafter, int64_t until_ns)
{
	for (;;) {
		struct draft_ask *first = NULL;
		g_autofree char *agent = NULL;

		for (guint i = 0; i < drafter->events->asks->len; i++) {
			struct draft_ask *ask = drafter->events->asks->pdata[i];

			if (ask->due_ns >= 0 && !ask->is_answered && ask->left == 0 &&
			    (!first || ask->due_ns < first->due_ns))
				first = ask;
		}
		if (!first || first->due_ns > until_ns)
			return;
		agent = agent_name(first->request);
		begin_line(drafter, first->due_ns);
		g_string_append_printf(drafter->out, "umad_recv(fd) = %s, status=ETIMEDOUT "
				       "tid=$t%u\n", agent, first->number);
		first->due_ns = -1;
	}
}

static void write_event(struct drafter *drafter, const struct draft_event *event)
{
	switch (event->kind) {
	case DRAFT_ASK:
		write_ask(drafter, event);
		break;
	case DRAFT_AGAIN:
		write_again(drafter, event);
		break;
	case DRAFT_ANSWER:
		write_recv(drafter, event);
		break;
	case DRAFT_FOREIGN:
		write_foreign(drafter, event);
		break;
	case DRAFT_PIECE:
	case DRAFT_OWN:
		write_own(drafter, event);
		break;
	case DRAFT_ARRIVES:
		write_arrives(drafter, event);
		break;
	}
	drafter->captured_ns = event->mad->time_ns;
}

/* ---- the scenario ---- */

/* data d3 = hex("..."): what a program reads (d) or sends (s) as one message. */
static void write_data(struct drafter *drafter, char prefix, unsigned int number,
		       const GByteArray *data)
{
	if (!data)
		return;
	g_string_append_printf(drafter->out, "data     %c%u = hex(", prefix, number);
	for (guint i = 0; i < data->len; i++) {
		if (i % HEX_BYTES == 0)
			g_string_append(drafter->out, i == 0 ? "\"" : "\"\n" INDENT "\"");
		g_string_append_printf(drafter->out, "%02x%s", data->data[i],
				       i % 4 == 3 && i % HEX_BYTES != HEX_BYTES - 1 &&
				       i + 1 < data->len ? " " : "");
	}
	g_string_append(drafter->out, data->len == 0 ? "\"\")\n" : "\")\n");
}

static void write_settings(struct drafter *drafter)
{
	const struct draft *draft = drafter->draft;
	g_auto(GStrv) origin = g_strsplit(draft->origin, "\n", 0);
	char buf[32];

	for (char **line = origin; *line && (line[1] || **line); line++)
		g_string_append_printf(drafter->out, "#%s%s\n", **line ? " " : "", *line);
	if (drafter->events->elsewhere > 0)
		g_string_append_printf(drafter->out, "# %u requests of other ports are not part of "
				       "it.\n", drafter->events->elsewhere);
	g_string_append(drafter->out, "scenario ");
	quoted_write(drafter->out, draft->title, strlen(draft->title));
	g_string_append(drafter->out, "\nneeds    sim\n");
	if (draft->topology) {
		g_string_append(drafter->out, "topology ");
		quoted_write(drafter->out, draft->topology, strlen(draft->topology));
		if (draft->self)
			g_string_append_printf(drafter->out, " self=\"%s\"", draft->self);
		if (draft->peer)
			g_string_append_printf(drafter->out, " peer=\"%s\"", draft->peer);
		g_string_append(drafter->out, draft->cold ? " state=cold" : "");
		g_string_append(drafter->out, draft->partial ? " partial=yes\n" : "\n");
	}
	if (draft->latency_ns > 0)
		g_string_append_printf(drafter->out, "latency  %s\n",
				       time_format(draft->latency_ns, buf, sizeof(buf)));
	for (guint i = 0; i < drafter->events->asks->len; i++) {
		const struct draft_ask *ask = drafter->events->asks->pdata[i];

		write_data(drafter, 's', ask->number, ask->sent);
		write_data(drafter, 'd', ask->number, ask->data);
	}
}

static const struct draft_ask *ask_at(const struct drafter *drafter, guint i)
{
	return drafter->events->asks->pdata[i];
}

/*
 * At the peer a program took the request, which answered by itself or not at all: without one its
 * kernel would answer.
 */
static bool has_listener(const struct drafter *drafter, const struct draft_ask *ask)
{
	uint8_t mgmt_class = ask->request[MAD_CLASS];
	const struct draft *draft = drafter->draft;

	if (mad_class_is_smp(mgmt_class) || mgmt_class == MAD_CLASS_PERF ||
	    mgmt_class == MAD_CLASS_CONG_MGT || (ask->is_answered && !ask->is_foreign))
		return false;
	for (size_t i = 0; i < draft->role_count; i++) {
		if (draft->roles[i].lid == ask->dlid && strcmp(draft->roles[i].name, "peer") == 0)
			return ask->dlid != 0;
	}
	return false;
}

/* Which methods the peer listens to, of the class and OUI of 'like': "{Get, Set}". */
static void append_methods(struct drafter *drafter, const uint8_t *like)
{
	bool seen[256] = { false };
	const char *before = "{";

	for (guint i = 0; i < drafter->events->asks->len; i++) {
		const struct draft_ask *ask = ask_at(drafter, i);
		const struct mad_class_info *info = mad_class_find(like[MAD_CLASS]);
		const struct mad_method_info *method = info ? info->methods : NULL;
		uint8_t number = ask->request[MAD_METHOD];

		if (seen[number] || !has_listener(drafter, ask) ||
		    !same_agent(ask->request, like))
			continue;
		seen[number] = true;
		while (method && method->name && method->method != number)
			method++;
		if (method && method->name)
			g_string_append_printf(drafter->out, "%s%s", before, method->name);
		else
			g_string_append_printf(drafter->out, "%s0x%02x", before, number);
		before = ", ";
	}
	g_string_append_c(drafter->out, '}');
}

static void write_listeners(struct drafter *drafter)
{
	for (guint i = 0; i < drafter->events->asks->len; i++) {
		const uint8_t *request = ask_at(drafter, i)->request;
		bool is_first = has_listener(drafter, ask_at(drafter, i));

		for (guint j = 0; is_first && j < i; j++)
			is_first = !has_listener(drafter, ask_at(drafter, j)) ||
				   !same_agent(ask_at(drafter, j)->request, request);
		if (!is_first)
			continue;
		g_string_append_printf(drafter->out, "0        peer listens class=0x%02x "
				       "version=%u", request[MAD_CLASS],
				       request[MAD_CLASS_VERSION]);
		if (mad_class_is_vendor2(request[MAD_CLASS]))
			g_string_append_printf(drafter->out, " oui=0x%06x",
					       get_be24(request + VENDOR2_OUI));
		g_string_append(drafter->out, " methods=");
		append_methods(drafter, request);
		g_string_append_c(drafter->out, '\n');
	}
}

/* What the capture says of the fabric, and the fabric is. */
static void write_facts(struct drafter *drafter)
{
	g_auto(GStrv) facts = g_strsplit(drafter->draft->facts ? drafter->draft->facts : "", "\n",
					 0);

	for (char **fact = facts; *fact && **fact; fact++)
		g_string_append_printf(drafter->out, "0        check %s\n", *fact);
}

static void write_events(struct drafter *drafter)
{
	const GPtrArray *list = drafter->events->list;

	drafter->captured_ns = ((const struct draft_event *)list->pdata[0])->mad->time_ns;
	g_string_append_c(drafter->out, '\n');
	write_facts(drafter);
	write_listeners(drafter);
	g_string_append(drafter->out, "0        fd = umad_open_port($CA, $PORT)\n");
	for (guint i = 0; i < drafter->events->asks->len; i++)
		write_agent(drafter, ask_at(drafter, i)->request);
	g_string_append_c(drafter->out, '\n');
	for (guint i = 0; i < list->len; i++) {
		const struct draft_event *event = list->pdata[i];

		write_timeouts(drafter, drafter->now_ns +
			       whole_ms(event->mad->time_ns - drafter->captured_ns));
		write_event(drafter, event);
	}
	write_timeouts(drafter, INT64_MAX);
	g_string_append(drafter->out, "+0~+1s   > nothing\n");
}

char *draft_write(const struct draft *draft, const struct capture *capture,
		  const struct capture_stand *stand, GString *reterr)
{
	struct drafter drafter = { .draft = draft };

	drafter.events = draft_events_new(draft, capture, stand, reterr);
	if (!drafter.events)
		return NULL;
	drafter.out = g_string_new(NULL);
	drafter.agents = g_ptr_array_new_with_free_func(g_free);
	write_settings(&drafter);
	write_events(&drafter);
	g_ptr_array_unref(drafter.agents);
	draft_events_free(drafter.events);
	return g_string_free(drafter.out, false);
}
