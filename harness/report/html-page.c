/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Pages for people: see harness/report/html-page.h. */
#include "config.h"

#include "harness/report/html-page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/xml.h"
#include "harness/show/reading.h"
#include "harness/show/svg.h"

/* The ladder is light in any case: it has colours of its own. */
static const char style[] =
	"body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;"
	"color:#1f2328;background:#fff}\n"
	"pre,.ladder{overflow:auto;border:1px solid #d1d9e0;border-radius:6px;padding:.75rem}\n"
	"pre{background:#f6f8fa;font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere}\n"
	"table{border-collapse:collapse;display:block;overflow-x:auto}\n"
	"th,td{text-align:left;padding:.25rem .75rem;border-bottom:1px solid #d1d9e0;"
	"vertical-align:top}\n"
	"td.number{text-align:right;font-variant-numeric:tabular-nums}\n"
	"h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}\n"
	".failed{color:#b3261e}\n"
	"summary{cursor:pointer;padding:.25rem 0}\n"
	"th[data-sort]{cursor:pointer}\n";

void html_begin(GString *out, const char *title)
{
	g_string_append(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
			"lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
			"content=\"width=device-width,initial-scale=1\"/>\n");
	html_element(out, "title", title);
	g_string_append_printf(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
	html_element(out, "h1", title);
}

void html_end(GString *out)
{
	g_string_append(out, "<p>umadrig " PACKAGE_VERSION "</p>\n</main>\n</body>\n</html>\n");
}

/* ---- elements ---- */

void html_element(GString *out, const char *name, const char *text)
{
	g_string_append_printf(out, "<%s>", name);
	xml_append_text(out, text, false);
	g_string_append_printf(out, "</%s>\n", name);
}

void html_block(GString *out, const char *heading, const char *text)
{
	if (!text || !*text)
		return;
	html_element(out, "h3", heading);
	html_element(out, "pre", text);
}

void html_cell(GString *out, const char *text)
{
	g_string_append(out, "<td>");
	xml_append_text(out, text, false);
	g_string_append(out, "</td>");
}

void html_number_cell(GString *out, uint64_t number)
{
	g_string_append_printf(out, "<td class=\"number\">%" G_GUINT64_FORMAT "</td>", number);
}

/* ---- ladders ---- */

/* As SVG, to be freed with free(). NULL: it cannot be read. */
static char *draw(const char *path, unsigned int first, unsigned int last)
{
	g_autofree char *text = g_strdup_printf("frame>=%u frame<=%u", first, last);
	g_autofree char *message = NULL;
	struct filter *filter = filter_parse(text, &message);
	struct reading reading = {
		.path = path, .kind = &svg_view, .filter = filter, .columns = SVG_COLUMNS,
	};
	char *svg = NULL;
	size_t size;
	bool is_good;

	reading.stream = open_memstream(&svg, &size);
	if (!reading.stream) {
		filter_free(filter);
		return NULL;
	}
	is_good = reading_show(&reading, NULL);
	filter_free(filter);
	if (fclose(reading.stream) == 0 && is_good)
		return svg;
	free(svg);
	return NULL;
}

void html_ladder(GString *out, const char *path, unsigned int first, unsigned int last)
{
	char *svg = draw(path, first, last);

	if (svg)
		g_string_append_printf(out, "<div class=\"ladder\">%s</div>\n", svg);
	free(svg);
}
