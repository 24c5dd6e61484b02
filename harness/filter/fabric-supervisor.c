/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/fabric-supervisor.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/filter/copy-watch.h"
#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/rdma-socket.h"
#include "harness/filter/trap-table.h"
#include "harness/filter/uverbs-file.h"
#include "harness/filter/view-file.h"
#include "lib/backend-list.h"

enum {
	USUAL_FIRST = 960,	/* programs that have so many files are rare */
	USUAL_END = 1024,	/* of select(2), and of the usual limit */
	NUMBERS = 64,
	NUMBERS_MAX = 8192,	/* where the limit allows more */
};

void fabric_supervisor_choose_numbers(int *ret_first, int *ret_end)
{
	struct rlimit limit = { .rlim_cur = USUAL_END };
	rlim_t count;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur >= USUAL_END) {
		*ret_first = USUAL_FIRST;
		*ret_end = (int)MIN(limit.rlim_cur, (rlim_t)NUMBERS_MAX);
		return;
	}
	count = MIN((rlim_t)NUMBERS, limit.rlim_cur / 2);
	*ret_first = (int)(limit.rlim_cur - count);
	*ret_end = (int)limit.rlim_cur;
}

struct supervisor *fabric_supervisor_new(const struct supervisor_start *start, const char *server,
					 const char *host, char *reterr, size_t size)
{
	const struct umad_backend *fabric = &umad_backend_attach;
	struct supervisor_start with_table = *start;
	struct supervisor *supervisor;

	if (fabric->start(server, reterr, size) < 0) {
		close(start->listener);
		return NULL;
	}
	with_table.table = &trap_table;
	supervisor = supervisor_new(&with_table);
	if (!supervisor) {
		snprintf(reterr, size, "%s", g_strerror(errno));
		return NULL;
	}
	supervisor->files = file_table_new(supervisor, fabric);
	supervisor->issm = issm_files_new(supervisor);
	supervisor->copies = copy_watch_new(view_files_look, view_files_use);
	supervisor->uverbs = uverbs_files_new(supervisor);
	supervisor->rdma = rdma_sockets_new();
	supervisor->kernel = kernel_readers_new(supervisor);
	if (!supervisor->files || !supervisor->issm)
		snprintf(reterr, size, "%s", g_strerror(errno));
	else
		supervisor->views = host_views_new(host, reterr, size);
	if (supervisor->views)
		return supervisor;
	fabric_supervisor_close(supervisor);
	supervisor_free(supervisor);
	return NULL;
}

void fabric_supervisor_close(struct supervisor *supervisor)
{
	copy_watch_free(supervisor, supervisor->copies);
	supervisor->copies = NULL;
	kernel_readers_free(supervisor->kernel);
	supervisor->kernel = NULL;
	rdma_sockets_free(supervisor->rdma);
	supervisor->rdma = NULL;
	uverbs_files_free(supervisor->uverbs);
	supervisor->uverbs = NULL;
	issm_files_free(supervisor->issm);
	supervisor->issm = NULL;
	file_table_free(supervisor->files);
	supervisor->files = NULL;
	host_views_free(supervisor->views);
	supervisor->views = NULL;
}
