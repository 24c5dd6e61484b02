#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ci-explore: a night of umadrig explore in parts, by the files of doc/ci for Kubernetes, Slurm and
# GitHub: their own scripts do all parts here, with the variables that those services set, for a
# second instead of hours; then they merge them. Where Slurm runs, its own parser reads its file.
set -u
. "$top_srcdir/tests/rig/tap.sh"
command -v python3 >/dev/null || tap_skip_all "python3 is not installed"
python3 -c 'import yaml' 2>/dev/null || tap_skip_all "python3-yaml is not installed"
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
. "$top_srcdir/tests/rig/own-directory.sh"

ci=$top_srcdir/doc/ci
probe=$(realpath "$top_builddir/tests/tools/exec-probe")
PATH=$(dirname "$(realpath "$umadrig")"):$PATH
mkdir plan explored
{
	printf 'fabric generate:fat-tree:4,4\nno-shrink\ncommand\n'
	printf '\t%s open\n\texit 3\n' "$probe"
} >plan/night.plan
cp plan/night.plan .

# FILE EXPRESSION: a value of the file's first document.
value() {
	python3 - "$ci/$1" "$2" <<'END'
import sys
import yaml
with open(sys.argv[1], encoding="utf-8") as stream:
    file = next(yaml.safe_load_all(stream))
print(eval(sys.argv[2], {"file": file}))
END
}
# NAME PARTS: what the parts have left in explored.
judge() {
	tap_is "$1: each part has kept what it found" \
		"$(cd explored && ls -d part-* | wc -l):$(cat explored/part-*/state | grep -c '^text=exit status 3')" "$2:$2"
	tap_is "$1: no two have done the same run" "$(cat explored/part-*/state | sed -n 's/^parts=//p' | sort -u):$(
		sed -n 's/^part=//p' explored/part-*/state | sort -nu | wc -l)" "$2:$2"
}
# NAME JSON PARTS: of the report.
merged() {
	tap_is "$1: merged, the failure is there once, from all parts" "$(python3 - "$2" "$3" <<'END'
import json
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
failures = found["failures"]
print(len(failures), failures[0]["message"], failures[0]["count"] >= int(sys.argv[2]),
      failures[0]["count"] == found["totals"]["runs"])
END
)" "1 exit status 3 True True"
}

# ---- Kubernetes ----
value explore-job.yaml 'file["spec"]["template"]["spec"]["containers"][0]["command"][2]' |
	sed "s,/plan/,$work/plan/,; s,/explored/,$work/explored/,g" >part
parts=$(value explore-job.yaml 'file["spec"]["completions"]')
tap_is "Kubernetes: an indexed job, whose pods are not started again for ever" \
	"$(value explore-job.yaml '(file["kind"], file["spec"]["completionMode"], file["spec"]["template"]["spec"]["restartPolicy"])')" \
	"('Job', 'Indexed', 'Never')"
index=0
while [ "$index" -lt "$parts" ]; do
	{
		BUDGET=1s JOB_COMPLETION_INDEX=$index sh part >"said-$index" 2>&1
		echo "$?" >"status-$index"
	} &
	index=$((index + 1))
done
wait
tap_is "Kubernetes: the parts are complete, though they have found failures" \
	"$(cat status-* | sort -u):$(grep -l '^run [0-9]*: exit status 3$' said-* | wc -l)" "0:$parts"
judge Kubernetes "$parts"
value explore-merge.yaml 'file["spec"]["template"]["spec"]["containers"][0]["command"][2]' |
	sed "s,/explored/,$work/explored/,g" >merge
sh merge >said 2>&1
tap_is "Kubernetes: the job that merges has failed" "$?" 1
merged Kubernetes explored/*.json "$parts"
tap_ok "Kubernetes: with a page" test -s "$(echo explored/*.html)"
tap_is "Kubernetes: both mount the volume that the claim makes" \
	"$(value explore-job.yaml 'file["spec"]["template"]["spec"]["volumes"][1]'):$(
		value explore-merge.yaml 'file["spec"]["template"]["spec"]["volumes"][0]')" \
	"$(printf '%s:%s' "{'name': 'explored', 'persistentVolumeClaim': {'claimName': 'umadrig-explored'}}" \
		"{'name': 'explored', 'persistentVolumeClaim': {'claimName': 'umadrig-explored'}}")"
echo "not a plan" >plan/night.plan
BUDGET=1s JOB_COMPLETION_INDEX=0 sh part >said 2>&1
tap_is "Kubernetes: a part that cannot run has failed" "$?" 2
cp night.plan plan/night.plan

# ---- Slurm ----
parts=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\)$/\1/p' "$ci/explore.sbatch")
rm -rf explored
part=1
while [ "$part" -le "$parts" ]; do
	BUDGET=1s SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_COUNT=$parts SLURM_CPUS_PER_TASK=2 \
		sh "$ci/explore.sbatch" night.plan "$work/explored" >"said-$part" 2>&1 ||
		echo "part $part" >>failed &
	part=$((part + 1))
done
wait
tap_ok "Slurm: the parts have ended well" test ! -e failed
judge Slurm "$parts"
SLURM_JOB_ID=17 sh "$ci/explore.sbatch" --merge "$work/explored" >said 2>&1
tap_is "Slurm: the job that merges has failed" "$?" 1
merged Slurm explored/merged-17.json "$parts"
SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=8 sh "$ci/explore.sbatch" >said 2>&1
tap_has "Slurm: without a plan" "$?:$(cat said)" "expected a plan and a directory"
if command -v sbatch >/dev/null && sinfo >/dev/null 2>&1; then
	tap_ok "Slurm: sbatch takes the file" sbatch --test-only "$ci/explore.sbatch" night.plan explored
else
	tap_skip "Slurm: sbatch takes the file" "no Slurm here"
fi

# ---- GitHub ----
parts=$(value explore.yml 'len(file["jobs"]["part"]["strategy"]["matrix"]["part"])')
rm -rf explored
# JOB NAME: the script of that step, as the service runs it.
step() {
	value explore.yml '[s["run"] for s in file["jobs"]["'"$1"'"]["steps"] if s.get("name") == "'"$2"'"][0]'
}
step part Explore >part
step merge "Put it together" >merge
for part in $(value explore.yml '" ".join(map(str, file["jobs"]["part"]["strategy"]["matrix"]["part"]))'); do
	BUDGET=1s PART=$part bash -e part >"said-$part" 2>&1 || echo "part $part" >>failed &
done
wait
tap_ok "GitHub: the parts have ended well" test ! -e failed
judge GitHub "$parts"
bash -e merge >said 2>&1
tap_is "GitHub: the job that merges has failed" "$?:$(grep -c '^run [0-9]*: exit status 3$' said)" "1:1"
tap_ok "GitHub: with a report" test -s merged.xml
tap_is "GitHub: what is kept for the next night is what it takes" \
	"$(value explore.yml '[s["with"]["key"] for s in file["jobs"]["part"]["steps"] if "cache/" in s.get("uses", "")].__len__() == 2 and len({s["with"]["key"] for s in file["jobs"]["part"]["steps"] if "cache/" in s.get("uses", "")}) == 1')" True
tap_is "GitHub: it may read the repository, no more" "$(value explore.yml 'file["permissions"]')" "{'contents': 'read'}"
tap_done
