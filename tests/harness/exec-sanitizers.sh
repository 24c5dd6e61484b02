#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-sanitizers: programs with a sanitizer start under "umadrig exec", and so does umadrig where
# a sanitizer's library is preloaded for its program.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND ASAN_OPTIONS LD_PRELOAD

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "umadrig itself has sanitizers"
fi

cat >"$work/program.c" <<'END'
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int fd = umad_open_port(NULL, 1);
	char *bytes = malloc(3);
	char room[64];
	/* What the sanitizer intercepts as well as umadrig. */
	if (ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL) < 0 ||
	    read(fd, room, sizeof(room)) != -1 || errno != EAGAIN)
		return 2;
	int sum = (bytes[0] = 1) + (argc > 1 ? bytes[atoi(argv[1])] : 0);
	printf("%s\n", fd >= 0 && sum ? "opened" : "failed");
	free(bytes);
	return fd < 0;
}
END

# build NAME COMPILER FLAG...: a program with a sanitizer
build() {
	name=$1
	shift
	"$@" -o "$work/$name" "$work/program.c" -I"$top_srcdir/lib/include" \
		-L"$top_builddir/.libs" -libumad >"$work/build.log" 2>&1
}

# starts NAME: it opens the fabric, itself and below a shell
starts() {
	out=$(timeout -s KILL 300 "$umadrig" exec -- "$work/$1" 2>"$work/err")
	tap_is "$1 starts" "$?:$out" "0:opened"
	out=$(timeout -s KILL 300 "$umadrig" exec -- sh -c "$work/$1" 2>"$work/err")
	tap_is "$1 starts below a shell" "$?:$out" "0:opened"
	out=$(timeout -s KILL 300 "$umadrig" exec --fabric ,clock=virtual -- "$work/$1" 2>"$work/err")
	tap_is "$1 starts with a fabric of its own" "$?:$out" "0:opened"
}

for row in gcc-asan:gcc:address gcc-ubsan:gcc:undefined gcc-tsan:gcc:thread \
	clang-asan:clang:address; do
	name=${row%%:*} kind=${row##*:} compiler=${row#*:}
	compiler=${compiler%:*}
	if ! echo "int main(void) { return 0; }" |
	    "$compiler" -x c "-fsanitize=$kind" -o "$work/empty" - 2>/dev/null; then
		tap_skip "$name" "no $compiler with this sanitizer here"
		continue
	fi
	tap_ok "$name is built" build "$name" "$compiler" "-fsanitize=$kind"
	starts "$name"
done
if [ -x "$work/gcc-asan" ]; then
	timeout -s KILL 300 "$umadrig" exec -- "$work/gcc-asan" 3 >"$work/out" 2>"$work/err"
	tap_is "a program's fault ends it" $? 1
	tap_ok "and is reported" grep -q heap-buffer-overflow "$work/err"
	out=$(ASAN_OPTIONS=exitcode=42 timeout -s KILL 300 "$umadrig" exec -- "$work/gcc-asan" 3 2>&1)
	tap_is "the caller's ASAN_OPTIONS hold" $? 42
fi

# ---- in virtual time ----

# in_time PROGRAM PART: its status and output
in_time() {
	out=$(timeout -s KILL 120 "$umadrig" exec ${how:+--how "$how"} --fabric ,clock=virtual -- \
		sh -c '"$@"; status=$?; "$0" open >/dev/null; exit $status' "$probe" "$@" \
		2>"$work/err" </dev/null)
	printf '%s:%s\n' "$?" "$out"
}

waits=$top_srcdir/tests/tools/lockstep-foreign.c
how=''
if [ -x "$work/gcc-tsan" ] && gcc -O2 -o "$work/plain" -I"$top_srcdir" "$waits" "${waits%.c}-shared.c"; then
	tap_ok "a program that waits in every way is built" \
		gcc -O1 -g -fsanitize=thread -o "$work/waits" -I"$top_srcdir" "$waits" "${waits%.c}-shared.c"
	for part in time threads processes signals descriptors streams shared timers; do
		in_time "$work/plain" "$part" >"$work/wanted"
		tap_is "with ThreadSanitizer as without, $part" "$(in_time "$work/waits" "$part")" \
			"$(cat "$work/wanted")"
	done
	how=both
	tap_is "with --how both as well" "$(in_time "$work/waits" timers)" "$(cat "$work/wanted")"
	how=''
	cat >"$work/race.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int count;
static void *add(void *data)
{
	sleep(1);
	count++;
	return data;
}
int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, add, NULL);
	pthread_create(&other, NULL, add, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	return printf("%d\n", count) < 0;
}
END
	gcc -O1 -g -fsanitize=thread -o "$work/race" "$work/race.c"
	tap_is "a data race is found" "$(in_time "$work/race")" "66:2"
	tap_has "and told of" "$(cat "$work/err")" "data race"
fi
for row in "gcc -static-libtsan" clang; do
	compiler=${row% *} flags=${row#"$compiler"}
	# shellcheck disable=SC2086
	if ! "$compiler" -O1 -fsanitize=thread $flags -o "$work/inside" -I"$top_srcdir" "$waits" "${waits%.c}-shared.c" 2>/dev/null; then
		tap_skip "ThreadSanitizer in the program itself ($row)" "no $compiler that has it so"
		continue
	fi
	tap_is "ThreadSanitizer in the program itself ($row) is refused" \
		"$(in_time "$work/inside" time)" "123:"
	tap_has "with the cure" "$(cat "$work/err")" "Link it with the shared one"
done

# Python itself has none: what it loads has.
cat >"$work/waits.py" <<'END'
import asyncio, multiprocessing, queue, subprocess, threading, time

def square(n):
    time.sleep(n / 10)
    return n * n

async def wait():
    await asyncio.gather(*(asyncio.sleep(n) for n in range(5)))
    process = await asyncio.create_subprocess_exec("sleep", "3")
    await process.wait()

if __name__ == "__main__":
    said = queue.Queue()
    def work(n):
        for k in range(3):
            time.sleep((n + 1) / 100)
            said.put((n, k, time.time()))
    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(3600)
    while not said.empty():
        print(said.get())
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(pool.map(square, range(6)), time.time())
    asyncio.run(wait())
    print(time.time(), subprocess.run(["date", "+%s"], capture_output=True).stdout)
END
python=$(command -v /usr/bin/python3) || python=
library=$(gcc -print-file-name=libtsan.so 2>/dev/null)
case $python$library in
/*.so*)
	in_time "$python" "$work/waits.py" >"$work/wanted"
	tap_has "Python has something to compare" "$(cat "$work/wanted")" "[0, 1, 4, 9, 16, 25]"
	tap_is "Python under ThreadSanitizer sees the same of time" \
		"$(in_time env LD_PRELOAD="$library" "$python" "$work/waits.py")" \
		"$(cat "$work/wanted")"
	in_time env LD_PRELOAD="$library" sed -n '/libtsan/{s/.*/loaded/p;q}' /proc/self/maps >"$work/out"
	tap_is "which is there" "$(cat "$work/out")" "0:loaded"
	;;
*) tap_skip "Python under ThreadSanitizer" "no Python of the system, or no libtsan" ;;
esac

installed=$top_builddir/.libs/umadrig
LD_LIBRARY_PATH=$top_builddir/.libs
export LD_LIBRARY_PATH
for kind in asan tsan ubsan; do
	library=$(gcc -print-file-name=lib$kind.so 2>/dev/null)
	case $library in
	/*) ;;
	*) tap_skip "lib$kind preloaded" "gcc has no lib$kind here"; continue ;;
	esac
	# What a plain program leaks is not of interest here. libtool's script stays out: a shell
	# with libtsan in it crashes.
	out=$(LD_PRELOAD=$library ASAN_OPTIONS=detect_leaks=0 timeout -s KILL 300 "$installed" \
		exec -- "$probe" open 2>"$work/err")
	tap_is "lib$kind preloaded: the program runs" "$?:$out" "0:H1 lid 1"
	out=$(LD_PRELOAD=$library ASAN_OPTIONS=detect_leaks=0 timeout -s KILL 300 "$installed" \
		exec -- env 2>"$work/err")
	tap_has "and finds lib$kind behind our library" "$out" "libumadraw.so:$library
"
	tap_is "and nothing of how it came there" "$(echo "$out" | grep -c UMADRIG_PRELOAD)" 0
done

tap_done
