/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rooms of kmod-stub/linux by themselves: lists, locks, references, memory and numbers; and
 * that each of their checks says what it has found.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-lists.h"
#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-numbers.h"
#include "kmod-stub/linux/services.h"

static char *said;			/* the last line of the log */

static void take_line(int level, const char *host, const char *text)
{
	g_assert_null(host);
	g_assert_cmpint(level, ==, KERNEL_LOG_FAULT);
	g_assert_null(said);
	said = g_strdup(text);
}

static const struct kernel_services services = { .log = take_line };
const struct kernel_services *linux_services = &services;
struct kmod_host *linux_current_host;

/* There is one processor. */
bool linux_processors_on;

void linux_processors_switch(void)
{
	g_assert_not_reached();
}

bool linux_processors_wait(bool (*is_over)(const void *what), const void *what)
{
	(void)is_over;
	(void)what;
	g_assert_not_reached();
}

/* Without "linux-rooms.c:LINE: ". */
static void expect(const char *fault)
{
	g_assert_nonnull(said);
	g_assert_true(g_str_has_prefix(said, "linux-rooms.c:"));
	g_assert_cmpstr(strstr(said, ": ") + 2, ==, fault);
	g_clear_pointer(&said, g_free);
}

static void test_lists(void)
{
	struct item {
		int number;
		struct list_head entry;
	} items[] = { { .number = 1 }, { .number = 2 }, { .number = 3 } }, *item, *next;
	LIST_HEAD(list);
	LIST_HEAD(other);
	int seen = 0;

	list_add(&items[1].entry, &list);
	list_add(&items[0].entry, &list);
	list_add_tail(&items[2].entry, &list);
	list_for_each_entry(item, &list, entry)
		seen = 10 * seen + item->number;
	g_assert_cmpint(seen, ==, 123);
	list_move_tail(&items[0].entry, &list);
	list_splice_init(&list, &other);
	g_assert_true(list_empty(&list));
	list_for_each_entry_reverse(item, &other, entry)
		seen = 10 * seen + item->number;
	g_assert_cmpint(seen, ==, 123132);
	list_for_each_entry_safe(item, next, &other, entry)
		list_del(&item->entry);
	g_assert_true(list_empty(&other));
	list_del(&items[0].entry);
	expect("the deletion of an entry that is deleted already");
	list_add(&items[0].entry, &list);
	list.next = &items[1].entry;
	list_del(&items[0].entry);
	expect("a deletion from a broken list");
	list_add_tail(&items[2].entry, &items[0].entry);
	expect("an insertion into a broken list");
}

static DEFINE_SPINLOCK(spin);

static void test_locks(void)
{
	struct mutex mutex;
	unsigned long flags;
	refcount_t references;
	void *block;

	mutex_init(&mutex);
	mutex_lock(&mutex);
	spin_lock_irqsave(&spin, flags);
	g_assert_cmpuint(linux_held.count, ==, 2);
	g_assert_cmpuint(linux_held.spins, ==, 1);
	block = kmalloc(8, GFP_ATOMIC);
	g_assert_null(said);
	kfree(block);
	block = kmalloc(8, GFP_KERNEL);
	expect("an allocation with GFP_KERNEL may sleep, but a spin lock is held");
	kfree(block);
	spin_unlock_irqrestore(&spin, flags);
	mutex_unlock(&mutex);
	mutex_unlock(&mutex);
	expect("&mutex is released, but not held");
	g_assert_cmpuint(linux_held.count, ==, 0);

	refcount_set(&references, 1);
	refcount_inc(&references);
	g_assert_false(refcount_dec_and_test(&references));
	g_assert_true(refcount_dec_and_test(&references));
	g_assert_false(refcount_inc_not_zero(&references));
	refcount_inc(&references);
	expect("a reference is taken of what has 0");
}

/* Two processors that take them at the same time wait for each other. */
static void test_lock_order(void)
{
	struct mutex first, second, third;
	spinlock_t fourth;

	mutex_init(&first);
	mutex_init(&second);
	mutex_init(&third);
	spin_lock_init(&fourth);
	for (int i = 0; i < 2; i++) {
		mutex_lock(&first);
		mutex_lock(&second);
		mutex_unlock(&first);
		mutex_lock(&third);
		spin_lock(&fourth);
		spin_unlock(&fourth);
		mutex_unlock(&second);
		mutex_unlock(&third);
		g_assert_null(said);
	}
	/* By way of the second: once. */
	for (int i = 0; i < 2; i++) {
		mutex_lock(&third);
		mutex_lock(&first);
		g_assert_cmpint(said != NULL, ==, i == 0);
		g_assert_true(!said || strstr(said, "&first is taken under &third, and the other "
						    "way round at linux-rooms.c:"));
		g_clear_pointer(&said, g_free);
		mutex_unlock(&first);
		mutex_unlock(&third);
	}
	/* Of one that waits for this one to end nothing is learnt. */
	mutex_lock(&second);
	linux_held.before = linux_held.count;
	mutex_lock(&first);
	mutex_unlock(&first);
	linux_held.before = 0;
	mutex_unlock(&second);
	g_assert_null(said);
	g_assert_cmpuint(linux_held.count, ==, 0);
}

static void test_memory(void)
{
	unsigned long before = linux_blocks;
	char *block = kzalloc(3, GFP_KERNEL), *copy = kmemdup("ab", 3, GFP_ATOMIC);
	char buf[3];
	u32 value;

	g_assert_cmpmem(block, 3, "\0\0", 3);
	g_assert_cmpstr(copy, ==, "ab");
	g_assert_null(kmalloc(SIZE_MAX, GFP_KERNEL));
	g_assert_null(kcalloc(SIZE_MAX / 2, 3, GFP_KERNEL));
	g_assert_cmpuint(copy_from_user(buf, NULL, 3), ==, 3);
	g_assert_cmpuint(copy_to_user(buf, copy, 3), ==, 0);
	g_assert_cmpstr(buf, ==, "ab");
	g_assert_cmpint(get_user(value, (u32 *)NULL), ==, -EFAULT);
	kfree(copy);
	kfree(NULL);
	g_assert_cmpuint(linux_blocks, ==, before + 1);
	g_assert_cmpuint(linux_report_leaks(), ==, 1);
	g_assert_true(g_str_has_prefix(said, "leak: memory of 3 bytes, allocated at "
					     "linux-rooms.c:"));
	g_clear_pointer(&said, g_free);
	g_assert_cmpuint(linux_blocks, ==, 0);
}

static void host_begin(struct kmod_host *host, const struct kmod_ops *ops, u32 first)
{
	*host = (struct kmod_host){ .ops = ops, .first_number = first };
	INIT_LIST_HEAD(&host->numbers);
	linux_current_host = host;
}

/* Each host counts for itself; the kernel's own numbers go down from the first. */
static void test_numbers(void)
{
	static DEFINE_XARRAY_ALLOC1(agents);
	static DEFINE_IDA(devices);
	static const u32 in_turn[] = { 5, 6, 1, 2 };
	const struct xa_limit limit = XA_LIMIT(0, 6);
	const struct kmod_ops ops = { .trace = NULL };
	struct kmod_host one, two;
	struct kmod_port *port = (struct kmod_port *)&one;
	u32 number = 0, unused = 0;

	host_begin(&two, &ops, 2);
	g_assert_cmpint(xa_alloc_cyclic(&agents, &number, &two, limit, &unused, GFP_KERNEL), ==, 0);
	g_assert_cmpuint(number, ==, 2);
	host_begin(&one, &ops, 5);
	g_assert_null(xa_load(&agents, 2));
	one.adding = port;
	for (u32 i = 4; i >= 3; i--) {
		xa_alloc_cyclic(&agents, &number, &one, limit, &unused, GFP_KERNEL);
		g_assert_cmpuint(number, ==, i);
	}
	one.adding = NULL;
	for (u32 i = 0; i < 4; i++) {
		xa_alloc_cyclic(&agents, &number, &one, limit, &unused, GFP_KERNEL);
		g_assert_cmpuint(number, ==, in_turn[i]);
	}
	g_assert_cmpint(xa_alloc_cyclic(&agents, &number, &one, limit, &unused, GFP_KERNEL), ==,
			-EBUSY);
	g_assert_true(xa_erase(&agents, 3) == &one);
	g_assert_null(xa_erase(&agents, 3));
	xa_alloc_cyclic(&agents, &number, &one, limit, &unused, GFP_KERNEL);
	g_assert_cmpuint(number, ==, 3);

	g_assert_cmpint(ida_alloc_max(&devices, 1, GFP_KERNEL), ==, 0);
	g_assert_cmpint(ida_alloc_max(&devices, 1, GFP_KERNEL), ==, 1);
	g_assert_cmpint(ida_alloc_max(&devices, 1, GFP_KERNEL), ==, -ENOSPC);
	ida_free(&devices, 0);
	g_assert_cmpint(ida_alloc_max(&devices, 1, GFP_KERNEL), ==, 0);
	ida_free(&devices, 0);
	ida_free(&devices, 1);
	linux_numbers_clear(&one.numbers);
	g_assert_cmpstr(said, ==, "leak: 6 numbers, 1 first, are taken when their host goes");
	g_clear_pointer(&said, g_free);
	linux_current_host = &two;
	g_assert_true(xa_erase(&agents, 2) == &two);
	linux_numbers_clear(&two.numbers);
	g_assert_null(said);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/linux/lists", test_lists);
	g_test_add_func("/kmod/linux/locks", test_locks);
	g_test_add_func("/kmod/linux/lock-order", test_lock_order);
	g_test_add_func("/kmod/linux/memory", test_memory);
	g_test_add_func("/kmod/linux/numbers", test_numbers);
	return g_test_run();
}
