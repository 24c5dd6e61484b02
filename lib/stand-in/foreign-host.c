/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-host.h. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/environment-read.h"
#include "lib/raw-door.h"
#include "lib/stand-in/foreign-host.h"
#include "lib/stand-in/foreign-process.h"

void foreign_host_take(void)
{
	static const char variable[] = "UMADRIG_HOST";
	char host[PATH_MAX];
	int r = environment_read(foreign.pid, variable, host, sizeof(host));
	const char *here = getenv(variable);

	if (r == -ENOENT && here)
		unsetenv(variable);
	else if (r == 0 && (!here || strcmp(host, here) != 0))
		setenv(variable, host, 1);
	else
		return;
	if (umadrig_raw_host_changed)
		umadrig_raw_host_changed();
}
