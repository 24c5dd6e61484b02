# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/guests: hosts that are whole kernels: guests of User-mode Linux, in the fabric's time.
libsim_la_SOURCES += \
	sim/guests/guest-console.c sim/guests/guest-console.h \
	sim/guests/guest-datagram.c sim/guests/guest-datagram.h \
	sim/guests/guest-file.c sim/guests/guest-file.h \
	sim/guests/guest-image.c sim/guests/guest-image.h \
	sim/guests/guest-kernel.c sim/guests/guest-kernel.h \
	sim/guests/guest-letter.c sim/guests/guest-letter.h \
	sim/guests/guest-memory.c sim/guests/guest-memory.h \
	sim/guests/guest-port.c sim/guests/guest-port.h \
	sim/guests/guest-process.c sim/guests/guest-process.h \
	sim/guests/guest-programs.c sim/guests/guest-programs.h \
	sim/guests/guest-ring.c sim/guests/guest-ring.h \
	sim/guests/guest-set.c sim/guests/guest-set.h \
	sim/guests/guest-stream.c sim/guests/guest-stream.h \
	sim/guests/guest-time.c sim/guests/guest-time.h \
	sim/guests/guest-vhost.c sim/guests/guest-vhost.h \
	sim/guests/guest.c sim/guests/guest.h \
	sim/guests/hca-driver.c sim/guests/hca-driver.h \
	sim/guests/hca-machine.c sim/guests/hca-machine.h
