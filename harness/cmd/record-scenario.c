/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Recorded scenarios: see harness/cmd/record-scenario.h.
 *
 * The capture of the run becomes a draft (harness/script/draft/draft.h), which is run at once. The
 * trial makes its times exact; it also shows whether the scenario passes without the program.
 */
#include "config.h"

#include "harness/cmd/record-scenario.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/cmd/run-bless.h"
#include "harness/record/bundle.h"
#include "harness/script/draft/draft-ends.h"
#include "harness/script/draft/draft-event.h"
#include "harness/script/draft/draft.h"
#include "harness/world/world.h"
#include "lib/words/node-place.h"
#include "sim/capture/identity.h"
#include "sim/run/spec.h"
#include "sim/topology/load.h"

enum { MESSAGE_SIZE = 512, SCRIPT_SIZE_MAX = 1 << 20, HOST_PORTS_MAX = 8 };

/* What is known of the fabric. */
struct recorded {
	const struct record_scenario *record;
	struct spec spec;
	const char *file;	/* the fabric's; "": the default */
	char *bundled;		/* the same, of a bundle; or NULL */
	char *copy;		/* a copy of it that was made beside the scenario; or NULL */
	struct capture *capture;
	const char *who[WORLD_ENDS];	/* which ports of the capture, as --port says; or NULL */
	const char *self;	/* the port, as the fabric calls it */
	const char *peer;	/* whose program has answered it; or NULL */
	struct capture_stand stand;	/* where it is in the capture */
	struct draft_ends ends;	/* where the capture does not name ports */
	struct draft_role roles[WORLD_ENDS + 1];	/* where it does */
	size_t role_count;
};

bool record_is_scenario(const char *path)
{
	return path && g_str_has_suffix(path, ".mad");
}

/* ---- the fabric ---- */

static int refuse(const struct recorded *recorded, const char *why)
{
	return command_error(recorded->record->name, COMMAND_USAGE, "no scenario was recorded: %s",
			     why);
}

/* What scenarios cannot say of a fabric. COMMAND_OK: there is nothing. */
static int check_spec(struct recorded *recorded)
{
	const struct umadrig_options *options = &recorded->spec.options;

	if (options->faults)
		return refuse(recorded, "the faults of fabrics cannot be written into one; write "
			      "'fault' lines by hand");
	if (options->capture || options->report)
		return refuse(recorded, "capture= and report= go with a bundle, or with umadrig "
			      "exec");
	if (options->profile)
		return refuse(recorded, "profile= is not written yet");
	if (options->kernels)
		return refuse(recorded, "a scenario is of no kernel: leave out kernel=; 'umadrig "
			      "run --kernel' runs it on one");
	if (*recorded->file && capture_is_capture(recorded->file))
		return refuse(recorded, "a capture cannot be the fabric of one: write 'replay' by "
			      "hand");
	return COMMAND_OK;
}

static int parse_spec(struct recorded *recorded)
{
	char message[MESSAGE_SIZE];
	g_autofree char *net = recorded->record->from ?
			       g_build_filename(recorded->record->from, BUNDLE_TOPOLOGY, NULL) :
			       NULL;

	if (spec_parse(recorded->record->spec, NULL, &recorded->spec, message,
		       sizeof(message)) < 0)
		return command_error(recorded->record->name, COMMAND_REFUSED, "%s", message);
	recorded->file = recorded->spec.file;
	if (!*recorded->file && net && g_file_test(net, G_FILE_TEST_EXISTS))
		recorded->file = recorded->bundled = g_steal_pointer(&net);
	return check_spec(recorded);
}

static bool is_generated(const char *file)
{
	return g_str_has_prefix(file, TOPOLOGY_GENERATE);
}

/* What the scenario calls the fabric: a file is copied to where it finds it. To be freed. */
static char *place_topology(struct recorded *recorded, int *ret_status)
{
	const char *path = recorded->record->path, *dot = strrchr(recorded->file, '.');
	g_autofree char *stem = g_strndup(path, strlen(path) - strlen(".mad"));
	g_autofree char *copy = g_strconcat(stem, dot && !strchr(dot, '/') ? dot : ".net", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	gsize size;

	*ret_status = COMMAND_OK;
	if (!*recorded->file)
		return NULL;
	if (is_generated(recorded->file))
		return g_strdup(recorded->file);
	if (g_file_test(copy, G_FILE_TEST_EXISTS)) {
		*ret_status = command_error(recorded->record->name, COMMAND_USAGE, "%s is to be a "
					    "copy of the fabric, but is there already", copy);
		return NULL;
	}
	if (g_file_get_contents(recorded->file, &text, &size, &error) &&
	    g_file_set_contents(copy, text, (gssize)size, &error)) {
		recorded->copy = g_steal_pointer(&copy);
		return g_path_get_basename(recorded->copy);
	}
	*ret_status = command_error(recorded->record->name, COMMAND_FAILED, "%s", error->message);
	return NULL;
}

/* ---- the capture ---- */

/* Is it the name of a port, as umadrig's captures have them? */
static bool is_port_name(const char *name)
{
	struct node_place place;

	return name && node_place_parse(name, &place) == 0 && place.has_port;
}

/* Ports that have answered as a subnet administration, by their names. To be freed. */
static GHashTable *find_sa(const struct capture *capture)
{
	GHashTable *sa = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (mad->interface_name && mad->direction == CAPTURE_OUTBOUND &&
		    draft_is_of_sa(mad->mad))
			g_hash_table_add(sa, (void *)mad->interface_name);
	}
	return sa;
}

/*
 * Which port has sent most requests, of those of the node 'node' (NULL: any) that are not of the
 * SA's own host, and the first of these: its name in the capture, or NULL.
 */
static const char *busiest(const struct capture *capture, const char *node)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) sa = find_sa(capture);
	const char *best = NULL;
	guint most = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		guint count;

		if (!is_port_name(mad->interface_name) || mad->direction != CAPTURE_OUTBOUND ||
		    mad_is_response(mad->mad) || g_hash_table_contains(sa, mad->interface_name) ||
		    (node && !node_place_is_of(mad->interface_name, node)))
			continue;
		count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, mad->interface_name)) + 1;
		g_hash_table_insert(counts, (void *)mad->interface_name, GUINT_TO_POINTER(count));
		if (count > most) {
			most = count;
			best = mad->interface_name;
		}
	}
	return best;
}

static struct world *open_world(const struct recorded *recorded, const char *self,
				const char *peer)
{
	const struct world_setup setup = {
		.topology = *recorded->file ? recorded->file : NULL,
		.cold = recorded->spec.options.cold, .partial = recorded->spec.options.partial,
		.ports = { self, peer },
	};
	g_autofree char *why = NULL;
	struct world *world = NULL;

	if (setenv("UMAD_BACKEND", "sim:@", 1) != 0)
		command_error(recorded->record->name, COMMAND_FAILED, "setenv: %s",
			      g_strerror(errno));
	else if (!(world = world_sim_new(&setup, &why)))
		command_error(recorded->record->name, COMMAND_FAILED, "%s", why);
	return world;
}

/* What the capture calls the node of the port with this GUID; to be freed. NULL: it does not. */
static char *node_called(const struct capture *capture, uint64_t port_guid)
{
	const struct capture_interface *interface;

	for (unsigned int i = 0; (interface = capture_interface(capture, i)) != NULL; i++) {
		struct capture_identity identity;
		struct node_place place;

		if (interface->name && node_place_parse(interface->name, &place) == 0 &&
		    place.has_port && capture_identity_parse(interface->comment, &identity) &&
		    identity.port_guid == port_guid)
			return g_strndup(place.name, place.name_size);
	}
	return NULL;
}

/*
 * The node that the program ran on, as the capture calls it: a host can have other names, too. To
 * be freed. NULL: it has done nothing there.
 */
static char *find_node(const struct recorded *recorded, struct world *world)
{
	const char *host = recorded->spec.options.host;
	struct world_address address;
	char *node = NULL;

	for (int port = 1; !node && port <= HOST_PORTS_MAX; port++) {
		g_autofree char *name = host ? g_strdup_printf("%s[%d]", host, port) :
					g_strdup("self");

		if (world->kind->address(world, name, &address) == 0)
			node = node_called(recorded->capture, get_be64(address.gid + 8));
	}
	return node;
}

/* "A=LID 5", "B=H2[1]", "H1[1]": which ports of the capture the options name. */
static int parse_ports(struct recorded *recorded)
{
	static const char *const prefixes[WORLD_ENDS] = { "A=", "B=" };

	for (char *const *port = recorded->record->ports; port && *port; port++) {
		int end = g_str_has_prefix(*port, prefixes[WORLD_PEER]) ? WORLD_PEER : WORLD_SELF;
		const char *who = g_str_has_prefix(*port, prefixes[end]) ? *port + 2 : *port;

		if (!*who || recorded->who[end])
			return command_bad_value(recorded->record->name, "--port", *port,
						 "a port of the capture, once for A and for B, as "
						 "in \"A=LID 5\"");
		recorded->who[end] = who;
	}
	return COMMAND_OK;
}

/* The port as the capture names it; NULL: it does not. */
static const char *find_named(struct recorded *recorded)
{
	const char *port = recorded->who[WORLD_SELF], *self = NULL;
	g_autofree char *node = NULL;
	struct world *world;

	for (size_t i = 0; port && i < recorded->capture->mad_count; i++) {
		if (g_strcmp0(recorded->capture->mads[i].interface_name, port) == 0)
			return recorded->capture->mads[i].interface_name;
	}
	if (port || recorded->who[WORLD_PEER])
		return NULL;
	world = open_world(recorded, NULL, NULL);
	node = world ? find_node(recorded, world) : NULL;
	self = node ? busiest(recorded->capture, node) : NULL;
	if (world)
		world->kind->close(world);
	return self ? self : busiest(recorded->capture, NULL);
}

/* The LIDs of the ports that have roles, of the fabric as it is at the start. */
static int learn_roles(struct recorded *recorded)
{
	static const char *const names[] = { "self", "peer", "sm" };
	struct world_address address;
	struct world *world;
	uint16_t lid = 0;

	recorded->peer = *recorded->file ? draft_partner(recorded->capture, recorded->self) : NULL;
	world = open_world(recorded, *recorded->file ? recorded->self : NULL, recorded->peer);
	if (!world)
		return COMMAND_FAILED;
	if (strcmp(world->label[WORLD_SELF], recorded->self) != 0) {
		world->kind->close(world);
		return refuse(recorded, "on the default fabric scenarios are about H1[1]: name a "
			      "fabric with --fabric");
	}
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (world->kind->address(world, names[i], &address) != 0)
			continue;
		recorded->roles[recorded->role_count++] =
			(struct draft_role) { .name = names[i], .lid = address.lid };
		lid = i == 0 ? address.lid : lid;
	}
	recorded->stand = capture_stand_find(recorded->capture, recorded->self, lid);
	world->kind->close(world);
	return COMMAND_OK;
}

/* What was taken for what, by the capture's own words. */
static void tell_ends(const struct recorded *recorded)
{
	for (int end = 0; end < WORLD_ENDS; end++) {
		const struct draft_end *it = &recorded->ends.ends[end];

		if (!it->who || !it->place)
			continue;
		fprintf(stderr, "%s: %c is %s of the capture, and %s of the fabric%s%s\n",
			recorded->record->name, 'A' + end, it->who, it->place->label,
			it->proof ? ", by " : ": nothing says which port it is there",
			it->proof ? it->proof : "");
	}
	fprintf(stderr, "%s", recorded->ends.differs->str);
}

/* The ports of a capture that does not name them. */
static int find_ends(struct recorded *recorded)
{
	const char *file = *recorded->file ? recorded->file : NULL;
	struct world *world = open_world(recorded, NULL, NULL);
	struct draft_ends *ends = &recorded->ends;
	g_autoptr(GString) why = g_string_new(NULL);
	bool found;

	if (!world)
		return COMMAND_FAILED;
	found = draft_ends_find(ends, world, file, recorded->capture, recorded->who, why);
	world->kind->close(world);
	if (!found)
		return refuse(recorded, why->str);
	tell_ends(recorded);
	recorded->self = ends->ends[WORLD_SELF].place->label;
	if (ends->ends[WORLD_PEER].place)
		recorded->peer = ends->ends[WORLD_PEER].place->label;
	recorded->stand = ends->stand;
	return COMMAND_OK;
}

static int find_ports(struct recorded *recorded)
{
	int status = parse_ports(recorded);

	if (status != COMMAND_OK)
		return status;
	if (recorded->capture->mad_count == 0)
		return refuse(recorded, "there is no MAD in the capture");
	recorded->self = find_named(recorded);
	return recorded->self ? learn_roles(recorded) : find_ends(recorded);
}

/* ---- the scenario ---- */

static char *command_text(char *const *argv)
{
	GString *text = g_string_new(NULL);

	for (; *argv; argv++) {
		bool plain = **argv && !(*argv)[strcspn(*argv, " \t\n\"'\\$&|;<>()*?[]{}#~`!")];
		g_autofree char *quoted = plain ? g_strdup(*argv) : g_shell_quote(*argv);

		g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", quoted);
	}
	return g_strdelimit(g_string_free(text, false), "\n\r", ' ');
}

static bool leads_back(void *ctx, const uint8_t mad[MAD_SIZE])
{
	const struct draft_ends *ends = ctx;

	return draft_places_is_back(ends->places, ends->ends[WORLD_SELF].place, mad);
}

static char *make_draft(struct recorded *recorded, const char *topology, GString *why)
{
	const struct record_scenario *record = recorded->record;
	g_autofree char *base = record->from ? g_path_get_basename(record->from) : NULL;
	g_autofree char *title = base ? g_strdup_printf("what %s did in %s", recorded->self, base) :
				 command_text(record->job->argv);
	g_autofree char *origin =
		g_strdup_printf("Recorded %s %s, port %s.\nIt does what the program did at that "
				"port, without the program.\n", base ? "from" : "of:", base ? base :
				title, recorded->self);
	struct draft_ends *ends = &recorded->ends;
	const struct draft draft = {
		.title = title, .origin = origin, .topology = topology, .self = recorded->self,
		.peer = recorded->peer,
		.cold = recorded->spec.options.cold, .partial = recorded->spec.options.partial,
		.latency_ns = recorded->spec.options.latency_ns,
		.is_back = ends->places && !recorded->stand.label ? leads_back : NULL,
		.is_back_ctx = ends,
		.facts = ends->facts ? ends->facts->str : NULL,
		.roles = ends->roles ? (struct draft_role *)(void *)ends->roles->data :
				       recorded->roles,
		.role_count = ends->roles ? ends->roles->len : recorded->role_count,
	};

	return draft_write(&draft, recorded->capture, &recorded->stand, why);
}

/* Runs the draft, and writes what passes; if none does, the draft, for people to look at. */
static int try_draft(const struct recorded *recorded, GString *text)
{
	const struct record_scenario *record = recorded->record;
	g_autoptr(GString) changes = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	bool passes;

	if (text->len > SCRIPT_SIZE_MAX)
		return refuse(recorded, "it would have more than 1 MiB, which no script may have");
	passes = run_bless_draft(record->name, record->path, text, changes);
	if (!g_file_set_contents(record->path, text->str, (gssize)text->len, &error))
		return command_error(record->name, COMMAND_FAILED, "%s", error->message);
	if (!passes)
		return command_error(record->name, COMMAND_FAILED, "%s was written, but does not "
				     "pass yet: without the program something is different",
				     record->path);
	if (changes->len > 0)
		fprintf(stderr, "%s: run again it was different, and says so now:\n%s",
			record->name, changes->str);
	fprintf(stderr, "%s: %s%s%s: passes\n", record->name, record->path,
		recorded->copy ? ", " : "", recorded->copy ? recorded->copy : "");
	return COMMAND_OK;
}

static int write_scenario(struct recorded *recorded)
{
	const char *name = recorded->record->name;
	g_autoptr(GString) why = g_string_new(NULL);
	g_autoptr(GString) text = NULL;
	g_autofree char *topology = NULL, *draft = NULL;
	int status = find_ports(recorded);

	if (status == COMMAND_OK)
		topology = place_topology(recorded, &status);
	if (status != COMMAND_OK)
		return status;
	draft = make_draft(recorded, topology, why);
	if (draft) {
		text = g_string_new(draft);
		status = try_draft(recorded, text);
	} else {
		status = command_error(name, COMMAND_FAILED, "no scenario was recorded: %s",
				       why->str);
	}
	if (recorded->copy && !g_file_test(recorded->record->path, G_FILE_TEST_EXISTS))
		g_unlink(recorded->copy);
	return status;
}

static int read_capture(struct recorded *recorded, const char *path)
{
	char message[MESSAGE_SIZE];

	recorded->capture = capture_read_within(path, recorded->record->size_max, message,
						sizeof(message));
	if (!recorded->capture)
		return command_error(recorded->record->name, COMMAND_FAILED, "%s", message);
	if (capture_put_in_order(recorded->capture, true, message, sizeof(message)) < 0)
		return command_error(recorded->record->name, COMMAND_FAILED, "%s", message);
	return write_scenario(recorded);
}

/* Runs the program with a capture that is gone afterwards. */
static int run_program(struct recorded *recorded)
{
	const struct record_scenario *record = recorded->record;
	g_autofree char *dir = g_dir_make_tmp("umadrig-record-XXXXXX", NULL), *path = NULL;
	g_autofree char *spec = NULL;
	struct exec_job job = *record->job;
	int verdict, made;

	if (!dir)
		return command_error(record->name, COMMAND_REFUSED, "no directory for its capture "
				     "could be made: %s", g_strerror(errno));
	path = g_build_filename(dir, BUNDLE_CAPTURE, NULL);
	if (strchr(path, ',')) {
		g_rmdir(dir);
		return refuse(recorded, "a comma in the name of the directory for temporary files "
			      "(TMPDIR) would end it where options of fabrics are read");
	}
	spec = g_strdup_printf("%s,capture=%s", record->spec, path);
	job.spec = spec;
	verdict = record->run(record->ctx, &job);
	/* Where nothing was run, that has been said. */
	made = g_file_test(path, G_FILE_TEST_EXISTS) ? read_capture(recorded, path) :
	       COMMAND_FAILED;
	g_unlink(path);
	g_rmdir(dir);
	return verdict != COMMAND_OK ? verdict : made;
}

/* Can it be written? The program would have run for nothing. */
static int check_path(const struct record_scenario *record)
{
	g_autofree char *directory = g_path_get_dirname(record->path);

	if (g_file_test(record->path, G_FILE_TEST_EXISTS))
		return command_error(record->name, COMMAND_USAGE, "%s is there already",
				     record->path);
	if (g_access(directory, W_OK | X_OK) < 0)
		return command_error(record->name, COMMAND_USAGE, "%s cannot be written: %s: %s",
				     record->path, directory, g_strerror(errno));
	return COMMAND_OK;
}

int record_scenario(const struct record_scenario *record)
{
	struct recorded recorded = { .record = record };
	g_autofree char *capture = record->from ? bundle_capture(record->from) : NULL;
	int status = check_path(record);

	if (status != COMMAND_OK)
		return status;
	status = parse_spec(&recorded);
	if (status == COMMAND_OK)
		status = capture ? read_capture(&recorded, capture) : run_program(&recorded);
	draft_ends_clear(&recorded.ends);
	capture_free(recorded.capture);
	g_free(recorded.bundled);
	g_free(recorded.copy);
	spec_clear(&recorded.spec);
	return status;
}
