/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Selectors: see sim/sa/sa-selector.h.
 */
#include "sim/sa/sa-selector.h"

#include "sim/sa/path-walk.h"
#include "sim/sa/sa-request.h"

struct wish wish_read(const struct sa_request *request, unsigned int component, uint8_t byte)
{
	return (struct wish){
		.is_given = sa_has(request, component) && sa_has(request, component + 1),
		.selector = (enum selector)(byte >> SELECTOR_SHIFT),
		.value = byte & SELECTOR_VALUE,
	};
}

bool wish_is_valid(const struct wish *mtu, struct wish *rate)
{
	enum { MTU_MIN = 1, MTU_MAX = 5 };

	if (mtu->is_given && (mtu->value < MTU_MIN || mtu->value > MTU_MAX))
		return false;
	if (!rate->is_given)
		return true;
	rate->value = path_rate_rank((uint8_t)rate->value);
	return rate->value != 0;
}

bool wish_grant(const struct wish *wish, bool is_lowered, unsigned int *value)
{
	if (!wish->is_given)
		return true;
	switch (wish->selector) {
	case SELECT_GREATER:
		return *value > wish->value;
	case SELECT_LESS:
		*value = MIN(*value, wish->value - 1);
		return wish->value > 1;
	case SELECT_EXACTLY:
		if (*value < wish->value || (!is_lowered && *value != wish->value))
			return false;
		*value = wish->value;
		return true;
	case SELECT_BEST:
		return true;
	}
	return false;
}

bool wish_fits(const struct wish *wish, unsigned int value)
{
	if (!wish->is_given)
		return true;
	switch (wish->selector) {
	case SELECT_GREATER:
		return value > wish->value;
	case SELECT_LESS:
		return value < wish->value;
	case SELECT_EXACTLY:
		return value == wish->value;
	case SELECT_BEST:
		return true;
	}
	return false;
}
