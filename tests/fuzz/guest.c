/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever the fabric sends to a guest's init, an order is whole or refused, and what
 * is whole has a directory, an argument and texts that end in its own bytes.
 *
 * Input: messages, each behind its size in two bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lib/guest/guest-order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static void check_text(const struct guest_order *order, const char *text)
{
	CHECK(text >= order->bytes && text < order->bytes + order->size);
	CHECK(strlen(text) < (size_t)(order->bytes + order->size - text));
}

static void check_whole(const struct guest_order *order)
{
	check_text(order, order->directory);
	CHECK(order->arguments[0]);
	for (char **argument = order->arguments; *argument; argument++)
		check_text(order, *argument);
	for (char **variable = order->environment; *variable; variable++)
		check_text(order, *variable);
}

static void take(struct guest_order *order, const uint8_t *bytes, size_t size)
{
	struct guest_message message;
	int ret;

	if (guest_message_parse(&message, bytes, size) < 0)
		return;
	CHECK(message.content + message.size == bytes + size);
	if (message.type != UMADRIG_GUEST_RUN)
		return;
	ret = guest_order_add(order, &message);
	CHECK(ret <= 0 && order->size <= UMADRIG_GUEST_RUN_MAX);
	CHECK(ret == 0 || !order->is_whole);
	if (ret == 0 && order->is_whole)
		check_whole(order);
	if (ret < 0 || order->is_whole)
		guest_order_clear(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct guest_order order = { .bytes = NULL };

	while (size >= 2) {
		size_t length = (size_t)(data[0] | data[1] << 8);

		data += 2;
		size -= 2;
		if (length > size)
			length = size;
		take(&order, data, length);
		data += length;
		size -= length;
	}
	guest_order_clear(&order);
	return 0;
}
