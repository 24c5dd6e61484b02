#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# doctor: what a machine lacks is found where it is taken away, with its cost and cure, and nothing
# else is.
set -u
. "$top_srcdir/tests/rig/tap.sh"

build=$(cd "$top_builddir" && pwd)
umadrig=$build/umadrig tools=$build/tests/tools
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
"$tools/deny" unshare -- true 2>/dev/null || tap_skip_all "no system call can be refused here"

# COMMAND...: its checks as "name state".
states() {
	"$@" | sed -n 's/^\([a-z]\{1,\}\) *\(fine\|note\|lack\)  .*/\1 \2/p'
}
names="kernel seccomp signals yama namespaces addresses inotify descriptors processes directory devices"
states "$umadrig" doctor >"$work/plain"
tap_is "all checks, in their order" "$(cut -d' ' -f1 "$work/plain" | tr '\n' ' ')" "$names "
"$umadrig" doctor >"$work/out"
status=$?
lacks=$(grep -c ' lack$' "$work/plain")
tap_is "the status says whether something is lacking" "$status" "$((lacks > 0))"
tap_is "each lack has its cost and its cure" \
	"$(grep -c '^ *cost: ' "$work/out") $(grep -c '^ *cure: ' "$work/out")" \
	"$((lacks + $(grep -c 'devices note' "$work/plain"))) $lacks"

# NAME CHECK CURE COMMAND...: below the command the check finds a lack with this cure, and others
# find nothing new.
lacks() {
	name=$1 check=$2 cure=$3
	shift 3
	"$@" "$umadrig" doctor >"$work/out" 2>&1
	tap_is "$name: status" $? 1
	tap_has "$name: a lack" "$(cat "$work/out")" "$(printf '%-12s lack' "$check")"
	tap_has "$name: its cure" "$(sed -n "/^$check /,/cure:/p" "$work/out")" "$cure"
	tap_is "$name: the others are as before" "$(states cat "$work/out" | grep -v "^$check ")" \
		"$(grep -v "^$check " "$work/plain")"
}
lacks "no listener" seccomp "Linux 5.14" "$tools/deny" listener --
lacks "no seccomp" seccomp "seccomp profile" "$tools/deny" seccomp --
lacks "no memory of others" seccomp "process_vm_readv" "$tools/deny" memory --
lacks "signals interrupt" signals "Linux 5.19" "$tools/deny" wait-killable --
lacks "no namespaces" namespaces "in a container" "$tools/deny" unshare --
lacks "no addresses" addresses "personality(2)" "$tools/deny" addresses --
lacks "few descriptors" descriptors "ulimit -Hn 1024" sh -c 'ulimit -n 256 && exec "$@"' sh
lacks "no directory" directory TMPDIR env TMPDIR="$work/none"

# As root the number of processes has no limit; inotify's instances have one for root as well.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	if setpriv --reuid=61234 --clear-groups "$umadrig" --version >/dev/null 2>&1; then
		prlimit --nproc=4 setpriv --reuid=61234 --clear-groups "$umadrig" doctor >"$work/out" 2>&1
		tap_has "few processes" "$(cat "$work/out")" "$(printf '%-12s lack' processes)"
		tap_has "few processes: the cure" "$(cat "$work/out")" "ulimit -u"
	else
		tap_skip "few processes" "another user cannot read the build directory"
	fi
else
	tap_skip "few processes" "only root can become another user"
fi

# Below another umadrig exec.
tap_has "an outer session is a note" "$("$umadrig" exec -- "$umadrig" doctor 2>/dev/null)" \
	"$(printf '%-12s note' seccomp)"

# JSON says the same.
if [ "${PYTHON:-:}" != : ] && "$PYTHON" -c "" 2>/dev/null; then
	cat >"$work/read.py" <<'TEXT'
import json, sys
whole = json.load(sys.stdin)
assert list(whole) == ["checks", "lacks"]
for check in whole["checks"]:
    assert list(check) == ["name", "state", "found", "cost", "cure"], check
    assert check["found"]
    assert (check["state"] == "lack") <= bool(check["cost"] and check["cure"]), check
    print(check["name"], check["state"])
assert whole["lacks"] == sum(check["state"] == "lack" for check in whole["checks"])
TEXT
	tap_is "--json has the same" "$("$umadrig" doctor --json | "$PYTHON" "$work/read.py")" \
		"$(cat "$work/plain")"
	tap_has "--json has a lack" "$("$tools/deny" addresses -- "$umadrig" doctor --json |
		"$PYTHON" "$work/read.py")" "addresses lack"
else
	tap_skip "--json has the same" "no Python that runs here"
fi

# What is wrong.
"$umadrig" doctor now >"$work/out" 2>"$work/err"
tap_is "an argument is an error" $? 2
tap_has "which is named" "$(cat "$work/err")" "'now'"
"$umadrig" doctor >/dev/full 2>"$work/err"
tap_is "a full disk is an error" $? 1
tap_has "which is said" "$(cat "$work/err")" "umadrig doctor: "

tap_done
