/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is known of a fabric: see harness/cmd/fabric-facts.h. */
#include "config.h"

#include "harness/cmd/fabric-facts.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/cmd/topology-capture.h"
#include "harness/record/bundle.h"
#include "lib/attach/protocol.h"
#include "sim/capture/capture.h"
#include "sim/facts/facts-tables.h"
#include "sim/run/open.h"
#include "sim/topology/load.h"

static bool is_socket(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* What a server answers to a command of the console; NULL: it was said why. */
static char *ask(const char *name, const char *path, int fd, const char *command)
{
	g_autoptr(GString) reply = g_string_new(NULL);

	if (attach_client_call(fd, ATTACH_CONSOLE, command, strlen(command), reply) < 0) {
		command_error(name, COMMAND_USAGE, "%s: %s", path, reply->len ? reply->str :
			      "the server has closed the connection");
		return NULL;
	}
	return g_strdup(reply->str);
}

static struct fabric_facts *read_answers(const char *name, const char *path, const char *text,
					 const char *tables)
{
	struct topology *topology = topology_parse(text, strlen(text), path, NULL);
	struct fabric_facts *facts;
	unsigned int line;

	if (!topology) {
		command_error(name, COMMAND_USAGE, "%s: the server's fabric cannot be read", path);
		return NULL;
	}
	facts = fabric_facts_new(topology);
	line = facts_read_tables(facts, tables);
	if (line)
		command_error(name, COMMAND_USAGE, "%s: line %u of the server's tables cannot be "
			      "read: it is of another version; start it again with this umadrig",
			      path, line);
	if (line)
		g_clear_pointer(&facts, fabric_facts_free);
	return facts;
}

/* The fabric of a server as it is now, and what an SM has written into its nodes. */
static struct fabric_facts *ask_server(const char *name, const char *path)
{
	g_autoptr(GError) error = NULL;
	int fd = attach_client_connect(path, &error);
	g_autofree char *text = NULL;
	g_autofree char *tables = NULL;

	if (fd < 0) {
		command_error(name, COMMAND_USAGE, "%s", error->message);
		return NULL;
	}
	text = ask(name, path, fd, "topology");
	tables = text ? ask(name, path, fd, "tables") : NULL;
	close(fd);
	return tables ? read_answers(name, path, text, tables) : NULL;
}

static struct topology *open_file(const char *name, const char *path)
{
	char why[1024];
	struct topology *topology = topology_open(path, why, sizeof(why));

	if (!topology)
		command_error(name, COMMAND_USAGE, "%s", why);
	return topology;
}

struct fabric_facts *fabric_facts_open(const char *name, const char *path)
{
	g_autofree char *capture = bundle_capture(path);
	struct topology *topology;

	if (strcmp(path, "-") == 0 || capture_is_capture(capture))
		return facts_from_capture(name, capture);
	if (is_socket(path))
		return ask_server(name, path);
	topology = open_file(name, path);
	return topology ? fabric_facts_new(topology) : NULL;
}
