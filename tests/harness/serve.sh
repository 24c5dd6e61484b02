#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# serve: a capture that cannot be written whole ends the server with a status that is not 0, and the
# file is named; a server whose capture is whole ends with 0. Whom it admits, also over a bridge.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=.}"
. "$top_srcdir/tests/rig/tap.sh"
top_builddir=$(cd "$top_builddir" && pwd)
umadrig=$top_builddir/umadrig
walk=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
cd "$work" || exit 99

# CAPTURE BLOCKS: a server whose files may have that many blocks of 512 bytes (unlimited), until it
# has served a walk through the fabric; its status is in $status, what it said in the file err.
serve() {
	mkfifo ready
	(ulimit -f "$2"; exec "$umadrig" serve --fabric generate:fat-tree:16,4 --socket "$work/socket" \
		--capture "$1") >ready 2>err &
	server=$!
	walked=none
	if read -r line <ready && [ -n "$line" ]; then
		UMAD_BACKEND=${line#UMAD_BACKEND=} "$walk" >walk.out 2>&1
		walked=$?
		kill -TERM "$server"
	fi
	wait "$server"
	status=$?
	server=
	rm -f ready
}

serve whole.pcapng unlimited
tap_is "a capture that is whole: the walk" "$walked" 0
tap_is "a capture that is whole: the server's status" $status 0
tap_is "and it says nothing of it" "$(grep -c capture err)" 0
size=$(wc -c <whole.pcapng)
tap_ok "it is larger than what is written as it begins: $size bytes" test "$size" -gt 65536

# Where the line that says "ready" goes: standard output has none of it then.
mkfifo ready
"$umadrig" serve --socket "$work/socket" --ready-fd 3 3>ready >out 2>err &
server=$!
read -r line <ready
tap_is "--ready-fd: the line comes there" "$line" "UMAD_BACKEND=attach:$work/socket"

# The greeting of a bridge's near end (harness/bridge/bridge.h) whose umadrig counts up to 99.
printf '\020\0\0\0\001\0\0\0\0\0\0\0gdrb\143\0\0\0\143\0\0\0\0\0\0\0' |
	"$umadrig" bridge --socket "$work/socket" >/dev/null 2>err
tap_is "a bridge from another version is refused" "$?" 125
tap_is "with the cure" "$(cat err)" \
	"umadrig bridge: cannot talk to the other end: the umadrig there is of another version: install the same on both machines"
kill -TERM "$server"
wait "$server"
server=
rm -f ready
tap_is "and not to standard output" "$(cat out)" ""
"$umadrig" serve --ready-fd x >out 2>err
tap_is "--ready-fd: a word is refused" "$?" 2
tap_has "as no descriptor" "$(cat err)" "the number of a descriptor"

serve cut.pcapng 64
tap_is "a capture that is cut off: the programs are served to the end" "$walked" 0
tap_is "a capture that is cut off: the server's status" $status 1
tap_has "and the file is named" "$(cat err)" "umadrig serve: the capture cut.pcapng is incomplete"

if [ -w /dev/full ]; then
	serve /dev/full unlimited
	case $status in
	0) tap_fail "a full disk: the server's status" "status 0" ;;
	*) tap_pass "a full disk: the server's status" ;;
	esac
	tap_has "a full disk: it is named" "$(cat err)" "/dev/full"
fi

# ---- signals, and what is at the socket's place ----

# COMMAND...: a server started by COMMAND, which SIGHUP reaches.
hang_up() {
	rm -f ready report.txt
	mkfifo ready
	"$@" "$umadrig" serve --socket "$work/socket" --fabric ",report=$work/report.txt" >ready 2>err &
	server=$!
	read -r line <ready
	kill -HUP "$server"
}
hang_up env --default-signal=HUP	# which is ignored where the tests are below nohup
wait "$server"
tap_is "its terminal has gone: it ends as by SIGTERM" "$?" 0
tap_has "the report is written" "$(cat report.txt)" "ends 2"
tap_ok "and no socket is left" test ! -e socket
hang_up nohup
tap_has "below nohup it goes on" "$("$umadrig" ctl --socket "$work/socket" report)" "ends 2"
kill -TERM "$server"
wait "$server"
tap_is "until SIGTERM" "$?" 0
server=
rm -f ready
echo kept >file
mkdir directory
"$umadrig" serve --socket file >out 2>err
tap_is "a file at the socket's place: refused" "$?:$(cat file)" 125:kept
tap_has "it is named" "$(cat err)" "$work/file: this is another kind of file, and no socket"
"$umadrig" serve --socket directory >out 2>err
tap_has "and so is a directory" "$(cat err)" "$work/directory: this is a directory, and no socket"

# ---- other users ----

"$umadrig" serve --allow-user 1000 >out 2>err
tap_is "--allow-user without a socket that others reach: refused" "$?" 2
tap_has "with the cure" "$(cat err)" "name a --socket"
"$umadrig" serve --socket "$work/socket" --allow-user 7-5 >out 2>err
tap_is "a range that is none: refused" "$?" 2
tap_has "it is named" "$(cat err)" "7-5: expected the name of a user"

# COMMAND...: as user 4711, below a directory that it may enter.
as_other() {
	(cd "$work/open" && setpriv --reuid 4711 --regid 4711 --clear-groups "$@" 2>&1)
}
if [ "$(id -u)" = 0 ] && setpriv --reuid 4711 --clear-groups "$umadrig" --version >/dev/null 2>&1; then
	mkdir open
	chmod 711 . open
	mkfifo ready
	"$umadrig" serve --socket open/socket --allow-user 4711,5000-5010 >ready 2>err &
	server=$!
	read -r line <ready
	tap_has "another user's program is served" \
		"$(as_other env UMAD_BACKEND=attach:socket "$walk")" "2 answers"
	tap_has "and may look at the fabric" "$(as_other "$umadrig" ctl --socket socket dump)" "H2"
	tap_has "the server writes no file for it" \
		"$(as_other "$umadrig" ctl --socket socket capture start "$work/theirs.pcapng")" \
		"for its own user and for root alone"
	tap_ok "there is none" test ! -e "$work/theirs.pcapng"
	tap_ok "root's capture is written" "$umadrig" ctl --socket open/socket capture start own.pcapng
	out=$(cd open && setpriv --reuid 4712 --regid 4711 --clear-groups \
		"$umadrig" ctl --socket socket dump 2>&1)
	tap_is "a third user is not admitted" "$?" 125
	tap_lacks "and sees nothing" "$out" "H2"
	kill -TERM "$server"
	wait "$server"
	server=
else
	tap_skip "another user's program is served" "only root can be other users, who need to reach $umadrig"
fi

# ---- hosts whose HCAs this machine's kernel has ----

# ARGUMENT...: a server that is refused; what it says is in err, its status in $status.
refused() {
	timeout 60 "$umadrig" serve --socket "$work/socket" "$@" >out 2>err
	status=$?
}
refused --hca-device "$work/driver"
tap_is "--hca-device without --hca: refused" "$status" 2
refused --hca H1 --hca-device "$work/driver"
tap_is "no driver: refused" "$status" 125
tap_has "with the cure" "$(cat err)" "'modprobe umadrig_hca' as root; umadrig-hca(4)"
refused --hca H1 --hca-device err
tap_has "no device: the usual one is named" "$(cat err)" "is /dev/umadrig_hca"
refused --hca H1,H3
tap_has "no such host: it is named" "$(cat err)" "there is no host 'H3'"
refused --fabric generate:fat-tree:4 --hca leaf-0
tap_has "a switch: refused" "$(cat err)" "a switch has no driver there"
refused --fabric ,clock=virtual --hca H1
tap_has "virtual time: refused" "$(cat err)" "clock=virtual"
tap_ok "and no socket is left" test ! -e "$work/socket"

if command -v python3 >/dev/null; then
	python3 -B "$top_srcdir/tests/harness/stands-for-driver" "$work/driver" >told 2>&1 &
	driver=$!
	for _ in $(seq 100); do
		[ -e driver ] && break
		sleep 0.1
	done
	if [ "$(id -u)" = 0 ] && setpriv --reuid 4711 --clear-groups "$umadrig" --version >/dev/null 2>&1; then
		chmod 755 .
		chmod 600 driver
		setpriv --reuid 4711 --regid 4711 --clear-groups "$umadrig" serve --hca H1 \
			--hca-device "$work/driver" >out 2>err
		tap_has "another user may not: the cure is named" "$(cat err)" "use sudo(8)"
	else
		tap_skip "another user may not: the cure is named" "only root can be other users"
	fi
	rm -f ready
	mkfifo ready
	"$umadrig" serve --socket "$work/socket" --hca H1 --hca-device "$work/driver" >ready 2>err &
	server=$!
	read -r line <ready
	tap_is "it is ready when the HCAs are there" "$line" "UMAD_BACKEND=attach:$work/socket"
	tap_has "and says what they are called" "$(cat err)" "H1 of H1 is H1 here"
	"$umadrig" exec --attach "$work/socket" --host H1 -- "$walk" >out 2>&1
	tap_has "programs of that host are the machine's own" "$(cat out)" "umad_open_port: "
	tap_has "programs of others are served" \
		"$("$umadrig" exec --attach "$work/socket" --host H2 -- "$walk" 2>&1)" "2 answers"
	tap_ok "a cable is pulled" "$umadrig" ctl --socket "$work/socket" link down 'H1[1]'
	kill -TERM "$server"
	wait "$server"
	tap_is "SIGTERM ends it well" "$?" 0
	server=
	wait "$driver"
	tap_is "the kernel has heard of all that, and the cable is out" "$(cat told)" \
		"hca 0 port 1: lid 1 state 4
hca 0 port 1: lid 1 state 1
closed"
	rm -f ready driver
else
	tap_skip "it is ready when the HCAs are there" "no python3"
fi
tap_done
