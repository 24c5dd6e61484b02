/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rings of list heads: what stands for <linux/list.h>. What was deleted is poisoned, and an
 * insertion or a deletion at a broken place is reported, and not made.
 *
 * Left out: what the five files do not use: hlists, RCU lists, sorting.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_LISTS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_LISTS_H

#include "kmod-stub/linux/linux-text.h"
#include "kmod-stub/linux/linux-types.h"

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define LIST_POISON ((struct list_head *)0x100)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

#define list_empty_careful(list) list_empty(list)

/* Puts 'entry' between two neighbours. */
static inline void linux_list_insert(struct list_head *entry, struct list_head *before,
				     struct list_head *after, const char *file, int line)
{
	if (before->next != after || after->prev != before || entry == before || entry == after) {
		linux_fault(file, line, "an insertion into a broken list");
		return;
	}
	entry->prev = before;
	entry->next = after;
	before->next = after->prev = entry;
}

/* Takes 'entry' out; its own pointers stay. False: it is in no list. */
static inline bool linux_list_remove(struct list_head *entry, const char *file, int line)
{
	if (entry->next == LIST_POISON) {
		linux_fault(file, line, "the deletion of an entry that is deleted already");
		return false;
	}
	if (entry->next->prev != entry || entry->prev->next != entry) {
		linux_fault(file, line, "a deletion from a broken list");
		return false;
	}
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	return true;
}

static inline void linux_list_del(struct list_head *entry, const char *file, int line)
{
	if (linux_list_remove(entry, file, line))
		entry->next = entry->prev = LIST_POISON;
}

static inline void linux_list_del_init(struct list_head *entry, const char *file, int line)
{
	if (linux_list_remove(entry, file, line))
		INIT_LIST_HEAD(entry);
}

static inline void linux_list_move(struct list_head *entry, struct list_head *before,
				   const char *file, int line)
{
	if (linux_list_remove(entry, file, line))
		linux_list_insert(entry, before, before->next, file, line);
}

static inline void linux_list_move_tail(struct list_head *entry, struct list_head *head,
					const char *file, int line)
{
	if (linux_list_remove(entry, file, line))
		linux_list_insert(entry, head->prev, head, file, line);
}

#define list_add(entry, head) linux_list_add(entry, head, __FILE__, __LINE__)
#define list_add_tail(entry, head) linux_list_add_tail(entry, head, __FILE__, __LINE__)
#define list_del(entry) linux_list_del(entry, __FILE__, __LINE__)
#define list_del_init(entry) linux_list_del_init(entry, __FILE__, __LINE__)
#define list_move(entry, head) linux_list_move(entry, head, __FILE__, __LINE__)
#define list_move_tail(entry, head) linux_list_move_tail(entry, head, __FILE__, __LINE__)

static inline void linux_list_add(struct list_head *entry, struct list_head *head,
				  const char *file, int line)
{
	linux_list_insert(entry, head, head->next, file, line);
}

static inline void linux_list_add_tail(struct list_head *entry, struct list_head *head,
				       const char *file, int line)
{
	linux_list_insert(entry, head->prev, head, file, line);
}

/* All entries of 'list' to the begin of 'head' ('tail': its end); 'list' is empty then. */
static inline void linux_list_splice(struct list_head *list, struct list_head *head, bool tail)
{
	struct list_head *before = tail ? head->prev : head;
	struct list_head *after = before->next;

	if (list_empty(list))
		return;
	before->next = list->next;
	list->next->prev = before;
	after->prev = list->prev;
	list->prev->next = after;
	INIT_LIST_HEAD(list);
}

#define list_splice_init(list, head) linux_list_splice(list, head, false)
#define list_splice_tail_init(list, head) linux_list_splice(list, head, true)

#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(at, member) list_entry((at)->member.next, __typeof__(*(at)), member)
#define list_prev_entry(at, member) list_entry((at)->member.prev, __typeof__(*(at)), member)

#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define list_for_each_prev(at, head) for (at = (head)->prev; at != (head); at = at->prev)
#define list_for_each_entry(at, head, member) \
	for (at = list_first_entry(head, __typeof__(*at), member); &at->member != (head); \
	     at = list_next_entry(at, member))
#define list_for_each_entry_reverse(at, head, member) \
	for (at = list_last_entry(head, __typeof__(*at), member); &at->member != (head); \
	     at = list_prev_entry(at, member))
#define list_for_each_entry_safe(at, next_one, head, member) \
	for (at = list_first_entry(head, __typeof__(*at), member), \
	     next_one = list_next_entry(at, member); &at->member != (head); \
	     at = next_one, next_one = list_next_entry(next_one, member))

#endif
