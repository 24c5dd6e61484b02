/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * InformInfo: programs that want to learn of events, and the reports for them (IBA vol 1, 13.4.11
 * and 15.2.5.15).
 *
 * These notices are the SA's own: a port's GID is in or out of service (64, 65), a multicast group
 * has been made or is gone (66, 67). The SA makes no port active: notice 64 follows a Set of
 * PortInfo by a program. Traps of ports (128 and others) are forwarded.
 */
#include "sim/sa/sa-inform.h"

#include <string.h>

#include "lib/base/user-header.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/sa/sa-list.h"
#include "sim/sa/sa-store.h"

enum {
	SUBSCRIPTIONS_MAX = 4096,
	REPORTS_MAX = 65536,		/* that wait to be sent: one instant's */

	/* InformInfo, in bytes */
	INFO_SIZE = 36,
	INFO_GID = 0,
	LID_FIRST = 16,
	LID_LAST = 18,
	IS_GENERIC = 22,
	SUBSCRIBE = 23,
	TYPE = 24,
	TRAP_NUMBER = 26,
	QPN = 28,			/* 24 bits; then RespTimeValue */
	PRODUCER = 33,			/* 24 bits */
	GID_SIZE = 16,

	/* InformInfoRecord */
	RECORD_INFO = 24,

	/* Notice */
	NOTICE_TYPE = 0,
	NOTICE_PRODUCER = 1,
	NOTICE_TRAP = 4,
	NOTICE_LID = 6,
	NOTICE_GID = 16,		/* of the event: details begin at byte 10 */
	TRAP_SIZE = 64,			/* what a trap has of it */
	NOTICE_ISSUER = 64,
	GENERIC = 0x80,
	SUBNET_MANAGEMENT = 3,		/* Type, as OpenSM's */
	CLASS_MANAGER = 4,		/* ProducerType */

	FIRST_SECURITY_TRAP = 256,	/* C15-0.2-1.16: for trusted requesters */
	LAST_SECURITY_TRAP = 259,
	ANY_16 = 0xffff,
	ANY_24 = 0xffffff,
};

static const uint8_t no_gid[GID_SIZE];

struct subscription {
	const struct end_port *end;
	uint8_t header[USER_HEADER_SIZE];	/* where it came from, and reports go */
	uint8_t info[INFO_SIZE];
	bool is_trusted;		/* it had the SM_Key */
};

struct report {
	uint8_t header[USER_HEADER_SIZE];
	uint8_t mad[MAD_SIZE];
};

struct sa_subscribers {
	GPtrArray *all;			/* of struct subscription *, the oldest first */
	GQueue reports;			/* of struct report * */
	uint32_t sent;			/* TIDs so far */
};

static struct sa_subscribers *subscribers_of(const struct subnet *subnet)
{
	struct sa_store *store = subnet->sa->store;

	if (!store->subscribers) {
		store->subscribers = g_new0(struct sa_subscribers, 1);
		store->subscribers->all = g_ptr_array_new_with_free_func(g_free);
		g_queue_init(&store->subscribers->reports);
	}
	return store->subscribers;
}

void sa_subscribers_free(struct sa_subscribers *subscribers)
{
	if (!subscribers)
		return;
	g_ptr_array_unref(subscribers->all);
	g_queue_clear_full(&subscribers->reports, g_free);
	g_free(subscribers);
}

/* ---- subscriptions ---- */

/* Are two subscriptions one, whatever they say of Subscribe and of the time of a response? */
static bool is_same(const struct subscription *one, const struct end_port *end, const uint8_t *info)
{
	return one->end == end && memcmp(one->info, info, SUBSCRIBE) == 0 &&
	       memcmp(one->info + TYPE, info + TYPE, QPN - TYPE) == 0 &&
	       get_be24(one->info + QPN) == get_be24(info + QPN) &&
	       memcmp(one->info + PRODUCER, info + PRODUCER, INFO_SIZE - PRODUCER) == 0;
}

static struct subscription *find(const struct sa_subscribers *subscribers,
				 const struct end_port *end, const uint8_t *info)
{
	for (unsigned int i = 0; i < subscribers->all->len; i++) {
		struct subscription *one = g_ptr_array_index(subscribers->all, i);

		if (is_same(one, end, info))
			return one;
	}
	return NULL;
}

static bool is_violation(uint16_t trap)
{
	return trap >= FIRST_SECURITY_TRAP && trap <= LAST_SECURITY_TRAP;
}

static bool is_security(const uint8_t *info)
{
	return info[IS_GENERIC] && is_violation(get_be16(info + TRAP_NUMBER));
}

/* The highest LID that a port of the subnet has. */
static unsigned int last_lid(const struct subnet *subnet)
{
	struct sa_ends at = { 0 };
	const struct end_port *end;
	unsigned int last = 0;

	while ((end = sa_ends_next(subnet, &at)))
		last = MAX(last, end->attr.lid + (1U << end->attr.lmc) - 1);
	return last;
}

/* Is the port one whose traps are asked for by LID? */
static bool in_range(const uint8_t *info, const struct end_port *end)
{
	uint16_t first = get_be16(info + LID_FIRST), last = get_be16(info + LID_LAST);

	/* A range without an end is one LID (IBA vol 1, table 120). */
	if (!last)
		last = first;
	return first == ANY_16 || (end->attr.lid >= first && end->attr.lid <= last);
}

/* o13-14.1.1: subscribers and those that they hear of can reach each other, and are there. */
static bool may_hear(const struct sa_request *request, const uint8_t *info)
{
	struct sa_ends at = { 0 };
	const struct end_port *end;

	if (memcmp(info + INFO_GID, no_gid, GID_SIZE) != 0) {
		end = sa_end_by_gid(request->subnet, info + INFO_GID);
		return end && sa_may_see(request, end);
	}
	if (get_be16(info + LID_FIRST) == ANY_16)
		return true;
	if (get_be16(info + LID_FIRST) > last_lid(request->subnet))
		return false;
	while ((end = sa_ends_next(request->subnet, &at))) {
		if (in_range(info, end) && !sa_may_see(request, end))
			return false;
	}
	return true;
}

enum sa_status sa_set_inform_info(const struct sa_request *request, uint8_t *answer)
{
	struct sa_subscribers *subscribers = subscribers_of(request->subnet);
	bool subscribes = request->data[SUBSCRIBE];
	uint8_t info[INFO_SIZE];
	struct subscription *one;

	/* o13-12.1.1: the answer is a copy of the request. */
	memcpy(answer, request->data, INFO_SIZE);
	memcpy(info, request->data, INFO_SIZE);
	if (request->data[SUBSCRIBE] > 1 || (is_security(info) && !request->is_trusted))
		return SA_REQ_INVALID;
	/* Reports go to the QP that has asked; one who unsubscribes says which that was. */
	if (subscribes)
		put_be24(info + QPN, get_be32(request->header + USER_QPN_BE));
	one = find(subscribers, request->from, info);
	if (subscribes ? !may_hear(request, info) : !one)
		return SA_REQ_INVALID;
	if (!subscribes) {
		g_ptr_array_remove(subscribers->all, one);
		return SA_OK;
	}
	if (!one && subscribers->all->len >= SUBSCRIPTIONS_MAX)
		return SA_NO_RESOURCES;
	if (!one) {
		one = g_new(struct subscription, 1);
		g_ptr_array_add(subscribers->all, one);
	}
	one->end = request->from;
	one->is_trusted = request->is_trusted;
	memcpy(one->header, request->header, USER_HEADER_SIZE);
	memcpy(one->info, info, INFO_SIZE);
	return SA_OK;
}

enum sa_status sa_list_subscriptions(const struct sa_request *request, struct sa_table *table)
{
	const struct sa_subscribers *subscribers = subscribers_of(request->subnet);

	for (unsigned int i = 0; i < subscribers->all->len && !sa_table_is_done(table); i++) {
		const struct subscription *one = g_ptr_array_index(subscribers->all, i);
		uint8_t record[SA_RECORD_MAX] = { 0 };

		if (!sa_may_see(request, one->end))
			continue;
		put_be64(record, one->end->gid_prefix);
		put_be64(record + 8, one->end->guid);
		memcpy(record + RECORD_INFO, one->info, INFO_SIZE);
		/* IBA vol 1, 15.2.5.12: the QPN is for trusted requesters. */
		if (!request->is_trusted)
			put_be24(record + RECORD_INFO + QPN, 0);
		sa_table_offer(table, record);
	}
	return SA_OK;
}

bool sa_has_subscribers(const struct subnet *subnet)
{
	const struct sa_subscribers *subscribers = subnet->sa->store->subscribers;

	return subscribers && subscribers->all->len > 0;
}

/* ---- reports ---- */

/* Does a subscription ask for the notice, which the port 'issuer' makes? */
static bool is_wanted(const struct subscription *one, const uint8_t *notice,
		      const struct end_port *issuer)
{
	const uint8_t *info = one->info;
	uint16_t trap = get_be16(info + TRAP_NUMBER), type = get_be16(info + TYPE);
	uint32_t producer = get_be24(info + PRODUCER);

	if (!info[IS_GENERIC] || (trap != ANY_16 && trap != get_be16(notice + NOTICE_TRAP)) ||
	    (type != ANY_16 && type != (notice[NOTICE_TYPE] & ~GENERIC)) ||
	    (producer != ANY_24 && producer != get_be24(notice + NOTICE_PRODUCER)) ||
	    (is_violation(get_be16(notice + NOTICE_TRAP)) && !one->is_trusted))
		return false;
	/* A GID goes before LIDs. */
	if (memcmp(info + INFO_GID, no_gid, GID_SIZE) != 0)
		return memcmp(info + INFO_GID, notice + NOTICE_ISSUER, GID_SIZE) == 0;
	return in_range(info, issuer);
}

static void add_report(struct sa_subscribers *subscribers, const struct subscription *to,
		       const uint8_t *notice)
{
	struct report *report = g_new0(struct report, 1);
	uint8_t *mad = report->mad;

	memcpy(report->header, to->header, USER_HEADER_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = SA_REPORT;
	put_be64(mad + MAD_TID, ++subscribers->sent);
	put_be16(mad + MAD_ATTR_ID, SA_NOTICE);
	memcpy(mad + SA_DATA, notice, SA_NOTICE_SIZE);
	g_queue_push_tail(&subscribers->reports, report);
}

/* Completes the notice, and makes the reports. */
static void report_all(struct subnet *subnet, const struct end_port *issuer,
		       uint8_t notice[SA_NOTICE_SIZE])
{
	struct sa_subscribers *subscribers = subnet->sa->store->subscribers;

	if (!subscribers)
		return;
	put_be64(notice + NOTICE_ISSUER, issuer->gid_prefix);
	put_be64(notice + NOTICE_ISSUER + 8, issuer->guid);
	for (unsigned int i = 0; i < subscribers->all->len; i++) {
		const struct subscription *one = g_ptr_array_index(subscribers->all, i);

		if (subscribers->reports.length < REPORTS_MAX &&
		    is_wanted(one, notice, issuer))
			add_report(subscribers, one, notice);
	}
	if (subscribers->reports.length)
		subnet->sa->wake(subnet);
}

void sa_notify(struct subnet *subnet, enum sa_trap trap, const uint8_t *gid)
{
	const struct end_port *issuer = subnet->sa->end;
	uint8_t notice[SA_NOTICE_SIZE] = { GENERIC | SUBNET_MANAGEMENT };

	put_be24(notice + NOTICE_PRODUCER, CLASS_MANAGER);
	put_be16(notice + NOTICE_TRAP, (uint16_t)trap);
	put_be16(notice + NOTICE_LID, issuer->attr.lid);
	memcpy(notice + NOTICE_GID, gid, GID_SIZE);
	report_all(subnet, issuer, notice);
}

void sa_forward(struct subnet *subnet, const struct end_port *issuer, const uint8_t *trap)
{
	uint8_t notice[SA_NOTICE_SIZE] = { 0 };

	memcpy(notice, trap, TRAP_SIZE);
	report_all(subnet, issuer, notice);
}

bool sa_next_report(struct sa_subscribers *subscribers, uint8_t *header, uint8_t *mad)
{
	struct report *report = subscribers ? g_queue_pop_head(&subscribers->reports) : NULL;

	if (!report)
		return false;
	memcpy(header, report->header, USER_HEADER_SIZE);
	memcpy(mad, report->mad, MAD_SIZE);
	g_free(report);
	return true;
}
