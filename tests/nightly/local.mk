# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/nightly: OpenSM explored, by plans. make check does a few runs of two of them.
TESTS += tests/nightly/nightly.sh
EXTRA_DIST += tests/nightly/judge.py tests/nightly/known \
	tests/nightly/blocks.plan \
	tests/nightly/cached.plan \
	tests/nightly/congestion.plan \
	tests/nightly/console.plan \
	tests/nightly/engine-ftree.plan \
	tests/nightly/engine-lash.plan \
	tests/nightly/engine-nue.plan \
	tests/nightly/engine-torus-2QoS.plan \
	tests/nightly/handover-stopped.plan \
	tests/nightly/handover-up.plan \
	tests/nightly/handover2.plan \
	tests/nightly/handover3.plan \
	tests/nightly/joins.plan \
	tests/nightly/killed.plan \
	tests/nightly/late.plan \
	tests/nightly/lies-any.plan \
	tests/nightly/lies-block.plan \
	tests/nightly/lies-congestion.plan \
	tests/nightly/lies-guid.plan \
	tests/nightly/lies-lid.plan \
	tests/nightly/lies-modifier.plan \
	tests/nightly/lies-path.plan \
	tests/nightly/lies-port.plan \
	tests/nightly/lies-rmpp.plan \
	tests/nightly/lies-status.plan \
	tests/nightly/losses.plan \
	tests/nightly/lost-sets.plan \
	tests/nightly/merge.plan \
	tests/nightly/own-node.plan \
	tests/nightly/partitions-changed.plan \
	tests/nightly/partitions.plan \
	tests/nightly/perfmgr.plan \
	tests/nightly/qos-tables.plan \
	tests/nightly/qos.plan \
	tests/nightly/reboot.plan \
	tests/nightly/refused.plan \
	tests/nightly/traps.plan \
	tests/nightly/users.plan \
	tests/nightly/nightly.sh
# All plans; OPENSM=, PLANS=, RUNS= and OUTPUT= as tests/nightly/nightly.sh has them.
check-nightly: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) NIGHTLY=all $(srcdir)/tests/nightly/nightly.sh
.PHONY: check-nightly
