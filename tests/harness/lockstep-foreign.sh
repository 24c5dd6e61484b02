#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-foreign: programs that no library can be put into are in virtual time as well. One
# program, built for glibc and preloaded, static, and static for musl, sees the same of time; Go's
# programs do the same twice; and all of them end as they would.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
source=$top_srcdir/tests/tools/lockstep-foreign.c
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
# COMMAND...: the status and the output, joined. What is said is in err.
run() {
	# shellcheck disable=SC2016
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" -- sh -c \
		'"$@"; status=$?; "$0" open >/dev/null; exit $status' "$probe" "$@" 2>err </dev/null)
	printf '%s:%s\n' "$?" "$out"
}

# NAME COMPILER...: builds it, but for tests/lab/check-aarch64, whose guest has no compiler.
build() {
	if [ -x "$top_builddir/tests/tools/foreign/$1" ]; then
		cp "$top_builddir/tests/tools/foreign/$1" "$1"
	else
		name=$1
		shift
		"$@" -o "$name" 2>log
	fi
}
build dynamic gcc -O2 -I"$top_srcdir" "$source" "${source%.c}"-*.c || tap_skip_all "gcc cannot build a program here"
build static gcc -O2 -static -I"$top_srcdir" "$source" "${source%.c}"-*.c || tap_skip_all "no static libc here (libc6-dev)"
run ./static time >out
if grep -q "past libc, and" err; then
	tap_skip_all "$(grep -m 1 "past libc, and" err)"
fi

# ---- the same as with the library ----

parts="time threads processes signals descriptors streams shared timers files locks semaphores"
parts="$parts queues priorities senders deaths cancel sessions rests children splices notices"
parts="$parts messages connections interests terminals refusals paths"
for part in $parts; do
	run ./dynamic "$part" >wanted
	tap_has "$part: there is something to compare" "$(cat wanted)" "0:"
	[ "$part" != terminals ] || tap_has "terminals: reads have all" "$(cat wanted)" "whole 200"
	tap_is "$part, static" "$(run ./static "$part")" "$(cat wanted)"
	tap_is "$part, static: nothing was in the way" "$(grep "past libc" err)" ""
	fabric=$fabric,how=filter run ./dynamic "$part" >below
	tap_is "$part, below the filter" "$(cat below)" "$(cat wanted)"
done
./dynamic refusals | sed 's/^[0-9]* //' >wanted
tap_is "what is refused, or answered, at once is so without virtual time" \
	"$(run ./dynamic refusals | sed 's/^[0-9:]* //')" "$(cat wanted)"
tap_is "interests, static, with fewer descriptors" "$(ulimit -n 256; run ./static interests)" \
	"$(run ./dynamic interests)"
# (The kernel's headers are glibc's neighbours.)
if musl-gcc -O2 -static -o musl -I"$top_srcdir" -idirafter /usr/include \
	-idirafter "/usr/include/$(gcc -print-multiarch)" "$source" "${source%.c}"-*.c 2>log; then
	for part in $parts; do
		# musl's select(3) leaves its timeout as it was
		[ "$part" != rests ] || continue
		run ./dynamic "$part" >wanted
		tap_is "$part, static for musl" "$(run ./musl "$part")" "$(cat wanted)"
	done
else
	tap_skip "static programs for musl" "there is no musl-gcc"
fi

# ---- in /proc ----

# shellcheck disable=SC2016 # for the other shell
tap_is "a static program is in /proc by its name and number, and what stands for it is not" \
	"$(run sh -c './static time >out & sleep 1
		for at in /proc/[0-9]*; do read -r name <$at/comm; echo "${at#/proc/} $name"; done
		kill $!')" "0:1000 sh
1001 sh
1002 static"

# ---- on the fabric ----

build neighbour gcc -O2 -static "$top_srcdir/tests/any/neighbour.c" || exit 99
timeout -s KILL 60 "$umadrig" exec --fabric "${fabric%,clock*}" --how filter -- ./neighbour >wanted 2>err
tap_has "in real time there is something to compare" "$(cat wanted)" "neighbour: method 0x81"
tap_is "a static program that opens umad0" "$(run ./neighbour)" "0:$(cat wanted)"
timeout -s KILL 60 "$umadrig" exec --fabric "$fabric,capture=a.pcapng" -- ./neighbour >out 2>err
tap_is "as the command itself" "$?:$(cat out)" "0:$(cat wanted)"
timeout -s KILL 60 "$umadrig" exec --fabric "$fabric,capture=b.pcapng" -- ./neighbour >out 2>err
tap_is "its capture is the same to the byte" "$(cmp a.pcapng b.pcapng && echo same)" same
# Below the filter libibumad calls the server itself, whose answers take real time.
COMMAND="$probe open >/dev/null"
export COMMAND
run ./static many >first
tap_is "eight programs that a static one starts open devices" "$(grep -c done first)" 8
differ=0
for turn in 1 2 3 4 5 6; do
	run ./static many >next
	cmp -s first next || differ=$((differ + 1))
done
tap_is "and end in the same order each time, of $turn" "$differ differ" "0 differ"
printf '#!%s/static\n' "$PWD" >script && chmod 755 script
tap_is "a script whose interpreter is static" "$(run sh -c './script; echo $?')" "0:2"
if musl-gcc -O2 -o dynamic-musl "$top_srcdir/tests/any/neighbour.c" 2>log && ./dynamic-musl >/dev/null 2>&1; [ $? != 127 ]; then
	tap_is "a dynamic program for musl" "$(run ./dynamic-musl)" "0:$(cat wanted)"
else
	tap_skip "a dynamic program for musl" "no musl-gcc, or not its loader"
fi

# ---- Go ----

exporter=$(command -v prometheus-node-exporter) || exporter=
python=$(command -v python3) || python=
if [ "$exporter" ] && [ "$python" ]; then
	# (The machine's ports are everybody's.)
	port=$((20000 + $$ % 10000))
	cat >ask.py <<END
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:$port/metrics").read().decode())
END
	cat >scrape <<END
"$exporter" --web.listen-address=127.0.0.1:0 --help >/dev/null 2>&1 || exit 3
"$exporter" --web.listen-address=127.0.0.1:$port --log.level=error \\
	--collector.disable-defaults --collector.infiniband &
sleep 3600
"$python" ask.py
kill \$!
wait \$!
echo status \$?
END
	run sh scrape >first
	tap_has "a Go program answers after an hour" "$(cat first)" 'node_infiniband_state_id{device="sim0",port="1"} 4'
	tap_has "and ends by a signal" "$(cat first)" "status 143"
	run sh scrape >second
	tap_is "the same, with its runtime's own figures" "$(cmp first second && echo same)" same
else
	tap_skip "a program in Go" "no prometheus-node-exporter, or no python3"
fi

timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" --do "after 5s start $PWD/static nothing" -- \
	./static time >out 2>err
tap_has "beside what --do starts" "$(cat out)" "an hour 1700003600"
tap_has "which is one itself" "$(cat err)" "lockstep-foreign: expected the name of a part"

# ---- what a hostile one does ----

build hostile gcc -O1 -static -pthread "$top_srcdir/tests/tools/lockstep-hostile.c" || exit 99
tap_is "addresses that are none, and calls that no kernel has" "$(run ./hostile addresses)" \
	"0:$(for call in 14 14 14 9 22 14 14 38; do echo "errno $call"; done)"
tap_is "offsets, sizes and descriptors that are none" "$(run ./hostile splices)" \
	"0:$(for call in 14 14 9 9 9 14 22 14 14; do echo "errno $call"; done)"
tap_is "a function to be called that is none" "$(run ./hostile notices)" "0:errno 0
errno 0
errno 0
errno 9
errno 14
66 queues ask for a signal, 64 of them get one"
tap_is "control data that are none" "$(run ./hostile messages)" \
	"0:$(for call in 22 22 22 9 14 14 14 14 22; do echo "errno $call"; done)"
tap_is "a clone that the kernel refuses" "$(run ./hostile clone)" "0:errno 22
errno 22
a child 1"
tap_is "programs that are not there" "$(run ./hostile execute)" "0:errno 2
errno 2
1700000001"
tap_is "a thread that becomes another program" "$(run ./hostile thread)" "0:1700000001"
tap_is "or one that is not the first, beside some that wait" \
	"$(run sh -c './hostile "other thread"; sleep 10; date +%s')" "0:1700000001
1700000011"
tap_has "a thousand threads" "$(run ./hostile threads; cat err)" "refused with 11, more than 1000: 1"
tap_is "calls that virtual time does not know" "$(run ./hostile past)" "0:errno 38
errno 38
errno 22
errno 0
a file is locked 0"
tap_is "are named once each" "$(sed -n 's/.*the system call \([0-9]*\) past libc.*/\1/p' err | xargs)" \
	"1020 $([ "$(uname -m)" = aarch64 ] && echo 31 || echo 252)"	# ioprio_get(2)
tap_is "hundreds of children" "$(run ./hostile children)" "0:600 children"
tap_is "one that ends itself, thirty times" \
	"$(run sh -c 'for i in 1 2 3; do for k in 1 2 3 4 5 6 7 8 9 10; do ./hostile die; done; done; echo $?')" \
	"0:143"
tap_is "is no child of its own" "$(grep -c "may not be traced" err)" 0
tap_is "one that accesses no memory" "$(run sh -c './hostile memory; echo $?')" "0:139"

printf 0 >flag
{ sleep 10; printf 1; } | dd conv=notrunc of=flag 2>/dev/null &
tap_is "one that computes for 10 s is left alone" "$(run ./hostile compute)" "0:computed until 1700000000"
wait
tap_has "and named" "$(cat err)" " for 5 s: it computes"

# ---- where it cannot be ----

timeout -s KILL 60 "$top_builddir/tests/tools/docker-denials" "$umadrig" exec --fabric "$fabric" -- \
	./static nothing >out 2>err </dev/null
tap_has "in a container without the right: the cure" "$(cat err)" \
	"pidfd_getfd(2) is refused, as containers do: start this one with --cap-add=SYS_PTRACE"

# ---- the end of it ----

tap_is "one that is killed" \
	"$(run sh -c './static processes >/dev/null & sleep 0.0007; kill -KILL $!; wait $!; echo $?')" "0:137"
tap_is "its status" "$(run sh -c './static nothing; echo $?')" "0:2"
"$umadrig" exec --fabric "$fabric" -- ./static nothing >/dev/null 2>err </dev/null
tap_has "what it says of itself" "$(cat err)" "expected the name of a part"
printf '\177ELF\2\1\1' >short && chmod 755 short
tap_lacks "a program cut short is none" "$(run sh -c './short; echo $?')" "0:0"
tap_done
