/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The peer: an agent at B that listens or answers.
 */
#include "harness/script/run/peer.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "kmod-stub/event.h"

#define PEER_BUFFER_SIZE (64 + 65536)

/* How far beyond its segment an ACK opens the window: Linux's first one (linux-mad C.3). */
#define ACK_WINDOW 64

/* How long a request waits for its response, so that those that A's kernel makes are seen. */
#define WAIT_MS 2000

struct rule {
	const struct mad_pattern *asked;
	const GPtrArray *answers;	/* of const struct mad_pattern *; empty: no fields to set */
	int64_t after_ns;
};

/* Answers that are not sent: of those that match, the first 'skip' are, then 'count' are not. */
struct withheld {
	const struct plan_step *step;		/* whose line says so */
	const struct mad_pattern *which;	/* NULL: any */
	uint64_t skip, count;
};

/* An answer that waits for its time. */
struct due {
	int64_t at_ns;
	int agent;
	uint8_t umad[64 + MAD_SIZE];
};

/* What is registered at B. */
struct registered {
	unsigned int mgmt_class, class_version;
	uint32_t oui;
	uint64_t mask[2];
};

/* What identifies a MAD of B's at A: B's kernel may change the upper half of its TID. */
struct sent {
	uint8_t mgmt_class, method;
	uint16_t attr_id;
	uint32_t tid_low;
};

struct peer {
	struct run *run;
	struct world *world;
	GArray *sent;		/* of struct sent: has not been read at A so far; no wire is seen */
	int fd;
	int senders[2];		/* agents that only send, by QP; -1: none yet */
	GArray *registered;	/* of struct registered */
	GArray *rules;		/* of struct rule */
	unsigned int taken;	/* MADs that it was sent, and how many it answers */
	unsigned int answered;
	GArray *withheld;	/* of struct withheld */
	GQueue due;		/* of struct due *, ascending */
	uint8_t *buffer;
};

struct peer *peer_new(struct run *run)
{
	struct peer *peer = g_new0(struct peer, 1);

	peer->run = run;
	peer->world = run->world;
	peer->fd = -1;
	peer->senders[0] = peer->senders[1] = -1;
	peer->registered = g_array_new(false, true, sizeof(struct registered));
	peer->rules = g_array_new(false, true, sizeof(struct rule));
	peer->withheld = g_array_new(false, true, sizeof(struct withheld));
	peer->sent = g_array_new(false, true, sizeof(struct sent));
	g_queue_init(&peer->due);
	peer->buffer = g_malloc0(PEER_BUFFER_SIZE);
	return peer;
}

void peer_free(struct peer *peer)
{
	if (!peer)
		return;
	if (peer->fd >= 0)
		umad_close_port(peer->fd);
	g_queue_clear_full(&peer->due, g_free);
	g_array_unref(peer->registered);
	g_array_unref(peer->rules);
	g_array_unref(peer->withheld);
	g_array_unref(peer->sent);
	g_free(peer->buffer);
	g_free(peer);
}

int peer_fd(const struct peer *peer)
{
	return peer->fd;
}

static int peer_open(struct peer *peer)
{
	struct world *world = peer->world;

	if (peer->fd >= 0)
		return 0;
	world->kind->enter(world, WORLD_PEER);
	peer->fd = umad_open_port(world->ca[WORLD_PEER], world->port[WORLD_PEER]);
	world->kind->enter(world, WORLD_SELF);
	return peer->fd >= 0 ? 0 : peer->fd;
}

/* The registration of this class, version and OUI; makes one if there is none. */
static struct registered *find_registered(struct peer *peer, unsigned int mgmt_class,
					  unsigned int class_version, uint32_t oui)
{
	struct registered fresh = { mgmt_class, class_version, oui, { 0, 0 } };

	for (guint i = 0; i < peer->registered->len; i++) {
		struct registered *one = &g_array_index(peer->registered, struct registered, i);

		if (one->mgmt_class == mgmt_class && one->class_version == class_version &&
		    one->oui == oui)
			return one;
	}
	g_array_append_val(peer->registered, fresh);
	return &g_array_index(peer->registered, struct registered, peer->registered->len - 1);
}

static int register_at(int fd, const struct registered *what, const uint64_t mask[2])
{
	long words[16 / sizeof(long)];
	uint8_t oui[3];
	int id;

	memcpy(words, mask, sizeof(words));
	errno = 0;
	if (mad_class_is_vendor2(what->mgmt_class)) {
		put_be24(oui, what->oui);
		id = umad_register_oui(fd, (int)what->mgmt_class, 0, oui, words);
	} else {
		id = umad_register(fd, (int)what->mgmt_class, (int)what->class_version, 0, words);
	}
	if (id >= 0)
		return 0;
	return errno != 0 ? -errno : id;
}

int peer_listen(struct peer *peer, unsigned int mgmt_class, unsigned int class_version,
		uint32_t oui, const uint64_t mask[2])
{
	const struct mad_class_info *info = mad_class_find((uint8_t)mgmt_class);
	struct registered *registered;
	uint64_t fresh[2];
	int status = peer_open(peer);

	if (status < 0)
		return status;
	if (class_version == 0)
		class_version = info ? info->class_version : 1;
	registered = find_registered(peer, mgmt_class, class_version, oui);
	fresh[0] = mask[0] & ~registered->mask[0];
	fresh[1] = mask[1] & ~registered->mask[1];
	if (fresh[0] == 0 && fresh[1] == 0)
		return 0;
	status = register_at(peer->fd, registered, fresh);
	if (status < 0)
		return status;
	registered->mask[0] |= fresh[0];
	registered->mask[1] |= fresh[1];
	return 0;
}

/* Is any of the answers a part of a message in segments? */
static bool is_rmpp(const GPtrArray *answers)
{
	for (guint i = 0; i < answers->len; i++) {
		if (mad_pattern_term(answers->pdata[i], "rmpp"))
			return true;
	}
	return false;
}

int peer_answer(struct peer *peer, const struct mad_pattern *asked, unsigned int mgmt_class,
		unsigned int class_version, uint32_t oui, int64_t after_ns,
		const GPtrArray *answers)
{
	uint8_t back = peer_response_method(asked->method) ^ MAD_METHOD_RESPONSE;
	struct rule rule = { asked, answers, after_ns };
	uint64_t mask[2] = { 0, 0 };
	int status;

	/* Responses come to the agent that has asked: no other is registered for them. */
	if (!(asked->method & MAD_METHOD_RESPONSE)) {
		mask[asked->method / 64] |= UINT64_C(1) << asked->method % 64;
		/* The ACKs of segments have the answer's method without its response bit. */
		if (is_rmpp(answers) && !(back & MAD_METHOD_RESPONSE))
			mask[back / 64] |= UINT64_C(1) << back % 64;
		status = peer_listen(peer, mgmt_class, class_version, oui, mask);
	} else {
		status = peer_open(peer);
	}
	if (status < 0)
		return status;
	g_array_append_val(peer->rules, rule);
	return 0;
}

void peer_withhold(struct peer *peer, const struct plan_step *step,
		   const struct mad_pattern *which, uint64_t skip, uint64_t count)
{
	struct withheld withheld = { step, which, skip, count };

	g_array_append_val(peer->withheld, withheld);
}

uint8_t peer_response_method(uint8_t method)
{
	if (method == MAD_METHOD_SET)
		return MAD_METHOD_GET_RESP;
	if (method == MAD_METHOD_TRAP)
		return MAD_METHOD_TRAP_REPRESS;
	return method | MAD_METHOD_RESPONSE;
}

static gint compare_due(const void *a, const void *b, void *data)
{
	const struct due *left = a, *right = b;

	(void)data;
	/*
	 * 'left' is already in the queue: answers due at the same time stay in the order of their
	 * requests.
	 */
	return left->at_ns <= right->at_ns ? -1 : 1;
}

/*
 * The part of a message that answers another one begins with an RMPP header of its own, and without
 * data. It has the other direction: IBA vol 1, 13.6.2.1.
 */
static void begin_segment(uint8_t *mad)
{
	unsigned int data_at = mad_class_header_size(mad[MAD_CLASS]);

	mad[MAD_METHOD] ^= MAD_METHOD_RESPONSE;
	memset(mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	mad[RMPP_VERSION] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	memset(mad + data_at, 0, MAD_SIZE - data_at);
}

/* An ACK that does not say otherwise is of the segment 'asked', and opens the window as Linux's. */
static void complete_ack(const struct mad_pattern *answer, const uint8_t *asked, uint8_t *mad)
{
	if (!mad_pattern_term(answer, "seg"))
		put_be32(mad + RMPP_SEGMENT, get_be32(asked + RMPP_SEGMENT));
	if (!mad_pattern_term(answer, "newwin") && !mad_pattern_term(answer, "paylen"))
		put_be32(mad + RMPP_PAYLEN_NEWWIN, get_be32(mad + RMPP_SEGMENT) + ACK_WINDOW);
}

/* Makes the MAD 'asked' (in 'ret') its answer; 'answer' NULL: no fields to set. */
static bool make_answer(struct peer *peer, const struct mad_pattern *answer,
			struct mad_instance *ret, GString *reterr)
{
	bool segment = answer && mad_pattern_term(answer, "rmpp");
	uint8_t asked[MAD_SIZE];

	memcpy(asked, ret->mad, MAD_SIZE);
	if (segment)
		begin_segment(ret->mad);
	else
		ret->mad[MAD_METHOD] = peer_response_method(ret->mad[MAD_METHOD]);
	if (!answer)
		return true;
	if (answer->class_info)
		ret->mad[MAD_METHOD] = answer->method;
	if (answer->attr_id >= 0)
		put_be16(ret->mad + MAD_ATTR_ID, (uint16_t)answer->attr_id);
	if (!mad_overlay(answer, &peer->run->env, ret, reterr))
		return false;
	if (segment && ret->mad[RMPP_TYPE] == RMPP_TYPE_ACK)
		complete_ack(answer, asked, ret->mad);
	return true;
}

static void schedule(struct peer *peer, const struct rule *rule, int agent,
		     const struct mad_pattern *answer)
{
	struct due *due = g_new0(struct due, 1);
	struct mad_instance instance = { 0 };
	g_autoptr(GString) error = g_string_new(NULL);

	memcpy(due->umad, peer->buffer, sizeof(due->umad));
	memcpy(instance.mad, peer->buffer + 64, MAD_SIZE);
	if (!make_answer(peer, answer, &instance, error)) {
		run_fail(peer->run, answer->place, "the peer cannot answer so: %s", error->str);
		g_free(due);
		return;
	}
	memcpy(due->umad + 64, instance.mad, MAD_SIZE);
	due->agent = agent;
	due->at_ns = peer->world->kind->now_ns(peer->world) + rule->after_ns;
	g_queue_insert_sorted(&peer->due, due, compare_due, NULL);
}

/* ACK, STOP and ABORT answer: only a line that names rmpp= answers them. */
static bool is_control(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) &&
	       mad[RMPP_TYPE] != RMPP_TYPE_DATA;
}

static bool rule_is_for(struct peer *peer, const struct rule *rule,
			const struct mad_instance *instance)
{
	return mad_compare(rule->asked, &peer->run->env, instance, NULL) &&
	       (!is_control(instance->mad) || mad_pattern_term(rule->asked, "rmpp"));
}

static void take_one(struct peer *peer, int agent)
{
	struct world *world = peer->world;
	struct mad_instance instance = { .has_addr = false };
	const uint8_t *mad = peer->buffer + 64;

	memcpy(instance.umad, peer->buffer, 64);
	memcpy(instance.mad, mad, MAD_SIZE);
	if (!world->kind->arrive)
		world_leaves(world, world->kind->now_ns(world), NULL, mad);
	peer->taken++;
	for (guint i = 0; i < peer->rules->len; i++) {
		const struct rule *rule = &g_array_index(peer->rules, struct rule, i);

		if (!rule_is_for(peer, rule, &instance))
			continue;
		if (rule->answers->len == 0)
			schedule(peer, rule, agent, NULL);
		for (guint at = 0; at < rule->answers->len; at++)
			schedule(peer, rule, agent, rule->answers->pdata[at]);
		peer->answered++;
		return;
	}
}

void peer_collect(struct peer *peer)
{
	while (peer->fd >= 0) {
		int length = PEER_BUFFER_SIZE - 64;
		int agent;

		memset(peer->buffer, 0, 64 + MAD_SIZE);
		agent = umad_recv(peer->fd, peer->buffer, &length, 0);
		if (agent < 0)
			return;
		/* Unanswered requests of B itself do not concern the script. */
		if (umad_status(peer->buffer) == 0)
			take_one(peer, agent);
	}
}

int64_t peer_due_ns(const struct peer *peer)
{
	const struct due *due = g_queue_peek_head((GQueue *)&peer->due);

	return due ? due->at_ns : TIME_NEVER;
}

static void note_withheld(struct run *run, const struct plan_step *step, int64_t now_ns,
			  const uint8_t mad[MAD_SIZE])
{
	g_autofree char *summary = mad_summary(mad);
	g_autofree char *text = g_strdup_printf("peer withholds %s", summary);
	const struct plan_step *current = run->step;

	run->step = step;
	run_note(run, now_ns, "", text, "ok");
	run->step = current;
}

/* Is this answer one that the peer keeps to itself? */
static bool is_withheld(struct peer *peer, int64_t now_ns, const uint8_t mad[MAD_SIZE])
{
	struct mad_instance instance = { .has_addr = false };

	memcpy(instance.mad, mad, MAD_SIZE);
	for (guint i = 0; i < peer->withheld->len; i++) {
		struct withheld *one = &g_array_index(peer->withheld, struct withheld, i);

		if (one->count == 0 ||
		    (one->which && !mad_compare(one->which, &peer->run->env, &instance, NULL)))
			continue;
		if (one->skip == 0) {
			one->count--;
			note_withheld(peer->run, one->step, now_ns, mad);
			return true;
		}
		one->skip--;
	}
	return false;
}

char *peer_state(const struct peer *peer)
{
	if (peer->fd < 0)
		return g_strdup("no peer is scripted");
	if (peer->rules->len == 0)
		return g_strdup("the peer only listens");
	if (peer->taken == 0)
		return g_strdup("nothing was sent to the peer");
	if (peer->taken == peer->answered)
		return g_strdup("the peer has answered all that it was sent");
	return g_strdup_printf("of %u MAD%s that it was sent the peer has answered %u",
			       peer->taken, peer->taken == 1 ? "" : "s", peer->answered);
}

static struct sent sent_of(const uint8_t *mad)
{
	return (struct sent) {
		mad[MAD_CLASS], mad[MAD_METHOD], get_be16(mad + MAD_ATTR_ID),
		get_be32(mad + MAD_TID + 4),
	};
}

static void remember_sent(struct peer *peer, const uint8_t *mad)
{
	struct sent sent = sent_of(mad);

	if (!peer->world->kind->arrive)
		g_array_append_val(peer->sent, sent);
}

bool peer_has_sent(struct peer *peer, const uint8_t mad[MAD_SIZE])
{
	struct sent wanted = sent_of(mad);

	for (guint i = 0; i < peer->sent->len; i++) {
		const struct sent *sent = &g_array_index(peer->sent, struct sent, i);

		if (sent->mgmt_class != wanted.mgmt_class || sent->method != wanted.method ||
		    sent->attr_id != wanted.attr_id || sent->tid_low != wanted.tid_low)
			continue;
		g_array_remove_index(peer->sent, i);
		return true;
	}
	return false;
}

/* False: errno says why. */
static bool send_one(struct peer *peer, struct due *due)
{
	if (!peer->world->kind->arrive)
		world_arrives(peer->world, peer->world->kind->now_ns(peer->world), due->umad + 64);
	remember_sent(peer, due->umad + 64);
	errno = 0;
	return umad_send(peer->fd, due->agent, due->umad, MAD_SIZE, 0, 0) >= 0;
}

int peer_send_due(struct peer *peer, int64_t now_ns)
{
	struct due *due;
	int status = 0;

	while ((due = g_queue_peek_head(&peer->due)) && due->at_ns <= now_ns) {
		g_queue_pop_head(&peer->due);
		if (!is_withheld(peer, now_ns, due->umad + 64) && !send_one(peer, due) &&
		    status == 0)
			status = errno != 0 ? -errno : -EIO;
		g_free(due);
	}
	return status;
}

int peer_address(struct peer *peer, bool is_smp, uint8_t umad[64])
{
	struct world *world = peer->world;
	struct world_address self;
	int status = world->kind->address(world, "self", &self);

	if (status < 0)
		return status;
	memset(umad, 0, 64);
	umad_set_addr(umad, self.lid, is_smp ? 0 : 1, 0, is_smp ? 0 : (int)QKEY_GSI);
	if (self.needs_grh) {
		struct ib_mad_addr grh = { .hop_limit = 64 };

		memcpy(grh.gid, self.gid, 16);
		umad_set_grh(umad, &grh);
	}
	return 0;
}

/* The agent that sends through the QP of 'mad'; registers it if there is none. -errno: it fails. */
static int find_sender(struct peer *peer, const uint8_t *mad)
{
	bool is_smp = mad_class_is_smp(mad[MAD_CLASS]);
	int *sender = &peer->senders[is_smp ? 0 : 1];

	if (*sender < 0) {
		errno = 0;
		*sender = umad_register(peer->fd, is_smp ? mad[MAD_CLASS] : 0, 1, 0, NULL);
	}
	if (*sender >= 0)
		return *sender;
	return errno != 0 ? -errno : -EIO;
}

int peer_send(struct peer *peer, const uint8_t umad[64 + MAD_SIZE])
{
	const uint8_t *mad = umad + 64;
	bool waits = !mad_is_response(mad) && !is_control(mad);
	uint8_t copy[64 + MAD_SIZE];
	int status = peer_open(peer);
	int sender;

	if (status < 0)
		return status;
	sender = find_sender(peer, mad);
	if (sender < 0)
		return sender;
	memcpy(copy, umad, sizeof(copy));
	remember_sent(peer, mad);
	errno = 0;
	if (umad_send(peer->fd, sender, copy, MAD_SIZE, waits ? WAIT_MS : 0, 0) < 0)
		return errno != 0 ? -errno : -EIO;
	return 0;
}
