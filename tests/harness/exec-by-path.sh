#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-by-path: programs that open /dev/infiniband/umadN themselves, without libibumad, in virtual
# time, where no filter stops their calls: libumadraw opens the files that --sysfs shows.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
"$umadrig" exec --sysfs -- true >probe 2>&1
grep -q -e "cannot make a mount namespace" -e "cannot mount anything" probe &&
	tap_skip_all "no mount namespace can be made here, which --sysfs needs"

# Each call with its errors. What stands for a file is a socket, which these still see.
seen="getpeername
send
recv
on a file system of devices
write after shutdown
read after shutdown"
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -I"$top_srcdir" -o device-calls \
	"$top_srcdir/tests/tools/device-calls.c" || { echo "Bail out! device-calls cannot be built"; exit 99; }
# NAME OPTION...
calls() {
	name=$1
	shift
	timeout -s KILL 120 "$umadrig" exec "$@" --sysfs -- ./device-calls >out 2>err
	tap_is "$name: status" "$?" 0
	tap_is "$name: all of them" "$(grep -c "ok " out)" 86
	tap_is "$name: all but what sockets do" "$(sed -n 's/^not ok \(.*\): .*/\1/p' out)" "$seen"
}
calls "virtual time" --fabric ,clock=virtual
calls "real time, without a filter" --how preload

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
		"$umadrig" exec --fabric "two.net,clock=virtual,capture=$number.pcapng" --sysfs -- "$@" >out 2>err
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

# Without --sysfs there is no such file, and the message names the option.
"$umadrig" exec --fabric two.net,clock=virtual -- sh -c ': 3<>/dev/infiniband/umad0' >out 2>err
tap_ok "without --sysfs it is not there" test $? -ne 0
"$umadrig" exec --fabric two.net,clock=virtual -- true >out 2>err
tap_has "and the cure is named" "$(cat err)" "--sysfs"
tap_done
