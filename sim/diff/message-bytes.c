/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/diff/message-bytes.h. */
#include "sim/diff/message-bytes.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/mad-role.h"

struct message_records message_records(const uint8_t *bytes, size_t size)
{
	const struct mad_class_info *info = mad_class_find(bytes[MAD_CLASS]);
	struct message_records records = {
		.attribute = mad_attribute_find(bytes[MAD_CLASS], get_be16(bytes + MAD_ATTR_ID)),
		.count = 1,
	};

	if (!info || !records.attribute || !records.attribute->fields) {
		records.attribute = NULL;
		return records;
	}
	records.at = info->data_at;
	records.each = records.attribute->size;
	if (!mad_is_rmpp(bytes))
		return records;
	if (bytes[MAD_CLASS] == MAD_CLASS_SUBN_ADM && get_be16(bytes + SA_ATTR_OFFSET))
		records.each = (size_t)get_be16(bytes + SA_ATTR_OFFSET) * 8;
	records.count = size > records.at && records.each >= records.attribute->size ?
			(size - records.at) / records.each : 0;
	return records;
}

void message_blank(const struct mad_field *field, uint8_t *data)
{
	if (field->width > 64)
		memset(data + field->bit / 8, 0, field->width / 8);
	else
		mad_field_set(field, data, 0);
}
