# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/agents: what answers in a node: SMA, PMA and others, and the traps that it sends.
libsim_la_SOURCES += \
	sim/agents/cc.c sim/agents/cc.h \
	sim/agents/config-space.c sim/agents/config-space.h \
	sim/agents/device-chip.c sim/agents/device-chip.h \
	sim/agents/device-health.c sim/agents/device-health.h \
	sim/agents/device-register.c sim/agents/device-register.h \
	sim/agents/gs-agent.c sim/agents/gs-agent.h \
	sim/agents/mlnx-agent.c sim/agents/mlnx-agent.h \
	sim/agents/pma.c sim/agents/pma.h \
	sim/agents/pma-counters.c \
	sim/agents/pma-samples.c \
	sim/agents/pma-select.c \
	sim/agents/register-access.c sim/agents/register-access.h \
	sim/agents/register-counters.c \
	sim/agents/register-diagnosis.c \
	sim/agents/register-field.c sim/agents/register-field.h \
	sim/agents/register-firmware.c \
	sim/agents/register-identity.c \
	sim/agents/register-module.c \
	sim/agents/register-parts.h \
	sim/agents/register-port.c \
	sim/agents/register-sensor.c \
	sim/agents/sma.c sim/agents/sma.h \
	sim/agents/sma-device.c \
	sim/agents/sma-node.c \
	sim/agents/sma-port.c \
	sim/agents/sma-register.c \
	sim/agents/sma-table.c \
	sim/agents/sma-virtual.c
