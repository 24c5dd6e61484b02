/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/errands.h. */
#include "sim/server/errands.h"

#include <errno.h>
#include <signal.h>

#include "lib/lockstep/table.h"
#include "sim/server/descent.h"
#include "sim/server/lockstep.h"

struct errand {
	int64_t number;
	char *command;
	fabric_told_fn *told;	/* NULL: nobody wants to know */
	void *told_ctx;
	bool is_taken;
};

struct server_errands {
	struct server_lockstep *lockstep;
	GPtrArray *all;		/* in the order in which they came */
	int64_t last_number;
	pid_t attendant;	/* 0: it has not come yet */
	bool is_expected, has_begun;
};

static void errand_free(void *data)
{
	struct errand *errand = data;

	g_free(errand->command);
	g_free(errand);
}

struct server_errands *errands_new(struct server_lockstep *lockstep)
{
	struct server_errands *errands = g_new0(struct server_errands, 1);

	errands->lockstep = lockstep;
	errands->all = g_ptr_array_new_with_free_func(errand_free);
	return errands;
}

void errands_free(struct server_errands *errands)
{
	if (!errands)
		return;
	g_ptr_array_unref(errands->all);
	g_free(errands);
}

int errands_expect(struct server_errands *errands, GString *why)
{
	if (errands->is_expected || !errands->has_begun) {
		errands->is_expected = true;
		return 0;
	}
	g_string_append(why, "nobody starts programs: say at the session's beginning that one is "
			"to be started, by --when, --do or a condition 'program'");
	return -EOPNOTSUPP;
}

bool errands_begin(struct server_errands *errands)
{
	errands->has_begun = true;
	return errands->is_expected;
}

/* Whoever has the number now, only a program of ours is meant. */
static bool wake(const struct server_errands *errands)
{
	if (errands->attendant == 0)
		return true;
	if (!descent_of(errands->attendant) || kill(errands->attendant, SIGUSR1) < 0)
		return false;
	lockstep_wake_taker(server_lockstep_map(errands->lockstep), errands->attendant, SIGUSR1);
	return true;
}

int64_t errands_add(struct server_errands *errands, const char *command, fabric_told_fn *told,
		    void *told_ctx, GString *why)
{
	int ret = errands_expect(errands, why);
	struct errand *errand;

	if (ret < 0)
		return ret;
	if (errands->all->len >= ERRANDS_MAX) {
		g_string_append_printf(why, "%d programs wait already, to be started or for their "
				       "end, and no more may: start one at fewer MADs ('when 5 "
				       "...', 'when 1%% ...'), or ask less often ('every 10s')",
				       ERRANDS_MAX);
		return -EAGAIN;
	}
	if (!wake(errands)) {
		g_string_append(why, "the session's attendant has ended");
		return -ESRCH;
	}
	errand = g_new0(struct errand, 1);
	*errand = (struct errand){
		.number = ++errands->last_number, .command = g_strdup(command),
		.told = told, .told_ctx = told_ctx,
	};
	g_ptr_array_add(errands->all, errand);
	return errand->number;
}

static struct errand *find(const struct server_errands *errands, int64_t number)
{
	for (unsigned int i = 0; i < errands->all->len; i++) {
		struct errand *errand = g_ptr_array_index(errands->all, i);

		if (errand->number == number)
			return errand;
	}
	return NULL;
}

void errands_forget(struct server_errands *errands, int64_t number)
{
	struct errand *errand = find(errands, number);

	if (errand)
		g_ptr_array_remove(errands->all, errand);
}

int64_t errands_take(struct server_errands *errands, pid_t pid, char **ret_text,
		     bool *ret_is_asked)
{
	errands->attendant = pid;
	for (unsigned int i = 0; i < errands->all->len; i++) {
		struct errand *errand = g_ptr_array_index(errands->all, i);
		int64_t number = errand->number;

		if (errand->is_taken)
			continue;
		errand->is_taken = true;
		*ret_text = g_strdup(errand->command);
		*ret_is_asked = errand->told;
		if (!errand->told)
			g_ptr_array_remove(errands->all, errand);
		return number;
	}
	return -EAGAIN;
}

int errands_end(struct server_errands *errands, int64_t number, int status, const char *said)
{
	struct errand *errand = find(errands, number);
	fabric_told_fn *told;
	void *ctx;

	if (!errand || !errand->is_taken)
		return -ENOENT;
	told = errand->told;
	ctx = errand->told_ctx;
	/* It may begin the next one. */
	g_ptr_array_remove(errands->all, errand);
	told(ctx, status, said);
	return 0;
}
