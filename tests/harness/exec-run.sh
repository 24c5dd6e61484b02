#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-run: what "umadrig exec" passes to a program, and what it returns.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND

[ -x "$probe" ] || { echo "Bail out! $probe is not built"; exit 99; }

cp "$top_srcdir/tests/data/two.net" "$work/two.net"

# Runs umadrig with the arguments: 'out', 'err' and 'status'.
run() {
	out=$("$umadrig" "$@" 2>"$work/err")
	status=$?
	err=$(cat "$work/err")
}

run exec -- "$probe" open
tap_is "the default fabric: its first host" "$status:$out" "0:H1 lid 1"
tap_has "one line says that it is simulated" "$err" "simulated fabric"
tap_ok "which does not name the usual kernel" sh -c '! grep -q profile "$1"' - "$work/err"
run exec --fabric ,profile=linux-5.10 -- "$probe" open
tap_has "it names another one" "$err" "profile linux-5.10), host H1"
run exec --host H2 -- "$probe" open
tap_is "--host chooses the host" "$status:$out" "0:H2 lid 2"
run exec --fabric "$work/two.net" --host right -- "$probe" open
tap_has "a fabric of a file, and a host in it" "$status:$err" "host right"
run exec --fabric "$work/two.net,latency=1us,host=right" -- "$probe" open
tap_has "options after the file" "$status:$err" "host right"
out=$(cd "$work" && "$umadrig" exec --fabric two.net -- sh -c "cd / && exec $probe open" 2>&1)
tap_has "a relative file, and a program that changes its directory" "$out" "two.net (3 nodes"

run exec -- "$probe" status 42
tap_is "the program's exit status is ours" "$status" 42
run exec -- "$probe" signal 15
tap_is "a signal that ends it ends us" "$status" 143
mkfifo "$work/fifo"
"$umadrig" exec -- "$probe" wait "$work/fifo" >/dev/null 2>&1 &
pid=$!
read -r child <"$work/fifo"
kill -TERM "$pid"
wait "$pid"
tap_is "SIGTERM is passed on to the program" $? 33
tap_ok "which was another process" test "$child" != "$pid"

run exec -- "$probe" nothing
tap_is "a program that opens nothing: 124" "$status" 124
tap_has "with what is likely" "$err" "nothing opened the fabric"
run exec -- "$probe" init
tap_is "umad_init() alone opens nothing" "$status" 124
run exec -- sh -c 'exit 3'
tap_is "whatever its own status" "$status" 124
tap_has "which is named" "$err" "status 3"

# ---- one that uses verbs ----
if ${CC:-cc} -shared -fPIC -Wl,-soname,libibverbs.so.1 -x c -o "$work/libibverbs.so.1" - </dev/null 2>/dev/null; then
	echo 'int main(void) { return 0; }' >"$work/verbs.c"
	${CC:-cc} -Wl,--no-as-needed -Wl,-rpath,"$work" -o "$work/verbs" "$work/verbs.c" "$work/libibverbs.so.1"
	run exec --how preload -- "$work/verbs"
	tap_is "a program that loads libibverbs" "$status" 124
	tap_has "is told that verbs are not simulated" "$err" "libibverbs: verbs are not simulated"
	tap_lacks "and of nothing that cannot be true" "$err" "sudo"
	run exec --how preload -- sh -c "exec $probe nothing"
	tap_lacks "another is not" "$err" "verbs"
	if "$top_builddir/tests/tools/filter-here"; then
		run exec -- sh -c "$work/verbs; true"
		tap_has "below a shell as well" "$err" "libibverbs: verbs are not simulated"
	else
		tap_skip "below a shell as well" "system calls cannot be stopped here"
	fi
else
	tap_skip "a program that loads libibverbs" "there is no compiler"
fi

echo "this is no fabric" >"$work/bad.net"
run exec --fabric "$work/bad.net" -- sh -c "$probe open; exit 0"
tap_is "a fabric that cannot be loaded: refused" "$status" 125
tap_has "and its file is named" "$err" "bad.net"

run exec -- "$probe" then "$probe" open
tap_is "a second process shares the fabric" "$status:$out" "0:H1 lid 1
H1 lid 1"
run exec -- sh -c "$probe open && UMADRIG_HOST=H2 $probe open"
tap_is "on another host if it likes" "$status:$out" "0:H1 lid 1
H2 lid 2"
tap_is "the banner is printed once" "$(grep -c simulated "$work/err")" 1
run exec --host H2 -- sh -c "$probe open && UMADRIG_HOST=H1 $probe open"
tap_is "--host is the host of those that name none" "$status:$out" "0:H2 lid 2
H1 lid 1"
run exec -- "$probe" enter H2
tap_is "one process can be on several hosts" "$status:$out" "0:H1 lid 1
H2 lid 2"
run exec -- "$probe" enter H3
tap_is "that are there" "$status" 1
run exec -- sh -c "UMADRIG_HOST=H3 $probe open"
tap_has "a host that does not exist is an error" "$err" "there is no host 'H3'"

run exec --fabric ,clock=virtual -- "$probe" then "$probe" open
tap_is "clock=virtual: a second process shares the fabric" "$status:$out" "0:H1 lid 1
H1 lid 1"
run exec --fabric ,clock=virtual -- sh -c "$probe open && UMADRIG_HOST=H2 $probe open"
tap_is "also when the first has ended, and on another host" "$status:$out" "0:H1 lid 1
H2 lid 2"
run exec --fabric ,clock=virtual -- "$probe" nothing
tap_is "one that opens nothing: 124" "$status" 124
UMADRIG_LOCKSTEP=$work/gone LD_PRELOAD=$top_builddir/.libs/libumadlockstep.so "$probe" nothing \
	>"$work/out" 2>&1
tap_is "a session that has ended admits no program" $? 123
# What root starts may become another user, who passes through to a name that is known.
passes=700 maps=600
[ "$(id -u)" != 0 ] || passes=711 maps=666
run exec --fabric ,clock=virtual -- sh -c "stat -c %a \"\$UMADRIG_LOCKSTEP\" && $probe open"
tap_has "what its programs share is the user's alone" "$out" "$maps"
run exec --fabric ,clock=virtual -- sh -c "basename \"\$UMADRIG_LOCKSTEP\" && $probe open"
tap_ok "and has a name that nobody guesses" \
	sh -c "printf '%s' '$out' | grep -qE '^lockstep-[0-9a-f]{32}\$'"
run exec --fabric ,clock=virtual -- sh -c "dirname \"\$UMADRIG_LOCKSTEP\" | xargs stat -c %a && $probe open"
tap_has "in a directory of that user" "$out" "$passes"
run exec -- sh -c "dirname \"\${UMAD_BACKEND#attach:}\" | xargs stat -c %a && $probe open"
tap_has "a server's directory too" "$out" "$passes"
tap_is "no trace of any session is left" "$(ls "$work/tmp")" ""
# The program's parent is the keeper; its parent is umadrig.
# shellcheck disable=SC2016
"$umadrig" exec -- sh -c 'read -r _ _ _ pid _ </proc/$PPID/stat; kill -9 $PPID "$pid"; exec sleep 0' \
	>/dev/null 2>&1
tap_has "but where umadrig and the keeper are killed" "$(ls "$work/tmp")" "umadrig-"
run exec -- "$probe" open
tap_is "and that is taken away with the next" "$(ls "$work/tmp")" ""

run exec -- sh -c "echo \"\$LD_PRELOAD\"; $probe open"
tap_has "our libibumad is loaded first" "${out%%:*}" "/libibumad.so.3"
LD_PRELOAD=libm.so.6
export LD_PRELOAD
run exec -- sh -c "echo \"\$LD_PRELOAD\"; $probe open"
unset LD_PRELOAD
tap_has "and what else was to be preloaded after it" "$out" ":libm.so.6"

run exec "$probe"
tap_is "without -- : usage" "$status" 2
tap_has "and how it is meant" "$err" "put the command after --"
run exec --
tap_is "without a command: usage" "$status" 2
run exec --fabric "$work/none.net" -- "$probe" open
tap_is "a file that is not there: refused" "$status" 125
tap_has "and named" "$err" "none.net"
run exec --fabric "$work/two.net,stat=cold" -- "$probe" open
tap_is "an unknown option of the fabric: refused" "$status" 125
tap_has "and the known ones named" "$err" "state="
run exec -- no-such-program-anywhere
tap_is "a program that is not there: 127" "$status" 127
cp "$probe" "$work/probing"
run exec -- "$work/probin"
tap_is "a path that is not there, nearly" "$status:$err" \
	"127:umadrig exec: there is no program $work/probin; did you mean $work/probing?"
PATH=$work:$PATH run exec -- probimg
tap_has "a name that is not there, nearly" "$err" "no program 'probimg' in PATH; did you mean 'probing'?"
run record -o "$work/none.bundle" -- "$work/probin"
tap_has "record says the same" "$status:$err" "127:umadrig record: there is no program"
run exec -- "$work/two.net"
tap_is "one that is not executable: 126" "$status" 126
run exec -- "$work"
tap_is "a directory: 126" "$status" 126

# A server that is already running.
mkfifo "$work/ready" "$work/go" "$work/over"
"$umadrig" serve --socket "$work/socket" >"$work/ready" &
server=$!
read -r line <"$work/ready"
# What outlives it was left by one that was killed, with its keeper, which may have sent SIGTERM.
# (Nothing is stopped meanwhile: the kernel has a group go on that becomes an orphan by that.)
# shellcheck disable=SC2016
"$umadrig" exec --how preload --attach "$work/socket" -- sh -c '"$0" open; read -r _ _ _ pid _ </proc/$PPID/stat
	trap "" TERM; kill -9 "$pid" $PPID
	read -r line <"$1/go"; "$0" open 2>"$1/late"; echo over >"$1/over"' "$probe" "$work" \
	>/dev/null 2>"$work/err"
tap_is "exec --attach says once that it is simulated" "$?:$(grep -c "simulated fabric" "$work/err")" 137:1
echo go >"$work/go"
read -r line <"$work/over"
tap_is "what outlives it prints the banner itself" "$(grep -c "simulated fabric" "$work/late")" 1

run exec --attach "$work/socket" -- "$probe" init
tap_is "and umad_init() alone opens nothing there either" "$status" 124
kill -TERM "$server"
wait "$server"

# What was asked for and is not complete is a failure, unless the program failed itself.
run exec --fabric ",report=/dev/full" -- "$probe" open
tap_is "a report on a full disk: status" "$status" 1
tap_has "and a line" "$err" "umadrig: the report /dev/full is not complete: No space left"
tap_ok "the device is still one" test -c /dev/full
run exec --fabric ",report=$work/none/report" -- "$probe" open
tap_is "a report in a directory that is not there is seen before the program starts" "$status:$out:$err" \
	"125::umadrig exec: cannot write the report $work/none/report: No such file or directory"
run exec --fabric ",report=$work" -- "$probe" open
tap_is "and so is one that is a directory" "$status:$out:$err" \
	"125::umadrig exec: cannot write the report $work: Is a directory"
run exec --fabric ,schedule=5 -- "$probe" open
tap_is "an order of programs in real time: refused" "$status:$err" \
	"125:umadrig exec: schedule= is of virtual time: it needs clock=virtual"
run exec --fabric ",capture=/dev/full" -- "$probe" open
tap_is "a capture on a full disk is seen before the program starts" "$status:$out" "125:"
cat >"$work/limited" <<'END'
#!/bin/sh
# Beyond the limit of a file's size after the capture has begun.
ulimit -f 4
exec "$@"
END
chmod 755 "$work/limited"
walker=$top_builddir/tests/tools/fabric-walk
limited() {
	name=$1 expected=$2
	shift 2
	"$work/limited" "$umadrig" "$@" >/dev/null 2>"$work/err"
	status=$?
	tap_is "$name" "$status:$(grep -c 'capture .* is not complete: File too large' \
		"$work/err")" "$expected"
}
large=generate:fat-tree:16,8,capture=$work/c.pcapng
limited "a capture beyond the limit of files" 1:1 exec --fabric "$large" -- "$walker"
limited "the program's own status wins" 7:1 exec --fabric "$large" -- sh -c "$walker; exit 7"
limited "and its signal" 143:1 exec --fabric "$large" -- sh -c "$walker; kill -TERM \$\$"
limited "no room for what programs in virtual time share" 125:0 exec --fabric "$large,clock=virtual" \
	-- "$walker"
tap_has "which is said" "$(cat "$work/err")" "clock=virtual: "
# Room for that, but for no capture that is larger.
blocks=$("$umadrig" exec --fabric ,clock=virtual -- sh -c \
	'echo $(($(stat -c %s "$UMADRIG_LOCKSTEP") / 512 + 1))' 2>/dev/null)
sed -i "s/ulimit -f 4/ulimit -f $blocks/" "$work/limited"
limited "virtual time: a capture beyond the limit" 1:1 exec --fabric "$large,clock=virtual" \
	-- sh -c "for i in \$(seq $((blocks / 200))); do $walker; done"
sed -i "s/ulimit -f $blocks/ulimit -f 4/" "$work/limited"
limited "record: a capture beyond the limit" 1:1 record -o "$work/c.bundle" \
	--fabric generate:fat-tree:16,8 -- "$walker"

# ---- what OpenSM remembers ----

# shellcheck disable=SC2016
kept='"$0" open; echo 1 >"$OSM_CACHE_DIR/guid2lid"; ls -ld "$OSM_CACHE_DIR" | cut -c1-10; echo "$OSM_CACHE_DIR"'
for fabric in "" ",clock=virtual"; do
	out=$(env -u OSM_CACHE_DIR TMPDIR="$work" "$umadrig" exec --fabric "$fabric" -- sh -c "$kept" \
		"$probe" 2>"$work/err")
	tap_is "a directory for what OpenSM remembers, gone at the end ($fabric)" \
		"$?:$(printf '%s\n' "$out" | grep '^d'):$(ls -d "$(printf '%s\n' "$out" | grep '^/')" 2>&1 |
		sed 's/.*: //')" "0:drwx------:No such file or directory"
done
mkdir "$work/own"
tap_is "one that is named is used" "$(OSM_CACHE_DIR=$work/own "$umadrig" exec -- \
	sh -c "$kept" "$probe" 2>"$work/err" | tail -n 1):$(cat "$work/own/guid2lid")" "$work/own:1"

tap_done
