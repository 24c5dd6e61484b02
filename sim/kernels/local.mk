# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/kernels: kernels of Linux's own files, in shared objects.
libsim_la_SOURCES += \
	sim/kernels/built-kernel.c sim/kernels/built-kernel.h \
	sim/kernels/found-faults.c sim/kernels/found-faults.h \
	sim/kernels/kernel-cache.c sim/kernels/kernel-cache.h \
	sim/kernels/kernel-wish.c sim/kernels/kernel-wish.h
