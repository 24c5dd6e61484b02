/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What UMAD_BACKEND has behind "attach:": where a fabric's server is, for whom.
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_SPEC_H
#define UMADRIG_LIB_ATTACH_ATTACH_SPEC_H

#include <limits.h>

#include "lib/attach/protocol.h"

struct attach_spec {
	char path[PATH_MAX];	/* of the socket, absolute */
	char session[ATTACH_SESSION_SIZE];	/* "": none */
	const char *host;	/* of the text, to its end; or UMADRIG_HOST; "": none */
};

/*
 * Takes "SOCKET[,session=NAME][,host=NODE]" apart, which must stay: a host's name may have any
 * characters. A path is made absolute, as threads connect later, when the current directory may be
 * another. 0; -EINVAL: a socket is missing; -ENAMETOOLONG; or -errno of getcwd(3).
 */
int attach_spec_parse(const char *text, struct attach_spec *ret);

#endif
