/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tries filters on MADs. See harness/capture/filter.h.
 */
#include "harness/capture/filter.h"

#include <string.h>

#include "harness/capture/filter-test.h"
#include "harness/script/mad/term-value.h"
#include "lib/base/wire.h"
#include "lib/words/node-place.h"

enum {
	SMP_STATUS_MASK = 0x7fff,
	ATTR_NOTICE = 0x0002,
	NOTICE_IS_GENERIC = 0x80,	/* of its first byte (IBA vol 1, 13.4.8.2) */
	NOTICE_TRAP_NUMBER = 4,
};

static bool is_so(enum filter_operator operator, uint64_t found, uint64_t value)
{
	switch (operator) {
	case FILTER_EQUAL: return found == value;
	case FILTER_DIFFERENT: return found != value;
	case FILTER_LESS: return found < value;
	case FILTER_AT_MOST: return found <= value;
	case FILTER_MORE: return found > value;
	case FILTER_AT_LEAST: return found >= value;
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

	return is_so(test->operator, mad_field_get(&field, data), test->value);
}

/* Traps, their TrapRepress, and Reports of them: vendors have numbers of their own. */
static bool fits_trap(const struct filter_test *test, const uint8_t *mad)
{
	const uint8_t *data = attribute_data(mad);

	return data && get_be16(mad + MAD_ATTR_ID) == ATTR_NOTICE && data[0] & NOTICE_IS_GENERIC &&
	       is_so(test->operator, get_be16(data + NOTICE_TRAP_NUMBER), test->value);
}

static bool fits_bytes(const struct filter_test *test, const uint8_t *bytes)
{
	return (memcmp(bytes, test->bytes, test->size) == 0) == (test->operator == FILTER_EQUAL);
}

/* LRH and GRH are not in every packet. */
static bool has_addr(enum term_addr which, const struct capture_mad *mad)
{
	switch (which) {
	case TERM_ADDR_SLID:
	case TERM_ADDR_DLID:
	case TERM_ADDR_SL:
	case TERM_ADDR_VL:
		return mad->transport == CAPTURE_INFINIBAND;
	case TERM_ADDR_HOP_LIMIT:
	case TERM_ADDR_TRAFFIC_CLASS:
	case TERM_ADDR_FLOW_LABEL:
	case TERM_ADDR_SGID:
	case TERM_ADDR_DGID:
		return mad->addr.has_grh || mad->transport != CAPTURE_INFINIBAND;
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

static bool fits_addr(const struct filter_test *test, const struct capture_mad *mad)
{
	enum term_addr which = test->bit;

	if (!has_addr(which, mad))
		return false;
	if (which == TERM_ADDR_SGID)
		return fits_bytes(test, mad->addr.sgid);
	if (which == TERM_ADDR_DGID)
		return fits_bytes(test, mad->addr.dgid);
	return is_so(test->operator, term_addr_number(&mad->addr, which), test->value);
}

/* The name of a port, or of its node, which is that of all of its ports. */
static bool is_called(const struct filter_test *test, const char *name)
{
	return strcmp(name, test->text) == 0 || node_place_is_of(name, test->text);
}

/* An address if the test has one; otherwise a name, which the record or 'ends' knows. */
static bool is_end(const struct filter_test *test, const struct mad_ends *ends,
		   const struct capture_mad *mad, bool source)
{
	bool here = mad->direction == (source ? CAPTURE_OUTBOUND : CAPTURE_INBOUND);
	const char *name;

	if (test->lid >= 0)
		return mad->transport == CAPTURE_INFINIBAND && !mad_is_directed(mad) &&
		       (source ? mad->addr.slid : mad->addr.dlid) == test->lid;
	if (test->is_gid)
		return has_addr(TERM_ADDR_SGID, mad) &&
		       memcmp(source ? mad->addr.sgid : mad->addr.dgid, test->bytes, 16) == 0;
	if (test->is_guid)
		return ends && mad_ends_has_guid(ends, mad, source, test->value);
	if (mad->interface_name && here && is_called(test, mad->interface_name))
		return true;
	name = !ends ? NULL : mad->interface_name && here ? mad->interface_name :
	       mad_ends_called(ends, mad, source);
	if (name && is_called(test, name))
		return true;
	name = ends ? mad_ends_description(ends, mad, source) : NULL;
	return name && strcmp(name, test->text) == 0;
}

/* The place where the record was taken counts too: in many captures nothing else has a name. */
static bool is_port(const struct filter_test *test, const struct mad_ends *ends,
		    const struct capture_mad *mad)
{
	return is_end(test, ends, mad, true) || is_end(test, ends, mad, false) ||
	       (mad->interface_name && is_called(test, mad->interface_name));
}

/* What is not known of the frame fits nothing. */
static bool fits_trait(const struct filter_test *test, const struct frame_traits *traits,
		       const struct capture_mad *mad)
{
	const struct frame_trait *trait = traits ? frame_traits_find(traits, mad->frame) : NULL;

	if (!trait)
		return false;
	if (test->what == FILTER_UNANSWERED)
		return trait->is_unanswered;
	if (test->what == FILTER_CHANGED)
		return trait->is_changed;
	if (test->what == FILTER_RETRY)
		return trait->is_asked && is_so(test->operator, trait->retries, test->value);
	return trait->trip_ns >= 0 &&
	       is_so(test->operator, (uint64_t)trait->trip_ns, test->value);
}

static bool fits(const struct filter_test *test, const struct filter *filter,
		 const struct mad_ends *ends, const struct capture_mad *mad)
{
	bool equal = test->operator == FILTER_EQUAL;
	const uint8_t *data;

	switch (test->what) {
	case FILTER_METHOD:
		return fits_method(test, mad->mad);
	case FILTER_TIME:
		return mad->time_ns >= test->from_ns && mad->time_ns < test->to_ns;
	case FILTER_FRAME:
		return is_so(test->operator, mad->frame, test->value);
	case FILTER_DROPPED:
		return mad_death(mad) != NULL;
	case FILTER_TRAP:
		return fits_trap(test, mad->mad);
	case FILTER_UNANSWERED:
	case FILTER_CHANGED:
	case FILTER_RETRY:
	case FILTER_TRIP:
		return fits_trait(test, filter->traits, mad);
	case FILTER_STATUS:
		return is_so(test->operator, get_be16(mad->mad + MAD_STATUS) &
			     (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR ? SMP_STATUS_MASK : 0xffff),
			     test->value);
	case FILTER_BITS:
		return has_header(test->header, mad->mad) && fits_bits(test, mad->mad);
	case FILTER_BYTES:
		return has_header(test->header, mad->mad) &&
		       fits_bytes(test, mad->mad + test->bit / 8);
	case FILTER_DATA:
		data = attribute_data(mad->mad);
		return data && fits_bits(test, data);
	case FILTER_DATA_BYTES:
		data = attribute_data(mad->mad);
		return data && fits_bytes(test, data + test->bit / 8);
	case FILTER_ADDR:
		return fits_addr(test, mad);
	case FILTER_FROM:
		return is_end(test, ends, mad, true) == equal;
	case FILTER_TO:
		return is_end(test, ends, mad, false) == equal;
	case FILTER_PORT:
		return is_port(test, ends, mad) == equal;
	}
	return false;
}

bool filter_keeps(const struct filter *filter, const struct mad_ends *ends,
		  const struct capture_mad *mad)
{
	if (!filter)
		return true;
	for (guint i = 0; i < filter->rules->len; i++) {
		const GPtrArray *rule = filter->rules->pdata[i];
		guint n = 0;

		for (; n < rule->len; n++) {
			const struct filter_test *test = rule->pdata[n];

			if (fits(test, filter, ends, mad) == test->negated)
				break;
		}
		if (n == rule->len)
			return true;
	}
	return false;
}

const char *filter_looks_ahead(const struct filter *filter)
{
	return filter ? filter->look_ahead : NULL;
}

void filter_set_traits(struct filter *filter, const struct frame_traits *traits)
{
	filter->traits = traits;
}

bool filter_names_ports(const struct filter *filter)
{
	return filter && filter->names_ports;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	arena_free(filter->arena);
	g_free(filter);
}
