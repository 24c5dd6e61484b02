# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/doctor: what a machine lacks of what umadrig uses.
umadrig_SOURCES += \
	harness/doctor/doctor.c harness/doctor/doctor.h \
	harness/doctor/doctor-calls.c \
	harness/doctor/doctor-limits.c \
	harness/doctor/doctor-machine.c
