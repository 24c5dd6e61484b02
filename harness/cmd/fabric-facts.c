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
#include "sim/run/open.h"
#include "sim/topology/load.h"

static bool is_socket(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* The fabric of a server as it is now. */
static struct topology *ask_server(const char *name, const char *path)
{
	static const char command[] = "topology";
	g_autoptr(GString) reply = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	int fd = attach_client_connect(path, &error);
	struct topology *topology;
	int64_t result;

	if (fd < 0) {
		command_error(name, COMMAND_USAGE, "%s", error->message);
		return NULL;
	}
	result = attach_client_call(fd, ATTACH_CONSOLE, command, strlen(command), reply);
	close(fd);
	if (result < 0) {
		command_error(name, COMMAND_USAGE, "%s: %s", path, reply->len ? reply->str :
			      "the server has closed the connection");
		return NULL;
	}
	topology = topology_parse(reply->str, reply->len, path, NULL);
	if (!topology)
		command_error(name, COMMAND_USAGE, "%s: the server's fabric cannot be read", path);
	return topology;
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
	topology = is_socket(path) ? ask_server(name, path) : open_file(name, path);
	return topology ? fabric_facts_new(topology) : NULL;
}
