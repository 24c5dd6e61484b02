/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tries filters on MADs. See sim/filter/mad-filter.h.
 */
#include "sim/filter/mad-filter.h"

#include <string.h>

#include "kmod-stub/packet.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/filter/filter-test.h"
#include "sim/filter/term.h"

enum {
	SMP_STATUS_MASK = 0x7fff,
	ATTR_NOTICE = 0x0002,
	NOTICE_IS_GENERIC = 0x80,	/* of its first byte (IBA vol 1, 13.4.8.2) */
	NOTICE_TRAP_NUMBER = 4,
};

bool filter_test_fits(const struct filter_test *test, uint64_t found)
{
	switch (test->operator) {
	case FILTER_EQUAL: return found == test->value;
	case FILTER_DIFFERENT: return found != test->value;
	case FILTER_LESS: return found < test->value;
	case FILTER_AT_MOST: return found <= test->value;
	case FILTER_MORE: return found > test->value;
	case FILTER_AT_LEAST: return found >= test->value;
	}
	return false;
}

static bool has_active_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

static bool has_header(enum filter_header header, const uint8_t *mad)
{
	switch (header) {
	case FILTER_IN_ALL: return true;
	case FILTER_IN_RMPP: return has_active_rmpp(mad);
	case FILTER_IN_RMPP_DATA:
		return has_active_rmpp(mad) && mad[RMPP_TYPE] == RMPP_TYPE_DATA;
	case FILTER_IN_RMPP_ACK:
		return has_active_rmpp(mad) && mad[RMPP_TYPE] == RMPP_TYPE_ACK;
	case FILTER_IN_SMP: return mad_class_is_smp(mad[MAD_CLASS]);
	case FILTER_IN_DIRECTED: return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	case FILTER_IN_SA: return mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM;
	case FILTER_IN_VENDOR: return mad_class_is_vendor2(mad[MAD_CLASS]);
	}
	return false;
}

static bool fits_method(const struct filter_test *test, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);

	if (!info || (test->attr_id >= 0 && get_be16(mad + MAD_ATTR_ID) != test->attr_id) ||
	    (test->method >= 0 && mad[MAD_METHOD] != test->method))
		return false;
	return info == test->class_info ||
	       (!test->one_class && strcmp(info->prefix, test->class_info->prefix) == 0);
}

/* The attribute of a MAD that contains its beginning; NULL: it is a later segment, or has none. */
static const uint8_t *attribute_data(const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);

	if (has_active_rmpp(mad) &&
	    (mad[RMPP_TYPE] != RMPP_TYPE_DATA || get_be32(mad + RMPP_SEGMENT) != 1))
		return NULL;
	return info ? mad + info->data_at : NULL;
}

static bool fits_bits(const struct filter_test *test, const uint8_t *data)
{
	const struct mad_field field = { .name = "", .bit = test->bit, .width = test->width };

	return filter_test_fits(test, mad_field_get(&field, data));
}

/* Traps, their TrapRepress, and Reports of them: vendors have numbers of their own. */
static bool fits_trap(const struct filter_test *test, const uint8_t *mad)
{
	const uint8_t *data = attribute_data(mad);

	return data && get_be16(mad + MAD_ATTR_ID) == ATTR_NOTICE && data[0] & NOTICE_IS_GENERIC &&
	       filter_test_fits(test, get_be16(data + NOTICE_TRAP_NUMBER));
}

static bool fits_bytes(const struct filter_test *test, const uint8_t *bytes)
{
	return (memcmp(bytes, test->bytes, test->size) == 0) == (test->operator == FILTER_EQUAL);
}

/* LRH and GRH are not in every packet. */
static bool has_addr(enum term_addr which, const struct filter_subject *subject)
{
	switch (which) {
	case TERM_ADDR_SLID:
	case TERM_ADDR_DLID:
	case TERM_ADDR_SL:
	case TERM_ADDR_VL:
		return subject->has_lrh;
	case TERM_ADDR_HOP_LIMIT:
	case TERM_ADDR_TRAFFIC_CLASS:
	case TERM_ADDR_FLOW_LABEL:
	case TERM_ADDR_SGID:
	case TERM_ADDR_DGID:
		return subject->has_grh;
	case TERM_ADDR_PKEY:
	case TERM_ADDR_SQP:
	case TERM_ADDR_DQP:
	case TERM_ADDR_QKEY:
	case TERM_ADDR_PSN:
	case TERM_ADDR_GRH:
		return true;
	}
	return false;
}

static bool fits_addr(const struct filter_test *test, const struct filter_subject *subject)
{
	enum term_addr which = test->bit;

	if (!has_addr(which, subject))
		return false;
	if (which == TERM_ADDR_SGID)
		return fits_bytes(test, subject->addr->sgid);
	if (which == TERM_ADDR_DGID)
		return fits_bytes(test, subject->addr->dgid);
	return filter_test_fits(test, term_addr_number(subject->addr, which));
}

bool filter_test_is_address(const struct filter_test *test)
{
	return test->lid >= 0 || test->is_gid;
}

/* A directed route goes by its ports: its LIDs are those of nobody. */
static bool has_address(const struct filter_test *test, const struct filter_subject *subject,
			bool source)
{
	const struct packet_addr *addr = subject->addr;

	if (test->lid >= 0)
		return subject->has_lrh && (source ? addr->slid : addr->dlid) == test->lid &&
		       !(subject->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR &&
			 addr->slid == LID_PERMISSIVE);
	return test->is_gid && subject->has_grh &&
	       memcmp(source ? addr->sgid : addr->dgid, test->bytes, 16) == 0;
}

/* An end that is no address has a name, which 'more' knows, or a GUID. */
static bool fits_more(const struct filter_test *test, const struct filter_subject *subject,
		      filter_more_fn *more, void *ctx)
{
	bool equal = test->operator == FILTER_EQUAL;

	switch (test->what) {
	case FILTER_FROM:
		if (filter_test_is_address(test))
			return has_address(test, subject, true) == equal;
		return more(test, ctx) == equal;
	case FILTER_TO:
		if (filter_test_is_address(test))
			return has_address(test, subject, false) == equal;
		return more(test, ctx) == equal;
	case FILTER_PORT:
		if (has_address(test, subject, true) ||
		    has_address(test, subject, false))
			return equal;
		return more(test, ctx) == equal;
	case FILTER_TIME:
	case FILTER_FRAME:
	case FILTER_DROPPED:
	case FILTER_UNANSWERED:
	case FILTER_CHANGED:
	case FILTER_RETRY:
	case FILTER_TRIP:
	case FILTER_METHOD:
	case FILTER_TRAP:
	case FILTER_STATUS:
	case FILTER_BITS:
	case FILTER_DATA:
	case FILTER_BYTES:
	case FILTER_DATA_BYTES:
	case FILTER_ADDR:
		break;
	}
	return more(test, ctx);
}

static uint16_t status_of(const uint8_t *mad)
{
	return get_be16(mad + MAD_STATUS) &
	       (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR ? SMP_STATUS_MASK : 0xffff);
}

static bool fits(const struct filter_test *test, const struct filter_subject *subject,
		 filter_more_fn *more, void *ctx)
{
	const uint8_t *mad = subject->mad, *data;

	switch (test->what) {
	case FILTER_METHOD:
		return fits_method(test, mad);
	case FILTER_TRAP:
		return fits_trap(test, mad);
	case FILTER_STATUS:
		return filter_test_fits(test, status_of(mad));
	case FILTER_BITS:
		return has_header(test->header, mad) && fits_bits(test, mad);
	case FILTER_BYTES:
		return has_header(test->header, mad) && fits_bytes(test, mad + test->bit / 8);
	case FILTER_DATA:
		data = attribute_data(mad);
		return data && fits_bits(test, data);
	case FILTER_DATA_BYTES:
		data = attribute_data(mad);
		return data && fits_bytes(test, data + test->bit / 8);
	case FILTER_ADDR:
		return fits_addr(test, subject);
	case FILTER_FROM:
	case FILTER_TO:
	case FILTER_PORT:
	case FILTER_TIME:
	case FILTER_FRAME:
	case FILTER_DROPPED:
	case FILTER_UNANSWERED:
	case FILTER_CHANGED:
	case FILTER_RETRY:
	case FILTER_TRIP:
		return fits_more(test, subject, more, ctx);
	}
	return false;
}

bool mad_filter_keeps(const struct mad_filter *filter, const struct filter_subject *subject,
		      filter_more_fn *more, void *ctx)
{
	for (guint i = 0; i < filter->rules->len; i++) {
		const GPtrArray *rule = filter->rules->pdata[i];
		guint n = 0;

		for (; n < rule->len; n++) {
			const struct filter_test *test = rule->pdata[n];

			if (fits(test, subject, more, ctx) == test->negated)
				break;
		}
		if (n == rule->len)
			return true;
	}
	return false;
}

void mad_filter_each(const struct mad_filter *filter, filter_test_fn *each, void *ctx)
{
	for (guint i = 0; i < filter->rules->len; i++) {
		const GPtrArray *rule = filter->rules->pdata[i];

		for (guint n = 0; n < rule->len; n++) {
			if (!each(rule->pdata[n], ctx))
				return;
		}
	}
}
