/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/node-place.h.
 */
#include "lib/words/node-place.h"

#include <errno.h>
#include <string.h>

#include "lib/words/number.h"

static int of_name(const char *name, size_t size, struct node_place *ret)
{
	if (size == 0)
		return -EINVAL;
	*ret = (struct node_place){ .name = name, .name_size = size };
	return 0;
}

/* 'open' is before the number, and 'close' is expected after it, where the text ends. */
static int add_port(const char *open, const char *close, const char *end, struct node_place *ret)
{
	const char *at = open + 1;
	uint64_t port;
	int err = number_take(&at, 10, NODE_PLACE_PORT_MAX, &port);

	if (err < 0)
		return err;
	if (at + strlen(close) != end || strncmp(at, close, strlen(close)) != 0)
		return -EINVAL;
	ret->has_port = true;
	ret->port = (unsigned int)port;
	return 0;
}

/* NODE or NODE[PORT], in 'size' bytes. */
static int parse_bare(const char *text, size_t size, struct node_place *ret)
{
	const char *open = size > 0 && text[size - 1] == ']' ? memrchr(text, '[', size) : NULL;
	struct node_place place;
	int err = of_name(text, open ? (size_t)(open - text) : size, &place);

	if (err == 0 && open)
		err = add_port(open, "]", text + size, &place);
	if (err == 0)
		*ret = place;
	return err;
}

int node_place_parse(const char *text, struct node_place *ret)
{
	const char *quote = text[0] == '"' ? strrchr(text + 1, '"') : NULL;
	struct node_place place;
	size_t size;
	int err;

	if (!quote)
		return parse_bare(text, strlen(text), ret);
	size = (size_t)(quote - text) - 1;
	err = quote[1] == '\0' ? parse_bare(text + 1, size, &place) : -EINVAL;
	if (err == -EINVAL)
		err = of_name(text + 1, size, &place);
	if (err == 0 && quote[1])
		err = quote[1] == '[' ? add_port(quote + 1, "]", text + strlen(text), &place) :
					-EINVAL;
	if (err == 0)
		*ret = place;
	return err;
}

int node_place_parse_port(const char *text, struct node_place *ret)
{
	size_t size = strlen(text);
	struct node_place place;
	const char *slash;
	int err;

	if (size > 0 && text[size - 1] == ']') {
		err = node_place_parse(text, &place);
		if (err == 0 && !place.has_port)
			err = -EINVAL;
	} else {
		slash = strrchr(text, '/');
		err = slash ? of_name(text, (size_t)(slash - text), &place) : -EINVAL;
		if (err == 0)
			err = add_port(slash, "", text + size, &place);
	}
	if (err == 0)
		*ret = place;
	return err;
}

bool node_place_is_of(const char *text, const char *node)
{
	struct node_place place;

	return node_place_parse(text, &place) == 0 && strlen(node) == place.name_size &&
	       strncmp(node, place.name, place.name_size) == 0;
}

const char *node_place_expected(int err)
{
	return err == -ERANGE ? "a port from 0 to 255 in the brackets" :
	       "a node, such as S1, or a port, such as S1[3]";
}
