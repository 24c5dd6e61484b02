/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs written in the words of scenarios (harness/script/mad/mad-write.h): read again, they are the
 * same bytes.
 *
 *	mad-write [CAPTURE...]	of the MADs in captures, instead of made ones
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "harness/script/check/check.h"
#include "harness/script/mad/mad-write.h"
#include "harness/script/mad/where.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"
#include "sim/capture/capture.h"
#include "tests/rig/leak.h"

enum { RANDOM_OF_EACH = 3, RANDOM_BYTES = 400, SEED = 1 };

/* ---- reading the text ---- */

/* A script with one line, and its pattern. */
struct read {
	struct script *script;
	struct plan *plan;
	const struct mad_pattern *pattern;
};

static struct read read_line(const char *arrow, const char *text, const char *rest)
{
	g_autofree char *line = g_strdup_printf("scenario \"s\"\n0 %s %s%s\n", arrow, text, rest);
	struct read read = { .script = script_parse(line, strlen(line), "s.mad", script_verbs) };
	g_autofree char *wrong = NULL;
	const struct plan_scenario *scenario;

	read.plan = script_check(read.script);
	if (read.script->diagnostics->errors > 0) {
		wrong = diagnostics_text(read.script->diagnostics);
		g_error("%s\n%s", text, wrong);
	}
	scenario = read.plan->scenarios->pdata[0];
	read.pattern = ((const struct plan_step *)((const struct point *)
		scenario->points[1]->pdata[0])->steps->pdata[0])->patterns;
	return read;
}

static void read_clear(struct read *read)
{
	plan_free(read->plan);
	script_free(read->script);
}

/* ---- one MAD ---- */

static void check_builds(const uint8_t *mad, const char *text)
{
	const struct mad_defaults defaults = {
		.mgmt_class = -1, .class_version = -1, .oui = 0x001405, .tid = 99,
	};
	struct read read = read_line("<", text, "");
	struct mad_instance built = { .has_addr = false };
	g_autoptr(GString) why = g_string_new(NULL);

	if (!mad_build(read.pattern, &mad_env_constants, &defaults, &built, why))
		g_error("%s\n%s", text, why->str);
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		if (built.mad[i] != mad[i])
			g_error("%s\nbyte %u is 0x%02x, not 0x%02x", text, i, built.mad[i], mad[i]);
	}
	read_clear(&read);
}

/*
 * Only what identifies a MAD may differ without the text saying so: base version, class version
 * and OUI, and the reserved bytes behind the attribute's number.
 */
static bool is_free(const uint8_t *mad, unsigned int byte)
{
	return byte == MAD_BASE_VERSION || byte == MAD_CLASS_VERSION || byte == MAD_CLASS ||
	       (mad_class_is_vendor2(mad[MAD_CLASS]) && byte >= VENDOR2_OUI &&
		byte < VENDOR2_OUI + 3);
}

static void check_matches(const uint8_t *mad, const char *text, unsigned int byte)
{
	struct read read = read_line(">", text, " exact");
	struct mad_instance actual = { .has_addr = false };
	g_autoptr(GString) why = g_string_new(NULL);

	memcpy(actual.mad, mad, MAD_SIZE);
	if (!mad_compare(read.pattern, &mad_env_constants, &actual, why))
		g_error("%s exact\ndoes not match itself: %s", text, why->str);
	actual.mad[byte] ^= 0x10;
	if (!is_free(mad, byte) && mad_compare(read.pattern, &mad_env_constants, &actual, NULL))
		g_error("%s exact\nmatches another byte %u", text, byte);
	read_clear(&read);
}

static void check_mad(const uint8_t *mad, GRand *rand)
{
	static const struct mad_writing ways[] = { { .indent = NULL }, { .indent = "    " } };

	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autoptr(GString) text = g_string_new(NULL);

		mad_write(text, mad, &ways[i]);
		check_builds(mad, text->str);
		if (i == 0)
			check_matches(mad, text->str,
				      (unsigned int)g_rand_int_range(rand, 0, MAD_SIZE));
	}
}

/* ---- made MADs ---- */

static void fill(uint8_t *bytes, size_t size, GRand *rand)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)g_rand_int(rand);
}

static void begin_mad(uint8_t *mad, const struct mad_class_info *info, GRand *rand)
{
	unsigned int range = info->last - info->mgmt_class + 1U;

	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = (uint8_t)(info->mgmt_class + g_rand_int(rand) % range);
	mad[MAD_CLASS_VERSION] = info->class_version;
	fill(mad + MAD_TID, 8, rand);
}

/* A value as programs send them: small, large, or any. */
static void fill_field(const struct mad_field *field, uint8_t *data, GRand *rand)
{
	uint64_t value = g_rand_boolean(rand) ? g_rand_int(rand) % 12 :
			 (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);
	size_t size = field->width / 8;

	if (field->width <= 64) {
		mad_field_set(field, data, value);
	} else if (field->format == MAD_FIELD_STRING && g_rand_boolean(rand)) {
		memset(data + field->bit / 8, 0, size);
		memcpy(data + field->bit / 8, "H\"1\\\n mlx", MIN(size, 9));
	} else {
		fill(data + field->bit / 8, size, rand);
	}
}

/* The fields of the header, as they are of this class. */
static void fill_header(uint8_t *mad, const struct mad_class_info *info, GRand *rand)
{
	if (info->mgmt_class == MAD_CLASS_SUBN_DR) {
		mad[SMP_HOP_CNT] = (uint8_t)(g_rand_int(rand) % 64);
		mad[SMP_HOP_PTR] = (uint8_t)(g_rand_int(rand) % 3);
		fill(mad + SMP_INITIAL_PATH + 1, mad[SMP_HOP_CNT], rand);
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, g_rand_boolean(rand) ? LID_PERMISSIVE : 7);
	} else if (mad_class_has_rmpp(mad[MAD_CLASS]) && g_rand_boolean(rand)) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = (uint8_t)(g_rand_int(rand) % 6);
		mad[RMPP_FLAGS] = (uint8_t)g_rand_int(rand);
		fill(mad + RMPP_STATUS, RMPP_END - RMPP_STATUS, rand);
	}
	if (g_rand_boolean(rand))
		put_be16(mad + MAD_STATUS, (uint16_t)g_rand_int(rand));
	if (g_rand_boolean(rand))
		put_be32(mad + MAD_ATTR_MOD, g_rand_int(rand));
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		put_be24(mad + VENDOR2_OUI, g_rand_boolean(rand) ? 0x001405 : 0x0002c9);
}

static void check_attribute(const struct mad_class_info *info, const struct mad_method_info *method,
			    const struct mad_attribute *attribute, GRand *rand)
{
	uint8_t mad[MAD_SIZE];
	unsigned int room = (unsigned int)(MAD_SIZE - info->data_at) * 8;

	begin_mad(mad, info, rand);
	mad[MAD_METHOD] = method->method;
	put_be16(mad + MAD_ATTR_ID, attribute->id);
	fill_header(mad, info, rand);
	for (const struct mad_field *field = attribute->fields; field && field->name; field++) {
		if (field->bit + field->width <= room && g_rand_boolean(rand))
			fill_field(field, mad + info->data_at, rand);
	}
	check_mad(mad, rand);
}

/* All methods and attributes of the dictionary. */
static void test_dictionary(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
	unsigned int count = 0;

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		const struct mad_method_info *method = info->methods;

		for (const struct mad_attribute *at = info->attributes; at && at->name; at++) {
			for (int i = 0; i < RANDOM_OF_EACH; i++, count++) {
				check_attribute(info, method, at, rand);
				if (!(++method)->name)
					method = info->methods;
			}
		}
	}
	g_assert_cmpuint(count, >, 100);
}

/* Any bytes, also of classes and methods that do not exist. */
static void test_bytes(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
	uint8_t mad[MAD_SIZE];

	for (int i = 0; i < RANDOM_BYTES; i++) {
		memset(mad, 0, sizeof(mad));
		fill(mad, i % 2 ? MAD_SIZE : MAD_HDR_SIZE, rand);
		mad[MAD_CLASS] = (uint8_t)i;
		check_mad(mad, rand);
	}
}

/* ---- what it looks like ---- */

static const struct {
	const char *name;
	const char *text;	/* as it is read, and written again */
} rows[] = {
	{ "a directed route", "SubnGet(NodeInfo) tid=0x0000000000000007 path={1, 3}" },
	{ "no hops", "SubnGet(NodeInfo) tid=0x0000000000000007 path={}" },
	{ "by LID", "SubnGet(NodeInfo) tid=0x0000000000000007" },
	{ "words", "SubnSet(PortInfo) tid=0x0000000000000007 modifier=1 { LinkState=Armed }" },
	{ "text", "SubnGetResp(NodeDescription) tid=0x0000000000000007 path={1} status=0x8000 "
		  "{ NodeDesc=\"S1 \\\"x\\\"\" }" },
	{ "RMPP", "SubnAdmGetTableResp(PathRecord) tid=0x0000000000000007 rmpp=DATA "
		  "flags={FIRST, LAST} seg=1 paylen=84" },
	{ "an ACK", "SubnAdmGetTable(PathRecord) tid=0x0000000000000007 rmpp=ACK seg=5 "
		    "newwin=65" },
	{ "a GID", "SubnAdmGet(PathRecord) tid=0x0000000000000007 comp_mask=4 "
		   "{ DGID=\"fe80::1\" }" },
	{ "a vendor's", "VendGet(0x0010) class=0x32 tid=0x0000000000000007" },
	{ "with an OUI",
	  "VendGet(0x0010) class=0x32 tid=0x0000000000000007 oui=0x0002c9 bytes[41..42]=0x0102" },
	{ "another method", "PerfGet(PortCounters) method=0x1f tid=0x0000000000000007 "
			    "{ PortSelect=1 }" },
};

static void test_text(const void *data)
{
	const struct mad_defaults defaults = {
		.mgmt_class = -1, .class_version = -1, .oui = 0x001405,
	};
	const char *text = rows[GPOINTER_TO_SIZE(data)].text;
	struct read read = read_line("<", text, "");
	struct mad_instance built = { .has_addr = false };
	g_autoptr(GString) why = g_string_new(NULL);
	g_autoptr(GString) written = g_string_new(NULL);

	g_assert_true(mad_build(read.pattern, &mad_env_constants, &defaults, &built, why));
	mad_write(written, built.mad, &(struct mad_writing) { .indent = NULL });
	g_assert_cmpstr(written->str, ==, text);
	read_clear(&read);
}

/* ---- captures ---- */

static int check_capture(const char *path)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
	char message[512];
	struct capture *capture = capture_read(path, message, sizeof(message));

	if (!capture) {
		fprintf(stderr, "%s: %s\n", path, message);
		return 1;
	}
	for (size_t i = 0; i < capture->mad_count; i++)
		check_mad(capture->mads[i].mad, rand);
	printf("%zu MADs of %s\n", capture->mad_count, path);
	capture_free(capture);
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	leak_begin();
	if (argc > 1 && argv[1][0] != '-') {
		for (int i = 1; i < argc; i++)
			status |= check_capture(argv[i]);
		return leak_end(status);
	}
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mad-write/dictionary", test_dictionary);
	g_test_add_func("/mad-write/bytes", test_bytes);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/mad-write/text/%s", rows[i].name);

		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_text);
	}
	return leak_end(g_test_run());
}
