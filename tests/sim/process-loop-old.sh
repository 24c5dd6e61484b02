#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# process-loop-old: the loop sees the end of children on kernels without pidfd_open(2) as well.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=.}"
. "$top_srcdir/tests/rig/tap.sh"

deny=$top_builddir/tests/tools/deny
"$deny" pidfd -- true || tap_skip_all "no system call can be refused here"
exec "$deny" pidfd -- "$top_builddir/tests/sim/process-loop"
