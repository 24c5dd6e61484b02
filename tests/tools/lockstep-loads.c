/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls team() of tests/tools/lockstep-openmp.c's library, with which it is linked; with -DLATE it
 * loads the library itself.
 */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LATE
int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*team)(void) = library ? (int (*)(void))dlsym(library, "team") : NULL;

	if (!team) {
		fprintf(stderr, "lockstep-loads LIBRARY: %s\n", argc == 2 ? dlerror() : "no name");
		return 2;
	}
	return team();
}
#else
int team(void);

int main(void)
{
	return team();
}
#endif
