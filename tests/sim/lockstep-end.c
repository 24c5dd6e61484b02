/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the programs of a session in virtual time leave: what they wait for, where they have died,
 * and how they did not run in order; also of a table that one of them has filled with nonsense.
 */
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "sim/server/lockstep-end.h"
#include "sim/server/lockstep-switches.h"

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
	g_assert_cmpstr(end->runs, ==, "");
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
	g_assert_cmpstr(end->runs, ==, "opensm");
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
	table->slot[200].state = LOCKSTEP_RUNNING;
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
	g_assert_true(is_clean(end->runs, sizeof(end->runs)));
}

static char *many_switches(unsigned int count)
{
	GString *text = g_string_new(NULL);

	for (unsigned int i = count; i > 0; i--)
		g_string_append_printf(text, "%s1000.%u@%u:1000.1", text->len ? "+" : "", i % 7, i);
	return g_string_free(text, false);
}

static void test_wishes(void)
{
	static const uint32_t sorted[] = { 3, 4, 2, 1 };
	g_autofree char *all = many_switches(LOCKSTEP_SWITCHES + 1);

	memset(table, 0, sizeof(*table));
	lockstep_switches_begin(table, NULL);
	g_assert_cmpuint(table->wishes, ==, 0);
	lockstep_switches_begin(table, "1001.1@9:1.1+1001.1@8:1.2+1000.7@99:1.3+1001.0@1:1.4");
	g_assert_cmpuint(table->wishes, ==, 4);
	for (uint32_t i = 0; i < 4; i++)
		g_assert_cmpuint(table->wish[i].next_thread, ==, sorted[i]);
	g_assert_cmpuint(lockstep_switches_count(NULL), ==, 0);
	g_assert_cmpuint(lockstep_switches_count(all), ==, LOCKSTEP_SWITCHES + 1);
	table->wishes = 0;
	lockstep_switches_begin(table, all);
	g_assert_cmpuint(table->wishes, ==, LOCKSTEP_SWITCHES);
}

static void test_switches(void)
{
	g_autofree char *none = NULL, *one = NULL, *nonsense = NULL, *too_many = NULL;

	memset(table, 0, sizeof(*table));
	none = lockstep_switches_end(table);
	g_assert_cmpstr(none, ==, "");
	table->switched = 1;
	table->switched_at[0] = (struct lockstep_switch){
		.at = { 1001, 1, 1002, 0, 17 }, .kind = LOCKSTEP_MUTEX,
		.program = "opensm", .next_program = "a\tb\n",
	};
	one = lockstep_switches_end(table);
	g_assert_cmpstr(one, ==, "1001.1@17:1002.0\topensm\tmutex\ta?b?\n");
	memset(table->switched_at, 0xff, sizeof(table->switched_at));
	table->switched = LOCKSTEP_SWITCHES;
	nonsense = lockstep_switches_end(table);
	g_assert_true(g_str_has_prefix(nonsense, "4294967295.4294967295@18446744073709551615:"
						 "4294967295.4294967295\t????????????????\t?\t"));
	table->switched++;
	too_many = lockstep_switches_end(table);
	g_assert_null(too_many);
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
	g_test_add_func("/lockstep-end/wishes", test_wishes);
	g_test_add_func("/lockstep-end/switches", test_switches);
	ret = g_test_run();
	g_free(end);
	g_free(table);
	return ret;
}
