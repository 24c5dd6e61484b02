/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad_* calls of a script that return a text. Numbers are in host order here.
 */
#include "harness/script/verb/call-run.h"

#include <infiniband/umad_str.h>

#include "harness/script/verb/newer-umad.h"

/* The argument 'at', a number of 'bits' bits. */
static uint16_t number_at(const struct running_call *call, unsigned int at, unsigned int bits)
{
	uint64_t number = arg_number(call, at, 0);

	if (number >> bits != 0)
		arg_refuse(call, at, "expected a number of %u bits", bits);
	return (uint16_t)number;
}

void call_umad_class_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = umad_class_str((uint8_t)number_at(call, 0, 8));
}

void call_umad_method_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = umad_method_str((uint8_t)number_at(call, 0, 8),
				    (uint8_t)number_at(call, 1, 8));
}

void call_umad_attribute_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = umad_attribute_str((uint8_t)number_at(call, 0, 8),
				       htobe16(number_at(call, 1, 16)));
}

void call_umad_common_mad_status_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = umad_common_mad_status_str(htobe16(number_at(call, 0, 16)));
}

void call_umad_mad_status_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = newer_umad()->mad_status_str(htobe16(number_at(call, 0, 16)));
}

void call_umad_sa_mad_status_str(const struct running_call *call, struct call_outcome *ret)
{
	ret->text = umad_sa_mad_status_str(htobe16(number_at(call, 0, 16)));
}
