/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * fabric-walk: reads the fabric with SMPs and checks that it is in order.
 *
 * 	fabric-walk [-C CA] [-P PORT] [-t MS] [-r RETRIES] [-s] [-u] [-c] [-m MLID:GUID,...]...
 * 		[-R RECORD]
 *
 * An SM has configured it: every end port has LIDs of its own, is Active and knows the SM; both
 * ends of a link agree; from each end port the forwarding tables lead to every LID; and a MAD to
 * every LID is answered by the port that has it. -s: the SM is still there. -u: routes go up and
 * then down, so switches need not reach each other. -c: packets cannot wait for each other in a
 * cycle. -m: what a member sends to the multicast LID reaches each of the others once, and no other
 * port. One line summarizes the fabric, and each error has its own (exit status 1, or 2 if the
 * fabric cannot be read).
 *
 * -R: prints the records that an SA would have, without checks: NR, PIR, LR, LFTR, PR.
 */
#include "tests/tools/walk.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

enum { GROUPS_MAX = 16, MEMBERS_MAX = 1024 };

struct arguments {
	const char *ca;
	int port;
	bool circles;
	const char *records;
	const char *groups[GROUPS_MAX];
	unsigned int group_count;
};

static void check_group(struct walk *walk, const char *text)
{
	uint64_t members[MEMBERS_MAX];
	size_t count = 0;
	char *end;
	unsigned long mlid = strtoul(text, &end, 0);

	while ((*end == ':' || *end == ',') && end[1] && count < MEMBERS_MAX)
		members[count++] = strtoull(end + 1, &end, 0);
	walk_check_multicast(walk, (uint16_t)mlid, members, count);
}

static int check(struct walk *walk, const struct arguments *arguments)
{
	unsigned int ends = walk_check_ends(walk);
	unsigned int links = walk_check_links(walk);
	uint64_t ways = walk_check_ways(walk);

	if (arguments->circles)
		walk_check_circles(walk);
	for (unsigned int i = 0; i < arguments->group_count; i++)
		check_group(walk, arguments->groups[i]);
	printf("%u switches, %u ends, %u links, %" G_GUINT64_FORMAT " ways, ",
	       walk->switches->len, ends, links, ways);
	printf("%u answers\n", walk_round_trips(walk, arguments->ca, arguments->port));
	if (walk->wrong > walk->wrong_max)
		printf("wrong: %u in all\n", walk->wrong);
	return walk->wrong ? 1 : 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: fabric-walk [-C CA] [-P PORT] [-t MS] [-r RETRIES] [-s] "
		"[-u] [-c] [-m MLID:GUID,...]... [-R NR|PIR|LR|LFTR|PR]\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct walk walk = { .wrong_max = 20, .timeout_ms = 1000, .retries = 3 };
	struct arguments arguments = { 0 };
	int c, status = 2;

	while ((c = getopt(argc, argv, "C:P:t:r:sucm:R:")) >= 0) {
		switch (c) {
		case 'C': arguments.ca = optarg; break;
		case 'P': arguments.port = atoi(optarg); break;
		case 't': walk.timeout_ms = (unsigned int)atoi(optarg); break;
		case 'r': walk.retries = (unsigned int)atoi(optarg); break;
		case 's': walk.with_sm = true; break;
		case 'u': walk.up_down = true; break;
		case 'c': arguments.circles = true; break;
		case 'R': arguments.records = optarg; break;
		case 'm':
			if (arguments.group_count == GROUPS_MAX)
				return usage();
			arguments.groups[arguments.group_count++] = optarg;
			walk.top_mlid = MAX(walk.top_mlid, strtoul(optarg, NULL, 0));
			break;
		default: return usage();
		}
	}
	umad_init();
	if (walk_read(&walk, arguments.ca, arguments.port)) {
		if (!arguments.records)
			status = check(&walk, &arguments);
		else if (!walk_print_records(&walk, arguments.records))
			status = usage();
		else
			status = walk.wrong ? 1 : 0;
	}
	walk_clear(&walk);
	umad_done();
	return status;
}
