# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/time: the event queue, the clocks that drive it, the threads that wait for them; our threads;
# chance.
libformats_la_SOURCES += \
	sim/time/chance.c sim/time/chance.h \
	sim/time/quiet-thread.c sim/time/quiet-thread.h
libsim_la_SOURCES += \
	sim/time/clock.c sim/time/clock.h \
	sim/time/event-queue.c sim/time/event-queue.h \
	sim/time/presence.c sim/time/presence.h
