#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# workflows: the files for GitHub and GitLab are YAML, and run ./quickstart test on Debian 12 and 13
# without secrets; action.yml and those of doc/ci, for other projects, are understood as well, and
# each of their steps is a shell script. ci-templates.sh and "make check-distros" run them.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"
command -v python3 >/dev/null || tap_skip_all "python3 is not installed"
python3 -c 'import yaml' 2>/dev/null || tap_skip_all "python3-yaml is not installed"

# FILE EXPRESSION: the value of a Python expression in which 'file' is the parsed file.
value() {
	python3 - "$top_srcdir/$1" "$2" <<'END'
import sys
import yaml
with open(sys.argv[1]) as stream:
    file = yaml.safe_load(stream)
print(eval(sys.argv[2], {"file": file}))
END
}

github=.github/workflows/test.yml
gitlab=.gitlab-ci.yml
# YAML 1.1 reads the word "on" as true.
tap_is "GitHub runs it for each push and request" \
	"$(value $github 'sorted(file.get("on", file.get(True)))')" "['pull_request', 'push']"
for job in test action; do
	tap_is "$job: in containers of Debian 12 and 13" \
		"$(value $github '[file["jobs"]["'$job'"]["container"].replace("${{ matrix.release }}", str(r)) for r in file["jobs"]["'$job'"]["strategy"]["matrix"]["release"]]')" \
		"['debian:12', 'debian:13']"
done
tap_is "the action with inputs that it has" \
	"$(value $github 'sorted(set(file["jobs"]["action"]["steps"][1]["with"]) - set(__import__("yaml").safe_load(open("'"$top_srcdir"'/action.yml"))["inputs"]))')" "[]"
tap_is "which is the one at the top" "$(value $github 'file["jobs"]["action"]["steps"][1]["uses"]')" ./
tap_has "and builds the image" "$(value $github '[s.get("run") for s in file["jobs"]["image"]["steps"]]')" \
	"docker build -t umadrig -f Containerfile ."
tap_is "after a checkout, ./quickstart test" \
	"$(value $github \
	'[s.get("run", s["uses"].split("@")[0] if "uses" in s else "") for s in file["jobs"]["test"]["steps"]][:2]')" \
	"['actions/checkout', './quickstart test']"
tap_is "and makes the web site, with the packages that make-site names" \
	"$(value $github '[p for s in file["jobs"]["site"]["steps"] for p in s.get("run", "").split() if p in ("python3-sphinx", "python3-myst-parser", "furo", "mandoc", "site")]')" \
	"$(python3 - "$top_srcdir/doc/site/make-site" <<'END'
import re
import sys
text = open(sys.argv[1], encoding="utf-8").read()
tables = re.findall(r"^(?:PROGRAMS|MODULES) = (\{.*\})$", text, re.M)
packages = [package for table in tables for package in eval(table).values()]
print(sorted(packages, key=["python3-sphinx", "python3-myst-parser", "furo", "mandoc"].index) + ["site"])
END
)"
tap_is "which may read the repository, no more" "$(value $github 'file["permissions"]')" \
	"{'contents': 'read'}"
tap_is "GitLab runs it in Debian 12 and 13" \
	"$(value $gitlab '[file["test"]["image"].replace("$RELEASE", r) for r in file["test"]["parallel"]["matrix"][0]["RELEASE"]]')" \
	"['debian:12', 'debian:13']"
tap_is "./quickstart test" "$(value $gitlab 'file["test"]["script"]')" "['./quickstart test']"
tap_is "GitHub looks for mistakes without running anything" \
	"$(value $github '[line.split()[-1] for s in file["jobs"]["static"]["steps"] for line in s.get("run", "").splitlines() if "make " in line]')" \
	"['check-static']"
tap_is "so does GitLab" "$(value $gitlab 'file["static"]["script"][-1].split()[-1]')" check-static
tap_ok "which is there" grep -q '^check-static:' "$top_srcdir/tests/static/local.mk"
for package in clang clang-tools cppcheck shellcheck; do
	tap_is "with $package" "$(cat "$top_srcdir/$github" "$top_srcdir/$gitlab" |
		grep 'apt-get install' | tr ' ' '\n' | grep -cx "$package")" 2
done
for file in $github $gitlab; do
	tap_is "no secret in $file" "$(grep -ci 'secret\|token\|password' "$top_srcdir/$file")" 0
done

# FILE...: the actions that they use by a name that may move, rather than by a commit.
moving() {
	sed -n 's/^[ -]*uses: *//p' "$@" | grep -v -x -E '(\./[^ ]*|OWNER/umadrig@TAG|[^@ ]*@[0-9a-f]{40} # v[0-9.]*)'
}
set -- "$top_srcdir/action.yml" "$top_srcdir"/.github/workflows/*.yml "$top_srcdir"/doc/ci/*.yml
tap_is "actions are those of a commit, whose release is named" "$(moving "$@")" ""
tap_ok "there are some" grep -q 'uses: .*@' "$top_srcdir/$github"
tap_is "one release has one commit" \
	"$(sed -n 's/^[ -]*uses: *//p' "$@" | sort -u | sed 's/@.* #//' | uniq -d)" ""
tap_is "a tag is found" "$(printf '      - uses: actions/checkout@v4\n' | moving)" actions/checkout@v4
tap_is "Dependabot looks after them" \
	"$(value .github/dependabot.yml '[(u["package-ecosystem"], u["directory"]) for u in file["updates"]]')" \
	"[('github-actions', '/')]"

# ---- for other projects ----

steps=$top_srcdir/tests/distros/steps
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
# NAME TEXT ARGUMENT...: the script has the text, and is one.
script_has() {
	name=$1 text=$2
	shift 2
	python3 "$steps" "$@" >"$work/script" 2>&1
	tap_is "$name: understood" "$?:$(grep '^steps: ' "$work/script")" 0:
	tap_ok "$name: a shell script" bash -n "$work/script"
	tap_has "$name: what it runs" "$(cat "$work/script")" "$text"
}
script_has "the action, scenarios" \
	'umadrig run --tap -j 0 --fail-on-skip --junit "$CAPTURES/scenarios.xml" $SCENARIOS' \
	action "$top_srcdir/action.yml" scenarios=here.mad
tap_lacks "no commands were given, and none are run" "$(cat "$work/script")" "umadrig exec"
script_has "the action, commands" "RUN='a \"b\"'" action "$top_srcdir/action.yml" 'run=a "b"'
for job in umadrig-scenarios umadrig-command umadrig-explore; do
	script_has "the template, $job" quickstart gitlab "$top_srcdir/doc/ci/gitlab.yml" "$job"
done
tap_has "an input that is not there is an error" \
	"$(python3 "$steps" action "$top_srcdir/action.yml" scenario=x 2>&1)" \
	"there is no input 'scenario'"
current=doc/ci/check-current.yml
tap_is "the weekly workflow begins by itself, and by hand" \
	"$(value $current 'sorted(file.get("on", file.get(True)))')" \
	"['schedule', 'workflow_dispatch']"
tap_is "on one day of the week" \
	"$(value $current 'file.get("on", file.get(True))["schedule"][0]["cron"].split()[2:]')" \
	"['*', '*', '1']"
tap_is "its target is there, and takes each release" \
	"$(value $current '[s["run"].split("check-current ")[1] for s in file["jobs"]["check-current"]["steps"] if "check-current " in s.get("run", "")]'):$(grep -c '^check-current:' "$top_srcdir/tests/distros/local.mk")" \
	"['CURRENT=\${{ matrix.release }}']:1"
tap_is "which are those of the target" \
	"$(value $current '" ".join(file["jobs"]["check-current"]["strategy"]["matrix"]["release"])')" \
	"$(sed -n 's/^CURRENT = //p' "$top_srcdir/tests/distros/local.mk")"
tap_is "it may read the repository, no more" "$(value $current 'file["permissions"]')" \
	"{'contents': 'read'}"
weekly=doc/ci/check-current-gitlab.yml
script_has "GitLab's weekly job" "make -C build check-current CURRENT=\$RELEASE" \
	gitlab "$top_srcdir/$weekly" check-current RELEASE=sid
tap_is "it begins by a schedule, or by hand" \
	"$(value $weekly '[rule["if"].split()[-1] for rule in file["check-current"]["rules"]]')" \
	"['\"schedule\"', '\"web\"']"
tap_is "for the releases of the target" \
	"$(value $weekly '" ".join(file["check-current"]["parallel"]["matrix"][0]["RELEASE"])')" \
	"$(sed -n 's/^CURRENT = //p' "$top_srcdir/tests/distros/local.mk")"
tap_is "with GitHub's commands" \
	"$(value $weekly '"\n".join(file["check-current"]["script"]).replace("$RELEASE", "")')" \
	"$(value $current '"\n".join(s["run"] for s in file["jobs"]["check-current"]["steps"] if "run" in s).replace("${{ matrix.release }}", "")')"
for file in action.yml doc/ci/check-current.yml $weekly doc/ci/gitlab.yml; do
	tap_is "no secret in $file" "$(grep -ci 'secret\|token\|password' "$top_srcdir/$file")" 0
done
tap_done
