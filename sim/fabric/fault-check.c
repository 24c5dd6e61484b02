/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Is a rule possible? What holds in any fabric; see sim/fabric/fault.h.
 */
#include <errno.h>
#include <glib.h>

#include "kmod-stub/event.h"
#include "kmod-stub/packet.h"
#include "lib/base/wire.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-where.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/lie.h"

static const char *objection_to_bits(const struct umadrig_fault *fault)
{
	uint32_t bits = 8 * (fault->whole_packet ? PACKET_SIZE_MAX - ICRC_SIZE - VCRC_SIZE :
			     MAD_SIZE);

	if (fault->first_bit >= bits || fault->bit_count > bits - fault->first_bit)
		return "the bits to flip are past the end of the MAD";
	if (fault->flips > (fault->bit_count ? fault->bit_count : bits - fault->first_bit))
		return "more bits to flip than there are";
	return NULL;
}

static const char *objection(const struct umadrig_fault *fault)
{
	const struct fault_action *action = fault_action_of(fault->act);

	if (!action)
		return "no such action";
	if (fault->way < UMADRIG_FAULT_EITHER_WAY || fault->way > UMADRIG_FAULT_ARRIVING)
		return "no such way over a cable";
	if (fault->loss < UMADRIG_FAULT_LOSS_UNSEEN || fault->loss > UMADRIG_FAULT_LOSS_UNREAD)
		return "no such way to lose a packet";
	if (fault->loss && !(action->takes & FAULT_LOSS))
		return "a way to lose packets without losing any";
	if (!fault->node && fault->port)
		return "a port without its node";
	if (fault->numerator > fault->denominator)
		return "a chance of more than one";
	if (fault->denominator && !fault->numerator)
		return "a chance of zero";
	if (fault->rmpp_type > RMPP_TYPE_ABORT)
		return "an RMPP type is one of 1 DATA, 2 ACK, 3 STOP, 4 ABORT";
	if (fault->time_ns < 0 || fault->time_ns > FAULT_TIME_MAX_NS)
		return "a time must not be negative, nor longer than a century";
	if ((action->needs & FAULT_TIME) && !fault->time_ns)
		return "no time is given";
	if ((action->needs & FAULT_LIE) && !fault->lie)
		return "what the lie is about is not given";
	if (fault->lie && !(action->takes & FAULT_LIE))
		return "a field to lie about without a lie";
	return action->takes & FAULT_BITS ? objection_to_bits(fault) : NULL;
}

int fault_check(const struct umadrig_fault *fault, char *reterr, size_t reterr_size)
{
	const char *why = objection(fault);
	struct lie lie;

	if (!why && fault->lie && lie_parse(fault->lie, &lie, reterr, reterr_size) < 0)
		return -EINVAL;
	if (!why)
		return fault->where ? fault_where_check(fault, reterr, reterr_size) : 0;
	g_snprintf(reterr, reterr_size, "%s", why);
	return -EINVAL;
}
