/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers: see linux-numbers.h. An array of a host is a sorted list, which mostly grows at its end.
 */
#include "kmod-stub/linux/linux-numbers.h"

#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-lists.h"

struct slot {
	u32 number;
	void *entry;
};

struct linux_numbers {
	struct list_head entry;
	const struct xarray *array;	/* whose numbers they are */
	struct slot *slots;
	size_t count, room;
	u32 next, next_down;		/* to try first: a program's, the kernel's */
};

/* Those of the host that runs; NULL: there is no memory. */
static struct linux_numbers *numbers_of(const struct xarray *array)
{
	struct kmod_host *host = linux_current_host;
	struct linux_numbers *numbers;

	list_for_each_entry(numbers, &host->numbers, entry)
		if (numbers->array == array)
			return numbers;
	numbers = calloc(1, sizeof(*numbers));
	if (!numbers)
		return NULL;
	numbers->array = array;
	numbers->next = host->first_number;
	numbers->next_down = host->first_number - 1;
	list_add(&numbers->entry, &host->numbers);
	return numbers;
}

/* The first slot whose number is not less. */
static size_t place(const struct linux_numbers *numbers, u32 number)
{
	size_t low = 0, high = numbers->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (numbers->slots[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_taken(const struct linux_numbers *numbers, u32 number)
{
	size_t at = place(numbers, number);

	return at < numbers->count && numbers->slots[at].number == number;
}

static int put(struct linux_numbers *numbers, u32 number, void *entry)
{
	size_t at = place(numbers, number);

	if (numbers->count == numbers->room) {
		size_t room = numbers->room ? 2 * numbers->room : 4;
		struct slot *slots = realloc(numbers->slots, room * sizeof(*slots));

		if (!slots)
			return -ENOMEM;
		numbers->slots = slots;
		numbers->room = room;
	}
	memmove(&numbers->slots[at + 1], &numbers->slots[at],
		(numbers->count - at) * sizeof(*numbers->slots));
	numbers->slots[at] = (struct slot){ number, entry };
	numbers->count++;
	return 0;
}

void *xa_load(struct xarray *array, unsigned long number)
{
	const struct linux_numbers *numbers = numbers_of(array);
	size_t at = numbers ? place(numbers, (u32)number) : 0;

	if (!numbers || at == numbers->count || numbers->slots[at].number != number)
		return NULL;
	return numbers->slots[at].entry;
}

void *xa_erase(struct xarray *array, unsigned long number)
{
	struct linux_numbers *numbers = numbers_of(array);
	size_t at = numbers ? place(numbers, (u32)number) : 0;
	void *entry;

	if (!numbers || at == numbers->count || numbers->slots[at].number != number)
		return NULL;
	entry = numbers->slots[at].entry;
	numbers->count--;
	memmove(&numbers->slots[at], &numbers->slots[at + 1],
		(numbers->count - at) * sizeof(*numbers->slots));
	return entry;
}

int (xa_alloc_cyclic)(struct xarray *array, u32 *ret_number, void *entry, struct xa_limit limit,
		    u32 *next, gfp_t flags)
{
	struct linux_numbers *numbers = numbers_of(array);
	bool down = linux_current_host->adding;
	u32 low = limit.min > array->first ? limit.min : array->first;
	u32 *from, number;
	int err;

	(void)next;
	if (flags == GFP_KERNEL)
		linux_may_sleep("xa_alloc_cyclic", __FILE__, __LINE__);
	if (!numbers)
		return -ENOMEM;
	if (numbers->count > limit.max - low)
		return -EBUSY;
	from = down ? &numbers->next_down : &numbers->next;
	number = *from;
	for (;;) {
		if (number < low || number > limit.max)
			number = down ? limit.max : low;
		if (!is_taken(numbers, number))
			break;
		number += down ? -1 : 1;
	}
	err = put(numbers, number, entry);
	if (err)
		return err;
	*ret_number = number;
	*from = number + (down ? -1 : 1);
	return 0;
}

int (ida_alloc_max)(struct ida *ida, unsigned int max, gfp_t flags)
{
	struct linux_numbers *numbers = numbers_of(&ida->numbers);
	u32 number = 0;
	int err;

	if (flags == GFP_KERNEL)
		linux_may_sleep("ida_alloc_max", __FILE__, __LINE__);
	if (!numbers)
		return -ENOMEM;
	while (number < numbers->count && numbers->slots[number].number == number)
		number++;
	if (number > max)
		return -ENOSPC;
	err = put(numbers, number, NULL);
	return err ? err : (int)number;
}

void ida_free(struct ida *ida, unsigned int number)
{
	const struct linux_numbers *numbers = numbers_of(&ida->numbers);

	if (!numbers || !is_taken(numbers, number)) {
		linux_fault(NULL, 0, "ida_free of %u, which is free", number);
		return;
	}
	xa_erase(&ida->numbers, number);
}

void linux_numbers_clear(struct list_head *all)
{
	struct linux_numbers *numbers, *next;

	list_for_each_entry_safe(numbers, next, all, entry) {
		if (numbers->count > 0)
			linux_fault(NULL, 0, "leak: %zu numbers, %u first, are taken when their "
				    "host goes", numbers->count, numbers->slots[0].number);
		list_del(&numbers->entry);
		free(numbers->slots);
		free(numbers);
	}
}
