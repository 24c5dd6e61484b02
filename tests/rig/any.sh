# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# any.sh: what the tests of programs that load no library of ours share. Sourced behind tap.sh and
# own-directory.sh. With ANY_ALL=1 (make check-any) nothing may be missing.

# NAME REASON
any_lacks() {
	if [ -n "${ANY_ALL:-}" ]; then
		tap_fail "$1" "$2"
	else
		tap_skip "$1" "$2"
	fi
}

# Skips the whole script where no program's calls can be stopped, or umadrig cannot stop any because
# of how it is built. What it says itself does not count: it would hide its own mistakes.
any_needs_filter() {
	if nm "$top_builddir/.libs/umadrig" 2>/dev/null | grep -q -e __asan_ -e __tsan_; then
		tap_skip_all "umadrig itself has sanitizers"
	fi
	any_needs_seccomp
}

# The same for tests that need no more than the kernel's part of it.
any_needs_seccomp() {
	any_lack=$("$top_builddir/tests/tools/filter-here")
	case $? in
	0) ;;
	1) tap_skip_all "no system call can be stopped and answered here: $any_lack" ;;
	*) echo "Bail out! filter-here does not know whether calls can be stopped here"; exit 99 ;;
	esac
}

# Does the kernel know calls with the numbers of 32-bit programs? Where it does not, such a call
# is a fault.
any_has_32bit_calls() {
	[ "$(uname -m)" = x86_64 ] &&
		{ ("$top_builddir/tests/tools/slip" 32-bit) >/dev/null 2>&1; [ $? -lt 128 ]; }
}

# COMPILER ARGUMENT...: can it, which may be words, make a program in this way? None of ours: a
# mistake in one of those is nothing that the machine lacks.
any_links() {
	any_compiler=$1
	shift
	echo 'int main(void) { return 0; }' >"$work/none.c"
	# shellcheck disable=SC2086 # words
	$any_compiler -o "$work/none" "$work/none.c" "$@" >"$work/log" 2>&1
}

# PROGRAM ARGUMENT...: gcc makes a static program of ours; the script is skipped where it can make
# none, and fails where it cannot make this one.
any_builds_static() {
	any_links gcc -static -pthread || tap_skip_all "gcc links no static program here (libc6-dev)"
	any_program=$1
	shift
	gcc -std=gnu11 -O2 -Wall -Wextra -Werror -static -pthread -I"$top_srcdir" \
		-o "$any_program" "$@" >"$work/log" 2>&1 || {
		sed 's/^/# /' "$work/log"
		echo "Bail out! $any_program cannot be built"
		exit 99
	}
}

# NAME STATUS FILE: it has succeeded, and "out" is the file; "err" is shown if not.
any_is() {
	if [ "$2" = 0 ] && cmp -s out "$3"; then
		tap_pass "$1"
	else
		tap_fail "$1" "status $2; printed, where < is missing and > too much:" \
			"$(diff "$3" out)" "on stderr:" "$(head -c 2000 err)"
	fi
}

# Writes the files "everything", which the programs of tests/any print on HostB of
# tests/data/two-switches.net, and "files", which a shell can print.
any_expected() {
	cat >files <<'END_OF_FILES'
device sim0: GUID 0000:0000:0010:0002
umad0: port 1 of sim0, a character device
END_OF_FILES
	cat files - >everything <<'END_OF_CALLS'
neighbour: method 0x81, TID any!, type 2, 8 ports
write of 20 bytes: -1, errno 22
write for agent 31: -1, errno 5
read of 20 bytes: -1, errno 22
unknown ioctl: -1, errno 25
END_OF_CALLS
}

# SOURCE ARGUMENT...: $programs are three programs of that C source: with the library, static, and
# static for musl. Static ones are left out where one that below() runs, with these arguments, is
# not in virtual time.
any_builds_three() {
	any_source=$1
	shift
	gcc -O2 -I "$top_srcdir" -o dynamic "$any_source" 2>log || tap_skip_all "gcc cannot build a program here"
	programs=./dynamic
	if ! gcc -O2 -static -I "$top_srcdir" -o static "$any_source" 2>log; then
		tap_skip "static programs" "no static libc here (libc6-dev)"
		return
	fi
	below ./static "$@"
	if grep -q "past libc, and" err; then
		tap_skip "static programs" "$(grep -m 1 "past libc, and" err)"
		return
	fi
	programs="$programs ./static"
	if musl-gcc -O2 -static -I "$top_srcdir" -o musl "$any_source" 2>log; then
		programs="$programs ./musl"
	else
		tap_skip "static programs for musl" "there is no musl-gcc"
	fi
}
