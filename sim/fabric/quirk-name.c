/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The names of quirks. See sim/fabric/quirk-name.h. */
#include "sim/fabric/quirk-name.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

static const struct quirk_info infos[QUIRK_COUNT] = {
#define ROW(kind, name, where, help, more) [QUIRK_##kind] = { name, where, help, more },
	QUIRKS(ROW)
#undef ROW
};

const struct quirk_info *quirk_info(enum quirk_kind kind)
{
	return &infos[kind];
}

int quirk_parse(const char *text, enum quirk_kind *ret_kind, const char **ret_where, char *reterr,
		size_t reterr_size)
{
	size_t size = strcspn(text, ":");
	g_autoptr(GString) names = NULL;

	for (unsigned int i = 0; i < QUIRK_COUNT; i++) {
		if (strlen(infos[i].name) != size || strncmp(infos[i].name, text, size) != 0)
			continue;
		if (text[size] && !text[size + 1])
			break;
		*ret_kind = (enum quirk_kind)i;
		*ret_where = text[size] ? text + size + 1 : NULL;
		return 0;
	}
	names = g_string_new(NULL);
	for (unsigned int i = 0; i < QUIRK_COUNT; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", infos[i].name);
	g_snprintf(reterr, reterr_size, "quirk=%s: expected NAME or NAME:NODE[PORT], where NAME is "
		   "one of %s", text, names->str);
	return -EINVAL;
}
