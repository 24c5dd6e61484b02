/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * at-once FIRST[-LAST]: system calls of several threads of a host at once, on the kernel that
 * UMADRIG_TEST_KERNEL names, once for each schedule: two or three of write, read, register,
 * unregister and close, and packets that arrive beside them, a request or the answer to a request
 * that waits, drawn by its number, while sends complete and messages wait. The kernel's checks find
 * nothing, nothing is left over, what the calls return can be so in some order, and of each
 * message, and each request's end, the program is told once.
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

/* Lower halves of TIDs. */
enum {
	TID_WRITTEN = 0x10,		/* by the first call, and so on */
	TID_ASKED = 0x30,		/* before them: it waits for its answer */
	TID_WAITING = 0x50,		/* messages that were there before */
	TID_ARRIVED = 0x60,		/* beside the first call, and so on */
	TID_COUNT = 0x70,
};

enum act {
	ACT_WRITE, ACT_READ, ACT_REGISTER, ACT_UNREGISTER, ACT_ARRIVE, ACT_ANSWER, ACT_CLOSE,
	ACT_COUNT
};

static const char *const names[ACT_COUNT] = {
	"write", "read", "register", "unregister", "arrive", "answer", "close",
};

static const struct rig_registration perf = {
	.qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1, .methods = RIG_GET,
};

struct call {
	enum act act;
	struct rig_file *file;
	uint64_t tid;			/* of what is sent, or arrives; of a read: what came */
	uint32_t id;			/* of a registration */
	long result;
};

/* A message, or the report that a request was not answered: the lower half of its TID. */
static long read_one(struct rig_file *file, uint64_t *ret_tid)
{
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];
	long result = kmod_file_read(file->file, buf, sizeof(buf));

	if (result > 0)
		*ret_tid = get_be32(buf + RIG_HEADER_SIZE + MAD_TID + 4);
	return result;
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
		call->result = read_one(call->file, &call->tid);
		return;
	case ACT_REGISTER:
		call->result = rig_register(&copy, &(struct rig_registration){
			.qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1 });
		call->id = copy.agent_id;
		return;
	case ACT_UNREGISTER:
		call->result = rig_unregister(&copy, copy.agent_id);
		return;
	case ACT_ARRIVE:
		rig_inject(call->file->at, &(struct rig_mad){ .tid = call->tid },
			   &(struct rig_route){ 0 });
		return;
	case ACT_ANSWER:
		rig_inject(call->file->at, &(struct rig_mad){
			.tid = call->tid, .method = MAD_METHOD_GET_RESP,
		}, &(struct rig_route){ 0 });
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
	case ACT_ARRIVE:
	case ACT_ANSWER:
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
 * together have numbers of their own.
 */
static void judge_agents(const struct call *calls, unsigned int count)
{
	unsigned int came = count_done(calls, count, ACT_REGISTER);
	unsigned int went = count_done(calls, count, ACT_UNREGISTER);

	if (went > 1 + came)
		g_error("%u calls have unregistered an agent, and there were %u", went, 1 + came);
	for (unsigned int i = 0; i < count; i++) {
		const struct call *call = &calls[i];

		if (!may_be(call))
			g_error("%s returns %ld", names[call->act], call->result);
		for (unsigned int j = 0; j < i && call->act == ACT_REGISTER; j++)
			if (calls[j].act == ACT_REGISTER && went == 0 && call->result == 0 &&
			    calls[j].result == 0 && call->id == calls[j].id)
				g_error("two agents have the number %u", call->id);
	}
}

/*
 * Reads what the calls have left. Each message, and each request's end, its answer or the report
 * that there was none, is told once; those of an agent that goes meanwhile may be lost with it.
 */
static void judge_messages(struct rig_file *stays, const struct call *calls, unsigned int count)
{
	unsigned int told[TID_COUNT] = { 0 }, due[TID_COUNT] = { 0 };
	bool may_be_lost = count_done(calls, count, ACT_UNREGISTER) > 0;
	uint64_t tid;

	due[TID_ASKED] = 1;
	for (unsigned int i = 0; i < WAITING; i++)
		due[TID_WAITING + i] = 1;
	for (unsigned int i = 0; i < count; i++) {
		const struct call *call = &calls[i];

		if (call->act == ACT_READ && call->result > 0)
			told[call->tid % TID_COUNT]++;
		if (call->act == ACT_ARRIVE || (call->act == ACT_WRITE && call->result > 0))
			due[call->tid]++;
	}
	while (read_one(stays, &tid) > 0)
		told[tid % TID_COUNT]++;
	for (unsigned int i = 0; i < TID_COUNT; i++) {
		bool stays_there = i >= TID_WAITING && i < TID_WAITING + WAITING;

		if (told[i] > due[i] || (told[i] < due[i] && (stays_there || !may_be_lost)))
			g_error("of the message 0x%x the program is told %u times", i, told[i]);
	}
}

/* One is enough to close a file, and it is the only one that is in it. */
static unsigned int draw(struct chance *chance, struct rig_file *stays, struct rig_file *goes,
			 uint64_t asked, struct call *calls)
{
	unsigned int count = 2 + (unsigned int)chance_below(chance, CALLS_MAX - 1);
	bool closes = false;

	for (unsigned int i = 0; i < count; i++) {
		enum act act = (enum act)chance_below(chance, closes ? ACT_CLOSE : ACT_COUNT);

		closes = closes || act == ACT_CLOSE;
		calls[i] = (struct call){ .act = act, .file = act == ACT_CLOSE ? goes : stays };
		calls[i].tid = act == ACT_ANSWER ? asked :
			       (act == ACT_ARRIVE ? TID_ARRIVED : TID_WRITTEN) + i;
	}
	return count;
}

/* 'stays' has a request that waits, and messages. Returns the request's TID. */
static uint64_t prepare(struct rig *rig, struct rig_file *stays, struct rig_file *goes)
{
	stays->reads = goes->reads = false;
	g_assert_cmpint(rig_register(goes, &(struct rig_registration){
		.qpn = 1, .mgmt_class = MAD_CLASS_CM, .class_version = 2 }), ==, 0);
	g_assert_cmpint(rig_register(stays, &perf), ==, 0);
	for (unsigned int i = 0; i < WAITING; i++)
		rig_inject(&rig->a, &(struct rig_mad){ .tid = TID_WAITING + i },
			   &(struct rig_route){ 0 });
	g_assert_cmpint(rig_write(stays, &(struct rig_mad){ .tid = TID_ASKED },
				  &(struct rig_route){ .timeout_ms = TIMEOUT_MS }), >, 0);
	return get_be64(rig->wire_mad + MAD_TID);
}

/* All at once, at host A. 0 or -E2BIG. */
static int at_once(struct rig *rig, const struct kernel_call *given, unsigned int count)
{
	return built_kernel_of(rig_kernel)->file->at_once(rig->a.host, given, count);
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
	count = draw(&chance, stays, goes, prepare(rig, stays, goes), calls);
	printf("# schedule %u:", schedule);
	for (unsigned int i = 0; i < count; i++) {
		given[i] = (struct kernel_call){ run_call, &calls[i] };
		printf(" %s", names[calls[i].act]);
	}
	printf("\n");
	fflush(stdout);
	g_assert_cmpint(at_once(rig, given, count), ==, 0);
	judge_agents(calls, count);
	rig_run(rig, END_MS);
	judge_messages(stays, calls, count);
	rig_free(rig);
}

/* One more than there may be: none is made. */
static void refuse_too_many(void)
{
	struct kernel_call given[KERNEL_CALLS_MAX + 1];
	struct rig *rig = rig_new(HI_TID);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct call call = { .act = ACT_REGISTER, .file = file, .result = 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(given); i++)
		given[i] = (struct kernel_call){ run_call, &call };
	g_assert_cmpint(at_once(rig, given, G_N_ELEMENTS(given)), ==, -E2BIG);
	g_assert_cmpint(call.result, ==, 1);
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
	refuse_too_many();
	for (uint64_t i = first; i <= last; i++)
		play((unsigned int)i);
	return 0;
}
