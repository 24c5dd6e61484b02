#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# quickstart-test: "quickstart test" counts what failed, shows the output of the failed tests alone,
# and names them once more at its end, where a log that is cut still has them. The project below it
# is made up: it has seven tests, and a configure that takes no time.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
project=$work/project
mkdir -p "$project"
cp "$top_srcdir/quickstart" "$project/"
cat >"$project/configure" <<'END'
#!/bin/sh
cp "$(dirname "$0")/made-up.mk" Makefile
END
chmod 755 "$project/configure"

# What the suite says is in a file; each test of it that failed has a log of its own.
cat >"$project/made-up.mk" <<'END'
all umadrig check-warnings check-fuzz count-check count-check-unit check-slowest:
	@:
check check-unit:
	@cat $(SAID)
	@printf ':test-result: ERROR\n' >lies.trs; echo 'it died of a lie' >lies.log
	@printf ':test-result: SKIP\n' >idle.trs; echo 'nothing to do here' >idle.log
	@! grep -q -E '^(FAIL|ERROR)' $(SAID)
distcheck-smoke:
	@exit $(DISTRIBUTION)
END

# What "quickstart test" prints about a suite that says its input; $1: the distribution's status.
quickstart_test() {
	cat >"$work/said"
	rm -rf "$project/build"
	status=0
	SAID=$work/said DISTRIBUTION=$1 "$project/quickstart" test --no-install \
		>"$work/out" 2>&1 </dev/null || status=$?
}

quickstart_test 0 <<'END'
PASS: honest 1 - is right
SKIP: idle 1 # SKIP nothing to do
END
tap_ok "a suite without failures passes" test "$status" = 0
tap_ok "its last line has the totals" test "$(tail -n 1 "$work/out")" = \
	"2 passed, 0 failed, 2 skipped"
tap_lacks "nothing is said to have failed" "$(cat "$work/out")" "failed:"

quickstart_test 3 <<'END'
PASS: honest 1 - is right
FAIL: wrong 1 - is right
ERROR: lies - exited with status 3
SKIP: idle 1 # SKIP nothing to do
END
tap_ok "a suite with failures fails" test "$status" = 1
tap_ok "the last line counts them, and a part that failed before any test" \
	test "$(tail -n 1 "$work/out")" = "2 passed, 5 failed, 2 skipped"
tail -n 7 "$work/out" >"$work/end"
cat >"$work/wanted" <<'END'
quickstart: failed:
test-the-whole-suite--gcc: FAIL: wrong 1 - is right
test-the-whole-suite--gcc: ERROR: lies - exited with status 3
test-address-and-undefined-behaviour-sanitizers: FAIL: wrong 1 - is right
test-address-and-undefined-behaviour-sanitizers: ERROR: lies - exited with status 3
the distribution, gcc -O0: status 2 before any test failed
2 passed, 5 failed, 2 skipped
END
tap_ok "the lines before it name each" cmp "$work/wanted" "$work/end"
tap_ok "the output of a failed test is shown" grep -q 'it died of a lie' "$work/out"
tap_lacks "the output of one that skipped something is not" "$(cat "$work/out")" \
	"nothing to do here"
tap_done
