#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-uevents: in virtual time programs hear of their simulated host's adapters by netlink, the
# kernel's uevents and udev's, at the instant at which they come and go, the same each time. What a
# socket answers is compared with Linux itself. One program, with the library, static, and static
# for musl.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

umadrig=$top_builddir/umadrig
source=$top_srcdir/tests/any/uevent-says.c
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual
schedule=0
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
CTL="$umadrig ctl"
export CTL

. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch udevadm

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
below() {
	timeout -s KILL 100 "$umadrig" exec --fabric "$fabric,schedule=$schedule" -- "$@" \
		>out 2>err </dev/null
}
any_builds_three "$source" all 0

# Linux's own answers, and those of 6.18, where this machine's may be asked.
cp "$top_srcdir/tests/any/uevent-says.txt" answers
if [ "$(id -u)" != 0 ]; then
	# Another peer, and as much of a buffer as one likes, are for root.
	sed -i '/^connect to 77/,/^to: /d; /^force/d' answers
fi
./dynamic answers >machine 2>&1
if grep -q '^socket: ' machine; then
	tap_skip "what Linux answers" "no netlink socket of uevents here ($(head -n 1 machine))"
else
	tap_ok "what the machine's Linux answers" cmp machine answers
fi

cat >waits.sh <<'END'
{
$CTL after 1500ms device remove HostB
$CTL after 2s node on HostB
$CTL after 3250us device remove HostB
$CTL after 1s node on HostB
} >numbers
exec "$1" waits
END
# Nothing is read before an adapter has come and gone so often. (One command for all of it would
# take seconds of real time on a busy machine, and virtual time is said to stand still then.)
cat >late.sh <<'END'
"$1" late >said &
for i in $(seq "$2"); do
	for k in $(seq 10); do
		echo 'device remove HostB'
		echo 'node on HostB'
	done | $CTL
done
: >go
wait
cat said
END
cat >thrice.sh <<'END'
{
$CTL after 1s device remove HostB
$CTL after 2s node on HostB
$CTL after 3s device remove HostB
} >numbers
exec "$@"
END
for program in $programs; do
	below "$program" answers
	status=$?
	if [ $status = 0 ] && cmp -s out answers; then
		tap_pass "sockets that hear nothing, $program"
	else
		tap_fail "sockets that hear nothing, $program" "status $status" \
			"$(diff answers out | head -n 20)" "$(head -c 2000 err)"
	fi

	for schedule in 0 3 pct:5 pos:7; do
		below sh waits.sh "$program"
		tap_is "waits by recv, recvmsg, poll, select and epoll, $program, schedule $schedule" \
			"$(cat out)" "ready
recv: 1000003250 us, 241 bytes, issm0
recvmsg: 1000003250 us, 240 bytes, umad0
not yet: 0
poll: 1
then: 1001000000 us, 285 bytes, 0000:1e:00.0
select: 1
then: 1001500000 us, 242 bytes, issm0
not yet: 0
epoll: 1
then: 1002000000 us, 286 bytes, 0000:1e:00.0"
	done
	schedule=0

	# 2,560 uevents, of which the buffer holds the first 171, as Linux 6.1 reckons. So many take
	# some ten seconds of a processor, so one program has them, and others 320.
	rm -f go
	times=16
	[ "$program" = ./dynamic ] || times=2
	below sh late.sh "$program" $times
	[ "$(id -u)" = 0 ] || echo 'a large one 2048, the last 2048' >>out
	tap_is "one that does not read loses some, and is told first, $program" \
		"$(grep -v '^a large' out)" "ready
first: ENOBUFS
then 171, the last 171
told once: EAGAIN
with NO_ENOBUFS 171, the last 171
a small one: 105, 4 bytes
then 4, the last 4
without a number, of udev: ENOBUFS"
	[ $times = 2 ] || tap_has "and a large buffer holds more" "$(cat out)" \
		"a large one 2048, the last 2048"

	below sh thrice.sh "$program" shared
	tap_is "a child and its parent have one queue, $program" "$(cat out)" "ready
child: 1001000000 us, 241 bytes, issm0
parent: 1001000000 us, 240 bytes, umad0"

	below sh thrice.sh "$program" filters
	tap_is "filters of sockets, $program" "$(cat out)" "attach: 0
attach: 0
ready
added: 1002000000 us, 12 bytes, devices
added: 1002000000 us, 12 bytes, devices
added: 1002000000 us, 12 bytes, devices
of udev: 1002000000 us, 212 bytes, udev's
of udev: 1002000000 us, 331 bytes, udev's"

	# One that dies, and one that goes on.
	below sh thrice.sh sh -c "timeout -s KILL 1.5 $program all 10 >/dev/null; $program all 4"
	tap_is "one that is killed takes nothing from the next, $program" \
		"$(grep -c '^from 1, groups 2, 12 bytes, flags 0$' out)" 16
	cp out "all-$(basename "$program")"
	below sh thrice.sh sh -c "timeout -s KILL 1.5 $program all 10 >/dev/null; $program all 4"
	tap_ok "the same to the byte, $program" cmp out "all-$(basename "$program")"
	tap_ok "the same by whatever calls, $program" cmp out all-dynamic
done

below sh thrice.sh ./dynamic many 100
tap_is "a hundred sockets of one program" "$(cat out)" "opened 100, distinct 1
an event for 100"
if [ "$programs" != ./dynamic ]; then
	below sh thrice.sh ./static many 100
	tap_is "64 of one that no library can be put into" "$(cat out)" \
		"opened 64, then EMFILE, distinct 1
an event for 64"
fi

# Each host has its own; nothing comes of links and of other hosts.
cat >others.sh <<'END'
$CTL after 1s device remove HostA >numbers
$CTL after 2s link down 'HostB[1]' >numbers
UMADRIG_HOST=HostA ./dynamic all 4 | grep -c '^from' &
wait $!
$CTL after 1s node on HostA >numbers
./dynamic all 4 | grep -c '^from'
END
below sh others.sh
tap_is "each host has its own" "$(cat out)" "12
0"
if [ "$programs" != ./dynamic ]; then
	preloaded=$fabric
	fabric=$fabric,how=filter
	below sh others.sh
	tap_is "each host has its own, below the filter" "$(cat out)" "12
0"
	fabric=$preloaded
fi

# At one instant: Linux would tell of both.
cat >instant.sh <<'END'
$CTL after 1s device remove HostB >numbers
$CTL after 1s node on HostB >numbers
./dynamic all 4 | grep -a '^remove@\|^add@' | sed 's/.*\///'
END
below sh instant.sh
tap_is "one that goes and comes back at one instant" "$(tr '\n' ' ' <out)" \
	"issm0 umad0 issm1 umad1 uverbs0 sim0 0000:1e:00.0 0000:1e:00.0 uverbs0 umad0 issm0 umad1 issm1 sim0 "

# Time does not go on without end, nor does it stand still.
below ./dynamic shared
tap_is "one that nothing can reach ends the session" "$?" 123
tap_has "and is named" "$(cat err)" "waits"

if command -v udevadm >/dev/null; then
	at=/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0
	events() {
		sed -n 's/^\([A-Z]*\) *\[\([0-9.]*\)\] \([a-z]*\) *\(.*\)/\1 \2 \3 \4/p' "$1"
	}
	# GROUP TIME: the adapter's own events.
	going() {
		for line in 'remove /infiniband_mad/issm0 (infiniband_mad)' \
			'remove /infiniband_mad/umad0 (infiniband_mad)' \
			'remove /infiniband_mad/issm1 (infiniband_mad)' \
			'remove /infiniband_mad/umad1 (infiniband_mad)' \
			'remove /infiniband_verbs/uverbs0 (infiniband_verbs)' \
			'remove /infiniband/sim0 (infiniband)' 'unbind  (pci)' 'remove  (pci)'; do
			rest=${line#* }
			printf '%s %s %s %s%s\n' "$1" "$2" "${line%% *}" "$at" "$rest"
		done
	}
	coming() {
		for line in 'add  (pci)' 'add /infiniband_verbs/uverbs0 (infiniband_verbs)' \
			'add /infiniband_mad/umad0 (infiniband_mad)' \
			'add /infiniband_mad/issm0 (infiniband_mad)' \
			'add /infiniband_mad/umad1 (infiniband_mad)' \
			'add /infiniband_mad/issm1 (infiniband_mad)' \
			'add /infiniband/sim0 (infiniband)' 'bind  (pci)'; do
			rest=${line#* }
			printf '%s %s %s %s%s\n' "$1" "$2" "${line%% *}" "$at" "$rest"
		done
	}
	cat >twice.sh <<'END'
$CTL after 1s device remove HostB >numbers
$CTL after 62s node on HostB >numbers
timeout 70 udevadm monitor "$@"
: it has been ended
END
	for group in kernel udev; do
		name=UDEV
		[ $group = udev ] || name=KERNEL
		{
			going "$name" 1001.000000
			coming "$name" 1062.000000
		} >expected
		below sh twice.sh --$group
		events out >said
		tap_is "udevadm monitor --$group: an adapter is pulled out and put back" "$(cat said)" \
			"$(cat expected)"
	done
	below sh twice.sh --kernel --udev --property
	tap_is "udevadm monitor --kernel --udev: both at once" "$(events out | sort)" \
		"$( (going KERNEL 1001.000000; coming KERNEL 1062.000000; going UDEV 1001.000000
		coming UDEV 1062.000000) | sort)"
	cp out first
	below sh twice.sh --kernel --udev --property
	tap_ok "the same to the byte" cmp out first
	below sh twice.sh --udev --property --subsystem-match=infiniband
	tap_is "with a filter for a subsystem" "$(events out)" \
		"$( (going UDEV 1001.000000; coming UDEV 1062.000000) | grep '(infiniband)$')"
	tap_has "with properties of udev's database" "$(cat out)" "ID_RDMA_INFINIBAND=1"
	below sh twice.sh --udev --tag-match=systemd
	tap_is "with a filter for a tag" "$(events out | grep -c 'issm\|uverbs\|(pci)') $(events out |
		grep -c umad)" "0 4"
	below sh -c 'udevadm info /sys/class/infiniband/sim0; cat /run/udev/data/c231:1'
	tap_has "udevadm info finds none" "$(cat err)" "Unknown device"
	tap_has "but udev's database is there" "$(cat out)" "SYSTEMD_ALIAS=/sys/subsystem/rdma"
	"$umadrig" explore --twice --runs 12 --fabric "$fabric" -- sh twice.sh --kernel --udev \
		>explored 2>&1 </dev/null
	tap_is "many seeds and schedules, each twice" "$? $(tail -n 1 explored | cut -d ';' -f 1)" \
		"0 12 runs, 0 failed"
else
	tap_skip "udevadm" "no udevadm here (Debian: udev)"
fi

tool_rows kernel <<'END'
udevadm monitor, --kernel, --udev (in virtual time) | right: an adapter that is pulled out and put back, at times of the session, the same each time | udevadm monitor --kernel
udevadm monitor, --property, --subsystem-match, --tag-match (in virtual time) | right | with a filter
udevadm info (in virtual time) | finds no device: it opens each directory of a path by a descriptor, which is not led | udevadm info finds none
END
tap_done
