# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/sa: the subnet administration of warm fabrics (sa=builtin).
libsim_la_SOURCES += \
	sim/sa/group-tree.c sim/sa/group-tree.h \
	sim/sa/path-walk.c sim/sa/path-walk.h \
	sim/sa/sa.c sim/sa/sa.h \
	sim/sa/sa-answer.c sim/sa/sa-answer.h \
	sim/sa/sa-group.c \
	sim/sa/sa-guid.c \
	sim/sa/sa-inform.c sim/sa/sa-inform.h \
	sim/sa/sa-kind.c sim/sa/sa-kind.h \
	sim/sa/sa-link.c \
	sim/sa/sa-list.h \
	sim/sa/sa-manager.c \
	sim/sa/sa-node.c \
	sim/sa/sa-path.c \
	sim/sa/sa-port.c \
	sim/sa/sa-request.c sim/sa/sa-request.h \
	sim/sa/sa-selector.c sim/sa/sa-selector.h \
	sim/sa/sa-service.c \
	sim/sa/sa-store.h \
	sim/sa/sa-switch.c \
	sim/sa/sa-table.c sim/sa/sa-table.h
