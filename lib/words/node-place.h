/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Places in a fabric: S1, S1[3], and with quotes "S1", "S1"[3], "S1[3]". What is returned:
 * lib/words/number.h.
 */
#ifndef UMADRIG_LIB_WORDS_NODE_PLACE_H
#define UMADRIG_LIB_WORDS_NODE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

enum { NODE_PLACE_PORT_MAX = 255 };

/* The name is a part of the text, and not empty. */
struct node_place {
	const char *name;
	size_t name_size;
	bool has_port;
	unsigned int port;	/* up to NODE_PLACE_PORT_MAX; 0 without one */
};

/*
 * What ends with ']' has a port in brackets, which is a number without a sign: S1[1x] is -EINVAL.
 * But in quotes, where no number is in them, they belong to the name: "rack[a]".
 */
int node_place_parse(const char *text, struct node_place *ret);
/* A port, of a node or of a device: S1[3], mlx5_0/1. */
int node_place_parse_port(const char *text, struct node_place *ret);

/* Is it this node, or one of its ports? */
bool node_place_is_of(const char *text, const char *node);

/* What was expected instead, for "expected %s". */
const char *node_place_expected(int err);

#endif
