/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/numbers.h"

#include "harness/filter/file-table.h"
#include "harness/filter/supervisor.h"

int number_free_from(struct supervisor *supervisor, pid_t tid, int from)
{
	int number = from < supervisor->first_number ? supervisor->first_number : from;

	while (number < supervisor->end_number &&
	       descriptor_exists(&supervisor->files->descriptors, tid, number))
		number++;
	return number < supervisor->end_number ? number : -1;
}

int number_free(struct supervisor *supervisor, pid_t tid)
{
	return number_free_from(supervisor, tid, 0);
}
