/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Names of counters, as 'check counter' takes them: see harness/script/check/script-fabric.h.
 *
 * The counters of the performance management agent are fields of its attributes, and those have
 * such names only for what they count and for what they select.
 */
#include "harness/script/check/script-fabric.h"

#include <string.h>

/* The attributes that are made of counters, PortCountersExtended first: sim/agents/pma.h. */
static const uint16_t attribute_ids[] = {
	0x001d, 0x0012, 0x0015, 0x0016, 0x0017, 0x0018, 0x0019, 0x001a, 0x001b, 0x001c,
	0x001f, 0x0030, 0x0031, 0x0032, 0x0033, 0x0034, 0x0035, 0x0036, 0x0037,
};

/* Those that are used most, and fit into a message. */
#define COMMON "PortXmitPkts, PortRcvPkts, PortXmitDiscards, PortRcvErrors, ..."

static bool is_counter(const struct mad_field *field)
{
	static const char *const others[] = { "PortSelect", "OpCode", NULL };

	return mad_field_is_number(field) && !g_strv_contains(others, field->name) &&
	       !g_str_has_prefix(field->name, "CounterSelect");
}

static bool has_counter(const struct mad_attribute *attribute, const char *name)
{
	const struct mad_field *field = attribute && attribute->fields ?
					mad_field_by_name(attribute, name, NULL) : NULL;

	return field && is_counter(field);
}

static bool is_known(const char *name)
{
	const char *dot = strchr(name, '.');
	g_autofree char *prefix = dot ? g_strndup(name, (gsize)(dot - name)) : NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(attribute_ids); i++) {
		const struct mad_attribute *attribute =
			mad_attribute_find(MAD_CLASS_PERF, attribute_ids[i]);

		if (prefix && mad_attribute_by_name(mad_class_find(MAD_CLASS_PERF), prefix,
						    NULL) != attribute)
			continue;
		if (has_counter(attribute, dot ? dot + 1 : name))
			return true;
	}
	return false;
}

static const char *closest(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(attribute_ids); i++) {
		const struct mad_attribute *attribute =
			mad_attribute_find(MAD_CLASS_PERF, attribute_ids[i]);

		for (const struct mad_field *field = attribute ? attribute->fields : NULL;
		     field && field->name; field++) {
			if (is_counter(field))
				g_ptr_array_add(names, (void *)field->name);
		}
	}
	g_ptr_array_add(names, NULL);
	return mad_closest(name, (const char *const *)names->pdata);
}

char *script_counter_objection(const char *name)
{
	g_autofree char *long_name = g_strconcat("Port", name, NULL);
	const char *guess;

	if (is_known(name) || is_known(long_name))
		return NULL;
	guess = closest(name);
	if (!guess)
		guess = closest(long_name);
	if (guess)
		return g_strdup_printf("no port has a counter %s: did you mean %s? 'umadrig fields "
				       "PortCounters PortCountersExtended' lists them", name,
				       guess);
	return g_strdup_printf("no port has a counter %s: there are " COMMON " 'umadrig fields "
			       "PortCounters PortCountersExtended' lists them", name);
}
