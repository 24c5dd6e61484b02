/*
 * Data with a name: what messages of many segments carry.
 */
#include "script.h"

#include <string.h>

#include "wire.h"

const struct payload *payload_find(const struct point *point, const char *name)
{
	for (guint i = 0; i < point->payloads->len; i++) {
		const struct payload *payload = point->payloads->pdata[i];

		if (strcmp(payload->name, name) == 0)
			return payload;
	}
	return NULL;
}

/* One byte of another: the one that stands above, and is then in the point already. */
static bool flipped_size(const struct point *point, const struct payload *payload, size_t *ret)
{
	const struct payload *other = payload_find(point, payload->flipped);
	uint64_t at;

	return other != NULL && payload_size(point, other, ret) &&
	       expr_constant_number(payload->value, &at) && at < *ret;
}

bool payload_size(const struct point *point, const struct payload *payload, size_t *ret)
{
	uint64_t number;

	if (payload->flipped != NULL)
		return flipped_size(point, payload, ret);
	if (payload->is_pattern) {
		if (!expr_constant_number(payload->value, &number) || number > PAYLOAD_SIZE_MAX)
			return false;
		*ret = number;
		return true;
	}
	if (payload->value->kind == EXPR_STRING) {
		*ret = strlen(payload->value->text);
		return true;
	}
	if (payload->value->kind != EXPR_SET)
		return false;
	for (guint i = 0; i < payload->value->items->len; i++) {
		if (!expr_constant_number(payload->value->items->pdata[i], &number) || number > 0xff)
			return false;
	}
	*ret = payload->value->items->len;
	return true;
}

static void fill_pattern(const struct payload *payload, uint8_t *ret, size_t size)
{
	uint32_t word = g_str_hash(payload->name);
	uint8_t bytes[4];

	for (size_t at = 0; at < size; at += sizeof(bytes)) {
		/* An odd step reaches every number before it comes to the first again. */
		word += UINT32_C(0x9e3779b1);
		put_be32(bytes, word);
		memcpy(ret + at, bytes, MIN(size - at, sizeof(bytes)));
	}
}

void payload_fill(const struct point *point, const struct payload *payload, uint8_t *ret)
{
	uint64_t number = 0;
	size_t size = 0;

	if (payload->flipped != NULL) {
		payload_fill(point, payload_find(point, payload->flipped), ret);
		expr_constant_number(payload->value, &number);
		ret[number] ^= 0xff;
		return;
	}
	payload_size(point, payload, &size);
	if (payload->is_pattern) {
		fill_pattern(payload, ret, size);
		return;
	}
	if (payload->value->kind == EXPR_STRING) {
		memcpy(ret, payload->value->text, size);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		expr_constant_number(payload->value->items->pdata[i], &number);
		ret[i] = (uint8_t)number;
	}
}
