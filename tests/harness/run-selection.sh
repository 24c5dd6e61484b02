#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-selection: which points umadrig run runs, in which order, and how often: --shard, --shuffle,
# --repeat, --until-fail.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

for i in 1 2 3 4 5 6 7; do
	printf 'scenario "number %d"\n0 note "text"\n\n' $i
done >seven.mad

# ARGUMENT...: the points, in their order.
points() {
	"$umadrig" run "$@" 2>/dev/null | sed -n 's/^ok [0-9]* - seven.mad: number //p' | tr '\n' ' '
}

# ---- shards ----

tap_is "the whole" "$(points seven.mad)" "1 2 3 4 5 6 7 "
tap_is "part 1 of 3" "$(points seven.mad --shard 1/3)" "1 4 7 "
tap_is "part 2 of 3" "$(points seven.mad --shard 2/3)" "2 5 "
tap_is "part 3 of 3" "$(points seven.mad --shard 3/3)" "3 6 "
tap_has "the header says so" "$("$umadrig" run seven.mad --shard 2/3 2>/dev/null)" "# part 2 of 3: 2 of 7 points"
tap_is "--list lists the part" "$("$umadrig" run --list --shard 2/3 seven.mad | sed 's/.* //' | tr '\n' ' ')" "2 5 "
"$umadrig" run --keep whole seven.mad >/dev/null 2>&1
"$umadrig" run --keep part --shard 2/3 seven.mad >/dev/null 2>&1
tap_is "captures of a part" "$(ls part)" "seven-02.pcapng
seven-05.pcapng"
tap_ok "are those of the whole" cmp part/seven-05.pcapng whole/seven-05.pcapng
out=$("$umadrig" run seven.mad --shard 8/9 --junit r.xml --json r.json 2>/dev/null)
tap_is "an empty part is a success" $? 0
tap_has "and is said to be empty" "$out" "1..0 # SKIP part 8 of 9 has none of the 7 points"
tap_has "in JSON, too" "$(cat r.json)" '"empty":"part 8 of 9 has none of the 7 points"'
tap_has "and JUnit" "$(cat r.xml)" '<testsuites name="umadrig run" tests="0"'
"$umadrig" run seven.mad --shard 8/9 --fail-on-skip >out 2>err
tap_is "but not with --fail-on-skip" $? 1
tap_has "which says why" "$(cat err)" "--fail-on-skip: part 8 of 9"
"$umadrig" run seven.mad --shard 1/9 -k none >/dev/null 2>&1
tap_is "a selection that is empty is none" $? 99
for wrong in 0/3 4/3 1/0 x/3 1 1/2/3 1/ -1/3; do
	err=$("$umadrig" run seven.mad --shard=$wrong 2>&1)
	tap_is "--shard=$wrong: $?" "$(printf '%s\n' "$err" | head -n 1)" \
		"umadrig run: --shard $wrong: expected I/N: part I, from 1 to N, of N parts"
done

# ---- the order ----

order=$(points seven.mad --shuffle=5)
tap_lacks "shuffled" "$order" "1 2 3 4 5 6 7"
tap_is "each once" "$(printf '%s' "$order" | tr ' ' '\n' | sort | tr '\n' ' ')" "1 2 3 4 5 6 7 "
tap_is "the same seed, the same order" "$(points seven.mad --shuffle=5 -j3)" "$order"
tap_lacks "another seed" "$(points seven.mad --shuffle=6)" "$order"
out=$("$umadrig" run seven.mad --shuffle 2>/dev/null)
seed=$(printf '%s\n' "$out" | sed -n 's/^# in the order of --shuffle=//p')
tap_is "without a seed one is chosen, and printed" \
	"$("$umadrig" run seven.mad --shuffle="$seed" 2>/dev/null)" "$out"
"$umadrig" run --keep shuffled --shuffle=5 seven.mad >/dev/null 2>&1
tap_ok "captures have their usual names and bytes" diff -r shuffled whole
err=$("$umadrig" run seven.mad --shuffle=x 2>&1)
tap_is "a wrong seed" "$?: $(printf '%s\n' "$err" | head -n 1)" \
	"2: umadrig run: --shuffle x: expected a number, as it was printed"

# ---- how often ----

cat >chance.mad <<'END'
seed 7
scenario "luck"
latency  1ms
0        do fault add drop 30%
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register(fd, class=SUBN_DR)
+0       umad_send(fd, a, timeout=100ms, SubnGet(NodeInfo) hop_cnt=1 path={1}) = 0
0        > SubnGet(NodeInfo)
2ms      umad_recv(fd) = a, status=0
END
out=$("$umadrig" run chance.mad --repeat 12 -j2 2>/dev/null)
tap_is "twelve times: status" $? 1
tap_is "twelve points" "$(printf '%s\n' "$out" | grep -cE '^(not )?ok')" 12
tap_ok "some pass, some fail" test "$(printf '%s\n' "$out" | grep -c '^ok')" -gt 0
tap_has "with their rounds" "$out" "ok 12 - chance.mad: luck (round 12)"
tap_has "and seeds of their own" "$out" "repro: \"umadrig run --seed "
first=$(printf '%s\n' "$out" | sed -n 's/^not ok \([0-9]*\) .*/\1/p' | head -n 1)
seed=$(printf '%s\n' "$out" | sed -n 's/^  seed: //p' | head -n 1)
tap_is "the seeds follow each other" "$seed" $((7 + first - 1))
"$umadrig" run chance.mad --seed "$seed" >/dev/null 2>&1
tap_is "a failure comes again with its seed" $? 1
tap_is "a capture for each that failed" "$(find . -name 'chance*.pcapng' | wc -l)" \
	$(($(printf '%s\n' "$out" | grep -c '^not ok') + (first > 1)))
rm -f chance*.pcapng
out=$("$umadrig" run chance.mad --until-fail -j2 2>/dev/null)
tap_is "until it fails: status" $? 1
tap_is "up to the first failure" "$(printf '%s\n' "$out" | grep -E '^(not )?ok' | sed -n '$s/ -.*//p')" "not ok $first"
tap_is "captures of what came behind it are removed" "$(find . -name 'chance*.pcapng' | wc -l)" 1
tap_is "then comes the plan" "$(printf '%s\n' "$out" | tail -n 1)" "1..$first"
out=$("$umadrig" run seven.mad --until-fail --repeat 3 2>/dev/null)
tap_is "nothing fails in three rounds: status" $? 0
tap_is "the plan" "$(printf '%s\n' "$out" | tail -n 1)" "1..21"
printf 'scenario "skipped"\nneeds program nosuchprogram\n0 note "text"\n' >skipped.mad
tap_is "what is always skipped is not repeated for ever" \
	"$("$umadrig" run skipped.mad --until-fail -j2 2>/dev/null | tail -n 1)" "1..1"
for wrong in 0 -1; do
	err=$("$umadrig" run seven.mad --repeat=$wrong 2>&1)
	tap_is "--repeat=$wrong: $?" "$(printf '%s\n' "$err" | head -n 1)" \
		"umadrig run: --repeat $wrong: expected a number of at least 1"
done

tap_done
