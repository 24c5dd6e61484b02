#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Runs of umadrig explore that are made of those that have shown something new.
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
command -v python3 >/dev/null || tap_skip_all "no python3"
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi

# OPTION...: what it prints is in out, what it says in err.
explore() {
	out=$(timeout -s KILL 120 "$umadrig" explore "$@" 2>"$work/err" </dev/null)
	status=$?
	err=$(cat "$work/err")
}
last() {
	printf '%s\n' "$out" | tail -n 1
}

# ---- what is varied ----
# A line for each seed divided by 5: new ones now and then.
# shellcheck disable=SC2016 # for the run's shell
script='"$0" open; echo "part $(printf %s $((UMADRIG_SEED / 5 % 40)) | tr 0-9 a-j)"; test $((UMADRIG_SEED % 29)) != 0'
explore --runs 48 --jobs 2 --keep-going --no-shrink --output first --fabric "generate:fat-tree:4,4,fault=drop 2%" -- \
	sh -c "$script" "$probe"
first=$out
tap_has "what was seen is said" "$out" "pairs of MADs, "
tap_has "and which runs had something new" "$out" " runs had something new, the last is run "
explore --runs 48 --jobs 7 --keep-going --no-shrink --output second --fabric "generate:fat-tree:4,4,fault=drop 2%" -- \
	sh -c "$script" "$probe"
tap_is "the same runs, however many at a time" "$(printf '%s\n' "$out" | sed s,/second/,/first/,)" "$first"
explore --runs 40 --jobs 2 --keep-going --no-shrink --no-vary --seed 20 --fabric "generate:fat-tree:4,4,fault=drop 2%" \
	-- sh -c "$script" "$probe"
tap_lacks "in turn" "$out" "had something new"
tap_has "runs have seeds one after the other" "$out" "run 39: exit status 1, as run 10
  with:    seed=58 "

# ---- edges ----
cat >edges.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int seed = atoi(getenv("UMADRIG_SEED"));

	return seed % 3 == 0 ? puts("a") < 0 : seed % 3 == 1 ? puts("b") < 0 : putchar('\n') < 0;
}
END
if clang -g -fsanitize=undefined -fsanitize-coverage=trace-pc-guard edges.c -o edges 2>/dev/null; then
	# shellcheck disable=SC2016 # for the run's shell
	explore --runs 40 --jobs 2 -- sh -c '"$0" open >/dev/null; ./edges >/dev/null' "$probe"
	edges=$(printf '%s\n' "$out" | sed -n 's/^seen: .* lines, \([0-9]*\) edges.*/\1/p')
	tap_ok "a program's edges are seen ($edges)" test "${edges:-0}" -gt 5
else
	tap_skip "a program's edges are seen" "no clang with its sanitizers"
fi
# ---- a corpus is kept, and gone on with ----
# shellcheck disable=SC2016 # for the run's shell
fails='"$0" open; echo "part $((UMADRIG_SEED % 7))" | tr 0-9 a-j; test $((UMADRIG_SEED % 11)) != 0 || exit 3; test $((UMADRIG_SEED % 13)) != 0 || exit 4'
# FROM OPTION...: runs of that test.
keep() {
	explore --keep-going --no-shrink --jobs 2 "$@" -- sh -c "$fails" "$probe"
}
keep --runs 12 --corpus kept
tap_is "a first call" "$status:${out%%
*}" "1:run 11: exit status 3"
tap_has "its failure is kept there" "$out" "kept in: $work/kept/failure-000011"
keep --runs 14 --corpus kept
tap_lacks "the next call goes on" "$out" "run 11: exit status 3
"
tap_has "with what comes then" "$out" "run 13: exit status 4"
tap_has "and knows the failures of the first one" "$out" "exit status 3, as run 11"
tap_has "all runs are counted" "$(last)" "26 runs, "
tap_is "nothing else is left" "$(cd kept && echo run-* try-*)" "run-* try-*"
keep --runs 5 --corpus kept --lacks something
tap_is "another test: status" "$status" 125
tap_has "another test: why" "$err" "kept is of another test: name another directory
  there: umadrig explore --fabric"
keep --runs 5 --corpus kept --shard 1/2
tap_has "another part" "$err" "kept is of --shard=1/1"
keep --runs 5 --corpus kept --output elsewhere
tap_has "two directories" "$status:$err" "2:umadrig explore: --corpus excludes --output"
cp kept/state state
sed 's/^next=.*/next=x/' state >kept/state
keep --runs 5 --corpus kept
tap_has "a state that is none" "$status:$err" "kept/state: '[explore] next' is not as umadrig explore has written it"
printf 'nonsense\n' >kept/state
keep --runs 5 --corpus kept
tap_has "no state at all" "$status:$err" "125:umadrig explore: --corpus: $work/kept/state: "
cp state kept/state
python3 -c 'import fcntl, sys, time
lock = open(sys.argv[1])
fcntl.flock(lock, fcntl.LOCK_EX)
time.sleep(1000)' kept/lock >/dev/null 2>&1 &
holder=$!
until ! flock -n kept/lock true; do sleep 0.05; done
keep --runs 5 --corpus kept
tap_has "two at a time" "$status:$err" "125:umadrig explore: --corpus: $work/kept: another umadrig explore is at work there"
kill "$holder"
wait "$holder" 2>/dev/null

# A file may have no byte: as on a full disk.
out=$( (trap '' XFSZ; ulimit -f 0; exec "$umadrig" explore --corpus full --runs 3 -- "$probe" open) 2>&1 </dev/null)
tap_has "what cannot be kept ends it, before a run" "$?:$out" "99:umadrig explore: --corpus: cannot write $work/full/state: "
tap_lacks "and none is done" "$out" "run 1"

# ---- a budget ----
explore --budget 2s --output timed -- "$probe" open
tap_is "a budget ends it" "$status:$(last | sed 's/^[0-9]* runs, 0 failed.*/some runs/')" "0:some runs"
explore --budget 2 -- "$probe" open
tap_has "without a unit" "$status:$err" "2:umadrig explore: --budget"

# ---- parts ----
keep --runs 24 --corpus whole --no-vary
for part in 1 2 3; do
	keep --runs 24 --shard "$part/3" --corpus "part-$part" --no-vary
	tap_is "part $part has a third of the runs" "$(last | sed 's/^8 runs, .*/a third/')" "a third"
done
out=$("$umadrig" explore merge -o merged part-1 part-2 part-3 --json merged.json 2>err)
tap_is "merged" "$?:$(cat err)" "1:"
whole=$("$umadrig" explore merge -o again whole)
tap_is "is what one alone finds" "$(printf '%s\n' "$out" | sed 's,/merged/,/again/,')" "$whole"
tap_is "failures are there" "$(cd merged && echo failure-*)" "failure-000011 failure-000013"
tap_ok "with their captures" test -s merged/failure-000011/capture.pcapng
tap_ok "and a report" test -s merged.json
keep --runs 2 --corpus merged
tap_has "it can be gone on with" "$(last)" "26 runs, "
explore --runs 1 --corpus another -- "$probe" open
out=$("$umadrig" explore merge -o other part-1 another 2>&1)
tap_is "of another test" "$?:$out" "125:umadrig explore merge: another is of another test than the first one"
out=$("$umadrig" explore merge -o other part-1 "$work/tmp" 2>&1)
tap_has "no corpus" "$?:$out" "nothing is kept there: expected a directory of umadrig explore --corpus"
out=$("$umadrig" explore merge part-1 2>&1)
tap_has "no directory to make" "$?:$out" "2:umadrig explore merge: --output is missing"
out=$("$umadrig" explore merge -o merged part-1 2>&1)
tap_has "one that is there" "$?:$out" "125:umadrig explore merge: merged: File exists"
keep --runs 4 --shard 3/2
tap_has "a part that is none" "$status:$err" "2:umadrig explore: --shard"

# A condition that is true in one part's runs only: those of one seed.
# shellcheck disable=SC2016 # for the run's shell
sometimes='"$0" open; test "$UMADRIG_SEED" = 2 && echo found >>"$UMADRIG_RUN/log"; exit 0'
for part in 1 2; do
	explore --runs 4 --shard "$part/2" --corpus "seen-$part" --sometimes 'log-has log found' -- sh -c "$sometimes" "$probe"
	tap_is "part $part: what is seen sometimes is not judged" "$status" 0
done
"$umadrig" explore merge -o seen seen-1 seen-2 >/dev/null
tap_is "merged: one has seen it" "$?" 0
out=$("$umadrig" explore merge -o unseen seen-1)
tap_has "without that one it is in none" "$?:$out" "1:in none of 2 runs: sometimes log-has log found"

# ---- an end in between ----
"$umadrig" explore --corpus cut --runs 100000 -- "$probe" open >/dev/null 2>&1 &
cut=$!
until grep -q '^next=[1-9]' cut/state 2>/dev/null; do sleep 0.1; done
kill "$cut"
wait "$cut"
tap_is "ended by a signal" "$?" 143
was=$(sed -n 's/^runs=//p' cut/state)
explore --corpus cut --runs 3 -- "$probe" open
tap_is "the next call goes on" "$status:$(last | cut -d, -f1)" "0:$((was + 3)) runs"
tap_done
