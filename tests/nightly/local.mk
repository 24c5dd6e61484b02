# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/nightly: OpenSM explored, by plans. make check does a few runs of two of them.
TESTS += tests/nightly/nightly.sh tests/nightly/plants.sh
EXTRA_DIST += tests/nightly/judge.py tests/nightly/known tests/nightly/plant.py \
	tests/nightly/check-plants \
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
	tests/nightly/nightly.sh tests/nightly/plants.sh
# Bugs that are planted into OpenSM.
EXTRA_DIST += tests/nightly/plants/armed.patch \
	tests/nightly/plants/cc-uncounted.patch \
	tests/nightly/plants/console-unlock.patch \
	tests/nightly/plants/early-wakeup.patch \
	tests/nightly/plants/handover-ignored.patch \
	tests/nightly/plants/heir-waits.patch \
	tests/nightly/plants/hup-lost.patch \
	tests/nightly/plants/last-block.patch \
	tests/nightly/plants/leave-unlock.patch \
	tests/nightly/plants/lft-no-retry.patch \
	tests/nightly/plants/lid-conflict.patch \
	tests/nightly/plants/lid-unmarked.patch \
	tests/nightly/plants/min-hop.patch \
	tests/nightly/plants/pkey-half.patch \
	tests/nightly/plants/priority-reversed.patch \
	tests/nightly/plants/second-master.patch \
	tests/nightly/plants/slvl-lost.patch \
	tests/nightly/plants/stale-link.patch \
	tests/nightly/plants/switch-rebooted.patch \
	tests/nightly/plants/timeout-uncounted.patch \
	tests/nightly/plants/trap-noise.patch

# All plans; OPENSM=, PLANS=, RUNS= and OUTPUT= as tests/nightly/nightly.sh has them.
check-nightly: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) NIGHTLY=all $(srcdir)/tests/nightly/nightly.sh
# Bugs that are planted into OpenSM are found: OPENSM_SOURCE=, PLANTS=, RUNS= and OUTPUT= as
# tests/nightly/check-plants has them.
check-plants: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/nightly/check-plants
.PHONY: check-nightly check-plants
