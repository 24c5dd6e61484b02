# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/topology: topology files, read and written; generated fabrics.
libformats_la_SOURCES += \
	sim/topology/comment.c \
	sim/topology/foreign.c sim/topology/foreign.h \
	sim/topology/format.h \
	sim/topology/generate.c sim/topology/generate.h \
	sim/topology/generate-dragonfly.c \
	sim/topology/generate-fat-tree.c \
	sim/topology/generate-planes.c \
	sim/topology/generate-rail.c \
	sim/topology/generate-subnets.c \
	sim/topology/generate-torus.c \
	sim/topology/guid.c \
	sim/topology/host-name.c sim/topology/host-name.h \
	sim/topology/ibdm.c \
	sim/topology/ibnetdiscover.c \
	sim/topology/ibnl.c sim/topology/ibnl.h \
	sim/topology/ibsim.c \
	sim/topology/json-string.c sim/topology/json-string.h \
	sim/topology/lid.c sim/topology/lid.h \
	sim/topology/line.c sim/topology/line.h \
	sim/topology/link.c \
	sim/topology/load.c sim/topology/load.h \
	sim/topology/loss.c sim/topology/loss.h \
	sim/topology/lst.c \
	sim/topology/mock-ib.c \
	sim/topology/model.c \
	sim/topology/nvlink.c sim/topology/nvlink.h \
	sim/topology/planes.c sim/topology/planes.h \
	sim/topology/port.c \
	sim/topology/rate.c \
	sim/topology/reader.c sim/topology/reader.h \
	sim/topology/record.c \
	sim/topology/shape.c sim/topology/shape.h \
	sim/topology/style.c sim/topology/style.h \
	sim/topology/topology-subnet.c sim/topology/topology-subnet.h \
	sim/topology/text-file.c sim/topology/text-file.h \
	sim/topology/tier.c sim/topology/tier.h \
	sim/topology/topology.c sim/topology/topology.h \
	sim/topology/write.h \
	sim/topology/write-dot.c \
	sim/topology/write-ibnetdiscover.c \
	sim/topology/write-json.c
