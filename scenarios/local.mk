# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scenarios: the shipped scripts. Each is a test of its own, and is installed.

# -- timeouts, and the umad file itself
SCENARIOS = \
	scenarios/timeout/answer.mad \
	scenarios/timeout/flow.mad \
	scenarios/timeout/gone.mad \
	scenarios/timeout/match.mad \
	scenarios/timeout/order.mad \
	scenarios/timeout/report.mad \
	scenarios/timeout/response.mad \
	scenarios/timeout/retries.mad \
	scenarios/timeout/zero.mad \
	scenarios/umad/issm.mad \
	scenarios/umad/message.mad \
	scenarios/umad/read.mad \
	scenarios/umad/register.mad \
	scenarios/umad/tid.mad \
	scenarios/umad/write.mad

# -- dispatch, directed routes
SCENARIOS += \
	scenarios/dispatch/agent.mad \
	scenarios/dispatch/dropped.mad \
	scenarios/dispatch/nobody.mad \
	scenarios/dispatch/register.mad \
	scenarios/dispatch/self.mad \
	scenarios/route/local.mad \
	scenarios/route/mkey.mad \
	scenarios/route/peer.mad

# -- what the other end does
SCENARIOS += \
	scenarios/peer/rmpp.mad \
	scenarios/peer/withholds.mad

# -- ports and nodes
SCENARIOS += \
	scenarios/ports/attributes.mad \
	scenarios/ports/counters.mad

# -- packets, right and wrong
SCENARIOS += \
	scenarios/wire/broken.mad \
	scenarios/wire/packet.mad

# -- messages in segments
SCENARIOS += \
	scenarios/rmpp/both.mad \
	scenarios/rmpp/dual.mad \
	scenarios/rmpp/endless.mad \
	scenarios/rmpp/lost.mad \
	scenarios/rmpp/receive.mad \
	scenarios/rmpp/send.mad \
	scenarios/rmpp/user.mad

# -- programs on the fabric, in real time
SCENARIOS += \
	scenarios/programs/guids.mad \
	scenarios/programs/lids.mad \
	scenarios/programs/loss.mad \
	scenarios/programs/multicast.mad \
	scenarios/programs/opensm.mad \
	scenarios/programs/partitions.mad \
	scenarios/programs/stress.mad \
	scenarios/programs/switches.mad
FABRICS = scenarios/programs/sixteen-hosts.net scenarios/programs/three-hosts.net

# -- sixty thousand points in seconds: by tests/harness/scenarios-matrix.sh, once and in few lines
MATRICES = \
	scenarios/rmpp/matrix-device.mad \
	scenarios/rmpp/matrix-sa.mad \
	scenarios/rmpp/matrix-vendor.mad
# What they include.
MATRICES += \
	scenarios/rmpp/matrix.inc \
	scenarios/rmpp/matrix-older.inc \
	scenarios/rmpp/matrix-answer.inc \
	scenarios/rmpp/matrix-ask.inc \
	scenarios/rmpp/matrix-echo.inc \
	scenarios/rmpp/matrix-request.inc \
	scenarios/rmpp/matrix-silence.inc

nobase_dist_pkgdata_DATA = $(SCENARIOS) $(MATRICES) $(FABRICS)

MAD_LOG_COMPILER = $(TEST_RUN) $(top_builddir)/umadrig
AM_MAD_LOG_FLAGS = run --twice
AM_MAD_LOG_DRIVER_FLAGS = --ignore-exit
TESTS += $(SCENARIOS)
