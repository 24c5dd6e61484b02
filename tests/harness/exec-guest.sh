#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-guest: programs of a session in the kernels of hosts that are guests, with a small program in
# the place of a kernel (tests/tools/fake-guest.c). tests/kernels/guest-session has real ones.
# shellcheck disable=SC2016 # for the shells of sessions
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
fake=$top_builddir/tests/tools/fake-guest
for mode in good die:30; do
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$fake" $mode >"$mode"
	chmod 700 "$mode"
done
UMADRIG_GUEST_INIT=$fake
export UMADRIG_GUEST_INIT umadrig
one=",clock=virtual,kernel=H1:uml:$work/good"

# FABRIC OPTION ... -- COMMAND ...: standard output is in $out, errors are in $err.
session() {
	fabric=$1
	shift
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" "$@" 2>err)
	status=$?
	err=$(grep -v '^simulated fabric: ' err)
}

# ---- the command itself ----
session "$one" -- echo hello </dev/null
tap_is "a command on a guest runs in there" "$status:$err:$out" "0::hello"
session "$one" -- exit 7 </dev/null
tap_is "what the shell has no program of, but the guest: refused before" "$status" 127
cp /bin/true exit
session "$one" -- ./exit 7 </dev/null
tap_is "what the guest does not know" "$status:$err:$out" "127:not known:"
mkdir bin
for name in exit spill state steps ask env log panic; do
	printf '#!/bin/sh\n' >bin/$name
	chmod 700 bin/$name
done
PATH=$work/bin:$PATH
session "$one" -- exit 7 </dev/null
tap_is "its status" "$status:$err:$out" "7::"
out=$(printf 'a\nb\n' | timeout -s KILL 60 "$umadrig" exec --fabric "$one" -- cat 2>err)
tap_is "its input" "$?:$out" "0:a
b"
session "$one" -- log "<4>WARNING:_of_it" </dev/null
tap_is "what its kernel complains of" "$status:$err" "122:umadrig: kernel: H1: fault: the guest's console: WARNING: of it
umadrig exec: the kernel has a fault: the guest's console: WARNING: of it, at H1"
cat >complains.mad <<'END'
scenario "a program runs, and its kernel complains"
0        run log "<4>WARNING:_in_a_point" fabric=no
END
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo 6.12.0\nexec "%s" good "$@"\n' "$fake" >linux
chmod 700 linux
out=$(timeout -s KILL 60 "$umadrig" run --tap --kernel "uml:$work/linux" complains.mad 2>err)
tap_is "a point fails by it: status" $? 1
tap_has "and says so" "$out" "message: \"the kernel: the guest's console: WARNING: in a point, at H1\""
cat >twice.mad <<'END'
scenario "a program runs"
0        run log of_it fabric=no
scenario "and another one, in the same process"
0        run log of_it fabric=no
END
# shellcheck disable=SC2016 # for the guest's shell
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo 6.12.0\ntrap "echo >%s" TERM\n"%s" good "$@" &\nwait\nwait\n' \
	"$work/terminated" "$fake" >told
chmod 700 told
out=$(timeout -s KILL 60 "$umadrig" run --tap --kernel "uml:$work/told" twice.mad 2>err)
tap_is "guests are not what programs leave behind" "$?:$(echo "$out" | grep -c '^ok'):$(ls terminated 2>/dev/null)" "0:2:"
session "$one" -- state </dev/null
tap_is "its port" "$status:$out" "0:state 4 lid 1 sm_lid 2"
session "$one" --host H2 -- "$umadrig" guest --host H1 -- env TMPDIR </dev/null
tap_is "where it may write" "$status:$err:$out" "0::/run/tmp"
session "$one" --host H2 -- "$umadrig" guest --host H1 -- env OSM_CACHE_DIR </dev/null
tap_is "and OpenSM" "$status:$err:$out" "0::/run/tmp"
for name in UMAD_BACKEND UMADRIG_HOST UMADRIG_LOCKSTEP; do
	session "$one" --host H2 -- "$umadrig" guest --host H1 -- env $name </dev/null
	tap_is "it has no $name" "$status:$out" "0:"
done

# ---- scripts ----
# SCRIPT OPTION...: on a third host, which is none; two others are guests.
three="generate:fat-tree:8,4,clock=virtual,kernel=host-0:uml:$work/good,kernel=host-1:uml:$work/good"
script() {
	text=$1
	shift
	session "$three" --host host-2 "$@" -- sh -c "guest() { \"\$umadrig\" guest --host \"\$@\"; }
		begin=\$(date +%s)
		say() { echo \"\$1 at \$((\$(date +%s) - begin))\"; }
		$text" </dev/null
}
script 'guest host-0 -- sleep 3600; say $?'
tap_is "an hour" "$status:$err:$out" "0::0 at 3600"
script 'guest host-0 -- sleep 100 & guest host-1 -- sleep 5; say $?; kill $!; wait $!; say $?'
tap_is "two at once; a signal is passed on" "$status:$out" "0:0 at 5
143 at 5"
script 'guest host-0 -- sleep 100 & kill -9 $!; wait $!; guest host-0 -- sleep 3; say $?'
tap_is "one whose stand-in is killed does not hold up others" "$status:$out" "0:0 at 3"
script 'sm=$(guest host-0 -- state | sed "s/.*sm_lid //"); guest host-0 -- query $sm; guest host-1 -- query $sm'
tap_is "the fabric's own SA, on the port of a guest, answers it and others" "$status:$(printf '%s\n' "$out" | cut -d " " -f 1-4)" \
	"0:class 0x03 method 0x81
class 0x03 method 0x81"
script 'echo word | guest host-0 -- cat | guest host-1 -- cat | tr a-z A-Z'
tap_is "pipes between guests and others" "$status:$err:$out" "0::WORD"
script '(sleep 3; echo late; sleep 4) | guest host-0 -- cat | while read -r word; do say "$word"; done; say end'
tap_is "and what comes later" "$status:$err:$out" "0::late at 3
end at 7"
# The program that spills lasts a second; that its starter has gone then makes no reader wait.
script 'guest host-0 -- spill 300000 | wc -c; say read; guest host-0 -- spill 300000 | (sleep 60; wc -c); say read'
tap_is "more than a pipe holds, and no more time passes" "$status:$err:$out" "0::300000
read at 1
300000
read at 61"
# A line each millisecond, which the guest takes for itself, as nobody else wants any.
steps='"$umadrig" guest --host host-0 -- steps 4 | while read -r word; do date +%s%N; done | {
	read -r before; while read -r now; do echo $((now - before)); before=$now; done; }'
script "$steps"
tap_is "what a guest says is read before it goes on" "$status:$err:$out" "0::1000000
1000000
1000000"
if command -v python3 >/dev/null; then
	cat >steps.py <<'END'
import sys
from umadrig import Fabric
with Fabric(sys.argv[1]) as fabric:
    print(fabric.run(["sh", "-c", sys.argv[2]], host="host-2").stdout, end="")
END
	out=$(UMADRIG_BUILD=$top_builddir PYTHONPATH=$top_srcdir/python timeout -s KILL 60 \
		python3 -B steps.py "$three" "$steps" 2>&1)
	tap_is "by programs of a program's own fabric, too" "$?:$out" "0:1000000
1000000
1000000"
else
	tap_skip "by programs of a program's own fabric, too" "no python3"
fi
script 'guest host-0 -- spill 300000 | head -c 7; echo; guest host-0 -- echo on'
tap_is "a reader that goes early" "$status:$err:$out" "0::xxxxxxx
on"
script 'guest host-0 -- sleep 50 | cat; echo over' --do 'after 5s node off host-0'
tap_is "the end of a guest is the end of what it writes" "$status:$out" "0:over"
script 'UMADRIG_HOST=host-1 "$umadrig" guest -- echo variable'
tap_is "the host of UMADRIG_HOST" "$status:$err:$out" "0::variable"
script 'guest host-0 -- sleep 30' --do "after 10s start \"\$umadrig\" guest --host host-1 -- echo started"
tap_is "started when something happens" "$status:$err:$out" "0::started"
script 'guest host-0 -- sleep 3000; say $?' --do 'after 20s signal sleep KILL'
tap_is "and found by its name" "$status:$out" "0:137 at 20"

script 'guest host-0 -- sleep 30; say $?; sleep 20; guest host-0 -- echo back; say $?' \
	--do 'after 5s node off host-0' --do 'after 9s node on host-0'
tap_is "its power is cut, and comes back" "$status:$out" "0:137 at 5
back
0 at 25"
script 'guest host-0 -- sleep 30; say $?; guest host-0 -- echo no; say $?' --do 'after 5s node off host-0'
tap_is "without power: status" "$status:$out" "0:137 at 5
125 at 5"
tap_has "which is said" "$err" "umadrig guest: host-0: it has no power"
out=$(timeout -s KILL 60 "$umadrig" explore --fabric "$three" --host host-2 --runs 3 -- \
	sh -c '"$umadrig" guest --host host-0 -- ask 2 && "$umadrig" guest --host host-1 -- call 1' 2>&1 </dev/null)
tap_is "explored" "$?" 0
tap_has "in three runs" "$out" "3 runs, 0 failed"

# ---- refused ----
script 'guest host-0 -- echo yes; guest host-3 -- echo no'
tap_is "a host that is none: status" "$status:$out" "125:yes"
tap_has "and what to do" "$err" "umadrig guest: host-3 is no guest, but a simulated host: start the program without \
'umadrig guest', or make the host a guest with kernel=host-3:uml:RELEASE"
script 'guest host-0 -- echo yes; guest host-77 -- echo no'
tap_is "no such host" "$status:$out" "125:yes"
tap_has "by its name" "$err" "host-77"
out=$("$umadrig" guest -- echo no 2>&1)
tap_is "outside of a session" "$?:$out" "125:umadrig guest: there is no session here: it runs below 'umadrig exec'"
for words in "" "echo no" "--"; do
	# shellcheck disable=SC2086 # words
	out=$("$umadrig" guest $words 2>&1)
	tap_is "no command: '$words'" "$?" 2
	tap_has "'$words': how it is given" "$out" "-- ibstat"
done
# KIND STATUS COMMAND...: what would have a guest in real time
in_real_time() {
	kind=$1 expected=$2
	shift 2
	out=$(timeout -s KILL 60 "$@" 2>&1 </dev/null)
	tap_is "a guest in real time, $kind" "$?" "$expected"
	tap_has "its cure, $kind" "$out" "which has to be virtual: add clock=virtual, or 'clock virtual' in a scenario; \
'umadrig serve' has no guests, but 'umadrig exec --fabric' has"
}
in_real_time "by default" 125 "$umadrig" exec --fabric ",kernel=H1:uml:$work/good" -- echo no
in_real_time "by clock=real" 125 "$umadrig" exec --fabric ",clock=real,kernel=H1:uml:$work/good" -- echo no
in_real_time "by --kernel" 125 "$umadrig" exec --fabric "" --kernel "H1:uml:$work/good" -- echo no
in_real_time "served" 125 "$umadrig" serve --fabric ",kernel=H1:uml:$work/good"
sed '1i clock real' complains.mad >real.mad
in_real_time "in a scenario" 1 "$umadrig" run --kernel "uml:$work/linux" real.mad

out=$(timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual" --kernel "H1:uml:$work/good" -- echo option 2>/dev/null)
tap_is "--kernel makes one, too" "$?:$out" 0:option
out=$("$umadrig" run --kernel "uml:$work/good" "$top_srcdir/scenarios/rmpp" 2>&1)
tap_is "scenarios on what is no kernel" "$?" 2
tap_has "which is said" "$out" "$work/good is no kernel of 'umadrig kernel build --uml': it does not say its release"

# ---- a hostile program of the session ----
if command -v python3 >/dev/null; then
	session "$one" --host H2 -- sh -c "python3 -B '$top_srcdir/tests/harness/hostile-guest-calls.py'; sleep 1
		\"\$umadrig\" guest --host H1 -- echo alive" </dev/null
	tap_is "what it asks wrongly, and that others go on" "$out" "no guest: ENOTSUP
no descriptor: ended
no such stream: ended
a stream twice: ended
nothing to write to: ended
no end: ended
no words: ended
no argument: ended
more arguments than texts: ended
very many: ended
a text without its end: ended
a file that is longer than its text: ended
too long: E2BIG
a pipe: ended
a signal for none: ESRCH
it runs: 0
no signal: EINVAL
no such signal: EINVAL
another program: ended
as many as a guest has room for: EAGAIN
alive"
else
	tap_skip "what a hostile program asks" "no python3"
fi

# ---- a guest that dies ----
session ",clock=virtual,kernel=H1:uml:$work/die:30" -- sleep 100 </dev/null
tap_is "the end of the guest ends its program" "$status" 137
tap_has "and is said" "$err" "the guest of H1"

session "$one" -- panic here </dev/null
tap_is "a kernel's fault that ends the program, too: status" "$status" 122
tap_has "and which" "$err" "umadrig exec: the kernel has a fault: the guest's console: Kernel panic - not syncing: here, at H1"
script 'guest host-0 -- panic; say $?; kill -9 $$'
tap_is "and whatever ends the session" "$status:$out" "122:137 at 0"

# ---- the same twice ----
for i in 1 2; do
	script 'guest host-0 -- call 2 & guest host-1 -- ask 1; wait; echo x | guest host-0 -- cat; guest host-1 -- sleep 9'
	printf '%s\n' "$status:$out" >said$i
	timeout -s KILL 60 "$umadrig" exec --fabric "$three,capture=$i.pcapng,seed=4" --host host-2 -- \
		sh -c '"$umadrig" guest --host host-0 -- ask 2; "$umadrig" guest --host host-1 -- call 1; sleep 9' \
		>>said$i 2>&1 </dev/null
done
tap_is "output twice" "$(cat said2)" "$(cat said1)"
tap_ok "and a capture that has packets" test "$(wc -c <1.pcapng)" -gt 1000
tap_ok "the same" cmp 1.pcapng 2.pcapng
# ---- a disk that is full, no descriptors ----
# SIZE OPTION...: a session whose TMPDIR has so much room.
on_small_disk() {
	mkdir -p small
	size=$1
	shift
	out=$(unshare -rm sh -c 'mount -t tmpfs -o size="$1" none small && shift && TMPDIR=$PWD/small exec "$@"' - "$size" \
		timeout -s KILL 60 "$umadrig" exec "$@" 2>err </dev/null)
	status=$?
	err=$(cat err)
}
mkdir -p small
if unshare -rm mount -t tmpfs none small 2>/dev/null; then
	for size in 4k 64k 1m; do
		on_small_disk $size --fabric "$one" -- echo hello
		tap_is "a full disk, $size: status" "$status:$out" "125:"
		tap_has "a full disk, $size: why" "$err" "No space left on device"
		on_small_disk $size --fabric ",clock=virtual" -- echo hello
		tap_is "and without guests" "$status:$out" "125:"
		tap_has "and without guests, $size: why" "$err" "No space left on device"
	done
	tap_has "and the cure" "$err" "make room there, or set TMPDIR"
	on_small_disk 16m --fabric "$one" -- echo hello
	tap_is "with room for it" "$status:$out" "0:hello"
else
	tap_skip "a full disk" "no file system can be mounted here: unshare -rm"
fi
for count in 12 20 60; do
	# A shell needs some for its own: prlimit(1) sets it for the program alone.
	out=$(prlimit --nofile=$count:$count timeout -s KILL 60 "$umadrig" exec --fabric "$one" -- \
		echo hello 2>&1 </dev/null)
	tap_is "$count descriptors: status" "$?" 125
	tap_has "$count descriptors: why" "$out" "descriptors"
done
all=
for host in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
	all="$all,kernel=host-$host:uml:$work/good"
done
out=$(prlimit --nofile=150:150 timeout -s KILL 60 "$umadrig" exec --fabric "generate:fat-tree:22,36,clock=virtual$all" \
	--host host-20 -- true 2>&1 </dev/null)
tap_is "more guests than there are descriptors for: status" "$?" 125
tap_has "and how many there may be" "$out" \
	"host-18 would be guest number 19, and this process has descriptors for 18: raise its limit (ulimit -n), or have fewer"
out=$(prlimit --nofile=164:164 timeout -s KILL 60 "$umadrig" exec --fabric "generate:fat-tree:22,36,clock=virtual$all" \
	--host host-20 -- sh -c 'for host in 0 19; do "$umadrig" guest --host host-$host -- echo $host; done' 2>err </dev/null)
tap_is "as many" "$?:$out" "0:0
19"
tap_done
