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

# Skips the whole script where this machine cannot have the filter: its reason is umadrig's.
any_needs_filter() {
	if nm "$top_builddir/.libs/umadrig" 2>/dev/null | grep -q -e __asan_ -e __tsan_; then
		tap_skip_all "umadrig itself has sanitizers"
	fi
	any_lack=$("$umadrig" exec --how filter -- true 2>&1)
	case $any_lack in
	*"cannot be stopped"* | *"nknown option"*)
		tap_skip_all "$(echo "$any_lack" | head -n 1)" ;;
	esac
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
