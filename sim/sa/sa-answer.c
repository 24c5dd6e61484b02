/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * From a request to the message that answers it: see sim/sa/sa-answer.h.
 */
#include "sim/sa/sa-answer.h"

#include <string.h>

#include "sim/sa/sa-kind.h"

/*
 * The header is the request's, except for what says that it is an answer. C15-0.1.5: the SM_Key is
 * always 0.
 */
static GByteArray *begin(const struct sa_request *request, const uint8_t *mad,
			 enum sa_status status)
{
	GByteArray *answer = g_byte_array_new();
	uint8_t method = request->method == SA_SET ? SA_GET : request->method;

	g_byte_array_append(answer, mad, SA_DATA);
	answer->data[MAD_METHOD] = method | MAD_METHOD_RESPONSE;
	put_be16(answer->data + MAD_STATUS, (uint16_t)status);
	memset(answer->data + RMPP_TYPE, 0, RMPP_END - RMPP_TYPE);
	put_be64(answer->data + SA_SM_KEY, 0);
	put_be16(answer->data + SA_ATTR_OFFSET, 0);
	/* o15-0.2.7: MultiPathRecord is answered by PathRecords. */
	if (request->attr_id == SA_MULTI_PATH_RECORD)
		put_be16(answer->data + MAD_ATTR_ID, SA_PATH_RECORD);
	return answer;
}

/* The answer is one MAD. */
static GByteArray *pad(GByteArray *answer)
{
	guint size = answer->len;

	g_byte_array_set_size(answer, MAD_SIZE);
	memset(answer->data + size, 0, MAD_SIZE - size);
	return answer;
}

/* An error repeats the request's record. */
static GByteArray *answer_error(const struct sa_request *request, const uint8_t *mad,
				enum sa_status status)
{
	GByteArray *answer;

	if (status == SA_DISCARDED)
		return NULL;
	answer = begin(request, mad, status);
	g_byte_array_append(answer, mad + SA_DATA, MAD_SIZE - SA_DATA);
	return answer;
}

void sa_answer_refuse(GByteArray *answer)
{
	put_be16(answer->data + MAD_STATUS, SA_NO_RESOURCES);
	put_be16(answer->data + SA_ATTR_OFFSET, 0);
	memset(answer->data + RMPP_TYPE, 0, RMPP_END - RMPP_TYPE);
	if (answer->len > MAD_SIZE)
		g_byte_array_set_size(answer, MAD_SIZE);
	if (answer->len < MAD_SIZE)
		pad(answer);
}

/*
 * In words of 8 bytes. ClassPortInfo and InformInfo are no records, and follow each other in no
 * table: OpenSM says 0 of one, and rounds the other down.
 */
static void put_offset(GByteArray *answer, uint16_t attr_id, unsigned int size)
{
	unsigned int words = attr_id == SA_CLASS_PORT_INFO ? 0 :
			     attr_id == SA_INFORM_INFO ? size / 8 : (size + 7) / 8;

	put_be16(answer->data + SA_ATTR_OFFSET, (uint16_t)words);
}

/* C15-0.1.30: a Get is for exactly one record. */
static GByteArray *answer_get(const struct sa_request *request, const uint8_t *mad,
			      const struct sa_table *table)
{
	GByteArray *answer;

	if (table->count != 1)
		return answer_error(request, mad,
				    table->count ? SA_TOO_MANY_RECORDS : SA_NO_RECORDS);
	answer = begin(request, mad, SA_OK);
	put_offset(answer, request->attr_id, table->record_size);
	g_byte_array_append(answer, table->records->data, table->record_size);
	return pad(answer);
}

static GByteArray *answer_table(const struct sa_request *request, const uint8_t *mad,
				const struct sa_table *table)
{
	GByteArray *answer;

	if (table->is_full)
		return answer_error(request, mad, SA_NO_RESOURCES);
	answer = begin(request, mad, SA_OK);
	answer->data[RMPP_VERSION] = 1;
	answer->data[RMPP_TYPE] = RMPP_TYPE_DATA;
	answer->data[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	if (table->count)
		put_be16(answer->data + SA_ATTR_OFFSET, (uint16_t)(table->record_size / 8));
	g_byte_array_append(answer, table->records->data, table->records->len);
	return answer;
}

static GByteArray *answer_list(const struct sa_request *request, const uint8_t *mad,
			       const struct sa_kind *kind)
{
	struct sa_table table;
	enum sa_status status;
	GByteArray *answer;

	if (!kind->list)
		return answer_error(request, mad, SA_BAD_METHOD_ATTR);
	if (kind->for_trusted && !request->is_trusted)
		return answer_error(request, mad, SA_REQ_INVALID);
	sa_table_init(&table, kind->attr_id, kind->size, request->data, request->mask);
	if (request->method == SA_GET)
		table.count_max = 1;
	status = kind->list(request, &table);
	if (status != SA_OK)
		answer = answer_error(request, mad, status);
	else if (request->method == SA_GET)
		answer = answer_get(request, mad, &table);
	else
		answer = answer_table(request, mad, &table);
	sa_table_clear(&table);
	return answer;
}

static GByteArray *answer_change(const struct sa_request *request, const uint8_t *mad,
				 const struct sa_kind *kind, sa_change_fn *change)
{
	uint8_t record[SA_RECORD_MAX] = { 0 };
	enum sa_status status;
	GByteArray *answer;

	if (!change)
		return answer_error(request, mad, SA_BAD_METHOD_ATTR);
	status = change(request, record);
	if (status != SA_OK)
		return answer_error(request, mad, status);
	answer = begin(request, mad, SA_OK);
	put_offset(answer, kind->attr_id, kind->size);
	g_byte_array_append(answer, record, kind->size);
	return pad(answer);
}

/*
 * OpenSM's answer to other methods of ClassPortInfo, and to MultiPathRecords that do not come in
 * segments (IBA vol 1, 15.2.5.20), is that the request is invalid.
 */
static bool is_possible(const struct sa_request *request, const uint8_t *mad)
{
	switch (request->attr_id) {
	case SA_CLASS_PORT_INFO:
		return request->method == SA_GET;
	case SA_MULTI_PATH_RECORD:
		return mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE;
	default:	/* numbers from the wire */
		return true;
	}
}

GByteArray *sa_answer(struct sa_request *request, const uint8_t *mad, size_t size)
{
	const struct sa_kind *kind = sa_kind_find(get_be16(mad + MAD_ATTR_ID));
	uint64_t key = get_be64(mad + SA_SM_KEY);

	g_assert(size >= MAD_SIZE);
	request->data = mad + SA_DATA;
	request->mask = get_be64(mad + SA_COMP_MASK);
	request->modifier = get_be32(mad + MAD_ATTR_MOD);
	request->attr_id = get_be16(mad + MAD_ATTR_ID);
	request->method = mad[MAD_METHOD];
	request->is_trusted = key == SA_SM_KEY_TRUSTED;
	/* C15-0.1.5: with a wrong SM_Key the request is discarded. */
	if (key && !request->is_trusted)
		return NULL;
	if (!kind)
		return answer_error(request, mad, SA_BAD_METHOD_ATTR);
	if (!is_possible(request, mad))
		return answer_error(request, mad, SA_REQ_INVALID);
	switch (request->method) {
	case SA_GET:
	case SA_GET_TABLE:
	case SA_GET_MULTI:
		/* GetMulti asks with a record of several packets: MultiPathRecord alone. */
		if ((request->method == SA_GET_MULTI) != (kind->attr_id == SA_MULTI_PATH_RECORD))
			return answer_error(request, mad, SA_BAD_METHOD_ATTR);
		return answer_list(request, mad, kind);
	case SA_SET:
		return answer_change(request, mad, kind, kind->set);
	case SA_DELETE:
		return answer_change(request, mad, kind, kind->remove);
	default:	/* numbers from the wire */
		return answer_error(request, mad, SA_BAD_METHOD_ATTR);
	}
}
