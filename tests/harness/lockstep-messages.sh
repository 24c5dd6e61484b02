#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-messages: in virtual time programs read what the kernel of their simulated host says, in
# /dev/kmsg and by syslog(2), at times of the session, the same each time; and nothing that the
# machine's kernel says. One program, with the library, static, and static for musl.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

umadrig=$top_builddir/umadrig
source=$top_srcdir/tests/any/kernel-says.c
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
CTL="$umadrig ctl"
export CTL

. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch dmesg

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
below() {
	timeout -s KILL 100 "$umadrig" exec --fabric "$fabric" -- "$@" >out 2>err </dev/null
}
any_builds_three "$source" many

cat >messages.sh <<'END'
$CTL link down 'HostB[1]'
$CTL node temperature HostB 110
$CTL link up 'HostB[1]'
exec "$1" messages
END
# At once, and while it waits.
cat >waits.sh <<'END'
{
$CTL after 1500ms link down 'HostB[1]'
$CTL after 2s link up 'HostB[1]'
$CTL after 3250us node temperature HostB 110
$CTL after 3s device fatal HostB
} >numbers
exec "$1" waits
END
cat >slow.sh <<'END'
"$1" slow 2000 >said &
for i in $(seq 1000); do
	echo 'link down HostB[1]'
	echo 'link up HostB[1]'
done | $CTL
: >go
wait
cat said
END

# The socket behind the file can be seen by recv(2), as that of a umad file.
sed '/^recv:/d' "$top_srcdir/tests/any/kernel-says.txt" >messages
if [ "$(id -u)" != 0 ]; then
	# Nothing can be cleared without the right to.
	sed -i 's/^clear: 0/clear: EPERM/; /^then/,/^none since/d' messages
fi
for program in $programs; do
	below sh messages.sh "$program"
	status=$?
	sed -i '/^recv:/d; s/\[ *[0-9.]*\] //' out
	[ "$(id -u)" = 0 ] || sed -i '/^then/d; /^data/d; /^none since/d' out
	if [ $status = 0 ] && cmp -s out messages; then
		tap_pass "/dev/kmsg and syslog(2), $program"
	else
		tap_fail "/dev/kmsg and syslog(2), $program" "status $status" "$(diff messages out)" \
			"$(head -c 2000 err)"
	fi

	below sh waits.sh "$program"
	tap_is "waits by read, poll, select and epoll, $program" "$(cat out)" \
		"ready
read: 1, printed at 1000003250 us, read at 1000003250 us
not yet: 0
poll: 1, printed at 1001500000 us, read at 1001500000 us
select: 1, printed at 1002000000 us, read at 1002000000 us
not yet: 0
epoll: 1, printed at 1003000000 us, read at 1003000000 us"

	below sh -c '$CTL link down "HostB[1]"; $CTL link down "HostB[2]"; exec "$1" shared' sh "$program"
	tap_is "a child and its parent have one place in it, $program" "$(cat out)" \
		"child: 6 ;mlx5_core 0000:1e:00.0: Port module event: module 0, Cable unplugged
parent: 6 ;mlx5_core 0000:1e:00.0: Port module event: module 1, Cable unplugged
no more: EAGAIN"

	rm -f go
	below sh slow.sh "$program"
	tap_has "one that does not read is told that it has missed some, $program" "$(cat out)" \
		"all 2000: no, told EPIPE"

	below sh -c '$CTL link down "HostB[1]"; exec "$1" machine' sh "$program"
	tap_is "and none of the machine's, $program" "$(sed '1d' out)" \
		"simulated: 1
/dev/../dev/kmsg: none
/proc/kmsg: none"
done

if command -v dmesg >/dev/null; then
	# A table of times: those of the session, and the same again.
	cat >dmesg.sh <<'END'
$CTL after 1s link down 'HostB[1]' >numbers
$CTL after 61s link up 'HostB[1]' >numbers
timeout 100 dmesg -w &
sleep 70
dmesg
dmesg -S
kill $!
END
	below sh dmesg.sh
	line="mlx5_core 0000:1e:00.0: Port module event: module 0, Cable"
	both="[ 1001.000000] $line unplugged
[ 1061.000000] $line plugged"
	tap_is "dmesg -w, dmesg, dmesg -S" "$(cat out)" "$both
$both
$both"
	cp out first
	below sh dmesg.sh
	tap_ok "the same again" cmp first out
else
	tap_skip "dmesg" "no dmesg here (Debian: util-linux)"
fi

# Where there are more hosts, each has its own.
# shellcheck disable=SC2016 # for the other shell
hosts='$CTL link down "HostA[1]"; UMADRIG_HOST=HostA ./dynamic shared; ./dynamic shared'
below sh -c "$hosts"
tap_is "each host has its own" "$(sed 's/mlx5.*: Port/Port/' out)" \
	"child: 6 ;Port module event: module 0, Cable unplugged
parent: EAGAIN
no more: EAGAIN
child: EAGAIN
parent: EAGAIN
no more: EAGAIN"
cp out first
if [ "$programs" != ./dynamic ]; then
	fabric=$fabric,how=filter
	below sh -c "$hosts"
	tap_is "each host has its own, below the filter" "$(cat out)" "$(cat first)"
fi
tool_rows kernel <<'END'
dmesg, -S, -w (in virtual time) | right: at times of the session, the same each time | dmesg
END
tap_done
