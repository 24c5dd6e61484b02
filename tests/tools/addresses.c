/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Prints where things lie that the kernel places: stacks, the heap, mappings, libc's functions.
 * With the name of a library, which it loads then, also where that is, and what is mapped
 * afterwards.
 */
#include <dlfcn.h>
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

static int load(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);
	void *function = library ? dlsym(library, "cos") : NULL;

	printf("%s %p %p\n", name, function, malloc(1 << 20));
	return function ? 0 : 1;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	print("main");
	if (argc > 1 && load(argv[1]) != 0)
		return 1;
	if (pthread_create(&thread, NULL, print, "thread") != 0)
		return 1;
	return pthread_join(thread, NULL);
}
