/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Steps: their kinds, their numbers, and the values that these have.
 */
#include <string.h>

#include "sim/time/chance.h"
#include "tests/kernels/duel.h"

#define USES(number) (UINT64_C(1) << DUEL_##number)
#define USES_MAD (USES(CLASS) | USES(CLASS_VERSION) | USES(BASE_VERSION) | USES(METHOD) | \
		  USES(STATUS) | USES(HI) | USES(TID) | USES(ATTRIBUTE) | USES(MODIFIER) | \
		  USES(OUI) | USES(HOP_POINTER) | USES(HOP_COUNT) | \
		  USES(RMPP_FLAGS) | USES(RMPP_TYPE) | USES(RMPP_VERSION) | USES(RMPP_STATUS) | \
		  USES(SEGMENT) | USES(LENGTH))
#define USES_ROUTE (USES(QPN) | USES(LID) | USES(GRH) | USES(GID_INDEX) | USES(PATH_BITS))
#define USES_WRITE (USES(FILE) | USES(ID) | USES_MAD | USES_ROUTE | USES(TIMEOUT_MS) | \
		    USES(RETRIES) | USES(PKEY_INDEX) | USES(QKEY))

static const struct {
	const char *name;
	unsigned int weight;
	uint64_t uses;
} kinds[DUEL_KIND_COUNT] = {
	[DUEL_OPEN] = { "open", 8, USES(FILE) | USES(EAGER) },
	[DUEL_CLOSE] = { "close", 2, USES(FILE) },
	[DUEL_ENABLE_PKEY] = { "enable-pkey", 2, USES(FILE) },
	[DUEL_REGISTER] = { "register", 14, USES(FILE) | USES(CLASS) | USES(CLASS_VERSION) |
			    USES(QPN) | USES(METHODS) | USES(RMPP) | USES(OUI) | USES(ABI) |
			    USES(FLAGS) },
	[DUEL_UNREGISTER] = { "unregister", 2, USES(FILE) | USES(ID) },
	[DUEL_SEND] = { "send", 18, USES_WRITE | USES(SIZE) | USES(TIMES) },
	[DUEL_MESSAGE] = { "message", 10, USES_WRITE | USES(DATA) },
	[DUEL_REPLY] = { "reply", 10, USES(FILE) | USES(TIMEOUT_MS) | USES(RETRIES) | USES(DATA) |
			 USES(RMPP_FLAGS) },
	[DUEL_READ] = { "read", 8, USES(FILE) | USES(COUNT) },
	[DUEL_TIME] = { "time", 18, USES(MS) },
	[DUEL_ARRIVE] = { "arrive", 14, USES(PORT) | USES_MAD | USES_ROUTE | USES(PKEY_INDEX) },
	[DUEL_ANSWER] = { "answer", 10, USES(PORT) | USES(STATUS) | USES(RMPP_FLAGS) |
			  USES(RMPP_TYPE) | USES(RMPP_VERSION) | USES(RMPP_STATUS) |
			  USES(SEGMENT) | USES(LENGTH) | USES_ROUTE },
	[DUEL_AGAIN] = { "again", 4, USES(PORT) },
	[DUEL_LOSE] = { "lose", 4, USES(PORT) | USES(SKIP) | USES(PACKETS) },
	[DUEL_EXPIRE] = { "expire", 1, USES(PORT) | USES(CLASS) | USES(HI) | USES(TID) },
	[DUEL_ISSM_OPEN] = { "issm-open", 1, USES(PORT) },
	[DUEL_ISSM_CLOSE] = { "issm-close", 1, USES(PORT) },
	[DUEL_REMOVE] = { "remove", 1, USES(PORT) },
	[DUEL_PLUG] = { "plug", 2, USES(PORT) | USES(SMI) },
};

enum { VALUES_MAX = 18 };

/*
 * The first value is the simplest and the most frequent one. In a plain step, a lively number is
 * often drawn, a calm one most often the sequence's own favourite, a steady one the first.
 */
static const struct {
	const char *name;
	bool hex;
	bool even;		/* all values are as frequent */
	enum { LIVELY, CALM, STEADY } temper;
	unsigned int count;
	uint32_t values[VALUES_MAX];
} numbers[DUEL_NUMBER_COUNT] = {
	[DUEL_FILE] = { "file", false, true, LIVELY, DUEL_FILES, { 0, 1, 2, 3 } },
	[DUEL_PORT] = { "port", false, true, LIVELY, DUEL_PORTS, { 0, 1 } },
	[DUEL_EAGER] = { "eager", false, false, CALM, 2, { 1, 0 } },
	[DUEL_ID] = { "id", false, false, STEADY, 6, { 0, 1, 2, 3, 31, 32 } },
	[DUEL_CLASS] = { "class", true, false, CALM, 14,
			 { 0x03, 0x04, 0x30, 0x81, 0x06, 0x01, 0x05, 0x09, 0x07, 0x00, 0x10, 0x4f,
			   0x50, 0xff } },
	[DUEL_CLASS_VERSION] = { "class-version", false, false, CALM, 6, { 1, 2, 0, 7, 8, 255 } },
	[DUEL_QPN] = { "qpn", false, false, STEADY, 4, { DUEL_OF_THE_CLASS, 1, 0, 5 } },
	[DUEL_METHODS] = { "methods", true, false, CALM, 8,
			   { 0x06, 0, 0x02, 0x04, 0x40026, 0x20, 0x20000a, 0xffffffff } },
	[DUEL_RMPP] = { "rmpp", false, false, CALM, 5, { DUEL_OF_THE_CLASS, 0, 1, 2, 255 } },
	[DUEL_OUI] = { "oui", true, false, STEADY, 5, { 0x1405, 0, 0x8f10, 0xffffff, 0x1001405 } },
	[DUEL_ABI] = { "abi", false, false, CALM, 2, { 2, 1 } },
	[DUEL_FLAGS] = { "flags", true, false, STEADY, 5, { 0, 0, 1, 2, 0xffffffff } },
	[DUEL_BASE_VERSION] = { "base-version", false, false, STEADY, 8,
			{ 1, 1, 1, 1, 1, 0, 2, 128 } },
	[DUEL_METHOD] = { "method", true, false, LIVELY, 16,
			  { 0x01, 0x81, 0x02, 0x12, 0x92, 0x05, 0x07, 0x06, 0x86, 0x85, 0x03, 0x15,
			    0x00, 0x80, 0x7f, 0xff } },
	[DUEL_STATUS] = { "status", true, false, STEADY, 6, { 0, 0, 0, 0x8000, 0x0004, 0xffff } },
	[DUEL_HI] = { "hi", false, false, STEADY, 6, { 9, 10, 11, 12, 13, 0 } },
	[DUEL_TID] = { "tid", false, false, LIVELY, 4, { 1, 2, 3, 0 } },
	[DUEL_ATTRIBUTE] = { "attribute", false, false, STEADY, 4, { 0, 1, 2, 3 } },
	[DUEL_MODIFIER] = { "modifier", false, false, STEADY, 2, { 0, 1 } },
	[DUEL_HOP_POINTER] = { "hop-pointer", false, false, STEADY, 6, { 0, 1, 2, 3, 64, 255 } },
	[DUEL_HOP_COUNT] = { "hop-count", false, false, STEADY, 6, { 0, 1, 2, 63, 64, 255 } },
	[DUEL_RMPP_FLAGS] = { "rmpp-flags", true, false, LIVELY, 8,
			{ 0, 0, 7, 3, 1, 5, 0xff, 0x0b } },
	[DUEL_RMPP_TYPE] = { "rmpp-type", false, false, LIVELY, 7, { 1, 2, 4, 3, 0, 5, 255 } },
	[DUEL_RMPP_VERSION] = { "rmpp-version", false, false, STEADY, 5, { 1, 1, 1, 0, 2 } },
	[DUEL_RMPP_STATUS] = { "rmpp-status", false, false, STEADY, 8,
			       { 0, 0, 1, 118, 119, 127, 128, 255 } },
	[DUEL_SEGMENT] = { "segment", false, false, LIVELY, 11,
			   { DUEL_NEXT, 1, 0, 2, 3, 4, 5, 64, 65, 0x7fffffff, 0xffffffff } },
	[DUEL_LENGTH] = { "length", false, false, LIVELY, 12,
			  { 0, 220, 64, 1, 200, 2, 65, 500, 20, 36, 0x7fffffff, 0xffffffff } },
	[DUEL_TIMEOUT_MS] = { "timeout-ms", false, false, LIVELY, 9,
			      { 0, 100, 10, 1000, 1, 20000, 50, 0x80000000, 0xffffffff } },
	[DUEL_RETRIES] = { "retries", false, false, CALM, 6,
			{ 0, 1, 2, 5, 0x7fffffff, 0xffffffff } },
	[DUEL_LID] = { "lid", true, false, STEADY, 7,
		       { DUEL_OTHER_PORT, DUEL_OTHER_PORT, DUEL_OTHER_PORT, 0xffff, DUEL_OWN_PORT,
			 0, 0xc000 } },
	[DUEL_GRH] = { "grh", false, false, CALM, 4, { 0, 0, 1, 2 } },
	[DUEL_GID_INDEX] = { "gid-index", false, false, STEADY, 5, { 0, 1, 2, 3, 255 } },
	[DUEL_PATH_BITS] = { "path-bits", false, false, STEADY, 4, { 0, 1, 2, 127 } },
	[DUEL_PKEY_INDEX] = { "pkey-index", false, false, STEADY, 8,
			{ 0, 0, 0, 1, 2, 3, 4, 0xffff } },
	[DUEL_QKEY] = { "qkey", true, false, STEADY, 3, { 0, 0x80010000, 0x1234 } },
	[DUEL_SIZE] = { "size", false, false, STEADY, 12,
			{ 256, 256, 256, 256, 255, 36, 35, 24, 23, 257, 0, 1000 } },
	[DUEL_DATA] = { "data", false, false, LIVELY, 13,
			{ 0, 1, 200, 201, 500, 220, 192, 216, 193, 217, 2000, 14000, 30000 } },
	[DUEL_COUNT] = { "count", false, false, CALM, 12,
			 { 320, 70000, 1000, 64, 0, 88, 87, 319, 63, 56, 312, 511 } },
	[DUEL_MS] = { "ms", false, false, LIVELY, 12,
		      { 1, 2, 3, 10, 5, 50, 100, 500, 1000, 3000, 12000, 45000 } },
	[DUEL_TIMES] = { "times", false, false, STEADY, 5, { 1, 1, 2, 40, 300 } },
	[DUEL_SKIP] = { "skip", false, false, LIVELY, 5, { 0, 1, 2, 5, 64 } },
	[DUEL_PACKETS] = { "packets", false, false, LIVELY, 4, { 1, 2, 3, 100 } },
	[DUEL_SMI] = { "smi", false, false, STEADY, 2, { 1, 0 } },
};

static bool uses(const struct duel_step *step, enum duel_number number)
{
	return kinds[step->kind].uses >> number & 1;
}

/* ---- draw ---- */

static uint32_t draw_number(struct chance *chance, enum duel_number number)
{
	uint64_t below = numbers[number].count;

	if (!numbers[number].even)
		below = 1 + chance_below(chance, below);
	return numbers[number].values[chance_below(chance, below)];
}

static enum duel_kind draw_kind(struct chance *chance)
{
	unsigned int total = 0, kind;
	uint64_t draw;

	for (kind = 0; kind < DUEL_KIND_COUNT; kind++)
		total += kinds[kind].weight;
	draw = chance_below(chance, total);
	for (kind = 0; draw >= kinds[kind].weight; kind++)
		draw -= kinds[kind].weight;
	return (enum duel_kind)kind;
}

struct drawing {
	struct chance chance;
	uint32_t favourites[DUEL_NUMBER_COUNT];
	bool removes;
};

/* Most steps are plain, so that what they need comes together. */
static uint32_t draw_plain(struct drawing *drawing, enum duel_number number)
{
	static const unsigned int odds[] = { [LIVELY] = 2, [CALM] = 12, [STEADY] = 30 };
	uint32_t drawn = draw_number(&drawing->chance, number);

	if (numbers[number].even || chance_hits(&drawing->chance, 1, odds[numbers[number].temper]))
		return drawn;
	return drawing->favourites[number];
}

static void draw_step(struct drawing *drawing, struct duel_step *step, enum duel_kind kind)
{
	bool plain = chance_hits(&drawing->chance, 5, 6);

	memset(step, 0, sizeof(*step));
	step->kind = kind;
	for (unsigned int i = 0; i < DUEL_NUMBER_COUNT; i++) {
		enum duel_number number = (enum duel_number)i;

		if (uses(step, number))
			step->numbers[number] = plain ? draw_plain(drawing, number) :
							draw_number(&drawing->chance, number);
	}
}

static void draw_favourites(struct drawing *drawing)
{
	drawing->removes = chance_hits(&drawing->chance, 1, 3);
	for (unsigned int i = 0; i < DUEL_NUMBER_COUNT; i++) {
		bool first = numbers[i].temper == STEADY || chance_hits(&drawing->chance, 1, 2);
		uint32_t drawn = draw_number(&drawing->chance, (enum duel_number)i);

		drawing->favourites[i] = first ? numbers[i].values[0] : drawn;
	}
}

void duel_draw(struct duel_sequence *sequence, uint64_t seed)
{
	enum { OPENS = DUEL_FILES, REGISTERS = DUEL_FILES + 2 };
	struct drawing drawing;

	chance_init(&drawing.chance, seed, "duel");
	draw_favourites(&drawing);
	sequence->count = DUEL_STEPS_MAX;
	for (unsigned int i = 0; i < sequence->count; i++) {
		struct duel_step *step = &sequence->steps[i];
		enum duel_kind kind = draw_kind(&drawing.chance);

		if (kind == DUEL_REMOVE && !drawing.removes)
			kind = DUEL_TIME;
		draw_step(&drawing, step, i < OPENS ? DUEL_OPEN :
			  i < OPENS + REGISTERS ? DUEL_REGISTER : kind);
		/* It begins with files and agents; not two of a port for the same methods. */
		if (i < OPENS + REGISTERS)
			step->numbers[DUEL_FILE] = i % DUEL_FILES;
		if (i >= OPENS && i < OPENS + REGISTERS && i % 2)
			step->numbers[DUEL_METHODS] = 0;
	}
}

/* ---- words ---- */

static const char *value_word(enum duel_number number, uint32_t value)
{
	if ((number == DUEL_QPN || number == DUEL_RMPP) && value == DUEL_OF_THE_CLASS)
		return "of-the-class";
	if (number == DUEL_LID && value == DUEL_OTHER_PORT)
		return "other-port";
	if (number == DUEL_LID && value == DUEL_OWN_PORT)
		return "own-port";
	if (number == DUEL_SEGMENT && value == DUEL_NEXT)
		return "next";
	if (number == DUEL_PORT)
		return value ? "B" : "A";
	return NULL;
}

void duel_step_print(const struct duel_step *step, GString *to)
{
	g_string_append(to, kinds[step->kind].name);
	for (unsigned int i = 0; i < DUEL_NUMBER_COUNT; i++) {
		enum duel_number number = (enum duel_number)i;
		uint32_t value = step->numbers[number];
		const char *word = value_word(number, value);

		if (!uses(step, number) ||
		    (!numbers[number].even && value == numbers[number].values[0]))
			continue;
		g_string_append_printf(to, " %s=", numbers[number].name);
		if (word)
			g_string_append(to, word);
		else
			g_string_append_printf(to, numbers[number].hex ? "0x%02x" : "%u", value);
		if (number == DUEL_FILE)
			g_string_append(to, value < DUEL_FILES / 2 ? "@A" : "@B");
	}
}

bool duel_step_simplify(struct duel_step *step, enum duel_number number, unsigned int n)
{
	const uint32_t *values = numbers[number].values;

	if (!uses(step, number))
		return false;
	for (unsigned int i = 0; i <= n; i++)
		if (step->numbers[number] == values[i])
			return false;
	step->numbers[number] = values[n];
	return true;
}
