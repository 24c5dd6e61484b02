# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/host: a node at work: what arrives at it, its kernel, and what programs have of that.
libsim_la_SOURCES += \
	sim/host/arrival.c sim/host/arrival.h
