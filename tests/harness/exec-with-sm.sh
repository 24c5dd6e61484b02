#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-with-sm: "umadrig exec --with-sm" starts opensm before its command, and ends it afterwards.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
mkdir bin
unset UMAD_BACKEND UMADRIG_HOST
usual=$PATH

# run ARGUMENT...: 'out', 'err' and 'status'
run() {
	out=$(timeout -s KILL 200 "$umadrig" "$@" 2>"$work/err")
	status=$?
	err=$(grep -v '^simulated fabric' "$work/err")
}
# has_gone PID: a zombie has
has_gone() {
	! grep -q '^State:[^Z]*$' "/proc/$1/status" 2>/dev/null
}

# ---- in place of opensm: a script ----

PATH=$work/bin:$usual
# stand_in LINE...: $1 is the directory of its log; it opens the fabric
stand_in() {
	{
		printf '#!/bin/sh\nfor log; do :; done\n'
		printf 'echo $$ $UMADRIG_HOST >%s/sm\n' "$work"
		printf '%s\n' "$@"
	} >"$work/bin/opensm"
	chmod 755 "$work/bin/opensm"
}
work_on="echo SUBNET UP >\$log; $probe open; while :; do sleep 0.1; done"

stand_in "$work_on"
run exec --with-sm -- sh -c "$probe open; cat $work/sm; exit 3"
tap_is "it runs before the command, whose status counts" "$status:$(echo "$out" | head -n 1)" \
	"3:H1 lid 1"
read -r pid host <"$work/sm"
tap_is "on another host" "$host" H2
tap_ok "and is ended after it" has_gone "$pid"
tap_is "without a word" "$err" ""
run exec --host H2 --with-sm -- "$probe" open
tap_is "another than the command's" "$status:$(cut -d' ' -f2 "$work/sm")" 0:H1
run exec --with-sm=H1 -- "$probe" open
tap_is "or the one that is named" "$status:$(cut -d' ' -f2 "$work/sm")" 0:H1
run exec --with-sm=H7 -- "$probe" open
tap_has "which must be there" "$status:$err" "125:umadrig exec: --with-sm: the default fabric: there is no host 'H7'"
run exec --with-sm -- "$probe" nothing
tap_is "that it opens the fabric says nothing of the command: 124" "$status" 124
run exec --with-sm -- sh -c "sleep 1000 & $probe open; exit 5"
tap_is "what the command leaves is ended as well" "$status:$err" "5:"
run exec --with-sm --detach -- sh -c "$probe open
	until [ -e $work/over ]; do sleep 0.1; done >/dev/null 2>&1 & exit 6"
read -r pid host <"$work/sm"
tap_is "with --detach it stays" "$status:$(has_gone "$pid"; echo $?)" "6:1"
touch "$work/over"
n=0
until has_gone "$pid" || [ "$n" -ge 100 ]; do
	n=$((n + 1))
	sleep 0.1
done
tap_ok "until nothing is left" has_gone "$pid"

# As a terminal does.
"$probe" job "$umadrig" exec --with-sm -- sh -c "trap : INT; $probe open; cat $work/sm
	echo \$\$ >$work/ready
	until [ -e $work/hold ]; do sleep 0.1; done; kill -0 \$(cut -d' ' -f1 $work/sm)" \
	>/dev/null 2>&1 &
group=$!
until [ -s "$work/ready" ]; do sleep 0.1; done
kill -INT "-$group"
touch "$work/hold"
wait "$group"
tap_is "ctrl-C does not reach it" $? 0

stand_in 'echo "no memory" >&2; echo "cannot bind" >$log; exit 4'
run exec --with-sm -- "$probe" open
tap_is "one that fails: the command is not started" "$status:$out" "125:"
tap_is "with its status, and the end of its log" "$err" "\
umadrig exec: --with-sm: opensm ended with status 4. The end of its log:
  cannot bind"
stand_in 'echo "no memory" >&2; kill -KILL $$'
run exec --with-sm -- "$probe" open
tap_is "or of what it printed" "$status:$err" "\
125:umadrig exec: --with-sm: opensm was ended by signal 9 (Killed). The end of its log:
  no memory"
stand_in 'echo SUBNET UP >$log; sleep 0.3; exit 7'
run exec --with-sm -- sh -c "$probe open; sleep 1"
tap_has "one that ends before the command" "$status:$err" \
	"0:umadrig exec: --with-sm: opensm ended with status 7 before the command did."
stand_in "$work_on"
run exec --with-sm --fabric ,state=cold -- "$probe" open
tap_has "one that does not bring up the command's port" "$status:$err" \
	"125:umadrig exec: --with-sm: opensm has swept the subnet, but no port of the command's host is Active"
stand_in 'while :; do sleep 0.1; done'
rm "$work/sm"
"$umadrig" exec --with-sm -- "$probe" open >"$work/out" 2>&1 &
exec=$!
until [ -s "$work/sm" ]; do sleep 0.1; done
kill -TERM "$exec"
wait "$exec"
tap_is "a signal ends the wait for it" "$?:$(grep -c lid "$work/out")" 143:0
read -r pid host <"$work/sm"
tap_ok "and it" has_gone "$pid"

run exec --with-sm --fabric ,clock=virtual -- "$probe" open
tap_has "clock=virtual has no room for it" "$status:$err" "125:umadrig exec: --with-sm and clock=virtual"
for program in sh timeout dirname sed uname ldconfig cat grep head; do
	ln -s "$(command -v $program || echo /sbin/$program)" "$work/bin/$program"
done
rm "$work/bin/opensm"
# Those in the usual places are covered, in a mount namespace.
cat >"$work/without" <<'END2'
bin=$1
shift
for path in /usr/sbin/opensm /sbin/opensm /usr/local/sbin/opensm; do
	[ ! -x "$path" ] || mount --bind /dev/null "$path" || exit 99
done
PATH=$bin exec "$@"
END2
set --
if [ -x /usr/sbin/opensm ] || [ -x /sbin/opensm ] || [ -x /usr/local/sbin/opensm ]; then
	set -- unshare -m
	[ "$(id -u)" = 0 ] || set -- unshare -rm
fi
if PATH=$usual "$@" true 2>/dev/null; then
	PATH=$usual timeout -s KILL 200 "$@" sh "$work/without" "$work/bin" \
		"$umadrig" exec --with-sm -- "$probe" open >"$work/out" 2>&1
	tap_has "no opensm at all: which package has it" "$?:$(grep '^umadrig' "$work/out")" \
		"125:umadrig exec: --with-sm: there is no opensm in PATH or /usr/sbin: install the package opensm"
else
	tap_skip "no opensm at all: which package has it" \
		"there is one in a usual place, and no mount namespace can be made here"
fi
PATH=$usual
tap_is "no trace of any is left" "$(ls "$TMPDIR")" ""

# ---- opensm ----

if ! { PATH=$usual:/usr/sbin:/sbin:/usr/local/sbin command -v opensm; } >/dev/null 2>&1 ||
   nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	tap_skip "a cold fabric is up when the command starts" \
		"no opensm for a library without sanitizers here"
	tap_done
	exit
fi
run exec --fabric generate:fat-tree:2,4,state=cold --with-sm -- "$probe" open
tap_is "a cold fabric is up when the command starts" \
	"$status:$(echo "$out" | grep -c 'lid [1-9]'):$err" 0:1:
mkfifo "$work/serving"
"$umadrig" serve --fabric ,state=cold --socket "$work/socket" >"$work/serving" 2>/dev/null &
server=$!
read -r line <"$work/serving"
run exec --how preload --attach "$work/socket" --with-sm -- sh -c "$probe open
	exec $umadrig exec --attach $work/socket --host H2 --with-sm -- $probe open"
tap_is "on a server too, and beside another one" \
	"$status:$(echo "$out" | grep -c 'H2 lid [1-9]'):$err" 0:1:
kill "$server"
wait "$server"
tap_is "no trace of it is left" "$(ls "$TMPDIR")" ""
tap_done
