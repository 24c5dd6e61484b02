/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * backend.c: chooses the backend, once.
 *
 * The environment is read with secure_getenv(): a program with more privileges than its caller
 * always gets the real thing.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/debug.h"
#include "lib/fail.h"
#include "lib/handle-table.h"
#include "lib/mad-tap.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct umad_backend *_Atomic chosen;	/* NULL: not yet, or none is available, */
static int chosen_error;			/* for this reason */
const struct umad_backend *_Atomic umad_backend_now;

/* If 'text' is 'name' alone or "name:spec", returns the spec, else NULL. */
static const char *match_name(const char *text, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(text, name, length) != 0)
		return NULL;
	if (text[length] == ':')
		return text + length + 1;
	return text[length] == '\0' ? text + length : NULL;
}

static void refuse(const char *value, int err, const char *reason)
{
	fprintf(stderr, "umad: UMAD_BACKEND=%s: %s\n", value, reason);
	chosen_error = err;
}

static void start(const char *value, const struct umad_backend *backend, const char *spec)
{
	char message[512] = "cannot be started";
	const char *banner;
	int r = 0;

	if (backend->start)
		r = backend->start(spec, message, sizeof(message));
	if (r < 0) {
		refuse(value, -r, message);
		return;
	}
	/* A simulation must never be mistaken for reality. */
	banner = backend->banner ? backend->banner() : NULL;
	if (banner)
		fprintf(stderr, "%s\n", banner);
	atomic_store_explicit(&chosen, backend, memory_order_release);
}

/* Real devices; with a tap if there is one to be. Without it the program goes on. */
static const struct umad_backend *real(void)
{
	const char *path = secure_getenv("UMAD_TAP");
	const struct umad_backend *tapped;
	char message[512];

	if (!path || path[0] == '\0')
		return &umad_backend_ib_umad;
	tapped = umad_tap(path, message, sizeof(message));
	if (tapped)
		return tapped;
	fprintf(stderr, "umad: %s; nothing is recorded\n", message);
	return &umad_backend_ib_umad;
}

static void choose(void)
{
	const char *value = secure_getenv("UMAD_BACKEND");
	const struct umad_backend *sim;
	char message[512];
	const char *spec;

	if (!value || value[0] == '\0') {
		atomic_store(&chosen, real());
	} else if ((spec = match_name(value, "ib_umad")) && spec[0] == '\0') {
		atomic_store(&chosen, real());
	} else if ((spec = match_name(value, "sim"))) {
		sim = umad_backend_sim(message, sizeof(message));
		if (sim)
			start(value, sim, spec);
		else
			refuse(value, ENODEV, message);
	} else if ((spec = match_name(value, "attach"))) {
		start(value, &umad_backend_attach, spec);
	} else {
		refuse(value, EINVAL, "no such backend; there are ib_umad, sim:FILE[,OPTION...] "
		       "and attach:SOCKET[,host=NODE]");
	}
}

const struct umad_backend *umad_backend_choose(void)
{
	const struct umad_backend *backend;

	pthread_once(&once, choose);
	backend = atomic_load_explicit(&chosen, memory_order_acquire);
	if (!backend)
		errno = chosen_error;
	umad_backend_set(backend);
	return backend;
}

void umad_backend_set(const struct umad_backend *backend)
{
	umad_handle_trust(backend && backend->finds_handles);
	atomic_store_explicit(&umad_backend_now, backend, memory_order_release);
}

void umad_backend_forget(void)
{
	once = (pthread_once_t)PTHREAD_ONCE_INIT;
	atomic_store(&chosen, NULL);
	umad_backend_set(NULL);
}

size_t umad_fd_closed_header_size(const struct umad_backend *backend, int fd)
{
	if (fd < 0 || backend->unregister_agent(fd, UINT32_MAX) != -EINVAL)
		return 0;
	umad_handle_forget(fd);
	return umad_handle_header_size(fd);
}

int umad_init(void)
{
	const struct umad_backend *backend = umad_backend_get();

	if (!backend)
		return -1;
	umad_trace("backend %s", backend->name);
	return 0;
}

int umad_host_enter(const char *host)
{
	const struct umad_backend *backend = umad_backend_get();
	int r;

	if (!backend)
		return -errno;
	if (!backend->host_enter)
		return host ? umad_fail(-EOPNOTSUPP) : 0;
	r = backend->host_enter(host);
	umad_trace("host %s: %d", host ? host : "(first)", r);
	return r < 0 ? umad_fail(r) : 0;
}

int umad_done(void)
{
	umad_trace("done");
	return 0;
}
