/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "every-request-ends": requests of programs of which nothing comes. See
 * sim/property/property-condition.h.
 *
 * A program that has sent a request with a time-out counts on its kernel: it gets an answer, or
 * learns that the send has failed. So a request ends when an answer that fits it is read, when its
 * failure is read, when the file is closed, or when the program asks the same again. An answer
 * that the kernel takes for it by its TID, but which is about another attribute or has another
 * modifier, ends it for the kernel alone: nobody waits any more, and what the program has asked for
 * never comes. From then on the request is forgotten. So is one of which the program has heard
 * nothing when its time-outs have passed.
 */
#include "sim/property/property-condition.h"

#include <errno.h>
#include <string.h>

#include "lib/base/user-header.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/observer.h"

struct request {
	const void *file;
	const struct end_port *end;
	uint16_t lid;
	uint8_t mad[MAD_SIZE];
	int64_t sent_ns;
	int64_t forgotten_ns;		/* nobody waits for it any more, from then on */
	char *answer;			/* what is wrong with the one that came; NULL: none came */
};

/* In the order of sending. */
struct requests {
	GPtrArray *open;		/* of struct request * */
};

static void request_free(void *data)
{
	struct request *request = data;

	g_free(request->answer);
	g_free(request);
}

bool condition_requests_begin(struct condition *condition, const char *words, char **reterr)
{
	struct requests *requests = g_new0(struct requests, 1);

	(void)words;
	(void)reterr;
	condition->data = requests;
	requests->open = g_ptr_array_new_with_free_func(request_free);
	return true;
}

void condition_requests_end(struct condition *condition)
{
	struct requests *requests = condition->data;

	if (requests)
		g_ptr_array_unref(requests->open);
	g_clear_pointer(&condition->data, g_free);
}

/* ---- what is asked ---- */

static uint32_t tid_low(const uint8_t *mad)
{
	return get_be32(mad + MAD_TID + 4);
}

/* Do two MADs agree in these bytes? */
static bool agree(const struct request *a, const struct request *b, size_t from, size_t size)
{
	return memcmp(a->mad + from, b->mad + from, size) == 0;
}

/* To the same node, by the same way. */
static bool is_same_place(const struct request *a, const struct request *b)
{
	if (a->file != b->file || a->mad[MAD_CLASS] != b->mad[MAD_CLASS])
		return false;
	if (a->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return a->lid == b->lid;
	return a->mad[SMP_HOP_CNT] == b->mad[SMP_HOP_CNT] &&
	       agree(a, b, SMP_DR_SLID, 4) && agree(a, b, SMP_INITIAL_PATH, SMP_PATH_SIZE);
}

/* What is asked of subnet administration is in the data. */
static bool is_same_question(const struct request *a, const struct request *b)
{
	return is_same_place(a, b) && a->mad[MAD_METHOD] == b->mad[MAD_METHOD] &&
	       agree(a, b, MAD_ATTR_ID, 2) && agree(a, b, MAD_ATTR_MOD, 4) &&
	       (a->mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM ||
		agree(a, b, SA_COMP_MASK, MAD_SIZE - SA_COMP_MASK));
}

/* Until when the kernel may wait: each of its tries takes the time-out. */
static int64_t end_of_waiting_ns(const uint8_t *umad, int64_t now_ns)
{
	uint32_t timeout_ms = user_header_get(umad, USER_TIMEOUT_MS);
	uint32_t retries = user_header_get(umad, USER_RETRIES);

	if (timeout_ms > INT32_MAX || retries > INT32_MAX / 1000)
		return TIME_NEVER;
	return now_ns + timeout_ms * NS_PER_MS * (retries + INT64_C(1));
}

static bool drop_same(struct requests *requests, const struct request *again)
{
	bool any = false;

	for (unsigned int i = 0; i < requests->open->len; ) {
		const struct request *request = g_ptr_array_index(requests->open, i);

		if (is_same_question(request, again)) {
			any |= request->answer != NULL;
			g_ptr_array_remove_index(requests->open, i);
		} else {
			i++;
		}
	}
	return any;
}

/* Without a time-out no answer is waited for. */
static bool take_request(struct condition *condition, const struct file_event *event)
{
	struct requests *requests = condition->data;
	const uint8_t *mad = event->umad + USER_HEADER_SIZE;
	int64_t now_ns = condition->fabric->queue.now_ns;
	struct request *request;
	bool any;

	if (mad_is_response(mad) || user_header_get(event->umad, USER_TIMEOUT_MS) == 0)
		return false;
	request = g_new0(struct request, 1);
	*request = (struct request){
		.file = event->file, .end = event->end, .sent_ns = now_ns,
		.lid = get_be16(event->umad + USER_LID_BE),
		.forgotten_ns = end_of_waiting_ns(event->umad, now_ns),
	};
	memcpy(request->mad, mad, MIN(event->size - USER_HEADER_SIZE, MAD_SIZE));
	any = drop_same(requests, request);
	g_ptr_array_add(requests->open, request);
	return any;
}

/* ---- what comes of it ---- */

static unsigned int find(const struct requests *requests, const struct file_event *event)
{
	const uint8_t *mad = event->umad + USER_HEADER_SIZE;
	unsigned int at = 0;

	for (; at < requests->open->len; at++) {
		const struct request *request = g_ptr_array_index(requests->open, at);

		if (request->file == event->file && !request->answer &&
		    request->mad[MAD_CLASS] == mad[MAD_CLASS] &&
		    tid_low(request->mad) == tid_low(mad))
			break;
	}
	return at;
}

/* NULL: the answer fits; else what is wrong, to be freed. Modifiers are reserved in an SA's. */
static char *misfit(const struct request *request, const uint8_t *mad)
{
	uint16_t attr_id = get_be16(mad + MAD_ATTR_ID);
	uint32_t mod = get_be32(request->mad + MAD_ATTR_MOD);
	char name[MAD_NAME_SIZE];

	if (attr_id != get_be16(request->mad + MAD_ATTR_ID)) {
		mad_attribute_format(mad[MAD_CLASS], attr_id, name, sizeof(name));
		return g_strdup_printf("the answer is of %s", name);
	}
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM && mad[MAD_CLASS] != MAD_CLASS_BM &&
	    get_be32(mad + MAD_ATTR_MOD) != mod)
		return g_strdup_printf("the answer has modifier 0x%x, not 0x%x",
				       get_be32(mad + MAD_ATTR_MOD), mod);
	return NULL;
}

static bool take_answer(struct condition *condition, const struct file_event *event)
{
	struct requests *requests = condition->data;
	const uint8_t *mad = event->umad + USER_HEADER_SIZE;
	bool has_failed = user_header_get(event->umad, USER_STATUS) != 0;
	unsigned int at = find(requests, event);
	struct request *request;

	if (at == requests->open->len || (!has_failed && !mad_is_response(mad)))
		return false;
	request = g_ptr_array_index(requests->open, at);
	if (!has_failed)
		request->answer = misfit(request, mad);
	if (!request->answer) {
		g_ptr_array_remove_index(requests->open, at);
		return false;
	}
	request->forgotten_ns = condition->fabric->queue.now_ns;
	return true;
}

static bool close_file(struct requests *requests, const void *file)
{
	bool any = false;

	for (unsigned int i = 0; i < requests->open->len; ) {
		const struct request *request = g_ptr_array_index(requests->open, i);

		if (request->file == file) {
			any |= request->answer != NULL;
			g_ptr_array_remove_index(requests->open, i);
		} else {
			i++;
		}
	}
	return any;
}

bool condition_requests_see(struct condition *condition, const struct file_event *event)
{
	switch (event->kind) {
	case FILE_WRITTEN:
		return take_request(condition, event);
	case FILE_READ:
		return take_answer(condition, event);
	case FILE_CLOSED:
		return close_file(condition->data, event->file);
	}
	return false;
}

/* ---- the condition ---- */

/* The one that was forgotten first; NULL: none is. Reading from a device that has gone says so. */
static const struct request *first_forgotten(const struct condition *condition)
{
	const struct requests *requests = condition->data;
	const struct request *first = NULL;

	for (unsigned int i = 0; i < requests->open->len; i++) {
		const struct request *request = g_ptr_array_index(requests->open, i);

		if (request->forgotten_ns <= condition->fabric->queue.now_ns &&
		    !request->end->port->node->removed &&
		    (!first || request->forgotten_ns < first->forgotten_ns))
			first = request;
	}
	return first;
}

int64_t condition_requests_since_ns(const struct condition *condition)
{
	const struct request *first = first_forgotten(condition);

	return first ? first->forgotten_ns : condition->fabric->queue.now_ns;
}

/* "0,1,3": the ports of a directed route. */
static void append_place(GString *why, const struct request *request)
{
	unsigned int hops = MIN(request->mad[SMP_HOP_CNT], SMP_PATH_SIZE - 1);

	if (request->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR) {
		g_string_append_printf(why, "LID %u", request->lid);
		return;
	}
	g_string_append_c(why, '0');
	for (unsigned int i = 1; i <= hops; i++)
		g_string_append_printf(why, ",%u", request->mad[SMP_INITIAL_PATH + i]);
}

bool condition_every_request_ends(struct condition *condition, GString *why)
{
	const struct request *first = first_forgotten(condition);
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE], name[PORT_NAME_SIZE];

	if (!first || !why)
		return !first;
	mad_method_format(first->mad[MAD_CLASS], first->mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(first->mad[MAD_CLASS], get_be16(first->mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	g_string_append_printf(why, "%s(%s) of %s to ", method, attribute,
			       port_format(first->end->port, name));
	append_place(why, first);
	g_string_append_printf(why, ", sent at %.3fs, is forgotten: %s",
			       (double)first->sent_ns / NS_PER_S,
			       first->answer ? first->answer :
			       "its time-outs have passed, and the program has read nothing of it");
	return false;
}
