# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/stock: the distribution's programs.
TESTS += tests/stock/ibnetdiscover.sh tests/stock/smpquery.sh tests/stock/links.sh \
	tests/stock/opensm.sh tests/stock/faults.sh tests/stock/agents.sh \
	tests/stock/perfquery.sh tests/stock/sweeps.sh tests/stock/loss.sh \
	tests/stock/saquery.sh tests/stock/osmtest.sh tests/stock/tools.sh \
	tests/stock/crashes.sh tests/stock/lists.sh tests/stock/smps.sh tests/stock/records.sh \
	tests/stock/ibutils.sh tests/stock/programs.sh tests/stock/full.sh tests/stock/survey.sh
EXTRA_DIST += tests/stock/agents.sh tests/stock/crashes.sh tests/stock/faults.sh \
	tests/stock/full.sh tests/stock/graph-compare.awk tests/stock/graph-linkinfo.awk \
	tests/stock/graph-lists.awk tests/stock/graph-queries.awk tests/stock/graph-read.awk \
	tests/stock/graph-route.awk tests/stock/ibnetdiscover.sh tests/stock/ibutils.sh \
	tests/stock/links.sh tests/stock/lists.sh tests/stock/loss.sh tests/stock/opensm.sh \
	tests/stock/osmtest.sh tests/stock/perfquery.sh tests/stock/programs.sh \
	tests/stock/records.sh tests/stock/sa-records.awk tests/stock/saquery.sh \
	tests/stock/smpquery.sh tests/stock/smps.sh tests/stock/stock-fabric.sh \
	tests/stock/stock.sh tests/stock/survey.sh tests/stock/sweeps.sh tests/stock/tools.sh
TESTS += tests/stock/filter.sh tests/stock/lies.sh tests/stock/properties.sh tests/stock/scrub.sh
EXTRA_DIST += tests/stock/filter.sh tests/stock/lies.sh tests/stock/properties.sh \
	tests/stock/scrub.sh

TESTS += tests/stock/own-sa.sh
EXTRA_DIST += tests/stock/own-sa.sh tests/stock/sa-requests.txt \
	tests/stock/sa-differences.awk tests/stock/sa-differences.txt

TESTS += tests/stock/replay.sh
EXTRA_DIST += tests/stock/replay.sh

TESTS += tests/stock/subnets.sh
EXTRA_DIST += tests/stock/subnets.sh

TESTS += tests/stock/exporters.sh tests/stock/kubernetes.sh tests/stock/planes.sh \
	tests/stock/profiles.sh tests/stock/quirks.sh tests/stock/shapes.sh
EXTRA_DIST += tests/data/hfi1-sysfs.txt tests/data/mlx5-sysfs.txt
EXTRA_DIST += tests/stock/exporters-hour.py tests/stock/exporters.sh tests/stock/kubernetes.sh
EXTRA_DIST += tests/stock/topograph-labels.go
EXTRA_DIST += tests/stock/planes.sh tests/stock/profiles.sh tests/stock/quirks.sh
EXTRA_DIST += tests/stock/shapes.sh tests/stock/topology-rule.awk

TESTS += tests/stock/functions.sh tests/stock/qp1.sh
EXTRA_DIST += tests/stock/functions.sh tests/stock/qp1.sh

TESTS += tests/stock/seeds.sh
EXTRA_DIST += tests/stock/seeds.sh

TESTS += tests/stock/tshark.sh
EXTRA_DIST += tests/stock/tshark.sh

# All that tshark and umadrig read from the programs on 1,000 HCAs.
check-tshark: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) TSHARK_ALL=1 $(srcdir)/tests/stock/tshark.sh
.PHONY: check-tshark

# make check does 50 seeds of these in half a minute of a processor, this target 8,000.
EXPLORE_RUNS = 1000
check-explore: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) EXPLORE_RUNS=$(EXPLORE_RUNS) $(srcdir)/tests/stock/seeds.sh
.PHONY: check-explore

# Fabrics of thousands of nodes. On one processor, in seconds: 90, 300, 240, 410, 65; a full subnet
# 550, of which OpenSM 415; the crowd 60.
check-fabric: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/opensm.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/loss.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/sweeps.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/saquery.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/own-sa.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/osmtest.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/full.sh
	$(MAKE) check-crowd
	$(MAKE) check-hostile
.PHONY: check-fabric

# Counters that move.
TESTS += tests/stock/load.sh
EXTRA_DIST += tests/stock/load.sh

# What users may copy: doc/examples.
TESTS += tests/stock/examples.sh
EXTRA_DIST += tests/stock/examples.sh

TESTS += tests/stock/mstflint.sh
EXTRA_DIST += tests/stock/mstflint.sh
