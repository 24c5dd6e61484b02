/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Configuration space: see sim/agents/config-space.h. */
#include "sim/agents/config-space.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/agents/device-chip.h"
#include "sim/agents/device-register.h"
#include "sim/agents/register-access.h"
#include "sim/fabric/node.h"

enum {
	CHIP_ID = 0xf0014,		/* the revision, and the chip's number */

	INTERFACE = 0x8000,		/* where the command interface is: anywhere will do */
	INTERFACE_VERSION = 1,
	MAILBOX_SIZE = 0x3fc,
	CONTROL = INTERFACE + MAILBOX_SIZE,

	COMMAND_ACCESS_REGISTER = 0x9001,
	COMMAND_CAPABILITIES = 0x8400,
	CAPABILITIES_SIZE = 8,
	ANY_REGISTER_BIT = 29,

	STATUS_OK = 0, STATUS_UNKNOWN_COMMAND = 1, STATUS_BAD_PARAMETER = 4,

	/* Of a request: words that follow one another, or records of address, word and mask. */
	MODE_BLOCK = 0,
	MODE_RECORDS = 2,
	RECORD_SIZE = 12,
	WORDS_MAX = 56,
};

/* The command interface of a device, of which somebody has used it. */
struct device_commands {
	bool is_taken;
	uint32_t control;		/* command, status, and a bit that starts it */
	uint8_t mailbox[MAILBOX_SIZE];
};

static struct device_commands *commands_of(struct node *node)
{
	if (!node->commands)
		node->commands = g_new0(struct device_commands, 1);
	return node->commands;
}

void config_space_reset(struct node *node)
{
	g_clear_pointer(&node->commands, g_free);
}

/* ---- commands ---- */

static unsigned int carry_out(struct node *node, struct device_commands *commands)
{
	switch (commands->control >> 16) {	/* numbers from the wire */
	case COMMAND_CAPABILITIES:
		memset(commands->mailbox, 0, CAPABILITIES_SIZE);
		register_put(commands->mailbox, 0, ANY_REGISTER_BIT, 1, 1);
		return STATUS_OK;
	case COMMAND_ACCESS_REGISTER:
		return register_access_answer(node, commands->mailbox, MAILBOX_SIZE) < 0 ?
		       STATUS_BAD_PARAMETER : STATUS_OK;
	default:
		return STATUS_UNKNOWN_COMMAND;
	}
}

/* The bit that starts a command is clear again when it has ended: at once. */
static void write_control(struct node *node, uint32_t value)
{
	enum { START = 1, STATUS_SHIFT = 8, STATUS_MASK = 0xff << STATUS_SHIFT };
	struct device_commands *commands = commands_of(node);

	commands->control = value & ~(uint32_t)START;
	if (!(value & START))
		return;
	commands->control = (commands->control & ~(uint32_t)STATUS_MASK) |
			    carry_out(node, commands) << STATUS_SHIFT;
}

/* ---- words ---- */

static bool is_in_mailbox(uint32_t address)
{
	return address >= INTERFACE && address < CONTROL && address % 4 == 0;
}

static int read_word(struct node *node, const struct device_chip *chip, uint32_t address,
		     uint8_t *to)
{
	const struct device_commands *commands = node->commands;

	if (address == CHIP_ID)
		put_be32(to, (node->revision & 0xff) << 16 | chip->hw_id);
	else if (address == chip->places->command_pointer)
		put_be32(to, (uint32_t)INTERFACE_VERSION << 24 | INTERFACE);
	else if (address == chip->places->not_ready)
		put_be32(to, 0);
	else if (address == chip->places->semaphore)
		put_be32(to, commands && commands->is_taken);
	else if (address == CONTROL)
		put_be32(to, commands ? commands->control : 0);
	else if (is_in_mailbox(address))
		put_be32(to, commands ? get_be32(commands->mailbox + (address - INTERFACE)) : 0);
	else
		return -ENXIO;
	if (address == chip->places->semaphore)
		commands_of(node)->is_taken = true;
	return 0;
}

static bool may_write(const struct device_chip *chip, uint32_t address)
{
	return address == chip->places->semaphore || address == CONTROL || is_in_mailbox(address);
}

static void write_word(struct node *node, const struct device_chip *chip, uint32_t address,
		       uint32_t value)
{
	if (address == chip->places->semaphore)
		commands_of(node)->is_taken = value != 0;
	else if (address == CONTROL)
		write_control(node, value);
	else
		put_be32(commands_of(node)->mailbox + (address - INTERFACE), value);
}

/* ---- requests ---- */

static int read_words(struct node *node, const struct device_chip *chip, uint32_t address,
		      unsigned int count, uint8_t *data)
{
	uint8_t words[WORDS_MAX * 4];
	int ret = 0;

	for (unsigned int i = 0; i < count && ret == 0; i++)
		ret = read_word(node, chip, address + 4 * i, words + 4 * i);
	if (ret == 0)
		memcpy(data, words, count * 4);
	return ret;
}

static int write_words(struct node *node, const struct device_chip *chip, uint32_t address,
		       unsigned int count, const uint8_t *data)
{
	for (unsigned int i = 0; i < count; i++) {
		if (!may_write(chip, address + 4 * i))
			return -ENXIO;
	}
	for (unsigned int i = 0; i < count; i++)
		write_word(node, chip, address + 4 * i, get_be32(data + 4 * i));
	return 0;
}

/* The bits that a record's mask has are read; written are these alone. */
static int access_record(struct node *node, const struct device_chip *chip, bool write,
			 uint8_t *record)
{
	uint32_t address = get_be32(record), mask = get_be32(record + 8), value;
	uint8_t word[4];
	int ret;

	if (write && !may_write(chip, address))
		return -ENXIO;
	ret = read_word(node, chip, address, word);
	if (ret < 0)
		return ret;
	value = get_be32(word);
	if (write)
		write_word(node, chip, address,
			   (value & ~mask) | (get_be32(record + 4) & mask));
	else
		put_be32(record + 4, value & mask);
	return 0;
}

static int access_records(struct node *node, const struct device_chip *chip, bool write,
			  unsigned int count, uint8_t *data)
{
	int ret = 0;

	for (unsigned int i = 0; i < count && ret == 0; i++)
		ret = access_record(node, chip, write, data + i * RECORD_SIZE);
	return ret;
}

/*
 * The modifier: bits 16 to 21 are the number of words or records, 22 and 23 the mode, and for words
 * 24 to 31 and 0 to 15 the address, the upper part first.
 */
int config_space_access(struct node *node, uint32_t modifier, bool write, uint8_t *data,
			unsigned int size)
{
	unsigned int count = modifier >> 16 & 0x3f, mode = modifier >> 22 & 3;
	uint32_t address = (modifier >> 24) << 16 | (modifier & 0xffff);
	const struct device_chip *chip = device_chip_find(node);

	if (node_is_gsi(node))
		node = node->planes->hca;
	if (!chip)
		return -ENXIO;
	if ((mode != MODE_BLOCK && mode != MODE_RECORDS) || count == 0 || count > WORDS_MAX ||
	    count * (mode == MODE_BLOCK ? 4U : (unsigned int)RECORD_SIZE) > size)
		return -EINVAL;
	if (mode == MODE_RECORDS)
		return access_records(node, chip, write, count, data);
	return write ? write_words(node, chip, address, count, data) :
		       read_words(node, chip, address, count, data);
}
