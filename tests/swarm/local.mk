# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/swarm: random programs on an arbitrarily faulty wire, and an oracle.
check_PROGRAMS += tests/swarm/swarm
TESTS += tests/swarm/swarm

tests_swarm_swarm_SOURCES = tests/swarm/swarm.c tests/swarm/swarm.h \
	tests/swarm/swarm-memory.c tests/swarm/swarm-memory.h \
	tests/swarm/swarm-oracle.c \
	tests/swarm/swarm-play.c tests/swarm/swarm-play.h \
	tests/swarm/swarm-rmpp.c \
	tests/swarm/swarm-send.c tests/swarm/swarm-send.h \
	tests/swarm/swarm-world.c \
	tests/swarm/swarm-write.c
tests_swarm_swarm_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_swarm_swarm_LDADD = $(STATIC_LDADD)

# make check plays a few hundred seeds, this target a hundred thousand.
SWARM_SEEDS = 0..99999
check-swarm: tests/swarm/swarm
	tests/swarm/swarm --seeds $(SWARM_SEEDS) --jobs 2
.PHONY: check-swarm
