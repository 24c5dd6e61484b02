#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-discovery-leak: libibnetdisc loses memory for each port whose LID it has already seen:
# each port of a switch but the first. Daemons that discover again and again grow. rdma-core
# 5814d7842, in 50.0.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibnetdiscover ibstat
command -v valgrind >/dev/null || tap_skip_all "no valgrind here"
bug_is rdma-core "$(rdma_core_release)" 0.0 50.0
stock a1 "$data/ring.net" valgrind --leak-check=full --log-file=leaks ibnetdiscover >out 2>err
tap_is "it finds the fabric" "$?:$(grep -c -e '^Switch' -e '^Ca' out)" 0:12
blocks=$(sed -n 's/.*definitely lost: [0-9,]* bytes in \([0-9,]*\) blocks$/\1/p' leaks)
bug_shows "blocks that are lost, one for each port of a switch that is up and not the first" \
	"${blocks:-0}" 24 0

tap_done
