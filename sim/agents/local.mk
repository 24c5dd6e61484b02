# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/agents: what answers in a node: SMA, PMA and others, and the traps that it sends.
libsim_la_SOURCES += \
	sim/agents/cc.c sim/agents/cc.h \
	sim/agents/gs-agent.c sim/agents/gs-agent.h \
	sim/agents/mlnx-agent.c sim/agents/mlnx-agent.h \
	sim/agents/pma.c sim/agents/pma.h \
	sim/agents/pma-counters.c \
	sim/agents/pma-samples.c \
	sim/agents/pma-select.c \
	sim/agents/sma.c sim/agents/sma.h \
	sim/agents/sma-device.c \
	sim/agents/sma-node.c \
	sim/agents/sma-port.c \
	sim/agents/sma-table.c
