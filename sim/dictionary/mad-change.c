/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which MADs change a fabric: see sim/dictionary/mad-change.h.
 */
#include "sim/dictionary/mad-change.h"

#include <stdio.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

/* Of classes that have a database: SA, IBA vol 1, 15.2.2. */
enum {
	METHOD_GET_TRACE_TABLE = 0x13,
	METHOD_GET_MULTI = 0x14,
	METHOD_DELETE = 0x15,
};

static bool is_own(const uint8_t *mad)
{
	return mad_class_is_vendor2(mad[MAD_CLASS]) &&
	       (get_be32(mad + VENDOR2_OUI - 1) & 0xffffff) == MAD_CHANGE_OWN_OUI;
}

static const char *what_changes(const uint8_t *mad)
{
	if (is_own(mad) || mad[MAD_METHOD] & MAD_METHOD_RESPONSE)
		return NULL;
	switch (mad[MAD_METHOD]) {
	case MAD_METHOD_GET:
	case MAD_METHOD_GET_TABLE:
	case METHOD_GET_TRACE_TABLE:
	case METHOD_GET_MULTI:
		return NULL;
	case MAD_METHOD_SET:
		return "sets an attribute";
	case METHOD_DELETE:
		return "deletes a record";
	case MAD_METHOD_TRAP:
		return "is a trap, on which an SM acts";
	case MAD_METHOD_TRAP_REPRESS:
		return "ends a trap";
	case MAD_METHOD_SEND:
		if (mad[MAD_CLASS] == MAD_CLASS_BM)
			return "is a command to hardware";
	}
	return "is not known to only read";
}

const char *mad_change(const uint8_t *mad, char buf[MAD_CHANGE_SIZE])
{
	const char *what = what_changes(mad);
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE];

	if (!what)
		return NULL;
	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	snprintf(buf, MAD_CHANGE_SIZE, "%s(%s) %s", method, attribute, what);
	return buf;
}
