#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-ibsim-speed-0: a port whose extended speed is active may say LinkSpeedActive 0, which
# ibnetdiscover -f prints as s=0; ibsim refuses the file. ibsim 7acb441, in 0.12.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibsim
bug_is ibsim "$(ibsim_release)" 0.0 0.12
fabric() {
	net_of_adapters 2 1 | sed "s/\\[1\\]\$/[1]\t\t# lid 2 4xQDR s=$1 w=2 v=1/"
}
fabric 4 >qdr.net
fabric 0 >none.net
tap_has "s=4" "$(ibsim_reads qdr.net)" "simulator ready"
bug_shows "s=0" "$(ibsim_reads none.net | grep -o -e 'bad speed 0' -e 'simulator ready')" \
	"bad speed 0" "simulator ready"

tap_done
