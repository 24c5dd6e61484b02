/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/attach/attach-spec.h. */
#include "lib/attach/attach-spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_path(struct attach_spec *ret, const char *text, size_t length)
{
	size_t at = 0;

	if (text[0] != '/') {
		if (!getcwd(ret->path, sizeof(ret->path)))
			return -errno;
		at = strlen(ret->path);
		ret->path[at++] = '/';
	}
	if (at + length >= sizeof(ret->path))
		return -ENAMETOOLONG;
	memcpy(ret->path + at, text, length);
	ret->path[at + length] = '\0';
	return 0;
}

int attach_spec_parse(const char *text, struct attach_spec *ret)
{
	static const char host_mark[] = ",host=", session_mark[] = ",session=";
	const char *host = strstr(text, host_mark);
	const char *end = host ? host : text + strlen(text);
	const char *session = strstr(text, session_mark);
	size_t length;

	ret->host = host ? host + strlen(host_mark) : secure_getenv("UMADRIG_HOST");
	if (!ret->host)
		ret->host = "";
	ret->session[0] = '\0';
	if (session && session < end) {
		length = (size_t)(end - session) - strlen(session_mark);
		if (length >= sizeof(ret->session))
			return -ENAMETOOLONG;
		memcpy(ret->session, session + strlen(session_mark), length);
		ret->session[length] = '\0';
		end = session;
	}
	return end == text ? -EINVAL : set_path(ret, text, (size_t)(end - text));
}
