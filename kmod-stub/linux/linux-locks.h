/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks, references and completions: what stands for <linux/spinlock.h>, <linux/mutex.h>,
 * <linux/semaphore.h>, <linux/refcount.h>, <linux/atomic.h>, <linux/kref.h> and
 * <linux/completion.h>.
 *
 * One thread at a time is in a kernel, so no lock waits but for another task
 * (linux-processors.h): one that is taken while it is held, that is released while it is not, or
 * that a function keeps which returns to its program, is reported.
 * So is what may sleep under a spin lock, and a lock of one kind that is taken under one of another
 * kind, and elsewhere the other way round: two processors would wait for each other. As in lockdep,
 * locks are of one kind that one place of the source makes. And interrupts: spin_unlock_irq() turns
 * them on, so spin_lock_irq() where they are off is reported, as that they stay off, or that they
 * are on where spin_unlock_irq() is called. No file's function runs in an interrupt: completions
 * come by a work queue (IB_POLL_UNBOUND_WORKQUEUE).
 *
 * Left out: locks of one kind under each other, nesting annotations, memory barriers.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_LOCKS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_LOCKS_H

#include "kmod-stub/linux/linux-processors.h"
#include "kmod-stub/linux/linux-text.h"
#include "kmod-stub/linux/linux-types.h"

enum { LINUX_LOCK_AFTER = 16 };

/* Those that one place makes, and in what order they are taken. */
struct linux_lock_kind {
	const char *name;	/* as it is written there */
	struct linux_lock_after {
		struct linux_lock_kind *kind;	/* has been taken under it, */
		const char *file;		/* for the first time there */
		int line;
		bool is_wrong;			/* it has been reported */
	} after[LINUX_LOCK_AFTER];
	unsigned int count;
};

#define LINUX_LOCK_KIND(text) \
	({ static struct linux_lock_kind kind_ = { .name = text }; &kind_; })

/* Spin locks and others. */
struct linux_lock {
	bool held;
	bool spins;
	struct linux_lock_kind *kind;
};

void linux_lock_take(struct linux_lock *lock, bool spins, const char *name, const char *file,
		     int line);
void linux_lock_release(struct linux_lock *lock, const char *name, const char *file, int line);
/* Reports what must not happen under a spin lock. */
void linux_may_sleep(const char *what, const char *file, int line);
/* At the end of a call, or of an event: reports locks beyond those that were held before. */
void linux_locks_end(unsigned int count, unsigned int spins);

/* Turn interrupts off, before the lock is taken, and on again, after it is released. */
void linux_irq_disable(const char *file, int line);
void linux_irq_enable(const char *file, int line);
unsigned long linux_irq_save(void);
void linux_irq_restore(unsigned long flags, const char *file, int line);

enum { LINUX_HELD_MAX = 32 };

/*
 * The locks that are held, in the order in which they were taken. Of those before 'before' others
 * are the owners, which wait until this call has ended: the kernels of other hosts.
 */
extern struct linux_held {
	unsigned int count, spins, before;
	bool irqs_off;
	struct linux_lock *locks[LINUX_HELD_MAX];
} linux_held;

typedef struct linux_lock spinlock_t;

#define DEFINE_SPINLOCK(name_) \
	spinlock_t name_ = { false, true, &(struct linux_lock_kind){ .name = #name_ } }
#define spin_lock_init(lock) \
	((void)(*(lock) = (spinlock_t){ false, true, LINUX_LOCK_KIND(#lock) }))

#define spin_lock(lock) linux_lock_take(lock, true, #lock, __FILE__, __LINE__)
#define spin_unlock(lock) linux_lock_release(lock, #lock, __FILE__, __LINE__)
#define spin_lock_irq(lock) (linux_irq_disable(__FILE__, __LINE__), spin_lock(lock))
#define spin_unlock_irq(lock) (spin_unlock(lock), linux_irq_enable(__FILE__, __LINE__))
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) do { \
	(flags) = linux_irq_save(); \
	spin_lock(lock); \
} while (0)
#define spin_unlock_irqrestore(lock, flags) do { \
	spin_unlock(lock); \
	linux_irq_restore(flags, __FILE__, __LINE__); \
} while (0)
#define lockdep_assert_held(lock) ((void)(lock))

struct mutex {
	struct linux_lock lock;
};

#define DEFINE_MUTEX(name_) struct mutex name_ = { \
	{ false, false, &(struct linux_lock_kind){ .name = #name_ } } }
#define mutex_init(mutex) \
	((void)((mutex)->lock = (struct linux_lock){ false, false, LINUX_LOCK_KIND(#mutex) }))

#define mutex_lock(mutex) do { \
	linux_may_sleep("mutex_lock(" #mutex ")", __FILE__, __LINE__); \
	linux_lock_take(&(mutex)->lock, false, #mutex, __FILE__, __LINE__); \
} while (0)
#define mutex_unlock(mutex) linux_lock_release(&(mutex)->lock, #mutex, __FILE__, __LINE__)
#define mutex_destroy(mutex) WARN_ON((mutex)->lock.held)

/* Held by a file across system calls: not counted above. */
struct semaphore {
	int count;
};

static inline void sema_init(struct semaphore *semaphore, int count)
{
	semaphore->count = count;
}

/* 1: it is taken. */
static inline int down_trylock(struct semaphore *semaphore)
{
	if (semaphore->count <= 0)
		return 1;
	semaphore->count--;
	return 0;
}

/* Nobody can wait here: as after a signal. */
static inline int down_interruptible(struct semaphore *semaphore)
{
	return down_trylock(semaphore) ? -EINTR : 0;
}

static inline void up(struct semaphore *semaphore)
{
	semaphore->count++;
}

typedef struct {
	int counter;
} atomic_t;

#define ATOMIC_INIT(value) { value }
#define atomic_set(atomic, value) (linux_point(), (void)((atomic)->counter = (value)))
#define atomic_read(atomic) (linux_point(), (atomic)->counter)
#define atomic_inc(atomic) (linux_point(), (void)(atomic)->counter++)
#define atomic_dec(atomic) (linux_point(), (void)(atomic)->counter--)
#define atomic_inc_return(atomic) (linux_point(), ++(atomic)->counter)
#define atomic_dec_return(atomic) (linux_point(), --(atomic)->counter)
#define atomic_dec_and_test(atomic) (linux_point(), --(atomic)->counter == 0)

/* References: none is taken of what has none, and none given back that was not taken. */
typedef struct {
	int count;
} refcount_t;

#define refcount_set(references, value) ((void)((references)->count = (value)))
#define refcount_read(references) ((references)->count)
#define refcount_inc(references) linux_refcount_inc(references, __FILE__, __LINE__)
#define refcount_dec_and_test(references) linux_refcount_dec(references, __FILE__, __LINE__)

static inline void linux_refcount_inc(refcount_t *references, const char *file, int line)
{
	linux_point();
	if (references->count <= 0)
		linux_fault(file, line, "a reference is taken of what has %d", references->count);
	references->count++;
}

static inline bool linux_refcount_dec(refcount_t *references, const char *file, int line)
{
	linux_point();
	if (references->count <= 0)
		linux_fault(file, line, "a reference is dropped of what has %d", references->count);
	return --references->count == 0;
}

static inline bool refcount_inc_not_zero(refcount_t *references)
{
	linux_point();
	if (references->count == 0)
		return false;
	references->count++;
	return true;
}

struct kref {
	refcount_t refcount;
};

#define kref_init(kref) refcount_set(&(kref)->refcount, 1)
#define kref_get(kref) refcount_inc(&(kref)->refcount)
#define kref_put(kref, release) \
	({ bool last_ = refcount_dec_and_test(&(kref)->refcount); \
	   if (last_) \
		(release)(kref); \
	   last_; })

/* The waiter runs what is due at its host until it is done (linux-work.h). */
struct completion {
	unsigned int done;
};

static inline void init_completion(struct completion *completion)
{
	completion->done = 0;
}

static inline void complete(struct completion *completion)
{
	completion->done++;
	linux_point();
}

void linux_wait_for(struct completion *completion, const char *file, int line);
#define wait_for_completion(completion) linux_wait_for(completion, __FILE__, __LINE__)

#endif
