# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/programs: programs that this process starts, and those of a fabric in its virtual time.
libformats_la_SOURCES += \
	sim/programs/program-addresses.c sim/programs/program-addresses.h \
	sim/programs/program-child.c sim/programs/program-child.h \
	sim/programs/program-environment.c sim/programs/program-environment.h \
	sim/programs/program-kind.c sim/programs/program-kind.h \
	sim/programs/program-stand-in.c sim/programs/program-stand-in.h
libsim_la_SOURCES += \
	sim/programs/program-file.c sim/programs/program-file.h \
	sim/programs/program-guard.c sim/programs/program-guard.h \
	sim/programs/program-in-guest.c sim/programs/program-in-guest.h \
	sim/programs/program-on-fabric.c sim/programs/program-on-fabric.h \
	sim/programs/program-session.c sim/programs/program-session.h
