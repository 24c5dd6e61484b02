/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Conversations as a table: see harness/report/report-table.h. */
#include "harness/report/report-table.h"

#include <inttypes.h>

#include "harness/report/html-page.h"
#include "harness/show/conversation-text.h"

enum { ROWS_MAX = 2000 };

/* Sorts by the column whose heading is clicked; numbers as such, and once more the other way. */
static const char script[] =
	"<script>\n"
	"for (const head of document.querySelectorAll('th[data-sort]'))\n"
	"  head.addEventListener('click', function () {\n"
	"    const body = head.closest('table').tBodies[0], at = head.cellIndex;\n"
	"    const value = function (row) { return row.cells[at].textContent; };\n"
	"    const way = head.dataset.sort === 'up' ? -1 : 1;\n"
	"    head.dataset.sort = way === 1 ? 'up' : 'down';\n"
	"    Array.from(body.rows).sort(function (a, b) {\n"
	"      return way * value(a).localeCompare(value(b), undefined, { numeric: true });\n"
	"    }).forEach(function (row) { body.append(row); });\n"
	"  });\n"
	"</script>\n";

static void decimal_cell(GString *out, int64_t ns, int64_t unit)
{
	g_string_append(out, "<td class=\"number\">");
	if (ns >= 0)
		g_string_append_printf(out, "%" PRId64 ".%03d", ns / unit,
				       (int)(ns % unit * 1000 / unit));
	g_string_append(out, "</td>");
}

static void append_row(struct report_table *table, const struct conversation *conversation)
{
	const struct conversation_message *head = conversation_head(conversation);
	bool is_answer = conversation->kind == CONVERSATION_ORPHAN;
	g_autofree char *from = conversation_text_port(table->ends, head, !is_answer);
	g_autofree char *to = conversation_text_port(table->ends, head, is_answer);
	g_autofree char *request = conversation_text_request(conversation);
	g_autoptr(GString) answer = g_string_new(NULL);
	bool is_lost = conversation->kind == CONVERSATION_UNANSWERED;

	conversation_text_answer(answer, conversation);
	g_string_append(table->rows, is_lost ? "<tr class=\"failed\">" : "<tr>");
	html_number_cell(table->rows, head->frame);
	decimal_cell(table->rows, head->time_ns, 1000000);
	html_cell(table->rows, from);
	html_cell(table->rows, to);
	html_cell(table->rows, request);
	decimal_cell(table->rows, conversation_round_trip_ns(conversation), 1000);
	html_number_cell(table->rows, conversation->retries);
	html_number_cell(table->rows, conversation->losses);
	html_cell(table->rows, answer->str);
	g_string_append(table->rows, "</tr>\n");
}

void report_table_take(void *ctx, const struct conversation *conversation)
{
	struct report_table *table = ctx;

	table->all++;
	table->answered += conversation->kind == CONVERSATION_ANSWERED;
	table->unanswered += conversation->kind == CONVERSATION_UNANSWERED;
	table->retries += conversation->retries;
	table->losses += conversation->losses;
	if (table->shown == ROWS_MAX)
		return;
	table->shown++;
	append_row(table, conversation);
}

void report_table_append(GString *out, const struct report_table *table)
{
	static const char *const heads[] = {
		"Frame", "Time, ms", "Requester", "Responder", "Request", "Round trip, us",
		"Sent again", "Lost", "Answer",
	};

	html_element(out, "h2", "Conversations");
	if (table->all == 0) {
		html_element(out, "p", "There is none.");
		return;
	}
	g_string_append(out, "<table id=\"conversations\">\n<thead><tr>");
	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		g_string_append_printf(out, "<th data-sort=\"\">%s</th>", heads[i]);
	g_string_append_printf(out, "</tr></thead>\n<tbody>\n%s</tbody>\n</table>\n%s",
			       table->rows->str, script);
	if (table->all > table->shown)
		g_string_append_printf(out, "<p>%" PRIu64 " more are not in the table: umadrig "
				       "show --conversations prints all.</p>\n",
				       table->all - table->shown);
}
