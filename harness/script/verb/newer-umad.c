/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "harness/script/verb/newer-umad.h"

#include <dlfcn.h>
#include <glib.h>

static void look_up(const char *name, void **function)
{
	*function = dlsym(RTLD_DEFAULT, name);
	if (!*function)
		g_error("the libibumad in use has no %s()", name);
}

const struct newer_umad *newer_umad(void)
{
	static struct newer_umad found;

	if (found.set_grh_net)
		return &found;
	look_up("umad_open_smi_port", (void **)&found.open_smi_port);
	look_up("umad_get_smi_gsi_pairs", (void **)&found.get_smi_gsi_pairs);
	look_up("umad_get_smi_gsi_pair_by_ca_name", (void **)&found.get_smi_gsi_pair_by_ca_name);
	look_up("umad_host_enter", (void **)&found.host_enter);
	look_up("umad_mad_status_str", (void **)&found.mad_status_str);
	look_up("umad_set_grh_net", (void **)&found.set_grh_net);
	return &found;
}
