#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel-says: below a filter, programs read what the kernel of a simulated host says by itself: its
# messages in /dev/kmsg and by syslog(2), uevents by netlink, and udev's database, as the fabric is.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch dmesg udevadm

fabric=$top_srcdir/tests/data/two-switches.net,host=HostB
any_needs_filter
CTL="$umadrig ctl"
export CTL

below() {
	timeout -s KILL 250 "$umadrig" exec --how both --fabric "$fabric" -- "$@" >out 2>err
}
# NAME PROGRAM PACKAGE: false, and a skip, where there is no such program.
has() {
	command -v "$2" >/dev/null 2>&1 && return
	any_lacks "$1" "no $2 here (Debian: $3)"
	return 1
}
# begin COMMAND...: runs it, and goes on when its file "said" has a line "ready"; "$waiter" is its
# process. until_has PATTERN FILE: waits until a line of it is there, a minute at most.
cat >begin.sh <<'END'
until_has() {
	i=0
	while [ $i -lt 1200 ] && ! grep -q "$1" "$2"; do
		sleep 0.05
		i=$((i + 1))
	done
}
begin() {
	: >said
	"$@" >>said 2>&1 &
	waiter=$!
	until_has 'ready\|the kernel uevent\|after rule' said
	# What says so may not wait yet.
	sleep 0.3
}
END

# ---- system calls alone ----

any_builds_static kernel-says "$top_srcdir/tests/any/kernel-says.c"
cat >messages.sh <<'END'
$CTL link down 'HostB[1]'
$CTL node temperature HostB 110
$CTL link up 'HostB[1]'
./kernel-says messages
END
cp "$top_srcdir/tests/any/kernel-says.txt" expected
if [ "$(id -u)" != 0 ]; then
	# Without CAP_SYSLOG nothing can be cleared.
	sed -i 's/^clear: 0/clear: EPERM/; /^then/,/^none since/d' expected
fi
below sh messages.sh
grep -v '^then\|^data\|^none since' expected >expected.others
if grep -q 'pidfd_getfd(2) is refused' err; then
	tap_is "without pidfd_getfd(2): messages come in their order" "$(grep '^first\|^all' out)" \
		"$(grep '^first\|^all' expected)"
	tap_skip "all else of messages and uevents" "pidfd_getfd(2) is refused here, as containers do"
	tap_done
	exit
fi
sed -i 's/\[ *[0-9.]*\] //' out
[ "$(id -u)" = 0 ] || { grep -v '^then\|^data\|^none since' out >out.others; mv out.others out; }
any_is "/dev/kmsg and syslog(2): a cable pulled and plugged in, and a device that is hot" $? expected
tap_is "what cannot be written is said once" "$(grep -c 'can only be read' err)" 1

cat >wait.sh <<'END'
. ./begin.sh
begin ./kernel-says wait
$CTL link down 'HostB[2]'
wait $waiter
END
below sh wait.sh
tap_is "a read that sleeps gets the next message" "$(cat said)" "ready
came: 6 ;mlx5_core 0000:1e:00.0: Port module event: module 1, Cable unplugged"

cat >uevents.sh <<'END'
. ./begin.sh
begin ./kernel-says uevents
$CTL link down 'HostB[1]'
$CTL device remove HostB
wait $waiter
END
below sh uevents.sh
cat >expected <<'END'
no stream: ESOCKTNOSUPPORT
nothing: EAGAIN
name: 16 1 1
another number, below -4096: 1
protocol 15
another bind: EINVAL
of 0: EINVAL
a short one: EINVAL
send: EPERM
listen: EOPNOTSUPP
ready
from 0, groups 1, pid 0, uid 0, flags 0
remove@/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0/infiniband_mad/issm0
ACTION=remove
DEVPATH=/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0/infiniband_mad/issm0
SUBSYSTEM=infiniband_mad
MAJOR=231
MINOR=64
DEVNAME=infiniband/issm0
SEQNUM=1
the same: 1
from 0 1
cut: 7
remove@
END
cp said out
any_is "uevents: those of a device that is pulled out, and none of a link" 0 expected

# A copy of what is shown, as in a container or over a bridge.
"$umadrig" serve --fabric "$fabric" --socket "$work/socket" >ready 2>serve.err &
server=$!
while [ ! -s ready ]; do sleep 0.05; done
mkdir far
CTL="$umadrig ctl --socket $work/socket" timeout -s KILL 60 "$umadrig" exec --how both \
	--attach-command "TMPDIR=$work/far exec $umadrig bridge --socket $work/socket" -- \
	sh uevents.sh >out 2>err
cp said out
any_is "the same over a bridge" 0 expected
CTL="$umadrig ctl --socket $work/socket" timeout -s KILL 60 "$umadrig" exec --how filter \
	--attach "$work/socket" -- sh -c '$CTL node on HostB; . ./wait.sh' >out 2>err
tap_has "and by the filter alone, beside other programs of a server" "$(cat said)" \
	"came: 6 ;mlx5_core 0000:1e:00.0: Port module event: module 1, Cable unplugged"
kill "$server"
wait "$server"

# ---- programs that mean harm ----

cat >slow.sh <<'END'
. ./begin.sh
begin ./kernel-says slow 1500
for i in $(seq 750); do
	echo 'link down HostB[1]'
	echo 'link up HostB[1]'
done | $CTL
: >go
wait $waiter
END
below sh slow.sh
tap_is "one that does not read is told that it has missed some" \
	"$(sed -n '$p' said)" "all 1500: no, told EPIPE"
cat >many.sh <<'END'
./kernel-says many
./kernel-says wait >waited & waiter=$!
until grep -q ready waited; do sleep 0.05; done
sleep 0.3
$CTL link down 'HostB[1]'
wait $waiter
END
below sh many.sh
tap_is "one process gets no more than its share, and others read beside it" "$(cat out waited)" \
	"some 1, then EMFILE
and again: 0
ready
came: 6 ;mlx5_core 0000:1e:00.0: Port module event: module 0, Cable unplugged"

# ---- the distribution's programs ----

if has dmesg dmesg util-linux; then
	cat >dmesg.sh <<'END'
. ./begin.sh
$CTL link down 'HostB[1]'
dmesg
dmesg -S
dmesg -x
dmesg -w >followed &
waiter=$!
until_has unplugged followed
$CTL device fatal HostB
until_has 'recovery failed' followed
kill $waiter
wait $waiter
END
	below sh dmesg.sh
	unplugged="mlx5_core 0000:1e:00.0: Port module event: module 0, Cable unplugged"
	tap_is "dmesg, dmesg -S, dmesg -x" "$(sed 's/\[ *[0-9.]*\] //' out)" "$unplugged
$unplugged
kern  :info  : $unplugged"
	tap_is "dmesg -w: how an adapter fails" "$(sed -n 's/^\[.*\] mlx5_core 0000:1e:00.0: //p' \
		followed | sed 's/:(pid [0-9]*)//' | grep -v 'print_health_info:4\(4[2-9]\|[56]\)')" \
"Port module event: module 0, Cable unplugged
poll_health:836: Fatal error 5 detected
print_health_info:441: Health issue observed, firmware internal error, severity(3) ERROR:
mlx5_health_try_recover:347: handling bad device here
mlx5_health_try_recover:353: starting health recovery flow
mlx5_health_try_recover:355: health recovery failed"
	tap_is "with what its firmware has written" "$(grep -c print_health_info followed)" 18
	cat >clear.sh <<'END'
$CTL link down 'HostB[1]'
dmesg -T | sed 's/^\[[A-Z][a-z][a-z] [A-Z][a-z][a-z] [^]]* [0-9]*\] //'
dmesg -c | wc -l
dmesg
$CTL link up 'HostB[1]'
dmesg | wc -l
dmesg -C
dmesg
END
	if [ "$(id -u)" = 0 ]; then
		below sh clear.sh
		tap_is "dmesg -T, -c, -C" "$(cat out)" "$unplugged
1
1"
	else
		tap_skip "dmesg -T, -c, -C" "only root may clear messages"
	fi
fi

at=/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0
going="remove $at/infiniband_mad/issm0 (infiniband_mad)
remove $at/infiniband_mad/umad0 (infiniband_mad)
remove $at/infiniband_mad/issm1 (infiniband_mad)
remove $at/infiniband_mad/umad1 (infiniband_mad)
remove $at/infiniband_verbs/uverbs0 (infiniband_verbs)
remove $at/infiniband/sim0 (infiniband)
unbind $at (pci)
remove $at (pci)"
coming="add $at (pci)
add $at/infiniband_verbs/uverbs0 (infiniband_verbs)
add $at/infiniband_mad/umad0 (infiniband_mad)
add $at/infiniband_mad/issm0 (infiniband_mad)
add $at/infiniband_mad/umad1 (infiniband_mad)
add $at/infiniband_mad/issm1 (infiniband_mad)
add $at/infiniband/sim0 (infiniband)
bind $at (pci)"
if has udevadm udevadm udev; then
	# LAST ARGUMENT...: what udevadm monitor says until the last event has come.
	cat >monitor.sh <<'END'
. ./begin.sh
last=$1
shift
begin udevadm monitor "$@"
$CTL device remove HostB
$CTL node on HostB
until_has "$last" said
kill $waiter
wait $waiter
END
	events() {
		sed -n 's/^[A-Z]* *\[[0-9.]*\] \([a-z]*\) *\(.*\)/\1 \2/p' said
	}
	below sh monitor.sh "] bind .*1e:00.0 (pci)" --kernel
	tap_is "udevadm monitor --kernel: an adapter is pulled out and put back" "$(events)" \
		"$going
$coming"
	below sh monitor.sh "] bind .*1e:00.0 (pci)" --udev
	tap_is "udevadm monitor --udev: the same" "$(events)" "$going
$coming"
	below sh monitor.sh "^SEQNUM=15" --udev --property \
		--subsystem-match=infiniband
	tap_is "udevadm monitor with a filter for a subsystem" "$(events)" \
		"$(printf '%s\n%s\n' "$going" "$coming" | grep '(infiniband)$')"
	tap_is "with properties of udev's database, which has none of it by the time that it is read" \
		"$(grep -c '^ID_RDMA_INFINIBAND=1' said)" 2
	below sh monitor.sh "add.*infiniband_mad/umad1" --udev --tag-match=systemd
	tap_is "and with one for a tag" "$(events | grep -c 'issm\|uverbs\|(pci)')$(events | grep -c umad)" 04

	cat >info.sh <<'END'
udevadm info /sys/class/infiniband/sim0
echo "$?"
udevadm info -q property /dev/infiniband/umad1
udevadm info -q symlink /dev/infiniband/uverbs0 | tr ' ' '\n' | sort
udevadm info -a /sys/class/infiniband_verbs/uverbs0 | grep 'DRIVERS=="mlx5\|ATTR{ibdev}'
udevadm info -e | grep '^P:.*1e:00.0/infiniband' | sort
udevadm trigger --dry-run --verbose --subsystem-match=infiniband
udevadm trigger --subsystem-match=infiniband 2>&1 | grep -o 'uevent.: .*'
END
	below sh info.sh
	tap_is "udevadm info: of a device, by a path in /dev, with its parents, of all" \
		"$(sed '/^J: /d; s/\(USEC_INITIALIZED=\).*/\1/' out)" "P: $at/infiniband/sim0
M: sim0
R: 0
U: infiniband
E: DEVPATH=$at/infiniband/sim0
E: SUBSYSTEM=infiniband
E: NAME=sim0
E: USEC_INITIALIZED=
E: ID_RDMA_INFINIBAND=1
E: ID_RDMA_ROCE=1
E: ID_BUS=pci
E: ID_VENDOR_ID=0x15b3
E: ID_MODEL_ID=0x101b
E: SYSTEMD_WANTS=rdma-ndd.service rdma-hw.target rdma-load-modules@infiniband.service \
rdma-load-modules@roce.service
E: TAGS=:systemd:
E: CURRENT_TAGS=:systemd:

0
DEVPATH=$at/infiniband_mad/umad1
DEVNAME=/dev/infiniband/umad1
MAJOR=231
MINOR=1
SUBSYSTEM=infiniband_mad
USEC_INITIALIZED=
SYSTEMD_ALIAS=/sys/subsystem/rdma/devices/sim0:2/umad
TAGS=:systemd:
CURRENT_TAGS=:systemd:
infiniband/by-ibdev/uverbs-sim0
infiniband/by-path/pci-0000:1e:00.0
    ATTR{ibdev}==\"sim0\"
    DRIVERS==\"mlx5_core\"
P: $at/infiniband/sim0
P: $at/infiniband_mad/issm0
P: $at/infiniband_mad/issm1
P: $at/infiniband_mad/umad0
P: $at/infiniband_mad/umad1
P: $at/infiniband_verbs/uverbs0
/sys$at/infiniband/sim0
uevent': Permission denied"
fi
below sh -c 'ls /sys/class/infiniband; cat /sys/class/infiniband/sim0/node_type'
tap_is "links of /sys lead where they did" "$(cat out)" "sim0
1: CA"
tool_rows kernel <<'END'
dmesg, -S, -x | right: cables that are pulled and plugged in; no message of the machine | dmesg, dmesg -S
dmesg -w | right: an adapter whose firmware fails, as it happens | dmesg -w
dmesg -T, -c, -C | right | dmesg -T
udevadm monitor, --kernel | right: an adapter that is pulled out and put back | udevadm monitor --kernel
udevadm monitor, --udev | the same | udevadm monitor --udev
udevadm monitor, --property, --subsystem-match, --tag-match | right, with what rdma-core's rules write | udevadm monitor with a filter
udevadm info, -q WHAT, -a, -e | right: what rdma-core's rules write | udevadm info
udevadm trigger, --dry-run, --verbose, --subsystem-match | finds it; nothing can be triggered (EACCES): an uevent file cannot be written | udevadm info
END
tap_done
