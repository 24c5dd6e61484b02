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
