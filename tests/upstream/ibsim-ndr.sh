#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-ibsim-ndr: ibsim does not read what ibnetdiscover -f prints of a fabric with NDR links:
# "bad extended speed 8". ibsim 6f90798, in 0.12.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibsim
bug_is ibsim "$(ibsim_release)" 0.0 0.12
fabric() {
	net_of_adapters 2 1 | sed "s/\\[1\\]\$/[1]\t\t# lid 2 4xQDR s=4 w=2 v=1 e=$1/"
}
fabric 4 >hdr.net
fabric 8 >ndr.net
tap_has "HDR" "$(ibsim_reads hdr.net)" "simulator ready"
bug_shows "NDR" "$(ibsim_reads ndr.net | grep -o -e 'bad extended speed 8' -e 'simulator ready')" \
	"bad extended speed 8" "simulator ready"

tap_done
