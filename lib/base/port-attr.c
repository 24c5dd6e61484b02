/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The attributes of a port, one by one. See lib/base/port-attr.h. */
#include "lib/base/port-attr.h"

#include <limits.h>
#include <stdio.h>

#include "lib/words/number.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct port_attr_field fields[] = {
#define NUMBER(member, file, part, form) \
	{ file, part, form, NULL, offsetof(struct port_attr, member) },
#define TEXT(member, file, part, without) \
	{ file, part, PORT_ATTR_TEXT, without, offsetof(struct port_attr, member) },
	PORT_ATTRS(NUMBER, TEXT)
#undef TEXT
#undef NUMBER
};

const struct port_attr_field *port_attr_field_at(size_t at)
{
	return at < COUNT(fields) ? &fields[at] : NULL;
}

uint32_t *port_attr_number(struct port_attr *attr, const struct port_attr_field *field)
{
	return (uint32_t *)(void *)((char *)attr + field->offset);
}

char *port_attr_text(struct port_attr *attr, const struct port_attr_field *field)
{
	return (char *)attr + field->offset;
}

/* As the kernel's state_show() and phys_state_show() write them. */
static const char *name_of(enum port_attr_form form, uint32_t value)
{
	static const char *const states[] = { "NOP", "DOWN", "INIT", "ARMED", "ACTIVE" };
	static const char *const phys_states[] = {
		"<unknown>", "Sleep", "Polling", "Disabled", "PortConfigurationTraining",
		"LinkUp", "LinkErrorRecovery", "Phy Test",
	};

	if (form == PORT_ATTR_STATE)
		return value < COUNT(states) ? states[value] : "UNKNOWN";
	return value < COUNT(phys_states) ? phys_states[value] : "<unknown>";
}

void port_attr_print(const struct port_attr *attr, const struct port_attr_field *field, char *text,
		     size_t size)
{
	const void *at = (const char *)attr + field->offset;
	uint32_t value = field->form == PORT_ATTR_TEXT ? 0 : *(const uint32_t *)at;

	switch (field->form) {
	case PORT_ATTR_DECIMAL:
		snprintf(text, size, "%u", value);
		return;
	case PORT_ATTR_HEX:
		snprintf(text, size, "0x%x", value);
		return;
	case PORT_ATTR_HEX32:
		snprintf(text, size, "0x%08x", value);
		return;
	case PORT_ATTR_STATE:
	case PORT_ATTR_PHYS_STATE:
		snprintf(text, size, "%u: %s", value, name_of(field->form, value));
		return;
	case PORT_ATTR_TEXT:
		snprintf(text, size, "%s", (const char *)at);
		return;
	}
}

unsigned int port_attr_rate(const struct port_attr *attr)
{
	const char *text = attr->rate;		/* "100 Gb/sec (4X EDR)" */
	uint64_t rate;

	return number_take(&text, 0, UINT_MAX, &rate) == 0 ? (unsigned int)rate : 0;
}
