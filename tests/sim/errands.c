/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Errands: in the order in which they came, each taken once, and so many at a time. */
#include <errno.h>
#include <glib.h>
#include <stdbool.h>

#include "sim/server/errands.h"

static int told_status;

static void tell(void *ctx, int status, const char *said)
{
	(void)ctx;
	(void)said;
	told_status = status;
}

static int64_t add(struct server_errands *errands, const char *command, fabric_told_fn *told)
{
	g_autoptr(GString) why = g_string_new(NULL);
	int64_t ret = errands_add(errands, command, told, NULL, why);

	g_assert_cmpint(ret < 0, ==, why->len > 0);
	return ret;
}

static int64_t take(struct server_errands *errands, const char *wanted, bool wanted_asked)
{
	g_autofree char *text = NULL;
	bool is_asked = false;
	int64_t number = errands_take(errands, 0, &text, &is_asked);

	g_assert_cmpstr(text, ==, wanted);
	g_assert_cmpint(is_asked, ==, wanted_asked);
	return number;
}

static void test_order(void)
{
	struct server_errands *errands = errands_new(NULL);
	int64_t asked;

	g_assert_cmpint(add(errands, "first", NULL), >, 0);
	asked = add(errands, "second", tell);
	g_assert_cmpint(take(errands, "first", false), >, 0);
	g_assert_cmpint(errands_end(errands, asked, 0, ""), ==, -ENOENT);	/* not taken */
	g_assert_cmpint(take(errands, "second", true), ==, asked);
	g_assert_cmpint(take(errands, NULL, false), ==, -EAGAIN);
	g_assert_cmpint(errands_end(errands, asked, 7, ""), ==, 0);
	g_assert_cmpint(told_status, ==, 7);
	g_assert_cmpint(errands_end(errands, asked, 7, ""), ==, -ENOENT);
	errands_free(errands);
}

static void test_limit(void)
{
	struct server_errands *errands = errands_new(NULL);

	for (int i = 0; i < ERRANDS_MAX; i++)
		g_assert_cmpint(add(errands, "true", NULL), >, 0);
	g_assert_cmpint(add(errands, "true", NULL), ==, -EAGAIN);
	g_assert_cmpint(take(errands, "true", false), >, 0);
	g_assert_cmpint(add(errands, "true", NULL), >, 0);
	g_assert_cmpint(add(errands, "true", NULL), ==, -EAGAIN);
	errands_free(errands);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/errands/order", test_order);
	g_test_add_func("/errands/limit", test_limit);
	return g_test_run();
}
