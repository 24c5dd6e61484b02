#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-valgrind: the library's own tests under valgrind: no invalid access, no uninitialised value
# that is used or sent, no lost block.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

command -v valgrind >/dev/null || tap_skip_all "no valgrind"
valgrind -q --error-exitcode=9 true >/dev/null 2>&1 || tap_skip_all "valgrind does not work here"
if nm "$top_builddir/tests/lib/umad-io" "$top_builddir/tests/lib/.libs/umad-io" 2>/dev/null |
	grep -q __asan_; then
	tap_skip_all "built with sanitizers, which see the same"
fi

# GLib keeps what it has once allocated, and a thread when it starts a program: valgrind does not
# know pidfd_open(2), so tests with subprocesses leave GLib's descriptors behind.
for test in umad-strings umad-device umad-pairs umad-io umad-kernel umad-sim; do
	skip=
	[ $test != umad-io ] || skip="-s /umad-io/dump"
	# Nor does it know pidfd_getfd(2), without which a copy of a filter's descriptor is lost.
	[ $test != umad-kernel ] || skip=$("$top_builddir/libtool" --mode=execute \
		"$top_builddir/tests/lib/umad-kernel" -l | sed -n 's|^/umad-filter/|-s &|p')
	# shellcheck disable=SC2086 # options
	output=$("$top_builddir/libtool" --mode=execute valgrind -q --leak-check=full \
		--show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9 \
		"$top_builddir/tests/lib/$test" $skip 2>&1)
	status=$?
	if [ $status = 0 ]; then
		tap_pass "$test"
	else
		tap_fail "$test" "status $status" \
			"$(printf '%s\n' "$output" | grep -v '^ok' | head -40)"
	fi
done

# And it does detect an error.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat >"$work/leak.c" <<'END'
#include <infiniband/umad.h>
int main(void)
{
	umad_ca_t ca;

	return umad_get_ca("H1", &ca) != 0;	/* not released */
}
END
libraries=$top_builddir/.libs
if [ -e "$libraries/libibumad.so.3" ] && [ -e "$libraries/libumadrig.so.0" ]; then
	${CC:-cc} -I"$top_srcdir/lib/include" -o "$work/leak" "$work/leak.c" \
		"$libraries/libibumad.so.3" || exit 99
	LD_LIBRARY_PATH=$libraries LD_PRELOAD=$libraries/libumadrig.so.0 UMAD_BACKEND=sim \
		valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=9 \
		"$work/leak" >/dev/null 2>&1
	tap_is "a CA that is not released is seen" $? 9
	# Raw calls look at the program's memory, whole pages of it: nothing to complain of.
	cat >"$work/raw.c" <<'END'
#include <infiniband/umad.h>
#include <unistd.h>
int main(void)
{
	char umad[320] = { 0 };
	int fd = umad_open_port(NULL, 0);

	umad[0] = 1;	/* an agent that there is not */
	return fd < 0 || write(fd, umad, sizeof(umad)) >= 0;
}
END
	${CC:-cc} -I"$top_srcdir/lib/include" -o "$work/raw" "$work/raw.c" \
		"$libraries/libibumad.so.3" || exit 99
	raw=$(LD_LIBRARY_PATH=$libraries \
		LD_PRELOAD="$libraries/libumadraw.so $libraries/libumadrig.so.0" UMAD_BACKEND=sim \
		valgrind -q --error-exitcode=9 "$work/raw" 2>&1)
	status=$?
	tap_is "a raw call is clean" "$status:$(echo "$raw" | grep '^==' | head -n 1)" "0:"
else
	tap_skip "a CA that is not released is seen" \
		"no shared library was built (--disable-shared)"
fi
tap_done
