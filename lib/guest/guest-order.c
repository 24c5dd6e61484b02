/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is to be run in a guest: see lib/guest/guest-order.h.
 */
#include "lib/guest/guest-order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/number.h"

/* The text at '*at', which ends with a NUL before 'end'. NULL: it does not. */
static char *take_text(char **at, char *end)
{
	char *text = *at, *nul = memchr(text, '\0', (size_t)(end - text));

	if (!nul)
		return NULL;
	*at = nul + 1;
	return text;
}

/* 'count' texts, and NULL. NULL: there are not as many, or no memory. */
static char **take_texts(char **at, char *end, size_t count, int *ret)
{
	char **texts = calloc(count + 1, sizeof(*texts));

	*ret = texts ? 0 : -ENOMEM;
	for (size_t i = 0; texts && i < count; i++) {
		texts[i] = take_text(at, end);
		if (!texts[i]) {
			*ret = -EBADMSG;
			free(texts);
			return NULL;
		}
	}
	return texts;
}

static size_t count_texts(const char *at, const char *end)
{
	size_t count = 0;

	while (at < end) {
		if (*at++ == '\0')
			count++;
	}
	return count;
}

/* directory, number of arguments, arguments, environment. */
static int parse(struct guest_order *order)
{
	char *at = order->bytes, *end, *number;
	uint64_t count;
	int ret = 0;

	/* Of nothing there are no bytes, and C allows no sum with NULL. */
	if (order->size == 0)
		return -EBADMSG;
	end = at + order->size;
	if (end[-1] != '\0')
		return -EBADMSG;
	order->directory = take_text(&at, end);
	number = at < end ? take_text(&at, end) : NULL;
	if (!number || number_parse_decimal(number, 1, count_texts(at, end), &count) < 0)
		return -EBADMSG;
	order->arguments = take_texts(&at, end, count, &ret);
	if (order->arguments)
		order->environment = take_texts(&at, end, count_texts(at, end), &ret);
	order->is_whole = ret == 0;
	return ret;
}

static int append(struct guest_order *order, const struct guest_message *piece)
{
	char *bytes;

	if (piece->size > UMADRIG_GUEST_RUN_MAX - order->size)
		return -E2BIG;
	if (piece->size == 0)
		return 0;
	bytes = realloc(order->bytes, order->size + piece->size);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes + order->size, piece->content, piece->size);
	order->bytes = bytes;
	order->size += piece->size;
	return 0;
}

int guest_order_add(struct guest_order *order, const struct guest_message *piece)
{
	bool is_last = !(piece->flags & UMADRIG_HCA_FLAG_MORE);

	/* Pieces of another program: of the one before, nothing comes. */
	if (order->size > 0 && order->program != piece->program)
		guest_order_clear(order);
	order->program = piece->program;
	if (order->err == 0)
		order->err = append(order, piece);
	if (!is_last)
		return 0;
	order->has_input = !(piece->value & UMADRIG_GUEST_RUN_NO_STDIN);
	return order->err < 0 ? order->err : parse(order);
}

void guest_order_clear(struct guest_order *order)
{
	free(order->bytes);
	free(order->arguments);
	free(order->environment);
	memset(order, 0, sizeof(*order));
}
