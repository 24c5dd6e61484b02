/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's part in virtual time: see sim/server/lockstep.h.
 */
#include "config.h"

#include "sim/server/lockstep.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/lockstep/call-name.h"
#include "lib/lockstep/table.h"
#include "lib/words/number.h"
#include "sim/fabric/fabric.h"
#include "sim/guests/guest-set.h"
#include "sim/process/kernel-mapped.h"
#include "sim/process/process-reap.h"
#include "sim/server/descent.h"
#include "sim/server/lockstep-cache.h"
#include "sim/server/lockstep-holder.h"
#include "sim/server/lockstep-schedule.h"
#include "sim/server/lockstep-switches.h"
#include "sim/time/clock.h"

enum {
	TELL_TICKS = 50,	/* without a switch, until it is told: 5 s */
	END_TICKS = 80,		/* until one that sleeps ends the session */
};

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#endif

struct server_lockstep {
	struct lockstep_table *table;
	char *path;
	int64_t limit_ns;	/* 0: there is none */
	struct umadrig_fabric *guests_fabric;	/* NULL: it has no guests */
	struct clock_party party;	/* beside them, unless the owner is that */
	enum lockstep_audit audit;
	cpu_set_t processors;	/* of the thread that has made it, before */
	/* What watching has seen last. */
	uint64_t progress;
	unsigned int ticks;	/* since then */
	struct lockstep_cache cache;	/* the table's, which programs can write */
	int cache_lock;
	uint64_t calls;		/* for another, that the holder had made at the last one */
	int64_t processor_ns;	/* that the thread had used by then */
	bool has_told;
	bool has_lost_holder;	/* another has to get the baton */
};

/* ---- the table ---- */

/* NULL, with errno. */
static void *make_table(const char *path)
{
	const size_t size = sizeof(struct lockstep_table);
	struct rlimit limit;
	void *at = MAP_FAILED;
	int fd, err = 0;

	/* Beyond the limit the kernel would send SIGXFSZ. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
		errno = EFBIG;
		return NULL;
	}
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* A page for which a full disk has no room would be SIGBUS for all who have mapped it. */
	if (fd >= 0)
		err = posix_fallocate(fd, 0, (off_t)size);
	if (err)
		errno = err;
	/* What root starts may become another user: then it is the name that keeps others out. */
	if (fd >= 0 && err == 0 && (geteuid() != 0 || fchmod(fd, 0666) == 0))
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	err = errno;
	if (fd >= 0)
		close(fd);
	errno = err;
	return at == MAP_FAILED ? NULL : at;
}

/* ---- its chance ---- */

/*
 * What programs take from the time for their seeds (bash's $RANDOM) differs as well: 1 us each. Not
 * with an owner: scripts and tests expect what date(1) prints.
 */
static int64_t ahead_of_seed(uint64_t seed)
{
	return (int64_t)((seed - 1) % 1000000) * 1000;
}

/* ---- its processor ---- */

/*
 * One thread of the session or the server runs at a time, so one processor is enough; and a turn
 * that stays on it is quicker. The one where we are has been chosen by the kernel just now, as the
 * least busy one.
 */
static void take_processor(struct server_lockstep *lockstep)
{
	int here = sched_getcpu();
	cpu_set_t one;

	lockstep->table->processor = -1;
	if (sched_getaffinity(0, sizeof(lockstep->processors), &lockstep->processors) < 0) {
		CPU_ZERO(&lockstep->processors);
		return;
	}
	if (here < 0 || here >= CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET((unsigned int)here, &one);
	if (sched_setaffinity(0, sizeof(one), &one) == 0)
		lockstep->table->processor = here;
}

static void leave_processor(const struct server_lockstep *lockstep)
{
	if (CPU_COUNT(&lockstep->processors) > 0)
		sched_setaffinity(0, sizeof(lockstep->processors), &lockstep->processors);
}

/* ---- its life ---- */

/* Without it nothing would be audited. The libraries' audit is of x86_64 (lib/lockstep/audit.h). */
static bool can_audit(void)
{
#if defined(__x86_64__)
	return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0) == 0;
#else
	return false;
#endif
}

/* One that nobody guesses, and as long each time: it is in the environment of programs. */
static char *table_path(const char *directory)
{
	uint64_t chance[2] = { 0 };

	if (getrandom(chance, sizeof(chance), 0) != sizeof(chance))
		return NULL;
	return g_strdup_printf("%s/lockstep-%016" PRIx64 "%016" PRIx64, directory, chance[0],
			       chance[1]);
}

struct server_lockstep *server_lockstep_new(const char *directory,
					    const struct lockstep_wishes *wishes, uint64_t seed,
					    char *reterr, size_t reterr_size)
{
	struct server_lockstep *lockstep;
	void *at;

	if (wishes->audit != LOCKSTEP_NO_AUDIT && !can_audit()) {
		g_snprintf(reterr, reterr_size, "audit needs x86_64 and a kernel with syscall user "
			   "dispatch, such as Linux 5.11 or later: this one has not, or a "
			   "container hides it");
		return NULL;
	}
	if (wishes->audit != LOCKSTEP_NO_AUDIT && wishes->how_filter) {
		g_snprintf(reterr, reterr_size, "audit looks at programs that load umadrig's "
			   "library, and below the filter none does: leave out audit, or "
			   "how=filter");
		return NULL;
	}
	if (lockstep_switches_count(wishes->switches) > LOCKSTEP_SWITCHES) {
		g_snprintf(reterr, reterr_size, "switches=: there is room for %d, and these are %u",
			   LOCKSTEP_SWITCHES, lockstep_switches_count(wishes->switches));
		return NULL;
	}
	lockstep = g_new0(struct server_lockstep, 1);
	lockstep->path = table_path(directory);
	at = lockstep->path ? make_table(lockstep->path) : NULL;
	if (!at) {
		int err = errno;

		g_snprintf(reterr, reterr_size, "clock=virtual: %s, of %zu bytes: %s%s",
			   lockstep->path ? lockstep->path : "a file with a random name",
			   sizeof(*lockstep->table), g_strerror(err), err != ENOSPC ? "" :
			   "; make room there, or set TMPDIR to another directory");
		g_free(lockstep->path);
		g_free(lockstep);
		return NULL;
	}
	lockstep->table = at;
	lockstep->table->magic = LOCKSTEP_MAGIC;
	lockstep->limit_ns = wishes->limit_ns;
	lockstep->table->grace_ns = wishes->grace_ns;
	lockstep_schedule_begin(lockstep->table, &wishes->schedule);
	lockstep_switches_begin(lockstep->table, wishes->switches);
	lockstep->table->seed = seed;
	if (!wishes->is_owned)
		lockstep->table->ahead_ns = ahead_of_seed(seed);
	lockstep->table->tells_crashes = wishes->tells_crashes;
	lockstep->table->audit = wishes->audit != LOCKSTEP_NO_AUDIT;
	lockstep->table->all_are_foreign = wishes->how_filter;
	lockstep->audit = wishes->audit;
	lockstep->cache_lock = lockstep_cache_make(&lockstep->cache);
	lockstep->table->cache = lockstep->cache;
	lockstep->table->kernel_mapped = kernel_mapped_size();
	take_processor(lockstep);
	return lockstep;
}

struct lockstep_table *server_lockstep_map(const struct server_lockstep *lockstep)
{
	return lockstep->table;
}

const char *server_lockstep_path(const struct server_lockstep *lockstep)
{
	return lockstep->path;
}

static struct lockstep_slot *slot_of(struct lockstep_table *table, int pid)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->pid == pid && lockstep_is_thread(slot))
			return slot;
	}
	return NULL;
}

static void wake(const struct lockstep_slot *slot)
{
	syscall(SYS_futex, &slot->baton, FUTEX_WAKE, INT_MAX);
}

/* Nobody goes on. */
static void end_session(struct lockstep_table *table)
{
	__atomic_store_n(&table->is_over, 1, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		__atomic_store_n(&table->slot[i].baton, 1, __ATOMIC_SEQ_CST);
		wake(&table->slot[i]);
	}
}

void server_lockstep_free(struct server_lockstep *lockstep)
{
	if (!lockstep)
		return;
	if (lockstep->guests_fabric) {
		if (lockstep->party.due_ns)
			clock_remove_party(lockstep->guests_fabric->clock, &lockstep->party);
		lockstep->guests_fabric->guests->wrote = NULL;
	}
	end_session(lockstep->table);
	leave_processor(lockstep);
	lockstep_cache_remove(&lockstep->cache, lockstep->cache_lock);
	munmap(lockstep->table, sizeof(*lockstep->table));
	g_free(lockstep->path);
	g_free(lockstep);
}

/* ---- beside guests ---- */

/* One runs already where the one that asked was killed meanwhile, and its baton was passed on. */
bool server_lockstep_can_run(const struct server_lockstep *lockstep)
{
	for (uint32_t i = 0; i < lockstep_count(lockstep->table); i++) {
		uint32_t state = lockstep->table->slot[i].state;

		if (state == LOCKSTEP_RUNNABLE || state == LOCKSTEP_RUNNING)
			return true;
	}
	return false;
}

static int64_t due_ns(void *ctx)
{
	const struct server_lockstep *lockstep = ctx;

	return server_lockstep_can_run(lockstep) ? lockstep->guests_fabric->queue.now_ns :
						   TIME_NEVER;
}

/* They run by themselves, when the call has its reply. */
static void leave_them(void *ctx)
{
	(void)ctx;
}

static void guests_wrote(void *ctx)
{
	server_lockstep_wrote(ctx);
}

void server_lockstep_hear_guests(struct server_lockstep *lockstep, struct umadrig_fabric *fabric)
{
	if (!fabric->guests)
		return;
	lockstep->guests_fabric = fabric;
	fabric->guests->wrote = guests_wrote;
	fabric->guests->wrote_ctx = lockstep;
}

void server_lockstep_join_guests(struct server_lockstep *lockstep, struct umadrig_fabric *fabric)
{
	server_lockstep_hear_guests(lockstep, fabric);
	if (!fabric->guests)
		return;
	lockstep->party = (struct clock_party){
		.run = leave_them, .due_ns = due_ns, .ctx = lockstep,
	};
	/* The guests are the first party, which alone has to have 'advance'. */
	clock_add_party(fabric->clock, &lockstep->party);
}

/* ---- the clock ---- */

int64_t server_lockstep_advance(struct server_lockstep *lockstep, struct umadrig_fabric *fabric,
				int64_t deadline)
{
	struct event_queue *queue = &fabric->queue;

	if (!clock_advance(fabric->clock, deadline)) {
		if (deadline == LOCKSTEP_NEVER)
			return -EDEADLK;
		if (deadline > queue->now_ns)
			queue->now_ns = deadline;
	}
	lockstep->table->now = queue->now_ns;
	if (lockstep->limit_ns > 0 && queue->now_ns > lockstep->limit_ns)
		return -ETIME;
	return queue->now_ns;
}

/* ---- signals ---- */

/*
 * Has the process our table? The keepers between us and the programs have not
 * (harness/exec/keeper.h), nor has what they start before it is a program of the session.
 */
static bool has_table(const struct server_lockstep *lockstep, int pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", pid);
	g_autofree char *name = g_path_get_basename(lockstep->path);
	g_autofree char *maps = NULL;

	return g_file_get_contents(path, &maps, NULL, NULL) && strstr(maps, name);
}

/*
 * A program sends what virtual time owes others (timers, the end), and may be a user who may not.
 * Only to the programs of the session: the table, which they can write, may name any process, this
 * one as well.
 */
int server_lockstep_signal(const struct server_lockstep *lockstep, int sig,
			   const struct attach_signal *signal)
{
	siginfo_t info;

	if (signal->pid <= 1 || signal->pid == getpid() ||
	    !slot_of(lockstep->table, signal->pid) || !descent_of(signal->pid) ||
	    !has_table(lockstep, signal->pid))
		return -ESRCH;
	memcpy(&info, signal->info, sizeof(info));
	if (info.si_code == SI_USER)
		return kill(signal->pid, sig) < 0 ? -errno : 0;
	return (signal->tid ? syscall(SYS_rt_tgsigqueueinfo, signal->pid, signal->tid, sig, &info) :
			      syscall(SYS_rt_sigqueueinfo, signal->pid, sig, &info)) < 0 ?
		       -errno : 0;
}

/* ---- handles ---- */

void server_lockstep_opened(struct server_lockstep *lockstep, uint64_t cookie)
{
	struct lockstep_table *table = lockstep ? lockstep->table : NULL;
	uint32_t i = 0, count;

	if (!table)
		return;
	count = MIN(table->handles, LOCKSTEP_HANDLES);
	while (i < count && table->handle[i] != 0)
		i++;
	/* Beyond that, a handle is one of the descriptors that are looked at again. */
	if (i == LOCKSTEP_HANDLES)
		return;
	table->handle[i] = cookie;
	if (i == count)
		table->handles = count + 1;
}

void server_lockstep_closed(struct server_lockstep *lockstep, uint64_t cookie)
{
	struct lockstep_table *table = lockstep ? lockstep->table : NULL;

	for (uint32_t i = 0; table && i < MIN(table->handles, LOCKSTEP_HANDLES); i++) {
		if (table->handle[i] == cookie)
			table->handle[i] = 0;
	}
}

static bool waits_for(const struct lockstep_slot *slot, uint64_t cookie)
{
	if (!lockstep_waits(slot) || slot->kind != LOCKSTEP_DESCRIPTOR)
		return false;
	for (uint32_t i = 0; i < MIN(slot->cookies, LOCKSTEP_COOKIES); i++) {
		if (slot->cookie[i] == cookie)
			return true;
	}
	return false;
}

void server_lockstep_written(struct server_lockstep *lockstep, uint64_t cookie)
{
	struct lockstep_table *table = lockstep ? lockstep->table : NULL;

	for (uint32_t i = 0; table && i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (waits_for(slot, cookie))
			lockstep_make_runnable(table, slot, LOCKSTEP_WOKEN);
	}
}

void server_lockstep_wrote(struct server_lockstep *lockstep)
{
	struct lockstep_table *table = lockstep ? lockstep->table : NULL;

	for (uint32_t i = 0; table && i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (lockstep_waits(slot) && slot->kind == LOCKSTEP_DESCRIPTOR && slot->is_generic)
			lockstep_make_runnable(table, slot, LOCKSTEP_WOKEN);
	}
}

/* ---- watching ---- */

void server_lockstep_tell_parent(struct lockstep_table *table, int parent)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->pid == parent && parent != 0 && lockstep_waits(slot) &&
		    (slot->kind == LOCKSTEP_CHILD || slot->kind == LOCKSTEP_SIGNAL ||
		     slot->kind == LOCKSTEP_DESCRIPTOR))
			lockstep_make_runnable(table, slot, LOCKSTEP_DELIVERY);
	}
}

/* A robust mutex of the dead one, that processes share, is theirs. */
static void tell_heirs(struct lockstep_table *table)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (lockstep_waits(slot) && slot->kind == LOCKSTEP_MUTEX &&
		    lockstep_is_shared(slot->addr))
			lockstep_make_runnable(table, slot, LOCKSTEP_WOKEN);
	}
}

/* Another takes the baton of a process that has died, with the duty to choose. */
static void give_on(struct lockstep_table *table)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (!lockstep_is_thread(slot) || slot->stopped)
			continue;
		lockstep_hand(table, slot, 1);
		wake(slot);
		return;
	}
}

void server_lockstep_died(struct server_lockstep *lockstep, int pid)
{
	struct lockstep_table *table = lockstep->table;
	struct lockstep_slot *dead = slot_of(table, pid);

	if (dead)
		server_lockstep_tell_parent(table, dead->parent);
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		if (table->slot[i].pid == pid && lockstep_is_alive(&table->slot[i]))
			table->slot[i].state = LOCKSTEP_DEAD;
	}
	if (pid == table->root && dead) {
		/* What is left is ended by the keeper. */
		end_session(table);
		return;
	}
	table->activity++;
	tell_heirs(table);
	if (table->holder == pid)
		lockstep->has_lost_holder = true;
}

void server_lockstep_pass_on(struct server_lockstep *lockstep)
{
	if (lockstep->has_lost_holder)
		give_on(lockstep->table);
	lockstep->has_lost_holder = false;
}

/* The process that had the baton has died of a signal from outside, or of an error of its own. */
static void replace_dead(struct server_lockstep *lockstep)
{
	struct lockstep_table *table = lockstep->table;
	const struct lockstep_slot *dead = slot_of(table, table->holder);

	if (dead)
		fprintf(stderr, "umadrig: %u %.15s was killed while running, at virtual time %.9g "
			"s\n", dead->virtual_pid, dead->name, (double)table->now / 1e9);
	server_lockstep_died(lockstep, table->holder);
	server_lockstep_pass_on(lockstep);
}

/*
 * What a program computes takes no virtual time. One that computes for as long as the session may
 * last would never end; time that it has not had, on a busy machine, does not count.
 */
static bool computes_too_long(const struct server_lockstep *lockstep)
{
	return lockstep->limit_ns > 0 && lockstep_holder_processor_ns(lockstep->table) -
						 lockstep->processor_ns > lockstep->limit_ns;
}

/* A program that loads the library may wait by a call of its own, which only the filter sees. */
static const char *cure_of(const struct lockstep_table *table, enum lockstep_holder_state state)
{
	return state == LOCKSTEP_HOLDER_SLEEPS && !lockstep_holder_is_foreign(table) ?
	       "; with how=filter no program's call bypasses virtual time" : "";
}

/* True: it has been named now. */
static bool watch_living(struct server_lockstep *lockstep)
{
	struct lockstep_table *table = lockstep->table;
	bool is_first = !lockstep->has_told;
	const struct lockstep_slot *slot;
	enum lockstep_holder_state state;
	uint64_t calls;
	char what[64];
	bool stands_still;

	if (++lockstep->ticks < TELL_TICKS || table->is_outside)
		return false;
	slot = slot_of(table, table->holder);
	/* (One that has made calls since has slept for a moment between two.) */
	calls = lockstep_holder_calls(table);
	state = lockstep_holder_describe(table, what, sizeof(what));
	stands_still = state != LOCKSTEP_HOLDER_RUNS && calls == lockstep->calls;
	lockstep->calls = calls;
	if (is_first)
		fprintf(stderr, "umadrig: virtual time is not advancing: %u %.15s (process %d, "
			"thread %d) has been running for 5 s: it %s\n",
			slot ? slot->virtual_pid : 0, slot ? slot->name : "?", table->holder,
			table->holder_tid, what);
	lockstep->has_told = true;
	if (!stands_still && computes_too_long(lockstep))
		fprintf(stderr, "umadrig: it has computed for longer than the session's limit, "
			"%.9g s: ends the session\n", (double)lockstep->limit_ns / 1e9);
	else if (stands_still && lockstep->ticks >= END_TICKS)
		fprintf(stderr, "umadrig: it still %s, which virtual time does not know: ends the "
			"session%s\n", what, cure_of(table, state));
	else
		return is_first;
	kill(table->holder, SIGKILL);
	end_session(table);
	return is_first;
}

bool server_lockstep_watch(struct server_lockstep *lockstep)
{
	struct lockstep_table *table = lockstep->table;
	uint64_t progress = table->switches + table->advances;

	if (table->holder <= 0 || table->is_over)
		return false;
	if (progress != lockstep->progress) {
		lockstep->progress = progress;
		if (lockstep->limit_ns > 0)
			lockstep->processor_ns = lockstep_holder_processor_ns(table);
		lockstep->ticks = 0;
		lockstep->has_told = false;
		return false;
	}
	if (!reap_has_ended(table->holder, 0))
		return watch_living(lockstep);
	replace_dead(lockstep);
	return false;
}

/* ---- the audit ---- */

static void say_finding(const struct lockstep_finding *finding)
{
	fprintf(stderr, "  %.15s, thread %u: ", finding->program, finding->ordinal);
	if (finding->call == LOCKSTEP_RDTSC)
		fprintf(stderr, "rdtsc, at least %" PRIu64 " times\n", finding->count);
	else
		fprintf(stderr, "%s (%" PRId64 "), %" PRIu64 " times\n",
			call_name((long)finding->call), finding->call, finding->count);
}

int server_lockstep_report(const struct server_lockstep *lockstep)
{
	const struct lockstep_table *table = lockstep ? lockstep->table : NULL;
	uint32_t count = table ? MIN(table->findings, LOCKSTEP_FINDINGS) : 0;

	if (!table || lockstep->audit == LOCKSTEP_NO_AUDIT)
		return 0;
	fprintf(stderr, "umadrig: audit: of %" PRIu64 " system calls of %" PRIu64 " program%s that "
		"virtual time has not made, %s\n", table->audited, table->audited_programs,
		table->audited_programs == 1 ? "" : "s", count ?
		"these were past it, in real time:" : "none waits or tells the time");
	for (uint32_t i = 0; i < count; i++)
		say_finding(&table->finding[i]);
	if (table->unlisted)
		fprintf(stderr, "  and %" PRIu64 " more\n", table->unlisted);
	if (lockstep->audit != LOCKSTEP_AUDIT_FAILS)
		return 0;
	return count || table->audited_programs == 0 ? -EPROTO : 0;
}
