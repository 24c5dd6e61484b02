/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packages of programs, as Debian 12 and 13 have them: see harness/base/program-package.h.
 */
#include "harness/base/program-package.h"

#include <glib.h>
#include <string.h>

static const struct {
	const char *program, *package;
} known[] = {
	{ "check_lft_balance", "infiniband-diags" },
	{ "dump_fts", "infiniband-diags" },
	{ "dump_lfts", "infiniband-diags" },
	{ "dump_mfts", "infiniband-diags" },
	{ "ibaddr", "infiniband-diags" },
	{ "ibcacheedit", "infiniband-diags" },
	{ "ibccconfig", "infiniband-diags" },
	{ "ibccquery", "infiniband-diags" },
	{ "ibfindnodesusing", "infiniband-diags" },
	{ "ibhosts", "infiniband-diags" },
	{ "ibidsverify", "infiniband-diags" },
	{ "iblinkinfo", "infiniband-diags" },
	{ "ibnetdiscover", "infiniband-diags" },
	{ "ibnodes", "infiniband-diags" },
	{ "ibping", "infiniband-diags" },
	{ "ibportstate", "infiniband-diags" },
	{ "ibqueryerrors", "infiniband-diags" },
	{ "ibroute", "infiniband-diags" },
	{ "ibrouters", "infiniband-diags" },
	{ "ibstat", "infiniband-diags" },
	{ "ibstatus", "infiniband-diags" },
	{ "ibswitches", "infiniband-diags" },
	{ "ibsysstat", "infiniband-diags" },
	{ "ibtracert", "infiniband-diags" },
	{ "perfquery", "infiniband-diags" },
	{ "saquery", "infiniband-diags" },
	{ "sminfo", "infiniband-diags" },
	{ "smpdump", "infiniband-diags" },
	{ "smpquery", "infiniband-diags" },
	{ "vendstat", "infiniband-diags" },
	{ "opensm", "opensm" },
	{ "osmtest", "opensm" },
	{ "ibsim", "ibsim-utils" },
	{ "ibsim-run", "ibsim-utils" },
	{ "ibdiagnet", "ibutils" },
	{ "ibdiagpath", "ibutils" },
	{ "ibdmchk", "ibutils" },
	{ "ibtopodiff", "ibutils" },
	{ "ibsrpdm", "srptools" },
	{ "srp_daemon", "srptools" },
};

const char *program_package(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (strcmp(known[i].program, name) == 0)
			return known[i].package;
	}
	return NULL;
}

const char *program_packaged(size_t at)
{
	return at < G_N_ELEMENTS(known) ? known[at].program : NULL;
}
