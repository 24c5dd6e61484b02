/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What kernel this is, and what real devices there are. */
#include "config.h"

#include <sys/utsname.h>

#include "harness/doctor/doctor.h"
#include "harness/filter/seccomp-filter.h"

void doctor_look_kernel(struct doctor_finding *ret)
{
	struct utsname name = { .sysname = "unknown" };

	uname(&name);
	ret->found = g_strdup_printf("%s %s, %s", name.sysname, name.release, name.machine);
	if (SECCOMP_FILTER_ARCH != 0)
		return;
	ret->state = DOCTOR_LACK;
	ret->cost = g_strdup("there is neither the filter nor virtual time for programs");
	ret->cure = g_strdup("x86_64 or aarch64");
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

/* The devices with a umad file, as one text, or NULL. */
static char *real_devices(void)
{
	g_autoptr(GDir) dir = g_dir_open("/dev/infiniband", 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (g_str_has_prefix(name, "umad"))
			g_ptr_array_add(names, g_strdup(name));
	}
	if (names->len == 0)
		return NULL;
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(" ", (char **)names->pdata);
}

void doctor_look_devices(struct doctor_finding *ret)
{
	g_autofree char *names = real_devices();

	if (!names) {
		ret->found = g_strdup("there are no real umad devices");
		return;
	}
	ret->state = DOCTOR_NOTE;
	ret->found = g_strdup_printf("this machine has real devices: %s", names);
	ret->cost = g_strdup("programs that are not started by umadrig reach the real fabric; "
			     "'umadrig exec' hides these devices from its own");
}
