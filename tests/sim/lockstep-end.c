/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the programs of a session in virtual time leave: what they wait for, and where they have
 * died; also of a table that one of them has filled with nonsense.
 */
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "sim/server/lockstep-end.h"

static struct lockstep_table *table;
static struct lockstep_end *end;

static void read_end(void)
{
	memset(end, 0x55, sizeof(*end));
	server_lockstep_end_read(table, end);
}

/* NAME of a program whose thread is in that state, for that. */
static void add_slot(const char *name, enum lockstep_state state, enum lockstep_kind kind)
{
	struct lockstep_slot *slot = &table->slot[table->count++];

	g_strlcpy(slot->name, name, sizeof(slot->name));
	slot->state = state;
	slot->kind = kind;
}

static void test_nothing(void)
{
	memset(table, 0, sizeof(*table));
	table->points = 7;
	add_slot("opensm", LOCKSTEP_DEAD, LOCKSTEP_MUTEX);
	read_end();
	g_assert_cmpuint(end->points, ==, 7);
	g_assert_cmpuint(end->crashes, ==, 0);
	g_assert_cmpstr(end->waits, ==, "");
}

static void test_waits(void)
{
	memset(table, 0, sizeof(*table));
	add_slot("sh", LOCKSTEP_WAITING, LOCKSTEP_CHILD);
	add_slot("opensm", LOCKSTEP_RUNNING, LOCKSTEP_FUTEX);
	add_slot("opensm", LOCKSTEP_WAITING, LOCKSTEP_CONDITION);
	add_slot("opensm", LOCKSTEP_WAITING, LOCKSTEP_TIMER);
	add_slot("sh", LOCKSTEP_WAITING, LOCKSTEP_CHILD);
	add_slot("opensm", LOCKSTEP_WAITING, LOCKSTEP_MUTEX);
	add_slot("opensm", LOCKSTEP_WAITING, LOCKSTEP_CONDITION);
	read_end();
	g_assert_cmpstr(end->waits, ==,
			"sh for a child's end; opensm for condition variable, mutex");
}

static void test_crash(void)
{
	struct lockstep_crash *crash = &table->crash[0];

	memset(table, 0, sizeof(*table));
	table->crashes = 1;
	crash->signal = 11;
	crash->frames = 1;
	g_strlcpy(crash->program, "opensm", sizeof(crash->program));
	g_strlcpy(crash->frame[0].function, "osm_node_link_exists", LOCKSTEP_FUNCTION_SIZE);
	read_end();
	g_assert_cmpuint(end->crashes, ==, 1);
	g_assert_cmpmem(&end->crash[0], sizeof(*crash), crash, sizeof(*crash));
}

static bool is_clean(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isprint(text[i]))
			return false;
	}
	return length < size;
}

static void test_nonsense(void)
{
	memset(table, 0xff, sizeof(*table));
	for (uint32_t i = 0; i < LOCKSTEP_SLOTS; i++) {
		table->slot[i].state = LOCKSTEP_WAITING;
		table->slot[i].kind = LOCKSTEP_TIME;
		memset(table->slot[i].name, i % 256, LOCKSTEP_NAME_SIZE);
	}
	read_end();
	g_assert_cmpuint(end->crashes, ==, LOCKSTEP_CRASHES);
	for (uint32_t i = 0; i < LOCKSTEP_CRASHES; i++) {
		const struct lockstep_crash *crash = &end->crash[i];

		g_assert_true(is_clean(crash->program, sizeof(crash->program)));
		g_assert_cmpuint(crash->frames, ==, LOCKSTEP_FRAMES);
		for (uint32_t j = 0; j < crash->frames; j++) {
			g_assert_true(is_clean(crash->frame[j].module, LOCKSTEP_MODULE_SIZE));
			g_assert_true(is_clean(crash->frame[j].function, LOCKSTEP_FUNCTION_SIZE));
		}
	}
	g_assert_true(is_clean(end->waits, sizeof(end->waits)));
}

int main(int argc, char **argv)
{
	int ret;

	g_test_init(&argc, &argv, NULL);
	table = g_new0(struct lockstep_table, 1);
	end = g_new0(struct lockstep_end, 1);
	g_test_add_func("/lockstep-end/nothing", test_nothing);
	g_test_add_func("/lockstep-end/waits", test_waits);
	g_test_add_func("/lockstep-end/crash", test_crash);
	g_test_add_func("/lockstep-end/nonsense", test_nonsense);
	ret = g_test_run();
	g_free(end);
	g_free(table);
	return ret;
}
