/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Several processors: see linux-processors.h.
 */
#include "kmod-stub/linux/linux-processors.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "kmod-stub/linux/kernel-file.h"
#include "kmod-stub/linux/linux-drop.h"
#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-umad.h"
#include "kmod-stub/linux/linux-wire.h"
#include "kmod-stub/linux/linux-work.h"

enum {
	TASKS_MAX = 16,
	STACK_SIZE = 512 * 1024,
};

/* AddressSanitizer's, where the process has it. */
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size)
	__attribute__((weak));
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old,
				     size_t *size_old) __attribute__((weak));

/* What is of the task that runs, in the rooms. */
struct state {
	struct kmod_host *host;
	unsigned long jiffies;
	struct linux_held held;
	struct linux_drop_now drop;
	struct linux_umad_receipt *receipt;
};

struct task {
	ucontext_t context;
	const void *stack;		/* its lowest byte that may be used */
	size_t stack_size;
	void *fake_stack;		/* AddressSanitizer's */
	struct state state;		/* while another runs */

	bool is_busy;
	struct linux_due does;
	bool calls;			/* it is one of several calls, and enters its host itself */
	unsigned int nesting;		/* that, and calls in callbacks of the fabric's */
	bool (*is_over)(const void *what);	/* waits until it is; NULL: it waits for nothing */
	const void *what;
};

bool linux_processors_on;

/* The first is the caller's, on its stack. */
static struct task tasks[TASKS_MAX];
static struct task *running, *left;
static struct kmod_host *at;
static unsigned long at_jiffies;
/* That have not begun; NULL: none. */
static const struct kernel_call *calls_due[KERNEL_CALLS_MAX];

/* ---- chance ---- */

/* Below 'count'. Of the host, whose seed it is (splitmix64). */
static unsigned int chance(struct kmod_host *host, unsigned int count)
{
	uint64_t x = host->chance += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned int)((x ^ x >> 31) >> 32) % count;
}

/* One point in so many is one: 2 to 16, by the seed. Some races need many changes, others few. */
static unsigned int rarity(void)
{
	return 2u << at->variant.schedule / 4 % 4;
}

enum { LATE_US = 50 };

/* One schedule of four. */
static bool is_late(const struct kmod_host *host)
{
	return host->variant.schedule % 4 == 3;
}

int64_t linux_processors_slow_ns(const struct kmod_host *host)
{
	return is_late(host) ? LATE_US * NS_PER_US : 0;
}

int64_t linux_processors_late_ns(struct kmod_host *host, int64_t now_ns)
{
	if (!is_late(host))
		return now_ns;
	now_ns += chance(host, LATE_US + 1) * NS_PER_US;
	if (now_ns > host->last_ns)
		host->last_ns = now_ns;
	return host->last_ns;
}

/* ---- changing ---- */

static void save(struct state *state)
{
	state->host = linux_current_host;
	state->jiffies = jiffies;
	state->held = linux_held;
	state->drop = linux_drop_now;
	state->drop.blocks = linux_blocks - state->drop.blocks;
	state->receipt = linux_umad_receipt;
}

static void restore(const struct state *state)
{
	linux_current_host = state->host;
	jiffies = state->jiffies;
	linux_held = state->held;
	linux_drop_now = state->drop;
	linux_drop_now.blocks = linux_blocks - state->drop.blocks;
	linux_umad_receipt = state->receipt;
}

/* This runs again: AddressSanitizer learns on which stack it is, and we where the caller's is. */
static void arrive(struct task *task)
{
	const void *bottom = NULL;
	size_t size = 0;

	if (__sanitizer_finish_switch_fiber) {
		__sanitizer_finish_switch_fiber(task->fake_stack, &bottom, &size);
		if (left == &tasks[0]) {
			left->stack = bottom;
			left->stack_size = size;
		}
	}
}

static void change_to(struct task *task)
{
	struct task *from = running;

	save(&from->state);
	left = from;
	running = task;
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(&from->fake_stack, task->stack, task->stack_size);
	swapcontext(&from->context, &task->context);
	arrive(from);
	restore(&from->state);
}

/* ---- which ---- */

static bool can_run(const struct task *task)
{
	return task != running && task->is_busy && (!task->is_over || task->is_over(task->what));
}

bool linux_processors_run(const void *lane, const void *thing)
{
	for (unsigned int i = 0; linux_processors_on && i < TASKS_MAX; i++) {
		const struct task *task = &tasks[i];

		if (task != running && task->is_busy && task->does.lane == lane &&
		    (!thing || task->does.thing == thing))
			return true;
	}
	return false;
}

void linux_due_add(struct linux_dues *dues, const void *lane, void *thing,
		   void (*run)(struct kmod_host *host, void *thing))
{
	if (running->does.lane == lane || linux_processors_run(lane, NULL) ||
	    dues->count == sizeof(dues->due) / sizeof(dues->due[0]))
		return;
	for (unsigned int i = 0; i < dues->count; i++)
		if (dues->due[i].lane == lane)
			return;
	dues->due[dues->count++] = (struct linux_due){ lane, thing, run };
}

static void run_tasks(void);

/* A task that does nothing yet. NULL: there are enough. */
static struct task *find_idle(void)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	unsigned int i = 1;
	char *memory;

	while (i < TASKS_MAX && (tasks[i].is_busy || &tasks[i] == running))
		i++;
	if (i == TASKS_MAX || tasks[i].stack)
		return i == TASKS_MAX ? NULL : &tasks[i];
	memory = mmap(NULL, STACK_SIZE + guard, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	mprotect(memory, guard, PROT_NONE);
	tasks[i].stack = memory + guard;
	tasks[i].stack_size = STACK_SIZE;
	tasks[i].fake_stack = NULL;
	getcontext(&tasks[i].context);
	tasks[i].context.uc_stack.ss_sp = memory + guard;
	tasks[i].context.uc_stack.ss_size = STACK_SIZE;
	makecontext(&tasks[i].context, run_tasks, 0);
	return &tasks[i];
}

static bool begin(const struct linux_due *due)
{
	struct task *task = find_idle();

	if (!task)
		return false;
	task->is_busy = true;
	task->does = *due;
	task->is_over = NULL;
	task->calls = false;
	task->nesting = 0;
	change_to(task);
	return true;
}

static void run_call(struct kmod_host *host, void *thing)
{
	const struct kernel_call **due = thing;
	const struct kernel_call *call = *due;

	(void)host;
	*due = NULL;
	running->calls = true;
	call->run(call->ctx);
}

static void add_calls(struct linux_dues *dues)
{
	for (unsigned int i = 0; i < KERNEL_CALLS_MAX; i++)
		if (calls_due[i])
			linux_due_add(dues, calls_due[i], &calls_due[i], run_call);
}

/* Another goes on, or, if 'begins', begins. False: nobody can. */
static bool let_another(bool begins)
{
	struct task *can[TASKS_MAX];
	struct linux_dues dues = { .count = 0 };
	unsigned int count = 0, choice;

	if (begins) {
		linux_wire_due(at, &dues);
		linux_work_due(at, &dues);
		add_calls(&dues);
	}
	for (unsigned int i = 0; i < TASKS_MAX; i++)
		if (can_run(&tasks[i]))
			can[count++] = &tasks[i];
	if (count + dues.count == 0)
		return false;
	choice = chance(at, count + dues.count);
	if (choice >= count && begin(&dues.due[choice - count]))
		return true;
	if (count == 0)
		return false;
	change_to(can[choice % count]);
	return true;
}

/* At one point in 'count'. */
static void switch_at(unsigned int count)
{
	if (running->nesting == running->calls && chance(at, count) == 0)
		let_another(true);
}

void linux_processors_switch(void)
{
	switch_at(rarity());
}

/*
 * What a kernel that is built with --races calls wherever it has branched (gcc's and clang's
 * -fsanitize-coverage=trace-pc): points as well, of which a call passes many.
 */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	enum { RARER = 8 };

	if (linux_processors_on)
		switch_at(RARER * rarity());
}

bool linux_processors_wait(bool (*is_over)(const void *what), const void *what)
{
	struct task *self = running;
	bool ok = true;

	while (ok && !is_over(what)) {
		self->is_over = is_over;
		self->what = what;
		ok = let_another(true);
		self->is_over = NULL;
	}
	return ok;
}

/* ---- a task ---- */

/* The body of all but the first: one after the other. */
static void run_tasks(void)
{
	struct task *self = running;

	arrive(self);
	for (;;) {
		linux_current_host = at;
		jiffies = at_jiffies;
		linux_held = (struct linux_held){ 0 };
		linux_drop_now = (struct linux_drop_now){ 0 };
		linux_umad_receipt = NULL;
		self->does.run(at, self->does.thing);
		linux_locks_end(0, 0);
		self->is_busy = false;
		self->does = (struct linux_due){ 0 };
		/* Those that wait for ever say so: the caller is one of them. */
		if (!let_another(false) && !let_another(true))
			change_to(&tasks[0]);
	}
}

void linux_processors_begin(struct kmod_host *host, const void *lane, const void *thing)
{
	if (host->variant.schedule == 0 || linux_processors_on)
		return;
	linux_processors_on = true;
	at = host;
	at_jiffies = jiffies;
	running = &tasks[0];
	running->is_busy = true;
	running->does = (struct linux_due){ .lane = lane, .thing = (void *)(uintptr_t)thing };
	running->calls = false;
	running->nesting = 0;
	running->is_over = NULL;
}

static bool is_free(const void *lane)
{
	return !linux_processors_run(lane, NULL);
}

void linux_processors_take(const void *lane)
{
	if (!linux_processors_on || !running->calls || running->nesting != 1)
		return;
	if (!linux_processors_wait(is_free, lane))
		linux_stop("a packet would wait for ever for other completions");
	running->does.lane = lane;
}

void linux_processors_enter(void)
{
	if (linux_processors_on)
		running->nesting++;
}

/* Are there no others but calls? For the first task: and no calls, either. */
static bool is_alone(const void *task)
{
	const struct task *self = task;
	bool is_first = self == &tasks[0];

	for (unsigned int i = 0; is_first && i < KERNEL_CALLS_MAX; i++)
		if (calls_due[i])
			return false;
	for (unsigned int i = 1; i < TASKS_MAX; i++)
		if (tasks[i].is_busy && (is_first || !tasks[i].calls))
			return false;
	return true;
}

void linux_processors_call(const struct kernel_call *calls, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		calls_due[i] = &calls[i];
}

/* Nobody can go on: one that waits for something else than the others' end says for what. */
static void ask_waiting(void)
{
	for (unsigned int i = 1; i < TASKS_MAX; i++)
		if (tasks[i].is_busy && tasks[i].is_over && tasks[i].is_over != is_alone)
			change_to(&tasks[i]);
	linux_stop("tasks wait for each other, for ever");
}

void linux_processors_drain(void)
{
	struct task *self = running;

	while (linux_processors_on && (self == &tasks[0] || self->calls) && !is_alone(self)) {
		self->is_over = is_alone;
		self->what = self;
		if (!let_another(false) && !let_another(true))
			ask_waiting();
		self->is_over = NULL;
	}
}

void linux_processors_leave(void)
{
	if (linux_processors_on && running->nesting > 0) {
		running->nesting--;
		if (running->calls && running->nesting == 0)
			running->does.lane = NULL;
		return;
	}
	linux_processors_drain();
	linux_processors_on = false;
}

void linux_processors_trim(void)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);

	for (unsigned int i = 1; i < TASKS_MAX; i++) {
		if (!tasks[i].stack)
			continue;
		munmap((char *)(uintptr_t)tasks[i].stack - guard, STACK_SIZE + guard);
		tasks[i].stack = NULL;
	}
}
