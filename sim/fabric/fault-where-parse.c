/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Reading filters in rules of faults: see sim/fabric/fault-where.h. */
#include <errno.h>
#include <glib.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fault-filter-word.h"
#include "sim/fabric/fault-where.h"
#include "sim/filter/mad-filter.h"

struct mad_filter *fault_where_parse(const char *text, uint8_t mgmt_class, uint16_t attribute,
				     struct filter_error *reterr)
{
	const struct filter_dialect dialect = {
		.refuse = fault_where_refuses,
		.class_info = mgmt_class ? mad_class_find(mgmt_class) : NULL,
		.attr_id = mgmt_class && attribute ? attribute : -1,
	};

	return mad_filter_parse(text, &dialect, reterr);
}

struct mad_filter *fault_where_of(const struct umadrig_fault *fault, char *reterr,
				  size_t reterr_size)
{
	uint8_t mgmt_class = fault->where_class ? fault->where_class : fault->mgmt_class;
	struct filter_error error;
	struct mad_filter *filter =
		fault_where_parse(fault->where, mgmt_class, fault->attribute, &error);

	if (filter)
		return filter;
	g_snprintf(reterr, (gulong)reterr_size, "where: %s", error.message);
	g_free(error.message);
	return NULL;
}

int fault_where_check(const struct umadrig_fault *fault, char *reterr, size_t reterr_size)
{
	struct mad_filter *filter = fault_where_of(fault, reterr, reterr_size);

	mad_filter_free(filter);
	return filter ? 0 : -EINVAL;
}
