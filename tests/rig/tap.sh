# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# tap.sh: what the shell tests share. Sourced: . "$top_srcdir/tests/rig/tap.sh"
#
# A test calls tap_ok NAME COMMAND..., tap_is NAME ACTUAL EXPECTED, ... and ends with tap_done.

tap_count=0
tap_failed=0
tap_names=	# a line for each point: "done" or "skip", and its name

tap_pass() {
	tap_count=$((tap_count + 1))
	tap_names="${tap_names}done $1
"
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

# NAME [DIAGNOSTIC...]
tap_fail() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	tap_names="${tap_names}done $1
"
	printf 'not ok %d - %s\n' "$tap_count" "$1"
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/# /'
}

# NAME REASON
tap_skip() {
	tap_count=$((tap_count + 1))
	tap_names="${tap_names}skip $1
"
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# Skips the whole script for REASON.
tap_skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# NAME COMMAND...: passes when the command succeeds.
tap_ok() {
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_pass "$tap_name"
	else
		tap_fail "$tap_name" "failed: $*" "$tap_output"
	fi
}

# NAME ACTUAL EXPECTED
tap_is() {
	if [ "$2" = "$3" ]; then
		tap_pass "$1"
	else
		tap_fail "$1" "expected: $3" "actual:   $2"
	fi
}

# NAME TEXT PART: passes when PART occurs in TEXT.
tap_has() {
	case $2 in
	*"$3"*) tap_pass "$1" ;;
	*) tap_fail "$1" "expected somewhere: $3" "actual: $2" ;;
	esac
}

# NAME TEXT PART: passes when PART does not occur in TEXT.
tap_lacks() {
	case $2 in
	*"$3"*) tap_fail "$1" "not expected: $3" "actual: $2" ;;
	*) tap_pass "$1" ;;
	esac
}

tap_done() {
	printf '1..%d\n' "$tap_count"
	[ "$tap_failed" = 0 ]
}
