#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# workflows: the files for GitHub and GitLab are YAML, and run ./quickstart test on Debian 12
# without secrets.
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
tap_is "in a container of Debian 12" "$(value $github 'file["jobs"]["test"]["container"]')" \
	debian:12
tap_is "after a checkout, ./quickstart test" \
	"$(value $github \
	'[s.get("run", s["uses"].split("@")[0] if "uses" in s else "") for s in file["jobs"]["test"]["steps"]][:2]')" \
	"['actions/checkout', './quickstart test']"
tap_is "which may read the repository, no more" "$(value $github 'file["permissions"]')" \
	"{'contents': 'read'}"
tap_is "GitLab runs it in Debian 12" "$(value $gitlab 'file["test"]["image"]')" debian:12
tap_is "./quickstart test" "$(value $gitlab 'file["test"]["script"]')" "['./quickstart test']"
for file in $github $gitlab; do
	tap_is "no secret in $file" "$(grep -ci 'secret\|token\|password' "$top_srcdir/$file")" 0
done
tap_done
