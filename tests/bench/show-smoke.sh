#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-smoke: the benchmark of umadrig show works, and both sides see every MAD. Nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"
command -v tshark >/dev/null 2>&1 || tap_skip_all "no tshark: install tshark"
tap_is "tshark and we see every MAD" "$("$top_srcdir/tests/bench/show" --smoke 2>&1)" ""
said=$("$top_srcdir/tests/bench/show-memory" --smoke 2>&1)
if [ $? = 0 ]; then tap_pass "four times as many MADs take no more memory"
else tap_fail "four times as many MADs take no more memory" "$said"; fi
tap_done
