#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-by-path: programs that open /dev/infiniband/umadN themselves, without libibumad, in virtual
# time, where no filter stops their calls: libumadraw opens these files, and leads paths in /sys to
# where the server has them; or --sysfs mounts those.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
"$umadrig" exec --sysfs -- true >probe 2>&1
grep -q -e "cannot make a mount namespace" -e "cannot mount anything" probe && shown=no || shown=yes

# Each call with its errors. What stands for a file is a socket, which this still sees.
seen="on a file system of devices"
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -I"$top_srcdir" -o device-calls \
	"$top_srcdir/tests/tools/device-calls.c" || { echo "Bail out! device-calls cannot be built"; exit 99; }
# NAME OPTION...
calls() {
	name=$1
	shift
	timeout -s KILL 120 "$umadrig" exec "$@" -- ./device-calls >out 2>err
	tap_is "$name: status" "$?" 0
	tap_is "$name: all of them" "$(grep -c "ok " out)" 86
	tap_is "$name: all but what sockets do" "$(sed -n 's/^not ok \(.*\): .*/\1/p' out)" "$seen"
}
calls "virtual time" --fabric ,clock=virtual
if [ $shown = yes ]; then
	calls "virtual time, mounted" --fabric ,clock=virtual --sysfs
	calls "real time, without a filter" --how preload --sysfs
else
	tap_skip "mounted" "no mount namespace can be made here, which --sysfs needs"
fi

# The same program in C and in Python, and the same capture twice.
gcc -std=gnu11 -O2 -o neighbour "$top_srcdir/tests/any/neighbour.c" 2>log || cat log
expected="device sim0: GUID 0000:0000:0010:0000
umad0: port 1 of sim0, a character device
neighbour: method 0x81, TID any!, type 2, 4 ports
write of 20 bytes: -1, errno 22
write for agent 31: -1, errno 5
read of 20 bytes: -1, errno 22
unknown ioctl: -1, errno 25"
cp "$top_srcdir/tests/data/two.net" "$work/two.net"
# NAME COMMAND...
twice() {
	name=$1
	shift
	for number in 1 2; do
		"$umadrig" exec --fabric "two.net,clock=virtual,capture=$number.pcapng" -- "$@" >out 2>err
		tap_is "$name in virtual time" "$?:$(cat out)" "0:$expected"
	done
	tap_ok "$name: the same capture twice" cmp 1.pcapng 2.pcapng
}
[ ! -x neighbour ] || twice "a program in C" ./neighbour
if command -v python3 >/dev/null; then
	twice "a program in Python" python3 "$top_srcdir/tests/any/neighbour.py"
else
	tap_skip "a program in Python" "no python3"
fi

# In a shell each program asks the server for itself, and none for what it does not read.
cat >look.sh <<'END'
echo "$(ls /sys/class/infiniband) $(cat /sys/class/infiniband/*/ports/1/state)"
grep -c . /sys/class/infiniband/sim0/ports/1/counters/* | wc -l
cd /sys/class/infiniband/sim0/device && pwd -P && readlink /sys/class/infiniband/sim0
realpath /sys/class/infiniband_mad/umad0
find /sys/class/infiniband/sim0/ports/ -name state
[ ! -e /sys/class/infiniband/sim1 ] && [ -d /sys/class/infiniband/sim0/ports ] && echo tests
: 3<>/dev/infiniband/umad0 && echo opened
UMADRIG_HOST=right cat /sys/class/infiniband/sim0/node_desc
END
"$umadrig" exec --fabric two.net,clock=virtual -- sh look.sh >out 2>err
tap_is "a shell's programs read /sys" "$?:$(cat out)" "0:sim0 4: ACTIVE
21
/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0
../../devices/pci0000:00/0000:00:1e.7/0000:1e:00.0/infiniband/sim0
/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0/infiniband_mad/umad0
/sys/class/infiniband/sim0/ports/1/state
tests
opened
right"
if command -v perl >/dev/null; then
	"$umadrig" exec --fabric two.net,clock=virtual -- perl -e \
		'print join " ", map { s/.*infiniband//r } glob("/sys/class/infiniband/*/ports/*/gids/0")' \
		>out 2>err
	tap_is "what globs finds them" "$?:$(cat out)" "0:/sim0/ports/1/gids/0"
else
	tap_skip "what globs finds them" "no perl"
fi
for program in true "ls /sys/class"; do
	"$umadrig" exec --fabric two.net,clock=virtual -- $program >out 2>err
	tap_is "$program reads none of it" $? 124
done
tap_has "and the cure is named" "$(cat err)" "listings of /sys/class and the like: add --sysfs"
tap_done
