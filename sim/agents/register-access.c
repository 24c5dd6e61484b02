/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Registers in band: see sim/agents/register-access.h. */
#include "sim/agents/register-access.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/agents/device-register.h"

enum {
	/* TLVs: type, length in words. */
	TLV_OPERATION = 1,
	TLV_REGISTER = 3,
	OPERATION_SIZE = 16,
	REGISTER_HEADER = 4,

	METHOD_QUERY = 1,
	CLASS_REGISTER = 1,		/* of the operation; through class 0x0a, that number */
	CLASS_VENDOR = 0x0a,

	GMP_HEADER = 4,
	GMP_BLOCK = 220,
};

/* ---- TLVs ---- */

/* Size of the register's TLV with its header; 0: there is none, or it does not fit. */
static size_t register_tlv_size(const uint8_t *data, size_t size)
{
	size_t words = register_bits(data, OPERATION_SIZE, 16, 11);

	if (register_bits(data, OPERATION_SIZE, 27, 5) != TLV_REGISTER || words < 1 ||
	    OPERATION_SIZE + words * 4 > size)
		return 0;
	return words * 4;
}

static enum register_status answer_operation(struct node *node, uint8_t *data, size_t size)
{
	unsigned int class = register_bits(data, 4, 0, 8), method = register_bits(data, 4, 8, 7);
	uint8_t contents[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	size_t tlv = register_tlv_size(data, size), room, register_size;
	uint8_t *body = data + OPERATION_SIZE + REGISTER_HEADER;
	enum register_status status;

	if (tlv == 0)
		return REGISTER_BAD_TLV;
	if (class != CLASS_REGISTER && class != CLASS_VENDOR)
		return REGISTER_BAD_CLASS;
	if (method != METHOD_QUERY)
		return REGISTER_BAD_METHOD;
	room = MIN(tlv - REGISTER_HEADER, sizeof(contents));
	memcpy(contents, body, room);
	status = device_register_get(node, register_bits(data, 4, 16, 16), contents, contents,
				     &register_size);
	if (status == REGISTER_OK)
		memcpy(body, contents, MIN(room, register_size));
	return status;
}

int register_access_answer(struct node *node, uint8_t *data, size_t size)
{
	if (size < OPERATION_SIZE + REGISTER_HEADER ||
	    register_bits(data, 0, 27, 5) != TLV_OPERATION ||
	    register_bits(data, 0, 16, 11) * 4 != OPERATION_SIZE)
		return -EINVAL;
	register_put(data, 0, 8, 7, answer_operation(node, data, size));
	register_put(data, 4, 15, 1, 1);	/* a response */
	return 0;
}

/* ---- AccessRegisterGMP ---- */

/* It has statuses of its own. */
static enum mad_status gmp_status(enum register_status status)
{
	switch (status) {
	case REGISTER_OK:
		return MAD_STATUS_OK;
	case REGISTER_UNKNOWN:
		return MAD_STATUS_NO_REGISTER;
	case REGISTER_BAD_CLASS:
		return MAD_STATUS_BAD_VERSION;
	case REGISTER_BAD_METHOD:
		return MAD_STATUS_BAD_METHOD_ATTR;
	case REGISTER_BAD_TLV:
	case REGISTER_BAD_PARAMETER:
		return MAD_STATUS_BAD_FIELD;
	}
	g_assert_not_reached();
}

enum mad_status register_access_gmp(struct node *node, uint32_t id, uint8_t *data)
{
	size_t at = (size_t)register_bits(data, 0, 16, 16) * GMP_BLOCK, size = 0;
	uint8_t contents[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	enum register_status status;

	memcpy(contents, data + GMP_HEADER, GMP_BLOCK);
	status = device_register_get(node, id, contents, contents, &size);
	if (status == REGISTER_OK && at >= size)
		status = REGISTER_BAD_PARAMETER;
	if (status != REGISTER_OK)
		return gmp_status(status);
	memset(data + GMP_HEADER, 0, GMP_BLOCK);
	memcpy(data + GMP_HEADER, contents + at, MIN(size - at, (size_t)GMP_BLOCK));
	return MAD_STATUS_OK;
}
