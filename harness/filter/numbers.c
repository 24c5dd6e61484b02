/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/numbers.h"

#include "harness/filter/file-table.h"
#include "harness/filter/supervisor.h"

int number_free_from(struct supervisor *supervisor, pid_t tid, int from)
{
	enum { FEW = 16 };	/* looks that take less time than to read the list */
	int number = from < supervisor->first_number ? supervisor->first_number : from;

	for (int i = 0; i < FEW && number < supervisor->end_number; i++, number++)
		if (!descriptor_exists(&supervisor->files->descriptors, tid, number))
			return number;
	return descriptor_free(tid, number, supervisor->end_number);
}

int number_free(struct supervisor *supervisor, pid_t tid)
{
	return number_free_from(supervisor, tid, 0);
}
