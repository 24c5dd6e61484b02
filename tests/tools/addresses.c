/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Prints where things lie that the kernel places: stacks, the heap, mappings, libc's functions. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *print(void *data)
{
	char here = 0;
	void *mapped = malloc(1 << 20), *small = malloc(16);

	printf("%s %p %p %p %p %lx\n", (const char *)data, (void *)&here, mapped, small,
	       (void *)puts, (unsigned long)pthread_self());
	free(mapped);
	free(small);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	print("main");
	if (pthread_create(&thread, NULL, print, "thread") != 0)
		return 1;
	return pthread_join(thread, NULL);
}
