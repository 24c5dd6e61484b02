#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# nightly: OpenSM in umadrig explore, by the plans of this directory: hand-over, kill -9,
# partitions, joins, routing engines, nodes that lie. A plan fails if it finds a failure that
# tests/nightly/known does not have; known ones are named.
#
# make check does a few runs of two plans; NIGHTLY=all, as make check-nightly has it, does all, and
# repeats each failure twenty times, in as many environments. OPENSM is another build of OpenSM,
# PLANS are some of the plans, RUNS is how many of each, JOBS how many at a time (2), and OUTPUT a
# directory that does not exist for what is found (otherwise it is removed at the end unless
# something new is in it).
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
. "$top_srcdir/tests/rig/elsewhere.sh"
command -v python3 >/dev/null || tap_skip_all "no python3"
if [ -n "${OPENSM:-}" ]; then
	OPENSM=$(realpath "$OPENSM") && test -x "$OPENSM" || tap_skip_all "OPENSM is no program"
fi
PATH=$work/bin:$PATH
mkdir "$work/bin"
[ -z "${OPENSM:-}" ] || ln -s "$OPENSM" "$work/bin/opensm"
stock_needs opensm
nightly=$(cd "$top_srcdir/tests/nightly" && pwd)
umadrig=$(realpath "$umadrig")
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
output=${OUTPUT:-$(mktemp -u "${TMPDIR:-/tmp}/umadrig-nightly-XXXXXX")}
mkdir "$output" || exit 99
# What is found is repeated with the same OpenSM.
mv "$work/bin" "$output/bin"
PATH=$output/bin:$PATH
if [ "${NIGHTLY:-}" = all ]; then
	: "${PLANS:=$(cd "$nightly" && ls -- *.plan)}"
	REPEATS="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
else
	REPEATS="5 6 7 18"
	: "${PLANS:=killed lies-modifier}" "${RUNS:=4}"
fi
is_new=false

# PLAN: explores it; what is known is in $said.
explore() {
	timeout -s KILL 900 "$umadrig" explore --plan "$nightly/$1.plan" \
		${RUNS:+--runs "$RUNS"} --jobs "${JOBS:-2}" --output "$output/$1" \
		--json "$output/$1.json" >"$output/$1.out" 2>&1 </dev/null
	status=$?
}
judge() {
	said=$(python3 -B "$nightly/judge.py" "$1" "$2" "$output/$2.json" "$umadrig" 2>&1)
	judged=$?
}
# PLAN: each failure is repeated by its command, in other environments.
repeat() {
	python3 -c 'import json, sys
for failure in json.load(open(sys.argv[1]))["failures"]:
    print(failure["directory"], failure["message"])' "$output/$1.json" >"$work/failures"
	while read -r directory message; do
		for number in $REPEATS; do
			elsewhere "$number" "$output/bin:$(dirname "$umadrig")" \
				sh "$directory/command" </dev/null 2>&1 | sed -n 's/^run 1: //p'
		done >"$work/again"
		tap_is "$1: ${directory##*/} is repeated" "$(sort -u "$work/again")" "$message"
	done <"$work/failures"
}
for plan in $PLANS; do
	plan=${plan%.plan}
	explore "$plan"
	judge "$nightly/known" "$plan"
	case $judged in
	0) tap_ok "$plan: nothing new" true ;;
	*)
		is_new=true
		tap_is "$plan: nothing new (explore: $status)" "$said" ""
		;;
	esac
	printf '%s\n' "$said" | sed -n 's/^known /# known: /p'
	repeat "$plan"
done

if [ "${NIGHTLY:-}" != all ] && [ "$PLANS" = "killed lies-modifier" ]; then
	tap_is "a failure is known by its name" "${said%: *}" "known modifier"
	awk '/^Name: / { at = $2 } at != "modifier"' "$nightly/known" >"$work/fewer"
	judge "$work/fewer" lies-modifier
	tap_has "without its entry it is new" "$judged:$said" "1:new: "
	tap_has "and is told how to repeat" "$said" "/repeat"
	sed 's/^Signature: .lies-..+: finally/Signature: (/' "$nightly/known" >"$work/wrong"
	judge "$work/wrong" lies-modifier
	tap_has "a wrong pattern" "$judged:$said" "2:$work/wrong:"
	sed 's/^Cause:/Reason:/' "$nightly/known" >"$work/wrong"
	judge "$work/wrong" lies-modifier
	tap_has "a wrong word" "$judged:$said" \
		"expected one each of Cause, Command, Lie, Log, Name, Signature"
fi
[ -n "${OUTPUT:-}" ] || $is_new || rm -rf "$output"
! $is_new || printf '# what was found is in %s\n' "$output"
tap_done
