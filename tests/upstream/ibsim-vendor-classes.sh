#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-ibsim-vendor-classes: adapters of ibsim say that they have an agent for a vendor's
# class, and none of them answers. ibsim c7afabc, in 0.11.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs ibsim smpquery
bug_is ibsim "$(ibsim_release)" 0.0 0.11
net_of_adapters 2 1 >net
said=$(ibsim_runs net H-0000000000001000 smpquery PI -D 0)
tap_has "the port answers" "$said" IsTrapSupported
bug_shows "IsVendorClassSupported" "$(echo "$said" | grep -c IsVendorClassSupported)" 1 0

tap_done
