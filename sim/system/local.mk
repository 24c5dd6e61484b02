# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/system: substitutes for devices outside of a fabric: directories and pipes.
libsim_la_SOURCES += \
	sim/system/issm-pipe.c sim/system/issm-pipe.h \
	sim/system/private-directory.c sim/system/private-directory.h
