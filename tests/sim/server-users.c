/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The users that a fabric server admits.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/guarded-server.h"
#include "tests/rig/real-root.h"

struct user_text {
	const char *text;
	const char *admitted, *not_admitted;	/* numbers, or NULL */
	bool is_right;
};

static const struct user_text user_texts[] = {
	{ "1000", "1000", "1001", true },
	{ "root", "0", "1", true },
	{ "100000-165535,7", "100000 165535 131072 7", "99999 165536 8 0", true },
	{ "0-4294967294", "0 4294967294", NULL, true },
	{ "5-5", "5", "4 6", true },
	{ "7,5-4", NULL, "7 5 4", false },
	{ "5-", NULL, "5", false },
	{ "-5", NULL, "5", false },
	{ "5-6-7", NULL, "5", false },
	{ "4294967295", NULL, "4294967294", false },
	{ "99999999999999999999", NULL, "0", false },
	{ "", NULL, "0", false },
	{ "7,", NULL, "7", false },
	{ "nobody-has-this-name", NULL, "0", false },
};

static bool has_all(const struct server_users *users, const char *numbers, bool wanted)
{
	g_auto(GStrv) list = g_strsplit(numbers ? numbers : "", " ", -1);

	for (char **one = list; *one; one++) {
		uid_t uid = (uid_t)g_ascii_strtoull(*one, NULL, 10);

		if (server_users_has(users, uid) != wanted)
			return false;
	}
	return true;
}

static void test_user_texts(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(user_texts); i++) {
		const struct user_text *row = &user_texts[i];
		struct server_users users = { NULL };
		char message[512] = "";

		g_assert_cmpint(server_users_parse(&users, row->text, message, sizeof(message)), ==,
				row->is_right ? 0 : -EINVAL);
		g_assert_cmpint(message[0] == '\0', ==, row->is_right);
		g_assert_true(has_all(&users, row->admitted, true));
		g_assert_true(has_all(&users, row->not_admitted, false));
		server_users_clear(&users);
	}
}

/* Connects as another user, in a process of its own. Returns how many clients there are then. */
static unsigned int clients_after(struct guarded *guarded, uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	unsigned int count;
	int ends[2], status;
	char byte;
	pid_t pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	if (pid == 0) {
		int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

		/* The directories above may be closed to other users. */
		strcpy(address.sun_path, "socket");
		if (chdir(guarded->directory) < 0 || setuid(uid) < 0 ||
		    connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		    write(ends[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		byte = 'n';	/* it could not connect */
	close(ends[0]);
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	count = server_client_count(guarded->server);
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	while (server_client_count(guarded->server) > 0)
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
	return count;
}

static void test_users(void)
{
	struct guarded guarded;
	struct server_users users = { NULL };
	char message[512];
	struct stat st;

	if (!is_real_root()) {
		g_test_skip("only root can be other users");
		return;
	}
	guarded = guarded_start();
	g_assert_cmpint(chmod(guarded.directory, 0711), ==, 0);	/* for the path "socket" */
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, 0);
	g_assert_cmpint(stat(guarded.socket, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
	g_assert_cmpuint(clients_after(&guarded, 4711), ==, 0);
	g_assert_cmpint(server_users_parse(&users, "4711", message, sizeof(message)), ==, 0);
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, 0);
	g_assert_cmpuint(clients_after(&guarded, 4711), ==, 1);
	g_assert_cmpuint(clients_after(&guarded, 4712), ==, 0);
	g_assert_cmpuint(clients_after(&guarded, 0), ==, 1);
	/* A path that has become another's is left alone. */
	g_assert_cmpint(g_unlink(guarded.socket), ==, 0);
	g_assert_true(g_file_set_contents(guarded.socket, "", 0, NULL));
	g_assert_cmpint(server_users_parse(&users, "1", message, sizeof(message)), ==, 0);
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, -ESTALE);
	server_users_clear(&users);
	g_assert_cmpint(g_unlink(guarded.socket), ==, 0);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-users/texts", test_user_texts);
	g_test_add_func("/server-users/users", test_users);
	return guarded_finish();
}
