/*
 * exec's side of a session: makes the directory, asks for the record, takes all of it away.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "exec.h"
#include "session.h"

gboolean exec_session_begin(struct exec_session *session, GError **error)
{
	g_autofree char *directory = g_build_filename(g_get_tmp_dir(), "umadrig-XXXXXX", NULL);

	if (!g_mkdtemp_full(directory, 0700)) {
		g_set_error(error, EXEC_ERROR, COMMAND_REFUSED,
			    "%s: no temporary directory can be made there (%s); set TMPDIR",
			    g_get_tmp_dir(), g_strerror(errno));
		return FALSE;
	}
	session->directory = g_steal_pointer(&directory);
	return TRUE;
}

gboolean exec_session_opened(const struct exec_session *session)
{
	g_autofree char *owner = g_build_filename(session->directory, SESSION_OWNER, NULL);

	return g_file_test(owner, G_FILE_TEST_EXISTS);
}

void exec_session_end(struct exec_session *session)
{
	GDir *dir = session->directory ? g_dir_open(session->directory, 0, NULL) : NULL;
	const char *name;

	while (dir && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(session->directory, name, NULL);

		g_unlink(path);
	}
	if (dir)
		g_dir_close(dir);
	if (session->directory)
		g_rmdir(session->directory);
	g_clear_pointer(&session->directory, g_free);
}
