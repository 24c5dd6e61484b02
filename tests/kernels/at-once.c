/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * at-once FIRST[-LAST]: system calls of several threads of a host at once, on the kernel that
 * UMADRIG_TEST_KERNEL names, once for each schedule: two or three of write, read, register,
 * unregister and close, drawn by its number, while sends complete and messages wait. The kernel's
 * checks find nothing, nothing is left over, and what the calls return can be so in some order.
 * A line for each schedule says what is to come: the last one is that of what ends the process.
 */
#include <errno.h>
#include <stdio.h>

#include "kmod-stub/linux/kernel-file.h"
#include "lib/words/number.h"
#include "sim/kernels/built-kernel.h"
#include "sim/time/chance.h"
#include "tests/rig/kmod-rig.h"

enum { HI_TID = 9, CALLS_MAX = 3, WAITING = 2, TIMEOUT_MS = 20, END_MS = 500 };

enum act { ACT_WRITE, ACT_READ, ACT_REGISTER, ACT_UNREGISTER, ACT_CLOSE, ACT_COUNT };

static const char *const names[ACT_COUNT] = { "write", "read", "register", "unregister", "close" };

static const struct rig_registration perf = {
	.qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1, .methods = RIG_GET,
};

struct call {
	enum act act;
	struct rig_file *file;
	uint32_t tid;			/* of a write: its own; of a read: what came */
	uint32_t id;			/* of a registration */
	long result;
};

static void read_one(struct call *call)
{
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];

	call->result = kmod_file_read(call->file->file, buf, sizeof(buf));
	if (call->result >= RIG_HEADER_SIZE + MAD_SIZE)
		call->tid = get_be32(buf + RIG_HEADER_SIZE + MAD_TID + 4);
}

static void run_call(void *ctx)
{
	struct call *call = ctx;
	struct rig_file copy = *call->file;	/* a registration writes to it */

	switch (call->act) {
	case ACT_WRITE:
		call->result = rig_write(&copy, &(struct rig_mad){ .tid = call->tid },
					 &(struct rig_route){ .timeout_ms = TIMEOUT_MS });
		return;
	case ACT_READ:
		read_one(call);
		return;
	case ACT_REGISTER:
		call->result = rig_register(&copy, &(struct rig_registration){
			.qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1 });
		call->id = copy.agent_id;
		return;
	case ACT_UNREGISTER:
		call->result = rig_unregister(&copy, copy.agent_id);
		return;
	case ACT_CLOSE:
		rig_close(call->file);
		return;
	case ACT_COUNT:
		g_assert_not_reached();
	}
}

/* What a call may return, whatever comes before it. */
static bool may_be(const struct call *call)
{
	switch (call->act) {
	case ACT_WRITE:
		return call->result == RIG_HEADER_SIZE + MAD_SIZE || call->result == -EINVAL ||
		       call->result == -EIO;
	case ACT_READ:
		return call->result > 0 || call->result == -EAGAIN;
	case ACT_REGISTER:
		return call->result == 0 || call->result == -ENOMEM;
	case ACT_UNREGISTER:
		return call->result == 0 || call->result == -EINVAL;
	case ACT_CLOSE:
		return true;
	case ACT_COUNT:
		break;
	}
	return false;
}

/* How many calls of that kind have succeeded. */
static unsigned int count_done(const struct call *calls, unsigned int count, enum act act)
{
	unsigned int done = 0;

	for (unsigned int i = 0; i < count; i++)
		done += calls[i].act == act && calls[i].result == 0;
	return done;
}

/*
 * The file has one agent at first: it goes once, and so does each that came. Agents that are there
 * together have numbers of their own, and a message is read once.
 */
static void judge(const struct call *calls, unsigned int count)
{
	unsigned int came = count_done(calls, count, ACT_REGISTER);
	unsigned int went = count_done(calls, count, ACT_UNREGISTER);

	if (went > 1 + came)
		g_error("%u calls have unregistered an agent, and there were %u", went, 1 + came);
	for (unsigned int i = 0; i < count; i++) {
		const struct call *call = &calls[i];

		if (!may_be(call))
			g_error("%s returns %ld", names[call->act], call->result);
		for (unsigned int j = 0; j < i; j++) {
			const struct call *other = &calls[j];

			if (call->act != other->act)
				continue;
			if (call->act == ACT_READ && call->tid && call->tid == other->tid)
				g_error("two calls read the message 0x%x", call->tid);
			if (call->act == ACT_REGISTER && call->result == 0 && other->result == 0 &&
			    went == 0 && call->id == other->id)
				g_error("two agents have the number %u", call->id);
		}
	}
}

/* One is enough to close a file, and it is the only one that is in it. */
static unsigned int draw(struct chance *chance, struct rig_file *stays, struct rig_file *goes,
			 struct call *calls)
{
	unsigned int count = 2 + (unsigned int)chance_below(chance, CALLS_MAX - 1);
	bool closes = false;

	for (unsigned int i = 0; i < count; i++) {
		enum act act = (enum act)chance_below(chance, closes ? ACT_CLOSE : ACT_COUNT);

		closes = closes || act == ACT_CLOSE;
		calls[i] = (struct call){ .act = act, .tid = 0x10 + i,
					  .file = act == ACT_CLOSE ? goes : stays };
	}
	return count;
}

static void play(unsigned int schedule)
{
	struct kernel_call given[CALLS_MAX];
	struct call calls[CALLS_MAX];
	struct rig_file *stays, *goes;
	struct chance chance;
	unsigned int count;
	struct rig *rig;

	chance_init(&chance, schedule, "calls");
	rig_schedule = schedule;
	rig = rig_new(HI_TID);
	stays = rig_open(rig, &rig->a, 'a');
	goes = rig_open(rig, &rig->a, 'c');
	stays->reads = goes->reads = false;
	g_assert_cmpint(rig_register(goes, &(struct rig_registration){
		.qpn = 1, .mgmt_class = MAD_CLASS_CM, .class_version = 2 }), ==, 0);
	g_assert_cmpint(rig_register(stays, &perf), ==, 0);
	for (unsigned int i = 0; i < WAITING; i++)
		rig_inject(&rig->a, &(struct rig_mad){ .tid = 0x50 + i }, &(struct rig_route){ 0 });
	count = draw(&chance, stays, goes, calls);
	printf("# schedule %u:", schedule);
	for (unsigned int i = 0; i < count; i++) {
		given[i] = (struct kernel_call){ run_call, &calls[i] };
		printf(" %s", names[calls[i].act]);
	}
	printf("\n");
	fflush(stdout);
	built_kernel_of(rig_kernel)->file->at_once(rig->a.host, given, count);
	judge(calls, count);
	rig_run(rig, END_MS);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	uint64_t first, last;

	if (argc != 2 || number_parse_range(argv[1], UINT32_MAX - 1, &first, &last) < 0 ||
	    !g_getenv("UMADRIG_TEST_KERNEL")) {
		fprintf(stderr, "usage: UMADRIG_TEST_KERNEL=KERNEL at-once FIRST[-LAST]\n");
		return 2;
	}
	rig_is_silent = true;
	for (uint64_t i = first; i <= last; i++)
		play((unsigned int)i);
	return 0;
}
