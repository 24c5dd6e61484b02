#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-other-user: programs that root starts, and that become other users.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
user="$top_builddir/tests/tools/lockstep-user 4711"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
mkdir "$work/open"
chmod 711 "$work"
chmod 1777 "$work/open"
TMPDIR=$work/open
export TMPDIR

drop="setpriv --reuid 4711 --regid 4711 --clear-groups"
if [ "$(id -u)" != 0 ] || ! $drop "$probe" nothing 2>/dev/null; then
	tap_skip_all "only root can become other users, who need to reach $probe"
fi

# OPTION... -- COMMAND...: the status and the output, joined; what is said is in err.
run() {
	out=$(timeout -s KILL 60 "$umadrig" exec "$@" 2>"$work/err" </dev/null)
	printf '%s:%s\n' "$?" "$out"
}
said() {
	cat "$work/err"
}

# ---- in real time ----
mkfifo -m 666 "$work/open/ready" "$work/open/over"
# Below the filter alone, another user's memory is read, which a container's root may not.
may_trace=$((0x$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status) >> 19 & 1))
for how in preload filter both; do
	if [ $how:$may_trace = filter:0 ]; then
		tap_skip "--how $how: it is on the fabric" "CAP_SYS_PTRACE is not there"
		continue
	fi
	tap_is "--how $how: it is on the fabric" "$(run --how "$how" -- $drop "$probe" open)" \
		"0:H1 lid 1"
done
tap_is "so is what it starts" "$(run -- $drop sh -c "$probe open; exec $probe open")" "0:H1 lid 1
H1 lid 1"
tap_is "and what has lost its parent" \
	"$(run -- $drop sh -c "($probe open >$work/open/ready &); cat $work/open/ready")" \
	"0:H1 lid 1"
tap_is "nobody may look into the session's directory" \
	"$(run -- sh -c "$probe open; $drop ls $work/open/umadrig-* 2>/dev/null | wc -l")" "0:H1 lid 1
0"

# Another program of this user is none of the session's.
run -- sh -c "$probe open; echo \$UMAD_BACKEND >$work/open/ready; read -r over <$work/open/over" \
	>/dev/null &
job=$!
backend=
read -r backend <"$work/open/ready"
socket=${backend#attach:}
socket=${socket%%,*}
tap_is "another program of that user is not admitted" \
	"$($drop env UMAD_BACKEND="attach:$socket" "$probe" open 2>"$work/err"; [ $? != 0 ] && echo refused)" \
	"refused"
tap_has "with the cure" "$(said)" "'umadrig serve --allow-user 4711'"
$drop "$umadrig" exec --attach "$socket" -- "$probe" open 2>"$work/err"
tap_is "umadrig exec --attach of that user is not, either" "$?" 125
tap_has "with the cure, too" "$(said)" "'umadrig serve --allow-user 4711'"
tap_lacks "and without a wrong reason" "$(said)" "no fabric server answers"
echo >"$work/open/over"
wait "$job"

# A directory that nobody else may enter.
mkdir -m 700 "$work/closed"
TMPDIR=$work/closed run --how preload -- $drop "$probe" open >/dev/null
tap_has "where the way to the socket is closed, that is said, with the cure" "$(said)" \
	"must let this user pass (of 'umadrig exec' TMPDIR)"
"$umadrig" serve --socket "$work/closed/socket" >"$work/open/ready" 2>/dev/null &
server=$!
read -r line <"$work/open/ready"
$drop "$umadrig" exec --attach "$work/closed/socket" -- "$probe" open 2>"$work/err"
tap_has "--attach says so, as well" "$(said)" "user 4711 may not connect there (Permission denied)"
kill -TERM "$server"
wait "$server"

# What a killed session leaves is removed, although others may pass through it.
run -- sh -c "$probe open; echo \$PPID >$work/open/ready; read -r over <$work/open/over" \
	>/dev/null &
read -r keeper <"$work/open/ready"
kill -KILL "$(awk '{ print $4 }' "/proc/$keeper/stat")"
wait $!
run -- "$probe" open >/dev/null
tap_is "what a killed session leaves is removed" "$(find "$work/open" -name 'umadrig-*')" ""

# ---- in virtual time ----
virtual() {
	run --fabric ,clock=virtual -- "$@"
}
tap_is "one that becomes another user, and sleeps" "$(virtual sh -c "$user sleep; $probe open")" \
	"0:slept
H1 lid 1"
tap_is "one that it starts is on the fabric, and in its time" \
	"$(virtual $drop sh -c "sleep 1000 & wait; $probe open; date +%s")" "0:H1 lid 1
1700001000"
tap_is "capabilities are those of the number that a program has" \
	"$(virtual $drop --inh-caps=-all --bounding-set=-all "$probe" open)" "0:H1 lid 1"
tap_is "root's alarm comes while the other user moves time" \
	"$(virtual sh -c "$user alarm; $probe open")" "0:alarm after 3 s
H1 lid 1"
tap_is "root's timer is not taken for one that nobody has" \
	"$(virtual sh -c "$user timers; $probe open")" "0:1
H1 lid 1"
tap_is "at the other user's end root's programs get SIGTERM" \
	"$(virtual sh -c "$probe open; exec $user left")" "0:H1 lid 1
terminated"
tap_is "one whose real and effective user differ is refused" \
	"$(virtual sh -c "setpriv --euid 4711 sleep 1; echo \$?; $probe open")" "0:126
H1 lid 1"
tap_has "with its name, and the cure" "$(said)" \
	"sleep cannot be put into virtual time: its real and its effective user or group differ"
TMPDIR=$work/closed virtual sh -c "$probe open; exec $user sleep" >"$work/out"
tap_is "where the way to the session is closed, it ends" "$(cat "$work/out")" "123:H1 lid 1"
tap_has "and says why" "$(said)" "lockstep-user has become user 4711, who cannot reach the session's files"
TMPDIR=$work/closed virtual $drop sleep 1 >/dev/null
tap_has "as does a program that is started then" "$(said)" "its user cannot reach the session's files"
tap_done
