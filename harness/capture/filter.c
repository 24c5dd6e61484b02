/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tries filters on the MADs of captures. See harness/capture/filter.h.
 */
#include "harness/capture/filter.h"

#include <string.h>

#include "harness/script/tree/diagnostic.h"
#include "lib/words/node-place.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/filter/filter-test.h"

struct filter {
	struct mad_filter *mads;
	bool names_ports;
	const char *look_ahead;		/* the first word that needs 'traits'; NULL: none */
	const struct frame_traits *traits;	/* of the capture at hand, or NULL */
};

/* What a test is tried on, beside the MAD. */
struct frame {
	const struct filter *filter;
	const struct mad_ends *ends;
	const struct capture_mad *mad;
};

/* ---- ends ---- */

/* The name of a port, or of its node, which is that of all of its ports. */
static bool is_called(const struct filter_test *test, const char *name)
{
	return strcmp(name, test->text) == 0 || node_place_is_of(name, test->text);
}

/* A name, which the record or 'ends' knows, or a GUID. */
static bool is_end(const struct filter_test *test, const struct frame *frame, bool source)
{
	const struct capture_mad *mad = frame->mad;
	const struct mad_ends *ends = frame->ends;
	bool here = mad->direction == (source ? CAPTURE_OUTBOUND : CAPTURE_INBOUND);
	const char *name;

	if (test->is_guid)
		return ends && mad_ends_has_guid(ends, mad, source, test->value);
	if (filter_test_is_address(test))
		return false;
	if (mad->interface_name && here && is_called(test, mad->interface_name))
		return true;
	name = !ends ? NULL : mad->interface_name && here ? mad->interface_name :
	       mad_ends_called(ends, mad, source);
	if (name && is_called(test, name))
		return true;
	name = ends ? mad_ends_description(ends, mad, source) : NULL;
	return name && strcmp(name, test->text) == 0;
}

/* The place where the record was taken counts too: in many captures nothing else has a name. */
static bool is_port(const struct filter_test *test, const struct frame *frame)
{
	const char *name = frame->mad->interface_name;

	return is_end(test, frame, true) || is_end(test, frame, false) ||
	       (name && is_called(test, name));
}

/* ---- traits ---- */

/* What is not known of the frame fits nothing. */
static bool fits_trait(const struct filter_test *test, const struct frame *frame)
{
	const struct frame_traits *traits = frame->filter->traits;
	const struct frame_trait *trait = traits ? frame_traits_find(traits, frame->mad->frame) :
					  NULL;

	if (!trait)
		return false;
	if (test->what == FILTER_UNANSWERED)
		return trait->is_unanswered;
	if (test->what == FILTER_CHANGED)
		return trait->is_changed;
	if (test->what == FILTER_RETRY)
		return trait->is_asked && filter_test_fits(test, trait->retries);
	return trait->trip_ns >= 0 && filter_test_fits(test, (uint64_t)trait->trip_ns);
}

static bool fits_more(const struct filter_test *test, void *ctx)
{
	const struct frame *frame = ctx;
	const struct capture_mad *mad = frame->mad;

	switch (test->what) {
	case FILTER_TIME:
		return mad->time_ns >= test->from_ns && mad->time_ns < test->to_ns;
	case FILTER_FRAME:
		return filter_test_fits(test, mad->frame);
	case FILTER_DROPPED:
		return mad_death(mad) != NULL;
	case FILTER_UNANSWERED:
	case FILTER_CHANGED:
	case FILTER_RETRY:
	case FILTER_TRIP:
		return fits_trait(test, frame);
	case FILTER_FROM:
		return is_end(test, frame, true);
	case FILTER_TO:
		return is_end(test, frame, false);
	case FILTER_PORT:
		return is_port(test, frame);
	case FILTER_METHOD:
	case FILTER_TRAP:
	case FILTER_STATUS:
	case FILTER_BITS:
	case FILTER_DATA:
	case FILTER_BYTES:
	case FILTER_DATA_BYTES:
	case FILTER_ADDR:
		break;
	}
	return false;
}

bool filter_keeps(const struct filter *filter, const struct mad_ends *ends,
		  const struct capture_mad *mad)
{
	struct frame frame = { .filter = filter, .ends = ends, .mad = mad };
	bool is_infiniband = mad->transport == CAPTURE_INFINIBAND;
	struct filter_subject subject = {
		.mad = mad->mad, .addr = &mad->addr, .has_lrh = is_infiniband,
		.has_grh = mad->addr.has_grh || !is_infiniband,
	};

	return !filter || mad_filter_keeps(filter->mads, &subject, fits_more, &frame);
}

/* ---- parsing ---- */

/* What has to be known of a capture before its MADs can be tried. */
static bool look_at(const struct filter_test *test, void *ctx)
{
	struct filter *filter = ctx;
	const char *word = NULL;

	switch (test->what) {
	case FILTER_FROM:
	case FILTER_TO:
	case FILTER_PORT:
		filter->names_ports |= !filter_test_is_address(test);
		break;
	case FILTER_UNANSWERED:
		word = "unanswered";
		break;
	case FILTER_CHANGED:
		word = "changed";
		break;
	case FILTER_RETRY:
		word = "retry";
		break;
	case FILTER_TRIP:
		word = "trip";
		break;
	case FILTER_TIME:
	case FILTER_FRAME:
	case FILTER_DROPPED:
	case FILTER_METHOD:
	case FILTER_TRAP:
	case FILTER_STATUS:
	case FILTER_BITS:
	case FILTER_DATA:
	case FILTER_BYTES:
	case FILTER_DATA_BYTES:
	case FILTER_ADDR:
		break;
	}
	if (word && !filter->look_ahead)
		filter->look_ahead = word;
	return true;
}

/* The place in the text that is wrong. */
static struct place place_of(const struct source *source, const struct filter_error *error)
{
	struct place place = { .source = source, .offset = error->at, .line = 1, .column = 1 };

	for (size_t at = 0; at < error->at; at++) {
		if (source->text[at] == '\n') {
			place.line++;
			place.column = 1;
		} else if (((unsigned char)source->text[at] & 0xc0) != 0x80) {
			place.column++;
		}
	}
	place.width = (unsigned int)error->size;
	return place;
}

static char *message_of(const char *text, const struct filter_error *error)
{
	struct source *source = source_new("filter", g_strdup(text), strlen(text));
	GString *out = g_string_new(NULL);

	diagnostic_format(out, "", place_of(source, error), "error", error->message);
	source_free(source);
	return g_string_free(out, false);
}

struct filter *filter_parse(const char *text, char **ret_message)
{
	struct filter_error error;
	struct mad_filter *mads = mad_filter_parse(text, NULL, &error);
	struct filter *filter;

	if (!mads) {
		*ret_message = message_of(text, &error);
		g_free(error.message);
		return NULL;
	}
	filter = g_new0(struct filter, 1);
	filter->mads = mads;
	mad_filter_each(mads, look_at, filter);
	return filter;
}

bool filter_is_likely(const char *text)
{
	const struct mad_class_info *info;
	size_t length = strcspn(text, " \t\n(");
	g_autofree char *word = g_strndup(text, length);
	uint8_t method;

	if (strpbrk(text, "=<>~{") || g_str_has_prefix(text, "not ") || mad_filter_is_word(word))
		return true;
	return mad_class_by_name(word) || mad_method_parse(word, &info, &method, NULL) ||
	       (text[length] == '(' && length > 0 && g_ascii_isupper(text[0]));
}

const char *filter_looks_ahead(const struct filter *filter)
{
	return filter ? filter->look_ahead : NULL;
}

void filter_set_traits(struct filter *filter, const struct frame_traits *traits)
{
	filter->traits = traits;
}

bool filter_names_ports(const struct filter *filter)
{
	return filter && filter->names_ports;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	mad_filter_free(filter->mads);
	g_free(filter);
}
