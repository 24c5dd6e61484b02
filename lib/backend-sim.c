/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * backend-sim.c: the door to libumadrig, the one place where lib meets the simulator.
 *
 * A program that made a fabric itself has loaded libumadrig already, and that copy must be used.
 * Otherwise it is loaded only from the path that this library was configured with, so that no
 * search path can substitute another.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/backend-list.h"

#ifndef UMADRIG_LIBRARY
#error "UMADRIG_LIBRARY: the absolute path of the installed libumadrig.so.0"
#endif

static umadrig_backend_fn *find_door(char *reterr, size_t reterr_size)
{
	umadrig_backend_fn *door = NULL;
	void *library, *symbol;

	/* The umadrig command has the simulator linked in and exports its door. */
	symbol = dlsym(RTLD_DEFAULT, UMADRIG_DOOR);
	if (!symbol) {
		library = dlopen("libumadrig.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
		if (!library)
			library = dlopen(UMADRIG_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
		if (!library) {
			snprintf(reterr, reterr_size, "the simulator cannot be loaded: %s",
				 dlerror());
			return NULL;
		}
		symbol = dlsym(library, UMADRIG_DOOR);
	}
	if (!symbol) {
		snprintf(reterr, reterr_size, "%s has no %s(): it is of another version",
			 UMADRIG_LIBRARY, UMADRIG_DOOR);
		return NULL;
	}
	/* POSIX: a symbol's address converts to a function pointer; ISO C has no cast for it. */
	memcpy(&door, &symbol, sizeof(door));
	return door;
}

const struct umad_backend *umad_backend_sim(char *reterr, size_t reterr_size)
{
	umadrig_backend_fn *door = find_door(reterr, reterr_size);
	const struct umad_backend *backend;

	if (!door)
		return NULL;
	errno = 0;
	backend = door(UMAD_BACKEND_ABI);
	if (!backend || backend->abi != UMAD_BACKEND_ABI) {
		snprintf(reterr, reterr_size, "libibumad and libumadrig are of different versions "
			 "(this libibumad needs backend ABI %d): install both from one build",
			 UMAD_BACKEND_ABI);
		return NULL;
	}
	return backend;
}
