/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The swarm runner.
 *
 * 	swarm                     a short run, and every bug made on purpose is noticed; prints TAP
 * 	swarm --seeds 0..99999    all these seeds; --jobs N processes at a time
 * 	swarm --seed 17 --trace   one seed, and all that happens in it
 * 	swarm --break NAME        with a bug made on purpose
 * 	swarm --kernel 6.12 ...   on a built kernel, by its name or file
 *
 * A failure names the seed, the step, the invariant, and the command that repeats it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/kernels/built-kernel.h"
#include "sim/kernels/found-faults.h"
#include "tests/swarm/swarm-memory.h"
#include "tests/swarm/swarm-play.h"

enum {
	SHORT_SEEDS = 2000,
	BUG_SEEDS = 200,
	JOBS_MAX = 64,
	EXIT_INVARIANT = 10,	/* + enum swarm_invariant */
};

static const struct {
	const char *name;
	const char *text;
} invariants[SWARM_INVARIANT_COUNT] = {
	[SWARM_WHOLE] = { "whole", "a message is delivered whole and right, or not at all" },
	[SWARM_OWN] = { "own", "nobody gets another agent's MAD" },
	[SWARM_ENDS] = { "ends", "every send with a timeout ends exactly once, at its time" },
	[SWARM_DUE] = { "due", "what is due is transmitted, and nothing else" },
	[SWARM_CLOSED] = { "closed", "after close nothing is armed, goes off or wakes" },
	[SWARM_RETURNS] = { "returns", "packets and memory return to their start" },
	[SWARM_POLL] = { "poll", "poll says what read does" },
	[SWARM_CALM] = { "calm", "nobody talks for ever" },
	[SWARM_ERRNO] = { "errno", "calls return what Linux returns" },
};

#define NOTICED_BY(invariant) (1u << (invariant))

static const struct {
	const char *name;
	unsigned int noticed_by;
	bool in_segments;	/* needs RMPP by the kernel */
} bugs[SWARM_BUG_COUNT] = {
	[SWARM_NO_BUG] = { "none", 0, false },
	[SWARM_BUG_DAMAGE] = { "damage", NOTICED_BY(SWARM_WHOLE), false },
	[SWARM_BUG_OTHER_AGENT] = { "other-agent", NOTICED_BY(SWARM_OWN), false },
	[SWARM_BUG_LOSE] = { "lose", NOTICED_BY(SWARM_POLL) | NOTICED_BY(SWARM_DUE), false },
	[SWARM_BUG_DOUBLE] = { "double", NOTICED_BY(SWARM_WHOLE), false },
	[SWARM_BUG_LATE] = { "late", NOTICED_BY(SWARM_ENDS) | NOTICED_BY(SWARM_DUE), false },
	[SWARM_BUG_NO_TIMER] = { "no-timer", NOTICED_BY(SWARM_ENDS), false },
	/* A built kernel's work goes off once more. */
	[SWARM_BUG_STAY_ARMED] = {
		"stay-armed", NOTICED_BY(SWARM_CLOSED) | NOTICED_BY(SWARM_ENDS), false
	},
	[SWARM_BUG_LEAK_PACKET] = { "leak-packet", NOTICED_BY(SWARM_RETURNS), false },
	[SWARM_BUG_LEAK_MEMORY] = { "leak-memory", NOTICED_BY(SWARM_RETURNS), false },
	[SWARM_BUG_BLIND_POLL] = { "blind-poll", NOTICED_BY(SWARM_POLL), false },
	[SWARM_BUG_SEGMENT] = { "segment", NOTICED_BY(SWARM_WHOLE), true },
	[SWARM_BUG_EARLY_ACK] = {
		"early-ack", NOTICED_BY(SWARM_ENDS) | NOTICED_BY(SWARM_POLL), true
	},
	[SWARM_BUG_CUT] = { "cut", NOTICED_BY(SWARM_WHOLE), true },
	[SWARM_BUG_END_TWICE] = { "end-twice", NOTICED_BY(SWARM_ENDS), false },
	[SWARM_BUG_UNASKED] = { "unasked", NOTICED_BY(SWARM_DUE), false },
	[SWARM_BUG_ERRNO] = { "errno", NOTICED_BY(SWARM_ERRNO), false },
	[SWARM_BUG_TALK] = { "talk", NOTICED_BY(SWARM_CALM), false },
};

/* What processes share. */
struct progress {
	uint64_t seed;		/* being played, + 1 */
	uint64_t done;
	uint64_t operations;
};

struct range {
	uint64_t first, last;
};

static struct swarm swarm;
static const char *program;
static bool has_rmpp;
static const struct built_kernel *kernel;	/* NULL: kmod-stub */

/* ---- what the swarm prints ---- */

static void print_replay(uint64_t seed, enum swarm_bug bug)
{
	printf("# replay: %s%s%s --seed %" PRIu64 "%s%s --trace\n", program,
	       kernel ? " --kernel " : "", kernel ? kernel->path : "", seed,
	       bug ? " --break " : "", bug ? bugs[bug].name : "");
}

void swarm_fail(struct swarm *failed, enum swarm_invariant invariant, const char *format, ...)
{
	va_list args;

	printf("# seed %" PRIu64 ", step %u (%s), at %.6f ms: broken is '%s': %s\n", failed->seed,
	       failed->step, failed->doing, (double)failed->queue.now_ns / NS_PER_MS,
	       invariants[invariant].name, invariants[invariant].text);
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	print_replay(failed->seed, failed->bug);
	fflush(stdout);
	_exit(EXIT_INVARIANT + (int)invariant);
}

void swarm_trace(struct swarm *traced, const char *format, ...)
{
	va_list args;

	if (!traced->trace)
		return;
	printf("%12.6fms %3u ", (double)traced->queue.now_ns / NS_PER_MS, traced->step);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* ---- one seed ---- */

static void clear(uint64_t seed)
{
	memset(&swarm, 0, offsetof(struct swarm, buffer));
	swarm.seed = seed;
	swarm.kernel = kernel;
	swarm.tick_ns = kernel ? NS_PER_MS : 1;
}

/* What the kernel's own checks have found, up to the end of its hosts. */
static void check_faults(void)
{
	char *faults = found_faults_take();

	if (faults)
		swarm_fail(&swarm, SWARM_RETURNS, "the kernel has a fault: %s", faults);
}

static void play_seed(uint64_t seed, enum swarm_bug bug, bool trace, struct progress *progress)
{
	long blocks = swarm_memory_blocks();
	unsigned int steps;

	clear(seed);
	swarm.bug = bug;
	swarm.trace = trace;
	swarm.has_rmpp = has_rmpp;
	swarm.doing = "begin";
	progress->seed = seed + 1;
	swarm_world_begin(&swarm);
	steps = SWARM_OPERATIONS_MIN + 20 + (unsigned int)chance_below(&swarm.play, 40);
	for (; swarm.step < steps; swarm.step++)
		swarm_play_step(&swarm);
	swarm_play_finish(&swarm);
	swarm.doing = "end";
	swarm_world_end(&swarm);
	if (swarm_memory_blocks() != blocks)
		swarm_fail(&swarm, SWARM_RETURNS, "%ld blocks of memory are left over",
			   swarm_memory_blocks() - blocks);
	check_faults();
	progress->seed = 0;
	progress->done++;
	progress->operations += swarm.operations;
}

static void probe_rmpp(void)
{
	clear(0);
	swarm_world_begin(&swarm);
	has_rmpp = swarm_play_has_rmpp(&swarm);
	swarm_world_end(&swarm);
}

/* ---- many ---- */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static pid_t start_job(const struct range *range, unsigned int job, unsigned int jobs,
		       enum swarm_bug bug, struct progress *progress)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	for (uint64_t seed = range->first + job; seed <= range->last; seed += jobs)
		play_seed(seed, bug, false, progress);
	exit(0);
}

/* True: the job has played all its seeds. */
static bool end_job(pid_t pid, enum swarm_bug bug, const struct progress *progress)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return true;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < EXIT_INVARIANT ||
	    WEXITSTATUS(status) >= EXIT_INVARIANT + SWARM_INVARIANT_COUNT) {
		printf("# seed %" PRIu64 ": the process died: %s %d\n", progress->seed - 1,
		       WIFEXITED(status) ? "exit status" : "signal",
		       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		print_replay(progress->seed - 1, bug);
	}
	return false;
}

static bool play_range(const struct range *range, unsigned int jobs, enum swarm_bug bug,
		       struct progress *progress)
{
	pid_t pids[JOBS_MAX];
	uint64_t done = 0, operations = 0;
	double began_s = now_s(), took_s;
	bool ok = true;

	memset(progress, 0, JOBS_MAX * sizeof(*progress));
	for (unsigned int job = 0; job < jobs; job++)
		pids[job] = start_job(range, job, jobs, bug, &progress[job]);
	for (unsigned int job = 0; job < jobs; job++) {
		ok &= end_job(pids[job], bug, &progress[job]);
		done += progress[job].done;
		operations += progress[job].operations;
	}
	took_s = now_s() - began_s;
	printf("# %" PRIu64 " seeds, %" PRIu64 " operations in %.1f s: %.0f operations/s%s\n",
	       done, operations, took_s, (double)operations / took_s,
	       has_rmpp ? "" : "; no RMPP by the kernel");
	return ok;
}

/* ---- TAP ---- */

/*
 * Makes a bug on purpose in seed after seed, until an invariant is broken: it must be the right
 * one.
 */
static bool is_noticed(enum swarm_bug bug, struct progress *progress)
{
	struct range range = { 0, BUG_SEEDS - 1 };
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		/* Its messages are expected, and not for the user. */
		if (!freopen("/dev/null", "w", stdout))
			_exit(1);
		for (uint64_t seed = range.first; seed <= range.last; seed++)
			play_seed(seed, bug, false, progress);
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < EXIT_INVARIANT) {
		printf("# '%s': status 0x%x in place of a broken invariant\n", bugs[bug].name,
		       (unsigned int)status);
		return false;
	}
	if (bugs[bug].noticed_by & NOTICED_BY(WEXITSTATUS(status) - EXIT_INVARIANT))
		return true;
	printf("# '%s' is noticed by '%s'\n", bugs[bug].name,
	       invariants[WEXITSTATUS(status) - EXIT_INVARIANT].name);
	return false;
}

static int play_tap(struct progress *progress)
{
	struct range range = { 0, SHORT_SEEDS - 1 };
	unsigned int number = 1;
	bool ok, all_ok;

	printf("1..%d\n", SWARM_BUG_COUNT);
	all_ok = play_range(&range, 2, SWARM_NO_BUG, progress);
	printf("%sok %u - %d seeds break no invariant\n", all_ok ? "" : "not ", number++,
	       SHORT_SEEDS);
	for (enum swarm_bug bug = SWARM_NO_BUG + 1; bug < SWARM_BUG_COUNT; bug++, number++) {
		if (bugs[bug].in_segments && !has_rmpp) {
			printf("ok %u - '%s' is noticed # SKIP no RMPP by the kernel\n", number,
			       bugs[bug].name);
			continue;
		}
		ok = is_noticed(bug, progress);
		printf("%sok %u - '%s' is noticed\n", ok ? "" : "not ", number, bugs[bug].name);
		all_ok &= ok;
	}
	return all_ok ? 0 : 1;
}

/* ---- command line ---- */

static int usage(void)
{
	fprintf(stderr, "Usage: %s [--seed N | --seeds A..B] [--jobs N] [--trace] [--break NAME]\n"
		"       [--kernel NAME|FILE]\n"
		"Without seeds: a short run and a test of the invariants, as TAP.\nNAME:", program);
	for (enum swarm_bug bug = SWARM_NO_BUG + 1; bug < SWARM_BUG_COUNT; bug++)
		fprintf(stderr, " %s", bugs[bug].name);
	fprintf(stderr, "\n");
	return 2;
}

static bool parse_number(const char *text, const char **ret_end, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(text, &end, 10);
	*ret_end = end;
	return end != text && errno == 0 && *text != '-';
}

static bool parse_range(const char *text, struct range *ret_range)
{
	const char *end;

	if (!parse_number(text, &end, &ret_range->first))
		return false;
	ret_range->last = ret_range->first;
	if (strncmp(end, "..", 2) == 0 && !parse_number(end + 2, &end, &ret_range->last))
		return false;
	return *end == '\0' && ret_range->first <= ret_range->last;
}

static bool parse_bug(const char *text, enum swarm_bug *ret_bug)
{
	for (enum swarm_bug bug = SWARM_NO_BUG; bug < SWARM_BUG_COUNT; bug++) {
		if (strcmp(bugs[bug].name, text) == 0) {
			*ret_bug = bug;
			return true;
		}
	}
	return false;
}

static bool parse_kernel(const char *text)
{
	char why[512];

	kernel = built_kernel_find(text, why, sizeof(why));
	if (!kernel)
		fprintf(stderr, "%s: --kernel %s: %s\n", program, text, why);
	return kernel;
}

int main(int argc, char **argv)
{
	struct progress *progress;
	struct range range = { 0, 0 }, jobs = { 1, 1 };
	enum swarm_bug bug = SWARM_NO_BUG;
	bool trace = false, given = false, ok = true;

	program = argv[0];
	for (int i = 1; i < argc && ok; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--trace") == 0)
			trace = true;
		else if (strcmp(argv[i], "--seed") == 0 || strcmp(argv[i], "--seeds") == 0)
			ok = given = i++ < argc && parse_range(value, &range);
		else if (strcmp(argv[i], "--jobs") == 0)
			ok = i++ < argc && parse_range(value, &jobs) && jobs.first >= 1 &&
			     jobs.first <= JOBS_MAX;
		else if (strcmp(argv[i], "--break") == 0)
			ok = i++ < argc && parse_bug(value, &bug);
		else if (strcmp(argv[i], "--kernel") == 0)
			ok = i++ < argc && parse_kernel(value);
		else
			ok = strcmp(argv[i], "--tap") == 0;
	}
	if (!ok)
		return usage();
	progress = mmap(NULL, JOBS_MAX * sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return 2;
	probe_rmpp();
	if (!given)
		return play_tap(progress);
	if (!trace)
		return play_range(&range, (unsigned int)jobs.first, bug, progress) ? 0 : 1;
	for (uint64_t seed = range.first; seed <= range.last; seed++)
		play_seed(seed, bug, true, progress);
	return 0;
}
