# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh disable=SC2034
# audit.sh: has a test's sessions in virtual time fail if a system call goes past it, where the
# kernel can tell. Sourced after tap.sh, with $umadrig set: . "$top_srcdir/tests/rig/audit.sh"
# 'audit' is what to put behind clock=virtual, or nothing; then 'no_audit' says why.

audit=,audit=fail
no_audit=$("$umadrig" exec --fabric ",clock=virtual$audit" -- true 2>&1 >/dev/null </dev/null |
	grep -o 'audit needs x86_64.*')
[ -z "$no_audit" ] || audit=
