/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bundles of attached programs: see harness/record/attached.h.
 */
#include "config.h"

#include "harness/record/attached.h"

#include <string.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "lib/attach/protocol.h"
#include "sim/topology/load.h"

/* A command of the console; what it prints is appended to 'reply'. */
static bool ask(int fd, const char *line, GString *reply, GError **error)
{
	int64_t result = attach_client_call(fd, ATTACH_CONSOLE, line, strlen(line), reply);

	if (result >= 0)
		return true;
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "the fabric's server: %s",
		    reply->len ? reply->str : "it has closed the connection");
	return false;
}

static bool begin(struct bundle *bundle, int fd, GError **error)
{
	g_autofree char *capture = bundle_file(bundle, bundle->capture);
	g_autofree char *line = g_strdup_printf("capture start \"%s\"", capture);
	g_autoptr(GString) net = g_string_new(NULL), reply = g_string_new(NULL);

	if (!ask(fd, "topology", net, error))
		return false;
	bundle->topology = topology_parse(net->str, net->len, BUNDLE_TOPOLOGY, NULL);
	return ask(fd, line, reply, error);
}

int attached_begin(struct bundle *bundle, const char *socket, GError **error)
{
	int fd = attach_client_connect(socket, error);

	if (fd < 0 || begin(bundle, fd, error))
		return fd;
	close(fd);
	return -1;
}

bool attached_end(int fd, GError **error)
{
	g_autoptr(GString) reply = g_string_new(NULL);
	bool is_whole = ask(fd, "capture stop", reply, error);

	close(fd);
	return is_whole;
}
