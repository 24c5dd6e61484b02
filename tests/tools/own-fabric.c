/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * own-fabric SPEC: a program with a fabric of its own, by umadrig.h, whose first port it opens and
 * closes as any program does. It prints what the kernels' checks have found before the fabric is
 * closed, and after that.
 */
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/api/umadrig.h"

static void print_faults(const char *when)
{
	char *faults = umadrig_kernel_faults();

	printf("%s: %s\n", when, faults ? faults : "none");
	free(faults);
}

int main(int argc, char **argv)
{
	char message[512];
	struct umadrig_fabric *fabric = argc == 2 ?
		umadrig_fabric_open(argv[1], message, sizeof(message)) : NULL;
	int port;

	if (!fabric) {
		fprintf(stderr, "own-fabric: %s\n", argc == 2 ? message : "expected a fabric");
		return 2;
	}
	umadrig_attach(fabric);
	setenv("UMAD_BACKEND", "sim:@", 1);
	port = umad_open_port(NULL, 0);
	if (port < 0 || umad_close_port(port) < 0)
		return 3;
	print_faults("open");
	umadrig_fabric_close(fabric);
	print_faults("closed");
	print_faults("once");
	return 0;
}
