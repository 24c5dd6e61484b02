#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-verbs: a program that loads no library of ours is recorded, and has a capture replayed to it,
# as others are: by record, by record to a scenario, and by replay.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

fabric=$top_srcdir/tests/data/two-switches.net
any_needs_filter
any_expected
gcc -std=gnu11 -O2 -static -o static "$top_srcdir/tests/any/neighbour.c" 2>log ||
	tap_skip_all "no static libc here (libc6-dev)"

"$umadrig" record -o bundle --fabric "$fabric" --host HostB -- ./static >out 2>err
any_is "record: the program prints what it does under exec" $? everything
tap_has "and what it asked is in the bundle" \
	"$("$umadrig" show bundle/capture.pcapng)" "Get(NodeInfo)"
# A capture knows no names of devices.
sed 's/sim0/H1/' everything >replayed
"$umadrig" replay bundle -- ./static >out 2>err
any_is "replay: the capture answers it" $? replayed
"$umadrig" replay bundle --how filter -- ./static >out 2>err
any_is "and with --how filter" $? replayed
"$umadrig" record -o made.mad --fabric "$fabric" --host HostB -- ./static >out 2>err
any_is "record: a scenario of it" $? everything
"$umadrig" run made.mad >out 2>err
tap_is "which passes" $? 0
tap_has "and sends what it sent" "$(cat made.mad)" NodeInfo

# PART COMMAND...: refused, with this part of the reason.
refuses() {
	part=$1
	shift
	"$umadrig" "$@" >out 2>err
	tap_has "$1: $part" "$?:$(cat err)" "$part"
}
refuses "125:" replay bundle --how preload -- ./static
refuses "is linked statically" record -o new --how preload -- ./static
refuses "expected preload, filter or both" record -o new --how any -- ./static
refuses "expected preload, filter or both" replay bundle --how any -- ./static
refuses "--how goes with a command" replay bundle --mode timed --how both
refuses "--how, which are of simulated" record -o new --backend ib_umad --how both -- ./static
refuses "recorded by libibumad" record -o real --backend ib_umad -- ./static
tap_done
